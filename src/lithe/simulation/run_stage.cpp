#include "lithe/simulation/run_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {
namespace {

constexpr double same_place = 1e-9;  ///< rad, or characteristic lengths: where a motion begins and where the joint is

bool has_speed(const std::vector<int>& list, int speed) {
  return std::find(list.begin(), list.end(), speed) != list.end();
}

}  // namespace

RunStage::RunStage(const Model& model, const Plan& plan, Workspace& work)
    : base_(model), plan_(plan), work_(work), drives_(model.drives) {
  for (const Event& event : model.events)
    for (const EventAction& action : event.actions) {
      if (action.joint.empty()) continue;
      const int speed = speed_index(plan, action.joint, action.coordinate);
      if (action.kind == EventAction::Kind::drive && action.drive.prescribed && speed >= plan.nv())
        throw MechanismError(action.joint, fmt::format("event '{}' prescribes the motion of joint '{}', which closes a "
                                                       "loop; mark another joint of the loop 'cut: true'",
                                                       event.name, action.joint));
    }
}

bool RunStage::is_locked(const Drive& drive) const {
  const int speed = speed_index(plan_, drive.joint, drive.coordinate);
  return has_speed(locked_, speed) || has_speed(locked_cut_, speed);
}

std::vector<int> RunStage::prescribed() const {
  std::vector<int> speeds = locked_;
  for (const Drive& drive : drives_)
    if (drive.prescribed && !is_locked(drive)) speeds.push_back(speed_index(plan_, drive.joint, drive.coordinate));
  return speeds;
}

void RunStage::set_locked(const std::string& joint, bool locked, std::vector<int>& touched) {
  const JointPlace& place = plan_.places()[plan_.mechanism().find_joint(joint)];
  std::vector<int>& list = place.cut ? locked_cut_ : locked_;
  for (int k = 0; k < place.nv; ++k) {
    const int speed = place.v + k + (place.cut ? plan_.nv() : 0);
    touched.push_back(speed);
    std::erase(list, speed);
    if (locked) list.push_back(speed);
  }
}

double RunStage::position(int joint, int coordinate, const State& state) {
  const JointPlace& place = plan_.places()[joint];
  if (!place.cut) return state.q[place.q + coordinate];
  VectorX cut;
  cut_coordinates(plan_, work_, state.q, cut);
  return cut[place.q + coordinate];
}

/// Takes an action; what it does, in words.
std::string RunStage::apply(const EventAction& action, double t, const State& state, std::vector<int>& touched) {
  const auto is_its = [&](const Drive& drive) {
    return drive.joint == action.joint && drive.coordinate == action.coordinate;
  };
  switch (action.kind) {
    case EventAction::Kind::lock:
      set_locked(action.joint, true, touched);
      return fmt::format("locks '{}'", action.joint);
    case EventAction::Kind::release:
      set_locked(action.joint, false, touched);
      return fmt::format("releases '{}'", action.joint);
    case EventAction::Kind::silence:
      std::erase_if(drives_, is_its);
      return fmt::format("no drive of '{}'", action.joint);
    case EventAction::Kind::drive: {
      std::erase_if(drives_, is_its);
      Drive drive = action.drive;
      drive.clock = t;
      if (action.starts_here)
        drive.shift =
            position(plan_.mechanism().find_joint(action.joint), action.coordinate, state) - drive.motion_at(t).value;
      drives_.push_back(std::move(drive));
      touched.push_back(speed_index(plan_, action.joint, action.coordinate));
      return fmt::format("another drive of '{}'", action.joint);
    }
    case EventAction::Kind::start:
      return fmt::format("starts controller '{}'", action.controller);
    case EventAction::Kind::stop:
      return fmt::format("stops controller '{}'", action.controller);
    case EventAction::Kind::end:
      break;
  }
  return "ends the run";
}

/// Motions that are imposed from now on have to begin where their joints are.
RunStatus RunStage::begin_motions(const std::vector<int>& begun, State& state, std::vector<Wanted>& wanted) {
  for (const Drive& drive : drives_) {
    const int speed = speed_index(plan_, drive.joint, drive.coordinate);
    if (!drive.prescribed || !has_speed(begun, speed) || is_locked(drive)) continue;
    const Jet motion = drive.motion_at(state.t);
    const int joint = plan_.mechanism().find_joint(drive.joint);
    const double q = position(joint, drive.coordinate, state);
    const double scale = speed < plan_.nv() ? plan_.speed_scale(speed) : 1.0;
    if (std::abs(q - motion.value) > same_place * scale)
      return RunStatus::refused(
          fmt::format("the motion that joint '{}' follows from t = {:.6g} s on begins at {:.9g}, but the joint is at "
                      "{:.9g}; let it begin there with 'start: here'",
                      plan_.speed_name(speed), state.t, motion.value, q));
    wanted.push_back({speed, motion.rate, false});
  }
  return {};
}

RunStatus RunStage::strike(const std::vector<int>& steady, const std::vector<Wanted>& wanted, Formulation formulation,
                           State& state, Exchange& exchange, double& lost) {
  if (wanted.empty()) return {};
  const ForwardOptions options{formulation, steady, {}};
  JointHolds holds(plan_, work_, options);
  const Actions actions(plan_);
  const double energy_before = energy(plan_, work_, state).kinetic;
  VectorX cut, by(wanted.size()), before(wanted.size()), impulses;
  std::vector<int> speeds;
  cut_speeds(plan_, work_, state, cut);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const int speed = wanted[i].speed;
    speeds.push_back(speed);
    before[i] = speed < plan_.nv() ? state.v[speed] : cut[speed - plan_.nv()];
    by[i] = wanted[i].rate - before[i];
  }
  if (by.lpNorm<Eigen::Infinity>() == 0.0) return {};
  RunStatus struck = holds.begin(state, actions, true);
  if (struck) struck = holds.strike(state, actions, speeds, by, impulses);
  if (!struck) return struck;
  // An impulse works with the mean of the speeds before and after it.
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i].locks) lost -= 0.5 * impulses[i] * (before[i] + wanted[i].rate);
  exchange.dissipated += lost;
  exchange.work += energy(plan_, work_, state).kinetic - energy_before + lost;
  return {};
}

RunStatus RunStage::change(const std::vector<const Event*>& events, Formulation formulation, State& state,
                           Exchange& exchange, Audit& audit) {
  const std::vector<int> before = prescribed();
  std::vector<int> touched;
  for (const Event* event : events) {
    std::string does;
    for (const EventAction& action : event->actions) {
      does += (does.empty() ? "" : ", ") + apply(action, state.t, state, touched);
      if (action.kind == EventAction::Kind::end) ended_by_ = event->name;
    }
    audit.events.push_back({state.t, fmt::format("event '{}'{}{}", event->name, does.empty() ? "" : ": ", does)});
  }
  if (has_ended()) {
    audit.notes.push_back(fmt::format("event '{}' ended the run at t = {:.9g} s", ended_by_, state.t));
    return {};
  }

  // Who goes on as before stays as he is in the impact; who begins, and cut joints that are locked, take part in it.
  const std::vector<int> after = prescribed();
  std::vector<int> steady, begun;
  for (const int speed : after)
    (has_speed(before, speed) && !has_speed(touched, speed) ? steady : begun).push_back(speed);
  std::vector<Wanted> wanted;
  if (RunStatus begins = begin_motions(begun, state, wanted); !begins) return begins;
  for (const int speed : begun)
    if (has_speed(locked_, speed)) wanted.push_back({speed, 0.0, true});
  for (const int speed : locked_cut_) wanted.push_back({speed, 0.0, true});
  double lost = 0.0;
  if (RunStatus struck = strike(steady, wanted, formulation, state, exchange, lost); !struck) return struck;
  if (lost > 0.0) audit.events.back().what += fmt::format("; the impact takes {:.4g} J", lost);

  const bool insist = !after.empty() || base_.plan.coordinates == Coordinates::joint;
  if (const Status status = select_independent(plan_, work_, state.q, after, insist); !status) {
    RunStatus refused(plan_, status, state.t);
    return RunStatus::refused(fmt::format("{}: what event '{}' locks or moves cannot all be locked or moved",
                                          refused.why(), events.back()->name));
  }
  for (const Wanted& each : wanted)
    if (each.speed < plan_.nv()) state.v[each.speed] = each.rate;
  if (const Status status = complete_speeds(plan_, work_, state.q, state.v); !status) return {plan_, status, state.t};

  auto now = std::make_unique<Model>(base_);
  now->drives = drives_;
  std::erase_if(now->drives, [&](const Drive& drive) { return drive.prescribed && is_locked(drive); });
  now->run.from = state.t;
  now_ = std::move(now);
  return {};
}

}  // namespace lithe::detail
