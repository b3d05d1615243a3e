#pragma once
// Inverse kinematics for a hand that pulls: a mechanism is moved so that a frame or a joint comes as near as it can to
// where it is wanted, loops closed and stops kept.

#include <optional>
#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe {

/// One scalar coordinate of a joint and the ends of its range.
struct JointValue {
  std::string name;  ///< as Plan::speed_name() has it
  int speed = 0;     ///< index into [v; cut speeds]
  double value = 0.0;
  double lower = 0.0, upper = 0.0;  ///< infinite without stops
  bool angle = false;               ///< rad; otherwise m
  bool actuated = false;
  bool at_limit = false;
};

/// The scalar coordinates of all joints at q, those of cut joints included (angles of these in (-pi, pi]).
std::vector<JointValue> joint_values(const Plan& plan, Workspace& work, const VectorX& q);

/// What is pulled: a frame to a place, or one coordinate of a joint to a value.
struct Pull {
  std::optional<FrameRef> frame;
  Vec3 place = Vec3::Zero();  ///< m, ground axes
  int speed = -1;             ///< of the joint, index into [v; cut speeds]; when no frame is given
  double value = 0.0;         ///< rad or m
};

struct Reach {
  double distance = 0.0;  ///< that is left, m or rad
  int iterations = 0;
};

/// Moves q, whose loops are closed, from branch to branch of no other assembly: damped least squares in the independent
/// speeds, in steps of at most 0.2 rad. Elastic coordinates keep their values. What is pulled comes first; as far as it
/// leaves a choice a pulled frame keeps its axes, and the motors beside a pulled joint keep their values. Coordinates
/// with stops stay between them. The independent set of the workspace is chosen anew.
Reach pull(const Plan& plan, Workspace& work, VectorX& q, const Pull& pull);

}  // namespace lithe
