// lithe reproduce: published numbers beside ours.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bending.hpp"
#include "case_file.hpp"
#include "completion.hpp"
#include "data_folder.hpp"
#include "interrupt.hpp"
#include "link_quantities.hpp"
#include "lithe/io/load_model.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "run_quantities.hpp"
#include "state_quantities.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// Per claim: numbers that agree, and all.
using ClaimCounts = std::map<std::string, std::pair<std::size_t, std::size_t>>;

struct Reproduced {
  ExpectedNumber expected;
  double ours = 0.0;
  bool passed = false;
};

struct ReproducedBlock {
  const CaseBlock* block = nullptr;
  std::string failure;  ///< when the block could not be run at all
  std::vector<Reproduced> numbers;
  bool passed() const {
    return failure.empty() && std::all_of(numbers.begin(), numbers.end(), [](const auto& each) { return each.passed; });
  }
};

/// Angles are compared modulo a full turn: the sources count turns, rotation vectors do not.
double nearest_turn(const ExpectedNumber& expected, double ours) {
  const std::string& name = expected.quantity;
  const bool is_angle = name.starts_with("q.") || name.starts_with("rot.") || name.find(".rot.") != std::string::npos;
  if (!is_angle) return ours;
  const double turn = 2 * std::numbers::pi;
  return ours + turn * std::round((expected.value - ours) / turn);
}

bool judge(const ExpectedNumber& expected, double ours) {
  switch (expected.rule) {
    case Verdict::within_tolerance:
      return std::abs(ours - expected.value) <= expected.tolerance;
    case Verdict::at_most:
      return std::abs(ours) <= std::abs(expected.value) * expected.tolerance;
    case Verdict::at_least:
      return std::abs(ours) >= std::abs(expected.value) / expected.tolerance;
    case Verdict::within_factor: {
      const double ratio = ours / expected.value;
      return ratio >= 1.0 / expected.tolerance && ratio <= expected.tolerance;
    }
  }
  return false;
}

Model model_of(const CaseBlock& block) {
  Model model = load_model(block.model, block.sets);
  apply(block.run, model.run);
  if (block.without_drives) {
    model.drives.clear();
  }
  return model;
}

MemoryRecord nominal_forces(Model model, double every) {
  model.run.every = every;
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record, {nullptr, &stop_requested()});
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  return record;
}

/// Samples the feed-forward forces and plays them back from tables.
void sample_torques(const SampledTorques& sampled, Model& model) {
  const MemoryRecord record = nominal_forces(model, sampled.every);
  const TableLaw::Interpolation interpolation = sampled.interpolation == "hold"     ? TableLaw::Interpolation::hold
                                                : sampled.interpolation == "linear" ? TableLaw::Interpolation::linear
                                                                                    : TableLaw::Interpolation::cubic;
  for (Drive& drive : model.drives) {
    if (!drive.feed_forward) continue;
    drive.feed_forward = false;
    drive.torque.add(make_table(record.column("t"), record.column("tau." + drive.joint), interpolation));
  }
  // What the motors were to make is in the tables now.
  std::erase_if(model.drives, [](const Drive& drive) {
    return !drive.prescribed && drive.torque.empty() && drive.kp == 0 && drive.kd == 0;
  });
}

Coordinates coordinates_named(const std::string& word) {
  if (word == "joint") return Coordinates::joint;
  if (word == "cartesian") return Coordinates::cartesian;
  throw InputError(fmt::format("\"coordinates\": \"{}\" is none of joint, cartesian", word));
}

void reproduce_states(const CaseBlock& block, ReproducedBlock& answer) {
  const Model model = model_of(block);
  DrivenMotion motion(model);
  if (!block.bend.empty()) motion.bend(bend_links(motion.plan().mechanism(), block.bend));
  double present = std::nan("");
  std::optional<StateQuantities> quantities;
  for (const ExpectedNumber& expected : block.numbers) {
    const double t = expected.t.value_or(model.run.from);
    if (!(t == present)) {
      motion.go_to(t);
      quantities.emplace(motion, model.run.from);
      present = t;
    }
    answer.numbers.push_back({expected, (*quantities)(expected.quantity), false});
  }
}

void reproduce_link(const CaseBlock& block, ReproducedBlock& answer) {
  const Model model = model_of(block);
  const LinkQuantities quantities(model, block.link);
  // Per mode: the largest expected number that changes sign with it, and ours.
  std::map<int, std::pair<double, double>> signs;
  for (const ExpectedNumber& expected : block.numbers) {
    answer.numbers.push_back({expected, quantities(expected.quantity), false});
    const std::optional<int> mode = mode_that_signs(expected.quantity);
    if (mode && std::abs(expected.value) >= std::abs(signs[*mode].first))
      signs[*mode] = {expected.value, answer.numbers.back().ours};
  }
  for (Reproduced& each : answer.numbers) {
    const std::optional<int> mode = mode_that_signs(each.expected.quantity);
    if (mode && signs[*mode].first * signs[*mode].second < 0) each.ours = -each.ours;
  }
}

void reproduce_run(const CaseBlock& block, ReproducedBlock& answer) {
  Model model = model_of(block);
  model.record.coordinates = model.record.energy = true;
  MemoryRecord nominal;
  const bool wants_nominal = std::any_of(block.numbers.begin(), block.numbers.end(), [](const ExpectedNumber& each) {
    return each.quantity.starts_with("largest correction.");
  });
  if (wants_nominal) nominal = nominal_forces(model, model.run.every);
  if (block.torques) sample_torques(*block.torques, model);
  if (!block.coordinates.empty()) model.plan.coordinates = coordinates_named(block.coordinates);

  const auto run = block.task == "inverse" ? run_inverse : (block.task == "simulate" ? run_simulation : run_kinematics);
  MemoryRecord record;
  const RunOutcome outcome = run(model, record, {nullptr, &stop_requested()});
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  const RunQuantities quantities(model, record, outcome, wants_nominal ? &nominal : nullptr);
  for (const ExpectedNumber& expected : block.numbers) {
    answer.numbers.push_back({expected, quantities(expected.quantity, expected.t), false});
  }
}

ReproducedBlock reproduce_block(const CaseBlock& block) {
  ReproducedBlock answer{&block, {}, {}};
  if (!block.skip.empty()) return answer;
  try {
    if (block.task == "states") {
      reproduce_states(block, answer);
    } else if (block.task == "kinematics" || block.task == "inverse" || block.task == "simulate") {
      reproduce_run(block, answer);
    } else if (block.task == "link") {
      reproduce_link(block, answer);
    } else {
      throw InputError(
          fmt::format("\"do\": \"{}\" is none of states, kinematics, inverse, simulate, link", block.task));
    }
  } catch (const PhysicsError& error) {
    answer.failure = error.what();
  }
  for (Reproduced& each : answer.numbers) {
    each.ours = nearest_turn(each.expected, each.ours);
    each.passed = judge(each.expected, each.ours);
  }
  return answer;
}

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

  const CaseFile file = read_case_file(path);
  if (!options.json) fmt::print("{}\n{}\n", bold(file.title), dim(file.source));
  ProgressBar bar("reproduce " + options.name);
  std::size_t total = 0, passed = 0, failed_blocks = 0;
  ClaimCounts by_headline;
  nlohmann::json blocks = nlohmann::json::array();
  for (std::size_t k = 0; k < file.blocks.size() && !stop_requested(); ++k) {
    bar.show(static_cast<double>(k) / static_cast<double>(file.blocks.size()));
    const ReproducedBlock answer = reproduce_block(file.blocks[k]);
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
