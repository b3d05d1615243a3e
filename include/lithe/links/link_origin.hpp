#pragma once
// Where a link came from: what reports say about it beyond its LinkData.

#include <limits>
#include <string>

namespace lithe {

struct LinkOrigin {
  std::string kind = "rigid";  ///< key of the model file: "rigid", "beam", "truss", ...
  int elements = 0;            ///< finite elements or bars
  int coordinates = 0;         ///< before reduction, on its reference
  std::string reference;       ///< "clamped", "chord", "free", "supported"; empty for a rigid link
  std::string choice;          ///< `modes: auto`: what was chosen and why; empty otherwise
  std::string band;            ///< and for which frequencies of the mechanism, the same for all such links
  double buckling_load = std::numeric_limits<double>::infinity();  ///< smallest end compression that buckles it (N)
};

}  // namespace lithe
