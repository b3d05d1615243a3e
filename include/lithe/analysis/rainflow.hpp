#pragma once
// Rainflow counting (ASTM E1049, 5.4.4) and Miner's sum: from the history of a stress to the damage that it does.
//
// A history is taken to its reversals. Whenever a range is at least as large as the one before it, that one is a cycle;
// one that contains the start of the history, and what is left at its end, counts as half a cycle.

#include <cmath>
#include <span>
#include <vector>

#include "lithe/links/strength.hpp"

namespace lithe {

struct RainflowCycle {
  double range = 0.0;  ///< from the least to the largest value; twice the amplitude
  double mean = 0.0;   ///< of the two
  double count = 0.0;  ///< 1 or 0.5
};

/// Counts while the history goes on; keeps only the reversals that are still open.
class RainflowCounter {
 public:
  /// `visit(cycle)` for every cycle that the value closes.
  template <class Visit>
  void push(double value, Visit&& visit) {
    if (reversals_.empty()) {
      reversals_.push_back(value);
    } else if (!has_extreme_) {
      has_extreme_ = value != reversals_.back();
      extreme_ = value;
    } else if ((value - extreme_) * (extreme_ - reversals_.back()) >= 0.0) {
      extreme_ = value;  // further the same way
    } else {
      reverse(visit);
      extreme_ = value;
    }
  }

  /// Ends the history: `visit(cycle)` for what is left.
  template <class Visit>
  void finish(Visit&& visit) {
    if (has_extreme_) reverse(visit);
    has_extreme_ = false;
    for (std::size_t i = 0; i + 1 < reversals_.size(); ++i) visit(between(i, 0.5));
    reversals_.clear();
  }

 private:
  RainflowCycle between(std::size_t i, double count) const {
    const double a = reversals_[i], b = reversals_[i + 1];
    return {std::abs(b - a), (a + b) / 2, count};
  }

  template <class Visit>
  void reverse(Visit&& visit) {
    reversals_.push_back(extreme_);
    for (std::size_t n = reversals_.size(); n >= 3; n = reversals_.size()) {
      const bool starts = n == 3;
      const RainflowCycle before = between(n - 3, starts ? 0.5 : 1.0);
      if (between(n - 2, 1.0).range < before.range) break;
      visit(before);
      const auto first = reversals_.begin() + static_cast<std::ptrdiff_t>(n - 3);
      reversals_.erase(first, first + (starts ? 1 : 2));
    }
  }

  std::vector<double> reversals_;
  double extreme_ = 0.0;  ///< where the history stands since the last reversal
  bool has_extreme_ = false;
};

/// The cycles of a history, in the order in which they close. Throws std::invalid_argument for a value that is not
/// finite.
std::vector<RainflowCycle> rainflow(std::span<const double> history);

/// What one cycle adds to Miner's sum.
double cycle_damage(const RainflowCycle& cycle, const SnLine& line);

/// Miner's sum: failure is expected at 1.
double miner_damage(std::span<const RainflowCycle> cycles, const SnLine& line);

}  // namespace lithe
