#pragma once
// Numbers as the printed recursions use them: plain, or counting what is done with them. Doubling is free.

#include "lithe/spatial/counted.hpp"

namespace lithe::reproduce {

using lithe::Counted;
using lithe::OperationCount;

inline double plain(double x) { return x; }
inline double plain(const Counted& x) { return x.value(); }
inline double twice(double x) { return 2.0 * x; }
inline Counted twice(const Counted& x) { return 2.0 * x.value(); }

}  // namespace lithe::reproduce
