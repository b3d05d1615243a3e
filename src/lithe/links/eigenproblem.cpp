#include "lithe/links/eigenproblem.hpp"

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <stdexcept>

namespace lithe::detail {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

template <class Matrix>
EigenPairs rayleigh_ritz(const Matrix& stiffness, const Matrix& mass, const MatrixX& shapes) {
  const MatrixX k = shapes.transpose() * (stiffness * shapes), m = shapes.transpose() * (mass * shapes);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver{MatrixX(0.5 * (k + k.transpose())),
                                                                 MatrixX(0.5 * (m + m.transpose()))};
  if (solver.info() != Eigen::Success) throw std::runtime_error("the modes are not independent");
  return {solver.eigenvalues(), shapes * solver.eigenvectors()};
}

/// The dense solver is accurate to rounding of the largest eigenvalue, which on a fine mesh exceeds the smallest by
/// 1e12. Steps of inverse iteration make the low modes as accurate as shift-invert does.
EigenPairs dense_modes(const MatrixX& stiffness, const MatrixX& mass, Eigen::Index count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(stiffness, mass);
  if (solver.info() != Eigen::Success) throw std::runtime_error("the mass matrix is not positive definite");
  EigenPairs pairs{solver.eigenvalues(), solver.eigenvectors()};
  const Eigen::LLT<MatrixX> factor(stiffness);
  if (factor.info() != Eigen::Success) throw std::runtime_error("the stiffness matrix is not positive definite");
  const Eigen::Index low = std::min(count, stiffness.rows() / 2);
  for (int step = 0; step < 2 && low > 0; ++step) {
    const EigenPairs refined = rayleigh_ritz(stiffness, mass, MatrixX(factor.solve(mass * pairs.shapes.leftCols(low))));
    pairs.squares.head(low) = refined.squares;
    pairs.shapes.leftCols(low) = refined.shapes;
  }
  return {pairs.squares.head(count), pairs.shapes.leftCols(count)};
}

/// K^-1 times a vector, as Spectra asks for it.
class Inverse {
 public:
  using Scalar = double;
  explicit Inverse(const Sparse& stiffness) : rows_(stiffness.rows()), factor_(stiffness) {
    if (factor_.info() != Eigen::Success) throw std::runtime_error("the stiffness matrix is not positive definite");
  }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index cols() const { return rows_; }
  void set_shift(double) {}  // the shift is zero: K itself is positive definite
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorX>(out, rows_) = factor_.solve(Eigen::Map<const VectorX>(in, rows_));
  }

 private:
  Eigen::Index rows_;
  Eigen::SimplicialLLT<Sparse> factor_;
};

}  // namespace

EigenPairs modes_within(const MatrixX& stiffness, const MatrixX& mass, const MatrixX& shapes) {
  return rayleigh_ritz(stiffness, mass, shapes);
}

EigenPairs lowest_modes(const Sparse& stiffness, const Sparse& mass, Eigen::Index count) {
  Inverse inverse(stiffness);
  Spectra::SparseSymMatProd<double> product(mass);
  const Eigen::Index space = std::min(stiffness.rows(), std::max<Eigen::Index>(2 * count + 1, 20));
  Spectra::SymGEigsShiftSolver<Inverse, Spectra::SparseSymMatProd<double>, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, space, 0.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-13);
  if (solver.info() != Spectra::CompInfo::Successful) throw std::runtime_error("Lanczos iteration did not converge");
  return rayleigh_ritz(stiffness, mass, solver.eigenvectors());
}

EigenPairs lowest_modes(const MatrixX& stiffness, const MatrixX& mass, Eigen::Index count, EigenMethod method) {
  const bool few = stiffness.rows() > sparse_threshold && 5 * count < stiffness.rows();
  if (method == EigenMethod::sparse || (method == EigenMethod::by_size && few))
    return lowest_modes(Sparse(stiffness.sparseView()), Sparse(mass.sparseView()), count);
  return dense_modes(stiffness, mass, count);
}

}  // namespace lithe::detail
