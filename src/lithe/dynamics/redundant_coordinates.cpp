// Formulations that keep all tree speeds: Lagrange multipliers (index 1) and penalty.

#include <Eigen/LU>

#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/crossing.hpp"

namespace lithe::detail {

namespace {

/// Closures, accelerating forces and inertia matrix of the open tree.
template <class S>
void open_tree(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions) {
  update_positions(k, state.q);
  update_closures(k);
  accelerating_force(k, scratch, state, actions);
  composite_inertia(k);
}

/// Prescribed speeds in redundant coordinates: their own equation is replaced by the given acceleration.
template <class S, class Matrix>
void fix_rows(const Kernel<S>& k, const VectorX& a, Matrix& matrix, VectorX& right) {
  for (int i = 0; i < k.nv; ++i) {
    if (!k.prescribed[i]) continue;
    matrix.row(i).setZero();
    matrix(i, i) = 1.0;
    right[i] = a[i];
  }
}

template <class S>
bool any_prescribed(const Kernel<S>& k) {
  for (char p : k.prescribed)
    if (p) return true;
  return false;
}

/// Closure number i as a row of the index-1 system: A a = gamma. Beside a singular pose, where A has lost its rank, the
/// dependent accelerations in terms of the independent ones say the same: a_d - K a_i = bias.
template <class S>
void place_closure(Kernel<S>& k, const State& state, const Stabilisation& stabilisation, int i) {
  const int n = k.nv;
  auto line = k.kkt.row(n + i).head(n);
  double error = 0.0;
  if (k.crosses) {
    const Selection& s = k.selection;
    line.setZero();
    line[s.dependent[i]] = 1.0;
    for (int j = 0; j < k.independents(); ++j) line[s.independent[j]] = -k.K(i, j);
    k.kkt_right[n + i] = k.dependent_bias[i];
    error = k.scratch_v[s.dependent[i]];
  } else {
    const int row = k.selection.rows[i];
    line = k.A.row(row);
    k.kkt_right[n + i] = k.gamma[row];
    error = k.c[row];
  }
  k.kkt.col(n + i).head(n) = line.transpose();
  const double damping = 2.0 * stabilisation.alpha, stiffness = stabilisation.beta * stabilisation.beta;
  if (damping != 0.0) k.kkt_right[n + i] -= damping * line.dot(state.v);
  if (stiffness != 0.0) k.kkt_right[n + i] -= stiffness * error;
}

}  // namespace

template <class S>
Status multiplier_forward(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& a,
                          const Stabilisation& stabilisation) {
  open_tree(k, scratch, state, actions);
  update_closure_bias(k);
  // Only a crossing is of interest: a set of speeds that determines the others badly does no harm here.
  (void)update_complement(k);
  if (k.crosses) {
    update_dependent_bias(k, state.v);
    step_between(k.compiled, k.crossing->q, state.q, k.scratch_v);
  }
  const int n = k.nv, d = k.dependents();
  if (n == 0) {  // nothing can move
    a.resize(0);
    return {};
  }
  if (k.kkt.rows() != n + d) {
    k.kkt.resize(n + d, n + d);
    k.kkt_right.resize(n + d);
  }
  k.kkt.topLeftCorner(n, n) = k.M;
  k.kkt.bottomRightCorner(d, d).setZero();
  k.kkt_right.head(n) = k.tree_force;
  for (int i = 0; i < d; ++i) place_closure(k, state, stabilisation, i);
  if (any_prescribed(k)) fix_rows(k, a, k.kkt, k.kkt_right);
  k.kkt_solver.compute(k.kkt);
  const auto pivots = k.kkt_solver.matrixLU().diagonal().cwiseAbs();
  int weakest = 0;
  if (!(pivots.minCoeff(&weakest) > 1e-15 * pivots.maxCoeff())) {
    // A vanishing pivot among the closures means a singular loop, among the speeds a massless freedom.
    if (weakest >= n) return {Status::Code::singular_closure, cut_of_row(k, k.selection.rows[weakest - n]), 1e15};
    return {Status::Code::singular_inertia, weakest, 0.0};
  }
  k.kkt_solution.noalias() = k.kkt_solver.solve(k.kkt_right);
  a = k.kkt_solution.head(n);
  return {};
}

template <class S>
Status penalty_forward(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& a,
                       const Stabilisation& stabilisation) {
  open_tree(k, scratch, state, actions);
  for (int row = 0; row < k.row_count; ++row) {
    const double strength =
        stabilisation.penalty_stiffness * k.c[row] + stabilisation.penalty_damping * k.A.row(row).dot(state.v);
    k.tree_force -= strength * k.A.row(row).transpose();
  }
  for (int p = 0; p < k.nv; ++p) {
    if (!k.prescribed[p]) continue;
    k.tree_force -= k.M.col(p) * a[p];
    k.M.col(p).setZero();
    k.M.row(p).setZero();
    k.M(p, p) = 1.0;
    k.tree_force[p] = a[p];
  }
  const int failed = solve_positive(k.M, k.tree_force.data());
  if (failed >= 0) return {Status::Code::singular_inertia, failed, 0.0};
  a = k.tree_force;
  return {};
}

#define LITHE_INSTANTIATE(S)                                                                       \
  template Status multiplier_forward(Kernel<S>&, Scratch&, const State&, const Actions&, VectorX&, \
                                     const Stabilisation&);                                        \
  template Status penalty_forward(Kernel<S>&, Scratch&, const State&, const Actions&, VectorX&, const Stabilisation&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
