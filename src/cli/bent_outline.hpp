#pragma once
// The bent shape of an elastic link, row by row of a record, with its bending enlarged for drawings.

#include <vector>

#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// Enlarging keeps the places of the joints: what grows is the distance of the link from the line between its joints,
/// or, on a link that one joint holds, from the pose of that joint. So loops stay closed at every scale.
class BentOutline {
 public:
  /// `record` must hold pos and rot of the origin of the link; without its amplitudes there is nothing to draw.
  BentOutline(const Mechanism& mechanism, int link, const MemoryRecord& record);

  bool empty() const { return points_.empty(); }
  bool is_chain() const { return chain_; }  ///< one line from point to point; else pairs of points, a line each
  double largest() const;                   ///< m, over all rows and points: what enlarging multiplies
  std::vector<Vec3> at(std::size_t row, double scale) const;  ///< places in ground axes

 private:
  VectorX amplitudes(std::size_t row) const;

  struct Point {
    Vec3 position;
    Matrix3X shape, bending;  ///< displacement per coordinate: whole, and its part that is enlarged
  };
  const LinkData& link_;
  bool chain_ = true;
  std::vector<Point> points_;
  std::vector<std::vector<double>> amplitudes_;  ///< per coordinate
  std::vector<Pose> poses_;                      ///< of the frame origin, per row
};

}  // namespace lithe::cli
