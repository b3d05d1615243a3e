// Speeds at a singular pose. There A v = 0 leaves more speeds than the mechanism has freedoms: the tangents of all
// branches that meet in the pose, and everything between. Those of one branch also satisfy u^T gamma(v) = 0 for every u
// with u^T A = 0, because A a = gamma must have a solution.

#include <Eigen/Eigenvalues>
#include <cmath>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

constexpr double lost = 1e-5;         ///< singular values of the scaled closures that count as zero in a singular pose
constexpr double contradicts = 1e-6;  ///< part of gamma along u, relative to the accelerations that it sums up

/// Orthonormal vectors that the symmetric product makes (nearly) zero.
MatrixX vanishing_vectors(const MatrixX& product) {
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(product);
  const VectorX& values = solver.eigenvalues();  // ascending, squares of singular values
  Eigen::Index count = 0;
  while (count < values.size() && values[count] < lost * lost * std::max(1.0, values[values.size() - 1])) ++count;
  return solver.eigenvectors().leftCols(count);
}

}  // namespace

Status leave_singular_pose(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& rows,
                           const VectorX& values, VectorX& v) {
  return with_kernel(work, [&](auto& k) -> Status {
    const auto refusal = [&] {
      return Status{Status::Code::singular_closure, closure_of_row(k, k.weakest_row),
                    1.0 / std::max(k.weakness, 1e-16)};
    };
    v.setZero(plan.nv());
    if (values.size() == 0 || values.cwiseAbs().maxCoeff() == 0.0) return {};
    update_positions(k, q);
    RowMatrix scaled;
    scaled_jacobian(k, scaled);
    const MatrixX A = scaled;
    MatrixX speeds = vanishing_vectors(A.transpose() * A);
    speeds = plan.compiled().speed_scale.asDiagonal() * speeds;
    // The given speeds must leave nothing open.
    const MinimumNorm found = solve_minimum_norm(rows * speeds, values, tolerance::rank);
    if (found.rank < speeds.cols()) return refusal();
    v = speeds * found.x;
    // They must belong to a branch.
    update_motion(k, v, nullptr);
    update_closure_bias(k);
    const VectorX gamma = k.gamma;
    MatrixX plain;
    closure_jacobian(plan, work, q, plain);
    const MatrixX idle = vanishing_vectors(plain * plain.transpose());
    // Accelerations may cancel altogether, so gamma itself is no measure.
    const double size = v.cwiseQuotient(plan.compiled().speed_scale).squaredNorm() * std::max(1.0, k.compiled.length);
    if ((idle.transpose() * gamma).norm() > contradicts * size) return refusal();
    k.tangent_q = q;
    k.tangent = v;
    // Without the tangent no branch was found here; now there may be one.
    k.armed = weak_pose;
    k.positions_valid = false;
    return {};
  });
}

}  // namespace lithe
