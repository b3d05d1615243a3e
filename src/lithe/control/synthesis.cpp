#include "lithe/control/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lithe/errors.hpp"

namespace lithe {
namespace {

/// The small model in continuous time, its state in terms of the whole one, and the weights that it sees.
struct SmallModel {
  StateSpace system;
  MatrixX left;
  Weights weights;
};

Weights projected_weights(const Weights& weights, const MatrixX& right) {
  Weights small{MatrixX(MatrixX(right.transpose()) * weights.Q) * right, weights.R};
  if (weights.S.size() > 0) small.S = MatrixX(right.transpose()) * weights.S;
  return small;
}

/// x = slow part + what the fast states are at rest, in terms of slow states and inputs: an output like any other.
Weights quasi_static_weights(const StateSpace& plant, const std::vector<int>& fast, const Weights& weights) {
  const Eigen::Index n = plant.A.rows(), m = plant.B.cols();
  const StateSpace whole =
      residualize({plant.A, plant.B, MatrixX::Identity(n, n), MatrixX::Zero(n, m), 0.0, {}, {}, {}}, fast);
  Weights slow = output_weights(whole, weights.Q, weights.R);
  if (weights.S.size() == 0) return slow;
  const MatrixX through = MatrixX(whole.D.transpose()) * weights.S;
  slow.S += MatrixX(whole.C.transpose()) * weights.S;
  slow.R += through + MatrixX(through.transpose());
  return slow;
}

/// The states that are not fast.
std::vector<int> slow_states(const SynthesisOptions& options, Eigen::Index states) {
  std::vector<int> slow;
  for (int i = 0; i < static_cast<int>(states); ++i)
    if (std::find(options.fast.begin(), options.fast.end(), i) == options.fast.end()) slow.push_back(i);
  return slow;
}

MatrixX rows_of_identity(const std::vector<int>& rows, Eigen::Index size) {
  const MatrixX one = MatrixX::Identity(size, size);
  return one(rows, Eigen::all);
}

void require_time_scales(const SynthesisOptions& options, Eigen::Index states) {
  const bool wanted = options.reduction == ModelReduction::slow || options.reduction == ModelReduction::fast ||
                      options.reduction == ModelReduction::composite;
  if (!wanted) return;
  if (options.fast.empty())
    throw MechanismError("fast states",
                         "the model has no elastic coordinates that could be fast; leave the reduction out");
  if (std::ssize(options.fast) == states && options.reduction != ModelReduction::fast)
    throw MechanismError("slow states", "all states of the model are fast ones; leave the reduction out");
  if (options.reduction != ModelReduction::composite) return;
  if (!options.poles.empty() || !options.integrated.empty() || options.delay > 0.0)
    throw MechanismError("composite control",
                         "composite control is for weights, without poles that are given, integral action and delay");
}

SmallModel small_model(const StateSpace& plant, const SynthesisOptions& options, Synthesis& result) {
  const Eigen::Index n = plant.A.rows();
  switch (options.reduction) {
    case ModelReduction::none:
      break;
    case ModelReduction::modal: {
      ReducedModel reduced = modal_truncation(plant, options.order);
      return {reduced.system, reduced.left, projected_weights(options.weights, reduced.right)};
    }
    case ModelReduction::balanced: {
      BalancedModel balanced = balanced_truncation(plant, options.order);
      result.hankel = balanced.hankel;
      result.bound = balanced.bound;
      return {balanced.reduced.system, balanced.reduced.left,
              projected_weights(options.weights, balanced.reduced.right)};
    }
    case ModelReduction::slow:
      return {residualize(plant, options.fast), rows_of_identity(slow_states(options, n), n),
              quasi_static_weights(plant, options.fast, options.weights)};
    case ModelReduction::fast: {
      const std::vector<int>& fast = options.fast;
      Weights weights{options.weights.Q(fast, fast), options.weights.R};
      if (options.weights.S.size() > 0) weights.S = options.weights.S(fast, Eigen::all);
      return {separate_time_scales(plant, fast).fast, rows_of_identity(fast, n), weights};
    }
    case ModelReduction::composite:
      break;
  }
  return {plant, MatrixX::Identity(n, n), options.weights};
}

std::vector<int> all_inputs(const StateSpace& system) {
  std::vector<int> list(system.B.cols());
  std::iota(list.begin(), list.end(), 0);
  return list;
}

/// Poles of the sampled system that stand for these; inputs on their way have theirs at zero.
std::vector<std::complex<double>> sampled_poles(const std::vector<std::complex<double>>& wanted,
                                                const StateSpace& system, std::size_t states) {
  std::vector<std::complex<double>> list;
  for (const std::complex<double>& pole : wanted)
    list.push_back(system.is_sampled() ? std::exp(pole * system.sample) : pole);
  if (system.is_sampled() && wanted.size() < states) list.resize(states, 0.0);
  return list;
}

void require_count(const char* what, Eigen::Index given, Eigen::Index needed) {
  if (given != needed) throw MechanismError(what, fmt::format("{}: {} are given, {} are needed", what, given, needed));
}

/// Gains of the small model with its integrators.
void find_gains(const SynthesisOptions& options, const SmallModel& small, Synthesis& result) {
  const auto integrals = std::ssize(options.integrated);
  const Eigen::Index own = small.system.A.rows(), late = result.model.A.rows() - own;
  if (!options.poles.empty()) {
    require_count("poles", std::ssize(options.poles), own + integrals);
    const StateSpace whole = with_integrators(result.model, options.integrated);
    result.K =
        place_poles(whole.A, whole.B, sampled_poles(options.poles, whole, static_cast<std::size_t>(whole.A.rows())));
    return;
  }
  require_count("weights of integrals", options.integral_weights.size(), integrals);
  // The cost of the motion is sampled exactly; integrals are sums over samples in the controller, and so is their cost.
  Weights weights = small.weights;
  if (options.period > 0.0) weights = sample_weights(small.system, weights, options.period, options.delay);
  const Eigen::Index n = own + late;
  MatrixX Q = MatrixX::Zero(n + integrals, n + integrals);
  Q.topLeftCorner(n, n) = weights.Q;
  Q.bottomRightCorner(integrals, integrals) =
      MatrixX(options.integral_weights.asDiagonal()) * (options.period > 0.0 ? options.period : 1.0);
  MatrixX S = MatrixX::Zero(n + integrals, small.system.B.cols());
  if (weights.S.size() > 0) S.topRows(n) = weights.S;
  const RiccatiSolution found = lqr(with_integrators(result.model, options.integrated), {Q, weights.R, S});
  result.K = found.K;
  result.residual = found.residual;
}

/// K for the states of the whole plant: left in front of the states of the small model.
MatrixX whole_gain(const Synthesis& result, Eigen::Index own) {
  const Eigen::Index rest = result.K.cols() - own;
  MatrixX K(result.K.rows(), result.left.cols() + rest);
  K << MatrixX(result.K.leftCols(own) * result.left), result.K.rightCols(rest);
  return K;
}

void find_observer(const SynthesisOptions& options, const SmallModel& small, Synthesis& result) {
  std::vector<int> integrated;  // among the sensors
  for (const int output : options.integrated) {
    const auto place = std::find(options.sensors.begin(), options.sensors.end(), output);
    if (place == options.sensors.end())
      throw MechanismError("integral action", "an output with integral action must be one of the sensors");
    integrated.push_back(static_cast<int>(place - options.sensors.begin()));
  }
  const StateSpace seen = select(result.model, all_inputs(result.model), options.sensors);
  const auto count = std::ssize(options.sensors);
  if (!options.observer_poles.empty()) {
    require_count("poles of the observer", std::ssize(options.observer_poles),
                  small.system.A.rows());
    result.observer =
        luenberger(seen, sampled_poles(options.observer_poles, seen, static_cast<std::size_t>(seen.A.rows())));
  } else {
    require_count("sensor noise", options.sensor_noise.size(), count);
    const MatrixX outputs = options.sensor_noise.cwiseAbs2().asDiagonal();
    result.observer =
        kalman(seen, {input_noise(small.system, options.input_noise, options.period, options.delay), outputs});
  }
  result.controller = compensator(seen, result.K, *result.observer, integrated);
}

}  // namespace

bool Synthesis::is_stable() const {
  return std::all_of(closed_poles.begin(), closed_poles.end(), [](const Pole& pole) { return pole.is_stable(); });
}

namespace {

/// u = us - Kf (xf - what the fast states are at rest under xs and us), us = - Ks xs.
void find_composite_gains(const StateSpace& plant, const SynthesisOptions& options, Synthesis& result) {
  const Eigen::Index n = plant.A.rows();
  const std::vector<int>& fast = options.fast;
  const std::vector<int> slow = slow_states(options, n);
  SynthesisOptions part = options;
  part.sensors.clear();
  part.reduction = ModelReduction::slow;
  const Synthesis slow_part = synthesize(plant, part);
  part.reduction = ModelReduction::fast;
  const Synthesis fast_part = synthesize(plant, part);
  const MatrixX A_ff = plant.A(fast, fast), A_fs = plant.A(fast, slow), B_f = plant.B(fast, Eigen::all);
  const MatrixX at_rest = MatrixX(-A_ff).fullPivLu().solve(MatrixX(A_fs - MatrixX(B_f * slow_part.K)));
  result.K = MatrixX::Zero(plant.B.cols(), n);
  result.K(Eigen::all, slow) = slow_part.K - MatrixX(fast_part.K * at_rest);
  result.K(Eigen::all, fast) = fast_part.K;
  result.residual = std::max(slow_part.residual, fast_part.residual);
  result.design_poles = slow_part.design_poles;
  result.design_poles.insert(result.design_poles.end(), fast_part.design_poles.begin(), fast_part.design_poles.end());
}

}  // namespace

Synthesis synthesize(const StateSpace& plant, const SynthesisOptions& options) {
  require_consistent(plant);
  if (plant.is_sampled())
    throw MechanismError("plant", "gains are computed from a continuous model, which is sampled then");
  if (options.delay > 0.0 && options.period == 0.0)
    throw MechanismError("delay", "a delay belongs to a sampled controller; give its sample time");
  require_time_scales(options, plant.A.rows());
  Synthesis result;
  const SmallModel small = small_model(plant, options, result);
  result.left = small.left;
  const bool sampled = options.period > 0.0;
  result.plant = sampled ? sample(plant, options.period, options.delay) : plant;
  result.model = sampled ? sample(small.system, options.period, options.delay) : small.system;
  const bool composite = options.reduction == ModelReduction::composite;
  if (composite)
    find_composite_gains(plant, options, result);
  else
    find_gains(options, small, result);
  result.K_whole = whole_gain(result, small.system.A.rows());
  if (!composite)
    result.design_poles = poles(state_feedback(with_integrators(result.model, options.integrated), result.K));

  StateSpace loop;
  if (options.sensors.empty()) {
    const StateSpace whole = with_integrators(result.plant, options.integrated);
    result.closed = state_feedback(whole, result.K_whole);
    loop = {whole.A, whole.B, result.K_whole, MatrixX::Zero(whole.B.cols(), whole.B.cols()), whole.sample, {}, {}, {}};
  } else {
    find_observer(options, small, result);
    const StateSpace seen = select(result.plant, all_inputs(result.plant), options.sensors);
    loop = series(seen, result.controller);
    loop.C = -loop.C;
    loop.D = -loop.D;
    result.closed = feedback(seen, result.controller, +1);
    // All outputs of the plant, not only those that are measured; the controller has no feedthrough.
    MatrixX C = MatrixX::Zero(plant.C.rows(), result.closed.A.rows());
    C.leftCols(result.plant.A.rows()) = result.plant.C;
    C.rightCols(result.controller.A.rows()) = result.plant.D * result.controller.C;
    result.closed.C = C;
    result.closed.D = result.plant.D;
    result.closed.outputs = result.plant.outputs;
  }
  result.closed_poles = poles(result.closed);
  result.margins = loop_margins(loop);
  return result;
}

}  // namespace lithe
