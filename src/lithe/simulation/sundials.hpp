#pragma once
// Owners for the C objects of SUNDIALS, and what its integrators share. A vector of SUNDIALS is a view of Eigen memory.

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "lithe/simulation/integrator.hpp"

namespace lithe::detail {

class SundialsContext {
 public:
  SundialsContext() {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::runtime_error("SUNDIALS does not start");
  }
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }  // NOLINT: stands for the handle

 private:
  SUNContext context_ = nullptr;
};

struct SundialsDeleter {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
template <class Handle>
using SundialsHandle = std::unique_ptr<std::remove_pointer_t<Handle>, SundialsDeleter>;

/// A view of `vector`, which must outlive it and keep its size.
inline SundialsHandle<N_Vector> view_of(VectorX& vector, SUNContext context) {
  return SundialsHandle<N_Vector>(N_VMake_Serial(vector.size(), vector.data(), context));
}

inline Eigen::Map<VectorX> map_of(N_Vector v) { return {NV_DATA_S(v), static_cast<Eigen::Index>(NV_LENGTH_S(v))}; }

/// Error handler that keeps the message of SUNDIALS instead of printing it; `target` is a std::string.
inline void keep_message(int, const char*, const char*, char* message, void* target) {
  *static_cast<std::string*>(target) = message;
}

/// An integrator of SUNDIALS; `System` is OdeSystem or DaeSystem. SUNDIALS calls back with a pointer to the adapter.
template <class System>
class SundialsIntegrator : public OdeIntegrator {
 protected:
  SundialsIntegrator(const RunOptions& options, System system)
      : OdeIntegrator(options),
        system_(std::move(system)),
        emphasis_(VectorX::Ones(system_.size)),
        absolute_(VectorX::Constant(system_.size, options.atol)) {
    const int coordinates = system_.coordinates, speeds = system_.controlled - coordinates;
    if (coordinates == 0 || speeds == 0) return;
    emphasis_.head(coordinates).setConstant(std::sqrt(0.5 * system_.size / coordinates));
    emphasis_.segment(coordinates, speeds).setConstant(std::sqrt(0.5 * system_.size / speeds));
  }

  /// Weights of the errors, of which SUNDIALS takes the root of the mean square over all entries. Few independent
  /// speeds among many coordinates would count little there, the less the larger the mechanism; so coordinates and
  /// speeds count one half each, however many there are.
  bool weigh(Eigen::Map<VectorX> y, Eigen::Map<VectorX> weights) const {
    weights = emphasis_.cwiseQuotient(options_.rtol * y.cwiseAbs() + absolute_);
    return weights.allFinite();
  }

  /// Takes over the start of a restart. SUNDIALS forgets its counts there, so they are gathered here.
  void begin_at(double t, const VectorX& y) {
    gathered_ = counts_;
    time_ = t;
    state_ = y;
  }

  /// Ends a step with the counts of SUNDIALS since the last restart; `flag` is what it returned.
  RunStatus end_step(int flag, double reached, long steps, long rejected, long jacobians) {
    counts_.steps = gathered_.steps + steps;
    counts_.rejected = gathered_.rejected + rejected;
    counts_.jacobians = gathered_.jacobians + jacobians;
    if (flag < 0) return give_up(message_);
    time_ = reached;
    return {};
  }

  /// Values of SUNDIALS at t; `read` is CVodeGetDky, ERKStepGetDky or IDAGetDky.
  RunStatus interpolated(int (*read)(void*, double, int, N_Vector), double t, VectorX& y) {
    y.resize(system_.size);
    return fine(read(memory_, t, 0, view_of(y, context_).get()));
  }

  /// What a call of SUNDIALS returned; zero is success.
  RunStatus fine(int flag) const { return flag == 0 ? RunStatus() : give_up(message_); }

  System system_;
  VectorX emphasis_, absolute_;  ///< per entry: factor of its weight, absolute tolerance
  SundialsContext context_;
  void* memory_ = nullptr;
  std::string message_;  ///< what SUNDIALS said last

 private:
  StepCounts gathered_;
};

/// The same for y' = f(t, y).
class SundialsOde : public SundialsIntegrator<OdeSystem> {
 protected:
  SundialsOde(const RunOptions& options, OdeSystem system) : SundialsIntegrator(options, std::move(system)) {
    state_ = VectorX::Zero(system_.size);
    y_ = view_of(state_, context_);
  }

  static int rate(double t, N_Vector y, N_Vector ydot, void* self) {
    auto& me = *static_cast<SundialsOde*>(self);
    ++me.counts_.evaluations;
    return me.went(me.system_.rate(t, map_of(y), map_of(ydot))) ? 0 : 1;
  }

  static int error_weights(N_Vector y, N_Vector weights, void* self) {
    return static_cast<SundialsOde*>(self)->weigh(map_of(y), map_of(weights)) ? 0 : -1;
  }

  SundialsHandle<N_Vector> y_;  ///< the state
};

}  // namespace lithe::detail
