#pragma once
// Forces from motion: actuator forces in closed loops, joint reactions, power.

#include <span>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

/// Forces that the open tree would need for the motion (length nv), without motors: inertia, gravity, springs, dampers,
/// loads (actions.loads; actions.tau is ignored). Recursive Newton-Euler; no allocation.
void tree_inverse_dynamics(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                           const Actions& actions, VectorX& force);

/// The same less what acts: all joint forces of actions.tau, those of cut joints included. What remains is carried by
/// the closures, or missing. No allocation.
void missing_force(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                   VectorX& force);

/// Forces along independent `speeds` that are held or moved as `a` says, written into actions.tau: their rows of N^T
/// missing_force(). No allocation after the first call.
Status recover_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                      std::span<const int> speeds, Actions& actions);

struct InverseResult {
  Status status;
  VectorX tau;            ///< [tree; cut] speeds, zero where not actuated
  double residual = 0.0;  ///< norm of the generalised force that the actuators cannot supply, independent speeds
  int redundancy = 0;     ///< actuators minus actuation rank; > 0: tau is the minimum-norm choice
  /// Generalised force that the motion lacks on the independent elastic coordinates, in their order: zero when the
  /// elastic motion is the one that the links make by themselves under `tau`. With straight links and zero elastic
  /// rates, tau is that of the rigid twin.
  VectorX elastic_missing;
};

/// Actuator forces for a motion (state and accelerations satisfy the closures). `actuated` are indices into
/// [v; cut speeds]; pass plan.actuated_speeds() for the motors of the model. No allocation when exactly actuated
/// and `result.tau` has its size.
void inverse_dynamics(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                      const std::vector<int>& actuated, InverseResult& result);

/// Motor forces that do on the independent joint speeds what `force` (length nv, on the tree) would do: N^T B tau = N^T
/// force; result.tau, residual, redundancy and elastic_missing as above. No allocation when exactly actuated and
/// `result.tau` has its size.
void equivalent_motor_forces(const Plan& plan, Workspace& work, const VectorX& q, const VectorX& force,
                             const std::vector<int>& actuated, InverseResult& result);

/// Reaction of each joint: wrench that `from` exerts on `to` at the to-frame origin, ground axes, motor, spring and
/// couplings included. In over-constrained loops the minimum-norm distribution. `actions.tau` must hold the joint forces.
std::vector<Wrench> joint_reactions(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                                    const Actions& actions);

/// Force that each coupling carries: it acts along every coordinate of the coupling with the factor of that one. In
/// units of the coupling (N m when its terms are angles, N for distances).
VectorX coupling_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                        const Actions& actions);

struct Energy {
  double kinetic = 0.0;    ///< J
  double potential = 0.0;  ///< all that follow, together, J
  double gravity = 0.0;    ///< zero level: ground origin, J
  double springs = 0.0;    ///< of joints and between frames, J
  double strain = 0.0;     ///< of the elastic links, J
  double elements = 0.0;   ///< stored in machine elements, J
};
Energy energy(const Plan& plan, Workspace& work, const State& state);

/// Momentum of all links in ground axes.
struct Momentum {
  Vec3 linear = Vec3::Zero();   ///< kg m/s
  Vec3 angular = Vec3::Zero();  ///< about the ground origin, kg m^2/s
};
Momentum momentum(const Plan& plan, Workspace& work, const State& state);

/// A spring between frames (Mechanism::springs) at one instant.
struct SpringMotion {
  double length = 0.0;  ///< m
  double force = 0.0;   ///< with which it pulls its ends together, damper included, N
  double energy = 0.0;  ///< stored, J
};
SpringMotion spring_motion(const Plan& plan, Workspace& work, const State& state, int spring);

/// Power dissipated by joint damping, elastic links, spring-dampers and machine elements, W (>= 0).
double dissipated_power(const Plan& plan, Workspace& work, const State& state);

/// Power that loads and joint forces (all of actions) put into the mechanism, and machine elements take from outside, W.
double supplied_power(const Plan& plan, Workspace& work, const State& state, const Actions& actions);

}  // namespace lithe
