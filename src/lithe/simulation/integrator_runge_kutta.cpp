// Explicit Runge-Kutta methods: classical RK4 and Dormand-Prince with fixed step, and Dormand-Prince with the step
// controller that the reference states below its table 6.7 (the rules of the well-known ode45).

#include <array>
#include <cmath>
#include <limits>

#include "lithe/simulation/integrator.hpp"
#include "lithe/simulation/step_grid.hpp"

namespace lithe::detail {
namespace {

struct Tableau {
  int stages;
  std::array<double, 7> c;
  std::array<std::array<double, 6>, 7> a;
  std::array<double, 7> b;
};

constexpr Tableau rk4{4, {0, 0.5, 0.5, 1}, {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// The fifth-order weights need six stages; the seventh serves the error estimate and is the first of the next step.
constexpr Tableau dormand_prince{6,
                                 {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
                                 {{{},
                                   {1.0 / 5},
                                   {3.0 / 40, 9.0 / 40},
                                   {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                   {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                   {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}},
                                 {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr std::array<double, 7> dormand_prince_error{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                     -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

class RungeKutta : public OdeIntegrator {
 public:
  RungeKutta(const RunOptions& options, OdeSystem system)
      : options_(options),
        system_(std::move(system)),
        tableau_(options.integrator == Integrator::rk4 ? rk4 : dormand_prince),
        adaptive_(options.integrator == Integrator::ode45) {
    for (VectorX& stage : stages_) stage.resize(system_.size);
    for (VectorX* vector : {&argument_, &rate_, &rate_next_, &next_, &previous_rate_}) vector->resize(system_.size);
  }

  bool restart(double t, const VectorX& y) override {
    time_ = t;
    state_ = y;
    grid_ = StepGrid(t, options_.step);
    rate_known_ = false;
    return !adaptive_ || (begin_step() && choose_first_step());
  }

  bool step(double limit) override {
    if (!rate_known_ && !begin_step()) return false;
    return adaptive_ ? adaptive_step(limit) : fixed_step(grid_.next(limit));
  }

  // A shorter step of the same method from the same start: no loss of order between the steps.
  bool interpolate(double t, VectorX& y) override {
    y.resize(system_.size);
    return advance(previous_time_, previous_, previous_rate_, t - previous_time_, y);
  }

 private:
  bool evaluate(double t, const VectorX& y, VectorX& rate) {
    ++counts_.evaluations;
    return system_.rate(t, y, rate);
  }

  bool begin_step() {
    rate_known_ = evaluate(time_, state_, rate_);
    if (!rate_known_) failure_ = "the equations of motion cannot be evaluated";
    return rate_known_;
  }

  /// result = y + h sum b_i k_i, where k_1 = `first` is known.
  bool advance(double t, const VectorX& y, const VectorX& first, double h, VectorX& result) {
    stages_[0] = first;
    for (int i = 1; i < tableau_.stages; ++i) {
      argument_ = y;
      for (int j = 0; j < i; ++j) {
        if (tableau_.a[i][j] != 0.0) argument_ += (h * tableau_.a[i][j]) * stages_[j];
      }
      if (!evaluate(t + tableau_.c[i] * h, argument_, stages_[i])) return false;
    }
    result = y;
    for (int i = 0; i < tableau_.stages; ++i) {
      if (tableau_.b[i] != 0.0) result += (h * tableau_.b[i]) * stages_[i];
    }
    return true;
  }

  bool fixed_step(double end) {
    if (!advance(time_, state_, rate_, end - time_, next_)) {
      failure_ = "the equations of motion cannot be evaluated inside a step";
      return false;
    }
    return accept(end);
  }

  bool accept(double end) {
    previous_time_ = time_;
    previous_.swap(state_);
    previous_rate_.swap(rate_);
    time_ = end;
    state_ = next_;
    rate_known_ = adaptive_;
    if (adaptive_) rate_.swap(rate_next_);
    ++counts_.steps;
    if (!system_.project) return true;
    if (!system_.project(time_, state_)) {
      failure_ = "the state after a step cannot be projected onto the closures";
      return false;
    }
    if (system_.project_changes_rate) rate_known_ = false;
    return true;
  }

  double weight(int i, const VectorX& y) const { return std::max(std::abs(y[i]), options_.atol / options_.rtol); }

  double longest_step() const {
    return options_.max_step > 0.0 ? options_.max_step : std::numeric_limits<double>::infinity();
  }

  bool choose_first_step() {
    double fastest = 0.0;
    for (int i = 0; i < system_.controlled; ++i) fastest = std::max(fastest, std::abs(rate_[i]) / weight(i, state_));
    h_ = std::min(longest_step(), options_.until - options_.from);
    const double wanted = 0.8 * std::pow(options_.rtol, 0.2);
    if (h_ * fastest > wanted) h_ = wanted / fastest;
    return true;
  }

  bool adaptive_step(double limit) {
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
        return accept(last ? limit : time_ + h);
      }
      ++counts_.rejected;
      // The first rejection trusts the error estimate, further ones halve the step.
      const bool estimated = !rejected && std::isfinite(error);
      h_ = estimated ? h * std::max(0.1, 0.8 * std::pow(options_.rtol / error, 0.2)) : 0.5 * h;
      if (h_ < shortest_step(options_)) {
        failure_ = "the step size has become too small";
        return false;
      }
    }
  }

  /// Makes next_ and its rate; returns the error in the units of rtol, infinity when an evaluation failed.
  double try_step(double h) {
    constexpr double failed = std::numeric_limits<double>::infinity();
    if (!advance(time_, state_, rate_, h, next_)) return failed;
    if (!evaluate(time_ + h, next_, rate_next_)) return failed;
    double worst = 0.0;
    for (int i = 0; i < system_.controlled; ++i) {
      double e = dormand_prince_error[6] * rate_next_[i];
      for (int s = 0; s < 6; ++s) e += dormand_prince_error[s] * stages_[s][i];
      worst = std::max(worst, std::abs(e) / std::max(weight(i, state_), std::abs(next_[i])));
    }
    return h * worst;
  }

  RunOptions options_;
  OdeSystem system_;
  const Tableau& tableau_;
  bool adaptive_;
  StepGrid grid_;
  double h_ = 0.0, previous_time_ = 0.0;
  bool rate_known_ = false;
  std::array<VectorX, 6> stages_;
  VectorX argument_, rate_, rate_next_, next_, previous_, previous_rate_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_runge_kutta(const RunOptions& options, OdeSystem system) {
  return std::make_unique<RungeKutta>(options, std::move(system));
}

}  // namespace lithe::detail
