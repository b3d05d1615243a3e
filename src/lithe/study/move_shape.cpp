#include "lithe/study/move_shape.hpp"

#include <Eigen/QR>

namespace lithe::detail {

MoveShapes::MoveShapes(int pieces) : pieces_(pieces) {
  // With zero acceleration at both ends, a hat at knot k brings h of speed and h^2 (pieces - k) of way.
  const int inner = pieces - 1;
  const double h = 1.0 / pieces;
  MatrixX ends(inner, 2);
  VectorX quintic(inner);
  for (int k = 1; k < pieces; ++k) {
    const double s = k * h;
    ends(k - 1, 0) = h;
    ends(k - 1, 1) = h * h * (pieces - k);
    quintic[k - 1] = 60 * s - 180 * s * s + 120 * s * s * s;
  }
  const Eigen::HouseholderQR<MatrixX> qr(ends);
  const MatrixX all = qr.householderQ() * MatrixX::Identity(inner, inner);
  free_ = all.rightCols(inner - 2);
  // The shortest correction after which the speed at the end is zero and the way is one.
  const MatrixX transposed = ends.transpose(), gram = transposed * ends;
  const VectorX missing = VectorX::Unit(2, 1) - VectorX(transposed * quintic);
  const VectorX multipliers = gram.inverse() * missing;
  base_ = quintic + VectorX(ends * multipliers);
}

VectorX MoveShapes::accelerations(double way, double scale, const VectorX& amounts) const {
  VectorX all = VectorX::Zero(pieces_ + 1);
  all.segment(1, pieces_ - 1) = way * base_ + scale * VectorX(free_ * amounts);
  return all;
}

VectorX MoveShapes::places(const VectorX& accelerations) const {
  const double h = 1.0 / pieces_;
  VectorX places = VectorX::Zero(pieces_ + 1);
  double speed = 0.0;
  for (int k = 0; k < pieces_; ++k) {
    const double a = accelerations[k], b = accelerations[k + 1];
    places[k + 1] = places[k] + h * speed + h * h * (2 * a + b) / 6;
    speed += h * (a + b) / 2;
  }
  return places;
}

}  // namespace lithe::detail
