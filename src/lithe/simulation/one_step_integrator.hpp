#pragma once
// What methods have in common that need nothing of the past but the state at the end of the last step.

#include <utility>

#include "lithe/simulation/integrator.hpp"
#include "lithe/simulation/step_grid.hpp"

namespace lithe::detail {

class OneStepIntegrator : public OdeIntegrator {
 protected:
  OneStepIntegrator(const RunOptions& options, OdeSystem system) : OdeIntegrator(options), system_(std::move(system)) {
    for (VectorX* vector : {&rate_, &next_, &next_rate_, &previous_rate_}) vector->resize(system_.size);
  }

  void start(double t, const VectorX& y) {
    time_ = t;
    state_ = y;
    grid_ = StepGrid(t, options_.step);
  }

  bool evaluate(double t, const VectorX& y, VectorX& rate) {
    ++counts_.evaluations;
    return went(system_.rate(t, y, rate));
  }

  /// next_ and next_rate_ become the state and its rate at `end`; the step is kept for values inside it.
  RunStatus accept(double end) {
    previous_time_ = std::exchange(time_, end);
    previous_.swap(state_);
    previous_rate_.swap(rate_);
    state_ = next_;
    rate_.swap(next_rate_);
    ++counts_.steps;
    if (!system_.project || went(system_.project(time_, state_))) return {};
    return give_up("the state after a step cannot be projected onto the closures");
  }

  OdeSystem system_;
  StepGrid grid_;
  double previous_time_ = 0.0;
  VectorX rate_, next_, next_rate_, previous_, previous_rate_;
};

}  // namespace lithe::detail
