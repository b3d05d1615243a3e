#include "reproduce/case_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "lithe/simulation/run_entries.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

using json = nlohmann::ordered_json;  // numbers are shown in the order of the file

json parse(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw CaseError(fmt::format("{}: cannot be read", path));
  try {
    return detail::ordered_json_of(std::string(std::istreambuf_iterator(file), {}));
  } catch (const json::exception& error) {
    throw CaseError(fmt::format("{}: {}", path, error.what()));
  }
}

void read_run(const json& from, RunOverrides& run) {
  for (const RunNumber& number : run_numbers())
    if (const std::string name(number.name); from.contains(name)) run.numbers[name] = from.at(name).get<double>();
  for (const RunChoice& choice : run_choices())
    if (const std::string name(choice.name); from.contains(name)) run.choices[name] = from.at(name).get<std::string>();
}

/// `units` of the last of so many significant digits of `value`.
double printed_tolerance(double value, int digits, double units) {
  if (value == 0.0) return 0.0;
  return units * std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
}

std::string with_word(std::string pattern, const std::string& word) {
  const std::size_t at = pattern.find("{}");
  return at == std::string::npos ? pattern : pattern.replace(at, 2, word);
}

CaseBlock read_block(const json& from, const std::filesystem::path& models) {
  CaseBlock block;
  block.section = from.value("section", "");
  block.title = from.value("title", "");
  block.note = from.value("note", "");
  block.skip = from.value("skip", "");
  block.origin = from.value("origin", "recomputed");
  block.model = (models / from.at("model").get<std::string>()).string();
  block.task = from.at("do").get<std::string>();
  block.link = from.value("link", "");
  block.sets = from.value("set", std::map<std::string, std::string>{});
  if (from.contains("run")) read_run(from.at("run"), block.run);
  block.headline = from.value("headline", "");
  block.coordinates = from.value("coordinates", "");
  block.bend = from.value("bend", block.bend);
  block.runs = from.value("runs", block.runs);
  if (from.contains("other")) {
    const json& other = from.at("other");
    block.other_model = (models / other.at("model").get<std::string>()).string();
    block.other_sets = other.value("set", block.other_sets);
    if (other.contains("run")) read_run(other.at("run"), block.other_run);
  }
  block.without_drives = from.value("drives", "") == "none";
  if (from.contains("torques")) {
    block.torques = SampledTorques{from.at("torques").at("sample"), from.at("torques").at("interpolation")};
  }

  const bool is_bound = from.value("at-most", false) || from.value("at-least", false);
  const bool by_factor = from.contains("factor");
  const Verdict rule = from.value("at-most", false)    ? Verdict::at_most
                       : from.value("at-least", false) ? Verdict::at_least
                       : by_factor                     ? Verdict::within_factor
                                                       : Verdict::within_tolerance;
  const double tolerance = by_factor || is_bound ? from.value("factor", 1.0) : from.value("tolerance", 1e-8);
  const auto add = [&](const std::string& quantity, std::optional<double> t, const json& value) {
    if (value.is_null()) return;  // a gap in a table
    const bool is_pair = value.is_array();
    const double expected = is_pair ? value.at(0).get<double>() : value.get<double>();
    const double limit = is_pair ? value.at(1).get<double>()
                         : from.contains("digits")
                             ? printed_tolerance(expected, from.at("digits"), from.value("units", 0.5))
                             : tolerance;
    block.numbers.push_back({quantity, t, expected, limit, rule});
  };
  if (from.contains("for")) {
    const json& words = from.at("for");
    for (std::size_t k = 0; k < words.size(); ++k) {
      for (const auto& [pattern, values] : from.at("columns").items()) {
        add(with_word(pattern, words.at(k).get<std::string>()), std::nullopt, values.at(k));
      }
    }
  } else if (from.contains("columns")) {
    const json& instants = from.at("instants");
    for (std::size_t k = 0; k < instants.size(); ++k) {
      for (const auto& [quantity, values] : from.at("columns").items()) {
        add(quantity, instants.at(k).get<double>(), values.at(k));
      }
    }
  }
  if (from.contains("values")) {
    const std::optional<double> t = from.contains("at") ? std::optional(from.at("at").get<double>()) : std::nullopt;
    for (const auto& [quantity, value] : from.at("values").items()) add(quantity, t, value);
  }
  return block;
}

}  // namespace

CaseFile read_case_file(const std::string& path) {
  namespace fs = std::filesystem;
  const json from = parse(path);
  try {
    CaseFile file{path, from.value("title", ""), from.value("source", ""), {}, {}};
    for (const json& claim : from.value("headlines", json::array()))
      file.headlines.push_back({claim.at("id"), claim.at("claim"), claim.at("verdict")});
    for (const json& block : from.at("blocks")) {
      file.blocks.push_back(read_block(block, fs::path(path).parent_path().parent_path()));
    }
    return file;
  } catch (const json::exception& error) {
    throw CaseError(fmt::format("{}: {}", path, error.what()));
  }
}

std::vector<std::pair<std::string, std::string>> list_cases(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, std::string>> cases;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    cases.emplace_back(entry.path().stem().string(), parse(entry.path().string()).value("title", ""));
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

}  // namespace lithe::reproduce
