#include "lithe/simulation/motor_set.hpp"

#include <algorithm>

#include "lithe/mechanism/elastic_gear.hpp"

namespace lithe::detail {
namespace {

int speed_of(const Plan& plan, CoordinateRef ref) {
  const JointPlace& place = plan.places()[ref.joint];
  return (place.cut ? plan.nv() : 0) + place.v + ref.coordinate;
}

const ElasticGear* gear_of_rotor(const Plan& plan, int joint) {
  for (const auto& element : plan.mechanism().elements) {
    const auto* gear = dynamic_cast<const ElasticGear*>(element.get());
    if (gear != nullptr && gear->data().rotor.joint == joint) return gear;
  }
  return nullptr;
}

bool is_on_voltage(const Plan& plan, int joint) {
  return std::any_of(plan.mechanism().elements.begin(), plan.mechanism().elements.end(), [&](const auto& element) {
    return element->kind() == "motor" && element->coordinates()[0].joint == joint;
  });
}

}  // namespace

std::vector<GearPair> gear_pairs(const Plan& plan) {
  std::vector<GearPair> pairs;
  for (const auto& element : plan.mechanism().elements)
    if (const auto* gear = dynamic_cast<const ElasticGear*>(element.get()))
      pairs.push_back({speed_of(plan, gear->data().joint), speed_of(plan, gear->data().rotor)});
  return pairs;
}

std::string driven_joint(const std::string& joint) {
  constexpr std::string_view ending = ".rotor";
  return joint.ends_with(ending) ? joint.substr(0, joint.size() - ending.size()) : joint;
}

MotorSet::MotorSet(const Plan& plan, bool rigid_gears) : nv_(plan.nv()) {
  const std::vector<Joint>& joints = plan.mechanism().joints;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const Joint& joint = joints[j];
    if (!joint.motor || is_on_voltage(plan, j)) continue;
    const auto actuated = std::find(joint.actuated.begin(), joint.actuated.end(), true);
    const int coordinate = static_cast<int>(actuated - joint.actuated.begin());
    Entry entry{driven_joint(joint.name), *joint.motor, speed_of(plan, {j, coordinate})};
    if (const ElasticGear* gear = gear_of_rotor(plan, j); gear != nullptr && rigid_gears)
      entry.motor.efficiency = gear->data().efficiency;
    uses_cut_speeds_ = uses_cut_speeds_ || entry.speed >= nv_;
    entries_.push_back(std::move(entry));
  }
}

void MotorSet::limit(const State& state, const VectorX& cut_v, const std::vector<int>& except, VectorX& tau) const {
  for (const Entry& entry : entries_) {
    if (std::find(except.begin(), except.end(), entry.speed) != except.end()) continue;
    const double speed = entry.speed < nv_ ? state.v[entry.speed] : cut_v[entry.speed - nv_];
    tau[entry.speed] = joint_force(entry.motor, tau[entry.speed], speed);
  }
}

double MotorSet::asked_for(int speed, double force, double joint_speed) const {
  for (const Entry& entry : entries_)
    if (entry.speed == speed) return force / gear_share(entry.motor.efficiency, entry.motor.ratio, force, joint_speed);
  return force;
}

}  // namespace lithe::detail
