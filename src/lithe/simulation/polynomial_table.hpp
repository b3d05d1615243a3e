#pragma once
// A smooth function of time that costs much, from polynomials through few of its values: pieces of Chebyshev
// interpolation that are made where they are asked for and judged by how fast their coefficients fall.

#include <functional>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

class PolynomialTable {
 public:
  /// False where the function has no value.
  using Function = std::function<bool(double t, VectorX& value)>;

  /// Pieces are at most `longest` long; a piece is good when what it leaves out is below `accuracy` of the largest value
  /// of each entry so far.
  PolynomialTable(double longest, double accuracy) : longest_(longest), accuracy_(accuracy) {}

  /// The function is smooth inside [begin, end], and perhaps another one than before.
  void open(double begin, double end);
  /// The value at t; false where no polynomial is close enough, or the function has no values: the caller evaluates it
  /// by itself there.
  bool at(double t, const Function& function, VectorX& value);

 private:
  static constexpr int degree = 10;

  struct Piece {
    double begin = 0.0, end = 0.0;
    MatrixX coefficients;  ///< a column for each Chebyshev polynomial; empty: the function itself is wanted
  };

  const Piece& piece_at(double t, const Function& function);
  bool fill(Piece& piece, const Function& function);

  double longest_, accuracy_;
  double begin_ = 0.0, end_ = 0.0;
  double length_ = 0.0;        ///< of the next piece
  VectorX largest_;            ///< of each entry so far
  std::vector<Piece> pieces_;  ///< ascending
  MatrixX samples_;
  VectorX sample_;
};

}  // namespace lithe::detail
