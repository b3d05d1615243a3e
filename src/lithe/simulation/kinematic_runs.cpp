// Runs along the motion laws: kinematics, and inverse dynamics.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "lithe/dynamics/elements.hpp"
#include "lithe/kinematics/closure_conditions.hpp"
#include "lithe/simulation/bending_audit.hpp"
#include "lithe/simulation/drive_set.hpp"
#include "lithe/simulation/energy_audit.hpp"
#include "lithe/simulation/joint_holds.hpp"
#include "lithe/simulation/motion_report.hpp"
#include "lithe/simulation/recorder.hpp"
#include "lithe/simulation/row_forces.hpp"
#include "lithe/simulation/run_clock.hpp"

namespace lithe {
namespace {

using namespace detail;  // NOLINT: this file puts the parts together

/// Work is integrated over at least this many pieces of the run, by a rule of order 8.
constexpr int least_pieces = 200;
/// Four-point Gauss-Legendre rule on [0, 1].
constexpr std::array<double, 4> gauss_points{0.06943184420297371, 0.33000947820757187, 0.66999052179242813,
                                             0.93056815579702629};
constexpr std::array<double, 4> gauss_weights{0.17392742256872693, 0.32607257743127307, 0.32607257743127307,
                                              0.17392742256872693};
constexpr double slowest_slide = 1e-6;  ///< rad/s, m/s: from here on dry friction is full
/// A residual below this part of the largest actuator force is rounding.
constexpr double residual_tolerance = 1e-7;

class KinematicRun {
 public:
  KinematicRun(const Model& model, RecordedForces forces, RecordSink& sink, const RunControl& control)
      : model_(model),
        forces_(forces),
        balances_(control.energy_balance && forces != RecordedForces::none),
        prepared_(prepare_checked(model)),
        nominal_(model, prepared_.plan, Arithmetic::automatic, prepared_.state),
        actions_(prepared_.plan),
        gears_(gear_pairs(prepared_.plan)),
        actuated_(prepared_.plan.actuated_speeds()),
        times_(model.run),
        watcher_(control, model.run),
        breakpoints_(law_breakpoints(model, model.run.from, model.run.until)),
        recorder_(model, prepared_.plan, nominal_.work(), forces, sink, nullptr, nullptr,
                  nominal_.follows_paths() ? std::function<double()>([this] { return nominal_.path_condition(); })
                                           : std::function<double()>()),
        bending_(prepared_.plan),
        report_(model, prepared_.plan) {
    audit_.add(model.remarks);
    audit_.add(prepared_.remarks);
    inverse_.tau = VectorX::Zero(prepared_.plan.nv() + prepared_.plan.cut_nv());
    recorder_.take_gears_as_rigid(model);
    for (const GearPair& gear : gears_) actuated_.push_back(gear.joint);
    if (forces_ != RecordedForces::none && !balances_ && can_wait())
      together_.emplace(prepared_.plan, nominal_.work(),
                        [this](const State& state, const VectorX& a, const Actions& actions) {
                          recorder_.row(state, a, actions, 0.0, 0.0);
                        });
  }

  RunOutcome run() {
    const double begin = seconds_now();
    RunOutcome outcome = follow();
    audit_.t_end = nominal_.state().t;
    audit_.records = recorder_.rows();
    recorder_.judge(audit_);
    bending_.judge(audit_);
    report_.judge(audit_);
    audit_.wall_seconds = seconds_now() - begin;
    audit_.time_split["dynamics"] = dynamics_time_.seconds();
    audit_.time_split["drives"] = motion_time_.seconds();
    audit_.time_split["recording"] = recorder_.seconds;
    audit_.time_split["integrator"] =
        std::max(0.0, audit_.wall_seconds - dynamics_time_.seconds() - motion_time_.seconds() - recorder_.seconds);
    outcome.audit = audit_;
    return outcome;
  }

 private:
  static Prepared prepare_checked(const Model& model) {
    check_run_options(model.run);
    return prepare(model);
  }

  /// Whether the forces of a row may be found later, with those of others. Loops are against it: recording places the
  /// mechanism once more then, which costs what four at once save.
  bool can_wait() {
    const Plan& plan = prepared_.plan;
    return gears_.empty() && plan.closure_count() == 0 && !nominal_.follows_paths() && !has_elements(plan) &&
           RowForces::are_motors_alone(plan, nominal_.work(), actuated_);
  }

  RunOutcome follow() {
    RunOutcome outcome = follow_rows();
    if (!together_) return outcome;
    const RunStatus last = together_->finish();
    return last ? outcome : failed(last);
  }

  RunOutcome follow_rows() {
    const Plan& plan = prepared_.plan;
    RunStatus status = evaluate(model_.run.from);
    if (!status) return failed(status);
    EnergyAudit energy_audit(energy(plan, nominal_.work(), nominal_.state()));
    for (double t = model_.run.from; !times_.done(); t = nominal_.state().t) {
      if (watcher_.wants_stop()) {
        return {RunOutcome::Ending::interrupted, fmt::format("stopped at t = {:.6g} s", t), {}};
      }
      if (balances_) status = integrate_exchange(t, times_.next());
      if (status) status = evaluate(times_.next());
      if (!status) return failed(status);
      const State& state = nominal_.state();
      const Singularity s = closure_conditions(nominal_.work(), state.q, false);
      audit_.worst_condition = std::max(audit_.worst_condition, s.closure);
      report_.look(nominal_);
      audit_.worst_closure = std::max(audit_.worst_closure, closure_error(plan, nominal_.work(), state.q));
      const double condition = std::max(s.closure, s.dependent);
      if (condition > model_.run.condition_limit)
        return failed({plan,
                       {Status::Code::singular_closure, closure_singularity(plan, nominal_.work(), state.q).worst_loop,
                        condition},
                       state.t});
      if (balances_) {
        energy_audit.check(energy(plan, nominal_.work(), state), work_, dissipated_, audit_);
      }
      bending_.look(state);
      if (together_)
        status = together_->add(state, nominal_.accelerations(), actions_);
      else
        recorder_.row(state, nominal_.accelerations(), actions_, work_, dissipated_);
      if (!status) return failed(status);
      ++audit_.steps;
      watcher_.report(state.t);
      times_.advance();
    }
    return supplied_ ? RunOutcome{} : failed(supplied_);
  }

  static RunOutcome failed(const RunStatus& status) { return {RunOutcome::Ending::physics_failed, status.why(), {}}; }

  /// Motion at t and, for inverse dynamics, the actuator forces.
  RunStatus evaluate(double t) {
    {
      const SamplingStopwatch watch(motion_time_);
      ++audit_.evaluations;
      if (RunStatus moved = nominal_.move_to(t); !moved) return moved;
      evaluate_loads(model_, t, actions_);
    }
    if (forces_ == RecordedForces::none || together_) return {};
    const SamplingStopwatch watch(dynamics_time_);
    inverse_dynamics(prepared_.plan, nominal_.work(), nominal_.state(), nominal_.accelerations(), actions_, actuated_,
                     inverse_);
    if (!inverse_.status) return {prepared_.plan, inverse_.status, t};
    actions_.tau = inverse_.tau;
    // What a joint behind an elastic gear needs, its rotor gives.
    for (const GearPair& gear : gears_) {
      actions_.tau[gear.rotor] += actions_.tau[gear.joint];
      actions_.tau[gear.joint] = 0.0;
    }
    note_residual(t);
    return {};
  }

  /// The run goes on: the best forces and the residual along the whole motion are worth seeing.
  void note_residual(double t) {
    const double size = inverse_.tau.size() > 0 ? inverse_.tau.cwiseAbs().maxCoeff() : 0.0;
    if (inverse_.residual <= audit_.worst_residual) return;
    audit_.worst_residual = inverse_.residual;
    if (inverse_.residual <= residual_tolerance * (1.0 + size)) return;
    supplied_ = RunStatus::refused(fmt::format(
        "the actuators cannot supply the forces of this motion: at t = {:.6g} s a generalised force of {:.6g} remains. "
        "Actuate more joints, or choose a motion that the mechanism can make by itself",
        t, inverse_.residual));
  }

  /// Work and dissipation from one time to the next, pieces ending at the kinks of the laws.
  RunStatus integrate_exchange(double from, double to) {
    const double longest = (model_.run.until - model_.run.from) / least_pieces;
    double start = from;
    while (start < to) {
      const auto kink = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), start);
      const double end = kink == breakpoints_.end() ? to : std::min(to, *kink);
      const int pieces = std::max(1, static_cast<int>(std::ceil((end - start) / longest)));
      for (int i = 0; i < pieces; ++i) {
        const double h = (end - start) / pieces;
        if (RunStatus integrated = integrate_piece(start + i * h, h); !integrated) return integrated;
      }
      start = end;
    }
    return {};
  }

  RunStatus integrate_piece(double start, double h) {
    for (std::size_t i = 0; i < gauss_points.size(); ++i) {
      if (RunStatus known = evaluate(start + gauss_points[i] * h); !known) return known;
      const State& state = nominal_.state();
      work_ += gauss_weights[i] * h * supplied_power(prepared_.plan, nominal_.work(), state, actions_);
      dissipated_ += gauss_weights[i] * h * dissipated_power(prepared_.plan, nominal_.work(), state);
    }
    return {};
  }

  const Model& model_;
  RecordedForces forces_;
  bool balances_;  ///< energies
  Prepared prepared_;
  DrivenMotion nominal_;
  Actions actions_;
  std::vector<GearPair> gears_;
  std::vector<int> actuated_;  ///< motors, and joints that have theirs behind an elastic gear
  RecordTimes times_;
  Watcher watcher_;
  std::vector<double> breakpoints_;
  Recorder recorder_;
  std::optional<RowForces> together_;
  BendingAudit bending_;
  MotionReport report_;
  InverseResult inverse_;
  Audit audit_;
  double work_ = 0.0, dissipated_ = 0.0;
  TimeTaken dynamics_time_, motion_time_;
  RunStatus supplied_;  ///< whether the actuators can supply the forces everywhere
};

RunOutcome run_along_laws(const Model& model, RecordedForces forces, RecordSink& sink, const RunControl& control) {
  KinematicRun run(model, forces, sink, control);
  RunOutcome outcome = run.run();
  sink.finish(outcome.audit, outcome.ending == RunOutcome::Ending::complete ? "complete" : outcome.message);
  return outcome;
}

}  // namespace

// Along a given motion dry friction is a force against the speed. Where a joint passes through rest it is taken as
// smooth; at rest itself nothing says which way it holds.
RunOutcome run_inverse(const Model& model, RecordSink& sink, const RunControl& control) {
  if (!has_holds(model.mechanism)) return run_along_laws(model, RecordedForces::of_rigid_links, sink, control);
  Model moving = model;
  bool depends_on_load = false;
  for (Joint& joint : moving.mechanism.joints) {
    for (JointFriction& friction : joint.friction) {
      depends_on_load = depends_on_load || friction.load > 0.0;
      if (friction.creep == 0.0) friction.creep = slowest_slide;
      friction.load = 0.0;
    }
  }
  if (depends_on_load)
    moving.remarks.warnings.emplace_back(
        "friction that depends on the force that a joint carries is left out of inverse dynamics");
  return run_along_laws(moving, RecordedForces::of_rigid_links, sink, control);
}

RunOutcome run_kinematics(const Model& model, RecordSink& sink, const RunControl& control) {
  return run_along_laws(model, RecordedForces::none, sink, control);
}

}  // namespace lithe
