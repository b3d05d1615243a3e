#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "axis_ticks.hpp"
#include "markup.hpp"

namespace lithe::cli {
namespace {

// Lengths are in units of a tenth of a millimetre.
constexpr double left = 190, right = 40, bottom = 110, legend_line = 44, letter = 17;
constexpr std::size_t buckets = 1200;
// Told apart also by colour-blind readers and in grey.
constexpr std::array colours{"#0b6e99", "#d9662b", "#3b8f4a", "#a23b8f", "#b08900", "#5a5fd0", "#c43d4b", "#4a8f8f"};
constexpr std::array dashes{"", "24 10", "5 9", "24 8 5 8"};

/// Powers of ten, as logarithms; with 2 and 5 between them where there are few.
std::vector<double> logarithmic_ticks(Range range) {
  std::vector<double> places;
  const bool few = range.high - range.low < 3.0;
  for (double k = std::floor(range.low); k <= range.high; ++k)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double place = k + std::log10(digit);
      if ((digit == 1.0 || few) && place >= range.low - 1e-9 && place <= range.high + 1e-9) places.push_back(place);
    }
  return places;
}

Range range_of(const Panel& panel, double from, double until) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : panel.curves) {
    for (std::size_t k = 0; k < curve.t.size(); ++k) {
      if (curve.t[k] < from || curve.t[k] > until || !std::isfinite(curve.y[k])) continue;
      range.low = std::min(range.low, curve.y[k]);
      range.high = std::max(range.high, curve.y[k]);
    }
  }
  if (!(range.high >= range.low)) return {0, 1};
  const double magnitude = std::max(std::abs(range.low), std::abs(range.high));
  // A constant, or round-off about one, is shown as a flat line rather than as noise.
  if (range.high - range.low <= 1e-6 * magnitude || magnitude == 0.0) {
    const double half = magnitude == 0.0 ? 1.0 : 0.5 * magnitude;
    return {range.low - half, range.high + half};
  }
  const double margin = 0.06 * (range.high - range.low);
  return {range.low - margin, range.high + margin};
}

/// Indices of the points to draw: all of them, or the lowest and the highest of every bucket.
std::vector<std::size_t> drawn_points(const Curve& curve, double from, double until) {
  std::vector<std::size_t> inside, drawn;
  for (std::size_t k = 0; k < curve.t.size(); ++k) {
    if (curve.t[k] >= from && curve.t[k] <= until && std::isfinite(curve.y[k])) inside.push_back(k);
  }
  if (inside.size() <= 2 * buckets) return inside;
  for (std::size_t b = 0; b < buckets; ++b) {
    const auto first = inside.begin() + static_cast<std::ptrdiff_t>(b * inside.size() / buckets);
    const auto last = inside.begin() + static_cast<std::ptrdiff_t>((b + 1) * inside.size() / buckets);
    const auto [low, high] =
        std::minmax_element(first, last, [&](std::size_t a, std::size_t c) { return curve.y[a] < curve.y[c]; });
    drawn.push_back(std::min(*low, *high));
    if (*low != *high) drawn.push_back(std::max(*low, *high));
  }
  return drawn;
}

/// Curve names in rows, as wide as the panel allows (text widths estimated).
class Legend {
 public:
  Legend(const Panel& panel, double width) {
    double x = 0;
    for (const Curve& curve : panel.curves) {
      const double room = 100 + letter * static_cast<double>(curve.name.size());
      if (x > 0 && x + room > width) {
        ++rows_;
        x = 0;
      }
      places_.push_back({x, rows_});
      x += room;
    }
    ++rows_;
  }
  double height() const { return rows_ * legend_line; }
  double x(std::size_t curve) const { return places_[curve].x; }
  double y(std::size_t curve) const { return places_[curve].row * legend_line; }

 private:
  struct Place {
    double x;
    int row;
  };
  std::vector<Place> places_;
  int rows_ = 0;
};

std::string stroke_of(const Curve& curve) {
  const char* dash = dashes[static_cast<std::size_t>(curve.dash) % dashes.size()];
  return fmt::format("stroke=\"{}\"{}", colours[static_cast<std::size_t>(curve.colour) % colours.size()],
                     *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
}

std::string draw_panel(const Panel& panel, Range span, const FigureStyle& style, double top, double height,
                       bool has_axis) {
  const double width = 10 * style.width;
  const auto scaled = [&](double x) { return style.logarithmic ? std::log10(x) : x; };
  const Range across{scaled(span.low), scaled(span.high)};
  const Legend legend(panel, width - left - right);
  const double ceiling = top + legend.height() + 10, floor = top + height - (has_axis ? bottom : 60);
  const Range up = range_of(panel, span.low, span.high);
  const auto x_of = [&](double t) {
    return left + (scaled(t) - across.low) / (across.high - across.low) * (width - left - right);
  };
  const auto y_of = [&](double y) { return floor - (y - up.low) / (up.high - up.low) * (floor - ceiling); };

  std::string svg;
  const int rows = std::clamp(static_cast<int>((floor - ceiling) / 90), 2, 8);
  for (const double tick : ticks(up, rows)) {
    svg += fmt::format(
        "<line x1=\"{0}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#d5d9de\" stroke-width=\"2\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g}</text>\n",
        left, width - right, y_of(tick), left - 14, y_of(tick) + 10, tick);
  }
  const int columns = std::clamp(static_cast<int>((width - left - right) / 180), 2, 12);
  for (const double place : style.logarithmic ? logarithmic_ticks(across) : ticks(across, columns)) {
    const double tick = style.logarithmic ? std::pow(10.0, place) : place;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#40474f\" "
        "stroke-width=\"3\"/>",
        x_of(tick), floor, floor + 10);
    if (has_axis) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.6g}</text>\n", x_of(tick),
                         floor + 44, tick);
    }
  }
  svg +=
      fmt::format("<path d=\"M{0},{1:.1f} V{2:.1f} H{3:.1f}\" fill=\"none\" stroke=\"#40474f\" stroke-width=\"3\"/>\n",
                  left, ceiling, floor, width - right);
  if (has_axis) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                       floor + 88, escape_markup(style.across));
  }
  svg += fmt::format("<text transform=\"translate(44 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (ceiling + floor) / 2, escape_markup(panel.label));
  for (std::size_t c = 0; c < panel.curves.size(); ++c) {
    const Curve& curve = panel.curves[c];
    std::string points;
    for (const std::size_t k : drawn_points(curve, span.low, span.high)) {
      points += fmt::format("{:.1f},{:.1f} ", x_of(curve.t[k]), y_of(curve.y[k]));
    }
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"5\" stroke-linejoin=\"round\"><title>{}</title>"
        "</polyline>\n",
        points, stroke_of(curve), escape_markup(curve.name));
    const double x = left + legend.x(c), y = top + legend.y(c) + 30;
    svg += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" {} stroke-width=\"6\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, x + 60, y - 10, y - 10, stroke_of(curve), x + 72, y, escape_markup(curve.name));
  }
  return svg;
}

}  // namespace

std::string svg_figure(const std::vector<Panel>& panels, double from, double until, const FigureStyle& style) {
  const double width = 10 * style.width, panel_height = 10 * style.height, title = style.title.empty() ? 10 : 70;
  const double top = title + (style.caution.empty() ? 0 : 40);
  const double height = top + panel_height * static_cast<double>(panels.size());
  const Range across = until > from ? Range{from, until} : Range{from - 0.5, from + 0.5};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"32\" fill=\"#1c2530\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width / 10, height / 10, width, height);
  if (!style.title.empty()) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"48\" font-size=\"38\" font-weight=\"bold\">{}</text>\n", left,
                       escape_markup(style.title));
  }
  if (!style.caution.empty()) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"26\" fill=\"#b3261e\">{}</text>\n", left,
                       title + 24, escape_markup(style.caution));
  }
  for (std::size_t p = 0; p < panels.size(); ++p) {
    svg += draw_panel(panels[p], across, style, top + panel_height * static_cast<double>(p), panel_height,
                      p + 1 == panels.size());
  }
  return svg + "</svg>\n";
}

}  // namespace lithe::cli
