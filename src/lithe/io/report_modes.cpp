#include "lithe/io/report_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/analysis/statics.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;
constexpr Eigen::Index most_modes = 12;

/// Motors and driven joints of the tree; nothing when one of them is cut and cannot be held.
std::optional<std::vector<int>> motors_of(const Model& model, const Plan& plan) {
  std::vector<int> motors = plan.actuated_speeds();
  for (const Drive& drive : model.drives) motors.push_back(speed_index(plan, drive.joint, drive.coordinate));
  std::sort(motors.begin(), motors.end());
  motors.erase(std::unique(motors.begin(), motors.end()), motors.end());
  if (!motors.empty() && motors.back() >= plan.nv()) return std::nullopt;
  return motors;
}

/// The plan of the motion with the damping of the whole mechanism; nothing when there is none.
std::optional<Plan> damped_plan(const Model& model) {
  if (!model.damping.is_given()) return std::nullopt;
  PlanOptions options = model.plan;
  options.damping = prepare(model).plan.options().damping;
  return Plan(model.mechanism, options);
}

}  // namespace

std::vector<float> twists_of(const Plan& plan, Workspace& work, const VectorX& q, const VectorX& speeds) {
  std::vector<float> twists;
  MatrixX jacobian;
  for (std::size_t link = 1; link < plan.mechanism().links.size(); ++link) {
    link_jacobian(plan, work, q, static_cast<int>(link), jacobian);
    const VectorX twist = jacobian * speeds;
    for (const double value : twist) twists.push_back(static_cast<float>(value));
  }
  return twists;
}

std::vector<float> elastic_part(const Plan& plan, const VectorX& speeds) {
  std::vector<float> values;
  for (const ElasticPlace& place : plan.elastic_places()) {
    for (int i = 0; i < place.count; ++i) values.push_back(static_cast<float>(speeds[place.v + i]));
  }
  return values;
}

Json modes_of(const Model& model, RecordedMotion& motion) {
  std::optional<Plan> damped;
  std::optional<Workspace> room;
  try {
    damped = damped_plan(model);
  } catch (const std::runtime_error&) {
    return Json::array();  // it does not even assemble
  }
  if (damped) room.emplace(*damped);
  const Plan& plan = damped ? *damped : motion.plan();
  Workspace& work = damped ? *room : motion.work();
  Json list = Json::array();
  const auto motors = motors_of(model, plan);
  if (!motors) return list;
  try {
    motion.poses(0);
    const State start{motion.start(), motion.coordinates(), VectorX::Zero(plan.nv()), {}};
    const Equilibrium rest = find_equilibrium(plan, work, start, Actions(plan), *motors);
    const NaturalModes modes = natural_modes(plan, work, rest.state.q, rest.linear);
    const VectorX ratios = damping_ratios(rest.linear, modes);
    for (Eigen::Index j = 0; j < std::min(modes.frequencies.size(), most_modes); ++j) {
      if (modes.frequencies[j] <= 0.0) continue;
      list.push_back({{"name", fmt::format("mechanism mode {}", list.size() + 1)},
                      {"frequency", modes.frequencies[j]},
                      {"damping", ratios[j]},
                      {"t", motion.start()},
                      {"twists", packed(twists_of(plan, work, rest.state.q, modes.speeds.col(j)))},
                      {"elastic", packed(elastic_part(plan, modes.speeds.col(j)))}});
    }
  } catch (const PhysicsError&) {
    return Json::array();  // no rest nearby: there is nothing to swing about
  }
  return list;
}

}  // namespace lithe::detail
