#pragma once
// Times of fixed-step methods: origin + k step, so that rounding does not accumulate; the last step lands on the limit.

#include <cmath>

namespace lithe::detail {

class StepGrid {
 public:
  StepGrid() = default;
  StepGrid(double origin, double step) : origin_(origin), step_(step) {}

  /// End of the step that starts at grid point number `index` (counted by the caller), not beyond `limit`.
  double next(double limit) {
    const double end = origin_ + static_cast<double>(++index_) * step_;
    return end > limit - 1e-9 * step_ ? limit : end;
  }

 private:
  double origin_ = 0.0, step_ = 1.0;
  long index_ = 0;
};

}  // namespace lithe::detail
