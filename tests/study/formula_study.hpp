#pragma once
// Studies whose outputs are formulas of the axes: they need no model, and their answers are known.

#include <string>
#include <utility>
#include <vector>

#include "lithe/study/study.hpp"

namespace lithe::testing {

inline StudyAxis uniform_axis(const std::string& name, double from, double to) {
  StudyAxis axis{name, {}};
  axis.spread.a = from;
  axis.spread.b = to;
  return axis;
}

inline Study formula_study(std::vector<StudyAxis> axes,
                           const std::vector<std::pair<std::string, std::string>>& outputs) {
  Study study;
  study.axes = std::move(axes);
  for (const auto& [name, formula] : outputs) {
    Output output;
    output.name = name;
    output.kind = OutputKind::expression;
    output.of = formula;
    study.outputs.push_back(output);
  }
  return study;
}

}  // namespace lithe::testing
