// ARKODE: the embedded Dormand-Prince pair of orders 5 and 4 with its PID step control.

#include <arkode/arkode_erkstep.h>

#include "lithe/simulation/integrator.hpp"
#include "lithe/simulation/sundials.hpp"

namespace lithe::detail {
namespace {

class Arkode : public OdeIntegrator {
 public:
  Arkode(const RunOptions& options, OdeSystem system) : options_(options), system_(std::move(system)) {
    state_ = VectorX::Zero(system_.size);
    y_ = view_of(state_, context_);
  }
  ~Arkode() override { ERKStepFree(&memory_); }

  bool restart(double t, const VectorX& y) override {
    gathered_ = counts_;
    time_ = t;
    state_ = y;
    if (memory_ != nullptr) return ERKStepReInit(memory_, &Arkode::rate, t, y_.get()) == ARK_SUCCESS;
    memory_ = ERKStepCreate(&Arkode::rate, t, y_.get(), context_);
    if (memory_ == nullptr) return false;
    ERKStepSetErrHandlerFn(memory_, keep_message, &failure_);
    ERKStepSetUserData(memory_, this);
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
    counts_.steps = gathered_.steps + steps;
    counts_.rejected = gathered_.rejected + attempts - steps;
    if (flag < 0) return false;
    time_ = reached;
    return true;
  }

  bool interpolate(double t, VectorX& y) override {
    y.resize(system_.size);
    const auto target = view_of(y, context_);
    return ERKStepGetDky(memory_, t, 0, target.get()) == ARK_SUCCESS;
  }

 private:
  static int rate(double t, N_Vector y, N_Vector ydot, void* self) {
    auto& me = *static_cast<Arkode*>(self);
    ++me.counts_.evaluations;
    return me.system_.rate(t, map_of(y), map_of(ydot)) ? 0 : 1;
  }

  static int project(double t, N_Vector y, void* self) {
    return static_cast<Arkode*>(self)->system_.project(t, map_of(y)) ? 0 : -1;
  }

  RunOptions options_;
  OdeSystem system_;
  SundialsContext context_;
  SundialsHandle<N_Vector> y_;
  void* memory_ = nullptr;
  StepCounts gathered_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_arkode(const RunOptions& options, OdeSystem system) {
  return std::make_unique<Arkode>(options, std::move(system));
}

}  // namespace lithe::detail
