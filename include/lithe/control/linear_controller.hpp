#pragma once
// A linear controller in discrete state-space form: x_(k+1) = A x_k + B u_k, y_k = C x_k + D u_k.

#include "lithe/control/sampled_system.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe {

struct DiscreteMatrices {
  MatrixX A, B, C, D;
};

/// Empty: the matrices fit together. Else which does not, and what was expected.
std::string why_not_a_system(const DiscreteMatrices& matrices);

class LinearController : public SampledSystem {
 public:
  /// Throws std::invalid_argument where why_not_a_system() has something to say. The state starts at zero.
  explicit LinearController(DiscreteMatrices matrices);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  std::span<double> state() override { return {x_.data(), static_cast<std::size_t>(x_.size())}; }

 private:
  DiscreteMatrices m_;
  VectorX x_, next_;
};

}  // namespace lithe
