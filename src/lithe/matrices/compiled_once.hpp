// Keeps the compiler from instantiating the heavy templates of Eigen in every file: `compiled_once.cpp` has them. Part
// of the precompiled headers, so that no file needs to include it; without it everything compiles as well, more slowly.
#pragma once

#include <Eigen/Dense>

#define LITHE_INSTANTIATION extern template
#include "lithe/matrices/compiled_once.inc"
#undef LITHE_INSTANTIATION
