#include "lithe/simulation/joint_holds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr double at_rest = 1e-9;        ///< rad/s, or characteristic lengths a second, at the start of a run
constexpr double on_the_end = 1e-9;     ///< rad, or characteristic lengths, likewise
constexpr double last_bounce = 1e-5;    ///< of the hardest impact: a slower one is the last
constexpr int most_load_sweeps = 50;    ///< of friction that depends on the force that a joint carries
constexpr double load_settled = 1e-12;  ///< of that force
constexpr double far_away = 1e9;        ///< rad or m: where there is no end
constexpr double hair = 1e-10;          ///< of a limit, within which it counts as reached

bool is_dry(const Joint& joint, int k) {
  return !joint.friction.empty() && joint.friction[k].acts() && joint.friction[k].creep == 0.0;
}
bool is_hard(const Joint& joint, int k) {
  return !joint.stops.empty() && joint.stops[k].is_given() && joint.stops[k].stiffness == 0.0;
}

}  // namespace

bool may_be_held(const Joint& joint, int k) { return is_dry(joint, k) || is_hard(joint, k); }

bool has_holds(const Mechanism& mechanism) {
  return std::any_of(mechanism.joints.begin(), mechanism.joints.end(), [](const Joint& joint) {
    for (int k = 0; k < joint.facts().speeds; ++k)
      if (may_be_held(joint, k)) return true;
    return false;
  });
}

JointHolds::JointHolds(const Plan& plan, Workspace& work, const ForwardOptions& options)
    : plan_(plan), work_(work), options_(options), probe_(plan) {
  const std::vector<Joint>& joints = plan.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    const JointPlace& place = plan.places()[j];
    for (int k = 0; k < place.nv; ++k) {
      const int v = place.v + k + (place.cut ? plan.nv() : 0);
      const Coordinate at{plan.speed_name(v), place.q + k, v, place.cut};
      if (is_dry(joint, k)) {
        const JointSpeed& speed = joint.facts().speed[k];
        const bool prescribed = !place.cut && std::find(options.prescribed.begin(), options.prescribed.end(), v) !=
                                                  options.prescribed.end();
        frictions_.push_back({at, joint.friction[k], static_cast<int>(j),
                              speed.is_distance() ? joint.direction_of(speed) : Vec3(Vec3::Zero()), prescribed});
        load_dependent_ = load_dependent_ || joint.friction[k].load > 0.0;
      }
      if (is_hard(joint, k)) stops_.push_back({at, joint.stops[k]});
    }
  }
  forces_ = VectorX::Zero(plan.nv() + plan.cut_nv());
  trial_ = VectorX::Zero(plan.nv());
}

double JointHolds::position(const Coordinate& at, const State& state) {
  if (!at.cut) return state.q[at.q];
  cut_coordinates(plan_, work_, state.q, cut_q_);
  return cut_q_[at.q];
}

double JointHolds::speed(const Coordinate& at, const State& state) {
  if (!at.cut) return state.v[at.v];
  cut_speeds(plan_, work_, state, cut_v_);
  return cut_v_[at.v - plan_.nv()];
}

double JointHolds::acceleration(const Coordinate& at, const State& state, const VectorX& a) {
  if (!at.cut) return a[at.v];
  cut_accelerations(plan_, work_, state, a, cut_a_);
  return cut_a_[at.v - plan_.nv()];
}

double JointHolds::holding_limit(const Friction& friction) const {
  return friction.law.breakaway + friction.law.load * friction.carried;
}

double JointHolds::sliding_force(const Friction& friction, double speed) const {
  const JointFriction& law = friction.law;
  double force = law.coulomb + law.load * friction.carried;
  if (law.stribeck > 0.0) {
    const double ratio = speed / law.stribeck;
    force += (law.breakaway - law.coulomb) * std::exp(-ratio * ratio);
  }
  return force;
}

/// Against a stop friction has nothing to do: the stop holds the joint.
bool JointHolds::lies_still(const Friction& friction) const {
  return std::any_of(stops_.begin(), stops_.end(),
                     [&](const Stop& stop) { return stop.at.v == friction.at.v && stop.lies != 0; });
}

JointHolds::Coordinate JointHolds::coordinate_of(int speed) const {
  return {plan_.speed_name(speed), -1, speed, speed >= plan_.nv()};
}

void JointHolds::lock(const std::vector<int>& speeds) {
  for (const int speed : speeds) locks_.push_back(coordinate_of(speed));
}

RunStatus JointHolds::begin(State& state, const Actions& actions, bool goes_on) {
  for (Stop& stop : stops_) {
    const double scale = stop.at.cut ? 1.0 : plan_.speed_scale(stop.at.v), q = position(stop.at, state);
    for (const int end : {-1, 1}) {
      const double beyond = end < 0 ? stop.law.lower - q : q - stop.law.upper;
      if (beyond > on_the_end * scale && !goes_on)
        return RunStatus::refused(fmt::format(
            "joint '{}' starts at {:.6g}, beyond its stop at {:.6g}: start it elsewhere, or give the stop a stiffness",
            stop.at.name, q, end < 0 ? stop.law.lower : stop.law.upper));
      if (beyond > -on_the_end * scale && end * speed(stop.at, state) >= -at_rest * scale) stop.lies = end;
    }
  }
  for (Friction& friction : frictions_) {
    const double scale = friction.at.cut ? 1.0 : plan_.speed_scale(friction.at.v), v = speed(friction.at, state);
    friction.direction = std::abs(v) <= at_rest * scale ? 0 : (v > 0.0 ? 1 : -1);
  }
  return settle(state, actions);
}

Status JointHolds::forward(const State& state, const Actions& actions, Actions& acting, VectorX& a) {
  for (Friction& friction : frictions_) friction.carried = 0.0;
  Status status = forward_once(state, actions, acting, a);
  for (int sweep = 0; status && load_dependent_ && sweep < most_load_sweeps; ++sweep) {
    if (!update_carried(state, acting, a)) break;
    status = forward_once(state, actions, acting, a);
  }
  return status;
}

/// Friction of those that slide, then the forces of those that are held.
Status JointHolds::forward_once(const State& state, const Actions& actions, Actions& acting, VectorX& a) {
  acting = actions;
  forces_.setZero();
  held_.clear();
  for (Friction& friction : frictions_) {
    friction.force = 0.0;
    if (lies_still(friction)) continue;
    const double v = speed(friction.at, state);
    const int direction = friction.prescribed ? (v > 0.0) - (v < 0.0) : friction.direction;
    if (direction == 0) {
      if (!friction.prescribed) held_.push_back(&friction.at);
      continue;
    }
    friction.force = -direction * sliding_force(friction, v);
    forces_[friction.at.v] += friction.force;
  }
  for (Stop& stop : stops_) {
    stop.force = 0.0;
    if (stop.lies != 0) held_.push_back(&stop.at);
  }
  for (Coordinate& lock : locks_) held_.push_back(&lock);
  acting.tau += forces_;
  Status status = stressed_forward_dynamics(plan_, work_, state, acting, a, options_);
  if (!status || held_.empty()) return status;
  status = respond(state, acting, a, held_, columns_, response_);
  if (!status) return status;
  VectorX missing(response_.rows());
  for (std::size_t i = 0; i < held_.size(); ++i) missing[i] = -acceleration(*held_[i], state, a);
  const VectorX force = solve_minimum_norm(response_, missing, tolerance::rank).x;
  a += columns_ * force;
  std::size_t next = 0;
  for (Friction& friction : frictions_)
    if (next < held_.size() && held_[next] == &friction.at) friction.force = force[next++];
  for (Stop& stop : stops_)
    if (next < held_.size() && held_[next] == &stop.at) stop.force = force[next++];
  const std::size_t first_lock = held_.size() - locks_.size();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (i < first_lock) forces_[held_[i]->v] += force[i];
    acting.tau[held_[i]->v] += force[i];
  }
  return status;
}

/// Accelerations of all tree speeds per unit of force at each of `held`, and those of `held` among them.
Status JointHolds::respond(const State& state, const Actions& acting, const VectorX& a,
                           const std::vector<Coordinate*>& held, MatrixX& columns, MatrixX& response) {
  const auto count = std::ssize(held);
  columns.resize(plan_.nv(), count);
  response.resize(count, count);
  probe_ = acting;
  for (Eigen::Index i = 0; i < count; ++i) {
    // As large as the forces around, so that nothing is lost in the difference.
    const double unit = 1.0 + acting.tau.lpNorm<Eigen::Infinity>();
    trial_ = a;
    probe_.tau[held[i]->v] += unit;
    if (Status status = stressed_forward_dynamics(plan_, work_, state, probe_, trial_, options_); !status)
      return status;
    probe_.tau[held[i]->v] -= unit;
    columns.col(i) = (trial_ - a) / unit;
    for (Eigen::Index k = 0; k < count; ++k)
      response(k, i) = (acceleration(*held[k], state, trial_) - acceleration(*held[k], state, a)) / unit;
  }
  return {};
}

/// The force that each joint carries under `acting`; false when it is what it was.
bool JointHolds::update_carried(const State& state, const Actions& acting, const VectorX& a) {
  const std::vector<Wrench> reactions = joint_reactions(plan_, work_, state, a, acting);
  bool changed = false;
  for (Friction& friction : frictions_) {
    if (friction.law.load == 0.0) continue;
    const Joint& joint = plan_.mechanism().joints[friction.joint];
    const Vec3 axis = frame_pose(plan_, work_, state.q, joint.from).rotation * friction.axis;
    const Vec3& force = reactions[friction.joint].force;
    const double carried = (force - axis.dot(force) * axis).norm();
    changed = changed || std::abs(carried - friction.carried) > load_settled * std::max(carried, 1e-12);
    friction.carried = carried;
  }
  return changed;
}

void JointHolds::held_speeds(std::vector<int>& speeds) const {
  speeds.clear();
  for (const Coordinate* held : held_) speeds.push_back(held->v);
}

void JointHolds::rubbing(VectorX& forces) const {
  forces.setZero(std::ssize(frictions_));
  for (std::size_t i = 0; i < frictions_.size(); ++i)
    if (frictions_[i].direction != 0 && !frictions_[i].prescribed) forces[i] = frictions_[i].force;
}

void JointHolds::rubbing_speeds(const State& state, VectorX& speeds) {
  speeds.resize(std::ssize(frictions_));
  for (std::size_t i = 0; i < frictions_.size(); ++i) speeds[i] = speed(frictions_[i].at, state);
}

void JointHolds::rubbing_positions(const State& state, VectorX& positions) {
  positions.resize(std::ssize(frictions_));
  for (std::size_t i = 0; i < frictions_.size(); ++i) positions[i] = position(frictions_[i].at, state);
}

double JointHolds::power(const State& state) {
  double sum = 0.0;
  for (const Friction& friction : frictions_)
    if (friction.direction != 0 || friction.prescribed) sum += friction.force * speed(friction.at, state);
  return sum;
}

void JointHolds::switches(const State& state, VectorX& values) {
  values.resize(count());
  Eigen::Index next = 0;
  for (const Friction& friction : frictions_) {
    double& value = values[next++];
    if (friction.prescribed || lies_still(friction))
      value = 1.0;
    else if (friction.direction != 0)
      value = friction.direction * speed(friction.at, state);
    else
      value = holding_limit(friction) - std::abs(friction.force);
  }
  for (const Stop& stop : stops_) {
    const double q = position(stop.at, state), v = speed(stop.at, state);
    // Just after an impact a joint is a hair's breadth beyond the end, on its way back.
    const auto room = [](double gap, double opening) { return gap < 0.0 && opening > 0.0 ? -gap : gap; };
    const double lower = room(q - stop.law.lower, v), upper = room(stop.law.upper - q, -v);
    values[next++] = stop.lies < 0 ? stop.force : std::min(lower, far_away);
    values[next++] = stop.lies > 0 ? -stop.force : std::min(upper, far_away);
  }
}

/// Changes speeds by impulses along coordinates, such that those of `where` change `by` so much and locks stay shut.
RunStatus JointHolds::jump(State& state, const Actions& actions, std::vector<Coordinate*> where, std::vector<double> by,
                           VectorX* impulses) {
  if (where.empty()) return {};
  const auto asked = std::ssize(where);
  for (Coordinate& lock : locks_) {
    if (std::any_of(where.begin(), where.end(), [&](const Coordinate* each) { return each->v == lock.v; })) continue;
    where.push_back(&lock);
    by.push_back(-speed(lock, state));
  }
  VectorX a = VectorX::Zero(plan_.nv());
  Actions acting = actions;
  Status status = stressed_forward_dynamics(plan_, work_, state, acting, a, options_);
  if (status) status = respond(state, acting, a, where, columns_, response_);
  if (!status) return {plan_, status, state.t};
  const VectorX wanted = Eigen::Map<const VectorX>(by.data(), std::ssize(by));
  const VectorX impulse = solve_minimum_norm(response_, wanted, tolerance::rank).x;
  state.v += columns_ * impulse;
  if (impulses != nullptr) *impulses = impulse.head(asked);
  return {plan_, complete_speeds(plan_, work_, state.q, state.v), state.t};
}

RunStatus JointHolds::strike(State& state, const Actions& actions, const std::vector<int>& speeds, const VectorX& by,
                             VectorX& impulses) {
  std::vector<Coordinate> coordinates;
  for (const int speed : speeds) coordinates.push_back(coordinate_of(speed));
  const State before = state;
  for (std::vector<Stop*> pushing; true;) {
    std::vector<Coordinate*> where;
    for (Coordinate& coordinate : coordinates) where.push_back(&coordinate);
    std::vector<double> change(by.data(), by.data() + by.size());
    pushing.clear();
    for (Stop& stop : stops_) {
      if (stop.lies == 0) continue;
      pushing.push_back(&stop);
      where.push_back(&stop.at);
      change.push_back(-speed(stop.at, state));
    }
    if (RunStatus jumped = jump(state, actions, where, change, &impulses); !jumped) return jumped;
    bool pulls = false;
    for (std::size_t i = 0; i < pushing.size(); ++i) {
      // Lower: pushes up; upper: pushes down.
      if (pushing[i]->lies * impulses[by.size() + static_cast<Eigen::Index>(i)] <= 0.0) continue;
      pushing[i]->lies = 0;
      pulls = true;
    }
    impulses.conservativeResize(by.size());
    if (!pulls) return {};
    state = before;
  }
}

RunStatus JointHolds::change(const std::vector<int>& functions, State& state, const Actions& actions, double& lost,
                             std::vector<std::string>& events) {
  const double before = energy(plan_, work_, state).kinetic;
  const int first_stop = static_cast<int>(frictions_.size());
  bool hit = false;
  std::vector<Coordinate*> where;
  std::vector<double> by;
  std::vector<Friction*> turning;  // they rest, or go back at once
  for (const int function : functions) {
    if (function < first_stop) {
      Friction& friction = frictions_[function];
      if (friction.direction != 0) {
        friction.direction = 0;
        turning.push_back(&friction);
      } else {
        friction.direction = friction.force > 0.0 ? -1 : 1;
        friction.breaks_loose = true;
        events.push_back(fmt::format("joint '{}': breaks loose", friction.at.name));
      }
      continue;
    }
    Stop& stop = stops_[(function - first_stop) / 2];
    const int end = (function - first_stop) % 2 == 0 ? -1 : 1;
    if (stop.lies == end) {
      stop.lies = 0;
      events.push_back(fmt::format("joint '{}': leaves its {} stop", stop.at.name, end < 0 ? "lower" : "upper"));
      continue;
    }
    const double v = speed(stop.at, state);
    stop.hardest = std::max(stop.hardest, std::abs(v));
    const bool stays = stop.law.restitution == 0.0 || std::abs(v) <= last_bounce * stop.hardest;
    where.push_back(&stop.at);
    by.push_back(stays ? -v : -(1.0 + stop.law.restitution) * v);
    if (stays) stop.lies = end;
    hit = true;
    events.push_back(fmt::format("joint '{}': {} its {} stop with {:.4g} {}/s", stop.at.name,
                                 stays ? "comes to lie against" : "hits", end < 0 ? "lower" : "upper", std::abs(v),
                                 plan_.slides(stop.at.v) ? "m" : "rad"));
  }
  if (hit) {
    // Who lies against a stop takes part in the impact.
    for (Stop& stop : stops_) {
      if (stop.lies == 0 || std::find(where.begin(), where.end(), &stop.at) != where.end()) continue;
      where.push_back(&stop.at);
      by.push_back(-speed(stop.at, state));
    }
  }
  if (RunStatus jumped = jump(state, actions, where, by); !jumped) return jumped;
  lost += before - energy(plan_, work_, state).kinetic;
  if (hit) {
    // An impulse may tear loose what rested.
    for (Friction& friction : frictions_) {
      const double v = speed(friction.at, state), scale = friction.at.cut ? 1.0 : plan_.speed_scale(friction.at.v);
      if (friction.direction == 0 && std::abs(v) > at_rest * scale) friction.direction = v > 0.0 ? 1 : -1;
      if (friction.direction * v < 0.0) friction.direction = -friction.direction;
    }
  }
  if (RunStatus settled = settle(state, actions); !settled) return settled;
  where.clear();
  by.clear();
  for (Friction* friction : turning) {
    const bool rests = friction->direction == 0;
    events.push_back(fmt::format("joint '{}': {}", friction->at.name, rests ? "comes to rest" : "turns around"));
    if (!rests) continue;
    where.push_back(&friction->at);
    by.push_back(-speed(friction->at, state));
  }
  return jump(state, actions, where, by);
}

/// Lets go whom nothing can hold, and holds who would turn around at once.
RunStatus JointHolds::settle(State& state, const Actions& actions) {
  Actions acting = actions;
  VectorX a = VectorX::Zero(plan_.nv());
  for (int round = 0; round <= 2 * count() + 2; ++round) {
    if (const Status status = forward(state, actions, acting, a); !status) return {plan_, status, state.t};
    bool changed = false;
    for (Stop& stop : stops_) {
      // Lower: pushes up; upper: pushes down.
      if (stop.lies == 0 || stop.lies * stop.force <= hair * std::abs(stop.force)) continue;
      stop.lies = 0;
      changed = true;
    }
    for (Friction& friction : frictions_) {
      if (friction.prescribed || lies_still(friction)) continue;
      const double scale = friction.at.cut ? 1.0 : plan_.speed_scale(friction.at.v);
      if (friction.direction == 0) {
        // In a dead point no force of its own holds a joint.
        const double left = acceleration(friction.at, state, a), size = a.lpNorm<Eigen::Infinity>();
        const bool holds = std::abs(left) <= 1e-9 * (scale + size);
        if (holds && std::abs(friction.force) <= holding_limit(friction) * (1.0 + hair)) continue;
        friction.direction = holds ? (friction.force > 0.0 ? -1 : 1) : (left > 0.0 ? 1 : -1);
        friction.breaks_loose = changed = true;
      } else if (!friction.breaks_loose && std::abs(speed(friction.at, state)) <= at_rest * scale &&
                 friction.direction * acceleration(friction.at, state, a) < 0.0) {
        friction.direction = 0;
        changed = true;
      }
    }
    if (changed) continue;
    for (Friction& friction : frictions_) friction.breaks_loose = false;
    return {};
  }
  return RunStatus::refused(fmt::format(
      "dry friction and stops of the joints cannot agree on who rests at t = {:.6g} s: give some friction a creep "
      "speed, or some stop a stiffness",
      state.t));
}

}  // namespace lithe::detail
