#include "lithe/simulation/modal_basis.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace lithe::detail {

bool ModalBasis::renew(const OscillatorMatrices& at) {
  inertia_ = at.inertia;
  if (inertia_.size() == 0) {  // nothing can move
    shapes_ = inverse_ = coupling_ = inertia_;
    coupling_rate_ = 0.0;
    square_.resize(0);
    damping_.resize(0);
    return true;
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(at.stiffness, at.inertia);
  if (solver.info() != Eigen::Success || !solver.eigenvectors().allFinite()) return false;
  shapes_ = solver.eigenvectors();
  inverse_.noalias() = shapes_.transpose() * inertia_;
  square_ = solver.eigenvalues().cwiseMax(0.0);
  const MatrixX damped = at.damping * shapes_;
  coupling_.noalias() = shapes_.transpose() * damped;
  damping_ = coupling_.diagonal().cwiseMax(0.0);
  coupling_.diagonal() -= damping_;
  coupling_rate_ = coupling_.cwiseAbs().rowwise().sum().maxCoeff();
  return true;
}

bool ModalBasis::has_aged(const MatrixX& inertia) const {
  constexpr double bearable = 0.03;
  for (Eigen::Index j = 0; j < inertia.cols(); ++j)
    for (Eigen::Index i = j; i < inertia.rows(); ++i) {
      const double change = inertia(i, j) - inertia_(i, j);
      if (!(change * change <= bearable * bearable * inertia_(i, i) * inertia_(j, j))) return true;
    }
  return false;
}

}  // namespace lithe::detail
