#include "lithe/io/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

namespace {

constexpr std::uintmax_t largest_file = 64U << 20U;  // bytes
constexpr int most_included = 100;

/// Entries of `top` win over those of `base`; sections that are maps are merged entry by entry.
Node merged(Node base, const Node& top) {
  for (const Entry& entry : top.entries) {
    const auto old =
        std::find_if(base.entries.begin(), base.entries.end(), [&](auto& e) { return e.key == entry.key; });
    if (old == base.entries.end()) {
      base.entries.push_back(entry);
      continue;
    }
    const KeyRule* rule = section("model").find(entry.key);
    const bool is_map = rule != nullptr && (rule->type.starts_with("map of ") || rule->type == "run");
    if (is_map && old->value.kind == Node::Kind::map && entry.value.kind == Node::Kind::map) {
      for (const Entry& inner : entry.value.entries) {
        auto& entries = old->value.entries;
        const auto same = std::find_if(entries.begin(), entries.end(), [&](auto& e) { return e.key == inner.key; });
        if (same == entries.end())
          entries.push_back(inner);
        else
          *same = inner;
      }
    } else if (!is_map || entry.value.kind != Node::Kind::null) {
      *old = entry;
    }
  }
  return base;
}

std::string identity_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::weakly_canonical(path, error);
  return error ? path.string() : absolute.string();
}

}  // namespace

FileText read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return {{}, "there is no such file"};
  if (std::filesystem::is_directory(status)) return {{}, "this is a directory"};
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    return {{}, "this is a device"};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {{}, std::strerror(errno)};
  FileText file;
  char buffer[1U << 16U];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    file.text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (file.text.size() > largest_file) return {{}, fmt::format("the file is larger than {} MB", largest_file >> 20U)};
  }
  return file;
}

std::filesystem::path beside(const Place& place, const std::string& file_name) {
  return std::filesystem::path(*place.file).parent_path() / file_name;
}

std::optional<Node> SourceFiles::load(const std::string& text, const std::string& path) {
  chain_.assign(1, identity_of(path));
  return load_file(text, path);
}

std::optional<Node> SourceFiles::load_file(const std::string& text, const std::string& path) {
  const std::string& file = *names_.insert(path).first;
  std::optional<Node> root = parse_yaml(text, file, complaints_);
  if (!root || !check_version(*root)) return std::nullopt;
  const Entry* include = root->find("include");
  if (include == nullptr) return root;
  std::vector<Node> names{include->value};
  if (include->value.kind == Node::Kind::list) names = include->value.items;
  Node base;
  base.kind = Node::Kind::map;
  base.place = root->place;
  bool complete = true;
  for (const Node& name : names) {
    const std::optional<Node> other = load_included(name);
    complete = complete && other.has_value();
    if (other) base = merged(std::move(base), *other);
  }
  // Without an included part nearly every name would be unknown: stop here.
  if (!complete) return std::nullopt;
  return merged(std::move(base), *root);
}

bool SourceFiles::check_version(Node& root) {
  constexpr auto remedy = "a model file starts with 'lithe: 1'";
  if (root.kind != Node::Kind::map) {
    complaints_.add(root.place, {},
                    root.kind == Node::Kind::null ? fmt::format("the file is empty; {}", remedy)
                                                  : fmt::format("{}, but this is {}", remedy, describe(root)));
    return false;
  }
  const Entry* version = root.find("lithe");
  if (version == nullptr) {
    const Place start{root.place.file, 1, 1};
    complaints_.add(start, "lithe", fmt::format("the version is missing; {}", remedy));
    Node assumed;
    assumed.kind = Node::Kind::scalar;
    assumed.place = start;
    assumed.text = "1";
    root.entries.push_back({"lithe", start, assumed});
    return true;
  }
  if (version->value.kind == Node::Kind::scalar && version->value.text == "1") return true;
  complaints_.add(
      version->value.place, "lithe",
      fmt::format("this program reads version 1 of the model file, but this is {}", describe(version->value)));
  return false;
}

std::optional<Node> SourceFiles::load_included(const Node& name) {
  const auto complain = [&](const std::string& message) {
    complaints_.add(name.place, "include", message);
    return std::nullopt;
  };
  if (name.kind != Node::Kind::scalar)
    return complain(fmt::format("expected the name of a file, but this is {}", describe(name)));
  if (++included_ > most_included) return complain(fmt::format("more than {} files are included", most_included));
  const std::filesystem::path path = beside(name.place, name.text).lexically_normal();
  const std::string key = identity_of(path);
  if (std::find(chain_.begin(), chain_.end(), key) != chain_.end())
    return complain(fmt::format("the file {} includes itself, directly or through others", path.string()));
  const FileText file = read_text_file(path);
  if (!file.fault.empty()) return complain(fmt::format("the file {} cannot be read: {}", path.string(), file.fault));
  chain_.push_back(key);
  std::optional<Node> root = load_file(file.text, path.string());
  chain_.pop_back();
  return root;
}

}  // namespace lithe::io
