#include "reproduce/reproduction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "reproduce/bending.hpp"
#include "reproduce/case_error.hpp"
#include "reproduce/link_quantities.hpp"
#include "reproduce/rest_quantities.hpp"
#include "reproduce/run_quantities.hpp"
#include "reproduce/run_timing.hpp"
#include "reproduce/state_quantities.hpp"

namespace lithe::reproduce {
namespace {

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

MemoryRecord nominal_forces(Model model, double every, const std::atomic<bool>& stop) {
  model.run.every = every;
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record, {nullptr, &stop});
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  return record;
}

/// Samples the feed-forward forces and plays them back from tables.
void sample_torques(const SampledTorques& sampled, Model& model, const std::atomic<bool>& stop) {
  const MemoryRecord record = nominal_forces(model, sampled.every, stop);
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
  throw CaseError(fmt::format("\"coordinates\": \"{}\" is none of joint, cartesian", word));
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
      quantities.emplace(model, motion);
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

void reproduce_run(const CaseBlock& block, const std::atomic<bool>& stop, ReproducedBlock& answer) {
  Model model = model_of(block);
  model.record.coordinates = model.record.energy = true;
  MemoryRecord nominal;
  const bool wants_nominal = std::any_of(block.numbers.begin(), block.numbers.end(), [](const ExpectedNumber& each) {
    return each.quantity.starts_with("largest correction.");
  });
  if (wants_nominal) nominal = nominal_forces(model, model.run.every, stop);
  if (block.torques) sample_torques(*block.torques, model, stop);
  if (!block.coordinates.empty()) model.plan.coordinates = coordinates_named(block.coordinates);

  const auto run = block.task == "inverse" ? run_inverse : (block.task == "simulate" ? run_simulation : run_kinematics);
  MemoryRecord record;
  const RunOutcome outcome = run(model, record, {nullptr, &stop});
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  const RunQuantities quantities(model, record, outcome, wants_nominal ? &nominal : nullptr);
  for (const ExpectedNumber& expected : block.numbers) {
    answer.numbers.push_back({expected, quantities(expected.quantity, expected.t), false});
  }
}

void reproduce_rest(const CaseBlock& block, ReproducedBlock& answer) {
  const Model model = model_of(block);
  RestQuantities quantities(model);
  for (const ExpectedNumber& expected : block.numbers)
    answer.numbers.push_back({expected, quantities(expected.quantity), false});
}

void reproduce_time(const CaseBlock& block, const std::atomic<bool>& stop, ReproducedBlock& answer) {
  const Model model = model_of(block);
  std::optional<Model> other;
  if (!block.other_model.empty()) {
    other = load_model(block.other_model, block.other_sets);
    apply(block.run, other->run);
    apply(block.other_run, other->run);
  }
  const RunTiming timing = time_runs(model, other ? &*other : nullptr, block.runs, stop);
  for (const ExpectedNumber& expected : block.numbers)
    answer.numbers.push_back({expected, timing(expected.quantity), false});
}

}  // namespace

ReproducedBlock reproduce_block(const CaseBlock& block, const std::atomic<bool>& stop) {
  ReproducedBlock answer{&block, {}, {}};
  if (!block.skip.empty()) return answer;
  try {
    if (block.task == "states") {
      reproduce_states(block, answer);
    } else if (block.task == "kinematics" || block.task == "inverse" || block.task == "simulate") {
      reproduce_run(block, stop, answer);
    } else if (block.task == "rest") {
      reproduce_rest(block, answer);
    } else if (block.task == "time") {
      reproduce_time(block, stop, answer);
    } else if (block.task == "link") {
      reproduce_link(block, answer);
    } else {
      throw CaseError(
          fmt::format("\"do\": \"{}\" is none of states, kinematics, inverse, simulate, rest, time, link", block.task));
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

}  // namespace lithe::reproduce
