#include "lithe/simulation/modal_answer.hpp"

#include <tuple>

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
  e_.resize(std::tuple_size_v<OscillatorFunctions>, basis.square().size());
  for (Eigen::Index k = 0; k < e_.cols(); ++k) {
    const OscillatorFunctions e = oscillator_functions(basis.square()[k] * t * t, basis.damping()[k] * t);
    for (Eigen::Index i = 0; i < e_.rows(); ++i) e_(i, k) = e[i];
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

// slope and bend of ForcePolynomial::through(), differentiated.
ModalAnswer::SpeedSlopes ModalAnswer::speed_slopes(double tau, Eigen::Index k) const {
  const double by_slope = t_ * tau * e_(2, k), by_bend = t_ * 2.0 * tau * tau * e_(3, k);
  return {4.0 * by_slope - 4.0 * by_bend, 2.0 * by_bend - by_slope};
}

// From the balance of each oscillator: d (integral of xi'^2) = (integral of g xi') - change of (xi'^2 + w^2 xi^2)/2, with
// (integral of g xi') = g xi - (integral of g' xi) and g' linear in time.
double ModalAnswer::dissipation(double tau, const VectorX& start, const ForcePolynomial& force,
                                const ModalBasis& basis) const {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < e_.cols(); ++k) {
    if (basis.damping()[k] == 0.0 || t_ == 0.0) continue;
    const auto e = e_.col(k);
    const double value = force.value[k], slope = tau * force.slope[k], bend = 2.0 * tau * tau * force.bend[k];
    const double xi = t_ * (e[1] * start[k] + t_ * (e[2] * value + e[3] * slope + e[4] * bend));
    const double rate = e[0] * start[k] + t_ * (e[1] * value + e[2] * slope + e[3] * bend);
    // Of xi, integrated once and twice over the time, in units of t and t^2.
    const double once = t_ * (e[2] * start[k] + t_ * (e[3] * value + e[4] * slope + e[5] * bend));
    const double twice = t_ * (e[3] * start[k] + t_ * (e[4] * value + e[5] * slope + e[6] * bend));
    const double work = (value + slope + 0.5 * bend) * xi - slope * once - bend * (once - twice);
    sum += work - 0.5 * (rate * rate - start[k] * start[k] + basis.square()[k] * xi * xi);
  }
  return sum;
}

}  // namespace lithe::detail
