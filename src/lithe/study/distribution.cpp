#include "lithe/study/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lithe {
namespace {

constexpr double no_end = std::numeric_limits<double>::infinity();

double triangular_probability(double x, double a, double b, double c) {
  if (x <= a) return 0.0;
  if (x >= c) return 1.0;
  return x <= b ? (x - a) * (x - a) / ((c - a) * (b - a)) : 1.0 - (c - x) * (c - x) / ((c - a) * (c - b));
}

}  // namespace

Distribution::Distribution() : low(-no_end), high(no_end) {}

double normal_probability(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double probability) {
  if (probability <= 0.0) return -no_end;
  if (probability >= 1.0) return no_end;
  // The smaller tail keeps its digits. Newton's steps with the third-order term of Halley, from the start that the
  // leading term of the tail, exp(-x^2 / 2), gives.
  const bool upper = probability > 0.5;
  const double tail = upper ? 1.0 - probability : probability;
  double x = -std::sqrt(std::max(0.0, -2.0 * std::log(2.0 * tail)));
  for (int i = 0; i < 50; ++i) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = (normal_probability(x) - tail) / density;
    const double step = newton / (1.0 + 0.5 * x * newton);
    x -= step;
    if (std::abs(step) <= 1e-15 * (1.0 + std::abs(x))) break;
  }
  return upper ? -x : x;
}

double Distribution::whole_quantile(double p) const {
  switch (kind) {
    case Kind::values:
      return values[std::min(static_cast<std::size_t>(p * static_cast<double>(values.size())), values.size() - 1)];
    case Kind::uniform:
      return a + p * (b - a);
    case Kind::log_uniform:
      return a * std::pow(b / a, p);
    case Kind::normal:
      return a + b * normal_quantile(p);
    case Kind::lognormal:
      return a * std::exp(b * normal_quantile(p));
    case Kind::triangular:
      return p <= (b - a) / (c - a) ? a + std::sqrt(p * (c - a) * (b - a))
                                    : c - std::sqrt((1.0 - p) * (c - a) * (c - b));
    case Kind::weibull:
      return a * std::pow(-std::log1p(-p), 1.0 / b);
  }
  return a;
}

double Distribution::whole_probability(double x) const {
  switch (kind) {
    case Kind::values:
      return static_cast<double>(std::count_if(values.begin(), values.end(), [x](double v) { return v <= x; })) /
             static_cast<double>(values.size());
    case Kind::uniform:
      return std::clamp((x - a) / (b - a), 0.0, 1.0);
    case Kind::log_uniform:
      return x <= a ? 0.0 : std::min(1.0, std::log(x / a) / std::log(b / a));
    case Kind::normal:
      return normal_probability((x - a) / b);
    case Kind::lognormal:
      return x <= 0.0 ? 0.0 : normal_probability(std::log(x / a) / b);
    case Kind::triangular:
      return triangular_probability(x, a, b, c);
    case Kind::weibull:
      return x <= 0.0 ? 0.0 : -std::expm1(-std::pow(x / a, b));
  }
  return 0.0;
}

double Distribution::quantile(double p) const {
  if (low == -no_end && high == no_end) return whole_quantile(p);
  const double below = whole_probability(low), inside = whole_probability(high) - below;
  return std::clamp(whole_quantile(below + p * inside), low, high);
}

double Distribution::probability(double x) const {
  if (low == -no_end && high == no_end) return whole_probability(x);
  const double below = whole_probability(low), inside = whole_probability(high) - below;
  return std::clamp((whole_probability(x) - below) / inside, 0.0, 1.0);
}

double Distribution::least() const {
  switch (kind) {
    case Kind::values:
      return *std::min_element(values.begin(), values.end());
    case Kind::normal:
      return low;
    case Kind::lognormal:
    case Kind::weibull:
      return std::max(low, 0.0);
    default:
      return std::max(low, a);
  }
}

double Distribution::most() const {
  switch (kind) {
    case Kind::values:
      return *std::max_element(values.begin(), values.end());
    case Kind::uniform:
    case Kind::log_uniform:
      return std::min(high, b);
    case Kind::triangular:
      return std::min(high, c);
    default:
      return high;
  }
}

std::string Distribution::why_not() const {
  switch (kind) {
    case Kind::values:
      if (values.empty()) return "at least one value is needed";
      break;
    case Kind::uniform:
      if (!(a < b)) return "the first end must be below the second one";
      break;
    case Kind::log_uniform:
      if (!(0.0 < a && a < b)) return "both ends must be positive, the first one below the second";
      break;
    case Kind::normal:
      if (!(b > 0.0)) return "the standard deviation must be positive";
      break;
    case Kind::lognormal:
      if (!(a > 0.0 && b > 0.0)) return "the median and the standard deviation of the logarithm must be positive";
      break;
    case Kind::triangular:
      if (!(a <= b && b <= c && a < c)) return "least, most frequent and largest value must ascend";
      break;
    case Kind::weibull:
      if (!(a > 0.0 && b > 0.0)) return "scale and shape must be positive";
      break;
  }
  if (!(low < high)) return "the lower limit must be below the upper one";
  if (!is_discrete() && !(whole_probability(high) - whole_probability(low) > 1e-9))
    return "hardly any value lies between the limits";
  return {};
}

}  // namespace lithe
