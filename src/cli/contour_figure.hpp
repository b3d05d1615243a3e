#pragma once
// Contour figures for papers: a quantity over two coordinates as bands of colour with lines between them, boundaries, and
// hatching where there is no value. A complete SVG file, panels beside each other.

#include <string>
#include <vector>

namespace lithe::cli {

struct ContourAxis {
  std::string label;  ///< with the unit
  double from = 0.0, to = 1.0;
  int count = 2;  ///< of grid points
};

struct ContourLine {
  std::string name;  ///< for the legend
  int style = 0;     ///< lines of the same kind share it
  std::vector<double> x, y;
  bool ends = false;  ///< values end at this line
};

struct ContourPanel {
  std::string label;           ///< of the quantity, with the unit
  std::vector<double> values;  ///< first axis fastest; not finite: hatched
};

struct ContourStyle {
  std::string title;
  double width = 160;       ///< mm, of the figure
  bool same_scale = false;  ///< both axes have the same unit: a circle is a circle
};

std::string svg_contours(const ContourAxis& x, const ContourAxis& y, const std::vector<ContourPanel>& panels,
                         const std::vector<ContourLine>& lines, const ContourStyle& style);

}  // namespace lithe::cli
