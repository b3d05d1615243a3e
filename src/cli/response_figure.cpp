#include "response_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe::cli {
namespace {

constexpr int curve_points = 600;
constexpr double from_zero = 1e-6;  // of the fastest pole: slower ones are the rounding of poles at zero

std::string curve_name(const NamedSystem& each, Eigen::Index i, Eigen::Index j) {
  return fmt::format("{} by {}{}", each.system.outputs[i], each.system.inputs[j],
                     each.name.empty() ? "" : ", " + each.name);
}

constexpr std::size_t most_curves = 8;  ///< of a system; more of them cannot be told apart

struct Pair {
  Eigen::Index output, input;
};

/// All pairs when they are few. Else how the motors move themselves, or the first ones.
std::vector<Pair> drawn_pairs(const StateSpace& system) {
  std::vector<Pair> all, own;
  for (Eigen::Index i = 0; i < system.D.rows(); ++i)
    for (Eigen::Index j = 0; j < system.D.cols(); ++j) {
      all.push_back({i, j});
      const std::string& input = system.inputs[j];
      if (input.starts_with("tau.") && system.outputs[i] == "q." + input.substr(4)) own.push_back({i, j});
    }
  if (all.size() <= most_curves) return all;
  if (!own.empty()) all = own;
  all.resize(std::min(all.size(), most_curves));
  return all;
}

/// What was left out of the picture of a system, and how to see it.
std::string left_out(const StateSpace& system) {
  const std::size_t drawn = drawn_pairs(system).size(), all = static_cast<std::size_t>(system.D.size());
  if (drawn == all) return "";
  return fmt::format("{} of {} curves; choose others with --inputs and --outputs", drawn, all);
}

/// Slowest and fastest rate (1/s) that count.
std::pair<double, double> counting_rates(const StateSpace& system) {
  double fastest = 0.0, slowest = 0.0;
  const std::vector<Pole> all = poles(system);
  for (const Pole& pole : all)
    if (std::isfinite(std::abs(pole.rate))) fastest = std::max(fastest, std::abs(pole.rate));
  for (const Pole& pole : all)
    if (const double rate = std::abs(pole.rate); rate > from_zero * fastest && (slowest == 0.0 || rate < slowest))
      slowest = rate;
  return {slowest, fastest};
}

}  // namespace

double unwrapped(double phase, double before) {
  return phase - 2 * std::numbers::pi * std::round((phase - before) / (2 * std::numbers::pi));
}

std::pair<double, double> usual_frequencies(const StateSpace& system) {
  const auto [slowest, fastest] = counting_rates(system);
  if (fastest == 0.0) return {0.1, 100.0};
  double end = 10 * fastest / (2 * std::numbers::pi);
  if (system.is_sampled()) end = 0.5 / system.sample;
  return {std::min(0.1 * slowest / (2 * std::numbers::pi), 0.1 * end), end};
}

double usual_duration(const StateSpace& system) {
  double longest = 0.0;
  const auto [slowest, fastest] = counting_rates(system);
  for (const Pole& pole : poles(system)) {
    const double rate = std::abs(pole.rate);
    if (!std::isfinite(rate) || rate <= from_zero * fastest) continue;
    // Until it has decayed to a hundredth, and at most ten periods of what hardly decays.
    longest =
        std::max(longest, std::min(4.6 / std::max(std::abs(pole.rate.real()), 1e-300), 20 * std::numbers::pi / rate));
  }
  return longest > 0.0 ? longest : 1.0;
}

std::string bode_figure(const std::vector<NamedSystem>& systems, double from, double until, const std::string& title) {
  std::vector<Panel> panels{{"gain (dB)", {}}, {"phase (deg)", {}}};
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const StateSpace& system = systems[s].system;
    const double end = system.is_sampled() ? std::min(until, 0.5 / system.sample) : until;
    const std::vector<double> grid = frequency_grid(system, from, end, curve_points);
    const std::vector<Eigen::MatrixXcd> answers = frequency_response(system, grid);
    const std::vector<Pair> pairs = drawn_pairs(system);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto [i, j] = pairs[k];
      Curve gain{curve_name(systems[s], i, j), grid, {}, static_cast<int>(k), static_cast<int>(s)};
      Curve phase = gain;
      double before = 0.0;
      for (const Eigen::MatrixXcd& answer : answers) {
        gain.y.push_back(20 * std::log10(std::abs(answer(i, j))));
        before = unwrapped(std::arg(answer(i, j)), before);
        phase.y.push_back(before * 180 / std::numbers::pi);
      }
      panels[0].curves.push_back(std::move(gain));
      panels[1].curves.push_back(std::move(phase));
    }
  }
  FigureStyle style;
  style.title = title;
  style.caution = left_out(systems.front().system);
  style.across = "frequency (Hz)";
  style.logarithmic = true;
  return svg_figure(panels, from, until, style);
}

std::string step_figure(const std::vector<NamedSystem>& systems, double until, const std::string& title) {
  std::vector<Panel> panels(1);
  panels[0].label = "after a unit step";
  for (std::size_t s = 0; s < systems.size(); ++s) {
    const StateSpace& system = systems[s].system;
    const double step = system.is_sampled() ? system.sample : until / curve_points;
    const int count = std::max(1, static_cast<int>(std::ceil(until / step - 1e-9)));
    const std::vector<Pair> pairs = drawn_pairs(system);
    for (Eigen::Index j = 0; j < system.D.cols(); ++j) {
      const MatrixX answer = step_response(system, static_cast<int>(j), step, count);
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (pairs[p].input != j) continue;
        Curve curve{curve_name(systems[s], pairs[p].output, j), {}, {}, static_cast<int>(p), static_cast<int>(s)};
        for (int k = 0; k <= count; ++k) {
          curve.t.push_back(k * step);
          curve.y.push_back(answer(k, pairs[p].output));
        }
        panels[0].curves.push_back(std::move(curve));
      }
    }
  }
  FigureStyle style;
  style.title = title;
  style.caution = left_out(systems.front().system);
  return svg_figure(panels, 0.0, until, style);
}

}  // namespace lithe::cli
