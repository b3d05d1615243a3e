#include "lithe/simulation/two_point.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "lithe/simulation/band_solver.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr int most_iterations = 25;
constexpr double step_tolerance = 1e-11;  ///< last Newton step, of the largest amplitude
constexpr double step_rounding = 1e-5;    ///< a step below this part of the amplitude may fail to help
constexpr double shortest_share = 1e-2;   ///< of a Newton step

/// Motions near rest that die out (or swing) and those that grow, as rows w: w . (y - y at rest) is their amount.
struct Subspaces {
  MatrixX dying, growing;
};

/// Rows that span the row space of a projector of known rank.
MatrixX row_space(const MatrixX& projector, Eigen::Index rank) {
  const Eigen::ColPivHouseholderQR<MatrixX> qr(projector.transpose());
  const MatrixX all = qr.householderQ();
  return all.leftCols(rank).transpose();
}

Subspaces split(const MatrixX& A) {
  const Eigen::EigenSolver<MatrixX> solver(A);
  const Eigen::VectorXcd poles = solver.eigenvalues();
  const Eigen::MatrixXcd right = solver.eigenvectors(), left = right.inverse();
  Eigen::VectorXcd grows = Eigen::VectorXcd::Zero(poles.size());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < poles.size(); ++i)
    if (poles[i].real() > unstable_share * std::abs(poles[i])) {
      grows[i] = 1.0;
      ++count;
    }
  const MatrixX projector = (right * grows.asDiagonal() * left).real();
  const MatrixX other = MatrixX::Identity(A.rows(), A.cols()) - projector;
  return {row_space(other, A.rows() - count), row_space(projector, count)};
}

/// The box scheme: y = [eta; eta'] at all points, the equations at the middle of each interval. It neither damps nor
/// excites what swings, however fast, and its error has even powers of the step alone.
class Grid {
 public:
  Grid(ElasticInversion& inversion, double from, double until, int intervals)
      : inversion_(inversion),
        n_(inversion.count()),
        from_(from),
        h_((until - from) / intervals),
        intervals_(intervals),
        y_(static_cast<std::size_t>(intervals) + 1, VectorX::Zero(2 * n_)) {}

  /// Rest at both ends and what may leave it: the growing motions at the start, the dying ones at the end.
  RunStatus set_ends() {
    Subspaces first, last;
    first_rest_ = last_rest_ = VectorX::Zero(2 * n_);
    inversion_.rewind();
    RunStatus rested = rest(from_, first_rest_, first);
    if (rested) rested = rest(time(intervals_), last_rest_, last);
    if (!rested) return rested;
    at_first_ = first.dying;
    at_last_ = last.growing;
    if (at_first_.rows() + at_last_.rows() == 2 * n_) return {};
    return RunStatus::refused(fmt::format(
        "flexible inverse dynamics: {} motions of the links run away at t = {:.6g} s but {} at t = {:.6g} s; follow "
        "the two parts of the motion by themselves",
        first.growing.rows(), from_, at_last_.rows(), time(intervals_)));
  }

  /// Straight from rest to rest: Newton's method finds the motion.
  void start() {
    for (int i = 0; i <= intervals_; ++i) {
      const double share = static_cast<double>(i) / intervals_;
      y(i) = (1.0 - share) * first_rest_ + share * last_rest_;
    }
  }

  /// Values from a grid of half as many intervals.
  void refine(const Grid& coarse) {
    for (int i = 0; i <= intervals_; ++i)
      y(i) = i % 2 == 0 ? coarse.at(i / 2) : VectorX(0.5 * (coarse.at(i / 2) + coarse.at(i / 2 + 1)));
  }

  RunStatus solve(const std::function<bool(double)>& goes_on, int& iterations) {
    VectorX missing;
    if (RunStatus known = residuals(missing); !known) return known;
    double error = missing.norm();
    for (int k = 0; k < most_iterations; ++k) {
      ++iterations;
      VectorX step;
      if (RunStatus known = newton_step(goes_on, missing, step); !known) return known;
      const std::vector<VectorX> before = y_;
      double largest = 0.0;
      for (double share = 1.0;; share *= 0.5) {
        largest = 0.0;
        for (std::size_t i = 0; i < y_.size(); ++i) {
          y_[i] = before[i] + share * step.segment(static_cast<Eigen::Index>(i) * 2 * n_, 2 * n_);
          largest = std::max(largest, y_[i].head(n_).cwiseAbs().maxCoeff());
        }
        if (residuals(missing) && missing.norm() < error) break;
        if (share > shortest_share) continue;
        // Small steps that no longer help are rounding.
        y_ = before;
        return amplitude(step) <= step_rounding * largest ? RunStatus() : give_up();
      }
      error = missing.norm();
      if (amplitude(step) <= step_tolerance * std::max(largest, tolerance::smallest) || amplitude(step) < 1e-14)
        return {};
    }
    return give_up();
  }

  const VectorX& at(int i) const { return y_[i]; }
  double time(int i) const { return from_ + h_ * i; }

 private:
  VectorX& y(int i) { return y_[i]; }

  RunStatus rest(double t, VectorX& at_rest, Subspaces& subspaces) {
    VectorX eta = VectorX::Zero(n_);
    MatrixX A;
    RunStatus known = inversion_.rest(t, eta);
    if (known) known = inversion_.state_matrix(t, eta, A);
    if (!known) return known;
    at_rest << eta, VectorX::Zero(n_);
    subspaces = split(A);
    return {};
  }

  RunStatus give_up() const {
    return RunStatus::refused(fmt::format(
        "the two-point problem of flexible inverse dynamics does not converge with a step of {:.3g} s; take a smaller "
        "run.step, a slower motion, or more time before and after it",
        h_));
  }

  /// Largest change of an elastic coordinate.
  double amplitude(const VectorX& step) const {
    double largest = 0.0;
    for (int i = 0; i <= intervals_; ++i)
      largest = std::max(largest, step.segment(i * 2 * n_, n_).cwiseAbs().maxCoeff());
    return largest;
  }

  /// Motion in the middle of interval i.
  ElasticMotion middle(int i) const {
    return {0.5 * (at(i).head(n_) + at(i + 1).head(n_)), 0.5 * (at(i).tail(n_) + at(i + 1).tail(n_)),
            (at(i + 1).tail(n_) - at(i).tail(n_)) / h_};
  }
  double middle_time(int i) const { return time(i) + 0.5 * h_; }

  /// Everything that shall vanish: start, intervals, end. Refused where the mechanism cannot be.
  RunStatus residuals(VectorX& all) {
    all.resize(2 * n_ * (intervals_ + 1));
    const Eigen::Index first = at_first_.rows();
    all.head(first) = at_first_ * (y(0) - first_rest_);
    VectorX missing;
    inversion_.rewind();
    for (int i = 0; i < intervals_; ++i) {
      if (RunStatus known = inversion_.residual(middle_time(i), middle(i), missing); !known) return known;
      all.segment(first + 2 * n_ * i, n_) =
          (y(i + 1).head(n_) - y(i).head(n_)) / h_ - 0.5 * (y(i).tail(n_) + y(i + 1).tail(n_));
      all.segment(first + 2 * n_ * i + n_, n_) = missing;
    }
    all.tail(at_last_.rows()) = at_last_ * (y(intervals_) - last_rest_);
    return all.allFinite() ? RunStatus() : give_up();
  }

  RunStatus newton_step(const std::function<bool(double)>& goes_on, const VectorX& missing, VectorX& step) {
    const int m = 2 * n_;
    BandEquations equations(m * (intervals_ + 1), 2 * m);
    const auto put = [&](Eigen::Index row, int point, int half, const MatrixX& block) {
      for (Eigen::Index i = 0; i < block.rows(); ++i)
        for (Eigen::Index j = 0; j < block.cols(); ++j)
          equations(static_cast<int>(row + i), m * point + half * n_ + static_cast<int>(j)) = block(i, j);
    };
    put(0, 0, 0, at_first_);
    InternalDynamics d;
    const MatrixX one = MatrixX::Identity(n_, n_);
    inversion_.rewind();
    for (int i = 0; i < intervals_; ++i) {
      if (i % 16 == 0 && !goes_on(static_cast<double>(i) / intervals_)) return RunStatus::refused();
      if (RunStatus known = inversion_.linearize(middle_time(i), middle(i), d); !known) return known;
      const Eigen::Index row = at_first_.rows() + m * i;
      put(row, i, 0, -one / h_);
      put(row, i, 1, -0.5 * one);
      put(row, i + 1, 0, one / h_);
      put(row, i + 1, 1, -0.5 * one);
      put(row + n_, i, 0, 0.5 * d.K);
      put(row + n_, i, 1, 0.5 * d.D - d.M / h_);
      put(row + n_, i + 1, 0, 0.5 * d.K);
      put(row + n_, i + 1, 1, 0.5 * d.D + d.M / h_);
    }
    put(at_first_.rows() + m * intervals_, intervals_, 0, at_last_);
    step = -missing;
    if (!equations.solve(step)) step.setZero();  // the caller sees that nothing improves
    return {};
  }

  ElasticInversion& inversion_;
  int n_;
  double from_, h_;
  int intervals_;
  std::vector<VectorX> y_;
  VectorX first_rest_, last_rest_;
  MatrixX at_first_, at_last_;  ///< rows of what must be at rest at the ends
};

}  // namespace

RunStatus solve_two_point(ElasticInversion& inversion, double from, double until, int intervals, ElasticPath& path,
                          const std::function<bool(double fraction)>& goes_on) {
  const int n = inversion.count();
  Grid coarse(inversion, from, until, intervals), fine(inversion, from, until, 2 * intervals);
  RunStatus solved = coarse.set_ends();
  if (solved) solved = fine.set_ends();
  if (!solved) return solved;
  coarse.start();
  solved = coarse.solve(goes_on, path.iterations);
  if (!solved) return solved;
  fine.refine(coarse);
  solved = fine.solve(goes_on, path.iterations);
  if (!solved) return solved;
  for (int i = 0; i <= intervals; ++i) {
    const VectorX &rough = coarse.at(i), &close = fine.at(2 * i), y = (4.0 * close - rough) / 3.0;
    path.times.push_back(coarse.time(i));
    path.points.push_back({y.head(n), y.tail(n), VectorX::Zero(n)});
    path.error = std::max(path.error, (rough - close).head(n).cwiseAbs().maxCoeff() / 3.0);
  }
  return {};
}

}  // namespace lithe::detail
