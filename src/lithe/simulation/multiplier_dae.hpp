#pragma once
// The equations of motion with multipliers, as IDA integrates them: stabilised index-2 form of Gear, Gupta and
// Leimkuhler. Raw index 3 stalls and index 1 drifts.
//
//   q' = H(q) (v - A^T mu),   f(q, v, v') = tau + A^T lambda,   c(q) = 0,   A v = 0
//
// f is the inverse dynamics of the open tree, A the closure Jacobian without redundant rows, scaled such that the
// dependent speeds have the unit matrix; mu are the (vanishing) multipliers that keep q on the closures. State:
// [q; v; work; dissipated | lambda; mu].

#include "lithe/simulation/drive_set.hpp"
#include "lithe/simulation/integrator.hpp"

namespace lithe::detail {

class MultiplierDae {
 public:
  MultiplierDae(const Plan& plan, Workspace& work, DriveSet& drives);

  /// The functions in it refer to this object.
  DaeSystem system();

 private:
  int reported() const { return plan_.nq() + plan_.nv() + 2; }
  void place(double t, VectorIn y);
  int closures() const { return static_cast<int>(work_.dependent().size()); }
  Status reduce_closures();
  RunStatus residual(double t, VectorIn y, VectorIn rate, VectorOut r);
  RunStatus start(double t, VectorIn state, VectorOut y, VectorOut rate);

  const Plan& plan_;
  Workspace& work_;
  DriveSet& drives_;
  State state_, wanted_;
  Actions actions_;
  VectorX a_, force_, speeds_, qdot_, errors_;
  MatrixX reduced_;  ///< reduced_: closure Jacobian, scaled
};

}  // namespace lithe::detail
