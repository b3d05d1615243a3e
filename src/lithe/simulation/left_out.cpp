#include "lithe/simulation/left_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {
namespace {

constexpr double at_end = 1e-9;  ///< rad, m, rad/s or m/s

}  // namespace

std::string what_is_left_out(const Plan& plan, Workspace& work, const State& state, const std::vector<int>& locked) {
  std::string text;
  VectorX cut_q, cut_v;
  cut_coordinates(plan, work, state.q, cut_q);
  cut_speeds(plan, work, state, cut_v);
  const std::vector<Joint>& joints = plan.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    for (int k = 0; k < joints[j].facts().scalars(); ++k) {
      if (!place.cut && std::find(locked.begin(), locked.end(), place.v + k) != locked.end()) continue;
      const double q = place.cut ? cut_q[place.q + k] : state.q[place.q + k];
      const double v = place.cut ? cut_v[place.v + k] : state.v[place.v + k];
      const auto index = static_cast<std::size_t>(k);
      const JointStop stop = index < joints[j].stops.size() ? joints[j].stops[index] : JointStop{};
      const JointFriction friction = index < joints[j].friction.size() ? joints[j].friction[index] : JointFriction{};
      const bool at_stop = stop.stiffness == 0.0 && (q <= stop.lower + at_end || q >= stop.upper - at_end);
      const bool sticks = friction.acts() && friction.creep == 0.0 && std::abs(v) <= at_end;
      const std::string name = plan.speed_name((place.cut ? plan.nv() : 0) + place.v + k);
      if (at_stop) text += fmt::format("{}the stop on which joint '{}' rests", text.empty() ? "" : ", ", name);
      if (sticks) text += fmt::format("{}the dry friction that can hold joint '{}'", text.empty() ? "" : ", ", name);
    }
  }
  for (const auto& element : plan.mechanism().elements) {
    if (element->states().empty()) continue;
    const bool is_sum = element->kind() == "integral" || element->kind() == "path-integral";
    text += fmt::format("{}{} '{}'", text.empty() ? "" : ", ",
                        is_sum ? std::string("the integral part of the drive of")
                               : fmt::format("what changes inside {}", element->kind()),
                        element->name());
  }
  return text;
}

}  // namespace lithe::detail
