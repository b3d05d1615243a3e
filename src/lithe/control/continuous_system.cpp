#include "lithe/control/continuous_system.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "lithe/errors.hpp"

namespace lithe {
namespace {

Eigen::Map<const VectorX> vector_of(std::span<const double> values) {
  return {values.data(), std::ssize(values)};
}
Eigen::Map<VectorX> vector_of(std::span<double> values) {
  return {values.data(), std::ssize(values)};
}

}  // namespace

ContinuousLinear::ContinuousLinear(StateSpace system) : system_(std::move(system)) {
  require_consistent(system_);
  if (system_.is_sampled())
    throw MechanismError("controller", "a controller in continuous time cannot be a sampled system");
}

void ContinuousLinear::evaluate(double /*t*/, std::span<const double> x, std::span<const double> inputs,
                                std::span<double> outputs, std::span<double> rates) {
  const auto state = vector_of(x), u = vector_of(inputs);
  auto y = vector_of(outputs), rate = vector_of(rates);
  y.noalias() = system_.D * u;
  y.noalias() += system_.C * state;
  rate.noalias() = system_.A * state;
  rate.noalias() += system_.B * u;
}

// In the controllable canonical form: with d of the highest power one, x1' = x2, x2' = -d0 x1 - d1 x2 + u,
// y = (n0 - n2 d0) x1 + (n1 - n2 d1) x2 + n2 u.
StateSpace filter_bank(const TransferFunction& function, int signals) {
  const auto order_of = [](const std::array<double, 3>& p) { return p[2] != 0.0 ? 2 : p[1] != 0.0 ? 1 : 0; };
  const int order = order_of(function.denominator);
  if (order_of(function.numerator) > order || function.denominator[order] == 0.0)
    throw MechanismError("filter", "a filter in continuous time needs at least as many poles as zeros");
  const double lead = function.denominator[order];
  const auto d = [&](int k) { return function.denominator[k] / lead; };
  const auto n = [&](int k) { return function.numerator[k] / lead; };
  const Eigen::Index states = order * signals;
  StateSpace bank{MatrixX::Zero(states, states),
                  MatrixX::Zero(states, signals),
                  MatrixX::Zero(signals, states),
                  MatrixX::Identity(signals, signals) * n(order),
                  0.0,
                  {},
                  {},
                  {}};
  for (int i = 0; i < signals; ++i) {
    const Eigen::Index first = order * i;
    for (int k = 0; k < order; ++k) {
      if (k + 1 < order) bank.A(first + k, first + k + 1) = 1.0;
      bank.A(first + order - 1, first + k) = -d(k);
      bank.C(i, first + k) = n(k) - n(order) * d(k);
    }
    if (order > 0) bank.B(first + order - 1, i) = 1.0;
  }
  return bank;
}

ContinuousPid::ContinuousPid(std::vector<PidGains> gains)
    : gains_(std::move(gains)),
      low_(gains_.size(), -std::numeric_limits<double>::infinity()),
      high_(gains_.size(), std::numeric_limits<double>::infinity()) {
  for (const PidGains& each : gains_)
    if (each.kd != 0.0 && !each.measures_rate && !(each.filter > 0.0))
      throw MechanismError("controller",
                           "a derivative in continuous time needs 'rate', a measured one, or the bandwidth of a "
                           "'filter'");
}

void ContinuousPid::set_limits(std::span<const double> low, std::span<const double> high) {
  std::copy(low.begin(), low.end(), low_.begin());
  std::copy(high.begin(), high.end(), high_.begin());
}

void ContinuousPid::begin(std::span<const double> inputs, std::span<double> x) const {
  std::size_t input = 0;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    x[2 * i] = 0.0;
    x[2 * i + 1] = inputs[input++];
    if (gains_[i].measures_rate) ++input;
  }
}

void ContinuousPid::evaluate(double /*t*/, std::span<const double> x, std::span<const double> inputs,
                             std::span<double> outputs, std::span<double> rates) {
  std::size_t input = 0;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    const PidGains& gains = gains_[i];
    const double error = inputs[input++], sum = x[2 * i];
    double slope = gains.filter * (error - x[2 * i + 1]);
    rates[2 * i + 1] = slope;
    if (gains.measures_rate) slope = inputs[input++];
    outputs[i] = gains.kp * error + sum + gains.kd * slope;
    const double growth = gains.ki * error;
    const bool in_vain = (outputs[i] > high_[i] && growth > 0.0) || (outputs[i] < low_[i] && growth < 0.0);
    rates[2 * i] = in_vain ? 0.0 : growth;
  }
}

void ContinuousLaw::evaluate(double t, std::span<const double> /*x*/, std::span<const double> inputs,
                             std::span<double> outputs, std::span<double> /*rates*/) {
  std::fill(outputs.begin(), outputs.end(), 0.0);
  law_->sample(t, inputs, outputs);
}

ContinuousChain::ContinuousChain(std::unique_ptr<ContinuousSystem> first,
                                 std::vector<std::unique_ptr<ContinuousSystem>> then, int outputs)
    : first_(std::move(first)),
      then_(std::move(then)),
      own_(static_cast<std::size_t>(first_->states())),
      signal_(outputs) {}

int ContinuousChain::states() const {
  return std::accumulate(then_.begin(), then_.end(), static_cast<int>(own_),
                         [](int sum, const auto& part) { return sum + part->states(); });
}

void ContinuousChain::evaluate(double t, std::span<const double> x, std::span<const double> inputs,
                               std::span<double> outputs, std::span<double> rates) {
  first_->evaluate(t, x.first(own_), inputs, outputs, rates.first(own_));
  std::size_t place = own_;
  for (const auto& part : then_) {
    const auto own = static_cast<std::size_t>(part->states());
    std::copy(outputs.begin(), outputs.end(), signal_.begin());
    part->evaluate(t, x.subspan(place, own), signal_, outputs, rates.subspan(place, own));
    place += own;
  }
}

/// A part without feedthrough of its signals stops all of them.
bool ContinuousChain::passes(int input) const {
  if (!first_->passes(input)) return false;
  return std::all_of(then_.begin(), then_.end(), [&](const auto& part) {
    for (int i = 0; i < static_cast<int>(signal_.size()); ++i)
      if (part->passes(i)) return true;
    return false;
  });
}

}  // namespace lithe
