#pragma once
// Controllers and frequency responses on disk.

#include <string>
#include <vector>

#include "lithe/control/synthesis.hpp"

namespace lithe {

/// A MAT-file (level 5) for Octave, MATLAB and SciPy. Of one operating point: A, B, C, D and T of the model for which the
/// gains were computed, K, K_whole, left; with an observer L and the controller Ac, Bc, Cc, Dc; poles (open loop of the
/// model), closed_poles, states, inputs, outputs, t, model. Of several: the same names with _1, _2, ... and `times`.
std::string mat_file(const std::vector<Synthesis>& points, const std::vector<double>& times,
                     const std::string& model_name);

/// f (Hz), and per frequency and pair of output and input the complex G: G_real and G_imag have one row per frequency
/// and one column per pair, inputs of the first output first; inputs, outputs, model.
std::string mat_file(const StateSpace& system, const std::vector<double>& frequencies,
                     const std::vector<Eigen::MatrixXcd>& answers, const std::string& model_name);

}  // namespace lithe
