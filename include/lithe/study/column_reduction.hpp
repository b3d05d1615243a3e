#pragma once
// One number from a column of a run.

#include <optional>
#include <span>

#include "lithe/study/study.hpp"

namespace lithe {

/// Times between which rows count, s; without: the ends of the run.
struct TimeWindow {
  std::optional<double> from, until;
};

/// Whether any of the ascending times is in the window.
bool has_rows(const TimeWindow& window, std::span<const double> t);

/// `x` at the ascending times `t`, as many of one as of the other. Not a number where the column does not have what is
/// asked for: no row in the window, no crossing.
double reduce_column(const Output& output, const TimeWindow& window, std::span<const double> t,
                     std::span<const double> x);

}  // namespace lithe
