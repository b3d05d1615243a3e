#include "lithe/links/axis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe {

namespace {

/// Zero `j` of the Chebyshev polynomial of degree `count`, from -1 to 1.
double chebyshev_point(int j, int count) { return -std::cos(std::numbers::pi * (2 * j + 1) / (2 * count)); }

/// Weights of the samples in the value at x of the polynomial through them: Lagrange's formula in barycentric form,
/// which is stable at Chebyshev points for any number of them.
VectorX interpolation(int count, double x) {
  VectorX weights(count);
  for (int j = 0; j < count; ++j) {
    const double away = x - chebyshev_point(j, count);
    if (away == 0.0) return VectorX::Unit(count, j);
    weights[j] = (j % 2 == 0 ? 1.0 : -1.0) * std::sin(std::numbers::pi * (2 * j + 1) / (2 * count)) / away;
  }
  return weights / weights.sum();
}

}  // namespace

Axis::Point Axis::at(double s) const {
  const auto beyond = std::upper_bound(ends.begin() + 1, ends.end() - 1, s);
  const std::size_t i = static_cast<std::size_t>(beyond - ends.begin()) - 1;
  const Piece& piece = pieces[i];
  const double way = s - ends[i];
  const VectorX weights = interpolation(static_cast<int>(piece.shape.size()), 2 * way / (ends[i + 1] - ends[i]) - 1);
  Point point{piece.start + way * piece.along, piece.along, weights[0] * piece.shape[0], weights[0] * piece.slopes[0]};
  for (std::size_t j = 1; j < piece.shape.size(); ++j) {
    point.shape += weights[j] * piece.shape[j];
    point.slopes += weights[j] * piece.slopes[j];
  }
  return point;
}

void Axis::sample(int samples, const std::function<Point(double s)>& place) {
  pieces.clear();
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    Piece piece;
    for (int j = 0; j < samples; ++j) {
      const double way = (ends[i + 1] - ends[i]) * (1 + chebyshev_point(j, samples)) / 2;
      Point point = place(ends[i] + way);
      if (j == 0) {
        piece.along = point.along;
        piece.start = point.position - way * point.along;
      }
      piece.shape.push_back(std::move(point.shape));
      piece.slopes.push_back(std::move(point.slopes));
    }
    pieces.push_back(std::move(piece));
  }
}

}  // namespace lithe
