#include "lithe/control/spillover.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

namespace lithe {
namespace {

constexpr double same_mode = 1e-2;  ///< distance of two poles z, over how far they are from 1

struct Eigenvectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};

Eigenvectors eigenvectors(const MatrixX& A) {
  const Eigen::EigenSolver<MatrixX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Pole pole_of(std::complex<double> value, double sample) {
  return {value, sample > 0.0 ? std::log(value) / sample : value};
}

/// States in units in which the rows and columns of A are of one size.
VectorX unit_sizes(const MatrixX& A) {
  VectorX scale = VectorX::Ones(A.rows());
  for (int sweep = 0; sweep < 20; ++sweep)
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      double row = 0.0, column = 0.0;
      for (Eigen::Index j = 0; j < A.rows(); ++j) {
        if (j == i) continue;
        row += std::abs(A(i, j)) * scale[j] / scale[i];
        column += std::abs(A(j, i)) * scale[i] / scale[j];
      }
      if (row > 0.0 && column > 0.0) scale[i] *= std::sqrt(row / column);
    }
  return scale;
}

}  // namespace

std::vector<ModeChange> mode_changes(const Synthesis& result) {
  const Eigen::Index n = result.plant.A.rows();
  const VectorX scale = unit_sizes(result.plant.A);
  const MatrixX own =
      MatrixX(MatrixX(scale.cwiseInverse().asDiagonal()) * result.plant.A) * MatrixX(scale.asDiagonal());
  const Eigenvectors open = eigenvectors(own);
  const Eigenvectors closed = eigenvectors(result.closed.A);
  // Cosines between each mode and the plant part of each eigenvector of the loop.
  Eigen::MatrixXcd seen = scale.cwiseInverse().asDiagonal() * closed.vectors.topRows(n);
  for (Eigen::Index j = 0; j < seen.cols(); ++j) seen.col(j) /= std::max(seen.col(j).norm(), 1e-300);
  const Eigen::MatrixXcd shares = open.vectors.adjoint() * seen;
  struct Pair {
    double share;
    Eigen::Index mode, pole;
  };
  std::vector<Pair> pairs;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < closed.values.size(); ++j)
      if (open.values[i].imag() >= 0.0 && closed.values[j].imag() >= 0.0)
        pairs.push_back({std::abs(shares(i, j)), i, j});
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.share > b.share; });
  std::vector<bool> mode_done(n, false);
  std::vector<bool> pole_done(closed.values.size(), false);
  const std::vector<Pole> designed = poles(result.model);
  const double rest = result.plant.is_sampled() ? 1.0 : 0.0;  // z or s of what stands still
  std::vector<ModeChange> changes;
  for (const Pair& pair : pairs) {
    if (mode_done[pair.mode] || pole_done[pair.pole]) continue;
    mode_done[pair.mode] = pole_done[pair.pole] = true;
    const std::complex<double> value = open.values[pair.mode];
    if (result.plant.is_sampled() && std::abs(value) < 1e-9) continue;  // an input on its way
    const bool known = std::any_of(designed.begin(), designed.end(), [&](const Pole& pole) {
      return std::abs(pole.value - value) <= same_mode * (1e-6 + std::abs(value - rest));
    });
    changes.push_back(
        {pole_of(value, result.plant.sample), pole_of(closed.values[pair.pole], result.plant.sample), known});
  }
  std::sort(changes.begin(), changes.end(),
            [](const ModeChange& a, const ModeChange& b) { return a.open.frequency() < b.open.frequency(); });
  return changes;
}

}  // namespace lithe
