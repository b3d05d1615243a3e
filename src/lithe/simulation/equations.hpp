#pragma once
// The equations of motion as the integrators see them.
//
// Minimal formulations (noc, denoc, partitioning): y = [q; v_independent; x; work; dissipated].
// Redundant formulations (multipliers, penalty):   y = [q; v; x; work; dissipated].
// q are all tree coordinates with quaternions, x the states of machine elements and then of controllers in continuous time. Work and dissipation are quadratures, so that the energy balance is as
// accurate as the motion.
//
// With Projection::evaluation each evaluation works on a copy that lies on the closures: the dynamics never see a
// closure error, the dependent entries of y are passengers, and multi-step methods need no restart.

#include "lithe/simulation/drive_set.hpp"
#include "lithe/simulation/equations_jacobian.hpp"
#include "lithe/simulation/integrator.hpp"
#include "lithe/simulation/joint_holds.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

/// Work put in and energy dissipated since the start of the run, J.
struct Exchange {
  double work = 0.0, dissipated = 0.0;
};

class Equations {
 public:
  Equations(const RunOptions& options, const Plan& plan, Workspace& work, DriveSet& drives);

  int size() const { return plan_.nq() + speed_entries() + element_states_ + controller_states_ + 2; }
  /// The system for the integrators; the functions in it refer to this object.
  OdeSystem system();

  void pack(const State& state, const Exchange& exchange, VectorOut y) const;
  /// State at (t, y): prescribed joints on their laws, quaternions of unit length, on the closures if `project`.
  RunStatus unpack(double t, VectorIn y, bool project, State& state);
  /// The same for coordinates and independent speeds (redundant formulations: all speeds) that stand in `state`.
  RunStatus settle(State& state, bool project);
  Exchange exchange(VectorIn y) const { return {y[y.size() - 2], y[y.size() - 1]}; }

  /// Forces and accelerations at a state; results in actions() and accelerations().
  RunStatus evaluate(const State& state);
  /// The same when accelerations() of the independent speeds stand there already.
  RunStatus evaluate_forces(const State& state);
  RunStatus rate(double t, VectorIn y, VectorOut rate);
  /// Derivatives of rate() by all entries of y but the last two (equations_jacobian.cpp); false where they are not known.
  bool jacobian(double t, VectorIn y, MatrixOut columns);

  const Actions& actions() const { return actions_; }  ///< of drives and loads
  /// The same with what friction and stops of joints do.
  const Actions& acting() const { return holds_.empty() ? actions_ : acting_; }
  JointHolds& holds() { return holds_; }
  const JointHolds& holds() const { return holds_; }
  double supplied(const State& state);    ///< power that goes in at the state of the last evaluation, W
  double dissipated(const State& state);  ///< power that is lost there, W
  const VectorX& accelerations() const { return a_; }
  VectorX& accelerations() { return a_; }
  /// Whether states between steps are put onto the closures.
  bool projects() const { return projection_ != Projection::never; }
  bool is_minimal() const { return minimal_; }

  long projections = 0;
  double dynamics_seconds() const;
  double drive_seconds() const { return time_.drives.seconds(); }

 private:
  int states() const { return element_states_ + controller_states_; }
  int speed_entries() const { return minimal_ ? static_cast<int>(work_.independent().size()) : plan_.nv(); }
  RunStatus drive(const State& state);
  bool has_jacobian() const;
  bool find_force_slopes();             ///< and those of powers, from states beside this one; false where drives fail
  void put_columns(MatrixOut columns);  ///< of the Jacobian, from what its memory holds
  ForwardOptions keeping_independent() const;  ///< of projections before evaluations

  const Plan& plan_;
  Workspace& work_;
  DriveSet& drives_;
  bool minimal_;
  Projection projection_;
  int element_states_, controller_states_;
  ForwardOptions forward_;
  JointHolds holds_;
  State state_;
  Actions actions_, acting_;
  VectorX a_, qdot_;
  JacobianMemory jacobian_;
  struct {
    TimeTaken settling, drives, forces, accelerations, rates, jacobian;
  } time_;
};

}  // namespace lithe::detail
