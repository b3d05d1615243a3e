#pragma once
// Linear models on disk.

#include <string>
#include <vector>

#include "lithe/simulation/linear_model.hpp"

namespace lithe {

/// Sets the units of all signals, as far as they are known.
void add_units(LinearModel& linear, const Mechanism& mechanism);

/// A MAT-file (level 5, uncompressed) for Octave, MATLAB and SciPy: A, B, C, D; states, inputs, outputs and
/// state_units, input_units, output_units (cell arrays of text); x0, u0, y0, dx0 (values at the operating point, rates
/// of the states); poles, t, model.
std::string mat_file(const LinearModel& linear, const std::string& model_name);
/// The same into a file, which takes its name when it is whole and is none of the `inputs`. Throws ResultsError with
/// the reason.
void save_mat(const LinearModel& linear, const std::string& model_name, const std::string& path,
              const std::vector<std::string>& inputs = {});

}  // namespace lithe
