#include "model_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "lithe/io/load_model.hpp"
#include "lithe/io/load_study.hpp"
#include "model_file.hpp"
#include "remarks.hpp"

namespace lithe::cli {
namespace {

/// Of a file with values: blanks and what stands behind # do not count.
std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("--set @{0}: the file {0} cannot be read", path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
    if (line.starts_with('@'))
      throw InputError(fmt::format("{}: a file of values does not name others: {}", path, line));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::map<std::string, std::string> parse_sets(const std::vector<std::string>& sets) {
  std::map<std::string, std::string> values;
  for (const std::string& text : sets) {
    if (text.starts_with('@')) {
      for (auto& [name, value] : parse_sets(lines_of(text.substr(1)))) values[name] = value;
      continue;
    }
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw InputError(fmt::format("--set {}: expected name=value, e.g. --set g=0", text));
    }
    values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return values;
}

Model load(const ModelOptions& options, const RunOverrides& run) {
  require_model_file(options.path);
  try {
    const Model model = load_model(options.path, parse_sets(options.sets),
                                   {options.rigid, run.number("from"), run.number("until"), options.shape});
    tell(model.remarks);
    return model;
  } catch (const ModelError&) {
    if (!is_study_file(options.path)) throw;
    throw InputError(
        fmt::format("{0}: is a study, expected a model file; lithe check, sweep and optimize take it", options.path));
  }
}

}  // namespace lithe::cli
