#include "lithe/simulation/modal_answer.hpp"

#include "lithe/simulation/phi_functions.hpp"

namespace lithe::detail {

void ForcePolynomial::through(const VectorX& start, const VectorX& middle, const VectorX& end) {
  value = start;
  slope = 4.0 * middle - 3.0 * start - end;
  bend = 2.0 * (start - 2.0 * middle + end);
}

void ForcePolynomial::extrapolate(const std::array<VectorX, 3>& before, double ratio) {
  through(before[0], before[1], before[2]);
  value = before[2];
  slope = (slope + 2.0 * bend) / ratio;
  bend /= ratio * ratio;
}

void ModalAnswer::after(double t, const ModalBasis& basis) {
  t_ = t;
  e_.resize(5, basis.square().size());
  for (Eigen::Index k = 0; k < e_.cols(); ++k) {
    const OscillatorFunctions e = oscillator_functions(basis.square()[k] * t * t, basis.damping()[k] * t);
    for (int i = 0; i < 5; ++i) e_(i, k) = e[static_cast<std::size_t>(i)];
  }
}

void ModalAnswer::motion(double tau, const VectorX& start, const ForcePolynomial& force, VectorX& xi,
                         VectorX& rate) const {
  for (Eigen::Index k = 0; k < e_.cols(); ++k) {
    const auto e = e_.col(k);
    const double slope = tau * force.slope[k], bend = 2.0 * tau * tau * force.bend[k];
    xi[k] = t_ * (e[1] * start[k] + t_ * (e[2] * force.value[k] + e[3] * slope + e[4] * bend));
    rate[k] = e[0] * start[k] + t_ * (e[1] * force.value[k] + e[2] * slope + e[3] * bend);
  }
}

}  // namespace lithe::detail
