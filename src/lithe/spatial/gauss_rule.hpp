#pragma once
// Gauss quadrature.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Abscissas and weights on [0, 1] that integrate polynomials up to degree 2 n - 1.
struct GaussRule {
  VectorX at, weight;
};
GaussRule gauss_rule(int points);

}  // namespace lithe::detail
