#pragma once
// Line plots for papers: a complete SVG file, panels above each other over one axis of time or frequency.

#include <string>
#include <vector>

namespace lithe::cli {

struct Curve {
  std::string name;
  std::vector<double> t, y;  ///< of equal length; t is what stands on the axis across
  int colour = 0;            ///< curves of the same quantity share it
  int dash = 0;              ///< which result it belongs to
};

struct Panel {
  std::string label;  ///< of the vertical axis, with the unit
  std::vector<Curve> curves;
};

struct FigureStyle {
  std::string title;
  std::string caution;              ///< what speaks against the curves, above them; empty: nothing
  double width = 160, height = 80;  ///< mm; the height is that of each panel
  std::string across = "time (s)";  ///< label of the axis
  bool logarithmic = false;         ///< equal steps across are equal factors; everything there is positive
};

/// The figure from `from` to `until` on the axis across. Curves with more points than the figure can show keep their
/// extremes.
std::string svg_figure(const std::vector<Panel>& panels, double from, double until, const FigureStyle& style);

}  // namespace lithe::cli
