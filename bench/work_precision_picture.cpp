// The picture: a panel per mechanism, both axes logarithmic, one legend for all.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "work_precision.hpp"

namespace bench {
namespace {

constexpr int columns = 2;
constexpr double panel_width = 430, panel_height = 270, head = 74;
constexpr double left = 58, right = 14, top = 30, bottom = 44;
constexpr std::array colours{"#0b6e99", "#d9662b", "#3b8f4a", "#a23b8f", "#b08900",
                             "#5a5fd0", "#c43d4b", "#4a8f8f", "#7a5230"};
constexpr double goal = 1e-3;  ///< error that a default may have

/// Decades that all of some values lie in.
struct Decades {
  double low = 1e300, high = 0.0;

  void take(double value) {
    if (!(value > 0.0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  int first() const { return static_cast<int>(std::floor(std::log10(low))); }
  int last() const { return std::max(first() + 1, static_cast<int>(std::ceil(std::log10(high)))); }
  double place(double value) const { return (std::log10(value) - first()) / (last() - first()); }
};

/// Where the points of one diagram stand in the picture.
struct Panel {
  double x0, y0;
  Decades error, time;

  double x(double value) const { return x0 + left + error.place(value) * (panel_width - left - right); }
  double y(double value) const {
    return y0 + panel_height - bottom - time.place(value) * (panel_height - top - bottom);
  }
};

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

std::string label(double x, double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, text);
}

/// Powers of ten, in percent and milliseconds: 0.01, 10, 1e-6.
std::string power_of_ten(int decade) {
  return decade >= -3 && decade <= 4 ? fmt::format("{:g}", std::pow(10.0, decade)) : fmt::format("1e{}", decade);
}

std::string frame_of(const Panel& p, const std::string& title) {
  constexpr const char* grid = "stroke=\"#e3e6ea\"";
  const double bottom_line = p.y0 + panel_height - bottom, right_line = p.x0 + panel_width - right;
  std::string svg = label(p.x0 + left, p.y0 + 20, "font-weight=\"bold\" font-size=\"13\"", title);
  const int stride = p.error.last() - p.error.first() > 7 ? 2 : 1;
  for (int d = p.error.first(); d <= p.error.last(); ++d) {
    const double x = p.x(std::pow(10.0, d));
    svg += line(x, p.y0 + top, x, bottom_line, grid);
    if ((d - p.error.last()) % stride == 0)
      svg += label(x, bottom_line + 15, "text-anchor=\"middle\"", power_of_ten(d + 2));
  }
  for (int d = p.time.first(); d <= p.time.last(); ++d) {
    const double y = p.y(std::pow(10.0, d));
    svg += line(p.x0 + left, y, right_line, y, grid);
    svg += label(p.x0 + left - 6, y + 4, "text-anchor=\"end\"", power_of_ten(d + 3));
  }
  if (p.error.place(goal) > 0.0 && p.error.place(goal) < 1.0)
    svg += line(p.x(goal), p.y0 + top, p.x(goal), bottom_line, "stroke=\"#7a828c\" stroke-dasharray=\"5 4\"");
  svg += label(0.5 * (p.x0 + left + right_line), bottom_line + 32, "text-anchor=\"middle\"", "error (%)");
  return svg + fmt::format(
                   "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">CPU (ms)</text>\n",
                   p.x0 + 14, 0.5 * (p.y0 + top + bottom_line));
}

std::string ring(double x, double y) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6.5\" fill=\"none\" stroke=\"#1c2530\" stroke-width=\"1.8\"/>\n", x, y);
}

std::string dot(double x, double y, const char* colour) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\" fill=\"{}\"/>", x, y, colour);
}

std::string panel_of(const Diagram& diagram, double x0, double y0) {
  Panel panel{x0, y0, {}, {}};
  const auto take = [&](const Outcome& point) {
    panel.error.take(point.error);
    panel.time.take(point.seconds);
  };
  take(diagram.usual);
  for (const Curve& curve : diagram.curves) std::for_each(curve.points.begin(), curve.points.end(), take);
  std::string svg = frame_of(panel, diagram.mechanism + (diagram.elastic ? "" : " (rigid)"));
  for (std::size_t i = 0; i < diagram.curves.size(); ++i) {
    const char* colour = colours[i % colours.size()];
    std::string path, dots;
    for (const Outcome& point : diagram.curves[i].points) {
      if (!(point.error > 0.0)) continue;
      const double x = panel.x(point.error), y = panel.y(point.seconds);
      path += fmt::format("{:.1f},{:.1f} ", x, y);
      dots += dot(x, y, colour);
    }
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>{}\n", path, colour,
                       dots);
  }
  return svg + ring(panel.x(diagram.usual.error), panel.y(diagram.usual.seconds));
}

/// Names of the integrators in two lines, and what ring and dashes mean.
std::string legend_of(const std::vector<Curve>& curves) {
  std::string svg;
  double x = left, y = 44;
  for (std::size_t i = 0; i <= curves.size(); ++i) {
    const std::string name = i < curves.size() ? curves[i].integrator : "auto, the default; dashes: 0.1 %";
    const double room = 42 + 6.6 * static_cast<double>(name.size());
    if (x + room > columns * panel_width) {
      x = left;
      y += 18;
    }
    if (i < curves.size())
      svg += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" stroke-width=\"1.5\"/>{4}",
          x, x + 20, y - 4, colours[i % colours.size()], dot(x + 10, y - 4, colours[i % colours.size()]));
    else
      svg += ring(x + 10, y - 4);
    svg += label(x + 25, y, "", name);
    x += room;
  }
  return svg;
}

}  // namespace

std::string svg_panels(const std::vector<Diagram>& diagrams) {
  const auto rows = static_cast<double>((diagrams.size() + columns - 1) / columns);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" fill=\"#1c2530\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      columns * panel_width, head + rows * panel_height);
  svg += label(left, 22, "font-weight=\"bold\" font-size=\"15\"", "CPU inside the run against error");
  svg += legend_of(diagrams.front().curves);
  for (std::size_t i = 0; i < diagrams.size(); ++i)
    svg += panel_of(diagrams[i], panel_width * static_cast<double>(i % columns),
                    head + panel_height * static_cast<double>(i / columns));
  return svg + "</svg>\n";
}

}  // namespace bench
