#include "lithe/simulation/polynomial_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe::detail {
namespace {

constexpr double shortest = 1.0 / 64;  ///< of the longest piece; what needs shorter ones is not smooth
constexpr int judged = 2;              ///< coefficients at the end that tell what is left out
constexpr double easy = 1e-3;          ///< of the accuracy: the next piece may be twice as long
constexpr double negligible = 1e-6;    ///< entries below this part of the largest one need not be known better

}  // namespace

void PolynomialTable::open(double begin, double end) {
  begin_ = begin;
  end_ = end;
  length_ = longest_;
  pieces_.clear();
}

bool PolynomialTable::at(double t, const Function& function, VectorX& value) {
  if (!(t >= begin_ && t <= end_)) return false;
  const Piece& piece = piece_at(t, function);
  if (piece.coefficients.size() == 0) return false;
  // Clenshaw's recursion.
  const double x = (2.0 * t - piece.begin - piece.end) / (piece.end - piece.begin);
  value.resize(piece.coefficients.rows());
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    double next = 0.0, after = 0.0;
    for (int k = degree; k > 0; --k) {
      const double now = 2.0 * x * next - after + piece.coefficients(i, k);
      after = next;
      next = now;
    }
    value[i] = x * next - after + piece.coefficients(i, 0);
  }
  return true;
}

/// The piece that holds t; a new one fills the gap up to the next known piece, as far as its length goes.
const PolynomialTable::Piece& PolynomialTable::piece_at(double t, const Function& function) {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), t,
                                [](double time, const Piece& piece) { return time < piece.begin; });
  if (after != pieces_.begin() && t <= std::prev(after)->end) return *std::prev(after);
  const double floor = after == pieces_.begin() ? begin_ : std::prev(after)->end;
  const double ceiling = after == pieces_.end() ? end_ : after->begin;
  Piece piece;
  for (;;) {
    piece.begin = t - floor <= length_ ? floor : t;
    piece.end = std::min(piece.begin + length_, ceiling);
    if (ceiling - piece.end < shortest * longest_) piece.end = ceiling;  // no crumb
    if (t <= piece.end) {
      if (fill(piece, function)) break;
      if (length_ <= shortest * longest_) {
        piece.coefficients.resize(0, 0);
        break;
      }
    }
    length_ *= 0.5;
  }
  return *pieces_.insert(after, std::move(piece));
}

/// Interpolates at the extrema of the last polynomial; false when the coefficients do not fall fast enough.
bool PolynomialTable::fill(Piece& piece, const Function& function) {
  const double middle = 0.5 * (piece.begin + piece.end), half = 0.5 * (piece.end - piece.begin);
  for (int j = 0; j <= degree; ++j) {
    const double x = -std::cos(std::numbers::pi * j / degree);
    if (!function(j == degree ? piece.end : middle + half * x, sample_) || !sample_.allFinite()) return false;
    samples_.resize(sample_.size(), degree + 1);
    samples_.col(j) = sample_;
  }
  if (largest_.size() != samples_.rows()) largest_ = VectorX::Zero(samples_.rows());
  largest_ = largest_.cwiseMax(samples_.cwiseAbs().rowwise().maxCoeff());
  piece.coefficients.setZero(samples_.rows(), degree + 1);
  for (int k = 0; k <= degree; ++k) {
    for (int j = 0; j <= degree; ++j) {
      const double weight = (j == 0 || j == degree ? 1.0 : 2.0) / degree * (k == 0 || k == degree ? 0.5 : 1.0);
      // T_k at -cos(pi j / degree)
      const double sign = k % 2 == 0 ? 1.0 : -1.0;
      piece.coefficients.col(k) += weight * sign * std::cos(std::numbers::pi * j * k / degree) * samples_.col(j);
    }
  }
  double left = 0.0;  // out, in units of the accuracy
  for (Eigen::Index i = 0; i < samples_.rows(); ++i) {
    const double scale = accuracy_ * std::max(largest_[i], negligible * largest_.maxCoeff());
    if (scale > 0.0) left = std::max(left, piece.coefficients.row(i).tail<judged>().cwiseAbs().maxCoeff() / scale);
  }
  if (left > 1.0) return false;
  if (left < easy) length_ = std::min(2.0 * length_, longest_);
  return true;
}

}  // namespace lithe::detail
