#include "lithe/control/observer.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "lithe/control/exponential.hpp"
#include "lithe/errors.hpp"

namespace lithe {

MatrixX input_noise(const StateSpace& plant, const VectorX& densities, double period, double delay) {
  if (densities.size() != plant.B.cols())
    throw MechanismError("noise", fmt::format("{} densities of noise for {} inputs", densities.size(), plant.B.cols()));
  const MatrixX entering = plant.B * densities.asDiagonal();
  const MatrixX intensity = entering * MatrixX(entering.transpose());
  if (period == 0.0) return intensity;
  const Eigen::Index total = sample(plant, period, delay).A.rows(), n = plant.A.rows();
  MatrixX covariance = MatrixX::Zero(total, total);
  covariance.topLeftCorner(n, n) = detail::integrated_weight(plant.A.transpose(), intensity, period);
  return covariance;
}

Observer kalman(const StateSpace& plant, const Noise& noise) {
  require_consistent(plant);
  const MatrixX At = plant.A.transpose(), Ct = plant.C.transpose();
  RiccatiSolution dual;
  try {
    dual = plant.is_sampled() ? discrete_riccati(At, Ct, noise.states, noise.outputs)
                              : riccati(At, Ct, noise.states, noise.outputs);
  } catch (const PhysicsError& error) {
    throw PhysicsError(
        fmt::format("the Kalman filter, whose equations are those of a regulator with outputs in the place of "
                    "inputs and noise in the place of weights: {}",
                    error.what()));
  }
  Observer observer{dual.K.transpose(), dual.X, {}, dual.residual};
  if (plant.is_sampled()) {
    const MatrixX PC = dual.X * Ct;
    const MatrixX inner = noise.outputs + MatrixX(plant.C * PC);
    observer.filter = MatrixX(inner.llt().solve(MatrixX(PC.transpose()))).transpose();
  }
  return observer;
}

Observer luenberger(const StateSpace& plant, const std::vector<std::complex<double>>& wanted) {
  require_consistent(plant);
  return {MatrixX(place_poles(plant.A.transpose(), plant.C.transpose(), wanted).transpose()), {}, {}, 0.0};
}

StateSpace compensator(const StateSpace& plant, const MatrixX& K, const Observer& observer,
                       const std::vector<int>& integrated) {
  require_consistent(plant);
  const Eigen::Index n = plant.A.rows(), p = plant.C.rows(), m = plant.B.cols();
  const auto k = std::ssize(integrated);
  if (K.rows() != m || K.cols() != n + k)
    throw MechanismError(
        "K", fmt::format("K has {} rows and {} columns; {} x {} fit the plant", K.rows(), K.cols(), m, n + k));
  const MatrixX& L = observer.L;
  const double step = plant.is_sampled() ? plant.sample : 1.0;
  const MatrixX through = plant.B - MatrixX(L * plant.D);  // xhat' = (A - L C) xhat + (B - L D) u + L y
  StateSpace result{MatrixX::Zero(n + k, n + k),
                    MatrixX::Zero(n + k, p),
                    -K,
                    MatrixX::Zero(m, p),
                    plant.sample,
                    {},
                    plant.outputs,
                    plant.inputs};
  result.A.topRows(n) = -MatrixX(through * K);
  result.A.topLeftCorner(n, n) += plant.A - MatrixX(L * plant.C);
  result.B.topRows(n) = L;
  for (Eigen::Index i = 0; i < k; ++i) {
    result.B(n + i, integrated[i]) = step;
    if (plant.is_sampled()) result.A(n + i, n + i) = 1.0;
  }
  if (plant.states.empty()) return result;
  for (const std::string& state : plant.states) result.states.push_back("estimate." + state);
  for (const int output : integrated)
    result.states.push_back("integral." + (plant.outputs.empty() ? std::to_string(output) : plant.outputs[output]));
  return result;
}

}  // namespace lithe
