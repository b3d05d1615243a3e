#pragma once
// What the command line of `lithe gains` says, in terms of the states, inputs and outputs of a linear model.

#include "control_verbs.hpp"
#include "lithe/control/synthesis.hpp"
#include "lithe/simulation/linear_model.hpp"

namespace lithe::cli {

struct GainProblem {
  StateSpace plant;         ///< with the inputs that control
  std::vector<int> inputs;  ///< all of the plant
  SynthesisOptions options;
};

/// `fast`: states that may be left to their quasi-static values. Throws InputError.
GainProblem gain_problem(const LinearModel& linear, const std::vector<int>& fast, const GainsOptions& given);

}  // namespace lithe::cli
