#pragma once
// A chart of the verification pages: series over linear or logarithmic axes, as a complete SVG file.

#include <string>
#include <vector>

namespace lithe::verification {

struct Series {
  std::string name;
  std::vector<double> x, y;  ///< of equal length
  bool marks = true, line = true;
};

/// A dashed line of slope -order between two places of a logarithmic chart, for the eye.
struct Guide {
  double order = 0.0;
  double from = 1.0, until = 10.0;  ///< on the horizontal axis
  double start = 1.0;               ///< value at `from`
};

struct Chart {
  std::string file;  ///< name of the picture without ".svg"
  std::string title, x_label, y_label;
  bool log_x = true, log_y = true;
  std::vector<Series> series;
  std::vector<Guide> guides;
};

std::string svg_chart(const Chart& chart);

/// How fast a series falls: minus the slope of log y over log x, least squares over its points from `from` to `until`.
double observed_order(const Series& series, double from, double until);

}  // namespace lithe::verification
