// The natural orthogonal complement as the sources write it (Fattah (3.60)): flexible twists of all links t = T v, loop
// complement v = N v_i, and N^T (T^T M T) N v_i' = N^T (forces), all dense. An oracle for `noc`; allocates.

#include <Eigen/Cholesky>
#include <algorithm>

#include "lithe/dynamics/dense_tree.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

Status noc_dense_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                         const ForwardOptions& options) {
  const DenseTree tree = dense_tree(plan, work, state);
  const VectorX force = dense_force(plan, work, state, actions, tree.h);
  MatrixX N;
  if (Status status = loop_complement(plan, work, state.q, N); !status) return status;
  const std::vector<int>& independent = work.independent();
  VectorX bias = VectorX::Zero(plan.nv());
  if (Status status = complete_accelerations(plan, work, state, bias); !status) return status;
  MatrixX G = N.transpose() * tree.M * N;
  VectorX right = N.transpose() * (force - tree.M * bias);
  for (std::size_t i = 0; i < independent.size(); ++i) {
    if (std::find(options.prescribed.begin(), options.prescribed.end(), independent[i]) == options.prescribed.end())
      continue;
    const auto p = static_cast<Eigen::Index>(i);
    right -= G.col(p) * a[independent[i]];
    G.col(p).setZero();
    G.row(p).setZero();
    G(p, p) = 1.0;
    right[p] = a[independent[i]];
  }
  if (G.rows() == 0) {
    a = bias;
    return {};
  }
  const Eigen::LDLT<MatrixX> solver(G);
  if (!(solver.vectorD().minCoeff() > 0.0)) return {Status::Code::singular_inertia, independent[0], 0.0};
  a = N * solver.solve(right) + bias;
  return {};
}

}  // namespace lithe::detail
