// Poles one block of the real Schur form after the other (Varga): the last block is given its poles by a feedback of its
// own states, moves to the front, and the next one comes to the end.

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "lithe/analysis/balancing.hpp"
#include "lithe/control/regulator.hpp"
#include "lithe/control/schur.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

using detail::Complex;

/// A real pole, or one of a pair with positive imaginary part.
struct WantedPole {
  Complex value;
  int width() const { return value.imag() > 0 ? 2 : 1; }
};

std::vector<WantedPole> wanted_pairs(const std::vector<Complex>& wanted) {
  std::vector<WantedPole> list;
  std::vector<Complex> lower;
  for (const Complex& pole : wanted) {
    if (!std::isfinite(pole.real()) || !std::isfinite(pole.imag()))
      throw MechanismError("poles", "a pole that is wanted is no number");
    if (pole.imag() >= 0)
      list.push_back({pole});
    else
      lower.push_back(std::conj(pole));
  }
  for (const WantedPole& pole : list) {
    if (pole.width() == 1) continue;
    const auto partner = std::find_if(lower.begin(), lower.end(), [&](const Complex& other) {
      return std::abs(other - pole.value) <= 1e-9 * std::abs(pole.value);
    });
    if (partner == lower.end())
      throw MechanismError("poles", fmt::format("the pole {:.6g}{:+.6g}i is wanted without its conjugate",
                                                pole.value.real(), pole.value.imag()));
    lower.erase(partner);
  }
  if (!lower.empty())
    throw MechanismError("poles", fmt::format("the pole {:.6g}{:+.6g}i is wanted without its conjugate",
                                              lower[0].real(), -lower[0].imag()));
  return list;
}

/// A block that has these eigenvalues: [a b; -b a], or diagonal.
Eigen::Matrix2d block_with(const Complex& first, const Complex& second) {
  Eigen::Matrix2d block;
  if (first.imag() != 0)
    block << first.real(), first.imag(), -first.imag(), first.real();
  else
    block << first.real(), 0, 0, second.real();
  return block;
}

[[noreturn]] void refuse_unreachable(const Complex& pole) {
  throw PhysicsError(
      fmt::format("the inputs cannot move the mode at {:.6g}{:+.6g}i; leave its pole where it is, or choose "
                  "other inputs",
                  pole.real(), pole.imag()));
}

/// F of least size with the eigenvalues `first`, `second` of A - B F, for two states.
MatrixX feedback_of_pair(const MatrixX& A, const MatrixX& B, const Complex& first, const Complex& second, double tiny) {
  const Eigen::JacobiSVD<MatrixX> svd(B, Eigen::ComputeFullU | Eigen::ComputeThinV);
  const VectorX values = svd.singularValues();
  if (values[0] <= tiny) refuse_unreachable(first);
  const MatrixX U = svd.matrixU();
  const MatrixX turned = MatrixX(MatrixX(U.transpose()) * A) * U;
  MatrixX F(B.cols(), 2);
  if (values.size() > 1 && values[1] > 1e-3 * values[0]) {
    const MatrixX change = turned - block_with(first, second);
    F = svd.matrixV() * MatrixX(values.cwiseInverse().asDiagonal() * change);
    return F * MatrixX(U.transpose());
  }
  // One direction: rows [g; 0] of the turned input. Trace and determinant determine f = [f1 f2] of A - [f1 f2; 0 0].
  const double coupling = turned(1, 0);
  if (std::abs(coupling) <= tiny) refuse_unreachable(turned(1, 1));
  const double sum = (first + second).real(), product = (first * second).real();
  const double f1 = turned(0, 0) + turned(1, 1) - sum;
  const double left = turned(0, 0) - f1;
  const double f2 = turned(0, 1) - (left * turned(1, 1) - product) / coupling;
  MatrixX f(1, 2);
  f << f1, f2;
  return MatrixX(MatrixX(svd.matrixV().col(0)) * MatrixX(f / values[0])) * MatrixX(U.transpose());
}

/// Moves one real pole to another place.
MatrixX feedback_of_one(double a, const MatrixX& B, double wanted, double tiny) {
  if (B.norm() <= tiny) refuse_unreachable(a);
  return MatrixX(B.transpose()) * ((a - wanted) / B.squaredNorm());
}

class PolePlacement {
 public:
  PolePlacement(const MatrixX& A, const MatrixX& B, const std::vector<Complex>& wanted)
      : n_(static_cast<int>(A.rows())), wanted_(wanted_pairs(wanted)) {
    MatrixX balanced = A;
    scales_ = detail::balance(balanced);
    B_ = scales_.cwiseInverse().asDiagonal() * B;
    schur_ = detail::real_schur(balanced);
    tiny_ = 1e-12 * std::max(B_.norm(), 1e-300);
    K_ = MatrixX::Zero(B.cols(), A.rows());  // in balanced states
  }

  MatrixX run() {
    keep_what_stays();
    while (done_ < n_) place_last();
    return K_ * scales_.cwiseInverse().asDiagonal();
  }

 private:
  /// Poles that are wanted where they are go to the front at once.
  void keep_what_stays() {
    for (int i = 0; i < n_;) {
      const int width = schur_.is_pair(i) ? 2 : 1;
      Complex own = schur_.eigenvalues[i];
      const auto same = std::find_if(wanted_.begin(), wanted_.end(), [&](const WantedPole& pole) {
        return pole.width() == width && std::abs(pole.value - own) <= 1e-9 * std::abs(own);
      });
      if (same != wanted_.end()) {
        wanted_.erase(same);
        detail::move_block(schur_, i, done_);
        done_ += width;
      }
      i += width;
    }
  }

  /// The wanted pole of this width that is nearest to where the block is; none: the end.
  std::vector<WantedPole>::iterator nearest(const Complex& own, int width) {
    auto best = wanted_.end();
    for (auto it = wanted_.begin(); it != wanted_.end(); ++it)
      if (it->width() == width && (best == wanted_.end() || std::abs(it->value - own) < std::abs(best->value - own)))
        best = it;
    return best;
  }

  void place_last() {
    const bool pair = n_ - done_ >= 2 && schur_.is_pair(n_ - 2);
    const Complex own = schur_.eigenvalues[n_ - (pair ? 2 : 1)];
    if (!pair) {
      if (const auto real = nearest(own, 1); real != wanted_.end()) {
        const double value = real->value.real();
        wanted_.erase(real);
        const MatrixX b = last_inputs(1);
        apply(feedback_of_one(schur_.T(n_ - 1, n_ - 1), b, value, tiny_), 1);
        return;
      }
      // Only pairs are left: two real blocks, or a real one beside a pair, become one of two states.
      if (n_ - done_ >= 3 && schur_.is_pair(n_ - 3)) {
        detail::move_block(schur_, n_ - 1, n_ - 3);  // the pair comes to the end
        place_last();
        return;
      }
    }
    Complex first, second;
    if (const auto two = nearest(own, 2); two != wanted_.end()) {
      first = two->value;
      second = std::conj(first);
      wanted_.erase(two);
    } else {
      const auto one = nearest(own, 1);
      first = one->value;
      wanted_.erase(one);
      const auto other = nearest(own, 1);
      second = other->value;
      wanted_.erase(other);
    }
    apply(feedback_of_pair(schur_.T.bottomRightCorner(2, 2), last_inputs(2), first, second, tiny_), 2);
  }

  MatrixX last_inputs(int width) const { return MatrixX(schur_.Q.rightCols(width).transpose()) * B_; }

  /// Feeds the last states back, brings the form in order again and the new poles to the front.
  void apply(const MatrixX& F, int width) {
    const MatrixX part = F * MatrixX(schur_.Q.rightCols(width).transpose());
    K_ += part;
    schur_.T.rightCols(width) -= MatrixX(MatrixX(schur_.Q.transpose()) * B_) * F;
    if (width == 2) {
      const detail::RealSchur inner = detail::real_schur(schur_.T.bottomRightCorner(2, 2));
      schur_.T.rightCols(2) = MatrixX(schur_.T.rightCols(2)) * inner.Q;
      schur_.T.bottomRows(2).rightCols(2) = inner.T;
      schur_.Q.rightCols(2) = MatrixX(schur_.Q.rightCols(2)) * inner.Q;
    }
    // The last block may now be one pair or two real poles.
    int moved = 0;
    while (moved < width) {
      const int size = n_ - done_ - moved >= 2 && schur_.is_pair(n_ - 2) ? 2 : 1;
      detail::move_block(schur_, n_ - size, done_ + moved);
      moved += size;
    }
    done_ += width;
  }

  int n_, done_ = 0;  ///< states, and how many at the front have their poles
  std::vector<WantedPole> wanted_;
  VectorX scales_;
  MatrixX B_, K_;
  detail::RealSchur schur_;
  double tiny_ = 0.0;
};

}  // namespace

MatrixX place_poles(const MatrixX& A, const MatrixX& B, const std::vector<std::complex<double>>& wanted) {
  if (std::ssize(wanted) != A.rows())
    throw MechanismError("poles",
                         fmt::format("{} poles are wanted for {} states; give one per state", wanted.size(), A.rows()));
  return PolePlacement(A, B, wanted).run();
}

}  // namespace lithe
