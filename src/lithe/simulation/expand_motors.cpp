#include "lithe/simulation/expand_motors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "lithe/mechanism/elastic_gear.hpp"
#include "lithe/mechanism/voltage_motor.hpp"

namespace lithe {
namespace {

[[noreturn]] void refuse(const std::string& joint, const std::string& why) {
  throw MechanismError(joint, fmt::format("motor of joint '{}': {}", joint, why));
}

/// The one actuated speed; validate() complains when there is none, or more.
int actuated_speed(const Joint& joint) {
  const auto found = std::find(joint.actuated.begin(), joint.actuated.end(), true);
  return found == joint.actuated.end() ? -1 : static_cast<int>(found - joint.actuated.begin());
}

/// Copies what is given of the joint's start for its rotor.
void start_alike(std::vector<InitialValue>& values, const std::string& joint, const std::string& rotor) {
  const auto is_of = [](const std::string& name) {
    return [&name](const InitialValue& value) { return value.joint == name; };
  };
  if (std::any_of(values.begin(), values.end(), is_of(rotor))) return;
  const auto found = std::find_if(values.begin(), values.end(), is_of(joint));
  if (found != values.end()) values.push_back({rotor, 0, found->value});
}

/// What is wanted of the joint, whose forces act on its rotor; nothing for drives that only give a force.
std::optional<Drive> wanted_behind(const Drive& drive) {
  Drive wanted;
  wanted.joint = drive.joint;
  wanted.follow = drive.follow;
  wanted.feed_forward = drive.feed_forward;
  wanted.controlled = drive.controlled || drive.is_led();  // a motion and no force
  wanted.behind_gear = true;
  if (!wanted.wants_motion() && !wanted.feed_forward && !wanted.controlled) return std::nullopt;
  return wanted;
}

/// The drives of a joint act on its rotor from now on.
void drive_rotor(Model& model, const std::string& joint, const std::string& rotor) {
  std::vector<Drive> behind;
  for (Drive& drive : model.drives) {
    if (drive.joint != joint) continue;
    if (auto wanted = wanted_behind(drive)) behind.push_back(std::move(*wanted));
    drive.joint = rotor;
  }
  model.drives.insert(model.drives.end(), behind.begin(), behind.end());
  const auto take_rotor = [&](auto& controllers) {
    for (auto& controller : controllers) std::replace(controller.drives.begin(), controller.drives.end(), joint, rotor);
  };
  take_rotor(model.controllers);
  take_rotor(model.sampled_controllers);
  take_rotor(model.continuous_controllers);
  start_alike(model.initial, joint, rotor);
  start_alike(model.initial_speeds, joint, rotor);
}

/// The rotor as a body on its carrier. What turns it is a coordinate on the joint side; it turns `ratio` times as far.
void add_spinning_rotor(Model& model, const SpinningRotor& spinning, CoordinateRef turned_by, double inertia,
                        double ratio) {
  Mechanism& mechanism = model.mechanism;
  const Joint driven = mechanism.joints[mechanism.find_joint(spinning.joint)];
  Joint bearing;
  bearing.name = spinning.joint + ".spin";
  bearing.type = JointType::revolute;
  bearing.axis = spinning.axis.value_or(driven.axis);
  bearing.from = spinning.carrier.value_or(driven.from);
  LinkData body;
  body.name = bearing.name;
  body.inertia = inertia * bearing.axis * bearing.axis.transpose();
  body.accepts_inertia = true;  // what it has across its axis belongs to the carrier
  bearing.to = {mechanism.add_link(std::move(body)), 0};
  if (!model.origins.empty()) model.origins.emplace_back();
  const std::string name = bearing.name;
  Coupling gear;
  gear.name = name;
  gear.terms = {{{static_cast<int>(mechanism.joints.size()), 0}, 1.0}, {turned_by, -ratio}};
  mechanism.add_joint(std::move(bearing));
  mechanism.couplings.push_back(std::move(gear));
}

const SpinningRotor* spinning_rotor_of(const Model& model, const std::string& joint) {
  const auto found = std::find_if(model.spinning_rotors.begin(), model.spinning_rotors.end(),
                                  [&](const SpinningRotor& each) { return each.joint == joint; });
  return found == model.spinning_rotors.end() ? nullptr : &*found;
}

void add_elastic_gear(Model& model, int index) {
  Mechanism& mechanism = model.mechanism;
  const SpinningRotor* spinning = spinning_rotor_of(model, mechanism.joints[index].name);
  const Motor given = *mechanism.joints[index].motor;
  Joint rotor;
  {
    Joint& joint = mechanism.joints[index];
    const Motor motor = *joint.motor;
    if (speed_count(joint.type) != 1) refuse(joint.name, "an elastic gear needs a revolute or prismatic joint");
    if (!(motor.rotor > 0.0)) refuse(joint.name, "an elastic gear needs the inertia of its rotor");
    rotor.name = joint.name + ".rotor";
    rotor.type = joint.type;
    rotor.axis = joint.axis;
    rotor.from = joint.from;
    rotor.actuated = {true};
    if (spinning == nullptr) rotor.armature = {motor.ratio * motor.ratio * motor.rotor};
    rotor.motor = motor;
    rotor.motor->stiffness = rotor.motor->damping = rotor.motor->backlash = 0.0;
    rotor.motor->efficiency = 1.0;  // the gear has the losses
    rotor.motor->rotor = 0.0;
    ElasticGear::Data gear;
    gear.joint = {index, 0};
    gear.rotor = {static_cast<int>(mechanism.joints.size()), 0};
    gear.stiffness = motor.stiffness;
    gear.damping = motor.damping;
    gear.backlash = motor.backlash;
    gear.efficiency = motor.efficiency;
    gear.ratio = motor.ratio;
    mechanism.elements.push_back(std::make_shared<ElasticGear>(joint.name, gear));
    joint.motor.reset();
    joint.actuated.clear();
  }
  LinkData body;
  body.name = rotor.name;
  rotor.to = {mechanism.add_link(std::move(body)), 0};
  if (!model.origins.empty()) model.origins.emplace_back();
  const std::string name = rotor.name, joint = mechanism.joints[index].name;
  mechanism.add_joint(std::move(rotor));
  drive_rotor(model, joint, name);
  if (spinning != nullptr)
    add_spinning_rotor(model, *spinning, {mechanism.find_joint(name), 0}, given.rotor, given.ratio);
}

void expand_motor(Model& model, int index) {
  Joint& joint = model.mechanism.joints[index];
  const int speed = actuated_speed(joint);
  if (speed < 0) return;
  const double rotor = joint.motor->rotor, ratio = joint.motor->ratio;
  const SpinningRotor* spinning = rotor > 0.0 ? spinning_rotor_of(model, joint.name) : nullptr;
  if (joint.motor->is_elastic()) return add_elastic_gear(model, index);
  if (spinning != nullptr) {
    joint.motor->rotor = 0.0;
    return add_spinning_rotor(model, *spinning, {index, speed}, rotor, ratio);
  }
  joint.armature.resize(speed_count(joint.type), 0.0);
  joint.armature[speed] += joint.motor->ratio * joint.motor->ratio * joint.motor->rotor;
  joint.motor->rotor = 0.0;  // it stands there now
}

void put_on_voltage(Model& model, const Drive& drive) {
  const int index = model.mechanism.find_joint(drive.joint);
  if (index < 0) throw MechanismError(drive.joint, fmt::format("there is no joint '{}'", drive.joint));
  const Joint& joint = model.mechanism.joints[index];
  const std::string name = joint.name.substr(0, joint.name.rfind(".rotor"));
  if (!joint.motor || !joint.motor->has_windings())
    refuse(name, "a voltage needs windings; give their resistance and constant");
  if (drive.wants_motion() || drive.feed_forward || drive.kp != 0.0 || drive.kd != 0.0 || drive.ki != 0.0 ||
      !drive.torque.empty() || drive.law)
    refuse(name, "on a law of voltage it follows no motion and gives no other torque");
  model.mechanism.elements.push_back(
      std::make_shared<VoltageMotor>(name, CoordinateRef{index, drive.coordinate}, *joint.motor, drive.voltage));
}

}  // namespace

void expand_motors(Model& model) {
  const int joints = static_cast<int>(model.mechanism.joints.size());
  for (int index = 0; index < joints; ++index)
    if (model.mechanism.joints[index].motor) expand_motor(model, index);
  for (const Drive& drive : model.drives)
    if (!drive.voltage.empty()) put_on_voltage(model, drive);
  std::erase_if(model.drives, [](const Drive& drive) { return !drive.voltage.empty(); });
}

}  // namespace lithe
