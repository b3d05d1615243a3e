#include "lithe/simulation/drive_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/simulation/condition_monitor.hpp"
#include "lithe/simulation/continuous_control.hpp"
#include "lithe/simulation/drive_integrals.hpp"
#include "lithe/simulation/sampled_control.hpp"
#include "lithe/simulation/start_wishes.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of the run: one polynomial of the feed-forward forces. Its values stand as close as the longest steps end.
constexpr double longest_piece = 1.0 / 8;
constexpr double look_ahead = 1e-3;  ///< part of the run in which the wanted motion must be able to go on

/// Feed-forward is exact or refused: what remains must be rounding.
bool is_rounding(const InverseResult& inverse) {
  const double size = inverse.tau.size() > 0 ? inverse.tau.cwiseAbs().maxCoeff() : 0.0;
  return inverse.residual <= 1e-7 * (1.0 + size);
}

/// Speed at which the motor of a joint acts: behind an elastic gear that of the rotor.
int motor_at(const Plan& plan, int speed) {
  for (const GearPair& gear : gear_pairs(plan))
    if (gear.joint == speed) return gear.rotor;
  return speed;
}

/// A coordinate that does not change when a tree speed is zero; for a part of a rotation one of its quaternion.
int still_position(const Plan& plan, int speed) {
  for (const JointPlace& place : plan.places())
    if (!place.cut && speed >= place.v && speed < place.v + place.nv)
      return place.q + std::min(speed - place.v, place.nq - 1);
  return position_of_speed(plan, speed);
}

/// Whether a controller is told how the wanted motion bends links.
bool wants_bending(const Model& model, const Plan& plan) {
  const auto asks = [&](const auto& controller) {
    return std::any_of(controller.inputs.begin(), controller.inputs.end(), [&](const ControlInput& input) {
      if (input.expected) return true;
      if (input.wanted.empty()) return false;
      const int speed = speed_named(plan, input.wanted);
      return speed < plan.nv() && plan.is_bending(speed);
    });
  };
  return std::any_of(model.sampled_controllers.begin(), model.sampled_controllers.end(), asks) ||
         std::any_of(model.continuous_controllers.begin(), model.continuous_controllers.end(), asks);
}

/// Of all elastic coordinates, in their order.
MatrixX elastic_stiffness(const Plan& plan) {
  Eigen::Index count = 0;
  for (const ElasticPlace& place : plan.elastic_places()) count += place.count;
  MatrixX K = MatrixX::Zero(count, count);
  Eigen::Index first = 0;
  for (std::size_t link = 0; link < plan.elastic_places().size(); ++link) {
    const int own = plan.elastic_places()[link].count;
    if (own > 0) K.block(first, first, own, own) = plan.mechanism().links[link].elastic.stiffness;
    first += own;
  }
  return K;
}

}  // namespace

std::vector<double> law_breakpoints(const Model& model, double from, double until) {
  std::vector<double> times;
  const auto add = [&](const Law& law, double clock = 0.0) {
    for (const double kink : law.breakpoints()) times.push_back(clock + kink);
  };
  for (const Drive& drive : model.drives) {
    add(drive.follow, drive.clock);
    add(drive.torque, drive.clock);
  }
  for (const PathDrive& path : model.paths) {
    const std::vector<double> kinks = path.path.breakpoints();
    times.insert(times.end(), kinks.begin(), kinks.end());
  }
  for (const LoadLaws& load : model.loads) {
    for (int k = 0; k < 3; ++k) {
      add(load.force[k]);
      add(load.moment[k]);
    }
  }
  for (const LineLoadLaws& load : model.line_loads) {
    for (int k = 0; k < 3; ++k) {
      add(load.force[k]);
      if (!load.uniform) add(load.end[k]);
    }
  }
  for (const auto& element : model.mechanism.elements)
    for (const double t : element->breakpoints()) times.push_back(t);
  for (const double t : controller_breakpoints(model)) times.push_back(t);
  std::sort(times.begin(), times.end());
  // Kinks closer together than the clock can tell apart are one.
  const double apart = tolerance::computed * std::max({std::abs(from), std::abs(until), until - from});
  std::vector<double> distinct;
  for (const double t : times) {
    if (t - from > apart && until - t > apart && (distinct.empty() || t - distinct.back() > apart)) {
      distinct.push_back(t);
    }
  }
  return distinct;
}

DriveSet::DriveSet(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start,
                   const std::vector<int>& locked)
    : model_(model),
      plan_(plan),
      controllers_(model, plan),
      motors_(plan, false),
      locked_(locked),
      nominal_actions_(plan),
      uses_cut_coordinates_(controllers_.uses_cut_coordinates() || motors_.uses_cut_speeds()),
      window_begin_(-infinity),
      window_end_(infinity) {
  const bool has_lead = !model.paths.empty() || std::any_of(model.drives.begin(), model.drives.end(),
                                                            [](const Drive& drive) { return drive.wants_motion(); });
  for (const Drive& drive : model.drives) {
    const int speed = speed_index(plan, drive.joint, drive.coordinate);
    const std::size_t joint = static_cast<std::size_t>(plan.mechanism().find_joint(drive.joint));
    const bool cut = plan.places()[joint].cut;
    int position = -1;
    if (drive.wants_motion() || (drive.is_led() && has_lead)) {
      position = position_for_law(plan, drive.joint, drive.coordinate);
      if (cut) position = plan.places()[joint].q + drive.coordinate;
    } else if (drive.is_led()) {
      throw MechanismError(drive.joint,
                           fmt::format("the drive of joint '{}' needs a motion law ('follow')", drive.joint));
    }
    if (drive.ki != 0.0 && cut)
      throw MechanismError(drive.joint, fmt::format("joint '{}' has a drive with an integral part but closes a loop; "
                                                    "mark another joint of the loop 'cut: true'",
                                                    drive.joint));
    if (drive.prescribed && cut) {
      throw MechanismError(drive.joint, fmt::format("joint '{}' has a prescribed motion but closes a loop; mark "
                                                    "another joint of the loop 'cut: true'",
                                                    drive.joint));
    }
    entries_.push_back({&drive, speed, position, cut, plan.mechanism().joints[joint].facts().is_angle(drive.coordinate),
                        motor_at(plan, speed), integral_of(plan.mechanism(), drive)});
    if (drive.prescribed) {
      prescribed_.push_back(speed);
      prescribed_positions_.push_back(position);
    }
    if (drive.feed_forward) feed_forward_.push_back(speed);
    any_led_ = any_led_ || drive.is_led();
    any_led_prescribed_ = any_led_prescribed_ || (drive.is_led() && drive.prescribed);
    any_led_cut_ = any_led_cut_ || (drive.is_led() && cut);
    uses_cut_coordinates_ = uses_cut_coordinates_ || cut;
  }
  for (const int speed : locked_) {
    prescribed_.push_back(speed);
    prescribed_positions_.push_back(still_position(plan, speed));
  }
  for (const PathDrive& path : model.paths)
    if (path.task.is_given()) tasks_.push_back({&path, frame_of_path(plan, path), integral_of(plan.mechanism(), path)});
  task_force_ = VectorX::Zero(plan.nv());
  const bool bends = wants_bending(model, plan);
  if (!feed_forward_.empty() || any_led_ || bends)
    nominal_ = std::make_unique<DrivenMotion>(model, plan, arithmetic, start, locked_);
  if (bends) {
    bending_.tau = VectorX::Zero(plan.nv() + plan.cut_nv());
    bending_stiffness_.compute(elastic_stiffness(plan));
  }
  if (feed_forward_.empty()) return;
  inverse_.tau = VectorX::Zero(plan.nv() + plan.cut_nv());
  feed_forward_.insert(feed_forward_.end(), prescribed_.begin(), prescribed_.end());
  std::sort(feed_forward_.begin(), feed_forward_.end());
  feed_forward_.erase(std::unique(feed_forward_.begin(), feed_forward_.end()), feed_forward_.end());
}

/// The motion that leads drives without a law of their own, at time t.
RunStatus DriveSet::lead(double t) {
  if (RunStatus moved = nominal_->move_to(t, law_time(t)); !moved) return moved;
  if (!any_led_cut_) return {};
  cut_coordinates(plan_, nominal_->work(), nominal_->state().q, nominal_cut_q_);
  cut_speeds(plan_, nominal_->work(), nominal_->state(), nominal_cut_v_);
  return {};
}

Jet DriveSet::wanted(const Entry& entry, double t) const {
  if (entry.drive->wants_motion()) return entry.drive->motion_at(t);
  if (entry.cut) return {nominal_cut_q_[entry.position], nominal_cut_v_[entry.speed - plan_.nv()], 0.0};
  return {nominal_->state().q[entry.position], nominal_->state().v[entry.speed],
          nominal_->accelerations()[entry.speed]};
}

bool DriveSet::wants_motion_of(int speed) const {
  if (speed < plan_.nv() && plan_.is_bending(speed)) return nominal_ != nullptr;
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.speed == speed && (entry.drive->wants_motion() || entry.drive->is_led());
  });
}

// The links are straight in the nominal motion; what their elastic coordinates lack of forces there bends them: K b = - missing.
RunStatus DriveSet::bend_wanted_motion(double t) {
  if (t == bent_time_) return {};
  bent_time_ = std::numeric_limits<double>::quiet_NaN();
  const double time = law_time(t);
  if (RunStatus moved = nominal_->move_to(t, time); !moved) return moved;
  evaluate_loads(model_, time, nominal_actions_);
  inverse_dynamics(plan_, nominal_->work(), nominal_->state(), nominal_->accelerations(), nominal_actions_,
                   plan_.actuated_speeds(), bending_);
  if (!bending_.status) return {plan_, bending_.status, t};
  if (bending_.elastic_missing.size() != bending_stiffness_.rows())
    return RunStatus::refused(
        "how the wanted motion bends the links is not known: loops tie elastic coordinates together");
  bent_ = bending_stiffness_.rows() > 0 ? VectorX(bending_stiffness_.solve(-bending_.elastic_missing)) : VectorX();
  bent_time_ = t;
  return {};
}

RunStatus DriveSet::wanted_state(double t, Workspace& work, State& state, VectorX& a, Actions& actions) {
  // The nominal motion may have been asked for at another time since.
  if (RunStatus moved = nominal_->move_to(t, law_time(t)); !moved) return moved;
  if (RunStatus bent = bend_wanted_motion(t); !bent) return bent;
  evaluate_loads(model_, law_time(t), nominal_actions_);
  state.t = t;
  state.q = nominal_->state().q;
  state.v = nominal_->state().v;
  a = nominal_->accelerations();
  Eigen::Index first = 0;
  for (const ElasticPlace& place : plan_.elastic_places()) {
    state.q.segment(place.q, place.count) = bent_.segment(first, place.count);
    first += place.count;
  }
  Status status = project_positions(plan_, work, state.q);
  if (status) status = complete_speeds(plan_, work, state.q, state.v);
  if (status) status = complete_accelerations(plan_, work, state, a);
  actions = nominal_actions_;
  actions.tau = bending_.tau;
  return {plan_, status, t};
}

RunStatus DriveSet::wanted_bending(int speed, double t, Jet& motion) {
  if (RunStatus bent = bend_wanted_motion(t); !bent) return bent;
  Eigen::Index place = 0;
  for (const ElasticPlace& each : plan_.elastic_places()) {
    if (speed >= each.v && speed < each.v + each.count) motion = {bent_[place + speed - each.v], 0.0, 0.0};
    place += each.count;
  }
  return {};
}

RunStatus DriveSet::wanted_motion(int speed, double t, Jet& motion) {
  if (speed < plan_.nv() && plan_.is_bending(speed)) return wanted_bending(speed, t, motion);
  for (const Entry& entry : entries_) {
    if (entry.speed != speed || !(entry.drive->wants_motion() || entry.drive->is_led())) continue;
    if (entry.drive->is_led())
      if (RunStatus led = lead(t); !led) return led;
    motion = wanted(entry, law_time(t));
    return {};
  }
  return {};
}

RunStatus DriveSet::impose(State& state) {
  if (any_led_prescribed_) {
    if (RunStatus led = lead(state.t); !led) return led;
  }
  for (const Entry& entry : entries_) {
    if (!entry.drive->prescribed) continue;
    const Jet value = wanted(entry, law_time(state.t));
    state.q[entry.position] = value.value;
    state.v[entry.speed] = value.rate;
  }
  for (const int speed : locked_) state.v[speed] = 0.0;
  return {};
}

void DriveSet::impose_accelerations(double t, VectorX& a) {
  for (const Entry& entry : entries_) {
    if (entry.drive->prescribed) a[entry.speed] = wanted(entry, law_time(t)).second;
  }
  for (const int speed : locked_) a[speed] = 0.0;
}

double DriveSet::follow_error(const Entry& entry, const State& state, double wanted) const {
  if (!entry.cut) return wanted - state.q[entry.position];
  const double error = wanted - cut_q_[entry.position];
  return entry.turns ? std::remainder(error, 2.0 * std::numbers::pi) : error;
}

RunStatus DriveSet::evaluate(const State& state, Workspace& work, Actions& actions) {
  const double t = law_time(state.t);
  actions.tau.setZero();
  evaluate_loads(model_, t, actions);
  if (uses_cut_coordinates_) {
    cut_coordinates(plan_, work, state.q, cut_q_);
    cut_speeds(plan_, work, state, cut_v_);
  }
  if (any_led_) {
    if (RunStatus led = lead(state.t); !led) return led;
  }
  for (const Entry& entry : entries_) {
    const Drive& drive = *entry.drive;
    if (drive.prescribed) continue;
    double& force = actions.tau[entry.speed];
    if (!drive.torque.empty()) force += drive.torque_at(t);
    if (drive.kp != 0.0 || drive.kd != 0.0) {
      const Jet value = wanted(entry, t);
      const double speed = entry.cut ? cut_v_[entry.speed - plan_.nv()] : state.v[entry.speed];
      force += drive.kp * follow_error(entry, state, value.value) + drive.kd * (value.rate - speed);
    }
    if (entry.integral >= 0 && state.x.size() > 0) force += drive.ki * state.x[entry.integral];
  }
  if (!tasks_.empty()) {
    if (RunStatus added = add_task_forces(t, state, work, actions); !added) return added;
  }
  RunStatus driven = controllers_.add_forces(t, state, cut_q_, cut_v_, actions.tau);
  if (held_ != nullptr) held_->add_forces(t, actions.tau);
  if (driven && continuous_ != nullptr) driven = continuous_->add_forces(state, actions.tau);
  if (driven && !feed_forward_.empty()) driven = add_feed_forward(state.t, actions);
  if (driven && limited_) motors_.limit(state, cut_v_, prescribed_, actions.tau);
  for (const int speed : locked_) actions.tau[speed] = 0.0;
  return driven;
}

/// Springs and dampers between frames and their places on paths, supplied by the motors.
RunStatus DriveSet::add_task_forces(double t, const State& state, Workspace& work, Actions& actions) {
  task_force_.setZero();
  for (const Task& task : tasks_) {
    const TaskGains& gains = task.drive->task;
    const PathPoint place = task.drive->path.at(t);
    const Pose pose = frame_pose(plan_, work, state.q, task.frame);
    const Twist twist = frame_velocity(plan_, work, state, task.frame);
    Vec3 force = gains.kp * (place.position - pose.position) + gains.kd * (place.velocity - twist.linear);
    const bool remembers = task.integral >= 0 && state.x.size() > 0;
    if (remembers) force += gains.ki * state.x.segment<3>(task.integral);
    frame_jacobian(plan_, work, state.q, task.frame, task_jacobian_);
    task_force_.noalias() += task_jacobian_.bottomRows<3>().transpose() * force;
    if (!task.drive->path.turns()) continue;
    const Vec3 turn = vector_from_rotation(place.turning.rotation * pose.rotation.transpose());
    Vec3 moment = gains.turn_kp * turn + gains.turn_kd * (place.turning.velocity - twist.angular);
    if (remembers) moment += gains.turn_ki * state.x.segment<3>(task.integral + 3);
    task_force_.noalias() += task_jacobian_.topRows<3>().transpose() * moment;
  }
  equivalent_motor_forces(plan_, work, state.q, task_force_, plan_.actuated_speeds(), task_);
  if (!task_.status) return {plan_, task_.status, state.t};
  actions.tau += task_.tau;
  return {};
}

void DriveSet::add_gains(Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness,
                         MatrixX& damping) const {
  for (const Entry& entry : entries_) {
    const Drive& drive = *entry.drive;
    if (drive.prescribed || (drive.kp == 0.0 && drive.kd == 0.0)) continue;
    const Eigen::RowVectorXd rate = speed_jacobian(plan_, work, q, {&entry.speed, 1}) * N;
    stiffness.noalias() += drive.kp * rate.transpose() * rate;
    damping.noalias() += drive.kd * rate.transpose() * rate;
  }
  for (const Task& task : tasks_) {
    const TaskGains& gains = task.drive->task;
    MatrixX J;
    frame_jacobian(plan_, work, q, task.frame, J);
    MatrixX rate = J * N;
    for (Eigen::Index c = 0; c < rate.cols(); ++c)
      if (plan_.is_bending(work.independent()[c])) rate.col(c).setZero();
    const MatrixX moves = rate.bottomRows(3), turns = rate.topRows(3);
    stiffness += gains.kp * moves.transpose() * moves;
    damping += gains.kd * moves.transpose() * moves;
    if (!task.drive->path.turns()) continue;
    stiffness += gains.turn_kp * turns.transpose() * turns;
    damping += gains.turn_kd * turns.transpose() * turns;
  }
}

void DriveSet::tabulate_feed_forward(double accuracy) {
  // What leads other drives moves the nominal motion to every time anyway.
  if (feed_forward_.empty() || any_led_) return;
  forward_table_.emplace(longest_piece * (model_.run.until - model_.run.from), accuracy);
  open_forward_table();
}

void DriveSet::open_forward_table() {
  if (forward_table_)
    forward_table_->open(std::max(window_begin_, model_.run.from), std::min(window_end_, model_.run.until));
}

/// Inverse dynamics of the nominal motion.
RunStatus DriveSet::evaluate_feed_forward(double t) {
  const double time = law_time(t);
  if (const RunStatus moved = nominal_->move_to(t, time); !moved)
    return RunStatus::refused("feed-forward: " + moved.why());
  evaluate_loads(model_, time, nominal_actions_);
  inverse_dynamics(plan_, nominal_->work(), nominal_->state(), nominal_->accelerations(), nominal_actions_,
                   feed_forward_, inverse_);
  if (!inverse_.status) return RunStatus::refused("feed-forward: " + describe(plan_, inverse_.status, t));
  if (!is_rounding(inverse_))
    return RunStatus::refused(fmt::format(
        "feed-forward: the driven joints cannot supply the forces of this motion at t = {:.6g} s; a generalised "
        "force of {:.3g} remains. Drive more joints by inverse dynamics, or choose another motion",
        t, inverse_.residual));
  const auto count = std::ssize(entries_);
  forward_.setZero(2 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Entry& entry = entries_[i];
    if (!entry.drive->feed_forward || entry.drive->prescribed) continue;
    forward_[i] = inverse_.tau[entry.speed];
    if (!entry.cut) forward_[count + i] = nominal_->state().v[entry.speed];
  }
  return {};
}

// It depends on time alone: difference quotients at one time share it, and other times lie on polynomials.
RunStatus DriveSet::add_feed_forward(double t, Actions& actions) {
  const double time = law_time(t);
  if (!forward_known_ || time != forward_time_) {
    forward_known_ = false;
    const auto exact = [this](double at, VectorX& value) {
      const bool known = static_cast<bool>(evaluate_feed_forward(at));
      if (known) value = forward_;
      if (!known) nominal_->rewind();  // the time lies ahead: a motion that ends before it is asked for again
      return known;
    };
    if (!forward_table_ || !forward_table_->at(t, exact, forward_))
      if (RunStatus evaluated = evaluate_feed_forward(t); !evaluated) return evaluated;
    forward_time_ = time;
    forward_known_ = true;
  }
  const std::size_t count = entries_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& entry = entries_[i];
    if (!entry.drive->feed_forward || entry.drive->prescribed) continue;
    // The losses of the gear in the wanted motion are part of what is asked for.
    actions.tau[entry.motor] += motors_.asked_for(entry.motor, forward_[i], forward_[count + i]);
  }
  return {};
}

std::string DriveSet::feed_forward_diagnosis(double t) {
  if (feed_forward_.empty()) return "";
  forward_known_ = false;
  nominal_->rewind();  // the last time asked for may lie beyond the pose
  if (const RunStatus moved = nominal_->move_to(t, law_time(t)); !moved) return "feed-forward: " + moved.why();
  std::string singular = singular_diagnosis(plan_, nominal_->work(), nominal_->state());
  if (singular.empty()) {
    // Forces may be too large to go on a little before the pose itself.
    const RunStatus ahead = nominal_->move_to(t + look_ahead * (model_.run.until - model_.run.from));
    if (ahead) return "";
    singular = ahead.why();
  }
  return fmt::format(
      "feed-forward: {}. The motion laws bring the mechanism, with straight links, into this pose, and the forces for "
      "that grow without bound; choose laws that keep away from it",
      singular);
}

void DriveSet::set_window(double begin, double end) {
  // At the start of a run nothing has jumped yet.
  window_begin_ = std::isinf(window_begin_) ? begin : std::nextafter(begin, infinity);
  window_end_ = std::nextafter(end, -infinity);
  forward_known_ = false;
  open_forward_table();
}

double DriveSet::law_time(double t) const { return std::clamp(t, window_begin_, std::max(window_begin_, window_end_)); }

}  // namespace lithe::detail
