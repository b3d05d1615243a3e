// Coordinate partitioning, written out densely as in textbooks (Khan (4)-(7) with the corrected (7)): dependent speeds
// by column-pivoted factorisation of A. An oracle for the recursions.

#include <Eigen/Cholesky>

#include "lithe/dynamics/dense_tree.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe::detail {

namespace {

/// The textbook's own factorisation of A knows no way through a singular pose; the complement does.
bool crosses_singular_pose(Workspace& work, const VectorX& q) {
  return with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    return k.row_count > 0 && k.weakness < weak_pose && update_complement(k) && k.crosses;
  });
}

}  // namespace

Status partitioning_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                            const ForwardOptions& options) {
  if (crosses_singular_pose(work, state.q)) return noc_dense_forward(plan, work, state, actions, a, options);
  const int n = plan.nv();
  const DenseTree tree = dense_tree(plan, work, state);
  VectorX force = dense_force(plan, work, state, actions, tree.h);

  // Dependent speeds: the pivot columns of A, prescribed ones excluded. q'' = T_cp q_i'' + bias.
  MatrixX A;
  VectorX gamma;
  closure_jacobian(plan, work, state.q, A);
  closure_bias(plan, work, state, gamma);
  MatrixX T = MatrixX::Identity(n, n);
  VectorX bias = VectorX::Zero(n);
  std::vector<int> independent;
  if (A.rows() == 0) {
    for (int i = 0; i < n; ++i) independent.push_back(i);
  } else {
    MatrixX free = A;
    for (const int p : options.prescribed) free.col(p).setZero();
    const auto [order, rank] = pivot_columns(free, 1e-9);
    std::vector<int> dependent(order.begin(), order.begin() + rank);
    independent.assign(order.begin() + rank, order.end());
    MatrixX dependent_block(A.rows(), rank), independent_block(A.rows(), n - rank);
    for (int i = 0; i < rank; ++i) dependent_block.col(i) = A.col(dependent[i]);
    for (int i = 0; i < n - rank; ++i) independent_block.col(i) = A.col(independent[i]);
    T.setZero(n, n - rank);
    for (int i = 0; i < n - rank; ++i) T(independent[i], i) = 1.0;
    if (rank > 0) {
      const MatrixX K = -solve_least_squares(dependent_block, independent_block);
      const VectorX b = solve_least_squares(dependent_block, gamma);
      for (int i = 0; i < rank; ++i) {
        T.row(dependent[i]) = K.row(i);
        bias[dependent[i]] = b[i];
      }
    }
  }
  MatrixX G = T.transpose() * tree.M * T;
  VectorX right = T.transpose() * (force - tree.M * bias);
  for (const int p : options.prescribed)
    for (std::size_t i = 0; i < independent.size(); ++i) {
      if (independent[i] != p) continue;
      const Eigen::Index at = static_cast<Eigen::Index>(i);
      right -= G.col(at) * a[p];
      G.col(at).setZero();
      G.row(at).setZero();
      G(at, at) = 1.0;
      right[at] = a[p];
    }
  if (G.rows() > 0) {
    const Eigen::LDLT<MatrixX> solver(G);
    if (solver.vectorD().minCoeff() <= 0.0) return {Status::Code::singular_inertia, independent[0], 0.0};
    a = T * solver.solve(right) + bias;
  } else {
    a = bias;
  }
  return {};
}

}  // namespace lithe::detail
