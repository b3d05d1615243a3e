#include "contour_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "axis_ticks.hpp"
#include "markup.hpp"

namespace lithe::cli {
namespace {

// Lengths are in units of a tenth of a millimetre.
constexpr double room_left = 170, room_right = 230, room_below = 110, room_above = 60, legend_row = 44,
                 letter_width = 17, digit_width = 15;
constexpr double bar_width = 30;
constexpr int finest = 360;  // colour samples along an axis
constexpr int about_levels = 10;
constexpr double wide_range = 30;  // largest by smallest value, from which on colours go by the logarithm
constexpr double left_out = 0.01;  // share of the values at each end that may lie beyond the colours
constexpr double rounding = 1e-9;  // relative; values that differ by less are all alike

// Dark to light, even in grey: five places of a scale from blue over green to yellow.
constexpr std::array<std::array<double, 3>, 6> scale{
    {{46, 40, 96}, {45, 83, 135}, {33, 127, 138}, {64, 168, 113}, {156, 201, 66}, {250, 228, 75}}};
constexpr std::array line_styles{"stroke=\"#111111\" stroke-width=\"5\"",
                                 "stroke=\"#c43d4b\" stroke-width=\"5\" stroke-dasharray=\"22 10\"",
                                 "stroke=\"#a23b8f\" stroke-width=\"5\" stroke-dasharray=\"6 9\"",
                                 "stroke=\"#d9662b\" stroke-width=\"5\" stroke-dasharray=\"22 8 5 8\""};

std::string colour_at(double part) {
  const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(scale.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), scale.size() - 2);
  const double rest = place - static_cast<double>(k);
  std::array<int, 3> mixed{};
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = static_cast<int>(std::lround(scale[k][c] + rest * (scale[k + 1][c] - scale[k][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

/// Where colours change, rising; values between two of them share one.
class Levels {
 public:
  explicit Levels(const std::vector<double>& values) {
    std::vector<double> sorted;
    for (const double value : values)
      if (std::isfinite(value)) sorted.push_back(value);
    if (sorted.empty()) return;
    std::sort(sorted.begin(), sorted.end());
    const auto cut = static_cast<std::size_t>(left_out * static_cast<double>(sorted.size()));
    const double low = sorted[cut], high = sorted[sorted.size() - 1 - cut];
    if (low > 0.0 && high > wide_range * low) {
      by_decades(low, high);
    } else if (high - low > rounding * std::max(std::abs(low), std::abs(high))) {
      at = ticks({low, high}, about_levels);
    }
    if (at.empty()) everywhere = sorted[sorted.size() / 2];
  }

  std::size_t band(double value) const {
    return static_cast<std::size_t>(std::upper_bound(at.begin(), at.end(), value) - at.begin());
  }
  std::string colour(std::size_t band) const {
    return colour_at(at.empty() ? 0.5 : static_cast<double>(band) / static_cast<double>(at.size()));
  }

  std::vector<double> at;
  std::optional<double> everywhere;  ///< the one value, where values differ by rounding alone; `at` is then empty

 private:
  void by_decades(double low, double high) {
    const double decades = std::log10(high / low);
    const std::vector<double> digits = decades > 8   ? std::vector<double>{1}
                                       : decades > 4 ? std::vector<double>{1, 3}
                                                     : std::vector<double>{1, 2, 5};
    for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); ++power)
      for (const double digit : digits) {
        const double value = digit * std::pow(10.0, power);
        if (value >= low && value <= high) at.push_back(value);
      }
  }
};

struct GridPlace {
  double x, y;  ///< in cells
};

/// Lines at which values end, in cells.
class Ends {
 public:
  Ends(const ContourAxis& x, const ContourAxis& y, const std::vector<ContourLine>& lines) {
    for (const ContourLine& line : lines)
      for (std::size_t k = 0; line.ends && k + 1 < line.x.size(); ++k) {
        const auto place = [&](std::size_t i) {
          return GridPlace{(line.x[i] - x.from) / (x.to - x.from) * (x.count - 1),
                           (line.y[i] - y.from) / (y.to - y.from) * (y.count - 1)};
        };
        pieces_.push_back({place(k), place(k + 1)});
      }
  }

  /// Does a line pass between the two?
  bool part(const GridPlace& a, const GridPlace& b) const {
    const auto side = [](const GridPlace& p, const GridPlace& q, const GridPlace& r) {
      return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0.0;
    };
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const std::array<GridPlace, 2>& piece) {
      return side(a, b, piece[0]) != side(a, b, piece[1]) && side(piece[0], piece[1], a) != side(piece[0], piece[1], b);
    });
  }

 private:
  std::vector<std::array<GridPlace, 2>> pieces_;
};

/// Values between the grid points: linear within cells whose corners all have one, else that of the nearest corner on the same
/// side of the lines at which values end.
class Field {
 public:
  Field(const std::vector<double>& values, int nx, int ny, const Ends& ends)
      : values_(values), nx_(nx), ny_(ny), ends_(ends) {}

  double node(int i, int j) const { return values_[j * nx_ + i]; }

  double at(double x, double y) const {
    const int i = std::clamp(static_cast<int>(x), 0, nx_ - 2), j = std::clamp(static_cast<int>(y), 0, ny_ - 2);
    const double a = x - i, b = y - j;
    const double mixed = (1 - a) * (1 - b) * node(i, j) + a * (1 - b) * node(i + 1, j) + (1 - a) * b * node(i, j + 1) +
                         a * b * node(i + 1, j + 1);
    if (std::isfinite(mixed)) return mixed;
    double nearest = 1.0, value = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [di, dj] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{0, 1}, std::pair{1, 1}}) {
      const double far = std::hypot(a - di, b - dj);
      if (far >= nearest || !std::isfinite(node(i + di, j + dj))) continue;
      if (ends_.part({x, y}, {static_cast<double>(i + di), static_cast<double>(j + dj)})) continue;
      nearest = far;
      value = node(i + di, j + dj);
    }
    return value;
  }

  int nx() const { return nx_; }
  int ny() const { return ny_; }

 private:
  const std::vector<double>& values_;
  int nx_, ny_;
  const Ends& ends_;
};

struct PlotArea {
  double left, top, width, height;
};

/// Rectangles of one colour, as long as possible.
std::string draw_bands(const Field& field, const Levels& levels, const PlotArea& area) {
  const auto samples = [](int count) { return (count - 1) * std::max(1, finest / (count - 1)); };
  const int columns = samples(field.nx()), rows = samples(field.ny());
  const double dx = area.width / columns, dy = area.height / rows;
  std::vector<std::string> paths(levels.at.size() + 1);
  for (int r = 0; r < rows; ++r) {
    const double y = (r + 0.5) * (field.ny() - 1) / rows;
    int begin = 0;
    std::optional<std::size_t> open;
    const auto close = [&](int end) {
      if (open && end > begin)
        paths[*open] += fmt::format("M{:.2f},{:.2f}h{:.2f}v{:.2f}h{:.2f}z", area.left + begin * dx,
                                    area.top + area.height - (r + 1) * dy, (end - begin) * dx, dy, -(end - begin) * dx);
    };
    for (int c = 0; c < columns; ++c) {
      const double value = field.at((c + 0.5) * (field.nx() - 1) / columns, y);
      const std::optional<std::size_t> band = std::isfinite(value) ? std::optional(levels.band(value)) : std::nullopt;
      if (band == open) continue;
      close(c);
      open = band;
      begin = c;
    }
    close(columns);
  }
  std::string svg;
  for (std::size_t band = 0; band < paths.size(); ++band)
    if (!paths[band].empty())
      svg += fmt::format("<path d=\"{0}\" fill=\"{1}\" stroke=\"{1}\" stroke-width=\"0.6\"/>\n", paths[band],
                         levels.colour(band));
  return svg;
}

/// Lines of equal value through the cells, each cell by its four corners.
std::string draw_level_lines(const Field& field, const Levels& levels, const PlotArea& area) {
  std::string path;
  const auto x_of = [&](double i) { return area.left + i / (field.nx() - 1) * area.width; };
  const auto y_of = [&](double j) { return area.top + area.height - j / (field.ny() - 1) * area.height; };
  for (const double level : levels.at) {
    for (int j = 0; j + 1 < field.ny(); ++j) {
      for (int i = 0; i + 1 < field.nx(); ++i) {
        const std::array<double, 4> v{field.node(i, j), field.node(i + 1, j), field.node(i + 1, j + 1),
                                      field.node(i, j + 1)};
        if (!std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); })) continue;
        constexpr std::array<std::array<int, 2>, 4> corner{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
        std::vector<std::array<double, 2>> cuts;
        for (int k = 0; k < 4; ++k) {
          const int l = (k + 1) % 4;
          if ((v[k] < level) == (v[l] < level)) continue;
          const double part = (level - v[k]) / (v[l] - v[k]);
          cuts.push_back({i + corner[k][0] + part * (corner[l][0] - corner[k][0]),
                          j + corner[k][1] + part * (corner[l][1] - corner[k][1])});
        }
        for (std::size_t k = 0; k + 1 < cuts.size(); k += 2)
          path += fmt::format("M{:.1f},{:.1f}L{:.1f},{:.1f}", x_of(cuts[k][0]), y_of(cuts[k][1]), x_of(cuts[k + 1][0]),
                              y_of(cuts[k + 1][1]));
      }
    }
  }
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#ffffff\" stroke-opacity=\"0.65\" stroke-width=\"2\"/>\n",
                     path);
}

std::string draw_boundaries(const ContourAxis& x, const ContourAxis& y, const std::vector<ContourLine>& lines,
                            const PlotArea& area) {
  std::string svg;
  for (const ContourLine& line : lines) {
    std::string points;
    for (std::size_t k = 0; k < line.x.size(); ++k)
      points += fmt::format("{:.2f},{:.2f} ", area.left + (line.x[k] - x.from) / (x.to - x.from) * area.width,
                            area.top + area.height - (line.y[k] - y.from) / (y.to - y.from) * area.height);
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}><title>{}</title></polyline>\n", points,
        line_styles[static_cast<std::size_t>(line.style) % line_styles.size()], escape_markup(line.name));
  }
  return svg;
}

/// Round places along the horizontal axis whose numbers do not touch.
std::vector<double> spaced_ticks(const ContourAxis& axis, double width) {
  std::vector<double> places;
  for (int count = std::clamp(static_cast<int>(width / 90), 2, 10); count >= 2; --count) {
    places = ticks({axis.from, axis.to}, count);
    std::size_t longest = 1;
    for (const double place : places) longest = std::max(longest, fmt::format("{:.6g}", place).size());
    const double apart = places.size() > 1 ? (places[1] - places[0]) / (axis.to - axis.from) * width : width;
    if (apart > digit_width * static_cast<double>(longest + 1)) break;
  }
  return places;
}

std::string draw_axes(const ContourAxis& x, const ContourAxis& y, const PlotArea& area) {
  std::string svg = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#40474f\" "
      "stroke-width=\"3\"/>\n",
      area.left, area.top, area.width, area.height);
  const double floor = area.top + area.height;
  for (const double tick : spaced_ticks(x, area.width)) {
    const double at = area.left + (tick - x.from) / (x.to - x.from) * area.width;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#40474f\" stroke-width=\"3\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:.6g}</text>\n",
        at, floor, floor + 10, floor + 44, tick);
  }
  for (const double tick : ticks({y.from, y.to}, std::clamp(static_cast<int>(area.height / 80), 2, 10))) {
    const double at = floor - (tick - y.from) / (y.to - y.from) * area.height;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#40474f\" stroke-width=\"3\"/>"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g}</text>\n",
        area.left - 10, area.left, at, area.left - 16, at + 10, tick);
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"27\">{}</text>\n",
                     area.left + area.width / 2, floor + 90, escape_markup(x.label));
  svg += fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\" font-size=\"27\">{}</text>\n",
      area.left - 128, area.top + area.height / 2, escape_markup(y.label));
  return svg;
}

std::string draw_colour_bar(const Levels& levels, const PlotArea& area) {
  std::string svg;
  const double left = area.left + area.width + 30;
  const auto bands = static_cast<double>(levels.at.size() + 1), height = area.height / bands;
  for (std::size_t band = 0; band <= levels.at.size(); ++band) {
    const double top = area.top + area.height - static_cast<double>(band + 1) * height;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\" fill=\"{}\"/>", left, top,
                       bar_width, height + 0.5, levels.colour(band));
  }
  const double often = std::max(1.0, std::ceil(34.0 / height));
  for (std::size_t k = 0; k < levels.at.size(); k += static_cast<std::size_t>(often)) {
    const double at = area.top + area.height - static_cast<double>(k + 1) * height;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"28\">{:.4g}</text>\n", left + bar_width + 10,
                       at + 9, levels.at[k]);
  }
  if (levels.everywhere)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"28\">{:.5g}</text>\n", left + bar_width + 10,
                       area.top + area.height / 2 + 9, *levels.everywhere);
  return svg;
}

/// Kinds of lines, each once.
std::vector<const ContourLine*> kinds_of(const std::vector<ContourLine>& lines) {
  std::vector<const ContourLine*> kinds;
  for (const ContourLine& line : lines)
    if (std::none_of(kinds.begin(), kinds.end(), [&](const ContourLine* each) { return each->name == line.name; }))
      kinds.push_back(&line);
  return kinds;
}

std::string draw_legend(const std::vector<const ContourLine*>& kinds, double left, double top) {
  std::string svg;
  double x = left;
  for (const ContourLine* kind : kinds) {
    svg += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" {}/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x, x + 60, top, top, line_styles[static_cast<std::size_t>(kind->style) % line_styles.size()], x + 72, top + 10,
        escape_markup(kind->name));
    x += 110 + letter_width * static_cast<double>(kind->name.size());
  }
  svg += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"50\" height=\"30\" fill=\"url(#hatched)\" stroke=\"#9aa3ad\"/>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\">no value</text>\n",
      x, top - 16, x + 62, top + 10);
  return svg;
}

}  // namespace

std::string svg_contours(const ContourAxis& x, const ContourAxis& y, const std::vector<ContourPanel>& panels,
                         const std::vector<ContourLine>& lines, const ContourStyle& style) {
  const std::size_t across = panels.size() > 1 ? 2 : 1, down = (panels.size() + across - 1) / across;
  const double width = 10 * style.width, cell = width / static_cast<double>(across);
  const double inner = std::max(100.0, cell - room_left - room_right);
  const double inner_height =
      style.same_scale ? std::clamp(inner * (y.to - y.from) / (x.to - x.from), 0.3 * inner, 3.0 * inner) : 0.8 * inner;
  const double cell_height = room_above + inner_height + room_below;
  const double head = (style.title.empty() ? 10 : 70) + legend_row + 10;
  const double height = head + cell_height * static_cast<double>(down);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{:.1f}mm\" viewBox=\"0 0 {} {:.1f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"32\" fill=\"#1c2530\">\n"
      "<defs><pattern id=\"hatched\" width=\"14\" height=\"14\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><rect width=\"14\" height=\"14\" fill=\"#f3f4f6\"/><line x1=\"0\" y1=\"0\" "
      "x2=\"0\" y2=\"14\" stroke=\"#c3c9d1\" stroke-width=\"4\"/></pattern></defs>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width / 10, height / 10, width, height);
  if (!style.title.empty())
    svg += fmt::format("<text x=\"{:.1f}\" y=\"48\" font-size=\"38\" font-weight=\"bold\">{}</text>\n", room_left,
                       escape_markup(style.title));
  svg += draw_legend(kinds_of(lines), room_left, head - legend_row + 14);
  const Ends ends(x, y, lines);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const PlotArea area{room_left + cell * static_cast<double>(p % across),
                        head + room_above + cell_height * static_cast<double>(p / across), inner, inner_height};
    const Levels levels(panels[p].values);
    const Field field(panels[p].values, x.count, y.count, ends);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"url(#hatched)\"/>\n",
                       area.left, area.top, area.width, area.height);
    svg += draw_bands(field, levels, area);
    svg += draw_level_lines(field, levels, area);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", area.left, area.top - 18,
                       escape_markup(panels[p].label));
    svg += draw_boundaries(x, y, lines, area);
    svg += draw_axes(x, y, area);
    svg += draw_colour_bar(levels, area);
  }
  return svg + "</svg>\n";
}

}  // namespace lithe::cli
