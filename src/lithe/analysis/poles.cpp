// Eigenvalues of linear models, and what damping makes of natural modes.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/analysis/balancing.hpp"
#include "lithe/analysis/linearize.hpp"

namespace lithe {
namespace {

/// Poles of the damped motion, each with its shape in the natural modes.
class PolesByMode {
 public:
  PolesByMode(const Linearization& linear, const NaturalModes& modes) : linear_(linear), modes_(modes) {
    MatrixX A = linear.state_matrix();
    const VectorX scales = detail::balance(A);
    rounding_ = static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon() * A.norm();
    const Eigen::EigenSolver<MatrixX> damped(A);
    const Eigen::Index n = modes.frequencies.size();
    const MatrixX to_modes = modes.shapes.transpose() * linear.M;
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      if (damped.eigenvalues()[k].imag() < 0) continue;  // one of each conjugate pair
      const Eigen::VectorXcd shape = scales.head(n).cwiseProduct(damped.eigenvectors().col(k).head(n));
      const Eigen::VectorXcd amounts = to_modes * shape;
      for (Eigen::Index j = 0; j < n; ++j)
        if (modes.frequencies[j] > 0)
          matches_.push_back({std::abs(amounts[j]) / amounts.norm(), j, damped.eigenvalues()[k], k});
    }
    // The most alike first.
    std::stable_sort(matches_.begin(), matches_.end(),
                     [](const Match& a, const Match& b) { return a.likeness > b.likeness; });
  }

  std::vector<DampedMode> run() {
    const auto n = static_cast<std::size_t>(modes_.frequencies.size());
    std::vector<DampedMode> found(n);
    std::vector<bool> is_used(2 * n, false);
    // Every pole once: pairs that oscillate to one mode each, then real ones, two to a mode that has none yet.
    for (const bool oscillating : {true, false}) {
      for (const Match& match : matches_) {
        std::vector<std::complex<double>>& poles = found[match.mode].poles;
        if (poles.size() > 1 || is_used[match.number]) continue;
        if ((match.pole.imag() > 0) != oscillating) continue;
        is_used[match.number] = true;
        poles.push_back(match.pole);
        if (oscillating) poles.push_back(std::conj(match.pole));
      }
    }
    for (std::size_t j = 0; j < n; ++j) finish(static_cast<Eigen::Index>(j), found[j]);
    return found;
  }

 private:
  struct Match {
    double likeness;
    Eigen::Index mode;
    std::complex<double> pole;
    Eigen::Index number;
  };

  /// The ratio from the poles; without a pair from the damping along the shape.
  void finish(Eigen::Index mode, DampedMode& found) const {
    std::vector<std::complex<double>>& poles = found.poles;
    // What is left of damping that cancels is the rounding of the largest pole.
    for (std::complex<double>& pole : poles)
      if (pole.imag() != 0 && std::abs(pole.real()) <= rounding_) pole.real(0.0);
    const double product = poles.size() == 2 ? (poles[0] * poles[1]).real() : 0.0;
    if (product > 0) {
      const double sum = (poles[0] + poles[1]).real();
      found.ratio = sum == 0 ? 0.0 : -sum / (2 * std::sqrt(product));
      if (!found.oscillates() && std::abs(poles[0]) > std::abs(poles[1])) std::swap(poles[0], poles[1]);
      return;
    }
    poles.clear();
    const double omega = 2 * std::numbers::pi * std::abs(modes_.frequencies[mode]);
    if (omega > 0) found.ratio = modes_.shapes.col(mode).dot(linear_.D * modes_.shapes.col(mode)) / (2 * omega);
  }

  const Linearization& linear_;
  const NaturalModes& modes_;
  double rounding_ = 0.0;  ///< 1/s
  std::vector<Match> matches_;
};

}  // namespace

std::vector<std::complex<double>> poles(const MatrixX& state_matrix) {
  const VectorX::Index n = state_matrix.rows();
  if (n == 0) return {};
  MatrixX A = state_matrix;
  detail::balance(A);
  const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixX>(A, false).eigenvalues();
  std::vector<std::complex<double>> sorted(values.data(), values.data() + n);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::abs(a.imag()) != std::abs(b.imag()) ? std::abs(a.imag()) < std::abs(b.imag())
           : a.imag() != b.imag()                   ? a.imag() < b.imag()
                                                    : a.real() < b.real();
  });
  return sorted;
}

std::vector<std::complex<double>> poles(const Linearization& linear) { return poles(linear.state_matrix()); }

bool DampedMode::oscillates() const { return poles.empty() || poles[0].imag() != 0; }

std::vector<double> DampedMode::time_constants() const {
  if (oscillates()) return {};
  return {-1 / poles[0].real(), -1 / poles[1].real()};
}

std::vector<DampedMode> damped_modes(const Linearization& linear, const NaturalModes& modes) {
  if (modes.frequencies.size() == 0) return {};
  return PolesByMode(linear, modes).run();
}

VectorX damping_ratios(const Linearization& linear, const NaturalModes& modes) {
  const std::vector<DampedMode> damped = damped_modes(linear, modes);
  VectorX ratios(std::ssize(damped));
  for (std::size_t j = 0; j < damped.size(); ++j) ratios[j] = damped[j].ratio;
  return ratios;
}

}  // namespace lithe
