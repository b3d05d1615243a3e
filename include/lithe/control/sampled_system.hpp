#pragma once
// Controllers that act at sample instants and remember.

#include <memory>
#include <span>
#include <vector>

namespace lithe {

/// A controller during a run. Between its sample instants nothing of it changes; what it needs to know of the past is
/// its own memory.
class SampledSystem {
 public:
  virtual ~SampledSystem() = default;

  /// Outputs at the sample instant t (s) from the inputs; the memory is that of the next instant then.
  virtual void sample(double t, std::span<const double> inputs, std::span<double> outputs) = 0;
  /// The memory, to be looked at, recorded and changed; empty when there is none or it cannot be told.
  virtual std::span<double> state() { return {}; }
  /// Goes on with a memory of an earlier run, as long as state().
  virtual void resume(std::span<const double> memory);
  /// The largest and smallest outputs that can take effect, so that sums over time do not grow in vain beyond them.
  virtual void set_limits(std::span<const double> /*low*/, std::span<const double> /*high*/) {}
};

/// One system after the other: the outputs of each are the inputs of the next, as many of them.
class SampledChain : public SampledSystem {
 public:
  SampledChain(std::unique_ptr<SampledSystem> first, std::vector<std::unique_ptr<SampledSystem>> then, int outputs);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  /// Of all parts, one after the other; a copy that is taken over before the next sample.
  std::span<double> state() override;
  void resume(std::span<const double> memory) override;
  void set_limits(std::span<const double> low, std::span<const double> high) override {
    parts_.front()->set_limits(low, high);
  }

 private:
  std::vector<std::unique_ptr<SampledSystem>> parts_;
  std::vector<double> signal_, state_;
  bool is_shown_ = false;  ///< state_ has been handed out: what stands there counts
};

}  // namespace lithe
