#include "lithe/simulation/continuous_loop.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "lithe/analysis/linearize.hpp"
#include "lithe/simulation/control_inputs.hpp"
#include "lithe/simulation/linear_law.hpp"

namespace lithe::detail {
namespace {

/// A law about its inputs at the point.
StateSpace law_at_point(ContinuousSystem& system, double t, const std::vector<double>& inputs, std::size_t outputs) {
  const auto n = static_cast<Eigen::Index>(system.states()), p = static_cast<Eigen::Index>(outputs);
  std::vector<double> memory(n);
  system.begin(inputs, memory);
  const auto answer = [&](const std::vector<double>& x, const std::vector<double>& u) {
    VectorX all = VectorX::Zero(n + p);
    system.evaluate(t, x, u, {all.data() + n, outputs}, {all.data(), static_cast<std::size_t>(n)});
    return all;
  };
  return linear_law(answer, memory, inputs, outputs, 0.0);
}

/// lag f' = u - f behind the outputs that lag.
StateSpace with_lags(const StateSpace& law, const std::vector<OutputLimits>& limits) {
  const Eigen::Index outputs = law.D.rows();
  StateSpace lags{MatrixX(0, 0),
                  MatrixX(0, outputs),
                  MatrixX::Zero(outputs, 0),
                  MatrixX::Identity(outputs, outputs),
                  0.0,
                  {},
                  {},
                  {}};
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const double lag = limits[i].lag;
    if (lag == 0.0) continue;
    const Eigen::Index n = lags.A.rows();
    lags.A.conservativeResize(n + 1, n + 1);
    lags.A.row(n).setZero();
    lags.A.col(n).setZero();
    lags.A(n, n) = -1.0 / lag;
    lags.B.conservativeResize(n + 1, outputs);
    lags.B.row(n).setZero();
    lags.B(n, i) = 1.0 / lag;
    lags.C.conservativeResize(outputs, n + 1);
    lags.C.col(n).setZero();
    lags.C(i, n) = 1.0;
    lags.D(i, i) = 0.0;
  }
  return lags.A.rows() == 0 ? law : series(law, lags);
}

/// One controller: from the sensors to the inputs of the mechanism.
StateSpace controller_at(OperatingPoint& point, const LinearModel& sensors, const LinearModel& model,
                         const ContinuousController& controller) {
  const auto inputs = std::ssize(controller.inputs);
  MatrixX reading = MatrixX::Zero(inputs, std::ssize(sensors.outputs));
  std::vector<double> nominal;
  for (Eigen::Index i = 0; i < inputs; ++i) {
    const ControlInput& input = controller.inputs[i];
    if (const int signal = signal_of(sensors.outputs, input); signal >= 0)
      reading(i, signal) = input.reversed ? -1.0 : 1.0;
    nominal.push_back(nominal_input(point, sensors.outputs, input));
  }
  const std::size_t outputs = controller.drives.size();
  MatrixX acting = MatrixX::Zero(std::ssize(model.inputs), static_cast<Eigen::Index>(outputs));
  for (std::size_t i = 0; i < outputs; ++i) {
    bool any = false;
    for (std::size_t j = 0; j < model.inputs.size(); ++j) {
      if (model.inputs[j].name != "tau." + controller.drives[i]) continue;
      acting(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = 1.0;
      any = true;
    }
    if (!any)
      throw MechanismError(controller.drives[i],
                           fmt::format("no motor acts on '{}' at this point", controller.drives[i]));
  }
  const auto system = controller.begin({point.plan(), point.state()});
  StateSpace law = with_lags(law_at_point(*system, sensors.t, nominal, outputs), controller.limits);
  law.B = MatrixX(law.B * reading);
  law.C = MatrixX(acting * law.C);
  law.D = MatrixX(acting * MatrixX(law.D * reading));
  return law;
}

/// Both beside each other: the same inputs, forces that add up.
StateSpace beside(const StateSpace& first, const StateSpace& second) {
  const Eigen::Index n = first.A.rows(), m = second.A.rows();
  StateSpace both{MatrixX::Zero(n + m, n + m),
                  MatrixX(n + m, first.B.cols()),
                  MatrixX(first.C.rows(), n + m),
                  MatrixX(first.D + second.D),
                  0.0,
                  {},
                  {},
                  {}};
  both.A.topLeftCorner(n, n) = first.A;
  both.A.bottomRightCorner(m, m) = second.A;
  both.B << first.B, second.B;
  both.C << first.C, second.C;
  return both;
}

}  // namespace

// With u = v + Cc z + Dc s and s = Cs x + Ds u:  u = W (v + Cc z + Dc Cs x),  W = (1 - Dc Ds)^-1.
void close_continuous_loops(OperatingPoint& point, const LinearModel& sensors, LinearModel& model) {
  const Eigen::Index inputs = model.B.cols(), signals = sensors.C.rows();
  StateSpace law{
      MatrixX(0, 0), MatrixX(0, signals), MatrixX(inputs, 0), MatrixX::Zero(inputs, signals), 0.0, {}, {}, {}};
  for (const ContinuousController& controller : point.model().continuous_controllers) {
    const Eigen::Index before = law.A.rows();
    law = beside(law, controller_at(point, sensors, model, controller));
    for (Eigen::Index i = 0; i < law.A.rows() - before; ++i)
      model.states.push_back({fmt::format("control.{}.state.{}", controller.name, i + 1), "", 0.0});
  }
  const Eigen::Index n = model.A.rows(), k = law.A.rows();
  const Eigen::FullPivLU<MatrixX> loop(MatrixX(MatrixX::Identity(inputs, inputs) - law.D * sensors.D));
  if (!loop.isInvertible())
    throw MechanismError("controllers", "forces of controllers in continuous time depend on themselves at this point");
  const MatrixX W = loop.inverse();
  MatrixX by_state(inputs, n + k);
  by_state << MatrixX(law.D * sensors.C), law.C;
  by_state = MatrixX(W * by_state);
  MatrixX read = sensors.D * by_state;
  read.leftCols(n) += sensors.C;
  MatrixX A = MatrixX::Zero(n + k, n + k), B(n + k, inputs), C = MatrixX::Zero(model.C.rows(), n + k);
  A.topLeftCorner(n, n) = model.A;
  A.topRows(n) += model.B * by_state;
  A.bottomRows(k) = law.B * read;
  A.bottomRightCorner(k, k) += law.A;
  B << MatrixX(model.B * W), MatrixX(law.B * MatrixX(sensors.D * W));
  C.leftCols(n) = model.C;
  C += model.D * by_state;
  model.A = A;
  model.B = B;
  model.C = C;
  model.D = MatrixX(model.D * W);
  model.rates.conservativeResize(n + k);
  model.rates.tail(k).setZero();
  model.poles = poles(model.A);
}

}  // namespace lithe::detail
