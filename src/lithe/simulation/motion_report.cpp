#include "lithe/simulation/motion_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace lithe::detail {
namespace {

std::string amount(double value, bool slides) {
  return slides ? fmt::format("{:.6g} m", value) : fmt::format("{:.6g} deg", value * 180.0 / std::numbers::pi);
}

}  // namespace

MotionReport::MotionReport(const Model& model, const Plan& plan) : has_paths_(!model.paths.empty()) {
  const std::vector<Joint>& joints = plan.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    const JointPlace& place = plan.places()[j];
    for (int k = 0; k < joint.facts().scalars(); ++k) {
      const auto index = static_cast<std::size_t>(k);
      const bool is_motor = index < joint.actuated.size() && joint.actuated[index];
      const JointStop stop = index < joint.stops.size() ? joint.stops[index] : JointStop{};
      if (!stop.is_given() && !(is_motor && has_paths_)) continue;
      watched_.push_back({plan.speed_name((place.cut ? plan.nv() : 0) + place.v + k), place.q + k, place.cut, is_motor,
                          joint.facts().is_distance(k), stop});
      uses_cut_ = uses_cut_ || place.cut;
    }
  }
}

void MotionReport::look(DrivenMotion& motion) {
  const State& state = motion.state();
  if (uses_cut_) cut_coordinates(motion.plan(), motion.work(), state.q, cut_q_);
  for (Watched& each : watched_) {
    const double value = (each.cut ? cut_q_ : state.q)[each.position];
    each.least = std::min(each.least, value);
    each.most = std::max(each.most, value);
    const double beyond = std::max(each.stop.lower - value, value - each.stop.upper);
    if (beyond > each.beyond) each.beyond = beyond, each.value = value, each.t = state.t;
  }
  if (!has_paths_) return;
  if (const double condition = motion.path_condition(); condition > worst_condition_) {
    worst_condition_ = condition;
    worst_time_ = state.t;
  }
}

void MotionReport::judge(Audit& audit) const {
  std::string ranges;
  for (const Watched& each : watched_) {
    if (each.is_motor && has_paths_ && each.least <= each.most)
      ranges += fmt::format("{}'{}' from {} to {}", ranges.empty() ? "" : ", ", each.name,
                            amount(each.least, each.slides), amount(each.most, each.slides));
    if (!(each.beyond > 0.0)) continue;
    const bool below = each.value < each.stop.lower;
    audit.warnings.push_back(fmt::format("joint '{}' goes beyond its stop: {} at t = {:.6g} s, {} is {}", each.name,
                                         amount(each.value, each.slides), each.t, below ? "lower" : "upper",
                                         amount(below ? each.stop.lower : each.stop.upper, each.slides)));
  }
  if (!has_paths_) return;
  if (!ranges.empty()) audit.notes.push_back("motors along the path: " + ranges);
  if (worst_condition_ > 0.0)
    audit.notes.push_back(fmt::format(
        "nearest to a singular pose at t = {:.6g} s: condition number {:.4g} between the path and the motors",
        worst_time_, worst_condition_));
}

}  // namespace lithe::detail
