#include "support/equipped_joints.hpp"

#include "lithe/simulation/expand_motors.hpp"

namespace lithe::testing {
namespace {

Drive torque_drive(const std::string& joint, double amplitude) {
  Drive drive;
  drive.joint = joint;
  drive.torque = Law(ExpressionLaw{Expression::parse("a*sin(60*t + 1)", {{"a", amplitude}}, true)});
  return drive;
}

}  // namespace

void equip_joints(Model& model, const RandomMechanism& random, std::uint32_t seed, double duration) {
  const std::size_t count = model.mechanism.joints.size();
  for (std::size_t j = 0; j < count; ++j) {
    Joint& joint = model.mechanism.joints[j];
    if (joint.facts().speeds != 1) continue;
    const double start = random.joint_values[j][0];
    // Every other rotor is a body of its own, about an axis across that of the joint for a change.
    const auto may_spin = [&, variant = seed / 8] {
      if (variant % 2 == 0) return;
      SpinningRotor rotor{joint.name, {}, {}};
      if (variant % 4 == 1) rotor.axis = Vec3(joint.axis.unitOrthogonal());
      model.spinning_rotors.push_back(std::move(rotor));
    };
    const bool sums_up = seed / 8 % 3 == 0;
    switch (seed++ % 8) {
      case 0: {  // elastic gear with play
        Motor motor;
        motor.rotor = 1e-3;
        motor.ratio = -10;
        motor.efficiency = 0.8;
        motor.stiffness = 200;
        motor.damping = 0.5;
        motor.backlash = 1e-3;
        joint.motor = motor;
        joint.actuated = {true};
        may_spin();
        model.drives.push_back(torque_drive(joint.name, 3.0));
        break;
      }
      case 1: {  // windings on a voltage
        Motor motor;
        motor.rotor = 1e-4;
        motor.ratio = 20;
        motor.efficiency = 0.9;
        motor.windings = {1.5, 0.05, 2e-3, 24.0, 10.0};
        joint.motor = motor;
        joint.actuated = {true};
        Drive drive;
        drive.joint = joint.name;
        drive.voltage = Law(ExpressionLaw{Expression::parse("12*cos(50*t)", {}, true)});
        model.drives.push_back(drive);
        break;
      }
      case 2:  // dry friction
        joint.friction = {{0.3, 0.4, 0.1, 0.0, 0.0}};
        break;
      case 3:  // friction that creeps
        joint.friction = {{0.3, 0.4, 0.1, 0.0, 0.05}};
        break;
      case 4: {  // soft stops
        JointStop stop;
        stop.lower = start - 0.01;
        stop.upper = start + 0.01;
        stop.stiffness = 1e3;
        stop.damping = 2.0;
        joint.stops = {stop};
        break;
      }
      case 5: {  // hard stops
        JointStop stop;
        stop.lower = start - 0.01;
        stop.upper = start + 0.01;
        stop.restitution = 0.5;
        joint.stops = {stop};
        break;
      }
      case 6: {  // rigid gear with losses
        Motor motor;
        motor.rotor = 1e-4;
        motor.ratio = 5;
        motor.efficiency = 0.7;
        joint.motor = motor;
        joint.actuated = {true};
        may_spin();
        Drive drive = torque_drive(joint.name, 2.0);
        if (sums_up) {
          drive.follow = Law(ConstantLaw{start});
          model.initial_speeds.clear();  // the law starts at rest
          drive.kp = 20.0;
          drive.kd = 1.0;
          drive.ki = 500.0;
        }
        model.drives.push_back(drive);
        break;
      }
      default: {  // a brake that closes and opens
        Event close, open;
        close.name = "close " + joint.name;
        close.time = 0.4 * duration;
        close.actions.push_back({EventAction::Kind::lock, joint.name, 0, {}, false, {}});
        open.name = "open " + joint.name;
        open.time = 0.7 * duration;
        open.actions.push_back({EventAction::Kind::release, joint.name, 0, {}, false, {}});
        model.events.push_back(close);
        model.events.push_back(open);
      }
    }
  }
  expand_motors(model);
}

}  // namespace lithe::testing
