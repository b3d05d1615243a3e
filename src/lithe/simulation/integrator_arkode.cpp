// ARKODE: the embedded Dormand-Prince pair of orders 5 and 4 with its PID step control.

#include <arkode/arkode_erkstep.h>

#include "lithe/simulation/sundials.hpp"

namespace lithe::detail {
namespace {

class Arkode : public SundialsOde {
 public:
  Arkode(const RunOptions& options, OdeSystem system) : SundialsOde(options, std::move(system)) {}
  ~Arkode() override { ERKStepFree(&memory_); }

  bool restart(double t, const VectorX& y) override {
    begin_at(t, y);
    if (memory_ != nullptr) return ERKStepReInit(memory_, &Arkode::rate, t, y_.get()) == ARK_SUCCESS;
    memory_ = ERKStepCreate(&Arkode::rate, t, y_.get(), context_);
    if (memory_ == nullptr) return false;
    ERKStepSetErrHandlerFn(memory_, keep_message, &failure_);
    ERKStepSetUserData(memory_, static_cast<SundialsOde*>(this));
    ERKStepSetTableNum(memory_, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepSStolerances(memory_, options_.rtol, options_.atol);
    ERKStepSetMaxErrTestFails(memory_, 20);
    ERKStepSetMinStep(memory_, shortest_step(options_));
    if (options_.max_step > 0.0) ERKStepSetMaxStep(memory_, options_.max_step);
    if (system_.project) ERKStepSetPostprocessStepFn(memory_, &Arkode::project);
    return true;
  }

  bool step(double limit) override {
    ERKStepSetStopTime(memory_, limit);
    double reached = time_;
    const int flag = ERKStepEvolve(memory_, limit, y_.get(), &reached, ARK_ONE_STEP);
    long steps = 0, attempts = 0;
    ERKStepGetNumSteps(memory_, &steps);
    ERKStepGetNumStepAttempts(memory_, &attempts);
    return end_step(flag, reached, steps, attempts - steps, 0);
  }

  bool interpolate(double t, VectorX& y) override { return interpolated(ERKStepGetDky, t, y); }

 private:
  static int project(double t, N_Vector y, void* self) {
    return static_cast<Arkode*>(static_cast<SundialsOde*>(self))->system_.project(t, map_of(y)) ? 0 : -1;
  }
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_arkode(const RunOptions& options, OdeSystem system) {
  return std::make_unique<Arkode>(options, std::move(system));
}

}  // namespace lithe::detail
