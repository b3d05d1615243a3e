#pragma once
// Line plots as SVG text, styled by the page they stand in (classes s0..s7, axis, grid, label).

#include <string>
#include <vector>

namespace lithe::cli {

struct Series {
  std::string name;
  std::vector<double> y;
};

/// A plot of several series over common abscissae. Series beyond the eighth are left out and counted in the legend.
std::string svg_plot(const std::string& title, const std::string& unit, const std::vector<double>& t,
                     const std::vector<Series>& series);

/// &, <, > and quotes made safe for HTML and SVG.
std::string escape_markup(const std::string& text);

}  // namespace lithe::cli
