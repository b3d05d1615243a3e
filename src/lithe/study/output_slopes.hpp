#pragma once
// Slopes of outputs by axes that cost less than variants, and are exact to 1e-7 or better where the outputs are smooth.
//
// What the model makes of a value, its links and masses, has no derivative but by reading the model again, a little to
// either side. What follows from there needs no variant:
//   mass        is read off;
//   frequency   d(w^2) = phi^T (dK - w^2 dM) phi with the shape phi at the values themselves: no eigenproblem to either
//               side, and no mistake where modes change their order;
//   statics     the equilibrium is solved again to rounding;
//   peak, max, min, final of a column along motion laws (inverse, kinematics)
//               the change of one row: its place in time does not count, because there the column is level (or the
//               window ends). The run to either side goes straight to that row;
//   expression  by the chain rule.
// Outputs of a simulation, means and integrals over a run, and maps have no such way.

#include <vector>

#include "lithe/study/output_expressions.hpp"
#include "lithe/study/study.hpp"

namespace lithe::detail {

/// Per output: whether there is such a way.
std::vector<char> outputs_with_slopes(const Study& study, const OutputExpressions& expressions);

/// Outputs (rows) by axes (columns) at `values`, where the outputs are those of `at`; not a number where `known` says
/// no, where a model to one side fails or has other coordinates, or where three neighbouring values are not on a line.
MatrixX output_slopes(const Study& study, const ModelOfValues& model_of, const OutputExpressions& expressions,
                      const std::vector<char>& known, const std::vector<double>& values, const Variant& at);

}  // namespace lithe::detail
