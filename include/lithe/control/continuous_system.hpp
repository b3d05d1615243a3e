#pragma once
// Controllers in continuous time: x' = f(t, x, u), y = g(t, x, u).

#include <memory>
#include <span>
#include <vector>

#include "lithe/control/filters.hpp"
#include "lithe/control/pid.hpp"
#include "lithe/control/state_space.hpp"

namespace lithe {

/// A law with a state x that is integrated with the motion. Integrators evaluate it at trial states, in any order: what it
/// answers depends on the arguments alone.
class ContinuousSystem {
 public:
  virtual ~ContinuousSystem() = default;

  virtual int states() const { return 0; }
  /// The state when it is switched on and finds these inputs; zero before.
  virtual void begin(std::span<const double> /*inputs*/, std::span<double> /*x*/) const {}
  /// Outputs at time t (s), and the rates of x.
  virtual void evaluate(double t, std::span<const double> x, std::span<const double> inputs, std::span<double> outputs,
                        std::span<double> rates) = 0;
  /// Whether an input changes outputs at once, not only by way of x.
  virtual bool passes(int /*input*/) const { return true; }
  /// The largest and smallest outputs that can take effect, so that sums over time do not grow in vain beyond them.
  virtual void set_limits(std::span<const double> /*low*/, std::span<const double> /*high*/) {}
};

/// x' = A x + B u, y = C x + D u.
class ContinuousLinear : public ContinuousSystem {
 public:
  /// Throws MechanismError as require_consistent() does, and for a system that is sampled.
  explicit ContinuousLinear(StateSpace system);

  int states() const override { return static_cast<int>(system_.A.rows()); }
  void evaluate(double t, std::span<const double> x, std::span<const double> inputs, std::span<double> outputs,
                std::span<double> rates) override;
  bool passes(int input) const override { return !system_.D.col(input).isZero(0.0); }

 private:
  StateSpace system_;
};

/// The same transfer function on each of several signals. Throws MechanismError when it answers steps by impulses (more
/// zeros than poles).
StateSpace filter_bank(const TransferFunction& function, int signals);

/// u = kp e + s + d, s' = ki e; d = kd w (e - z), z' = w (e - z) with the bandwidth w of the filter, or with a measured rate
/// d = kd (wanted rate - measured rate). s stands still while u is beyond its limits and e would take it further.
class ContinuousPid : public ContinuousSystem {
 public:
  /// Inputs as those of Pid. Throws MechanismError for a derivative without a filter and without a measured rate.
  explicit ContinuousPid(std::vector<PidGains> gains);

  int states() const override { return 2 * static_cast<int>(gains_.size()); }
  void begin(std::span<const double> inputs, std::span<double> x) const override;
  /// x of each: s, z.
  void evaluate(double t, std::span<const double> x, std::span<const double> inputs, std::span<double> outputs,
                std::span<double> rates) override;
  void set_limits(std::span<const double> low, std::span<const double> high) override;

 private:
  std::vector<PidGains> gains_;
  std::vector<double> low_, high_;
};

/// A law without a memory, which may as well be sampled.
class ContinuousLaw : public ContinuousSystem {
 public:
  explicit ContinuousLaw(std::unique_ptr<SampledSystem> law) : law_(std::move(law)) {}

  void evaluate(double t, std::span<const double> x, std::span<const double> inputs, std::span<double> outputs,
                std::span<double> rates) override;

 private:
  std::unique_ptr<SampledSystem> law_;
};

/// One system after the other: the outputs of each are the inputs of the next, as many of them.
class ContinuousChain : public ContinuousSystem {
 public:
  ContinuousChain(std::unique_ptr<ContinuousSystem> first, std::vector<std::unique_ptr<ContinuousSystem>> then,
                  int outputs);

  int states() const override;
  void begin(std::span<const double> inputs, std::span<double> x) const override {
    first_->begin(inputs, x.first(own_));
  }
  void evaluate(double t, std::span<const double> x, std::span<const double> inputs, std::span<double> outputs,
                std::span<double> rates) override;
  bool passes(int input) const override;
  void set_limits(std::span<const double> low, std::span<const double> high) override { first_->set_limits(low, high); }

 private:
  std::unique_ptr<ContinuousSystem> first_;
  std::vector<std::unique_ptr<ContinuousSystem>> then_;
  std::size_t own_;  ///< states of the first
  std::vector<double> signal_;
};

}  // namespace lithe
