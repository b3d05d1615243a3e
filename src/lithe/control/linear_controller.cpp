#include "lithe/control/linear_controller.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lithe {

std::string why_not_a_system(const DiscreteMatrices& m) {
  const auto expect = [](const char* name, const MatrixX& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.rows() == rows && matrix.cols() == columns) return std::string();
    return fmt::format("{} is {} x {}, but must be {} x {}", name, matrix.rows(), matrix.cols(), rows, columns);
  };
  const Eigen::Index n = m.A.rows(), inputs = m.D.cols(), outputs = m.D.rows();
  for (const std::string& why : {expect("A", m.A, n, n), expect("B", m.B, n, inputs), expect("C", m.C, outputs, n)})
    if (!why.empty()) return why;
  return "";
}

LinearController::LinearController(DiscreteMatrices matrices)
    : m_(std::move(matrices)), x_(VectorX::Zero(m_.A.rows())), next_(m_.A.rows()) {
  if (const std::string why = why_not_a_system(m_); !why.empty()) throw std::invalid_argument(why);
}

void LinearController::sample(double /*t*/, std::span<const double> inputs, std::span<double> outputs) {
  const Eigen::Map<const VectorX> u(inputs.data(), static_cast<Eigen::Index>(inputs.size()));
  Eigen::Map<VectorX> y(outputs.data(), static_cast<Eigen::Index>(outputs.size()));
  y = m_.C * x_;
  y += m_.D * u;
  next_ = m_.A * x_;
  next_ += m_.B * u;
  x_.swap(next_);
}

}  // namespace lithe
