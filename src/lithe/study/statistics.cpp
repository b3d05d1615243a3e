#include "lithe/study/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lithe {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Taken from the first value on: equal values have their mean without rounding, and no deviation.
double mean_of(const std::vector<double>& values) {
  if (values.empty()) return undefined;
  const double sum = std::accumulate(values.begin(), values.end(), 0.0,
                                     [&](double before, double value) { return before + (value - values.front()); });
  return values.front() + sum / static_cast<double>(values.size());
}

/// Between the two nearest of the sorted values.
double percentile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<double> ranks(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> rank(x.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && x[order[end]] == x[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) rank[order[i]] = 0.5 * static_cast<double>(begin + end - 1);
    begin = end;
  }
  return rank;
}

/// Regularised incomplete beta function I_x(a, b) by its continued fraction, modified Lentz's way of evaluating it.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - incomplete_beta(b, a, 1.0 - x);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
  constexpr double tiny = 1e-300;
  double f = 1.0, c = 1.0, d = 0.0;
  for (int i = 0; i < 500; ++i) {
    const int m = i / 2;
    double numerator = 1.0;
    if (i > 0)
      numerator = i % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                             : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1.0 + numerator * d;
    d = 1.0 / (std::abs(d) < tiny ? tiny : d);
    c = 1.0 + numerator / c;
    if (std::abs(c) < tiny) c = tiny;
    f *= c * d;
    if (std::abs(c * d - 1.0) < 1e-15) break;
  }
  return front * (f - 1.0);
}

/// x with I_x(a, b) = probability.
double beta_quantile(double probability, double a, double b) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 200 && high - low > 1e-15; ++i) {
    const double middle = 0.5 * (low + high);
    (incomplete_beta(a, b, middle) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Solves the normal equations A x = b, A row by row. An unknown whose column is made of those before it (an axis that
/// does not vary, the square of one with two values) is 0.
void solve_normal(std::vector<double> A, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = A[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= A[j * n + k] * A[j * n + k];
    const bool is_free = pivot > 1e-12 * std::abs(A[j * n + j]);
    A[j * n + j] = is_free ? std::sqrt(pivot) : 0.0;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = is_free ? sum / A[j * n + j] : 0.0;
    }
  }
  const auto divide = [&](std::size_t i) { b[i] = A[i * n + i] > 0.0 ? b[i] / A[i * n + i] : 0.0; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
    divide(i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
    divide(i);
  }
}

/// Indices of one part of the base points.
std::vector<SobolIndex> indices_of(const std::vector<double>& y, const std::vector<std::size_t>& bases, int d) {
  std::vector<SobolIndex> indices(d);
  const auto width = static_cast<std::size_t>(d) + 2;
  double mean = 0.0, square = 0.0;
  for (const std::size_t base : bases)
    for (const std::size_t which : {0, 1}) mean += y[base * width + which];
  mean /= 2.0 * static_cast<double>(bases.size());
  for (const std::size_t base : bases)
    for (const std::size_t which : {0, 1}) square += std::pow(y[base * width + which] - mean, 2);
  const double variance = square / (2.0 * static_cast<double>(bases.size()));
  for (int a = 0; a < d; ++a) {
    double first = 0.0, total = 0.0;
    for (const std::size_t base : bases) {
      const double A = y[base * width] - mean, B = y[base * width + 1] - mean, mixed = y[base * width + 2 + a] - mean;
      first += B * (mixed - A);
      total += 0.5 * (A - mixed) * (A - mixed);
    }
    indices[a].first = first / (static_cast<double>(bases.size()) * variance);
    indices[a].total = total / (static_cast<double>(bases.size()) * variance);
  }
  return indices;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  Spread spread;
  std::erase_if(values, [](double v) { return std::isnan(v); });
  spread.count = std::ssize(values);
  if (values.empty()) {
    spread.mean = spread.deviation = spread.least = spread.most = spread.median = undefined;
    spread.percentile_5 = spread.percentile_95 = undefined;
    return spread;
  }
  std::sort(values.begin(), values.end());
  spread.mean = mean_of(values);
  double square = 0.0;
  for (const double v : values) square += (v - spread.mean) * (v - spread.mean);
  spread.deviation = values.size() > 1 ? std::sqrt(square / static_cast<double>(values.size() - 1)) : 0.0;
  spread.least = values.front();
  spread.most = values.back();
  spread.median = percentile(values, 0.5);
  spread.percentile_5 = percentile(values, 0.05);
  spread.percentile_95 = percentile(values, 0.95);
  return spread;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double mx = mean_of(x), my = mean_of(y);
  double xx = 0.0, yy = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0.0 && yy > 0.0 ? xy / std::sqrt(xx * yy) : undefined;
}

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  return correlation(ranks(x), ranks(y));
}

FailureProbability failure_probability(long failures, long variants, double confidence) {
  FailureProbability answer{failures, variants, 0.0, 0.0, 1.0, confidence};
  if (variants == 0) return answer;
  const double half = 0.5 * (1.0 - confidence);
  const auto k = static_cast<double>(failures), n = static_cast<double>(variants);
  answer.probability = k / n;
  if (failures > 0) answer.low = beta_quantile(half, k, n - k + 1.0);
  if (failures < variants) answer.high = beta_quantile(1.0 - half, k + 1.0, n - k);
  return answer;
}

std::vector<SobolIndex> sobol_indices(const std::vector<double>& results, int axes) {
  const auto width = static_cast<std::size_t>(axes) + 2;
  std::vector<std::size_t> bases;
  for (std::size_t base = 0; (base + 1) * width <= results.size(); ++base) {
    const auto begin = results.begin() + static_cast<long>(base * width);
    if (std::none_of(begin, begin + static_cast<long>(width), [](double v) { return std::isnan(v); }))
      bases.push_back(base);
  }
  if (bases.size() < 2)
    return std::vector<SobolIndex>(axes, {undefined, undefined, undefined, undefined});
  std::vector<SobolIndex> indices = indices_of(results, bases, axes);
  // Jackknife over ten groups: each left out once.
  constexpr std::size_t groups = 10;
  if (bases.size() >= 2 * groups) {
    std::vector<std::vector<SobolIndex>> parts;
    for (std::size_t g = 0; g < groups; ++g) {
      std::vector<std::size_t> others;
      for (std::size_t i = 0; i < bases.size(); ++i)
        if (i % groups != g) others.push_back(bases[i]);
      parts.push_back(indices_of(results, others, axes));
    }
    for (int a = 0; a < axes; ++a) {
      double first = 0.0, total = 0.0;
      for (const auto& part : parts) {
        first += std::pow(part[a].first - indices[a].first, 2);
        total += std::pow(part[a].total - indices[a].total, 2);
      }
      indices[a].first_error = std::sqrt(first * (groups - 1) / groups);
      indices[a].total_error = std::sqrt(total * (groups - 1) / groups);
    }
  }
  return indices;
}

std::vector<MorrisEffect> morris_effects(const Samples& samples, const std::vector<double>& results) {
  const std::size_t d = samples.axes().size();
  std::vector<std::vector<double>> effects(d);
  for (long k = 0; k + 1 < samples.size(); ++k) {
    if ((k + 1) % static_cast<long>(d + 1) == 0) continue;  // the next one starts another trajectory
    if (std::isnan(results[k]) || std::isnan(results[k + 1])) continue;
    const std::vector<double> before = samples.probabilities(k), after = samples.probabilities(k + 1);
    for (std::size_t a = 0; a < d; ++a)
      if (after[a] != before[a]) effects[a].push_back((results[k + 1] - results[k]) / (after[a] - before[a]));
  }
  std::vector<MorrisEffect> answer(d);
  for (std::size_t a = 0; a < d; ++a) {
    const Spread spread = spread_of(effects[a]);
    answer[a] = {spread.mean, 0.0, spread.deviation};
    for (const double effect : effects[a])
      answer[a].mean_size += std::abs(effect) / static_cast<double>(effects[a].size());
  }
  return answer;
}

double ResponseSurface::at(const std::vector<double>& values) const {
  std::vector<double> x(values.size());
  double y = constant;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = (values[i] - mean[i]) / scale[i];
    y += linear[i] * x[i];
  }
  std::size_t term = 0;
  for (std::size_t i = 0; i < x.size() && !quadratic.empty(); ++i)
    for (std::size_t j = i; j < x.size(); ++j) y += quadratic[term++] * x[i] * x[j];
  return y;
}

ResponseSurface response_surface(const StudyTable& table, int output) {
  const std::size_t d = table.axes.size();
  std::vector<long> rows = table.good_rows();
  std::erase_if(rows, [&](long row) { return std::isnan(table.results_of(row)[output]); });
  ResponseSurface surface;
  std::vector<double> y;
  for (const long row : rows) y.push_back(table.results_of(row)[output]);
  for (std::size_t a = 0; a < d; ++a) {
    std::vector<double> x;
    for (const long row : rows) x.push_back(table.values_of(row)[a]);
    const Spread spread = spread_of(std::move(x));
    surface.mean.push_back(spread.mean);
    surface.scale.push_back(spread.deviation > 0.0 ? spread.deviation : 1.0);
  }
  surface.linear.assign(d, 0.0);
  if (y.empty()) return surface;
  surface.constant = mean_of(y);
  const std::size_t squares = d * (d + 1) / 2;
  for (const bool bent : {true, false}) {
    const std::size_t n = 1 + d + (bent ? squares : 0);
    if (rows.size() < (bent ? 2 * n : n)) continue;
    std::vector<double> A(n * n, 0.0), b(n, 0.0), f(n);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto values = table.values_of(rows[r]);
      f[0] = 1.0;
      for (std::size_t i = 0; i < d; ++i) f[1 + i] = (values[i] - surface.mean[i]) / surface.scale[i];
      std::size_t term = 1 + d;
      for (std::size_t i = 0; i < d && bent; ++i)
        for (std::size_t j = i; j < d; ++j) f[term++] = f[1 + i] * f[1 + j];
      for (std::size_t i = 0; i < n; ++i) {
        b[i] += f[i] * y[r];
        for (std::size_t j = 0; j <= i; ++j) A[i * n + j] += f[i] * f[j];
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) A[i * n + j] = A[j * n + i];
    solve_normal(std::move(A), b);
    surface.constant = b[0];
    surface.linear.assign(b.begin() + 1, b.begin() + 1 + static_cast<long>(d));
    surface.quadratic.assign(b.begin() + 1 + static_cast<long>(d), b.end());
    break;
  }
  double left = 0.0, whole = 0.0;
  const double mean = mean_of(y);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto values = table.values_of(rows[r]);
    left += std::pow(y[r] - surface.at({values.begin(), values.end()}), 2);
    whole += std::pow(y[r] - mean, 2);
  }
  surface.determination = whole > 0.0 ? 1.0 - left / whole : undefined;
  return surface;
}

ToleranceBudget tolerance_budget(const StudyTable& table, int output) {
  const ResponseSurface surface = response_surface(table, output);
  std::vector<long> rows = table.good_rows();
  std::erase_if(rows, [&](long row) { return std::isnan(table.results_of(row)[output]); });
  std::vector<double> y;
  for (const long row : rows) y.push_back(table.results_of(row)[output]);
  const double deviation = spread_of(y).deviation;
  ToleranceBudget budget;
  double explained = 0.0;
  for (std::size_t a = 0; a < surface.linear.size(); ++a) {
    std::vector<double> x;
    for (const long row : rows) x.push_back(table.values_of(row)[a]);
    const double slope = surface.linear[a];
    budget.shares.push_back(!(deviation > 0.0) ? undefined
                            : slope == 0.0     ? 0.0
                                               : slope * correlation(x, y) / deviation);
    explained += budget.shares.back();
  }
  budget.unexplained = std::isnan(explained) ? undefined : std::max(0.0, 1.0 - explained);
  return budget;
}

}  // namespace lithe
