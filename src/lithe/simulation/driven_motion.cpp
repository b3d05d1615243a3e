#include "lithe/simulation/driven_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/simulation/controller_set.hpp"
#include "lithe/simulation/loads.hpp"
#include "lithe/simulation/motor_set.hpp"
#include "lithe/simulation/path_following.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr double longest_stride = 0.15;  ///< rad, or characteristic lengths: one stride of the continuation
constexpr double longest_lead = 0.05;    ///< likewise of a law: what follows from it may go farther
constexpr double longest_wait = 0.01;    ///< s between two looks at a law, which may go far and come back in between
constexpr double most_looks = 1000;      ///< at a law, per move
constexpr int bending_steps = 20;        ///< likewise, from one shape of the links to another
constexpr double agreement_tolerance = 1e-6;  ///< redundant motion laws

bool holds(const std::vector<int>& list, int value) { return std::find(list.begin(), list.end(), value) != list.end(); }

/// How far a law goes from `value` at time `from` to that at `law_time`, which stands for time t; there and back counts.
double way_of(const Drive& drive, double value, double from, double t, double law_time) {
  const int looks = static_cast<int>(std::clamp(std::ceil(std::abs(t - from) / longest_wait), 1.0, most_looks));
  double way = 0.0;
  for (int i = 1; i <= looks; ++i) {
    const double next = drive.motion_at(i == looks ? law_time : from + (t - from) * i / looks).value;
    way += std::abs(next - value);
    value = next;
  }
  return way;
}

/// Whether what laws and paths leave free, a load that swings or flies, moves none of the joints that are led. Forces of
/// the motion need all of it.
bool leads_without(const std::vector<int>& free, const Model& model, const Plan& plan, Workspace& work,
                   const VectorX& q) {
  std::vector<int> led;
  for (const Drive& drive : model.drives) {
    if (drive.feed_forward) return false;
    if (drive.is_led()) led.push_back(speed_index(plan, drive.joint, drive.coordinate));
  }
  MatrixX N;
  if (led.empty() || !loop_complement(plan, work, q, N)) return false;
  const MatrixX motions = speed_jacobian(plan, work, q, led) * N;
  const std::vector<int>& independent = work.independent();
  for (std::size_t i = 0; i < independent.size(); ++i)
    if (holds(free, independent[i]) &&
        motions.col(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff() > detail::tolerance::rank)
      return false;
  return true;
}

}  // namespace

DrivenMotion::DrivenMotion(const Model& model)
    : DrivenMotion(model, std::make_unique<Prepared>(prepare(model, Arithmetic::automatic, Start::assembled))) {}

DrivenMotion::DrivenMotion(const Model& model, std::unique_ptr<Prepared> prepared)
    : model_(model),
      prepared_(std::move(prepared)),
      plan_(prepared_->plan),
      work_(std::move(prepared_->work)),
      state_(prepared_->state) {
  follow_laws();
  go_to(model.run.from);
  start_ = state_;
}

DrivenMotion::DrivenMotion(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start,
                           std::vector<int> still)
    : model_(model), plan_(plan), work_(plan, arithmetic), state_(start), start_(start), still_(std::move(still)) {
  follow_laws();
  if (!is_complete() && !leads_without(free_, model, plan_, work_, state_.q)) refuse_free();
}

DrivenMotion::~DrivenMotion() = default;
DrivenMotion::DrivenMotion(DrivenMotion&&) noexcept = default;

/// Sorts the laws into those that lead and those that must agree with them.
void DrivenMotion::follow_laws() {
  std::vector<Followed> all;
  std::vector<int> keep;
  for (const Drive& drive : model_.drives) {
    if (!drive.wants_motion()) continue;
    const int speed = speed_index(plan_, drive.joint, drive.coordinate);
    const int position = position_for_law(plan_, drive.joint, drive.coordinate);
    const int joint = plan_.mechanism().find_joint(drive.joint);
    const bool cut = position < 0;
    const bool turns = plan_.mechanism().joints[joint].facts().is_angle(drive.coordinate);
    all.push_back(
        {&drive, speed, cut ? plan_.places()[joint].q + drive.coordinate : position, cut, turns, drive.joint});
    if (!cut) keep.push_back(speed);
  }
  keep.insert(keep.end(), still_.begin(), still_.end());
  find_rotors(keep);
  for (const int v : still_) state_.v[v] = 0.0;
  a_ = VectorX::Zero(plan_.nv());
  step_.resize(plan_.nv());
  take_links_as_they_start();
  require(select_independent(plan_, work_, state_.q, keep));
  for (const Followed& followed : all)
    (holds(work_.independent(), followed.speed) ? leading_ : redundant_).push_back(followed);
  std::vector<int> determined = keep;
  if (!model_.paths.empty()) {
    paths_ = std::make_unique<detail::PathFollowing>(model_.paths, plan_, work_, state_.q, keep);
    determined.insert(determined.end(), paths_->led().begin(), paths_->led().end());
  }
  for (const int v : work_.independent())
    if (!holds(determined, v) && !plan_.is_bending(v)) free_.push_back(v);
}

void DrivenMotion::find_rotors(std::vector<int>& keep) {
  for (const detail::GearPair& gear : detail::gear_pairs(plan_)) {
    if (holds(keep, gear.rotor) || gear.rotor >= plan_.nv()) continue;
    Rotor rotor;
    rotor.speed = gear.rotor;
    rotor.position = detail::coordinate_place(plan_, gear.rotor);
    rotor.joint = gear.joint;
    rotor.cut = gear.joint >= plan_.nv();
    rotor.place = detail::coordinate_place(plan_, gear.joint);
    rotor.turns = !plan_.slides(gear.joint);
    keep.push_back(rotor.speed);
    rotors_.push_back(rotor);
  }
}

void DrivenMotion::turn_rotors() {
  if (rotors_.empty()) return;
  if (std::any_of(rotors_.begin(), rotors_.end(), [](const Rotor& rotor) { return rotor.cut; })) {
    cut_coordinates(plan_, work_, state_.q, cut_q_);
    cut_speeds(plan_, work_, state_, cut_v_);
    cut_accelerations(plan_, work_, state_, a_, cut_a_);
  }
  for (const Rotor& rotor : rotors_) {
    double value = rotor.cut ? cut_q_[rotor.place] : state_.q[rotor.place];
    double& there = state_.q[rotor.position];
    // The angle of a cut joint is known up to whole turns.
    if (rotor.cut && rotor.turns) value = there + std::remainder(value - there, 2.0 * std::numbers::pi);
    there = value;
    state_.v[rotor.speed] = rotor.cut ? cut_v_[rotor.joint - plan_.nv()] : state_.v[rotor.joint];
    a_[rotor.speed] = rotor.cut ? cut_a_[rotor.joint - plan_.nv()] : a_[rotor.joint];
  }
}

/// Straight for the rigid twin, bent as they are for a prepared model.
void DrivenMotion::take_links_as_they_start() {
  int count = 0;
  for (const ElasticPlace& place : plan_.elastic_places()) count += place.count;
  eta_ = eta_rate_ = eta_acceleration_ = VectorX::Zero(count);
  if (prepared_ != nullptr) {
    int next = 0;
    for (const ElasticPlace& place : plan_.elastic_places()) {
      eta_.segment(next, place.count) = state_.q.segment(place.q, place.count);
      eta_rate_.segment(next, place.count) = state_.v.segment(place.v, place.count);
      next += place.count;
    }
  }
  place_elastic();
}

void DrivenMotion::refuse_free() const {
  if (paths_ != nullptr) {
    const std::size_t led = leading_.size() + paths_->led().size();
    throw MechanismError(
        model_.paths.front().link,
        fmt::format(
            "the path of '{}/{}' does not determine the motion: the mechanism has {} degrees of freedom and {} of "
            "them follow; {}",
            model_.paths.front().link, model_.paths.front().frame, free_.size() + led, led,
            model_.paths.front().path.turns() ? "give laws ('follow') for the others"
                                              : "add an 'orientation' to the path, or laws ('follow') for the others"));
  }
  std::string names;
  for (const int v : free_) names += (names.empty() ? "'" : ", '") + plan_.speed_name(v) + "'";
  std::string message = fmt::format(
      "the motion laws do not determine the motion: the mechanism has {} degrees of freedom and {} of them follow a "
      "law; give laws ('follow') for {} as well",
      free_.size() + leading_.size(), leading_.size(), names);
  for (const Followed& followed : redundant_) {
    if (!followed.cut) continue;
    message += fmt::format(
        "; the law of joint '{}' does not count because this joint closes a loop: mark another "
        "joint of the loop 'cut: true'",
        followed.name);
  }
  throw MechanismError(plan_.speed_name(free_.front()), message);
}

void DrivenMotion::bend(const VectorX& eta, const VectorX& rate, const VectorX& acceleration) {
  eta_ = eta;
  eta_rate_ = rate;
  eta_acceleration_ = acceleration;
  is_bent_anew_ = true;
}

void DrivenMotion::bend(const std::map<int, Bending>& links) {
  const VectorX before = eta_;
  VectorX after = eta_;
  int next = 0;
  for (std::size_t link = 0; link < plan_.elastic_places().size(); ++link) {
    const int count = plan_.elastic_places()[link].count;
    if (const auto found = links.find(static_cast<int>(link)); found != links.end()) {
      after.segment(next, count) = found->second.amounts;
      eta_rate_.segment(next, count) = found->second.rates;
    }
    next += count;
  }
  for (int k = 1; k <= bending_steps; ++k) {
    bend(before + (after - before) * k / bending_steps, eta_rate_, eta_acceleration_);
    go_to(state_.t);
  }
}

void DrivenMotion::rewind() {
  state_ = start_;
  started_ = false;
}

void DrivenMotion::place_elastic() {
  int next = 0;
  for (const ElasticPlace& place : plan_.elastic_places()) {
    state_.q.segment(place.q, place.count) = eta_.segment(next, place.count);
    state_.v.segment(place.v, place.count) = eta_rate_.segment(next, place.count);
    a_.segment(place.v, place.count) = eta_acceleration_.segment(next, place.count);
    next += place.count;
  }
}

void DrivenMotion::go_to(double t) {
  if (const RunStatus moved = move_to(t); !moved) throw PhysicsError(moved.why());
}

RunStatus DrivenMotion::move_to(double t, double law_time) {
  if (started_ && t == state_.t && law_time == law_time_ && !is_bent_anew_) return {};
  is_bent_anew_ = false;
  // Small strides keep the branch; their number follows from how far the laws and the passive joints go.
  const double length = plan_.characteristic_length(), from = state_.t;
  double lead = 0.0;
  for (const Followed& followed : leading_) {
    const double way = way_of(*followed.drive, state_.q[followed.position], from, t, law_time);
    lead = std::max(lead, followed.turns ? way : way / length);
  }
  double far = lead, waits = std::abs(t - from) / longest_wait;
  if (paths_ != nullptr)
    far = std::max(far, paths_->distance(plan_, work_, state_.q, law_time));
  else
    waits = std::min(waits, lead / longest_lead);
  const Eigen::Index joint_speeds = plan_.nv() - eta_.size();
  if (started_ && joint_speeds > 0)
    far = std::max(far, state_.v.head(joint_speeds).cwiseAbs().maxCoeff() * std::abs(t - state_.t));
  const int strides = static_cast<int>(std::clamp(std::ceil(std::max(far / longest_stride, waits)), 1.0, 10000.0));
  for (int i = 1; i < strides; ++i) {
    const double between = from + (t - from) * i / strides;
    if (RunStatus stepped = step_to(between, between); !stepped) return stepped;
  }
  return step_to(t, law_time);
}

RunStatus DrivenMotion::step_to(double t, double law_time) {
  if (started_) {
    const double time = t - state_.t;
    step_ = 0.5 * time * time * a_;
    // A parabola saves an iteration on the loops, unless accelerations are so large that they cannot last.
    if (!(step_.lpNorm<Eigen::Infinity>() <= longest_stride)) step_.setZero();
    step_ += time * state_.v;
    for (const int v : free_) step_[v] = 0.0;
    move_coordinates(plan_, step_, state_.q);
  }
  state_.t = t;
  law_time_ = law_time;
  started_ = true;
  place_elastic();
  for (const Followed& followed : leading_) {
    const Jet wanted = followed.drive->motion_at(law_time);
    state_.q[followed.position] = wanted.value;
    state_.v[followed.speed] = wanted.rate;
    a_[followed.speed] = wanted.second;
  }
  Status status = project_positions(plan_, work_, state_.q);
  if (status && paths_ != nullptr) {
    if (RunStatus followed = paths_->follow(plan_, work_, law_time, state_, a_); !followed) return followed;
  }
  if (status) status = complete_speeds(plan_, work_, state_.q, state_.v);
  if (status) status = complete_accelerations(plan_, work_, state_, a_);
  if (status) turn_rotors();
  // What couplings tie to the rotors follows.
  if (status && !rotors_.empty() && !plan_.mechanism().couplings.empty()) {
    status = project_positions(plan_, work_, state_.q);
    if (status) status = complete_speeds(plan_, work_, state_.q, state_.v);
    if (status) status = complete_accelerations(plan_, work_, state_, a_);
  }
  if (!status || redundant_.empty()) return {plan_, status, t};
  cut_coordinates(plan_, work_, state_.q, cut_q_);
  for (const Followed& followed : redundant_)
    if (RunStatus agreed = check_agreement(followed); !agreed) return agreed;
  return {};
}

RunStatus DrivenMotion::check_agreement(const Followed& followed) const {
  const double value = followed.cut ? cut_q_[followed.position] : state_.q[followed.position];
  const double wanted = followed.drive->motion_at(law_time_).value;
  double difference = value - wanted;
  if (followed.turns) difference = std::remainder(difference, 2.0 * std::numbers::pi);
  if (std::abs(difference) <= agreement_tolerance) return {};
  return RunStatus::refused(
      fmt::format("the motion law of joint '{}' contradicts the others at t = {:.6g} s: it asks for {:.9g}, the "
                  "closures give {:.9g}",
                  followed.name, state_.t, wanted, wanted + difference));
}

Actions DrivenMotion::actions(const VectorX& tau) const {
  Actions actions(plan_);
  actions.tau = tau;
  evaluate_loads(model_, state_.t, actions);
  return actions;
}

VectorX DrivenMotion::motor_forces() {
  const Actions loads = actions(VectorX::Zero(plan_.nv() + plan_.cut_nv()));
  InverseResult result;
  inverse_dynamics(plan_, work_, state_, a_, loads, plan_.actuated_speeds(), result);
  require(result.status);
  return result.tau;
}

double DrivenMotion::path_condition() { return paths_ == nullptr ? 1.0 : paths_->condition(plan_, work_, state_.q); }

void DrivenMotion::require(const Status& status) const {
  if (!status) throw PhysicsError(describe(plan_, status, state_.t));
}

const Remarks& DrivenMotion::remarks() const {
  static const Remarks none;
  return prepared_ == nullptr ? none : prepared_->remarks;
}

}  // namespace lithe
