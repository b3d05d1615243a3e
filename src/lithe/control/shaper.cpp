#include "lithe/control/shaper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lithe/errors.hpp"

namespace lithe {
namespace {

constexpr double two_pi_of_shapers = 2 * std::numbers::pi;
constexpr int most_convolutions = 12;
constexpr int band_points = 201;

/// Decay over half a period of the oscillation: zeta pi/sqrt(1 - zeta^2).
double half_period_decay(double damping) { return damping * std::numbers::pi / std::sqrt(1.0 - damping * damping); }

void check_mode(double frequency, double damping) {
  if (!(frequency > 0.0) || !std::isfinite(frequency))
    throw MechanismError("frequency",
                         fmt::format("the frequency of a shaper is {} Hz; it must be positive", frequency));
  if (!(damping >= 0.0 && damping < 1.0))
    throw MechanismError("damping",
                         fmt::format("the damping ratio of a shaper is {}; it must be at least 0 and below 1: "
                                     "other modes do not vibrate",
                                     damping));
}

void check_vibration(double vibration) {
  if (!(vibration > 0.0 && vibration < 1.0))
    throw MechanismError("vibration", fmt::format("the allowed vibration is {}; it lies between 0 and 1", vibration));
}

/// Undamped impulses half a period apart, weighted by the decay until each of them: a zero of the sum at j w becomes one
/// at -sigma + j w.
Shaper weighted(const std::vector<double>& undamped, double frequency, double damping) {
  const double decay = half_period_decay(damping);
  Shaper shaper;
  double sum = 0.0;
  for (std::size_t i = 0; i < undamped.size(); ++i) {
    const double k = static_cast<double>(i);
    shaper.impulses.push_back({0.5 * k / frequency, undamped[i] * std::exp(-decay * k)});
    sum += shaper.impulses.back().amount;
  }
  for (Impulse& impulse : shaper.impulses) impulse.amount /= sum;
  return shaper;
}

/// The largest vibration that is left anywhere in the band.
double worst_vibration(const Shaper& shaper, double low, double high, double damping) {
  double worst = 0.0;
  for (int i = 0; i < band_points; ++i)
    worst = std::max(worst, residual_vibration(shaper, low + (high - low) * i / (band_points - 1.0), damping));
  return worst;
}

}  // namespace

std::string_view name_of(ShaperKind kind) {
  switch (kind) {
    case ShaperKind::zv:
      return "zv";
    case ShaperKind::zvd:
      return "zvd";
    case ShaperKind::zvdd:
      return "zvdd";
    case ShaperKind::ei:
      return "ei";
  }
  return "";
}

Shaper make_shaper(ShaperKind kind, double frequency, double damping, double vibration) {
  check_mode(frequency, damping);
  switch (kind) {
    case ShaperKind::zv:
      return weighted({1, 1}, frequency, damping);
    case ShaperKind::zvd:
      return weighted({1, 2, 1}, frequency, damping);
    case ShaperKind::zvdd:
      return weighted({1, 3, 3, 1}, frequency, damping);
    case ShaperKind::ei:
      break;
  }
  check_vibration(vibration);
  // Undamped impulses (1 + v)/4, (1 - v)/2, (1 + v)/4 leave v at the frequency. The weights of damping change what that is
  // relative to; v is such that `vibration` comes out.
  const double once = std::exp(-half_period_decay(damping)), twice = once * once;
  const double v =
      vibration * (0.25 * (1 + twice) + 0.5 * once) / (twice - vibration * (0.25 * (1 + twice) - 0.5 * once));
  if (!(v > 0.0 && v < 1.0))
    throw MechanismError("damping",
                         fmt::format("no EI shaper leaves {} of the vibration of a mode with damping ratio {}: it "
                                     "decays by itself; use zv",
                                     vibration, damping));
  return weighted({0.25 * (1 + v), 0.5 * (1 - v), 0.25 * (1 + v)}, frequency, damping);
}

Shaper convolve(const Shaper& first, const Shaper& second) {
  Shaper both;
  for (const Impulse& a : first.impulses)
    for (const Impulse& b : second.impulses) both.impulses.push_back({a.t + b.t, a.amount * b.amount});
  std::stable_sort(both.impulses.begin(), both.impulses.end(),
                   [](const Impulse& a, const Impulse& b) { return a.t < b.t; });
  // Impulses that fall together become one.
  std::vector<Impulse> merged;
  for (const Impulse& impulse : both.impulses) {
    if (!merged.empty() && impulse.t - merged.back().t <= 1e-12 * (1e-300 + both.impulses.back().t))
      merged.back().amount += impulse.amount;
    else
      merged.push_back(impulse);
  }
  both.impulses = std::move(merged);
  return both;
}

double residual_vibration(const Shaper& shaper, double frequency, double damping) {
  const double omega = two_pi_of_shapers * frequency, sigma = 2 * frequency * half_period_decay(damping);
  std::complex<double> sum = 0.0;
  for (const Impulse& impulse : shaper.impulses)
    sum += impulse.amount * std::exp(std::complex<double>(sigma, omega) * (impulse.t - shaper.duration()));
  // Against one impulse at the start, seen at the end of the shaper.
  return std::abs(sum);
}

Shaper shaper_for_band(double low, double high, double damping, double vibration) {
  check_mode(low, damping);
  check_vibration(vibration);
  if (!(high >= low) || !std::isfinite(high))
    throw MechanismError(
        "band", fmt::format("the band of a shaper goes from {} to {} Hz; the second must be larger", low, high));
  const double middle = 0.5 * (low + high);
  std::vector<Shaper> candidates;
  Shaper repeated = make_shaper(ShaperKind::zv, middle, damping);
  candidates.push_back(repeated);
  if (damping < 0.3) candidates.push_back(make_shaper(ShaperKind::ei, middle, damping, vibration));
  for (int i = 1; i < most_convolutions; ++i) {
    repeated = convolve(repeated, make_shaper(ShaperKind::zv, middle, damping));
    candidates.push_back(repeated);
  }
  const Shaper* best = nullptr;
  for (const Shaper& candidate : candidates)
    if (worst_vibration(candidate, low, high, damping) <= vibration * (1 + 1e-9) &&
        (best == nullptr || candidate.duration() < best->duration() - 1e-12))
      best = &candidate;
  if (best == nullptr)
    throw MechanismError("band",
                         fmt::format("no shaper of {} impulses leaves at most {} of the vibration from {} to {} Hz; "
                                     "split the band into several and convolve their shapers",
                                     most_convolutions + 1, vibration, low, high));
  return *best;
}

VectorX sampled_shaper(const Shaper& shaper, double period) {
  if (!(period > 0.0))
    throw MechanismError("sample time", fmt::format("the sample time is {} s; it must be positive", period));
  VectorX filter = VectorX::Zero(static_cast<Eigen::Index>(std::ceil(shaper.duration() / period - 1e-9)) + 1);
  for (const Impulse& impulse : shaper.impulses) {
    const double place = impulse.t / period;
    auto k = static_cast<Eigen::Index>(std::floor(place + 1e-9));
    const double part = std::max(0.0, place - static_cast<double>(k));
    filter[k] += (1.0 - part) * impulse.amount;
    if (part > 0.0 && k + 1 < filter.size()) filter[k + 1] += part * impulse.amount;
  }
  return filter;
}

VectorX sampled_smoother(double frequency, double period) {
  check_mode(frequency, 0.0);
  if (!(period > 0.0))
    throw MechanismError("sample time", fmt::format("the sample time is {} s; it must be positive", period));
  // As many equal coefficients as samples fit, the rest of the period half and half at both ends.
  const double samples = 1.0 / (frequency * period);
  const auto whole = static_cast<Eigen::Index>(std::floor(samples + 1e-9));
  const double rest = std::max(0.0, samples - static_cast<double>(whole));
  if (rest <= 1e-9) return VectorX::Constant(whole, 1.0 / samples);
  VectorX filter = VectorX::Constant(whole + 2, 1.0 / samples);
  filter[0] = filter[whole + 1] = 0.5 * rest / samples;
  return filter;
}

VectorX filter_command(const VectorX& filter, const VectorX& command) {
  if (filter.size() == 0 || command.size() == 0) return command;
  VectorX shaped = VectorX::Zero(command.size() + filter.size() - 1);
  for (Eigen::Index i = 0; i < shaped.size(); ++i)
    for (Eigen::Index k = 0; k < filter.size(); ++k)
      shaped[i] += filter[k] * command[std::clamp<Eigen::Index>(i - k, 0, command.size() - 1)];
  return shaped;
}

}  // namespace lithe
