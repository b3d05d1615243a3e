#include "lithe/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "lithe/simulation/bending_audit.hpp"
#include "lithe/simulation/condition_monitor.hpp"
#include "lithe/simulation/continuous_control.hpp"
#include "lithe/simulation/energy_audit.hpp"
#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/instants.hpp"
#include "lithe/simulation/integrator_choice.hpp"
#include "lithe/simulation/mechanism_motion.hpp"
#include "lithe/simulation/multiplier_dae.hpp"
#include "lithe/simulation/pace.hpp"
#include "lithe/simulation/recorder.hpp"
#include "lithe/simulation/run_clock.hpp"
#include "lithe/simulation/run_stage.hpp"
#include "lithe/simulation/run_switches.hpp"
#include "lithe/simulation/sampled_control.hpp"
#include "lithe/simulation/stiffness_watch.hpp"

namespace lithe {
namespace {

using namespace detail;  // NOLINT: this file puts the parts together

constexpr double feed_forward_accuracy = 1e-3;  ///< of the tolerance of the run
constexpr double narrowest_step = 1e-7;   ///< part of the run to which the time of a singular pose is narrowed down
constexpr double passenger_drift = 1e-3;  ///< dependent entries of y this far from the closures: restart (rad, m)
constexpr int most_retakes = 8;           ///< of a step that ends behind a change
constexpr double small_overshoot = 1e-6;  ///< part of the step that may lie behind it
constexpr double open_loop = 1e-8;  ///< m (or 1, for rotations): a loop that is open by more is not this mechanism

RunOptions effective_options(const Model& model) {
  RunOptions options = model.run;
  check_run_options(options);
  if ((options.integrator == Integrator::ida || options.integrator == Integrator::exponential) &&
      std::any_of(model.mechanism.elements.begin(), model.mechanism.elements.end(),
                  [](const auto& element) { return !element->states().empty(); }))
    throw MechanismError("run", fmt::format("integrator '{}' does not know the states of machine elements; take "
                                            "another integrator",
                                            name_of(options.integrator)));
  if (options.integrator == Integrator::ida) {
    if (options.formulation != Formulation::noc && options.formulation != Formulation::multipliers) {
      throw MechanismError("run", fmt::format("integrator 'ida' integrates the multiplier form, not '{}'; set "
                                              "run.formulation to multipliers",
                                              name_of(options.formulation)));
    }
    if (!model.events.empty())
      throw MechanismError("run", "integrator 'ida' does not know events; take another integrator");
    if (has_holds(model.mechanism))
      throw MechanismError("run",
                           "integrator 'ida' does not know dry friction and hard stops of joints; take another "
                           "integrator, or give friction a creep speed and stops a stiffness");
    for (const LinkData& link : model.mechanism.links)
      if (link.elastic.count() > 0 && link.elastic.stiffening == Stiffening::stress)
        throw MechanismError(link.name,
                             fmt::format("link '{}': integrator 'ida' does not know stiffening 'stress'; use "
                                         "another integrator, or stiffening 'on'",
                                         link.name));
    options.formulation = Formulation::multipliers;
  } else if (options.integrator == Integrator::exponential) {
    if (!facts_of(options.formulation).is_minimal || options.projection != Projection::evaluation)
      throw MechanismError("run",
                           "integrator 'exponential' integrates the independent coordinates of a mechanism on "
                           "its closures: leave out run.projection, and take formulation noc, denoc or "
                           "partitioning");
  } else if (options.projection == Projection::step && is_multistep(options.integrator)) {
    throw MechanismError("run", fmt::format("projection 'step' overwrites the state, which the multi-step integrator "
                                            "'{}' cannot bear; set run.projection to evaluation, or use dopri",
                                            name_of(options.integrator)));
  }
  return options;
}

/// What goes on through all stages of a run.
struct WholeRun {
  WholeRun(const Model& model, RecordSink& sink, const RunControl& control)
      : options(effective_options(model)),
        prepared(prepare(model)),
        drives(std::make_unique<DriveSet>(model, prepared.plan, Arithmetic::automatic, prepared.state)),
        sampled(model, prepared.plan, prepared.work, *drives, prepared.state),
        continuous(model, prepared.plan, prepared.work, *drives, prepared.state),
        recorder(model, prepared.plan, prepared.work, RecordedForces::all, sink, sampled.any() ? &sampled : nullptr,
                 continuous.any() ? &continuous : nullptr),
        energy(lithe::energy(prepared.plan, prepared.work, prepared.state)),
        bending(prepared.plan),
        times(options),
        watcher(control, options),
        pace(options),
        events(model, prepared.plan, prepared.work),
        stage(model, prepared.plan, prepared.work),
        accepted(prepared.state) {
    if (const std::string why = why_not_applicable(prepared.plan, options.formulation); !why.empty()) {
      throw MechanismError("run",
                           fmt::format("formulation '{}' cannot be used: {}", name_of(options.formulation), why));
    }
    if (continuous.states() > 0 &&
        (options.integrator == Integrator::ida || options.integrator == Integrator::exponential))
      throw MechanismError("run", fmt::format("integrator '{}' does not know the states of controllers in continuous "
                                              "time; take another integrator",
                                              name_of(options.integrator)));
    lend_controllers();
    continuous.make_room(accepted);
    audit.add(model.remarks);
    audit.add(prepared.remarks);
    events.begin(options.from);
  }

  void lend_controllers() {
    if (sampled.any()) drives->take_held_forces(&sampled);
    if (continuous.any()) drives->take_controllers(&continuous);
  }

  /// Controllers that events switch.
  RunStatus switch_controllers(const std::vector<const Event*>& happened) {
    RunStatus switched;
    for (const Event* event : happened)
      for (const EventAction& action : event->actions) {
        if (action.kind == EventAction::Kind::start) {
          if (!sampled.switch_on(action.controller, accepted))
            continuous.switch_on(action.controller, accepted, switched);
        } else if (action.kind == EventAction::Kind::stop) {
          if (!sampled.switch_off(action.controller, accepted.t)) continuous.switch_off(action.controller, accepted);
        }
        if (!switched) return switched;
      }
    return switched;
  }

  /// What the events that have happened do.
  RunStatus change_stage() {
    const std::vector<const Event*> happened = events.take_due();
    if (RunStatus changed = stage.change(happened, options.formulation, accepted, exchange, audit); !changed)
      return changed;
    if (stage.has_ended()) return {};
    auto next =
        std::make_unique<DriveSet>(stage.model(), prepared.plan, Arithmetic::automatic, accepted, stage.locked());
    sampled.take_drives(*next);
    continuous.take_drives(*next);
    drives = std::move(next);
    lend_controllers();
    return switch_controllers(happened);
  }

  void finish_audit(double wall) {
    audit.t_end = accepted.t;
    audit.records = recorder.rows();
    audit.wall_seconds = wall;
    double& dynamics = audit.time_split["dynamics"];
    double& driving = audit.time_split["drives"];
    audit.time_split["recording"] = recorder.seconds;
    audit.time_split["integrator"] = std::max(0.0, wall - dynamics - driving - recorder.seconds);
    recorder.judge(audit);
    bending.judge(audit);
    energy.judge(remedy, audit);
    events.judge(audit);
  }

  RunOptions options;
  Prepared prepared;
  std::unique_ptr<DriveSet> drives;  ///< of this stage
  SampledControl sampled;
  ContinuousControl continuous;
  Recorder recorder;
  EnergyAudit energy;
  BendingAudit bending;
  RecordTimes times;
  Watcher watcher;
  Pace pace;
  RunEvents events;
  RunStage stage;
  State accepted;
  Exchange exchange;  ///< up to there
  Audit audit;
  bool has_begun = false;
  double recorded = -std::numeric_limits<double>::infinity();  ///< time of the last row, s
  std::string remedy;                                          ///< for accuracy, by the integrator
  std::exception_ptr thrown;
};

/// The run from one event to the next.
class Simulation {
 public:
  explicit Simulation(WholeRun& whole)
      : whole_(whole),
        options_(whole.options),
        prepared_(whole.prepared),
        drives_(*whole.drives),
        sampled_(whole.sampled),
        continuous_(whole.continuous),
        equations_(options_, prepared_.plan, prepared_.work, drives_),
        motion_(std::make_shared<MechanismMotion>(prepared_.plan, prepared_.work, drives_, equations_)),
        dae_(prepared_.plan, prepared_.work, drives_),
        monitor_(options_, prepared_.plan, prepared_.work, drives_.prescribed()),
        recorder_(whole.recorder),
        energy_(whole.energy),
        bending_(whole.bending),
        times_(whole.times),
        watcher_(whole.watcher),
        pace_(whole.pace),
        accepted_(whole.accepted),
        scratch_(whole.accepted),
        accepted_exchange_(whole.exchange),
        y_(equations_.size()),
        switches_(prepared_.plan, prepared_.work, equations_, whole.events),
        audit_(whole.audit) {
    options_.from = accepted_.t;
    equations_.holds().lock(whole.stage.locked_cut());
    if (options_.integrator == Integrator::automatic) {
      equations_.pack(accepted_, {}, y_);
      why_chosen_ = choose_integrator(prepared_.plan, *motion_, y_, options_, continuous_.states() > 0);
    }
    if (!has_fixed_step(options_.integrator)) {
      breakpoints_ = law_breakpoints(whole.stage.model(), options_.from, options_.until);
      whole.events.add_instants(options_.from, options_.until, breakpoints_);
    }
    if (options_.integrator == Integrator::exponential)
      drives_.tabulate_feed_forward(feed_forward_accuracy * options_.tolerance);
    integrator_ = options_.integrator == Integrator::ida ? make_ida(options_, dae_.system())
                                                         : make_integrator(options_, ode_system());
    ode_system_ = equations_.system();
  }

  /// Complete at the end of the run, or when an event has happened.
  RunOutcome run() {
    RunOutcome outcome = integrate();
    add_to_audit();
    return outcome;
  }

 private:
  std::exception_ptr thrown() const {
    if (drives_.thrown()) return drives_.thrown();
    return sampled_.thrown() ? sampled_.thrown() : continuous_.thrown();
  }

  OdeSystem ode_system() {
    OdeSystem system = equations_.system();
    if (options_.integrator == Integrator::exponential) system.second_order = motion_;
    return system;
  }

  /// What `auto` chose does not fit, as it turns out: goes on with the integrator for stiff equations.
  RunStatus take_stiff_integrator(const std::string& why) {
    const StepCounts& counts = integrator_->counts();
    counts_before_ = {counts_before_.steps + counts.steps, counts_before_.rejected + counts.rejected,
                      counts_before_.evaluations + counts.evaluations, counts_before_.jacobians + counts.jacobians};
    choose_stiff_integrator(options_);
    why_chosen_ += fmt::format("; 'bdf' from t = {:.6g} s on: {}", accepted_.t, why);
    integrator_ = make_integrator(options_, ode_system());
    return restart();
  }

  /// Between steps, when `auto` chose: should another integrator go on?
  RunStatus review_choice() {
    if (why_chosen_.empty()) return {};
    if (options_.integrator == Integrator::exponential && integrator_->struggles())
      return take_stiff_integrator("forces that change too fast with the motion");
    if (options_.integrator == Integrator::dopri &&
        stiffness_.is_stiff(ode_system_, accepted_.t, integrator_->state(), integrator_->counts().steps))
      return take_stiff_integrator("stiff equations");
    return {};
  }

  RunOutcome integrate() {
    open_window();
    bending_.look(accepted_);
    bool switched = false;
    RunStatus status = continuous_.switch_by_time(accepted_, switched);
    if (status) status = restart();
    if (status) status = equations_.evaluate(accepted_);
    if (!status || monitor_.check(accepted_, audit_) == ConditionMonitor::Verdict::singular)
      return failed(start_failure(status));
    if (switches_.any()) {
      status = switches_.begin(accepted_, whole_.has_begun);
      if (status) status = restart();
    }
    if (status && sampled_.any()) {
      status = act_on_samples();
      if (status) status = restart();
    }
    whole_.has_begun = true;
    if (status) status = record_until(options_.from);
    if (!status) return failed(failure_message(status));
    while (integrator_->time() < options_.until) {
      if (watcher_.wants_stop()) {
        return {RunOutcome::Ending::interrupted, fmt::format("stopped at t = {:.6g} s", integrator_->time()), {}};
      }
      status = integrator_->step(limit());
      if (!status) {
        // Perhaps only the independent set is exhausted.
        if (try_other_selection()) continue;
        return failed(failure_message(status));
      }
      std::optional<SwitchWatch::Change> change;
      if (switches_.any()) {
        const auto state_in_step = [this](double t, State& state) { return state_at(t, state); };
        // Where there is no state inside the step, the check below says why.
        change = switches_.first_change(accepted_.t, integrator_->time(), integrator_->ripple(), scratch_,
                                        state_in_step, status);
      }
      if (!whole_.events.refusal().empty()) return failed(whole_.events.refusal());
      if (change && ends_too_late(*change)) {
        status = take_again_until(change->t);
        if (!status) return failed(failure_message(status));
        continue;
      }
      switch (check_step(change ? change->t : integrator_->time())) {
        case ConditionMonitor::Verdict::fine:
          break;
        case ConditionMonitor::Verdict::change_set:
          wants_change_ = true;
          break;
        case ConditionMonitor::Verdict::passed:
          if (try_other_selection() || approach_more_slowly()) continue;
          return failed(step_failure_);
        case ConditionMonitor::Verdict::singular:
          if (approach_more_slowly()) continue;
          return failed(step_failure_);
      }
      if (audit_.worst_closure > open_loop && equations_.projects()) return failed(open_loop_message());
      status = record_until(reached_.t);
      if (!status) return failed(failure_message(status));
      stuck_ = taken_again_ = 0;
      again_until_ = std::numeric_limits<double>::infinity();
      accepted_ = reached_;
      accepted_exchange_ = reached_exchange_;
      if (accepted_.t >= shortened_until_) longest_step_ = std::numeric_limits<double>::infinity();
      if (pace_.is_hopeless(integrator_->counts().steps, accepted_.t)) return failed(hopeless_pace());
      status = {};
      if (change) status = switches_.take_place(*change, accepted_, accepted_exchange_, audit_);
      if (status && whole_.events.has_due()) {
        // The end of the run is a row.
        if (whole_.events.ends_run() && whole_.recorded < accepted_.t) status = record(accepted_.t);
        return status ? RunOutcome{} : failed(failure_message(status));
      }
      if (status) status = continue_from_accepted(change.has_value());
      if (status) status = review_choice();
      if (!status) return failed(failure_message(status));
      watcher_.report(integrator_->time());
    }
    return {};
  }

  double limit() const {
    const double end = next_breakpoint_ < breakpoints_.size() ? breakpoints_[next_breakpoint_] : options_.until;
    const double instants[] = {end, sampled_.next(), continuous_.next(accepted_.t)};
    const double first = *std::min_element(std::begin(instants), std::end(instants));
    // 0.3 and 3 times 0.1 are one instant: no method steps from one to the other.
    double limit = first;
    for (const double instant : instants)
      if (is_now(instant, first)) limit = std::max(limit, instant);
    return std::min({limit, options_.until, accepted_.t + longest_step_, again_until_});
  }

  /// A step with oscillations in it has looked at few places, some of them behind a change at which forces have a kink: what
  /// it says of the motion before is not good either.
  bool ends_too_late(const SwitchWatch::Change& change) const {
    const double end = integrator_->time(), behind = end - change.t;
    return integrator_->ripple() > 0.0 && switches_.changes_forces(change) && taken_again_ < most_retakes &&
           behind > small_overshoot * (end - accepted_.t);
  }

  RunStatus take_again_until(double t) {
    ++taken_again_;
    again_until_ = t;
    return restart();
  }

  /// Sensors and controllers that are due at the accepted state.
  RunStatus act_on_samples() {
    RunStatus known;
    if (sampled_.needs_accelerations()) known = equations_.evaluate(accepted_);
    if (known) known = sampled_.act(accepted_, equations_.accelerations(), equations_.acting());
    return known;
  }

  void open_window() {
    if (has_fixed_step(options_.integrator)) return;
    const double begin = next_breakpoint_ == 0 ? options_.from : breakpoints_[next_breakpoint_ - 1];
    // The end belongs to the last interval: nothing comes after it.
    const bool last = next_breakpoint_ == breakpoints_.size();
    drives_.set_window(begin, last ? std::numeric_limits<double>::infinity() : breakpoints_[next_breakpoint_]);
  }

  RunStatus restart() {
    y_.resize(equations_.size());
    equations_.pack(accepted_, accepted_exchange_, y_);
    RunStatus started = integrator_->restart(accepted_.t, y_);
    if (started || why_chosen_.empty() || options_.integrator != Integrator::exponential) return started;
    // Another independent set may split a rotation in space, which `exponential` cannot count.
    MotionPoint start;
    if (motion_->begin(accepted_.t, y_, start)) return started;
    return take_stiff_integrator("a rotation in space is partly free");
  }

  RunStatus resume() {
    equations_.pack(accepted_, accepted_exchange_, y_);
    return integrator_->resume(accepted_.t, y_);
  }

  /// State of the last step at time t, on the closures; its vector stands in y_ then.
  RunStatus state_at(double t, State& state) {
    RunStatus known;
    if (t == integrator_->time())
      y_ = integrator_->state();
    else
      known = integrator_->interpolate(t, y_);
    if (known) known = equations_.unpack(t, y_, equations_.projects(), state);
    return known;
  }

  /// State at time t, the end of the step, on the closures, with its audit.
  ConditionMonitor::Verdict check_step(double t) {
    const Plan& plan = prepared_.plan;
    reached_ = scratch_;
    if (const RunStatus placed = state_at(t, reached_); !placed) {
      step_failure_ = monitor_.diagnosis(accepted_);
      if (step_failure_.empty()) step_failure_ = placed.why();
      return ConditionMonitor::Verdict::passed;
    }
    reached_exchange_ = equations_.exchange(y_);
    const ConditionMonitor::Verdict verdict = monitor_.check(reached_, audit_);
    step_failure_ = monitor_.message();
    if (verdict == ConditionMonitor::Verdict::passed || verdict == ConditionMonitor::Verdict::singular) return verdict;
    audit_.worst_closure = std::max(audit_.worst_closure, closure_error(plan, prepared_.work, reached_.q));
    bending_.look(reached_);
    energy_.check(energy(plan, prepared_.work, reached_), reached_exchange_.work, reached_exchange_.dissipated, audit_);
    return verdict;
  }

  /// All rows up to time t, which lies in the last step.
  RunStatus record_until(double t) {
    const double tolerance = 1e-9 * std::min(options_.every, options_.step);
    while (!times_.done() && times_.next() <= t + tolerance) {
      const bool at_end_of_step = std::abs(times_.next() - t) <= tolerance;
      if (RunStatus recorded = record(at_end_of_step ? t : times_.next()); !recorded) return recorded;
      times_.advance();
    }
    return {};
  }

  RunStatus record(double time) {
    const bool knows_accelerations = integrator_->knows_accelerations();
    RunStatus known;
    // A switch ends a step before the time that the integrator has reached.
    if (time == integrator_->time() && !knows_accelerations)
      y_ = integrator_->state();
    else
      known = integrator_->interpolate(time, y_);
    if (known) known = equations_.unpack(time, y_, equations_.projects(), scratch_);
    if (!known) return known;
    if (knows_accelerations) integrator_->accelerations(equations_.accelerations());
    known = knows_accelerations ? equations_.evaluate_forces(scratch_) : equations_.evaluate(scratch_);
    if (!known) return known;
    const Exchange exchange = equations_.exchange(y_);
    recorder_.row(scratch_, equations_.accelerations(), equations_.acting(), exchange.work, exchange.dissipated,
                  equations_.holds().empty() ? nullptr : &equations_.holds().forces());
    whole_.recorded = time;
    return {};
  }

  /// Between steps: something has switched, new interval of the laws, new independent set, or passengers that have
  /// drifted too far.
  RunStatus continue_from_accepted(bool needs_restart) {
    bool forces_jump = false;
    if (next_breakpoint_ < breakpoints_.size() && accepted_.t >= breakpoints_[next_breakpoint_]) {
      ++next_breakpoint_;
      open_window();
      forces_jump = true;
    }
    if (wants_change_) {
      wants_change_ = false;
      if (monitor_.change_set(accepted_.q)) {
        ++audit_.set_changes;
        needs_restart = true;
      }
    }
    if (!needs_restart && !forces_jump && is_multistep(options_.integrator) && equations_.projects()) {
      const auto carried = integrator_->state().head(prepared_.plan.nq());
      needs_restart = (carried - accepted_.q).lpNorm<Eigen::Infinity>() > passenger_drift;
    }
    if (accepted_.t >= options_.until) return {};
    if (accepted_.t >= sampled_.next()) {
      if (RunStatus acted = act_on_samples(); !acted) return acted;
      forces_jump = true;
    }
    if (continuous_.any()) {
      bool switched = false;
      if (RunStatus acted = continuous_.switch_by_time(accepted_, switched); !acted) return acted;
      forces_jump = forces_jump || switched;
    }
    if (needs_restart) return restart();
    return forces_jump ? resume() : RunStatus();
  }

  /// A step that led into a singular pose is taken again in parts, so that the record reaches up to that pose and the
  /// message states its time. False when the pose has been narrowed down.
  bool approach_more_slowly() {
    const double taken = integrator_->time() - accepted_.t;
    if (taken <= narrowest_step * (options_.until - options_.from)) return false;
    longest_step_ = 0.25 * taken;
    shortened_until_ = integrator_->time();
    return static_cast<bool>(restart());
  }

  /// From the last good state with another selection; not again and again without progress.
  bool try_other_selection() {
    if (drives_.thrown() || ++stuck_ > 2 || !monitor_.change_set(accepted_.q)) return false;
    ++audit_.set_changes;
    return static_cast<bool>(restart());
  }

  static RunOutcome failed(const std::string& message) { return {RunOutcome::Ending::physics_failed, message, {}}; }

  /// What the poses say comes before what a part of the run says: forces without bound are often the first sign.
  std::string failure_message(const RunStatus& status) {
    if (thrown()) return status.why();
    const std::string singular = monitor_.diagnosis(accepted_);
    if (!singular.empty()) return singular;
    const std::string wanted = drives_.feed_forward_diagnosis(accepted_.t);
    return !wanted.empty() ? wanted : status.why();
  }

  /// A run that cannot even begin; at a singular pose the speeds may decide how it is left.
  std::string start_failure(const RunStatus& status) {
    const std::string why = !monitor_.message().empty() ? monitor_.message() : failure_message(status);
    if (why.find("is singular") == std::string::npos) return why;
    return why +
           ". The run starts there, and the given speeds do not say how the loop is left: give the speeds of more of "
           "its "
           "joints under 'speeds', or another pose under 'initial'";
  }

  std::string open_loop_message() {
    VectorX c;
    closure_values(prepared_.plan, prepared_.work, reached_.q, c);
    Eigen::Index worst = 0;
    const double error = c.cwiseAbs().maxCoeff(&worst);
    const ClosureRow& row = closure_rows(prepared_.plan, prepared_.work)[worst];
    const std::vector<int>& cuts = prepared_.plan.cut_joints();
    const auto closure = row.coupling >= 0 ? std::ssize(cuts) + row.coupling
                                           : std::find(cuts.begin(), cuts.end(), row.joint) - cuts.begin();
    return fmt::format(
        "{} has come open by {:.3g} m at t = {:.6g} s (at most {:.0e} is borne): what follows would be the "
        "motion of "
        "another mechanism; tighten run.rtol, or take shorter steps",
        prepared_.plan.closure_name(static_cast<int>(closure)), error, reached_.t, open_loop);
  }

  std::string hopeless_pace() {
    std::string limits = monitor_.diagnosis(accepted_);
    if (limits.empty())
      limits =
          "something changes much faster than the run is long: a very stiff spring or damper, a law that oscillates, "
          "or a "
          "tolerance below rounding. Try integrator 'bdf', a larger run.rtol, or a shorter run";
    return fmt::format(
        "integrator '{}' comes to a standstill at t = {:.6g} s: with steps of {:.2g} s the run would need {:.0e} "
        "steps; {}",
        name_of(options_.integrator), accepted_.t, pace_.step(), pace_.steps_needed(), limits);
  }

  void add_to_audit() {
    const StepCounts& counts = integrator_->counts();
    audit_.integrator = describe_integrator(options_, why_chosen_);
    audit_.steps += counts_before_.steps + counts.steps;
    audit_.rejected += counts_before_.rejected + counts.rejected;
    audit_.evaluations += counts_before_.evaluations + counts.evaluations;
    audit_.jacobians += counts_before_.jacobians + counts.jacobians;
    audit_.projections += equations_.projections;
    audit_.time_split["dynamics"] += equations_.dynamics_seconds();
    audit_.time_split["drives"] += equations_.drive_seconds();
    whole_.remedy = remedy_for_accuracy(options_);
    whole_.thrown = thrown();
  }

  WholeRun& whole_;
  RunOptions options_;
  Prepared& prepared_;
  DriveSet& drives_;
  SampledControl& sampled_;
  ContinuousControl& continuous_;
  Equations equations_;
  std::shared_ptr<MechanismMotion> motion_;
  MultiplierDae dae_;
  ConditionMonitor monitor_;
  Recorder& recorder_;
  EnergyAudit& energy_;
  BendingAudit& bending_;
  RecordTimes& times_;
  Watcher& watcher_;
  Pace& pace_;
  std::unique_ptr<OdeIntegrator> integrator_;
  std::string why_chosen_;  ///< by `auto`; empty when the model names an integrator
  OdeSystem ode_system_;    ///< for the watch
  StiffnessWatch stiffness_;
  StepCounts counts_before_;  ///< of the integrators before this one
  std::vector<double> breakpoints_;
  std::size_t next_breakpoint_ = 0;
  State& accepted_;
  State reached_, scratch_;
  Exchange& accepted_exchange_;
  Exchange reached_exchange_;
  bool wants_change_ = false;
  double longest_step_ = std::numeric_limits<double>::infinity();  ///< shortened on the way into a singular pose
  double shortened_until_ = 0.0;                                   ///< time at which the pose was met, s
  double again_until_ = std::numeric_limits<double>::infinity();   ///< end of a step that is taken again, s
  int taken_again_ = 0;
  int stuck_ = 0;  ///< changes of the set without a step between them
  std::string step_failure_;
  VectorX y_;
  RunSwitches switches_;
  Audit& audit_;
};

/// From event to event.
RunOutcome run_stages(WholeRun& whole) {
  try {
    while (true) {
      if (whole.events.has_due()) {
        const RunStatus changed = whole.change_stage();
        if (!changed) return {RunOutcome::Ending::physics_failed, changed.why(), {}};
        if (whole.stage.has_ended()) return {};
      }
      RunOutcome outcome = Simulation(whole).run();
      if (outcome.ending != RunOutcome::Ending::complete || !whole.events.has_due()) return outcome;
    }
  } catch (const std::runtime_error& error) {
    // A stage after an event that cannot be set up; what came before it is kept.
    if (!whole.has_begun) throw;
    return {RunOutcome::Ending::physics_failed, error.what(), {}};
  }
}

}  // namespace

RunOutcome run_simulation(const Model& model, RecordSink& sink, const RunControl& control) {
  WholeRun whole(model, sink, control);
  const double begin = seconds_now();
  RunOutcome outcome = run_stages(whole);
  whole.finish_audit(seconds_now() - begin);
  outcome.audit = whole.audit;
  sink.finish(outcome.audit, outcome.ending == RunOutcome::Ending::complete ? "complete" : outcome.message);
  // What a law in code threw could not pass through the integrator, which is not ours.
  if (whole.thrown) std::rethrow_exception(whole.thrown);
  return outcome;
}

}  // namespace lithe
