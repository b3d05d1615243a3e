// Formulations that keep all tree speeds: Lagrange multipliers (index 1) and penalty.

#include <Eigen/LU>

#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/crossing.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

struct RedundantMemory {
  template <class S>
  explicit RedundantMemory(const Kernel<S>& k) : force(VectorX::Zero(k.nv)) {}

  VectorX force;  ///< of the tree speeds
  // The index-1 system of the multipliers.
  MatrixX matrix;
  VectorX right, solution;
  Eigen::PartialPivLU<MatrixX> solver;
  RowMatrix factors;  ///< of the penalty formulation
};

/// Closures, accelerating forces and inertia matrix of the open tree.
template <class S>
const RowMatrix& open_tree(Kernel<S>& k, const State& state, const Actions& actions, VectorX& force) {
  update_positions(k, state.q);
  update_closures(k);
  accelerating_force(k, state, actions, force, nullptr);
  return composite_inertia(k);
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

/// Closure number r of a block as a row of the index-1 system: A a = gamma. Beside a singular pose, where A has lost its rank, the
/// dependent accelerations in terms of the independent ones say the same: a_d - K a_i = bias.
template <class S>
void place_closure(const Kernel<S>& k, const State& state, const Stabilisation& stabilisation, std::size_t block,
                   Eigen::Index r, RedundantMemory& memory) {
  const LoopBlock& loop = k.loops[block];
  const int n = k.nv, i = loop.dependent_at[r];
  auto line = memory.matrix.row(n + i).head(n);
  line.setZero();
  double error = 0.0;
  if (k.crosses) {
    const int speed = loop.dependent_speeds[r];
    line[speed] = 1.0;
    for (std::size_t j = 0; j < loop.independent.size(); ++j) line[loop.independent_speeds[j]] = -k.K[block](r, j);
    memory.right[n + i] = k.dependent_bias[i];
    error = k.scratch_v[speed];
  } else {
    const int row = k.selection.rows[i];
    for (Eigen::Index j = 0; j < loop.A.cols(); ++j) line[loop.speed(j)] = loop.A(loop.rows[r], j);
    memory.right[n + i] = k.gamma[row];
    error = k.c[row];
  }
  memory.matrix.col(n + i).head(n) = line.transpose();
  const double damping = 2.0 * stabilisation.alpha, stiffness = stabilisation.beta * stabilisation.beta;
  if (damping != 0.0) memory.right[n + i] -= damping * line.dot(state.v);
  if (stiffness != 0.0) memory.right[n + i] -= stiffness * error;
}

}  // namespace

template <class S>
Status multiplier_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                          const Stabilisation& stabilisation) {
  RedundantMemory& memory = k.memory.template of<RedundantMemory>(k);
  const RowMatrix& M = open_tree(k, state, actions, memory.force);
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
  if (memory.matrix.rows() != n + d) {
    memory.matrix.resize(n + d, n + d);
    memory.right.resize(n + d);
  }
  memory.matrix.topLeftCorner(n, n) = M;
  memory.matrix.bottomRightCorner(d, d).setZero();
  memory.right.head(n) = memory.force;
  for (std::size_t b = 0; b < k.loops.size(); ++b)
    for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) place_closure(k, state, stabilisation, b, r, memory);
  if (any_prescribed(k)) fix_rows(k, a, memory.matrix, memory.right);
  memory.solver.compute(memory.matrix);
  const auto pivots = memory.solver.matrixLU().diagonal().cwiseAbs();
  int weakest = 0;
  if (!(pivots.minCoeff(&weakest) > tolerance::singular_kkt * pivots.maxCoeff())) {
    // A vanishing pivot among the closures means a singular loop, among the speeds a massless freedom.
    if (weakest >= n)
      return {Status::Code::singular_closure, closure_of_row(k, k.selection.rows[weakest - n]),
              1.0 / tolerance::singular_kkt};
    return {Status::Code::singular_inertia, weakest, 0.0};
  }
  memory.solution.noalias() = memory.solver.solve(memory.right);
  a = memory.solution.head(n);
  return {};
}

template <class S>
Status penalty_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                       const Stabilisation& stabilisation) {
  RedundantMemory& memory = k.memory.template of<RedundantMemory>(k);
  VectorX& force = memory.force;
  // A copy: factors in the inertia matrix itself would fill places that are zero for good, where nobody writes again.
  RowMatrix& M = memory.factors = open_tree(k, state, actions, force);
  for (const LoopBlock& loop : k.loops)
    for (Eigen::Index i = 0; i < loop.A.rows(); ++i) {
      double rate = 0.0;
      for (Eigen::Index j = 0; j < loop.A.cols(); ++j) rate += loop.A(i, j) * state.v[loop.speed(j)];
      const double strength =
          stabilisation.penalty_stiffness * k.c[loop.cluster->rows[i]] + stabilisation.penalty_damping * rate;
      for (Eigen::Index j = 0; j < loop.A.cols(); ++j) force[loop.speed(j)] -= strength * loop.A(i, j);
    }
  for (int p = 0; p < k.nv; ++p) {
    if (!k.prescribed[p]) continue;
    force -= M.col(p) * a[p];
    M.col(p).setZero();
    M.row(p).setZero();
    M(p, p) = 1.0;
    force[p] = a[p];
  }
  const int failed = solve_positive(M, force.data());
  if (failed >= 0) return {Status::Code::singular_inertia, failed, 0.0};
  a = force;
  return {};
}

#define LITHE_INSTANTIATE(S)                                                                                    \
  template Status multiplier_forward(Kernel<S>&, const State&, const Actions&, VectorX&, const Stabilisation&); \
  template Status penalty_forward(Kernel<S>&, const State&, const Actions&, VectorX&, const Stabilisation&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
