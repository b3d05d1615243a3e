// IDA: variable-order BDF on 0 = F(t, y, y') with a dense difference-quotient Jacobian.

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "lithe/simulation/sundials.hpp"

namespace lithe::detail {
namespace {

/// Multipliers are known only to rounding over step size; Newton's method must not wait for more (N, m/s).
constexpr double loose = 0.1;

/// What Newton's method may leave in a step, as a part of the tolerance. It adds up over a run; with
/// IDA's own 0.33 it outweighs the errors of the steps.
constexpr double newton_share = 0.1;

class Ida : public SundialsIntegrator<DaeSystem> {
 public:
  Ida(const RunOptions& options, DaeSystem system) : SundialsIntegrator(options, std::move(system)) {
    y_ = VectorX::Zero(system_.size);
    rate_ = VectorX::Zero(system_.size);
    y_view_ = view_of(y_, context_);
    rate_view_ = view_of(rate_, context_);
    id_view_ = view_of(system_.differential, context_);
    matrix_.reset(SUNDenseMatrix(system_.size, system_.size, context_));
    linear_.reset(SUNLinSol_Dense(y_view_.get(), matrix_.get(), context_));
    memory_ = IDACreate(context_);
    IDASetErrHandlerFn(memory_, keep_message, &message_);
    IDASetUserData(memory_, this);
    IDAInit(memory_, &Ida::residual, options.from, y_view_.get(), rate_view_.get());
    absolute_ = system_.differential.unaryExpr([&](double is) { return is != 0.0 ? options.atol : loose; });
    IDAWFtolerances(memory_, &Ida::error_weights);
    IDASetLinearSolver(memory_, linear_.get(), matrix_.get());
    IDASetId(memory_, id_view_.get());
    IDASetNonlinConvCoef(memory_, newton_share);
    // Multipliers of an index-2 system converge one order later; the error test must leave them out.
    IDASetSuppressAlg(memory_, SUNTRUE);
    IDASetMaxErrTestFails(memory_, 20);
    IDASetMaxConvFails(memory_, 20);
    IDASetMinStep(memory_, shortest_step(options));
    if (options.max_step > 0.0) IDASetMaxStep(memory_, options.max_step);
  }
  ~Ida() override { IDAFree(&memory_); }

  RunStatus start_at(double t, const VectorX& y) override {
    begin_at(t, y);
    if (!went(system_.start(t, y, y_, rate_))) return give_up("no consistent start can be found");
    // From rest its own guess is so short that rounding of the closures spoils the first Newton iteration.
    IDASetInitStep(memory_, 1e-6 * (options_.until - options_.from));
    return fine(IDAReInit(memory_, t, y_view_.get(), rate_view_.get()));
  }

  RunStatus take_step(double limit) override {
    message_.clear();
    IDASetStopTime(memory_, limit);
    double reached = time_;
    const int flag = IDASolve(memory_, limit, &reached, y_view_.get(), rate_view_.get(), IDA_ONE_STEP);
    long steps = 0, error_fails = 0, newton_fails = 0, jacobians = 0;
    IDAGetNumSteps(memory_, &steps);
    IDAGetNumErrTestFails(memory_, &error_fails);
    IDAGetNumNonlinSolvConvFails(memory_, &newton_fails);
    IDAGetNumJacEvals(memory_, &jacobians);
    RunStatus ended = end_step(flag, reached, steps, error_fails + newton_fails, jacobians);
    if (ended) state_ = y_.head(system_.reported);
    return ended;
  }

  RunStatus value_at(double t, VectorX& y) override {
    RunStatus read = interpolated(IDAGetDky, t, all_);
    if (read) y = all_.head(system_.reported);
    return read;
  }

 private:
  static int residual(double t, N_Vector y, N_Vector rate, N_Vector result, void* self) {
    auto& me = *static_cast<Ida*>(self);
    ++me.counts_.evaluations;
    return me.went(me.system_.residual(t, map_of(y), map_of(rate), map_of(result))) ? 0 : 1;
  }

  static int error_weights(N_Vector y, N_Vector weights, void* self) {
    return static_cast<Ida*>(self)->weigh(map_of(y), map_of(weights)) ? 0 : -1;
  }

  VectorX y_, rate_, all_;
  SundialsHandle<N_Vector> y_view_, rate_view_, id_view_;
  SundialsHandle<SUNMatrix> matrix_;
  SundialsHandle<SUNLinearSolver> linear_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_ida(const RunOptions& options, DaeSystem system) {
  return std::make_unique<Ida>(options, std::move(system));
}

}  // namespace lithe::detail
