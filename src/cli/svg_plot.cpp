#include "svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe::cli {
namespace {

constexpr double width = 460, height = 240, left = 58, right = 12, top = 30, bottom = 30;
constexpr std::size_t most_series = 8, most_points = 400;

struct Range {
  double low = 0.0, high = 1.0;
};

Range range_of(const std::vector<double>& values, Range range) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

/// 1, 2 or 5 times a power of ten, so that about `count` ticks fit.
double tick_step(Range range, int count) {
  const double raw = (range.high - range.low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

std::vector<double> ticks(Range range, int count) {
  std::vector<double> places;
  const double step = tick_step(range, count);
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k)
    places.push_back(k * step);
  return places;
}

std::string tick_text(double value, double step) {
  return std::abs(value) < 1e-9 * step ? "0" : fmt::format("{:.4g}", value);
}

}  // namespace

std::string escape_markup(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string svg_plot(const std::string& title, const std::string& unit, const std::vector<double>& t,
                     const std::vector<Series>& series) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Range across = range_of(t, {infinity, -infinity}), up{infinity, -infinity};
  const std::size_t count = std::min(series.size(), most_series);
  for (std::size_t s = 0; s < count; ++s) up = range_of(series[s].y, up);
  if (!(across.high > across.low)) across = {0, 1};
  if (!(up.high >= up.low)) up = {0, 1};
  // A constant, or round-off about one, is shown as a flat line rather than as noise.
  const double least = std::max(1e-9, 1e-6 * std::max(std::abs(up.low), std::abs(up.high)));
  if (up.high - up.low < least)
    up = {up.low - 0.5 * std::max(1.0, std::abs(up.low)), up.high + 0.5 * std::max(1.0, std::abs(up.high))};
  const double margin = 0.06 * (up.high - up.low);
  up = {up.low - margin, up.high + margin};

  const auto x_of = [&](double value) {
    return left + (value - across.low) / (across.high - across.low) * (width - left - right);
  };
  const auto y_of = [&](double value) {
    return height - bottom - (value - up.low) / (up.high - up.low) * (height - top - bottom);
  };

  std::string svg = fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width,
                                height, escape_markup(title));
  svg += fmt::format("<text class=\"title\" x=\"{}\" y=\"16\">{} <tspan class=\"unit\">{}</tspan></text>\n", left,
                     escape_markup(title), escape_markup(unit));
  for (const double tick : ticks(up, 5)) {
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left, width - right,
                       y_of(tick), y_of(tick));
    svg += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 6,
                       y_of(tick) + 3.5, tick_text(tick, tick_step(up, 5)));
  }
  for (const double tick : ticks(across, 6)) {
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x_of(tick),
                       height - bottom + 15, tick_text(tick, tick_step(across, 6)));
  }
  svg += fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", left, width - right,
                     height - bottom, height - bottom);
  svg += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">t (s)</text>\n", width - right,
                     height - 3);
  const std::size_t stride = std::max<std::size_t>(1, (t.size() + most_points - 1) / most_points);
  for (std::size_t s = 0; s < count; ++s) {
    std::string points;
    for (std::size_t k = 0; k < t.size();
         k = (k + stride < t.size() || k + 1 == t.size()) ? k + stride : t.size() - 1) {
      if (std::isfinite(series[s].y[k])) points += fmt::format("{:.1f},{:.1f} ", x_of(t[k]), y_of(series[s].y[k]));
    }
    svg += fmt::format("<polyline class=\"line s{}\" points=\"{}\"><title>{}</title></polyline>\n", s, points,
                       escape_markup(series[s].name));
  }
  svg += "</svg>\n<p class=\"legend\">";
  for (std::size_t s = 0; s < count; ++s) {
    svg += fmt::format("<span><i class=\"s{}\"></i>{}</span> ", s, escape_markup(series[s].name));
  }
  if (series.size() > count) svg += fmt::format("<span>and {} more in the results</span>", series.size() - count);
  return svg + "</p>\n";
}

}  // namespace lithe::cli
