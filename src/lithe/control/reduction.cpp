#include "lithe/control/reduction.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/analysis/balancing.hpp"
#include "lithe/control/schur.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

using detail::Complex;

/// A system as the sum of two: x = front z1 + rest z2.
struct Split {
  MatrixX front, rest;            ///< columns
  MatrixX front_left, rest_left;  ///< rows: z1 = front_left x
};

/// Splits the chosen eigenvalues off: Schur form with these first, then S X - X T = -coupling.
template <class Chosen>
Split split_eigenvalues(const MatrixX& A, Chosen is_chosen) {
  MatrixX balanced = A;
  const VectorX scales = detail::balance(balanced), back = scales.cwiseInverse();
  detail::RealSchur schur = detail::real_schur(balanced);
  std::vector<bool> chosen;
  for (const Complex& value : schur.eigenvalues) chosen.push_back(is_chosen(value));
  const Eigen::Index n = A.rows(), k = detail::move_to_front(schur, chosen);
  // [T1 T12; 0 T2] with z1 = y1 - X y2 is block diagonal when T1 X - X T2 = -T12.
  const MatrixX X = detail::solve_sylvester(schur.T.topLeftCorner(k, k), schur.T.bottomRightCorner(n - k, n - k),
                                            -schur.T.topRightCorner(k, n - k));
  const MatrixX Q1 = schur.Q.leftCols(k), Q2 = schur.Q.rightCols(n - k);
  const MatrixX rest = Q2 + MatrixX(Q1 * X);
  const MatrixX front_left = MatrixX(Q1.transpose()) - MatrixX(X * MatrixX(Q2.transpose()));
  return {scales.asDiagonal() * Q1, scales.asDiagonal() * rest, front_left * back.asDiagonal(),
          MatrixX(Q2.transpose()) * back.asDiagonal()};
}

StateSpace projected(const StateSpace& system, const MatrixX& left, const MatrixX& right) {
  return {MatrixX(left * system.A) * right,
          left * system.B,
          system.C * right,
          system.D,
          system.sample,
          {},
          system.inputs,
          system.outputs};
}

double rate_of(const Complex& value, double sample) { return std::abs(sample > 0 ? std::log(value) / sample : value); }

/// What the modes in `part` answer at rest.
MatrixX answer_at_rest(const StateSpace& part) {
  const Eigen::Index n = part.A.rows();
  if (n == 0) return MatrixX::Zero(part.D.rows(), part.D.cols());
  const MatrixX still = part.is_sampled() ? MatrixX(MatrixX::Identity(n, n) - part.A) : MatrixX(-part.A);
  return part.C * MatrixX(still.fullPivLu().solve(part.B));
}

bool decays(const Complex& value, bool sampled, double size) {
  // Poles of rigid motions come out as small numbers of either sign.
  return sampled ? std::abs(value) < 1.0 - 1e-9 : value.real() < -1e-9 * size;
}

struct StablePart {
  Split split;  ///< front: what does not decay
  StateSpace system;
};

StablePart stable_part(const StateSpace& system) {
  double size = 0.0;
  for (const Pole& pole : poles(system)) size = std::max(size, std::abs(pole.value));
  StablePart part{split_eigenvalues(system.A, [&](const Complex& s) { return !decays(s, system.is_sampled(), size); }),
                  {}};
  part.system = projected(system, part.split.rest_left, part.split.rest);
  return part;
}

std::vector<int> other_states(Eigen::Index n, const std::vector<int>& fast) {
  std::vector<int> slow;
  for (int i = 0; i < static_cast<int>(n); ++i)
    if (std::find(fast.begin(), fast.end(), i) == fast.end()) slow.push_back(i);
  return slow;
}

std::vector<std::string> names_of(const std::vector<std::string>& names, const std::vector<int>& chosen) {
  std::vector<std::string> kept;
  for (const int i : chosen)
    if (!names.empty()) kept.push_back(names[i]);
  return kept;
}

}  // namespace

ReducedModel modal_truncation(const StateSpace& system, int order, bool static_gain) {
  require_consistent(system);
  const Eigen::Index n = system.A.rows();
  if (order < 0 || order > n) throw MechanismError("order", fmt::format("{} of {} states cannot be kept", order, n));
  // The limit lies between two rates, so that pairs are not torn.
  std::vector<double> rates;
  for (const Pole& pole : poles(system)) rates.push_back(rate_of(pole.value, system.sample));
  std::sort(rates.begin(), rates.end());
  int kept = order;
  while (kept > 0 && kept < n && rates[kept] - rates[kept - 1] <= 1e-9 * rates.back()) --kept;
  const double limit = kept == n   ? std::numeric_limits<double>::infinity()
                       : kept == 0 ? -1.0
                                   : 0.5 * (rates[kept - 1] + rates[kept]);
  const Split split = split_eigenvalues(system.A, [&](const Complex& s) { return rate_of(s, system.sample) < limit; });
  ReducedModel reduced{projected(system, split.front_left, split.front), split.front_left, split.front};
  if (static_gain) reduced.system.D += answer_at_rest(projected(system, split.rest_left, split.rest));
  return reduced;
}

int states_below(const StateSpace& system, double frequency) {
  const std::vector<Pole> all = poles(system);
  return static_cast<int>(
      std::count_if(all.begin(), all.end(), [&](const Pole& pole) { return pole.frequency() <= frequency; }));
}

// With Gramians U U^T and L L^T, L^T U = Z s Y^T: the states that count are U Y s^-1/2 and L Z s^-1/2.
BalancedModel balanced_truncation(const StateSpace& system, int order) {
  require_consistent(system);
  const StablePart stable = stable_part(system);
  const Eigen::Index n = system.A.rows(), unstable = stable.split.front.cols();
  if (order < unstable || order > n)
    throw MechanismError("order", fmt::format("{} of {} states cannot be kept: {} of them do not decay and must stay",
                                              order, n, unstable));
  const MatrixX U = gramian_factor(stable.system.A, stable.system.B, system.is_sampled());
  const MatrixX L = gramian_factor(stable.system.A.transpose(), stable.system.C.transpose(), system.is_sampled());
  const Eigen::JacobiSVD<MatrixX> svd(MatrixX(MatrixX(L.transpose()) * U), Eigen::ComputeThinU | Eigen::ComputeThinV);
  BalancedModel result;
  result.hankel = svd.singularValues();
  result.unstable = static_cast<int>(unstable);
  Eigen::Index kept = order - unstable;
  // States that no input reaches or no output sees have nothing to be balanced by.
  while (kept > 0 && result.hankel[kept - 1] <= 1e-14 * result.hankel[0]) --kept;
  const VectorX roots = result.hankel.head(kept).cwiseSqrt().cwiseInverse();
  const MatrixX right = MatrixX(U * MatrixX(svd.matrixV().leftCols(kept))) * roots.asDiagonal();
  const MatrixX left =
      MatrixX(roots.asDiagonal() * MatrixX(svd.matrixU().leftCols(kept).transpose())) * MatrixX(L.transpose());
  result.reduced.left.resize(unstable + kept, n);
  result.reduced.left << stable.split.front_left, left * stable.split.rest_left;
  result.reduced.right.resize(n, unstable + kept);
  result.reduced.right << stable.split.front, stable.split.rest * right;
  result.reduced.system = projected(system, result.reduced.left, result.reduced.right);
  result.bound = 2 * result.hankel.tail(result.hankel.size() - kept).sum();
  return result;
}

int balanced_order(const StateSpace& system, double tolerance) {
  require_consistent(system);
  const StablePart stable = stable_part(system);
  const VectorX hankel = gramians(stable.system).hankel;
  Eigen::Index kept = hankel.size();
  double bound = 0.0;
  while (kept > 0 && bound + 2 * hankel[kept - 1] <= tolerance * hankel[0]) bound += 2 * hankel[--kept];
  return static_cast<int>(stable.split.front.cols() + kept);
}

StateSpace residualize(const StateSpace& system, const std::vector<int>& fast) {
  require_consistent(system);
  const std::vector<int> slow = other_states(system.A.rows(), fast);
  const auto k = std::ssize(fast);
  const MatrixX A_sf = system.A(slow, fast), A_fs = system.A(fast, slow), B_f = system.B(fast, Eigen::all),
                C_f = system.C(Eigen::all, fast);
  MatrixX still = -MatrixX(system.A(fast, fast));
  if (system.is_sampled()) still += MatrixX::Identity(k, k);
  const VectorX scales = detail::balance(still);
  const Eigen::FullPivLU<MatrixX> solver(still);
  if (k > 0 && !solver.isInvertible())
    throw PhysicsError("the fast states have no value at which they rest: one of their modes has no stiffness");
  const VectorX back = scales.cwiseInverse();
  const MatrixX by_slow = scales.asDiagonal() * MatrixX(solver.solve(MatrixX(back.asDiagonal() * A_fs)));
  const MatrixX by_input = scales.asDiagonal() * MatrixX(solver.solve(MatrixX(back.asDiagonal() * B_f)));
  return {MatrixX(system.A(slow, slow)) + A_sf * by_slow,
          MatrixX(system.B(slow, Eigen::all)) + A_sf * by_input,
          MatrixX(system.C(Eigen::all, slow)) + C_f * by_slow,
          system.D + C_f * by_input,
          system.sample,
          names_of(system.states, slow),
          system.inputs,
          system.outputs};
}

TimeScales separate_time_scales(const StateSpace& system, const std::vector<int>& fast) {
  TimeScales scales;
  scales.slow = residualize(system, fast);
  scales.fast = {system.A(fast, fast),
                 system.B(fast, Eigen::all),
                 system.C(Eigen::all, fast),
                 system.D,
                 system.sample,
                 names_of(system.states, fast),
                 system.inputs,
                 system.outputs};
  scales.slow_poles = poles(scales.slow);
  scales.fast_poles = poles(scales.fast);
  scales.slowest_fast = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const Pole& pole : scales.slow_poles) scales.fastest_slow = std::max(scales.fastest_slow, std::abs(pole.rate));
  for (const Pole& pole : scales.fast_poles) {
    scales.slowest_fast = std::min(scales.slowest_fast, std::abs(pole.rate));
    largest = std::max(largest, std::abs(pole.rate));
  }
  // Poles at zero come out as the rounding of the largest ones.
  if (scales.fastest_slow <= 1e-6 * largest) scales.fastest_slow = 0.0;
  scales.ratio =
      scales.fastest_slow > 0 ? scales.slowest_fast / scales.fastest_slow : std::numeric_limits<double>::infinity();
  std::vector<Complex> both;
  for (const std::vector<Pole>* part : {&scales.slow_poles, &scales.fast_poles})
    for (const Pole& pole : *part) both.push_back(pole.rate);
  for (const Pole& pole : poles(system)) {
    const auto nearest = std::min_element(both.begin(), both.end(), [&](const Complex& a, const Complex& b) {
      return std::abs(a - pole.rate) < std::abs(b - pole.rate);
    });
    if (nearest == both.end()) break;
    const double size = std::max(std::abs(pole.rate), std::max(scales.fastest_slow, 1e-6 * largest));
    scales.pole_error = std::max(scales.pole_error, std::abs(*nearest - pole.rate) / std::max(size, 1e-300));
    both.erase(nearest);
  }
  return scales;
}

}  // namespace lithe
