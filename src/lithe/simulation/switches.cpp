#include "lithe/simulation/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe::detail {
namespace {

constexpr int looks = 4;                  ///< in a step, its end among them: a function may come back within a step
constexpr double located = 1e-13;         ///< of the time: as exact as the clock
constexpr double least_interval = 1e-14;  ///< s

}  // namespace

void SwitchWatch::begin(const VectorX& values, int always_above) {
  above_.resize(static_cast<std::size_t>(values.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) above_[i] = i >= always_above || values[i] >= 0.0;
}

bool SwitchWatch::changed(const VectorX& values) const {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if ((values[i] >= 0.0) != static_cast<bool>(above_[i])) return true;
  return false;
}

std::optional<SwitchWatch::Change> SwitchWatch::first_change(double from, double to, const Values& values,
                                                             RunStatus& refused) {
  double begin = from, end = from;
  bool found = false;
  for (int i = 1; i <= looks && !found; ++i) {
    begin = end;
    end = i == looks ? to : from + (to - from) * i / looks;
    low_.swap(high_);
    refused = values(end, high_);
    if (!refused) return std::nullopt;
    found = changed(high_);
  }
  if (!found) return std::nullopt;

  // Regula falsi on the function that comes first, safeguarded by halving; the end stays where something has changed.
  bool knows_begin = begin > from;
  for (bool halve = false; end - begin > std::max(least_interval, located * std::abs(end)); halve = !halve) {
    double middle = 0.5 * (begin + end);
    if (knows_begin && !halve) {
      double first = 1.0;
      for (Eigen::Index i = 0; i < high_.size(); ++i)
        if ((high_[i] >= 0.0) != static_cast<bool>(above_[i]) && low_[i] != high_[i])
          first = std::min(first, low_[i] / (low_[i] - high_[i]));
      // A little beyond, so that the bracket closes from both sides.
      first = std::clamp(first, 0.0, 1.0);
      middle = begin + (end - begin) * std::clamp(first + 1e-3 * (1.0 - first), 1e-3, 1.0 - 1e-3);
    }
    if (!(middle > begin && middle < end)) break;
    refused = values(middle, middle_);
    if (!refused) return std::nullopt;
    if (changed(middle_)) {
      end = middle;
      high_.swap(middle_);
    } else {
      begin = middle;
      low_.swap(middle_);
      knows_begin = true;
    }
  }
  Change change{end, {}};
  for (Eigen::Index i = 0; i < high_.size(); ++i)
    if ((high_[i] >= 0.0) != static_cast<bool>(above_[i])) change.functions.push_back(static_cast<int>(i));
  return change;
}

}  // namespace lithe::detail
