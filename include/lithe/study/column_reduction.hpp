#pragma once
// One number from a column of a run.

#include <span>

#include "lithe/study/study.hpp"

namespace lithe {

/// `x` at the ascending times `t`, as many of one as of the other; only rows between `from` and `until` of the output
/// count. Not a number where the column does not have what is asked for: no row in the window, no crossing.
double reduce_column(const Output& output, std::span<const double> t, std::span<const double> x);

}  // namespace lithe
