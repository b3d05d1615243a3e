#include "lithe/control/regulator.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/control/exponential.hpp"
#include "lithe/control/held_interval.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

/// Weights of [x; u] in one matrix.
MatrixX joint_weight(const Weights& weights) {
  const Eigen::Index n = weights.Q.rows(), m = weights.R.rows();
  MatrixX whole = MatrixX::Zero(n + m, n + m);
  whole.topLeftCorner(n, n) = weights.Q;
  whole.bottomRightCorner(m, m) = weights.R;
  if (weights.S.size() == 0) return whole;
  whole.topRightCorner(n, m) = weights.S;
  whole.bottomLeftCorner(m, n) = weights.S.transpose();
  return whole;
}

/// The cost of [x; u] over a time `h` in which u is held.
MatrixX held_weight(const StateSpace& plant, const MatrixX& weight, double h) {
  const Eigen::Index n = plant.A.rows(), m = plant.B.cols();
  MatrixX F = MatrixX::Zero(n + m, n + m);
  F.topLeftCorner(n, n) = plant.A;
  F.topRightCorner(n, m) = plant.B;
  return detail::integrated_weight(F, weight, h);
}

}  // namespace

Weights output_weights(const StateSpace& plant, const MatrixX& Qy, const MatrixX& R) {
  const MatrixX QC = Qy * plant.C, QD = Qy * plant.D, Ct = plant.C.transpose(), Dt = plant.D.transpose();
  return {Ct * QC, R + MatrixX(Dt * QD), Ct * QD};
}

RiccatiSolution lqr(const StateSpace& plant, const Weights& weights) {
  require_consistent(plant);
  return plant.is_sampled() ? discrete_riccati(plant.A, plant.B, weights.Q, weights.R, weights.S)
                            : riccati(plant.A, plant.B, weights.Q, weights.R, weights.S);
}

Weights sample_weights(const StateSpace& plant, const Weights& weights, double period, double delay) {
  const std::vector<detail::HeldPart> parts = detail::held_parts(period, delay);
  const Eigen::Index n = plant.A.rows(), m = plant.B.cols(), total = n + parts[0].back * m;
  const MatrixX weight = joint_weight(weights);
  // The state at the start of a part, and the input that acts in it, in terms of [all states; u[k]].
  MatrixX x = MatrixX::Identity(n, total + m), sum = MatrixX::Zero(total + m, total + m);
  for (const detail::HeldPart& part : parts) {
    MatrixX u = MatrixX::Zero(m, total + m), start(n + m, total + m);
    u.middleCols(part.back == 0 ? total : n + (part.back - 1) * m, m).setIdentity();
    start << x, u;
    sum += MatrixX(MatrixX(start.transpose()) * held_weight(plant, weight, part.h)) * start;
    const detail::HeldInput held = detail::hold_input(plant.A, plant.B, part.h);
    x = MatrixX(held.Phi * x) + MatrixX(held.Gamma * u);
  }
  // An input that is still on its way costs nothing yet, and a cost without a weight of u[k] has no least value. What an
  // input costs by itself while it acts is therefore taken when it is given: the sum over all samples is the same.
  for (const detail::HeldPart& part : parts) {
    if (part.back == 0) continue;
    const MatrixX own = part.h * weights.R;
    sum.block(n + (part.back - 1) * m, n + (part.back - 1) * m, m, m) -= own;
    sum.bottomRightCorner(m, m) += own;
  }
  return {sum.topLeftCorner(total, total), sum.bottomRightCorner(m, m), sum.topRightCorner(total, m)};
}

SampledRegulator sampled_lqr(const StateSpace& plant, const Weights& weights, double period, double delay) {
  SampledRegulator result{sample(plant, period, delay), sample_weights(plant, weights, period, delay), {}};
  result.gain = lqr(result.plant, result.weights);
  return result;
}

}  // namespace lithe
