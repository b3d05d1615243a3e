#pragma once
// Motions from rest to rest in unit time whose acceleration is linear between equally spaced knots.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

class MoveShapes {
 public:
  explicit MoveShapes(int pieces);

  int pieces() const { return pieces_; }
  int freedoms() const { return static_cast<int>(free_.cols()); }

  /// Accelerations at the knots of a motion by `way`: near the quintic, plus `scale` times what `amounts` of the motions
  /// make that lead from zero back to zero.
  VectorX accelerations(double way, double scale, const VectorX& amounts) const;
  /// Places at the knots from accelerations at the knots; the first is zero.
  VectorX places(const VectorX& accelerations) const;

 private:
  int pieces_;
  VectorX base_;
  MatrixX free_;  ///< columns: orthonormal accelerations of motions from rest to rest that lead nowhere
};

}  // namespace lithe::detail
