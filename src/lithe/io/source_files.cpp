#include "lithe/io/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "lithe/io/model_rules.hpp"
#include "lithe/io/reader.hpp"

namespace lithe::io {

namespace {

constexpr int most_included = 100;

/// The repetitions of both files, each a block or a list of blocks.
Node list_of_both(const Node& base, const Node& top) {
  Node both = top;
  both.kind = Node::Kind::list;
  both.entries.clear();
  both.items.clear();
  for (const Node* each : {&base, &top}) {
    if (each->kind == Node::Kind::list)
      both.items.insert(both.items.end(), each->items.begin(), each->items.end());
    else
      both.items.push_back(*each);
  }
  return both;
}

/// Entries of `top` win over those of `base`; sections that are maps are merged entry by entry.
Node merged(Node base, const Node& top) {
  for (const Entry& entry : top.entries) {
    const auto old =
        std::find_if(base.entries.begin(), base.entries.end(), [&](auto& e) { return e.key == entry.key; });
    if (old == base.entries.end()) {
      base.entries.push_back(entry);
      continue;
    }
    if (entry.key == "repeat") {
      old->value = list_of_both(old->value, entry.value);
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

/// Bytes of the letter that starts at `at`, 0 when it is not UTF-8 (also overlong ones, surrogates, beyond U+10FFFF).
std::size_t letter_size(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return follows(at + 1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const bool possible = !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second >= 0xA0);
    return possible && follows(at + 1) && follows(at + 2) ? 3 : 0;
  }
  if (first < 0xF0 || first > 0xF4) return 0;
  const bool possible = !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second >= 0x90);
  return possible && follows(at + 1) && follows(at + 2) && follows(at + 3) ? 4 : 0;
}

/// Complains about the first byte that is not UTF-8.
bool is_utf8(const std::string& text, const std::string& file, Complaints& complaints) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    complaints.add({&file, 0, 0}, {}, "the file is UTF-16; save it as UTF-8");
    return false;
  }
  int line = 1, column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = text[at] == '\0' ? 0 : letter_size(text, at);
    if (size == 0) {
      complaints.add({&file, line, column}, {},
                     fmt::format("the byte 0x{:02X} is not UTF-8 text; save the file as UTF-8",
                                 static_cast<unsigned char>(text[at])));
      return false;
    }
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n' ? 1 : 0;
    at += size;
  }
  return true;
}

std::string identity_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::weakly_canonical(path, error);
  return error ? path.string() : absolute.string();
}

}  // namespace

FileText read_text_file(const std::filesystem::path& path, std::uintmax_t largest) {
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
    if (file.text.size() > largest) return {{}, fmt::format("the file is larger than {} MB", largest >> 20U)};
  }
  if (stream.bad()) return {{}, std::strerror(errno)};
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
  read_.push_back(path);
  if (!is_utf8(text, file, complaints_)) return std::nullopt;
  std::optional<Node> root = parse_yaml(text, file, complaints_);
  if (!root || !check_version(*root)) return std::nullopt;
  const Entry* include = root->find("include");
  const Entry* remove = root->find("remove");
  if (include == nullptr) {
    if (remove != nullptr)
      complaints_.add(remove->place, "remove", "takes entries out of included files, but there is no 'include'");
    return root;
  }
  std::vector<Node> names{include->value};
  if (include->value.kind == Node::Kind::list) names = include->value.items;
  Node base;
  base.kind = Node::Kind::map;
  base.place = root->place;
  bool complete = true;
  for (const Node& name : names) {
    const std::optional<Node> other = load_included(name, "include");
    complete = complete && other.has_value();
    if (other) base = merged(std::move(base), *other);
  }
  // Without an included part nearly every name would be unknown: stop here.
  if (!complete) return std::nullopt;
  if (remove != nullptr) {
    remove_entries(*remove, base);
    std::erase_if(root->entries, [](const Entry& entry) { return entry.key == "remove"; });
  }
  return merged(std::move(base), *root);
}

void SourceFiles::remove_entries(const Entry& remove, Node& included) {
  if (remove.value.kind != Node::Kind::list)
    return complaints_.add(
        remove.value.place, "remove",
        fmt::format("expected a list of paths like joints.knee, but this is {}", describe(remove.value)));
  for (const Node& path : remove.value.items) {
    Node* map = &included;
    std::string_view rest = path.text;
    for (;;) {
      const std::string step(rest.substr(0, rest.find('.')));
      const auto found =
          std::find_if(map->entries.begin(), map->entries.end(), [&](const Entry& e) { return e.key == step; });
      if (found == map->entries.end()) {
        std::vector<std::string> known;
        for (const Entry& entry : map->entries) known.push_back(entry.key);
        complaints_.add(path.place, "remove",
                        path.kind == Node::Kind::scalar
                            ? fmt::format("the included files have no '{}'{}", path.text, hint(step, known))
                            : fmt::format("expected a path like joints.knee, but this is {}", describe(path)));
        break;
      }
      if (step.size() == rest.size()) {
        map->entries.erase(found);
        break;
      }
      rest.remove_prefix(step.size() + 1);
      map = &found->value;
    }
  }
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

std::optional<Node> SourceFiles::load_part(const Node& name, const std::string& key) {
  const std::string path = name.kind == Node::Kind::scalar ? beside(name.place, name.text).lexically_normal() : "";
  const auto found = parts_.find(path);
  if (found != parts_.end() && found->second) return found->second;
  return parts_[path] = load_included(name, key);
}

std::optional<Node> SourceFiles::load_included(const Node& name, const std::string& key) {
  const auto complain = [&](const std::string& message) {
    complaints_.add(name.place, key, message);
    return std::nullopt;
  };
  if (name.kind != Node::Kind::scalar)
    return complain(fmt::format("expected the name of a file, but this is {}", describe(name)));
  if (++included_ > most_included) return complain(fmt::format("more than {} files are included", most_included));
  const std::filesystem::path path = beside(name.place, name.text).lexically_normal();
  const std::string identity = identity_of(path);
  if (std::find(chain_.begin(), chain_.end(), identity) != chain_.end())
    return complain(fmt::format("the file {} includes itself, directly or through others", path.string()));
  if (looked_for_ != nullptr) looked_for_->push_back(path.string());
  const FileText file = read_text_file(path);
  if (!file.fault.empty()) return complain(fmt::format("the file {} cannot be read: {}", path.string(), file.fault));
  chain_.push_back(identity);
  std::optional<Node> root = load_file(file.text, path.string());
  chain_.pop_back();
  return root;
}

}  // namespace lithe::io
