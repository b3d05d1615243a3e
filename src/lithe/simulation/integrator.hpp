#pragma once
// Integrators of y' = f(t, y) behind one small interface: restart, one accepted step, values inside the last step.
//
// A run asks for one accepted step after the other and never lets a step cross `limit` (the end, or a time at which a
// law has a kink). What a step means physically (projection, conditioning, recording) is the business of the run.

#include <functional>
#include <memory>
#include <string>

#include "lithe/simulation/run.hpp"
#include "lithe/simulation/run_status.hpp"
#include "lithe/simulation/second_order_system.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

using VectorIn = Eigen::Ref<const VectorX>;
using VectorOut = Eigen::Ref<VectorX>;
using MatrixOut = Eigen::Ref<MatrixX>;

/// The differential equations. A rate that is refused makes adaptive methods try a shorter step.
struct OdeSystem {
  int size = 0;
  int controlled = 0;   ///< leading entries that the step control of `ode45` looks at; the rest are quadratures
  int coordinates = 0;  ///< the first of these are coordinates, the rest speeds; 0: no such distinction
  std::function<RunStatus(double t, VectorIn y, VectorOut rate)> rate;
  /// Derivatives of the rate by the controlled entries of y, one column each; may be empty. False: not to be had at y.
  std::function<bool(double t, VectorIn y, MatrixOut columns)> jacobian;
  std::function<RunStatus(double t, VectorOut y)>
      project;                                      ///< after each accepted step of a one-step method; may be empty
  bool project_changes_rate = false;                ///< f must be evaluated again at the projected y
  std::shared_ptr<SecondOrderSystem> second_order;  ///< the same motion for `exponential`; may be empty
};

/// Fully implicit equations 0 = F(t, y, y') of which the first `reported` entries are the state of the run.
struct DaeSystem {
  int size = 0;
  int reported = 0;
  int controlled = 0, coordinates = 0;  ///< as in OdeSystem
  VectorX differential;  ///< 1 for entries whose derivative appears, 0 for algebraic ones (not in the error test)
  std::function<RunStatus(double t, VectorIn y, VectorIn rate, VectorOut residual)> residual;
  /// Consistent y and y' for the reported entries `state` at t.
  std::function<RunStatus(double t, VectorIn state, VectorOut y, VectorOut rate)> start;
};

struct StepCounts {
  long steps = 0, rejected = 0, evaluations = 0, jacobians = 0;
};

class OdeIntegrator {
 public:
  virtual ~OdeIntegrator() = default;

  /// Forgets the past and starts at (t, y). Refused when the rate cannot be evaluated there.
  RunStatus restart(double t, const VectorX& y) {
    refusal_.clear();
    return start_at(t, y);
  }
  /// Goes on at (t, y), the end of the last step, where forces may have jumped. As restart() does, unless a method can
  /// keep what it knows.
  RunStatus resume(double t, const VectorX& y) {
    refusal_.clear();
    return go_on_at(t, y);
  }
  /// One accepted step that ends at or before `limit`.
  RunStatus step(double limit) {
    refusal_.clear();
    return take_step(limit);
  }
  /// State at a time inside the last step, as accurate as the steps themselves.
  RunStatus interpolate(double t, VectorX& y) {
    refusal_.clear();
    return value_at(t, y);
  }

  /// Does interpolate() find accelerations as well? Then accelerations() writes those of its last call into `a` (tree
  /// speeds), as far as they determine the others.
  virtual bool knows_accelerations() const { return false; }
  virtual void accelerations(VectorX& /*a*/) const {}
  /// Angular frequency of the fastest oscillation larger than the tolerance that the last step contains, rad/s; zero for
  /// methods whose steps follow every oscillation.
  virtual double ripple() const { return 0.0; }
  /// Does the method make no headway because of something that it takes for slow and that is not?
  virtual bool struggles() const { return false; }

  double time() const { return time_; }
  const VectorX& state() const { return state_; }
  const StepCounts& counts() const { return counts_; }

 protected:
  explicit OdeIntegrator(const RunOptions& options) : options_(options) {}

  virtual RunStatus start_at(double t, const VectorX& y) = 0;
  virtual RunStatus go_on_at(double t, const VectorX& y) { return start_at(t, y); }
  virtual RunStatus take_step(double limit) = 0;
  virtual RunStatus value_at(double t, VectorX& y) = 0;

  /// Whether the equations could be evaluated. If not, their words are kept: a shorter step may do, but when the method
  /// gives up they tell more than its own.
  bool went(const RunStatus& evaluated);
  /// The method gives up: words of the equations, or else its own.
  RunStatus give_up(const std::string& why) const;

  RunOptions options_;
  double time_ = 0.0;
  VectorX state_;
  StepCounts counts_;

 private:
  std::string refusal_;  ///< what the equations said last, since the call from outside
};

std::unique_ptr<OdeIntegrator> make_runge_kutta(const RunOptions& options,
                                                OdeSystem system);  ///< rk4 dopri5-fixed ode45
std::unique_ptr<OdeIntegrator> make_generalized_alpha(const RunOptions& options, OdeSystem system);
std::unique_ptr<OdeIntegrator> make_cvode(const RunOptions& options, OdeSystem system);   ///< bdf adams
std::unique_ptr<OdeIntegrator> make_arkode(const RunOptions& options, OdeSystem system);  ///< dopri
std::unique_ptr<OdeIntegrator> make_exponential(const RunOptions& options, OdeSystem system);
std::unique_ptr<OdeIntegrator> make_ida(const RunOptions& options, DaeSystem system);

/// The integrator that options.integrator asks for; not automatic, and not ida, which needs a DaeSystem.
std::unique_ptr<OdeIntegrator> make_integrator(const RunOptions& options, OdeSystem system);

/// Below this an adaptive method gives up (s): steps that no longer move the clock would never end.
double shortest_step(const RunOptions& options);

bool has_fixed_step(Integrator integrator);
bool is_multistep(Integrator integrator);  ///< its state cannot be overwritten between steps without a restart

}  // namespace lithe::detail
