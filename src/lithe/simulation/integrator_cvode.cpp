// CVODE: BDF with Newton iteration, and Adams with fixed-point iteration.

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/simulation/sundials.hpp"
#include "lithe/spatial/differences.hpp"

namespace lithe::detail {
namespace {

/// BDF needs many short steps, and their errors add up. With a third of the tolerance in each, a run ends about as near
/// to the truth as with Adams (pendulums and chains of loops over seven swings at rtol 1e-10).
constexpr double bdf_emphasis = 3.0;

class Cvode : public SundialsOde {
 public:
  Cvode(const RunOptions& options, OdeSystem system) : SundialsOde(options, std::move(system)) {
    const bool bdf = options.integrator == Integrator::bdf;
    if (bdf) emphasis_ *= bdf_emphasis;
    memory_ = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, context_);
    CVodeSetErrHandlerFn(memory_, keep_message, &message_);
    CVodeSetUserData(memory_, static_cast<SundialsOde*>(this));
    CVodeInit(memory_, &Cvode::rate, options.from, y_.get());
    CVodeWFtolerances(memory_, &Cvode::error_weights);
    if (options.max_step > 0.0) CVodeSetMaxStep(memory_, options.max_step);
    CVodeSetMaxErrTestFails(memory_, 20);
    CVodeSetMinStep(memory_, shortest_step(options));
    if (bdf) {
      matrix_.reset(SUNDenseMatrix(system_.size, system_.size, context_));
      linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_));
      CVodeSetLinearSolver(memory_, linear_.get(), matrix_.get());
      CVodeSetJacFn(memory_, &Cvode::jacobian);
    } else {
      nonlinear_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_));
      CVodeSetNonlinearSolver(memory_, nonlinear_.get());
    }
  }
  ~Cvode() override { CVodeFree(&memory_); }

  RunStatus start_at(double t, const VectorX& y) override {
    begin_at(t, y);
    return fine(CVodeReInit(memory_, t, y_.get()));
  }

  RunStatus take_step(double limit) override {
    message_.clear();
    CVodeSetStopTime(memory_, limit);
    double reached = time_;
    const int flag = CVode(memory_, limit, y_.get(), &reached, CV_ONE_STEP);
    long steps = 0, error_fails = 0, newton_fails = 0, jacobians = 0;
    CVodeGetNumSteps(memory_, &steps);
    CVodeGetNumErrTestFails(memory_, &error_fails);
    CVodeGetNumNonlinSolvConvFails(memory_, &newton_fails);
    if (linear_) CVodeGetNumJacEvals(memory_, &jacobians);
    return end_step(flag, reached, steps, error_fails + newton_fails, jacobians);
  }

  RunStatus value_at(double t, VectorX& y) override { return interpolated(CVodeGetDky, t, y); }

 private:
  /// That of the equations. Where they have none: difference quotients over no less than the error tolerance. CVODE's own are taken over increments that vanish with
  /// the rates: at rest in equilibrium they divide rounding by 1e-20, and Newton's method believes the result.
  static int jacobian(double t, N_Vector y, N_Vector rates, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
    auto& me = static_cast<Cvode&>(*static_cast<SundialsOde*>(self));
    Eigen::Map<MatrixX> columns(SM_DATA_D(J), me.system_.size, me.system_.controlled);
    if (me.system_.jacobian) {
      ++me.counts_.evaluations;
      if (me.system_.jacobian(t, map_of(y), columns)) return 0;
    }
    me.shifted_ = map_of(y);
    me.shifted_rates_.resize(me.shifted_.size());
    // Nothing depends on the entries that are not controlled: their columns stay zero.
    const auto step = [&](Eigen::Index j) {
      const double size = std::abs(me.shifted_[j]), tolerance = me.options_.rtol * size + me.options_.atol;
      return std::max(std::sqrt(std::numeric_limits<double>::epsilon()) * size, tolerance);
    };
    const auto rate = [&](VectorX& answer) {
      ++me.counts_.evaluations;
      return me.went(me.system_.rate(t, me.shifted_, answer));
    };
    return forward_differences(me.shifted_, step, map_of(rates), rate, me.shifted_rates_, columns) ? 0 : 1;
  }

  VectorX shifted_, shifted_rates_;
  SundialsHandle<SUNMatrix> matrix_;
  SundialsHandle<SUNLinearSolver> linear_;
  SundialsHandle<SUNNonlinearSolver> nonlinear_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_cvode(const RunOptions& options, OdeSystem system) {
  return std::make_unique<Cvode>(options, std::move(system));
}

}  // namespace lithe::detail
