// lithe reproduce: published numbers beside ours.

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "completion.hpp"
#include "data_folder.hpp"
#include "interrupt.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "reproduce/reproduction.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

using reproduce::CaseBlock;
using reproduce::CaseFile;
using reproduce::ExpectedNumber;
using reproduce::Headline;
using reproduce::list_cases;
using reproduce::Reproduced;
using reproduce::ReproducedBlock;
using reproduce::Verdict;

/// Per claim: numbers that agree, and all.
using ClaimCounts = std::map<std::string, std::pair<std::size_t, std::size_t>>;

std::string tolerance_text(const ExpectedNumber& expected) {
  switch (expected.rule) {
    case Verdict::within_tolerance:
      return "+-" + number(expected.tolerance, 2);
    case Verdict::within_factor:
      return "factor " + number(expected.tolerance, 3);
    case Verdict::at_most:
      return expected.tolerance == 1.0 ? "at most" : "at most x" + number(expected.tolerance, 3);
    case Verdict::at_least:
      return expected.tolerance == 1.0 ? "at least" : "at least /" + number(expected.tolerance, 3);
  }
  return "";
}

void print(const ReproducedBlock& answer, bool failures_only) {
  const CaseBlock& block = *answer.block;
  if (failures_only && answer.passed()) return;
  heading(fmt::format("{}  {}", block.section, block.title));
  fmt::print("  {}\n", dim(fmt::format("{}{} of {}, {}{}", block.task, block.link.empty() ? "" : " " + block.link,
                                       std::filesystem::path(block.model).filename().string(), block.origin,
                                       block.note.empty() ? "" : "; " + block.note)));
  if (!block.skip.empty()) fmt::print("  {}\n", dim("not compared: " + block.skip));
  if (!answer.failure.empty()) fmt::print("  {}\n", bad("FAIL: " + answer.failure));
  Table table({"quantity", "t (s)", "expected", "ours", "difference", "tolerance", ""}, "lrrrrrl");
  for (const Reproduced& each : answer.numbers) {
    if (failures_only && each.passed) continue;
    table.add({each.expected.quantity, each.expected.t ? number(*each.expected.t, 5) : "",
               number(each.expected.value, 12), number(each.ours, 12), number(each.ours - each.expected.value, 2),
               tolerance_text(each.expected), each.passed ? good("pass") : bad("FAIL")});
  }
  if (!table.empty()) table.print();
}

nlohmann::json to_json(const ReproducedBlock& answer) {
  const CaseBlock& block = *answer.block;
  nlohmann::json json = {{"section", block.section}, {"title", block.title}, {"origin", block.origin},
                         {"task", block.task},       {"note", block.note},   {"passed", answer.passed()}};
  json["model"] = std::filesystem::path(block.model).filename().string();
  if (!block.skip.empty()) json["skipped"] = block.skip;
  if (!answer.failure.empty()) json["failure"] = answer.failure;
  json["numbers"] = nlohmann::json::array();
  for (const Reproduced& each : answer.numbers) {
    nlohmann::json number_json = {
        {"quantity", each.expected.quantity},   {"expected", each.expected.value},       {"ours", each.ours},
        {"tolerance", each.expected.tolerance}, {"rule", tolerance_text(each.expected)}, {"passed", each.passed}};
    if (each.expected.t) number_json["t"] = *each.expected.t;
    json["numbers"].push_back(number_json);
  }
  return json;
}

/// The main claims of the source, with our verdict and how the numbers that bear on them came out.
void print_headlines(const CaseFile& file, const ClaimCounts& counts) {
  if (file.headlines.empty()) return;
  heading("claims of the source");
  for (const Headline& claim : file.headlines) {
    const auto found = counts.find(claim.id);
    const auto [agreeing, all] = found == counts.end() ? std::pair<std::size_t, std::size_t>{} : found->second;
    const std::string numbers = fmt::format("{} of {} numbers agree", agreeing, all);
    fmt::print("  {}  {}\n      {} ({})\n", bold(claim.id), claim.claim, claim.verdict,
               agreeing == all ? good(numbers) : bad(numbers));
  }
}

nlohmann::json headlines_json(const CaseFile& file, const ClaimCounts& counts) {
  nlohmann::json answer = nlohmann::json::array();
  for (const Headline& claim : file.headlines) {
    const auto found = counts.find(claim.id);
    const auto [agreeing, all] = found == counts.end() ? std::pair<std::size_t, std::size_t>{} : found->second;
    answer.push_back(
        {{"id", claim.id}, {"claim", claim.claim}, {"verdict", claim.verdict}, {"passed", agreeing}, {"total", all}});
  }
  return answer;
}

std::string reference_folder() { return (std::filesystem::path(examples_folder()) / "reference").string(); }

int print_list(const std::string& folder, bool json) {
  const auto cases = list_cases(folder);
  if (json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"cases", nlohmann::json::array()}};
    for (const auto& [name, title] : cases) answer["cases"].push_back({{"name", name}, {"title", title}});
    print_json(answer);
    return fine;
  }
  Table table({"case", "what"});
  for (const auto& [name, title] : cases) table.add({name, title});
  table.print();
  return fine;
}

}  // namespace

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& [name, title] : list_cases(reference_folder())) names.push_back(name);
  return names;
}

int reproduce(const ReproduceOptions& options) {
  namespace fs = std::filesystem;
  const std::string folder = reference_folder();
  if (options.name.empty()) return print_list(folder, options.json);
  std::string path = options.name;
  if (!fs::exists(path) || fs::is_directory(path)) path = (fs::path(folder) / (options.name + ".json")).string();
  if (!fs::exists(path)) {
    std::string names;
    for (const auto& [name, title] : list_cases(folder)) names += (names.empty() ? "" : ", ") + name;
    throw InputError(fmt::format("no case '{}'; there are: {}", options.name, names));
  }

  const CaseFile file = reproduce::read_case_file(path);
  if (!options.json) fmt::print("{}\n{}\n", bold(file.title), dim(file.source));
  ProgressBar bar("reproduce " + options.name);
  std::size_t total = 0, passed = 0, failed_blocks = 0;
  ClaimCounts by_headline;
  nlohmann::json blocks = nlohmann::json::array();
  for (std::size_t k = 0; k < file.blocks.size() && !stop_requested(); ++k) {
    bar.show(static_cast<double>(k) / static_cast<double>(file.blocks.size()));
    const ReproducedBlock answer = reproduce::reproduce_block(file.blocks[k], stop_requested());
    if (file.blocks[k].skip.empty()) total += file.blocks[k].numbers.size();
    const auto agreeing = static_cast<std::size_t>(std::count_if(answer.numbers.begin(), answer.numbers.end(),
                                                                 [](const Reproduced& each) { return each.passed; }));
    passed += agreeing;
    auto& [agree, all] = by_headline[file.blocks[k].headline];
    agree += agreeing;
    if (file.blocks[k].skip.empty()) all += file.blocks[k].numbers.size();
    failed_blocks += !answer.passed();
    options.json ? blocks.push_back(to_json(answer)) : print(answer, options.failures_only);
  }
  if (stop_requested()) throw PhysicsError("interrupted before all numbers were compared");

  const int code = failed_blocks == 0 ? fine : physics_failed;
  if (options.json) {
    const nlohmann::json answer = {{"ok", code == fine},  {"exit", code},
                                   {"verb", "reproduce"}, {"title", file.title},
                                   {"total", total},      {"passed", passed},
                                   {"blocks", blocks},    {"headlines", headlines_json(file, by_headline)}};
    print_json(answer);
  } else {
    print_headlines(file, by_headline);
    const std::string verdict = fmt::format("{} of {} numbers agree", passed, total);
    fmt::print("\n{}\n", code == fine ? good(verdict) : bad(verdict));
  }
  if (code != fine) complain(fmt::format("{} of {} numbers do not agree", total - passed, total));
  return code;
}

}  // namespace lithe::cli
