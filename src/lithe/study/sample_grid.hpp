#pragma once
// From the even rows of a run to the instants of a measured record.

#include <vector>

namespace lithe::detail {

/// Rows from `from` on, `every` apart, such that the instants are rows or lie well between rows.
class SampleGrid {
 public:
  /// `times` ascend from `from` or later; at least one of them is later.
  SampleGrid(double from, const std::vector<double>& times);

  double every() const { return every_; }
  double until() const { return until_; }

  /// The value at an instant: of the row there, or of the polynomial of fifth degree through the six nearest rows.
  double at(double t, const std::vector<double>& rows) const;

 private:
  double from_, every_ = 0.0, until_ = 0.0;
};

}  // namespace lithe::detail
