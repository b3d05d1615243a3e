#pragma once
// Instants that are the same but for rounding.

#include <cmath>

namespace lithe::detail {

constexpr double same_instant = 1e-12;  ///< s and part of the time: what is due by then is due now

inline bool is_now(double due, double t) { return due <= t + same_instant * (1.0 + std::abs(t)); }

}  // namespace lithe::detail
