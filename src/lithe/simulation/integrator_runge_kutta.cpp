// Explicit Runge-Kutta methods: classical RK4 and Dormand-Prince with fixed step, and Dormand-Prince with the step
// controller that the reference states below its table 6.7 (the rules of the well-known ode45).

#include <array>
#include <cmath>
#include <limits>

#include "lithe/simulation/one_step_integrator.hpp"
#include "lithe/simulation/runge_kutta.hpp"

namespace lithe::detail {
namespace {

constexpr std::array<double, 7> dormand_prince_error{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                     -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

class RungeKutta : public OneStepIntegrator {
 public:
  RungeKutta(const RunOptions& options, OdeSystem system)
      : OneStepIntegrator(options, std::move(system)),
        tableau_(options.integrator == Integrator::rk4 ? classical_rk4 : dormand_prince),
        adaptive_(options.integrator == Integrator::ode45),
        argument_(system_.size) {
    for (VectorX& stage : stages_) stage.resize(system_.size);
  }

  RunStatus start_at(double t, const VectorX& y) override {
    start(t, y);
    rate_known_ = false;
    if (!adaptive_) return {};
    RunStatus begun = begin_step();
    if (begun) choose_first_step();
    return begun;
  }

  RunStatus take_step(double limit) override {
    if (!rate_known_)
      if (RunStatus begun = begin_step(); !begun) return begun;
    return adaptive_ ? adaptive_step(limit) : fixed_step(grid_.next(limit));
  }

  // A shorter step of the same method from the same start: no loss of order between the steps.
  RunStatus value_at(double t, VectorX& y) override {
    y.resize(system_.size);
    if (advance(previous_time_, previous_, previous_rate_, t - previous_time_, y)) return {};
    return give_up(not_inside);
  }

 private:
  static constexpr auto not_inside = "the equations of motion cannot be evaluated inside a step";

  RunStatus begin_step() {
    rate_known_ = evaluate(time_, state_, rate_);
    return rate_known_ ? RunStatus() : give_up("the equations of motion cannot be evaluated");
  }

  /// A step from (t, y) with the rate `first`.
  bool advance(double t, const VectorX& y, const VectorX& first, double h, VectorX& result) {
    stages_[0] = first;
    return runge_kutta_step(tableau_, y, h, stages_, argument_, result,
                            [&](double c, const VectorX& at, VectorX& rate) { return evaluate(t + c * h, at, rate); });
  }

  RunStatus fixed_step(double end) {
    if (!advance(time_, state_, rate_, end - time_, next_)) return give_up(not_inside);
    return accept_step(end);
  }

  RunStatus accept_step(double end) {
    rate_known_ = adaptive_ && !(system_.project && system_.project_changes_rate);
    return accept(end);
  }

  double weight(int i, const VectorX& y) const { return std::max(std::abs(y[i]), options_.atol / options_.rtol); }

  double longest_step() const {
    return options_.max_step > 0.0 ? options_.max_step : std::numeric_limits<double>::infinity();
  }

  void choose_first_step() {
    double fastest = 0.0;
    for (int i = 0; i < system_.controlled; ++i) fastest = std::max(fastest, std::abs(rate_[i]) / weight(i, state_));
    h_ = std::min(longest_step(), options_.until - options_.from);
    const double wanted = 0.8 * std::pow(options_.rtol, 0.2);
    if (h_ * fastest > wanted) h_ = wanted / fastest;
  }

  RunStatus adaptive_step(double limit) {
    h_ = std::min(h_, longest_step());
    for (bool rejected = false;; rejected = true) {
      bool last = false;
      double h = h_;
      if (1.1 * h >= limit - time_) {
        h = limit - time_;
        last = true;
      }
      const double error = try_step(h);
      if (error <= options_.rtol) {
        if (!rejected) h_ = h / std::max(0.2, 1.25 * std::pow(error / options_.rtol, 0.2));
        return accept_step(last ? limit : time_ + h);
      }
      ++counts_.rejected;
      // The first rejection trusts the error estimate, further ones halve the step.
      const bool estimated = !rejected && std::isfinite(error);
      h_ = estimated ? h * std::max(0.1, 0.8 * std::pow(options_.rtol / error, 0.2)) : 0.5 * h;
      if (h_ < shortest_step(options_)) return give_up("the step size has become too small");
    }
  }

  /// Makes next_ and its rate; returns the error in the units of rtol, infinity when an evaluation failed.
  double try_step(double h) {
    constexpr double failed = std::numeric_limits<double>::infinity();
    if (!advance(time_, state_, rate_, h, next_)) return failed;
    if (!evaluate(time_ + h, next_, next_rate_)) return failed;
    double worst = 0.0;
    for (int i = 0; i < system_.controlled; ++i) {
      double e = dormand_prince_error[6] * next_rate_[i];
      for (int s = 0; s < 6; ++s) e += dormand_prince_error[s] * stages_[s][i];
      worst = std::max(worst, std::abs(e) / std::max(weight(i, state_), std::abs(next_[i])));
    }
    return h * worst;
  }

  const Tableau& tableau_;
  bool adaptive_;
  double h_ = 0.0;
  bool rate_known_ = false;
  std::array<VectorX, 6> stages_;
  VectorX argument_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_runge_kutta(const RunOptions& options, OdeSystem system) {
  return std::make_unique<RungeKutta>(options, std::move(system));
}

}  // namespace lithe::detail
