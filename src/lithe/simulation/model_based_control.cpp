#include "lithe/simulation/model_based_control.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/start_wishes.hpp"

namespace lithe {

ModelBasedControl::ModelBasedControl(const ControlSite& site, const std::vector<std::string>& drives,
                                     ModelBasedGains gains)
    : plan_(site.plan), work_(site.plan), state_(site.start), gains_(std::move(gains)), actions_(site.plan) {
  for (const std::string& name : drives) {
    const int speed = speed_named(plan_, name);
    if (speed >= plan_.nv())
      throw MechanismError(name,
                           fmt::format("a controller by the equations of motion cannot start from joint '{}', which "
                                       "closes a loop; mark another joint of the loop 'cut: true'",
                                       name));
    driven_.push_back(speed);
    positions_.push_back(position_of_speed(plan_, speed));
  }
  // The links are straight, and stay so.
  for (const ElasticPlace& place : plan_.elastic_places()) {
    state_.q.segment(place.q, place.count).setZero();
    state_.v.segment(place.v, place.count).setZero();
  }
  require(project_positions(plan_, work_, state_.q));
  require(select_independent(plan_, work_, state_.q, driven_));
  std::vector<std::string> left;
  for (const int v : work_.independent())
    if (!plan_.is_bending(v) && std::find(driven_.begin(), driven_.end(), v) == driven_.end())
      left.push_back(plan_.speed_name(v));
  for (std::size_t i = 0; i < driven_.size(); ++i)
    if (!std::binary_search(work_.independent().begin(), work_.independent().end(), driven_[i]))
      throw MechanismError(drives[i], fmt::format("a controller by the equations of motion needs motors that move by "
                                                  "themselves, but the others determine '{}'",
                                                  drives[i]));
  if (!left.empty())
    throw MechanismError(left[0],
                         fmt::format("a controller by the equations of motion needs as many motors as freedoms, "
                                     "but {} is left free",
                                     fmt::join(left, ", ")));
  const auto count = std::ssize(driven_);
  for (VectorX* each : {&q_, &v_, &wanted_, &wanted_rate_, &wanted_second_, &rest_}) each->setZero(count);
  if (gains_.kind == ModelBasedGains::Kind::task) frame_ = detail::frame_of_path(plan_, gains_.path);
  a_.setZero(plan_.nv());
  inverse_.tau = VectorX::Zero(plan_.nv() + plan_.cut_nv());
}

void ModelBasedControl::require(const Status& status) const {
  if (!status) throw PhysicsError(describe(plan_, status, state_.t));
}

const VectorX& ModelBasedControl::needed(const VectorX& speeds, const VectorX& accelerations) {
  state_.v.setZero();
  a_.setZero();
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    state_.v[driven_[i]] = speeds[static_cast<Eigen::Index>(i)];
    a_[driven_[i]] = accelerations[static_cast<Eigen::Index>(i)];
  }
  require(complete_speeds(plan_, work_, state_.q, state_.v));
  require(complete_accelerations(plan_, work_, state_, a_));
  inverse_dynamics(plan_, work_, state_, a_, actions_, driven_, inverse_);
  require(inverse_.status);
  return inverse_.tau;
}

const VectorX& ModelBasedControl::task_forces(double t) {
  const TaskGains& gains = gains_.path.task;
  for (std::size_t i = 0; i < driven_.size(); ++i) state_.v[driven_[i]] = v_[static_cast<Eigen::Index>(i)];
  require(complete_speeds(plan_, work_, state_.q, state_.v));
  const PathPoint wanted = gains_.path.path.at(t);
  const Pose pose = frame_pose(plan_, work_, state_.q, frame_);
  const Twist twist = frame_velocity(plan_, work_, state_, frame_);
  frame_jacobian(plan_, work_, state_.q, frame_, jacobian_);
  const Vec3 push = gains.kp * (wanted.position - pose.position) + gains.kd * (wanted.velocity - twist.linear);
  force_.noalias() = jacobian_.bottomRows<3>().transpose() * push;
  if (gains_.path.path.turns()) {
    const Vec3 turn = vector_from_rotation(wanted.turning.rotation * pose.rotation.transpose());
    const Vec3 moment = gains.turn_kp * turn + gains.turn_kd * (wanted.turning.velocity - twist.angular);
    force_.noalias() += jacobian_.topRows<3>().transpose() * moment;
  }
  equivalent_motor_forces(plan_, work_, state_.q, force_, driven_, inverse_);
  require(inverse_.status);
  return inverse_.tau;
}

void ModelBasedControl::sample(double t, std::span<const double> inputs, std::span<double> outputs) {
  state_.t = t;
  const bool task = gains_.kind == ModelBasedGains::Kind::task;
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    const double* own = inputs.data() + (task ? 2 : 5) * i;
    q_[i] = own[0];
    v_[i] = own[1];
    state_.q[positions_[i]] = own[0];
    if (task) continue;
    wanted_[i] = own[2];
    wanted_rate_[i] = own[3];
    wanted_second_[i] = own[4];
  }
  require(project_positions(plan_, work_, state_.q));
  const auto error = [&](Eigen::Index i) { return wanted_[i] - q_[i]; };
  const auto rate_error = [&](Eigen::Index i) { return wanted_rate_[i] - v_[i]; };
  const auto put = [&](double share, const VectorX& tau) {
    for (std::size_t i = 0; i < driven_.size(); ++i) outputs[i] += share * tau[driven_[i]];
  };
  VectorX first = wanted_second_, second = v_;
  switch (gains_.kind) {
    case ModelBasedGains::Kind::computed_torque:
      for (Eigen::Index i = 0; i < q_.size(); ++i) first[i] += gains_.kd[i] * rate_error(i) + gains_.kp[i] * error(i);
      put(1.0, needed(v_, first));
      return;
    case ModelBasedGains::Kind::gravity:
      put(1.0, needed(rest_, rest_));
      for (Eigen::Index i = 0; i < q_.size(); ++i) outputs[i] += gains_.kp[i] * error(i) + gains_.kd[i] * rate_error(i);
      return;
    case ModelBasedGains::Kind::task:
      put(1.0, task_forces(t));
      put(1.0, needed(rest_, rest_));
      return;
    case ModelBasedGains::Kind::passivity:
      for (Eigen::Index i = 0; i < q_.size(); ++i) {
        const double reference = wanted_rate_[i] + gains_.kp[i] * error(i);
        first[i] += gains_.kp[i] * rate_error(i);
        outputs[i] += gains_.kd[i] * (reference - v_[i]);
        second[i] = reference;
      }
      put(1.0, needed(rest_, first));
      put(0.25, needed(v_ + second, rest_));
      put(-0.25, needed(v_ - second, rest_));
      return;
  }
}

}  // namespace lithe
