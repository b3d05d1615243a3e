#include "lithe/simulation/switches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe::detail {
namespace {

constexpr double fewest_looks = 4.0;  ///< in a step, its end among them: a function may come back within a step
constexpr double looks_in_period = 8.0;
/// How far the bottom of a cosine lies beneath that of the parabola through three looks, in parts of their second
/// difference: with eight looks in a period at most 0.0157.
constexpr double beneath_parabola = 0.02;
constexpr double located = 1e-13;         ///< of the time: as exact as the clock
constexpr double least_interval = 1e-14;  ///< s

}  // namespace

void SwitchWatch::begin(const VectorX& values, int always_above) {
  above_.resize(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) above_[i] = i >= always_above || values[i] >= 0.0;
}

bool SwitchWatch::changed(const VectorX& values) const {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if ((values[i] >= 0.0) != static_cast<bool>(above_[i])) return true;
  return false;
}

/// Where a function may have been on the other side between the last three looks, `interval` apart, all of them on this
/// side: the time from the middle one to the bottom of the parabola through them, s. Not a number where none bends that far.
double SwitchWatch::deepest(double interval) const {
  double place = std::numeric_limits<double>::quiet_NaN(), lowest = 0.0;
  for (Eigen::Index i = 0; i < high_.size(); ++i) {
    const double side = above_[i] ? 1.0 : -1.0;
    const double before = side * before_[i], middle = side * low_[i], after = side * high_[i];
    const double slope = 0.5 * (after - before), curvature = before - 2.0 * middle + after;
    if (!(curvature > std::abs(slope))) continue;  // the bottom lies outside
    const double bottom = middle - 0.5 * slope * slope / curvature;
    const double beneath = bottom - beneath_parabola * curvature;
    if (beneath >= lowest) continue;
    lowest = beneath;
    place = -slope / curvature * interval;
  }
  return place;
}

std::optional<SwitchWatch::Change> SwitchWatch::first_change(double from, double to, double ripple,
                                                             const Values& values, RunStatus& refused) {
  const double looks = std::max(fewest_looks, std::ceil(looks_in_period * ripple * (to - from) / (2.0 * M_PI)));
  const double interval = (to - from) / looks;
  double begin = from, end = from;
  int known = 0;
  if (ripple > 0.0) {
    refused = values(from, high_);
    if (!refused) return std::nullopt;
    known = 1;
  }
  bool found = false;
  for (double i = 1.0; i <= looks && !found; ++i) {
    begin = end;
    end = i == looks ? to : from + interval * i;
    before_.swap(low_);
    low_.swap(high_);
    refused = values(end, high_);
    if (!refused) return std::nullopt;
    found = changed(high_);
    if (found || ++known < 3) continue;
    const double bottom = deepest(interval);
    if (std::isnan(bottom)) continue;
    refused = values(begin + bottom, middle_);
    if (!refused) return std::nullopt;
    found = changed(middle_);
    if (!found) continue;
    end = begin + bottom;
    high_.swap(middle_);
    if (bottom >= 0.0) continue;
    begin -= interval;
    low_.swap(before_);
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
