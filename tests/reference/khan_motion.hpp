#pragma once
// Drives the planar 3-RRR fixture along its prescribed motion.

#include <gtest/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe::testing {

/// A 3-RRR with actuated coordinates, taken from instant to instant along the branch of the initial posture.
class DrivenRobot {
 public:
  explicit DrivenRobot(double g = 9.81, Arithmetic arithmetic = Arithmetic::automatic,
                       Coordinates coordinates = Coordinates::joint)
      : plan(khan_3rrr::mechanism(g), PlanOptions{coordinates, "platform", true}), work(plan, arithmetic) {
    state.q = khan_3rrr::initial_posture(plan);
    state.v = VectorX::Zero(plan.nv());
    a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(select_independent(plan, work, state.q));
  }

  /// State and accelerations of the prescribed motion at t, reached in small steps; `period` as in khan_3rrr::motion.
  void move_to(double t, double period = 3.0) {
    const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(t - state.t) / 0.05)));
    const double from = state.t;
    for (int i = 1; i <= steps; ++i) {
      state.t = from + (t - from) * i / steps;
      set(khan_3rrr::motion(state.t, period));
    }
  }

  void set(const khan_3rrr::Motion& motion) {
    khan_3rrr::set_motors(plan, motion.angle, state.q);
    ASSERT_TRUE(project_positions(plan, work, state.q, 1e-15));
    khan_3rrr::set_motor_speeds(plan, motion.rate, state.v);
    ASSERT_TRUE(complete_speeds(plan, work, state.q, state.v));
    khan_3rrr::set_motor_speeds(plan, motion.acceleration, a);
    ASSERT_TRUE(complete_accelerations(plan, work, state, a));
  }

  /// Motor torques for the stored motion.
  Vec3 torque(const Wrench& tool = {}) {
    Actions actions(plan);
    actions.loads[0] = tool;
    InverseResult result;
    inverse_dynamics(plan, work, state, a, actions, plan.actuated_speeds(), result);
    EXPECT_TRUE(result.status);
    Vec3 tau;
    for (int j = 0; j < 3; ++j) tau[j] = result.tau[speed_of(plan, khan_3rrr::name("motor", j))];
    return tau;
  }

  /// Coordinate, speed or acceleration of a one-freedom joint, cut or not.
  double coordinate(const std::string& joint) {
    VectorX cut(plan.cut_nq());
    cut_coordinates(plan, work, state.q, cut);
    const JointPlace& place = place_of(plan, joint);
    return place.cut ? cut[place.q] : state.q[place.q];
  }
  double speed(const std::string& joint) {
    VectorX cut(plan.cut_nv());
    cut_speeds(plan, work, state, cut);
    const JointPlace& place = place_of(plan, joint);
    return place.cut ? cut[place.v] : state.v[place.v];
  }
  double acceleration(const std::string& joint) {
    VectorX cut(plan.cut_nv());
    cut_accelerations(plan, work, state, a, cut);
    const JointPlace& place = place_of(plan, joint);
    return place.cut ? cut[place.v] : a[place.v];
  }

  FrameRef platform() const { return {plan.mechanism().find_link("platform"), 0}; }

  Plan plan;
  Workspace work;
  State state;
  VectorX a;
};

/// Difference of two angles in (-pi, pi].
inline double angle_difference(double a, double b) { return std::remainder(a - b, 2 * khan_3rrr::pi); }

}  // namespace lithe::testing
