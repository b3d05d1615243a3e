// Flexible inverse dynamics: forces and elastic motion with which the driven joints follow their laws exactly.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "lithe/simulation/bending_audit.hpp"
#include "lithe/simulation/drive_set.hpp"
#include "lithe/simulation/elastic_inversion.hpp"
#include "lithe/simulation/energy_audit.hpp"
#include "lithe/simulation/integrator_choice.hpp"
#include "lithe/simulation/recorder.hpp"
#include "lithe/simulation/run_clock.hpp"
#include "lithe/simulation/two_point.hpp"

namespace lithe {
namespace {

using namespace detail;  // NOLINT: this file puts the parts together

constexpr int poles_looked_at = 5;  ///< instants of the run at which the stability is judged
constexpr double unsupplied_share = 1e-7;

/// For laws on the motors: the model with these followed exactly. Whatever else drives a motor is silent, laws in code
/// included; each of them acts on motors only, since a joint that one drives has a motor by that.
Model with_laws_prescribed(const Model& model) {
  Model followed = model;
  std::erase_if(followed.drives, [](const Drive& drive) { return !drive.wants_motion(); });
  for (Drive& drive : followed.drives) {
    drive.prescribed = true;
    drive.feed_forward = false;
    drive.kp = drive.kd = drive.ki = 0.0;
    drive.torque = {};
    drive.law = nullptr;
  }
  followed.controllers.clear();
  return followed;
}

/// Do exactly the actuated joints follow laws?
bool laws_are_on_the_motors(const Model& model, const Plan& plan) {
  if (!model.paths.empty()) return false;
  std::vector<int> followed, actuated = plan.actuated_speeds();
  for (const Drive& drive : model.drives)
    if (drive.wants_motion()) followed.push_back(speed_index(plan, drive.joint, drive.coordinate));
  std::sort(followed.begin(), followed.end());
  std::sort(actuated.begin(), actuated.end());
  return followed == actuated;
}

/// Hands a run of the changed model on as one of the model itself, with a note in its audit.
class NotedSink : public RecordSink {
 public:
  NotedSink(const Model& model, RecordSink& sink, std::string note)
      : model_(model), sink_(sink), note_(std::move(note)) {}
  void begin(const Model&, const std::vector<std::string>& columns) override { sink_.begin(model_, columns); }
  void row(std::span<const double> values) override { sink_.row(values); }
  void finish(const Audit& audit, const std::string& outcome) override { sink_.finish(with_note(audit), outcome); }
  Audit with_note(Audit audit) const {
    audit.notes.push_back(note_);
    return audit;
  }

 private:
  const Model& model_;
  RecordSink& sink_;
  std::string note_;
};

/// The followed joints are not the motors.
class FlexibleInverse {
 public:
  FlexibleInverse(const Model& model, Prepared prepared, RecordSink& sink, const RunControl& control)
      : model_(model),
        prepared_(std::move(prepared)),
        inversion_(model, prepared_.plan, prepared_.state),
        watcher_(control, model.run),
        recorder_(model, prepared_.plan, inversion_.work(), RecordedForces::all, sink),
        bending_(prepared_.plan) {
    audit_.add(model.remarks);
    audit_.add(prepared_.remarks);
  }

  RunOutcome run() {
    const double begin = seconds_now();
    RunOutcome outcome;
    if (const RunStatus followed = follow(); !followed) {
      outcome.ending = stopped_ ? RunOutcome::Ending::interrupted : RunOutcome::Ending::physics_failed;
      outcome.message = stopped_ ? fmt::format("stopped at t = {:.6g} s", audit_.t_end) : followed.why();
    }
    audit_.evaluations = inversion_.evaluations;
    audit_.records = recorder_.rows();
    recorder_.judge(audit_);
    bending_.judge(audit_);
    audit_.wall_seconds = seconds_now() - begin;
    audit_.time_split["recording"] = recorder_.seconds;
    audit_.time_split["dynamics"] = audit_.wall_seconds - recorder_.seconds;
    outcome.audit = audit_;
    return outcome;
  }

 private:
  RunStatus follow() {
    bool stable = false;
    if (RunStatus judged = judge(stable); !judged) return judged;
    return stable ? integrate() : two_point();
  }

  bool wants_stop() {
    stopped_ = stopped_ || watcher_.wants_stop();
    return stopped_;
  }

  /// Stability of the internal dynamics along the run.
  RunStatus judge(bool& stable) {
    double worst = 0.0;
    VectorX eta = VectorX::Zero(inversion_.count());
    for (int i = 0; i < poles_looked_at; ++i) {
      const double t = model_.run.from + (model_.run.until - model_.run.from) * i / (poles_looked_at - 1);
      double here = 0.0;
      RunStatus known = inversion_.rest(t, eta);
      if (known) known = inversion_.instability(t, eta, here);
      if (!known) return known;
      worst = std::max(worst, here);
    }
    stable = worst <= unstable_share;
    audit_.notes.push_back(
        stable ? "the followed joints are not the motors, but the internal dynamics are stable: the elastic motion is "
                 "integrated from rest"
               : fmt::format("the internal dynamics are unstable (a pole with a real part of {:.2g} of its size): the "
                             "elastic motion is the bounded one between rest at {:.6g} s and at {:.6g} s",
                             worst, model_.run.from, model_.run.until));
    return {};
  }

  /// The elastic motion under laws is a stiff system of first order.
  RunOptions inversion_options() const {
    RunOptions options = model_.run;
    if (options.integrator == Integrator::automatic) choose_stiff_integrator(options);
    if (options.integrator == Integrator::exponential)
      throw MechanismError("run", "integrator 'exponential' does not know flexible inverse dynamics; use 'auto'");
    return options;
  }

  // y = [eta; eta'; work; dissipated]
  RunStatus integrate() {
    const int n = inversion_.count();
    ElasticMotion motion{VectorX(n), VectorX(n), VectorX(n)};
    OdeSystem system;
    system.size = 2 * n + 2;
    system.controlled = 2 * n;
    system.rate = [&](double t, VectorIn y, VectorOut rate) {
      motion.eta = y.head(n);
      motion.rate = y.segment(n, n);
      if (RunStatus known = inversion_.accelerate(t, motion); !known) return known;
      rate.head(n) = motion.rate;
      rate.segment(n, n) = motion.acceleration;
      rate[2 * n] = power();
      rate[2 * n + 1] = loss();
      const Status status{rate.allFinite() ? Status::Code::ok : Status::Code::not_finite};
      return RunStatus(prepared_.plan, status, t);
    };
    const std::unique_ptr<OdeIntegrator> integrator = make_integrator(inversion_options(), system);
    VectorX eta = VectorX::Zero(n), y = VectorX::Zero(2 * n + 2), rate(2 * n + 2);
    inversion_.rewind();
    if (RunStatus rested = inversion_.rest(model_.run.from, eta); !rested) return rested;
    y.head(n) = eta;
    const std::vector<double> kinks = law_breakpoints(model_, model_.run.from, model_.run.until);
    std::size_t next_kink = 0;
    if (RunStatus started = integrator->restart(model_.run.from, y); !started) return started;
    for (RecordTimes times(model_.run); !times.done(); times.advance()) {
      while (integrator->time() < times.next()) {
        if (wants_stop()) return RunStatus::refused();
        if (next_kink < kinks.size() && integrator->time() >= kinks[next_kink]) {
          ++next_kink;
          const VectorX here = integrator->state();
          if (RunStatus started = integrator->restart(integrator->time(), here); !started) return started;
        }
        const double end = next_kink < kinks.size() ? kinks[next_kink] : model_.run.until;
        if (RunStatus stepped = integrator->step(end); !stepped) return stepped;
      }
      y = integrator->state();
      RunStatus known;
      if (times.next() < integrator->time()) known = integrator->interpolate(times.next(), y);
      if (known) known = system.rate(times.next(), y, rate);
      if (known) known = record(now(), y[2 * n], y[2 * n + 1]);
      if (!known) return known;
    }
    audit_.steps = integrator->counts().steps;
    audit_.rejected = integrator->counts().rejected;
    return {};
  }

  RunStatus two_point() {
    const RunOptions& run = model_.run;
    constexpr double most_points = 5e6;  // all of them are kept
    const double points = (run.until - run.from) / std::min(run.step, run.every);
    if (points > most_points)
      return RunStatus::refused(
          fmt::format("a two-point problem of {:.3g} instants does not fit into the memory; lengthen run.step or "
                      "run.every, or end earlier",
                      points));
    // Recorded instants are points of the grid.
    const int share = std::max(1, static_cast<int>(std::ceil(run.every / run.step - 1e-9)));
    const int records = std::max(1, static_cast<int>(std::lround((run.until - run.from) / run.every)));
    const int intervals = std::max(4, share * records);
    ElasticPath path;
    const auto goes_on = [&](double fraction) {
      watcher_.report(run.from + 0.5 * fraction * (run.until - run.from));
      return !wants_stop();
    };
    if (RunStatus solved = solve_two_point(inversion_, run.from, run.until, intervals, path, goes_on); !solved)
      return solved;
    audit_.steps = path.iterations;
    audit_.notes.push_back(
        fmt::format("two-point problem: {} intervals, {} Newton steps, estimated error of the "
                    "elastic coordinates {:.2g}",
                    intervals, path.iterations, path.error));
    // The work up to a point needs the power at its neighbours, so the motion is kept until that is known.
    std::vector<double> powers, losses;
    std::vector<Instant> recorded;
    inversion_.rewind();
    for (std::size_t i = 0; i < path.times.size(); ++i) {
      if (RunStatus known = inversion_.accelerate(path.times[i], path.points[i]); !known) return known;
      powers.push_back(power());
      losses.push_back(loss());
      if (i % static_cast<std::size_t>(share) == 0) recorded.push_back(now());
    }
    const double h = path.times[1] - path.times[0];
    double work = 0.0, dissipated = 0.0;
    for (std::size_t i = 0; i < path.times.size(); ++i) {
      if (i > 0) {
        work += h * between(powers, i);
        dissipated += h * between(losses, i);
      }
      if (i % static_cast<std::size_t>(share) != 0) continue;
      RunStatus kept = record(recorded[i / static_cast<std::size_t>(share)], work, dissipated);
      if (!kept) return kept;
    }
    return {};
  }

  /// Mean over the interval that ends at point i, of order 4.
  static double between(const std::vector<double>& f, std::size_t i) {
    const std::size_t last = f.size() - 1;
    if (i == 1) return (9 * f[0] + 19 * f[1] - 5 * f[2] + f[3]) / 24;
    if (i == last) return (9 * f[last] + 19 * f[last - 1] - 5 * f[last - 2] + f[last - 3]) / 24;
    return (-f[i - 2] + 13 * f[i - 1] + 13 * f[i] - f[i + 1]) / 24;
  }

  double power() { return supplied_power(prepared_.plan, inversion_.work(), inversion_.state(), inversion_.actions()); }
  double loss() { return dissipated_power(prepared_.plan, inversion_.work(), inversion_.state()); }

  /// Motion and forces at one time.
  struct Instant {
    State state;
    VectorX accelerations;
    Actions actions;
    double not_supplied;
  };

  /// Those of the last residual.
  Instant now() const {
    return {inversion_.state(), inversion_.accelerations(), inversion_.actions(), inversion_.not_supplied()};
  }

  RunStatus record(const Instant& at, double work, double dissipated) {
    const State& state = at.state;
    const double size = at.actions.tau.cwiseAbs().maxCoeff();
    audit_.worst_residual = std::max(audit_.worst_residual, at.not_supplied);
    if (at.not_supplied > unsupplied_share * (1.0 + size))
      return RunStatus::refused(fmt::format(
          "the actuators cannot supply the forces of this motion: at t = {:.6g} s a generalised force of {:.6g} "
          "remains. Actuate as many joints as follow laws",
          state.t, at.not_supplied));
    const Energy energy_now = energy(prepared_.plan, inversion_.work(), state);
    if (!energy_) energy_.emplace(energy_now);
    energy_->check(energy_now, work, dissipated, audit_);
    audit_.worst_closure = std::max(audit_.worst_closure, closure_error(prepared_.plan, inversion_.work(), state.q));
    bending_.look(state);
    recorder_.row(state, at.accelerations, at.actions, work, dissipated);
    audit_.t_end = state.t;
    watcher_.report(state.t);
    return {};
  }

  const Model& model_;
  Prepared prepared_;
  ElasticInversion inversion_;
  Watcher watcher_;
  Recorder recorder_;
  BendingAudit bending_;
  std::optional<EnergyAudit> energy_;
  Audit audit_;
  bool stopped_ = false;  ///< from outside
};

}  // namespace

RunOutcome run_flexible_inverse(const Model& model, RecordSink& sink, const RunControl& control) {
  check_run_options(model.run);
  Prepared prepared = prepare(model);
  if (laws_are_on_the_motors(model, prepared.plan)) {
    NotedSink noted(
        model, sink,
        "the motors follow the laws themselves, so the internal dynamics are those of the links with locked "
        "motors, which are stable: the elastic motion is integrated from the initial state");
    RunOutcome outcome = run_simulation(with_laws_prescribed(model), noted, control);
    outcome.audit = noted.with_note(outcome.audit);
    return outcome;
  }
  FlexibleInverse run(model, std::move(prepared), sink, control);
  RunOutcome outcome = run.run();
  sink.finish(outcome.audit, outcome.ending == RunOutcome::Ending::complete ? "complete" : outcome.message);
  return outcome;
}

}  // namespace lithe
