// Small motions of a parallel robot with elastic legs about rest: poles with locked and with free motors.

#include <cmath>
#include <cstdio>
#include <lithe/analysis/rest.hpp>
#include <lithe/io/load_model.hpp>
#include <numbers>

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples";
  const lithe::Model model = lithe::load_model(folder + "/flexible-3rrr.yaml");

  // At t = 0.5 s of the motion laws. M x'' + D x' + K x = B u in the independent coordinates.
  lithe::ModelAtRest locked(model, {.at = 0.5});
  const lithe::Linearisation& linear = locked.rest().linear;
  std::printf("%zu coordinates, first: %s\n", linear.names.size(), linear.names.front().c_str());
  int shown = 0;
  for (const std::complex<double>& pole : lithe::poles(linear)) {
    if (pole.imag() <= 0 || ++shown > 4) continue;
    std::printf("%.4f Hz, damping ratio %.5f\n", std::abs(pole) / (2 * std::numbers::pi),
                -pole.real() / std::abs(pole));
  }

  // The state-space form d/dt [x; x'] = A [x; x'] + E u, for control design.
  const lithe::MatrixX A = linear.state_matrix();
  std::printf("A is %td x %td, its trace %.4f 1/s\n", A.rows(), A.cols(), A.trace());
}
