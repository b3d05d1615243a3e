// ARKODE: the embedded Dormand-Prince pair of orders 5 and 4 with its PID step control.

#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <cmath>

#include "lithe/simulation/sundials.hpp"

namespace lithe::detail {
namespace {

class Arkode : public SundialsOde {
 public:
  Arkode(const RunOptions& options, OdeSystem system) : SundialsOde(options, std::move(system)) {}
  ~Arkode() override { ERKStepFree(&memory_); }

  RunStatus start_at(double t, const VectorX& y) override {
    begin_at(t, y);
    if (memory_ != nullptr) {
      ERKStepSetInitStep(memory_, 0.0);
      return fine(ERKStepReInit(memory_, &Arkode::rate, t, y_.get()));
    }
    memory_ = ERKStepCreate(&Arkode::rate, t, y_.get(), context_);
    if (memory_ == nullptr) return give_up("ARKODE does not start");
    ERKStepSetErrHandlerFn(memory_, keep_message, &message_);
    ERKStepSetUserData(memory_, static_cast<SundialsOde*>(this));
    ERKStepSetTableNum(memory_, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepWFtolerances(memory_, &Arkode::error_weights);
    ERKStepSetMaxErrTestFails(memory_, 20);
    ERKStepSetMinStep(memory_, shortest_step(options_));
    if (options_.max_step > 0.0) ERKStepSetMaxStep(memory_, options_.max_step);
    if (system_.project) ERKStepSetPostprocessStepFn(memory_, &Arkode::project);
    return {};
  }

  RunStatus take_step(double limit) override {
    message_.clear();
    double reached = time_;
    int flag = evolve(limit, reached);
    // ERKStep gives up at the first rate that cannot be evaluated. A step that grew too long while nothing moved is no
    // reason for that: start again from the accepted state with a shorter one.
    for (double tried = limit - time_; flag == ARK_UNREC_RHSFUNC_ERR; flag = evolve(limit, reached)) {
      double next = tried;
      ERKStepGetCurrentStep(memory_, &next);
      tried = 0.25 * std::min(tried, std::abs(next));
      if (!(tried > shortest_step(options_))) break;
      const VectorX accepted = state_;
      message_.clear();
      ++counts_.rejected;
      if (RunStatus again = start_at(time_, accepted); !again) return again;
      ERKStepSetInitStep(memory_, tried);
      reached = time_;
    }
    long steps = 0, attempts = 0;
    ERKStepGetNumSteps(memory_, &steps);
    ERKStepGetNumStepAttempts(memory_, &attempts);
    // ARKODE fails without a word.
    if (flag < 0 && message_.empty())
      message_ = flag == ARK_ERR_FAILURE ? "the step size has become too small" : ERKStepGetReturnFlagName(flag);
    return end_step(flag, reached, steps, attempts - steps, 0);
  }

  RunStatus value_at(double t, VectorX& y) override { return interpolated(ERKStepGetDky, t, y); }

 private:
  int evolve(double limit, double& reached) {
    ERKStepSetStopTime(memory_, limit);
    return ERKStepEvolve(memory_, limit, y_.get(), &reached, ARK_ONE_STEP);
  }

  static int project(double t, N_Vector y, void* self) {
    auto& me = static_cast<Arkode&>(*static_cast<SundialsOde*>(self));
    return me.went(me.system_.project(t, map_of(y))) ? 0 : -1;
  }
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_arkode(const RunOptions& options, OdeSystem system) {
  return std::make_unique<Arkode>(options, std::move(system));
}

}  // namespace lithe::detail
