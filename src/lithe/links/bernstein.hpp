#pragma once
// Bernstein polynomials B_i(x) = C(n,i) x^i (1-x)^(n-i), i = 0..n, on [0, 1].

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// The k-th derivatives with respect to x of the polynomials of degree n.
Eigen::RowVectorXd bernstein(int degree, int k, double x);

}  // namespace lithe::detail
