#include "lithe/control/response.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "lithe/analysis/balancing.hpp"
#include "lithe/control/exponential.hpp"
#include "lithe/control/schur.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

using detail::Complex;

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double endless = std::numeric_limits<double>::infinity();

/// G at any frequency: after the Schur form of A one triangular system each.
class TransferMatrix {
 public:
  explicit TransferMatrix(const StateSpace& system) : sample_(system.sample), D_(system.D.cast<Complex>()) {
    MatrixX A = system.A;
    const VectorX scales = detail::balance(A);
    detail::ComplexSchur schur = detail::complex_schur(A);
    const MatrixX B = scales.cwiseInverse().asDiagonal() * system.B, C = system.C * scales.asDiagonal();
    B_ = detail::multiply(schur.Q.adjoint(), B.cast<Complex>());
    C_ = detail::multiply(C.cast<Complex>(), schur.Q);
    T_ = std::move(schur.T);
  }

  Eigen::MatrixXcd operator()(double frequency) {
    const Complex s{0.0, two_pi * frequency};
    const Complex z = sample_ > 0.0 ? std::exp(s * sample_) : s;
    X_ = B_;
    // (z - T) X = B from the last row up.
    for (Eigen::Index i = T_.rows() - 1; i >= 0; --i) {
      const Complex pivot = z - T_(i, i);
      for (Eigen::Index j = 0; j < X_.cols(); ++j) {
        Complex sum = X_(i, j);
        for (Eigen::Index k = i + 1; k < T_.cols(); ++k) sum += T_(i, k) * X_(k, j);
        X_(i, j) = sum / pivot;
      }
    }
    Eigen::MatrixXcd G = D_ + detail::multiply(C_, X_);
    for (Eigen::Index i = 0; i < G.size(); ++i)
      if (!std::isfinite(std::abs(G.data()[i]))) G.data()[i] = endless;
    return G;
  }

 private:
  double sample_;
  Eigen::MatrixXcd T_, B_, C_, D_, X_;
};

/// Where `f` changes its sign between `low` and `high`, on a logarithmic scale.
double crossing_between(double low, double high, const std::function<double(double)>& f) {
  const bool rises = f(low) < 0;
  for (int i = 0; i < 100 && high / low - 1 > 1e-14; ++i) {
    const double middle = std::sqrt(low * high);
    ((f(middle) < 0) == rises ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

/// One loop of L with the others closed: L_ii - L_ij (1 + L_jj)^-1 L_ji. Elimination of the others from 1 + L leaves one
/// more than that.
Complex single_loop(const Eigen::MatrixXcd& L, Eigen::Index i) {
  const Eigen::Index n = L.rows();
  Eigen::MatrixXcd rest = Eigen::MatrixXcd::Identity(n, n) + L;
  rest.row(i).swap(rest.row(n - 1));
  rest.col(i).swap(rest.col(n - 1));
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index r = k + 1; r + 1 < n; ++r)
      if (std::abs(rest(r, k)) > std::abs(rest(pivot, k))) pivot = r;
    rest.row(k).swap(rest.row(pivot));
    for (Eigen::Index r = k + 1; r < n; ++r) {
      const Complex factor = rest(r, k) / rest(k, k);
      for (Eigen::Index c = k + 1; c < n; ++c) rest(r, c) -= factor * rest(k, c);
    }
  }
  return rest(n - 1, n - 1) - 1.0;
}

LoopMargins margins_of(const std::vector<double>& grid, const std::function<Complex(double)>& L) {
  LoopMargins margins{endless, 0.0, endless, endless, 0.0, 0.0, endless, 0.0};
  const auto excess = [&](double f) { return std::log(std::abs(L(f))); };
  const auto sideways = [&](double f) { return L(f).imag(); };
  Complex before;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const Complex here = L(grid[k]);
    if (const double distance = std::abs(1.0 + here); distance < margins.distance) {
      margins.distance = distance;
      margins.distance_at = grid[k];
    }
    if (k > 0) {
      if ((std::abs(before) > 1) != (std::abs(here) > 1)) {
        const double f = crossing_between(grid[k - 1], grid[k], excess);
        const Complex at = L(f);
        const double phase = std::abs(std::arg(-at));  // from -180 degrees, either way
        if (phase < margins.phase) {
          margins.phase = phase;
          margins.crossover = f;
        }
        // A delay turns the phase one way only.
        double lead = std::arg(-at);
        if (lead < 0) lead += two_pi;
        margins.delay = std::min(margins.delay, lead / (two_pi * f));
      }
      if ((before.imag() > 0) != (here.imag() > 0)) {
        const double f = crossing_between(grid[k - 1], grid[k], sideways), real = L(f).real();
        if (real < 0 && real > -1 && -1 / real < margins.gain_up) {
          margins.gain_up = -1 / real;
          margins.up_at = f;
        }
        if (real < -1) margins.gain_down = std::max(margins.gain_down, -1 / real);
      }
    }
    before = here;
  }
  return margins;
}

/// Rates (1/s) of the poles that make peaks.
std::vector<Complex> oscillating_rates(const StateSpace& system) {
  std::vector<Complex> rates;
  for (const Pole& pole : poles(system))
    if (pole.rate.imag() > 0) rates.push_back(pole.rate);
  return rates;
}

}  // namespace

std::vector<Eigen::MatrixXcd> frequency_response(const StateSpace& system, const std::vector<double>& frequencies) {
  require_consistent(system);
  TransferMatrix G(system);
  std::vector<Eigen::MatrixXcd> answers;
  for (const double frequency : frequencies) answers.push_back(G(frequency));
  return answers;
}

std::vector<double> frequency_grid(const StateSpace& system, double from, double until, int count) {
  if (!(from > 0.0) || !(until > from) || !std::isfinite(until) || count < 2)
    throw MechanismError("frequencies",
                         fmt::format("the frequencies go from {} to {} Hz; both must be positive and the "
                                     "second one larger",
                                     from, until));
  std::vector<double> grid;
  for (int k = 0; k < count; ++k) grid.push_back(from * std::pow(until / from, k / (count - 1.0)));
  grid.back() = until;
  // About a peak at w with decay d the answer changes over steps of d: w + d tan(a) for equal steps of a.
  constexpr int half = 20;
  for (const Complex& rate : oscillating_rates(system))
    for (int k = -half; k <= half; ++k) {
      const double width = std::max(std::abs(rate.real()), 1e-9 * rate.imag());
      const double f = (rate.imag() + width * std::tan(0.49 * std::numbers::pi * k / half)) / two_pi;
      if (f > from && f < until) grid.push_back(f);
    }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

MatrixX static_gain(const StateSpace& system) {
  require_consistent(system);
  if (system.A.rows() == 0) return system.D;
  MatrixX still = system.is_sampled() ? MatrixX(MatrixX::Identity(system.A.rows(), system.A.rows()) - system.A)
                                      : MatrixX(-system.A);
  const VectorX scales = detail::balance(still);
  const Eigen::FullPivLU<MatrixX> solver(still);
  if (!solver.isInvertible()) return MatrixX::Constant(system.D.rows(), system.D.cols(), endless);
  const MatrixX X = solver.solve(MatrixX(scales.cwiseInverse().asDiagonal() * system.B));
  return system.D + MatrixX(MatrixX(system.C * scales.asDiagonal()) * X);
}

MatrixX step_response(const StateSpace& system, int input, double step, int count) {
  require_consistent(system);
  const detail::HeldInput held =
      system.is_sampled() ? detail::HeldInput{system.A, system.B} : detail::hold_input(system.A, system.B, step);
  MatrixX answer(count + 1, system.C.rows());
  VectorX x = VectorX::Zero(system.A.rows());
  for (int k = 0; k <= count; ++k) {
    answer.row(k) = (system.C * x + system.D.col(input)).transpose();
    x = VectorX(held.Phi * x) + held.Gamma.col(input);
  }
  return answer;
}

std::vector<LoopMargins> loop_margins(const StateSpace& loop, double until) {
  require_consistent(loop);
  if (loop.B.cols() != loop.C.rows())
    throw MechanismError("loop", fmt::format("a loop has as many inputs as outputs; this one has {} and {}",
                                             loop.B.cols(), loop.C.rows()));
  double fastest = 0.0, slowest = endless;
  for (const Pole& pole : poles(loop)) {
    if (!std::isfinite(std::abs(pole.rate)) || pole.frequency() == 0.0) continue;
    fastest = std::max(fastest, pole.frequency());
    slowest = std::min(slowest, pole.frequency());
  }
  if (fastest == 0.0) fastest = slowest = 1.0;
  double end = until > 0.0 ? until : 10 * fastest;
  if (loop.is_sampled()) end = until > 0.0 ? std::min(until, 0.5 / loop.sample) : 0.5 / loop.sample;
  // Poles at zero come out as small numbers that tell nothing about where the loop crosses.
  double start = std::min(end, std::max(slowest, 1e-6 * fastest)) * 1e-3;
  TransferMatrix L(loop);
  // Gains decide where a loop of integrators crosses: on until it has certainly done so, within reason.
  const auto size = [&](double f) { return L(f).cwiseAbs().maxCoeff(); };
  for (int i = 0; i < 9 && until == 0.0 && !loop.is_sampled() && size(end) > 0.1; ++i) end *= 10;
  for (int i = 0; i < 6 && size(start) < 1.0; ++i) start /= 10;
  const std::vector<double> grid = frequency_grid(loop, start, end, 2000);
  std::vector<LoopMargins> margins;
  for (Eigen::Index i = 0; i < loop.B.cols(); ++i)
    margins.push_back(margins_of(grid, [&](double f) { return single_loop(L(f), i); }));
  return margins;
}

}  // namespace lithe
