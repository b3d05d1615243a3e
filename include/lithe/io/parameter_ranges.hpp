#pragma once
// Between which values the parameters of a model are meant to be varied: sliders of `lithe live`.

#include <map>
#include <string>

#include "lithe/simulation/model.hpp"

namespace lithe {

struct ParameterRange {
  double from = 0.0, to = 0.0;  ///< SI, rad
  bool angle = false;           ///< written with `deg`: people read it in degrees
};

/// Of those parameters of a model that was read from a file whose range is given, by name.
std::map<std::string, ParameterRange> parameter_ranges(const Model& model);

}  // namespace lithe
