#include "lithe/study/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/errors.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/free_memory.hpp"

namespace lithe {
namespace {

constexpr long most_variants = 100'000'000;

/// Every bit of the result depends on every bit of x: two rounds of multiplying and folding (a "finaliser").
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

/// Middle of one of 2^53 equal parts of the unit interval: neither 0 nor 1.
double unit_number(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53; }

bool has_correlated_axes(const SampleOptions& options) { return !options.correlations.empty(); }

}  // namespace

std::string name_of(SampleMethod method) {
  switch (method) {
    case SampleMethod::grid:
      return "grid";
    case SampleMethod::random:
      return "random";
    case SampleMethod::latin_hypercube:
      return "latin-hypercube";
    case SampleMethod::sobol:
      return "sobol";
    case SampleMethod::saltelli:
      return "sobol-indices";
    case SampleMethod::morris:
      return "morris";
  }
  return {};
}

Samples::Samples(std::vector<StudyAxis> axes, SampleOptions options)
    : axes_(std::move(axes)), options_(std::move(options)) {
  check();
  const auto d = std::ssize(axes_);
  double variants = static_cast<double>(options_.count);
  if (options_.method == SampleMethod::grid) {
    variants = 1.0;
    for (const StudyAxis& axis : axes_) variants *= static_cast<double>(axis.spread.values.size());
  } else if (options_.method == SampleMethod::saltelli) {
    variants *= static_cast<double>(d + 2);
  } else if (options_.method == SampleMethod::morris) {
    variants *= static_cast<double>(d + 1);
  }
  if (variants > most_variants)
    throw MechanismError("sample",
                         fmt::format("{:.3g} variants are more than {:.0e}, the most of one study; take fewer "
                                     "values, or sample the space: method sobol with a count",
                                     variants, static_cast<double>(most_variants)));
  size_ = static_cast<long>(variants);
  if (options_.method == SampleMethod::latin_hypercube) {
    require_memory(variants * static_cast<double>(axes_.size() * sizeof(std::uint32_t)), "sample",
                   fmt::format("the strata of {} variants", size_),
                   "take fewer of them, or method sobol, which has none");
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      std::vector<std::uint32_t> order(size_);
      std::iota(order.begin(), order.end(), 0U);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(drawn(2 * a + 1, i) * static_cast<double>(i))]);
      strata_.push_back(std::move(order));
    }
  }
  factor_correlations();
}

void Samples::check() const {
  if (axes_.empty()) throw MechanismError("axes", "a study needs at least one axis");
  for (const StudyAxis& axis : axes_) {
    if (const std::string fault = axis.spread.why_not(); !fault.empty()) throw MechanismError(axis.name, fault);
    if (options_.method == SampleMethod::grid && !axis.spread.is_discrete())
      throw MechanismError(axis.name, "a grid needs values: say 'values' or 'steps', or choose another sample method");
    if (options_.method == SampleMethod::morris &&
        (std::isinf(axis.spread.quantile(0.0)) || std::isinf(axis.spread.quantile(1.0))))
      throw MechanismError(axis.name,
                           "morris steps from end to end of an axis; give this one limits: 'low' and 'high'");
  }
  if (options_.method != SampleMethod::grid && options_.count < 1)
    throw MechanismError("sample", fmt::format("method {} needs a count of at least 1", name_of(options_.method)));
  if (options_.method == SampleMethod::morris && (options_.levels < 2 || options_.levels % 2 != 0))
    throw MechanismError("sample", "levels of morris must be an even number from 2");
  const auto dimensions = static_cast<int>(axes_.size());
  const int used = options_.method == SampleMethod::sobol      ? dimensions
                   : options_.method == SampleMethod::saltelli ? 2 * dimensions
                                                               : 0;
  if (used > sobol_dimensions)
    throw MechanismError("sample",
                         fmt::format("method {} takes at most {} axes, here are {}; latin-hypercube and morris "
                                     "take any number",
                                     name_of(options_.method), sobol_dimensions / (used / dimensions), dimensions));
  const bool independent = options_.method == SampleMethod::grid || options_.method == SampleMethod::saltelli ||
                           options_.method == SampleMethod::morris;
  if (has_correlated_axes(options_) && independent)
    throw MechanismError("sample",
                         fmt::format("method {} takes its axes as independent; drop 'correlations', or choose "
                                     "random, latin-hypercube or sobol",
                                     name_of(options_.method)));
}

/// R = L L', rows of L one after the other.
void Samples::factor_correlations() {
  if (options_.correlations.empty()) return;
  const std::size_t n = axes_.size();
  std::vector<std::string> names;
  for (const StudyAxis& axis : axes_) names.push_back(axis.name);
  const auto index = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw MechanismError("sample",
                           fmt::format("correlations: there is no axis '{}'{}", name, did_you_mean(name, names)));
    return static_cast<std::size_t>(found - names.begin());
  };
  std::vector<double> R(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) R[i * n + i] = 1.0;
  for (const AxisCorrelation& pair : options_.correlations) {
    const std::size_t i = index(pair.a), j = index(pair.b);
    if (i == j || !(std::abs(pair.value) < 1.0))
      throw MechanismError("sample",
                           fmt::format("correlations: that of '{}' and '{}' must be of two axes, and between -1 "
                                       "and 1",
                                       pair.a, pair.b));
    R[i * n + j] = R[j * n + i] = pair.value;
  }
  factor_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = R[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= factor_[i * n + k] * factor_[j * n + k];
      if (i == j && !(sum > 1e-12))
        throw MechanismError("sample",
                             fmt::format("correlations: no numbers can be correlated like this (the one of '{}' "
                                         "contradicts those before); make them smaller",
                                         names[i]));
      factor_[i * n + j] = i == j ? std::sqrt(sum) : sum / factor_[j * n + j];
    }
}

double Samples::drawn(std::uint64_t stream, std::uint64_t k) const {
  return unit_number(scattered(scattered(scattered(options_.seed) ^ stream) ^ k));
}

/// The sequence with all digits of a dimension turned over alike, by the seed: as even as before, and no point at 0.
double Samples::sobol_number(long k, int dimension) const {
  const auto turned = static_cast<std::uint32_t>(
      scattered(scattered(options_.seed) ^ (0x536f626f6cULL + static_cast<std::uint64_t>(dimension))) >> 32U);
  return (static_cast<double>(sobol_digits(static_cast<std::uint32_t>(k), dimension) ^ turned) + 0.5) * 0x1p-32;
}

/// Trajectory k / (d + 1): a base point on the levels, from which the axes move by half the range, one after the other
/// in an order of its own.
std::vector<double> Samples::morris_point(long k) const {
  const auto d = std::ssize(axes_);
  const long trajectory = k / (d + 1), moved = k % (d + 1);
  const int half = options_.levels / 2;
  const double spacing = 1.0 / (options_.levels - 1);
  std::vector<int> order(d);
  std::iota(order.begin(), order.end(), 0);
  const auto own = static_cast<std::uint64_t>(trajectory) * static_cast<std::uint64_t>(3 * d);
  for (long i = d; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(drawn(1, own + i) * static_cast<double>(i))]);
  std::vector<double> point(d);
  for (long a = 0; a < d; ++a) {
    const bool rises = drawn(2, own + a) < 0.5;
    const int base = static_cast<int>(drawn(3, own + a) * half) + (rises ? 0 : half);
    const long place = std::find(order.begin(), order.end(), static_cast<int>(a)) - order.begin();
    point[a] = spacing * (base + (place < moved ? (rises ? half : -half) : 0));
  }
  return point;
}

std::vector<double> Samples::probabilities(long k) const {
  const auto d = static_cast<int>(axes_.size());
  std::vector<double> p(axes_.size());
  switch (options_.method) {
    case SampleMethod::grid:
      break;
    case SampleMethod::random:
      for (int a = 0; a < d; ++a) p[a] = drawn(a, k);
      break;
    case SampleMethod::latin_hypercube:
      for (int a = 0; a < d; ++a) p[a] = (strata_[a][k] + drawn(2 * a, k)) / static_cast<double>(size_);
      break;
    case SampleMethod::sobol:
      for (int a = 0; a < d; ++a) p[a] = sobol_number(k, a);
      break;
    case SampleMethod::saltelli: {
      // Base point after base point: A, B, A with column 0 of B, ... A longer study starts with a shorter one.
      const long base = k / (d + 2), which = k % (d + 2);
      for (int a = 0; a < d; ++a) p[a] = sobol_number(base, which == 1 || which == a + 2 ? d + a : a);
      break;
    }
    case SampleMethod::morris:
      p = morris_point(k);
      break;
  }
  if (factor_.empty()) return p;
  std::vector<double> z(p.size()), correlated(p.size(), 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) z[i] = normal_quantile(p[i]);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) correlated[i] += factor_[i * p.size() + j] * z[j];
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = normal_probability(correlated[i]);
  return p;
}

std::vector<double> Samples::grid_point(long k) const {
  std::vector<double> point(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const std::vector<double>& values = axes_[a].spread.values;
    const auto count = std::ssize(values);
    point[a] = values[k % count];
    k /= count;
  }
  return point;
}

std::vector<double> Samples::at(long k) const {
  if (options_.method == SampleMethod::grid) return grid_point(k);
  std::vector<double> point = probabilities(k);
  for (std::size_t a = 0; a < point.size(); ++a) point[a] = axes_[a].spread.quantile(point[a]);
  return point;
}

}  // namespace lithe
