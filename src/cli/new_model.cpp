// lithe new: a commented model to start from.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "completion.hpp"
#include "data_folder.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/laws/suggestion.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

/// A starter model: its file, its name and the first line of its comment.
struct Starter {
  std::filesystem::path path;
  std::string name, what;
};

std::string whole_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw InputError(fmt::format("{}: cannot be read", path.string()));
  return text.str();
}

Starter starter_of(const std::filesystem::path& path) {
  const std::string text = whole_text(path);
  const std::size_t begin = text.find_first_not_of("# ");
  return {path, path.stem().string(), text.substr(begin, text.find('\n') - begin)};
}

/// Machines of the gallery that are good to start from.
std::vector<std::string> machines_of_gallery() {
  std::vector<std::string> keys;
  const nlohmann::json gallery =
      detail::json_or_discarded(whole_text(std::filesystem::path(examples_folder()) / "gallery.json"));
  if (!gallery.is_array()) return keys;
  for (const nlohmann::json& group : gallery)
    for (const nlohmann::json& example : group.value("examples", nlohmann::json::array()))
      if (example.value("starter", false)) keys.push_back(example.value("key", ""));
  return keys;
}

/// The starters of the data folder, and machines of the gallery, by name.
std::vector<Starter> starters() {
  namespace fs = std::filesystem;
  const fs::path examples = examples_folder(), folder = examples / "starters";
  std::vector<Starter> found;
  if (fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".yaml") found.push_back(starter_of(entry.path()));
    for (const std::string& key : machines_of_gallery()) found.push_back(starter_of(examples / (key + ".yaml")));
  }
  if (found.empty()) throw InputError(fmt::format("{}: no starter models; is Lithe installed whole?", folder.string()));
  std::sort(found.begin(), found.end(), [](const Starter& a, const Starter& b) { return a.name < b.name; });
  return found;
}

int print_starters(const std::vector<Starter>& known, bool json) {
  if (json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"verb", "new"}, {"starters", nlohmann::json::array()}};
    for (const Starter& each : known) answer["starters"].push_back({{"kind", each.name}, {"what", each.what}});
    print_json(answer);
    return fine;
  }
  Table table({"kind", "what"});
  for (const Starter& each : known) table.add({each.name, each.what});
  table.print();
  return fine;
}

const Starter& chosen_starter(const std::vector<Starter>& known, const std::string& kind) {
  std::vector<std::string> names;
  for (const Starter& each : known) {
    if (each.name == kind) return each;
    names.push_back(each.name);
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  throw InputError(fmt::format("no starter model '{}'{}; there are: {}", kind, did_you_mean(kind, names), all));
}

}  // namespace

std::vector<std::string> starter_names() {
  std::vector<std::string> names;
  for (const Starter& each : starters()) names.push_back(each.name);
  return names;
}

int new_model(const NewOptions& options) {
  const std::vector<Starter> known = starters();
  if (options.list || options.kind.empty()) return print_starters(known, options.json);
  const Starter& starter = chosen_starter(known, options.kind);
  std::error_code ignored;
  if (!options.force && std::filesystem::exists(options.output, ignored)) {
    throw InputError(fmt::format("{}: exists already; --force overwrites it", options.output));
  }
  // The comment of a starter speaks of model.yaml or of its place in the gallery; commands in the written file can be
  // pasted.
  std::string text = whole_text(starter.path);
  for (const std::string& placeholder : {std::string("model.yaml"), "examples/" + starter.name + ".yaml"})
    for (std::size_t at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + options.output.size()))
      text.replace(at, placeholder.size(), options.output);
  write_file(options.output, text);
  if (options.json) {
    const nlohmann::json answer = {
        {"ok", true}, {"exit", fine}, {"verb", "new"}, {"kind", starter.name}, {"path", options.output}};
    print_json(answer);
  } else {
    fmt::print("{}: {}\nnext: lithe check {}\n", bold(options.output), starter.what, options.output);
  }
  return fine;
}

}  // namespace lithe::cli
