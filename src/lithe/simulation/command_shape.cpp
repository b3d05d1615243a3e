#include "lithe/simulation/command_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lithe/analysis/linearize.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {
namespace {

constexpr double hardly_vibrates = 0.7;  ///< damping ratio
constexpr double at_rest = 1e-3;         ///< part of the vibration that is none
/// Of the largest pole: rigid motions of free motors are double poles at zero, of which rounding makes pairs this far apart.
constexpr double no_motion = 1e-6;

/// The shaper of one mode.
Shaper shaper_of(const CommandShape& shape, const Vibration& mode) {
  if (shape.band > 0.0)
    return shaper_for_band((1.0 - shape.band) * mode.frequency, (1.0 + shape.band) * mode.frequency, mode.damping,
                           shape.vibration);
  return make_shaper(*shape.kind, mode.frequency, mode.damping, shape.vibration);
}

/// What averages over these windows leave of the vibration of a mode: the response of each at s = -sigma + j w.
double left_by_averages(const std::vector<double>& windows, const Vibration& mode) {
  const double omega = 2 * std::numbers::pi * mode.frequency;
  const double sigma = omega * mode.damping / std::sqrt(1.0 - mode.damping * mode.damping);
  const std::complex<double> s(sigma, omega);
  double left = 1.0;
  for (const double window : windows) left *= std::abs((1.0 - std::exp(-s * window)) / (s * window));
  return left;
}

constexpr int most_averages = 6;  ///< for one mode and its band
constexpr int band_points = 200;  ///< at which a band is looked at

/// Averages over periods from a band of frequencies, as few as leave at most `vibration` anywhere in it. Their zeros stand where those
/// of a Chebyshev polynomial do.
std::vector<double> averages_for_band(const Vibration& mode, double band, double vibration) {
  if (band == 0.0) return {1.0 / mode.frequency};
  for (int count = 1; count <= most_averages; ++count) {
    std::vector<double> windows;
    for (int i = 0; i < count; ++i)
      windows.push_back(1.0 /
                        (mode.frequency * (1.0 + band * std::cos(std::numbers::pi * (2 * i + 1) / (2.0 * count)))));
    double worst = 0.0;
    for (int k = 0; k <= band_points; ++k)
      worst = std::max(worst, left_by_averages(windows, {mode.frequency * (1.0 + band * (2.0 * k / band_points - 1.0)),
                                                         mode.damping}));
    if (worst <= vibration) return windows;
  }
  throw MechanismError("band", fmt::format("no {} averages leave {} of the vibration of {:.5g} Hz in a band of {:.3g} "
                                           "percent; take a narrower band",
                                           most_averages, vibration, mode.frequency, 100 * band));
}

bool is_quiet(const CommandShape& shape, const CommandFilter& filter, const Vibration& mode) {
  if (!shape.kind) return !filter.windows.empty() && left_by_averages(filter.windows, mode) <= at_rest;
  return !filter.shaper.impulses.empty() && residual_vibration(filter.shaper, mode.frequency, mode.damping) <= at_rest;
}

void add_mode(const CommandShape& shape, const Vibration& mode, CommandFilter& filter) {
  if (!shape.kind) {
    if (!(mode.frequency > 0.0))
      throw MechanismError("frequency", fmt::format("the frequency is {} Hz; it must be positive", mode.frequency));
    const std::vector<double> windows = averages_for_band(mode, shape.band, shape.vibration);
    filter.windows.insert(filter.windows.end(), windows.begin(), windows.end());
    return;
  }
  const Shaper one = shaper_of(shape, mode);
  filter.shaper = filter.shaper.impulses.empty() ? one : convolve(filter.shaper, one);
}

/// Motors as they are driven, see vibrations_after_motion().
Motors motors_of_drives(const Model& model) {
  const bool held = std::any_of(model.drives.begin(), model.drives.end(),
                                [](const Drive& drive) { return drive.prescribed || drive.controlled; });
  return held ? Motors::servo : Motors::loaded;
}

}  // namespace

bool CommandShape::operator==(const CommandShape& other) const {
  const auto same = [](const Vibration& a, const Vibration& b) {
    return a.frequency == b.frequency && a.damping == b.damping;
  };
  return kind == other.kind && count == other.count && band == other.band && vibration == other.vibration &&
         std::equal(modes.begin(), modes.end(), other.modes.begin(), other.modes.end(), same);
}

double CommandFilter::duration() const {
  double sum = shaper.duration();
  for (const double window : windows) sum += window;
  return sum;
}

Law CommandFilter::applied_to(const Law& command) const {
  Law law = command;
  if (law.empty()) return law;
  if (!shaper.impulses.empty()) {
    std::vector<LateCopy> copies;
    for (const Impulse& impulse : shaper.impulses) copies.push_back({impulse.t, impulse.amount});
    law = shaped_law(law, std::move(copies));
  }
  for (const double window : windows) law = smoothed_law(law, window);
  return law;
}

double end_of_motion(const Model& model) {
  std::vector<double> times;
  const auto add = [&](const std::vector<double>& kinks) {
    if (!kinks.empty()) times.push_back(kinks.back());
  };
  for (const Drive& drive : model.drives) add(drive.follow.breakpoints());
  for (const PathDrive& path : model.paths) add(path.path.breakpoints());
  return times.empty() ? model.run.until : *std::max_element(times.begin(), times.end());
}

std::vector<Vibration> vibrations_after_motion(const Model& model) {
  const OperatingPoint point(model, {end_of_motion(model), true, motors_of_drives(model)});
  std::vector<Vibration> found;
  const std::vector<std::complex<double>> all = poles(point.linear().state_matrix());
  double largest = 0.0;
  for (const std::complex<double>& pole : all) largest = std::max(largest, std::abs(pole));
  for (const std::complex<double>& pole : all) {
    const double damping = std::abs(pole) > 0.0 ? -pole.real() / std::abs(pole) : 1.0;
    if (pole.imag() > no_motion * largest && damping < hardly_vibrates)
      found.push_back({pole.imag() / (2 * std::numbers::pi), std::max(0.0, damping)});
  }
  std::sort(found.begin(), found.end(),
            [](const Vibration& a, const Vibration& b) { return a.frequency < b.frequency; });
  return found;
}

std::vector<Vibration> shaped_modes(const CommandShape& shape, const std::vector<Vibration>& own) {
  if (!shape.modes.empty()) return shape.modes;
  std::vector<Vibration> taken;
  CommandFilter filter;
  for (const Vibration& mode : own) {
    if (static_cast<int>(taken.size()) == shape.count) break;
    if (is_quiet(shape, filter, mode)) continue;
    add_mode(shape, mode, filter);
    taken.push_back(mode);
  }
  return taken;
}

CommandFilter make_command_filter(const CommandShape& shape, const std::vector<Vibration>& own) {
  CommandFilter filter;
  for (const Vibration& mode : shaped_modes(shape, own)) add_mode(shape, mode, filter);
  return filter;
}

std::string describe(const CommandShape& shape, const CommandFilter& filter, const std::vector<Vibration>& modes) {
  std::string list;
  for (const Vibration& mode : modes)
    list += fmt::format("{}{:.5g} Hz (damping ratio {:.3g})", list.empty() ? "" : ", ", mode.frequency, mode.damping);
  const std::string what =
      !shape.kind && shape.band > 0.0
          ? fmt::format("{} averages, robust to {:.3g} percent", filter.windows.size(), 100 * shape.band)
      : !shape.kind ? "averaged over one period each"
      : shape.band > 0.0
          ? fmt::format("{} impulses, robust to {:.3g} percent", filter.shaper.impulses.size(), 100 * shape.band)
          : std::string(name_of(*shape.kind));
  return fmt::format("{} for {}: it takes {:.4g} s longer", what, list, filter.duration());
}

}  // namespace lithe
