#include "lithe/study/column_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lithe {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Integral of f(x) over time by trapezoids.
template <class F>
double integral_of(std::span<const double> t, std::span<const double> x, const F& f) {
  double sum = 0.0;
  for (std::size_t i = 1; i < t.size(); ++i) sum += 0.5 * (f(x[i - 1]) + f(x[i])) * (t[i] - t[i - 1]);
  return sum;
}

template <class F>
double time_mean(std::span<const double> t, std::span<const double> x, const F& f) {
  const double duration = t.back() - t.front();
  return duration > 0.0 ? integral_of(t, x, f) / duration : f(x.back());
}

double settling_time(double band, std::span<const double> t, std::span<const double> x) {
  std::size_t i = x.size() - 1;
  while (i > 0 && std::abs(x[i - 1] - x.back()) <= band) --i;
  if (i == 0) return 0.0;
  // Between the last row outside and the first one inside: where the line through both enters the band.
  const double outside = std::abs(x[i - 1] - x.back()), inside = std::abs(x[i] - x.back());
  const double part = outside > inside ? (outside - band) / (outside - inside) : 1.0;
  return t[i - 1] + part * (t[i] - t[i - 1]) - t.front();
}

double overshoot(std::span<const double> x) {
  const double way = x.back() - x.front();
  if (way == 0.0) return none;
  double beyond = 0.0;
  for (const double value : x) beyond = std::max(beyond, (value - x.back()) / way);
  return beyond;
}

/// Whole oscillations between the first and the last upward crossing of the mean, over the time between them.
double ringing(std::span<const double> t, std::span<const double> x) {
  const double mean = time_mean(t, x, [](double v) { return v; });
  double first = none, last = none;
  int crossings = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (!(x[i - 1] < mean && x[i] >= mean)) continue;
    last = t[i - 1] + (mean - x[i - 1]) / (x[i] - x[i - 1]) * (t[i] - t[i - 1]);
    if (++crossings == 1) first = last;
  }
  return crossings > 1 ? (crossings - 1) / (last - first) : none;
}

/// Places of the first row in the window and behind the last one.
std::pair<std::size_t, std::size_t> rows_in(const TimeWindow& window, std::span<const double> t) {
  if (t.empty() || std::isnan(window.from.value_or(0.0)) || std::isnan(window.until.value_or(0.0))) return {0, 0};
  // A row that stands at the end of the window but for rounding belongs to it.
  const double slack = 1e-9 * (t.back() - t.front());
  std::size_t begin = 0, end = t.size();
  if (window.from) begin = std::lower_bound(t.begin(), t.end(), *window.from - slack) - t.begin();
  if (window.until) end = std::upper_bound(t.begin(), t.end(), *window.until + slack) - t.begin();
  return {begin, std::max(begin, end)};
}

}  // namespace

bool has_rows(const TimeWindow& window, std::span<const double> t) {
  const auto [begin, end] = rows_in(window, t);
  return begin < end;
}

double reduce_column(const Output& output, const TimeWindow& window, std::span<const double> t,
                     std::span<const double> x) {
  const auto [begin, end] = rows_in(window, t);
  if (begin == end) return none;
  t = t.subspan(begin, end - begin);
  x = x.subspan(begin, end - begin);
  const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  switch (output.kind) {
    case OutputKind::peak:
      return std::abs(*std::max_element(x.begin(), x.end(), by_size));
    case OutputKind::maximum:
      return *high;
    case OutputKind::minimum:
      return *low;
    case OutputKind::final:
      return x.back();
    case OutputKind::mean:
      return time_mean(t, x, [](double v) { return v; });
    case OutputKind::rms:
      return std::sqrt(time_mean(t, x, [](double v) { return v * v; }));
    case OutputKind::range:
      return *high - *low;
    case OutputKind::integral:
      return integral_of(t, x, [](double v) { return v; });
    case OutputKind::peak_time:
      return t[std::max_element(x.begin(), x.end(), by_size) - x.begin()];
    case OutputKind::settling_time:
      return settling_time(output.band, t, x);
    case OutputKind::overshoot:
      return overshoot(x);
    case OutputKind::residual:
      return 0.5 * (*high - *low);
    case OutputKind::ringing:
      return ringing(t, x);
    default:
      return none;
  }
}

}  // namespace lithe
