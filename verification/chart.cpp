#include "chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lithe::verification {
namespace {

constexpr double width = 760, height = 460, left = 86, right = 24, top = 52, bottom = 58;
constexpr double legend_line = 20, letter = 7.0;
// The colours of the figures that the program draws.
constexpr std::array colours{"#0b6e99", "#d9662b", "#3b8f4a", "#a23b8f", "#b08900", "#5a5fd0", "#c43d4b", "#4a8f8f"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// One axis: from numbers to a place between 0 and 1, with its ticks.
class Axis {
 public:
  Axis(bool logarithmic, double low, double high, bool whole = false) : log_(logarithmic), whole_(whole) {
    if (log_) {
      low_ = std::log10(low), high_ = std::log10(high);
      const double room = 0.04 * std::max(1e-3, high_ - low_);
      low_ -= room, high_ += room;
    } else {
      const double room = 0.04 * (high - low);
      low_ = low == 0.0 ? 0.0 : low - room, high_ = high + room;
    }
  }
  double place(double value) const { return ((log_ ? std::log10(value) : value) - low_) / (high_ - low_); }
  bool shows(double value) const {
    return (!log_ || value > 0) && place(value) > -1e-6 && place(value) < 1 + 1e-6 && std::isfinite(value);
  }

  struct Tick {
    double value;
    std::string text;  ///< empty: a line without a number
  };
  std::vector<Tick> ticks() const { return log_ ? decades() : evenly(); }

 private:
  std::vector<Tick> evenly() const {
    const double raw = (high_ - low_) / 7, power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
    if (whole_) step = std::max(1.0, step);
    std::vector<Tick> all;
    for (double k = std::ceil(low_ / step); k * step <= high_ + 1e-9 * step; ++k)
      all.push_back({k * step, fmt::format("{:.4g}", std::abs(k) < 1e-9 ? 0.0 : k * step)});
    return all;
  }
  std::vector<Tick> decades() const {
    std::vector<Tick> all;
    const bool narrow = high_ - low_ < 2.2;
    const int stride = high_ - low_ > 9 ? 2 : 1;
    for (int d = static_cast<int>(std::floor(low_)); d <= static_cast<int>(std::ceil(high_)); ++d)
      for (const int digit : {1, 2, 3, 4, 5, 6, 8}) {
        const double value = digit * std::pow(10.0, d);
        if (!shows(value) || (!narrow && digit > 1)) continue;
        const bool labelled = narrow || d % stride == 0;
        const std::string small = fmt::format("{:.4g}", value);
        const std::string text = d >= -2 && d <= 3 ? small : fmt::format("1e{}", d);
        all.push_back({value, labelled ? (digit == 1 ? text : small) : ""});
      }
    return all;
  }

  bool log_, whole_;  ///< whole: ticks at whole numbers only
  double low_ = 0.0, high_ = 1.0;
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value, bool logarithmic) {
    if (!std::isfinite(value) || (logarithmic && value <= 0)) return;
    low = std::min(low, value), high = std::max(high, value);
  }
};

double end_of(const Guide& guide) { return guide.start * std::pow(guide.until / guide.from, -guide.order); }

}  // namespace

std::string svg_chart(const Chart& chart) {
  Range across, up;
  for (const Series& s : chart.series)
    for (std::size_t i = 0; i < s.x.size(); ++i) across.take(s.x[i], chart.log_x), up.take(s.y[i], chart.log_y);
  for (const Guide& g : chart.guides) up.take(g.start, true), up.take(end_of(g), true);
  bool counts = across.high - across.low > 1;
  for (const Series& s : chart.series)
    for (const double value : s.x) counts = counts && value == std::round(value);
  const Axis x(chart.log_x, across.low, across.high, counts), y(chart.log_y, up.low, up.high);

  // The legend stands below the title, in as many rows as it takes.
  double at = 0, rows = 1;
  std::vector<std::pair<double, double>> places;
  for (const Series& s : chart.series) {
    const double room = 44 + letter * static_cast<double>(s.name.size());
    if (at > 0 && at + room > width - left - right) at = 0, ++rows;
    places.emplace_back(left + at, top - 8 + legend_line * (rows - 1));
    at += room;
  }
  const double ceiling = top + legend_line * rows, floor = height + legend_line * (rows - 1) - bottom;
  const double full_height = height + legend_line * (rows - 1);
  const auto x_of = [&](double value) { return left + x.place(value) * (width - left - right); };
  const auto y_of = [&](double value) { return floor - y.place(value) * (floor - ceiling); };

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#1c2530\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{2}\" y=\"26\" font-size=\"16\" "
      "font-weight=\"bold\">{3}</text>\n",
      width, full_height, left, escaped(chart.title));
  for (const Axis::Tick& tick : x.ticks())
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#e3e6ea\"/><text x=\"{0:.1f}\" "
        "y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x_of(tick.value), ceiling, floor, floor + 18, tick.text);
  for (const Axis::Tick& tick : y.ticks())
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#e3e6ea\"/><text x=\"{3:.1f}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        left, width - right, y_of(tick.value), left - 8, y_of(tick.value) + 4, tick.text);
  svg += fmt::format("<path d=\"M{},{:.1f} V{:.1f} H{:.1f}\" fill=\"none\" stroke=\"#40474f\" stroke-width=\"1.2\"/>\n",
                     left, ceiling, floor, width - right);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + width - right) / 2,
                     floor + 42, escaped(chart.x_label));
  svg += fmt::format("<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (ceiling + floor) / 2, escaped(chart.y_label));

  for (const Guide& g : chart.guides) {
    const double end = end_of(g);
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#7a828c\" stroke-width=\"1.4\" "
        "stroke-dasharray=\"6 4\"/><text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#59616b\">order {:g}</text>\n",
        x_of(g.from), y_of(g.start), x_of(g.until), y_of(end), (x_of(g.from) + x_of(g.until)) / 2 - 62,
        (y_of(g.start) + y_of(end)) / 2 + 14, g.order);
  }
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    const Series& s = chart.series[k];
    const char* colour = colours[k % colours.size()];
    std::string points, marks;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!x.shows(s.x[i]) || !y.shows(s.y[i])) continue;
      points += fmt::format("{:.1f},{:.1f} ", x_of(s.x[i]), y_of(s.y[i]));
      if (s.marks)
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" fill=\"{}\"/>", x_of(s.x[i]), y_of(s.y[i]),
                             colour);
    }
    if (s.line)
      svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    svg += marks + "\n";
    const auto [lx, ly] = places[k];
    if (s.line)
      svg += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
          "stroke-width=\"2\"/>",
          lx, lx + 22, ly - 4, colour);
    if (s.marks)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" fill=\"{}\"/>", lx + 11, ly - 4, colour);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", lx + 28, ly, escaped(s.name));
  }
  return svg + "</svg>\n";
}

double observed_order(const Series& series, double from, double until) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (series.x[i] < from || series.x[i] > until) continue;
    const double x = std::log(series.x[i]), y = std::log(series.y[i]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace lithe::verification
