// A linear model of a parallel robot with elastic legs along its motion: states, inputs, poles, a file for Octave.

#include <cmath>
#include <cstdio>
#include <lithe/io/linear_model_file.hpp>
#include <lithe/io/load_model.hpp>
#include <numbers>

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples";
  const lithe::Model model = lithe::load_model(folder + "/flexible-3rrr.yaml");

  // At t = 0.5 s of the motion laws: the motors apply what the motion needs there.
  lithe::OperatingPoint point(model, {.at = 0.5});
  for (const auto& [motor, force] : point.motor_forces()) std::printf("%s: %.6f N m\n", motor.c_str(), force);

  // d/dt dx = A dx + B du, dy = C dx + D du, for control design.
  const lithe::LinearModel linear = lithe::linear_model(point, {"pos.*"});
  std::printf("%zu states, %zu inputs, %zu outputs\n", linear.states.size(), linear.inputs.size(),
              linear.outputs.size());
  int shown = 0;
  for (const std::complex<double>& pole : linear.poles) {
    if (pole.imag() <= 0 || ++shown > 4) continue;
    std::printf("%.4f Hz, damping ratio %.5f\n", std::abs(pole) / (2 * std::numbers::pi),
                -pole.real() / std::abs(pole));
  }
  std::printf("A is %td x %td, its trace %.4f 1/s\n", linear.A.rows(), linear.A.cols(), linear.A.trace());
  if (argc > 2) lithe::save_mat(linear, model.name, argv[2]);
}
