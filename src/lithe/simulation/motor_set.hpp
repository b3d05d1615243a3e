#pragma once
// The motors of a mechanism that take what drives ask for: their limits and losses, and what they do at an instant.
// Motors on a law of voltage are elements and not among them.

#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"
#include "lithe/mechanism/motor_law.hpp"
#include "lithe/mechanism/plan.hpp"

namespace lithe::detail {

/// Joint and rotor of an elastic gear among [v; cut speeds].
struct GearPair {
  int joint = 0, rotor = 0;
};
std::vector<GearPair> gear_pairs(const Plan& plan);

/// Name of the joint that a rotor drives: "shoulder" of "shoulder.rotor"; of another joint its own.
std::string driven_joint(const std::string& joint);

class MotorSet {
 public:
  struct Entry {
    std::string name;  ///< of the driven joint
    Motor motor;
    int speed = 0;  ///< in [v; cut speeds]
  };

  /// With `rigid_gears` the losses of elastic gears are those of the motor: runs along the laws know no twist.
  MotorSet(const Plan& plan, bool rigid_gears);

  const std::vector<Entry>& entries() const { return entries_; }
  /// Whether limit() needs the speeds of the cut joints.
  bool uses_cut_speeds() const { return uses_cut_speeds_; }

  /// Puts in place of the forces that drives ask for (joint side, before losses) what the joints get. Speeds of
  /// `except` are left alone.
  void limit(const State& state, const VectorX& cut_v, const std::vector<int>& except, VectorX& tau) const;

  /// What the motor at a speed has to be asked for so that the joint gets `force`, if it can.
  double asked_for(int speed, double force, double joint_speed) const;

 private:
  std::vector<Entry> entries_;
  int nv_ = 0;
  bool uses_cut_speeds_ = false;
};

}  // namespace lithe::detail
