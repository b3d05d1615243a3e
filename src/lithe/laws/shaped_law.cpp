#include "lithe/laws/shaped_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lithe/laws/jet.hpp"
#include "lithe/spatial/gauss_rule.hpp"

namespace lithe {
namespace {

constexpr int points_between_kinks = 16;  ///< exact up to degree 31; a whole period of a sine to rounding
constexpr double infinity_of_time = std::numeric_limits<double>::infinity();

/// t - delay, on that side of a kink of the command on which t is of the kink of the copy: rounding must not take the
/// other one.
double late_time(const std::vector<double>& kinks, double t, double delay) {
  const double late = t - delay;
  const double near = 8.0 * std::numeric_limits<double>::epsilon() * (std::abs(t) + std::abs(delay));
  const auto kink = std::lower_bound(kinks.begin(), kinks.end(), late - near);
  if (kink == kinks.end() || *kink > late + near) return late;
  return t >= *kink + delay ? std::max(late, *kink) : std::min(late, std::nextafter(*kink, -infinity_of_time));
}

}  // namespace

Jet detail::value_of(const ShapedLaw& law, double t) {
  Jet sum;
  for (const LateCopy& copy : law.copies) {
    const Jet one = law.command->at(late_time(law.kinks, t, copy.delay));
    sum.value += copy.amount * one.value;
    sum.rate += copy.amount * one.rate;
    sum.second += copy.amount * one.second;
  }
  return sum;
}

Jet detail::value_of(const SmoothedLaw& law, double t) {
  static const GaussRule rule = gauss_rule(points_between_kinks);
  const double begin = late_time(law.kinks, t, law.window);
  const Jet now = law.command->at(t), before = law.command->at(begin);
  double area = 0.0, from = begin;
  auto kink = std::upper_bound(law.kinks.begin(), law.kinks.end(), begin);
  while (from < t) {
    const double to = kink == law.kinks.end() ? t : std::min(t, *kink++);
    for (int i = 0; i < points_between_kinks; ++i)
      area += (to - from) * rule.weight[i] * law.command->at(from + (to - from) * rule.at[i]).value;
    from = to;
  }
  return {area / law.window, (now.value - before.value) / law.window, (now.rate - before.rate) / law.window};
}

Law shaped_law(const Law& command, std::vector<LateCopy> copies) {
  if (copies.empty()) throw std::invalid_argument("a shaped law needs at least one copy of the command");
  return ShapedLaw{std::make_shared<Law>(command), std::move(copies), command.breakpoints()};
}

Law smoothed_law(const Law& command, double window) {
  if (!(window > 0.0)) throw std::invalid_argument("the time over which a law is averaged must be positive");
  return SmoothedLaw{std::make_shared<Law>(command), window, command.breakpoints()};
}

}  // namespace lithe
