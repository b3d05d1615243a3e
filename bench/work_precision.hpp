#pragma once
// What a run of a mechanism costs, and how exact it is.

#include <string>
#include <vector>

namespace bench {

/// One run. The error is that of deflections and positions, in parts of the largest deflection.
struct Outcome {
  double seconds = 0.0;    ///< CPU inside the run: steps, rows and their text
  double with_load = 0.0;  ///< the same with reading and assembling the model
  double error = 0.0;
  long evaluations = 0;
};

/// The runs of one integrator, from coarse to fine.
struct Curve {
  std::string integrator;
  std::vector<Outcome> points;
};

struct Diagram {
  std::string mechanism;
  bool elastic = true;
  Outcome usual;   ///< integrator `auto` as a model has it that says nothing
  Outcome before;  ///< what that was before: `bdf` with its default tolerances
  std::vector<Curve> curves;
};

/// All diagrams in one picture, CPU over error; a ring marks the default.
std::string svg_panels(const std::vector<Diagram>& diagrams);

}  // namespace bench
