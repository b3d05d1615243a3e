#include "lithe/io/control_file.hpp"

#include "lithe/io/mat_file.hpp"

namespace lithe {
namespace {

std::vector<std::complex<double>> pole_values(const std::vector<Pole>& poles) {
  std::vector<std::complex<double>> values;
  for (const Pole& pole : poles) values.push_back(pole.value);
  return values;
}

void add_point(io::MatFile& file, const Synthesis& point, const std::string& end) {
  file.add("A" + end, point.model.A);
  file.add("B" + end, point.model.B);
  file.add("C" + end, point.model.C);
  file.add("D" + end, point.model.D);
  file.add("K" + end, point.K);
  file.add("K_whole" + end, point.K_whole);
  file.add("left" + end, point.left);
  file.add("poles" + end, pole_values(poles(point.model)));
  file.add("closed_poles" + end, pole_values(point.closed_poles));
  if (!point.observer) return;
  file.add("L" + end, point.observer->L);
  file.add("Ac" + end, point.controller.A);
  file.add("Bc" + end, point.controller.B);
  file.add("Cc" + end, point.controller.C);
  file.add("Dc" + end, point.controller.D);
}

}  // namespace

std::string mat_file(const std::vector<Synthesis>& points, const std::vector<double>& times,
                     const std::string& model_name) {
  io::MatFile file("controller by lithe");
  for (std::size_t i = 0; i < points.size(); ++i)
    add_point(file, points[i], points.size() == 1 ? "" : "_" + std::to_string(i + 1));
  file.add("T", MatrixX::Constant(1, 1, points.empty() ? 0.0 : points[0].model.sample));
  file.add(points.size() == 1 ? "t" : "times",
           Eigen::Map<const MatrixX>(times.data(), std::ssize(times), 1));
  if (!points.empty()) {
    file.add("states", points[0].plant.states);
    file.add("inputs", points[0].plant.inputs);
    file.add("outputs", points[0].plant.outputs);
    if (points[0].observer) file.add("sensors", points[0].controller.inputs);
  }
  file.add("model", model_name);
  return file.bytes();
}

std::string mat_file(const StateSpace& system, const std::vector<double>& frequencies,
                     const std::vector<Eigen::MatrixXcd>& answers, const std::string& model_name) {
  const auto rows = std::ssize(frequencies);
  MatrixX real(rows, system.D.size()), imaginary(rows, system.D.size());
  for (Eigen::Index k = 0; k < rows; ++k)
    for (Eigen::Index i = 0; i < system.D.rows(); ++i)
      for (Eigen::Index j = 0; j < system.D.cols(); ++j) {
        real(k, i * system.D.cols() + j) = answers[k](i, j).real();
        imaginary(k, i * system.D.cols() + j) = answers[k](i, j).imag();
      }
  io::MatFile file("frequency response by lithe");
  file.add("f", Eigen::Map<const MatrixX>(frequencies.data(), rows, 1));
  file.add("G_real", real);
  file.add("G_imag", imaginary);
  file.add("inputs", system.inputs);
  file.add("outputs", system.outputs);
  file.add("model", model_name);
  return file.bytes();
}

}  // namespace lithe
