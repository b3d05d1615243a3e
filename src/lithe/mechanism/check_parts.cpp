#include "lithe/mechanism/check_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe::detail {
namespace {

/// Why a coordinate cannot be used by itself; empty when it can.
std::string fault_of(const Mechanism& mechanism, CoordinateRef ref) {
  if (ref.joint < 0 || ref.joint >= static_cast<int>(mechanism.joints.size()))
    return "refers to a joint that does not exist";
  const Joint& joint = mechanism.joints[ref.joint];
  if (ref.coordinate >= 0 && ref.coordinate < joint.facts().scalars()) return {};
  if (joint.facts().scalars() == 0)
    return fmt::format("refers to joint '{}', which has no single coordinate", joint.name);
  return fmt::format("refers to coordinate {} of joint '{}', which has {}", ref.coordinate, joint.name,
                     joint.facts().scalars());
}

void check_motor(const Joint& joint) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(joint.name, fmt::format("motor of joint '{}': {}", joint.name, message));
  };
  const Motor& motor = *joint.motor;
  if (std::count(joint.actuated.begin(), joint.actuated.end(), true) != 1)
    fail("the joint must have exactly one actuated coordinate");
  if (!(motor.rotor >= 0.0) || !std::isfinite(motor.rotor)) fail("the inertia of the rotor is negative");
  if (motor.ratio == 0.0 || !std::isfinite(motor.ratio)) fail("the gear ratio must not be zero");
  if (!(motor.efficiency > 0.0 && motor.efficiency <= 1.0)) fail("the efficiency lies between 0 and 1");
  if (!(motor.stiffness >= 0.0 && motor.damping >= 0.0 && motor.backlash >= 0.0))
    fail("stiffness, damping and backlash of the gear must not be negative");
  if (!motor.is_elastic() && (motor.damping > 0.0 || motor.backlash > 0.0))
    fail("damping and backlash belong to an elastic gear; give its stiffness");
  if (!(motor.torque > 0.0)) fail("the largest torque must be positive");
  for (std::size_t i = 0; i < motor.curve.size(); ++i) {
    if (!(motor.curve[i].torque >= 0.0) || !(motor.curve[i].speed >= 0.0))
      fail("speeds and torques of the curve must not be negative");
    if (i > 0 && !(motor.curve[i].speed > motor.curve[i - 1].speed)) fail("the speeds of the curve must rise");
  }
  const Windings& windings = motor.windings;
  if (!motor.has_windings()) return;
  if (!(windings.resistance > 0.0) || !(windings.constant > 0.0) || !(windings.inductance >= 0.0))
    fail("resistance and constant must be positive and the inductance not negative");
  if (!(windings.voltage > 0.0) || !(windings.current > 0.0)) fail("the largest voltage and current must be positive");
}

}  // namespace

void check_frame(const Mechanism& mechanism, FrameRef frame, const std::string& element) {
  const int links = static_cast<int>(mechanism.links.size());
  if (frame.link < 0 || frame.link >= links || frame.frame < 0 ||
      frame.frame >= static_cast<int>(mechanism.links[frame.link].frames.size()))
    throw MechanismError(element, fmt::format("'{}' refers to a frame that does not exist", element));
}

void check_joint_parts(const Joint& joint) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(joint.name, fmt::format("joint '{}': {}", joint.name, message));
  };
  for (std::size_t k = 0; k < joint.armature.size(); ++k) {
    const double inertia = joint.armature[k];
    if (!(inertia >= 0.0) || !std::isfinite(inertia)) fail(fmt::format("the armature {} is negative", inertia));
    if (inertia > 0.0 && static_cast<int>(k) >= joint.facts().scalars())
      fail("a rotation in space has no armature; give its link the inertia");
  }
  for (const JointFriction& friction : joint.friction) {
    if (!(friction.coulomb >= 0.0 && friction.load >= 0.0 && friction.stribeck >= 0.0 && friction.creep >= 0.0))
      fail("the numbers of its friction must not be negative");
    if (!(friction.breakaway >= friction.coulomb))
      fail(
          fmt::format("friction at rest ({}) is less than while it slides ({})", friction.breakaway, friction.coulomb));
  }
  for (const JointStop& stop : joint.stops) {
    if (!(stop.lower < stop.upper))
      fail(fmt::format("its stops leave no room: {} is not below {}", stop.lower, stop.upper));
    if (!(stop.stiffness >= 0.0 && stop.damping >= 0.0))
      fail("stiffness and damping of its stops must not be negative");
    if (!(stop.restitution >= 0.0 && stop.restitution <= 1.0)) fail("the restitution lies between 0 and 1");
  }
  if (joint.motor) check_motor(joint);
}

void check_coupling(const Mechanism& mechanism, const Coupling& coupling) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(coupling.name, fmt::format("coupling '{}' {}", coupling.name, message));
  };
  if (coupling.terms.empty()) fail("ties nothing together");
  if (!std::isfinite(coupling.offset)) fail("has an offset that is not finite");
  for (std::size_t i = 0; i < coupling.terms.size(); ++i) {
    const Coupling::Term& term = coupling.terms[i];
    if (const std::string fault = fault_of(mechanism, term.coordinate); !fault.empty()) fail(fault);
    if (term.factor == 0.0 || !std::isfinite(term.factor)) fail("has a factor that is zero or not finite");
    for (std::size_t k = 0; k < i; ++k)
      if (coupling.terms[k].coordinate == term.coordinate)
        fail(fmt::format("names joint '{}' twice", mechanism.joints[term.coordinate.joint].name));
  }
}

void check_element(const Mechanism& mechanism, const Element& element) {
  for (const FrameRef& frame : element.frames()) check_frame(mechanism, frame, element.name());
  for (const CoordinateRef& ref : element.coordinates())
    if (const std::string fault = fault_of(mechanism, ref); !fault.empty())
      throw MechanismError(element.name(), fmt::format("{} '{}' {}", element.kind(), element.name(), fault));
  element.check(mechanism);
}

}  // namespace lithe::detail
