#include "lithe/simulation/nominal_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/mechanism/coordinate_kind.hpp"

namespace lithe::detail {
namespace {

constexpr double longest_stride = 0.15;       ///< rad, or characteristic lengths: one stride of the continuation
constexpr double agreement_tolerance = 1e-6;  ///< redundant motion laws

bool holds(const std::vector<int>& list, int value) { return std::find(list.begin(), list.end(), value) != list.end(); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

}  // namespace

NominalMotion::NominalMotion(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start)
    : plan_(plan),
      work_(plan, arithmetic),
      state_(start),
      start_(start),
      a_(VectorX::Zero(plan.nv())),
      step_(plan.nv()) {
  std::vector<Followed> all;
  std::vector<int> keep;
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion()) continue;
    const int speed = speed_index(plan, drive.joint, drive.coordinate);
    const int position = position_of_speed(plan, drive.joint, drive.coordinate);
    const std::size_t index = static_cast<std::size_t>(plan.mechanism().find_joint(drive.joint));
    const bool cut = position < 0;
    const bool turns = is_angle(plan.mechanism().joints[index].type, drive.coordinate);
    all.push_back(
        {&drive.follow, speed, cut ? plan.places()[index].q + drive.coordinate : position, cut, turns, drive.joint});
    if (!cut) keep.push_back(speed);
  }
  // The motion of the rigid twin: links that bend in the simulation stay straight here.
  int elastic = 0;
  for (const ElasticPlace& place : plan.elastic_places()) elastic += place.count;
  eta_ = eta_rate_ = eta_acceleration_ = VectorX::Zero(elastic);
  place_elastic();
  if (Status status = select_independent(plan_, work_, state_.q, keep); !status) {
    throw PhysicsError(describe(plan_, status, state_.t));
  }
  for (const Followed& followed : all) {
    (holds(work_.independent(), followed.speed) ? leading_ : redundant_).push_back(followed);
  }
  std::vector<std::string> free;
  for (const int v : work_.independent()) {
    if (!holds(keep, v) && !plan_.is_bending(v)) free.push_back(plan_.speed_name(v));
  }
  if (free.empty()) return;
  std::string message = fmt::format(
      "the motion laws do not determine the motion: the mechanism has {} degrees of freedom and {} of them follow a "
      "law; give laws ('follow') for {} as well",
      free.size() + leading_.size(), leading_.size(), joined(free));
  for (const Followed& followed : redundant_) {
    if (!followed.cut) continue;
    message += fmt::format(
        "; the law of joint '{}' does not count because this joint closes a loop: mark another "
        "joint of the loop 'cut: true'",
        followed.name);
  }
  throw MechanismError(free.front(), message);
}

void NominalMotion::bend(const VectorX& eta, const VectorX& rate, const VectorX& acceleration) {
  eta_ = eta;
  eta_rate_ = rate;
  eta_acceleration_ = acceleration;
  is_bent_anew_ = true;
}

void NominalMotion::rewind() {
  state_ = start_;
  started_ = false;
}

void NominalMotion::place_elastic() {
  int next = 0;
  for (const ElasticPlace& place : plan_.elastic_places()) {
    state_.q.segment(place.q, place.count) = eta_.segment(next, place.count);
    state_.v.segment(place.v, place.count) = eta_rate_.segment(next, place.count);
    a_.segment(place.v, place.count) = eta_acceleration_.segment(next, place.count);
    next += place.count;
  }
}

bool NominalMotion::move_to(double t) { return move_to(t, t); }

bool NominalMotion::move_to(double t, double law_time) {
  if (started_ && t == state_.t && law_time == law_time_ && !is_bent_anew_) return true;
  is_bent_anew_ = false;
  // Small strides keep the branch; their number follows from how far the laws and the passive joints go.
  const double length = plan_.characteristic_length();
  double far = 0.0;
  for (const Followed& followed : leading_) {
    const double distance = std::abs(followed.law->at(law_time).value - state_.q[followed.position]);
    far = std::max(far, followed.turns ? distance : distance / length);
  }
  const Eigen::Index joint_speeds = plan_.nv() - eta_.size();
  if (started_ && joint_speeds > 0)
    far = std::max(far, state_.v.head(joint_speeds).cwiseAbs().maxCoeff() * std::abs(t - state_.t));
  const int strides = std::clamp(static_cast<int>(std::ceil(far / longest_stride)), 1, 10000);
  const double from = state_.t;
  for (int i = 1; i < strides; ++i) {
    const double between = from + (t - from) * i / strides;
    if (!step_to(between, between)) return false;
  }
  return step_to(t, law_time);
}

bool NominalMotion::step_to(double t, double law_time) {
  if (started_) {
    step_ = (t - state_.t) * state_.v;
    move_coordinates(plan_, step_, state_.q);
  }
  state_.t = t;
  law_time_ = law_time;
  started_ = true;
  place_elastic();
  for (const Followed& followed : leading_) {
    const Jet wanted = followed.law->at(law_time);
    state_.q[followed.position] = wanted.value;
    state_.v[followed.speed] = wanted.rate;
    a_[followed.speed] = wanted.second;
  }
  if (Status status = project_positions(plan_, work_, state_.q); !status) return refuse(status, t);
  if (Status status = complete_speeds(plan_, work_, state_.q, state_.v); !status) return refuse(status, t);
  if (Status status = complete_accelerations(plan_, work_, state_, a_); !status) return refuse(status, t);
  if (redundant_.empty()) return true;
  cut_coordinates(plan_, work_, state_.q, cut_q_);
  return std::none_of(redundant_.begin(), redundant_.end(), [&](const Followed& followed) {
    const double value = followed.cut ? cut_q_[followed.position] : state_.q[followed.position];
    return contradicts(followed, value, followed.law->at(law_time).value, t);
  });
}

bool NominalMotion::refuse(const Status& status, double t) {
  failure_ = describe(plan_, status, t);
  return false;
}

bool NominalMotion::contradicts(const Followed& followed, double value, double wanted, double t) {
  double difference = value - wanted;
  if (followed.turns) difference = std::remainder(difference, 2.0 * std::numbers::pi);
  if (std::abs(difference) <= agreement_tolerance) return false;
  failure_ = fmt::format(
      "the motion law of joint '{}' contradicts the others at t = {:.6g} s: it asks for {:.9g}, the "
      "closures give {:.9g}",
      followed.name, t, wanted, wanted + difference);
  return true;
}

}  // namespace lithe::detail
