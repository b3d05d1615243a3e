#include "lithe/simulation/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/dynamics/elements.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/continuous_control.hpp"
#include "lithe/simulation/joint_holds.hpp"
#include "lithe/simulation/sampled_control.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

Recorder::Recorder(const Model& model, const Plan& plan, Workspace& work, RecordedForces forces, RecordSink& sink,
                   SampledControl* control, ContinuousControl* continuous, std::function<double()> path_condition)
    : options_(model.record),
      plan_(plan),
      work_(work),
      forces_(forces),
      sink_(sink),
      control_(control),
      continuous_(continuous),
      path_condition_(std::move(path_condition)),
      motors_(model, plan, false) {
  const Mechanism& mechanism = plan.mechanism();
  columns_.emplace_back("t");
  if (options_.coordinates) {
    for (const char* quantity : {"q", "v", "a"}) {
      add_joint_columns(quantity, quantity[0] == 'q');
      add_elastic_columns(quantity);
    }
    if (knows_forces()) add_joint_columns("tau", false);
    add_hold_columns();
  }
  add_frame_columns();
  if (options_.reactions && knows_forces()) {
    for (const Joint& joint : mechanism.joints) {
      add_axes("force." + joint.name);
      add_axes("moment." + joint.name);
    }
    for (const Coupling& coupling : mechanism.couplings) columns_.push_back("coupling." + coupling.name + ".force");
  }
  add_section_columns();
  if (options_.springs) {
    for (const PointSpring& spring : mechanism.springs)
      for (const char* what : {"length", "force", "energy"}) columns_.push_back("spring." + spring.name + "." + what);
  }
  add_element_columns();
  if (options_.motors && knows_forces())
    for (const std::string& column : motors_.columns(!options_.elements)) columns_.push_back(column);
  if (control_ != nullptr)
    for (const std::string& column : control_->columns(options_)) columns_.push_back(column);
  if (continuous_ != nullptr)
    for (const std::string& column : continuous_->columns(options_)) columns_.push_back(column);
  if (options_.momentum) {
    add_axes("momentum");
    add_axes("angular-momentum");
  }
  if (options_.energy) add_energy_columns();
  if (path_condition_) columns_.emplace_back("path.condition");
  columns_.emplace_back("closure");
  values_.reserve(columns_.size());
  sink_.begin(model, columns_);
}

// Springs that are machine elements are recorded where the others are.
void Recorder::add_element_columns() {
  const std::vector<std::string> columns = element_columns(plan_);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!(columns[i].starts_with("spring.") ? options_.springs : options_.elements)) continue;
    columns_.push_back(columns[i]);
    element_values_.push_back(static_cast<int>(i));
  }
}

// Frames by quantity, in the order in which put_frames() and its companions fill them.
void Recorder::add_frame_columns() {
  const auto name_of = [&](FrameRef ref) {
    const LinkData& link = plan_.mechanism().links[ref.link];
    return "." + link.name + "." + link.frames[ref.frame].name;
  };
  for (const FrameRef& ref : options_.frames) {
    add_axes("pos" + name_of(ref));
    add_axes("rot" + name_of(ref));
  }
  for (const FrameRef& ref : options_.quaternions)
    for (const char* part : {".w", ".x", ".y", ".z"}) columns_.push_back("quat" + name_of(ref) + part);
  for (const FrameRef& ref : options_.velocities) {
    add_axes("vel" + name_of(ref));
    add_axes("omega" + name_of(ref));
  }
  for (const FrameRef& ref : options_.accelerations) {
    add_axes("acc" + name_of(ref));
    add_axes("alpha" + name_of(ref));
  }
  for (const FrameRef& ref : options_.deflections) {
    add_axes("deflection" + name_of(ref));
    columns_.push_back("deflection" + name_of(ref) + ".norm");
  }
  if (!options_.deflections.empty()) twin_.emplace(plan_);
}

// Joints that dry friction or a hard stop may hold: the force with which they do.
void Recorder::add_hold_columns() {
  if (!knows_forces()) return;
  const std::vector<Joint>& joints = plan_.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (int k = 0; k < plan_.places()[j].nv; ++k) {
      if (!may_be_held(joints[j], k)) continue;
      const int v = plan_.places()[j].v + k + (plan_.places()[j].cut ? plan_.nv() : 0);
      held_speeds_.push_back(v);
      columns_.push_back("hold." + plan_.speed_name(v));
    }
}

void Recorder::add_energy_columns() {
  const auto has_spring = [](const Joint& joint) {
    return std::any_of(joint.stiffness.begin(), joint.stiffness.end(), [](double k) { return k != 0.0; });
  };
  const Mechanism& mechanism = plan_.mechanism();
  records_spring_energy_ =
      !mechanism.springs.empty() || std::any_of(mechanism.joints.begin(), mechanism.joints.end(), has_spring);
  for (const char* part : {"kinetic", "potential", "gravity"}) columns_.push_back(std::string("energy.") + part);
  if (records_spring_energy_) columns_.emplace_back("energy.springs");
  if (plan_.is_elastic()) columns_.emplace_back("energy.strain");
  if (has_elements(plan_)) columns_.emplace_back("energy.elements");
  if (knows_forces()) {
    columns_.emplace_back("energy.work");
    columns_.emplace_back("energy.dissipated");
  }
}

void Recorder::add_joint_columns(const std::string& quantity, bool positions) {
  const Mechanism& mechanism = plan_.mechanism();
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const int count = positions ? plan_.places()[j].nq : plan_.places()[j].nv;
    const std::string name = quantity + "." + mechanism.joints[j].name;
    for (int i = 0; i < count; ++i) columns_.push_back(count == 1 ? name : name + "." + std::to_string(i));
  }
}

void Recorder::add_elastic_columns(const std::string& quantity) {
  for (const ElasticPlace& place : plan_.elastic_places())
    for (int i = 0; i < place.count; ++i) columns_.push_back(quantity + "." + plan_.speed_name(place.v + i));
}

// Components that nothing can load, such as those out of the plane of a planar beam, are left out.
void Recorder::add_section_columns() {
  static constexpr const char* components[] = {"N", "Qy", "Qz", "Mx", "My", "Mz"};
  const bool has_stress = (options_.stress || options_.stress_parts) && forces_ == RecordedForces::all;
  if (!plan_.is_elastic() || !(options_.sections || has_stress)) return;
  recovery_.emplace(plan_);
  const std::vector<LinkData>& links = plan_.mechanism().links;
  for (int i = 0; i < static_cast<int>(links.size()) && options_.sections; ++i) {
    const std::vector<SectionForces>& places = links[i].elastic.section_forces;
    for (int k = 0; k < static_cast<int>(places.size()); ++k)
      for (int c = 0; c < 6; ++c) {
        if (!recovery_->has(i, k, c)) continue;
        columns_.push_back(fmt::format("section.{}.{}.{}", links[i].name, place_name(places[k]), components[c]));
        section_columns_.push_back({i, k, c});
      }
  }
  if (has_stress) {
    stress_.emplace(options_, plan_);
    stress_->add_columns(columns_);
  }
}

void Recorder::add_axes(const std::string& prefix) {
  for (const char* axis : {".x", ".y", ".z"}) columns_.push_back(prefix + axis);
}

void Recorder::put_joint_values(const VectorX& tree, const VectorX& cut, bool positions) {
  for (const JointPlace& place : plan_.places()) {
    const VectorX& source = place.cut ? cut : tree;
    const int start = positions ? place.q : place.v, count = positions ? place.nq : place.nv;
    for (int i = 0; i < count; ++i) values_.push_back(source[start + i]);
  }
}

void Recorder::put(const Eigen::Ref<const VectorX>& values) {
  values_.insert(values_.end(), values.data(), values.data() + values.size());
}

// Coordinates of cut joints come from poses: angles jump by 2 pi and quaternions change sign unless kept by continuity.
void Recorder::unwrap_cut_angles() {
  if (last_cut_q_.size() == cut_q_.size()) {
    for (const int joint : plan_.cut_joints()) {
      const JointPlace& place = plan_.places()[joint];
      const JointFacts& facts = plan_.mechanism().joints[joint].facts();
      for (int i = 0; i < place.nq; ++i) {
        double& q = cut_q_[place.q + i];
        if (facts.is_angle(i))
          q = last_cut_q_[place.q + i] + std::remainder(q - last_cut_q_[place.q + i], 2 * std::numbers::pi);
      }
      if (facts.has_quaternion()) {
        const int first = place.q + place.nq - 4;
        if (cut_q_.segment<4>(first).dot(last_cut_q_.segment<4>(first)) < 0.0) cut_q_.segment<4>(first) *= -1.0;
      }
    }
  }
  last_cut_q_ = cut_q_;
}

void Recorder::row(const State& state, const VectorX& a, const Actions& actions, double work_done, double dissipated,
                   const VectorX* held) {
  const Stopwatch watch(seconds);
  values_.clear();
  values_.push_back(state.t);
  if (options_.coordinates || twin_) {
    cut_coordinates(plan_, work_, state.q, cut_q_);
    unwrap_cut_angles();
  }
  if (options_.coordinates) {
    cut_speeds(plan_, work_, state, cut_v_);
    cut_accelerations(plan_, work_, state, a, cut_a_);
    put_joint_values(state.q, cut_q_, true);
    for (const ElasticPlace& place : plan_.elastic_places()) put(state.q.segment(place.q, place.count));
    put_joint_values(state.v, cut_v_, false);
    for (const ElasticPlace& place : plan_.elastic_places()) put(state.v.segment(place.v, place.count));
    put_joint_values(a, cut_a_, false);
    for (const ElasticPlace& place : plan_.elastic_places()) put(a.segment(place.v, place.count));
    if (knows_forces()) {
      const VectorX tau = held == nullptr ? actions.tau : VectorX(actions.tau - *held);
      put_joint_values(tau.head(plan_.nv()), tau.tail(plan_.cut_nv()), false);
    }
    for (const int v : held_speeds_) values_.push_back(held == nullptr ? 0.0 : (*held)[v]);
  }
  put_frames(state, a);
  if (options_.reactions && knows_forces()) {
    for (const Wrench& wrench : joint_reactions(plan_, work_, state, a, actions)) {
      put(wrench.force);
      put(wrench.moment);
    }
    if (!plan_.mechanism().couplings.empty()) put(coupling_forces(plan_, work_, state, a, actions));
  }
  if (recovery_) put_sections(state, a, actions);
  if (options_.springs) put_springs(state);
  if (!element_values_.empty()) {
    const VectorX& values = element_activity(plan_, work_, state).values;
    for (const int i : element_values_) values_.push_back(values[i]);
  }
  if (knows_forces()) put_motors(state, held == nullptr ? actions.tau : VectorX(actions.tau - *held));
  if (control_ != nullptr) control_->put(state, a, actions, options_, values_);
  if (continuous_ != nullptr) continuous_->put(state, options_, values_);
  if (options_.momentum) {
    const Momentum all = momentum(plan_, work_, state);
    put(all.linear);
    put(all.angular);
  }
  if (options_.energy) put_energy(state, work_done, dissipated);
  if (path_condition_) values_.push_back(path_condition_());
  values_.push_back(closure_error(plan_, work_, state.q));
  if (not_finite_.empty()) {
    for (std::size_t i = 0; i < values_.size() && not_finite_.empty(); ++i) {
      // Deflections without a rigid twin are missing on purpose; judge() warns of them.
      if (std::isfinite(values_[i]) || columns_[i].starts_with("deflection.")) continue;
      not_finite_ =
          fmt::format("'{}' is not a finite number at t = {:.6g} s: do not trust this motion", columns_[i], state.t);
    }
  }
  sink_.row(values_);
  ++rows_;
}

void Recorder::put_frames(const State& state, const VectorX& a) {
  for (const FrameRef& frame : options_.frames) {
    const Pose pose = frame_pose(plan_, work_, state.q, frame);
    put(pose.position);
    put(vector_from_rotation(pose.rotation));
  }
  put_quaternions(state.q);
  for (const FrameRef& frame : options_.velocities) {
    const Twist velocity = frame_velocity(plan_, work_, state, frame);
    put(velocity.linear);
    put(velocity.angular);
  }
  for (const FrameRef& frame : options_.accelerations) {
    const Twist acceleration = frame_acceleration(plan_, work_, state, a, frame);
    put(acceleration.linear);
    put(acceleration.angular);
  }
  if (twin_) put_deflections(state.q);
}

// Of the two quaternions of an orientation the one near that of the row before; w is not negative in the first row.
void Recorder::put_quaternions(const VectorX& q) {
  last_quaternions_.resize(options_.quaternions.size(), Quat::Identity());
  for (std::size_t i = 0; i < last_quaternions_.size(); ++i) {
    Quat turn(frame_pose(plan_, work_, q, options_.quaternions[i]).rotation);
    if (turn.dot(last_quaternions_[i]) < 0.0) turn.coeffs() *= -1.0;
    last_quaternions_[i] = turn;
    for (const double part : {turn.w(), turn.x(), turn.y(), turn.z()}) values_.push_back(part);
  }
}

void Recorder::put_deflections(const VectorX& q) {
  const bool assembled = twin_->follow(q, cut_q_);
  if (!assembled && without_twin_++ == 0) first_without_twin_ = values_[0];
  for (const FrameRef& frame : options_.deflections) {
    Vec3 shift = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    if (assembled) shift = frame_pose(plan_, work_, q, frame).position - twin_->position(frame);
    put(shift);
    values_.push_back(shift.norm());
  }
}

void Recorder::put_sections(const State& state, const VectorX& a, const Actions& actions) {
  if (forces_ == RecordedForces::all)
    recovery_->update(state, a, actions);
  else
    recovery_->update(state.q);
  const SectionColumn* last = nullptr;
  SectionForce forces;
  for (const SectionColumn& column : section_columns_) {
    if (!last || last->link != column.link || last->place != column.place)
      forces = recovery_->forces(column.link, column.place);
    last = &column;
    values_.push_back(forces[column.component]);
  }
  if (stress_) stress_->put(state.t, *recovery_, values_);
}

void Recorder::put_springs(const State& state) {
  for (std::size_t i = 0; i < plan_.mechanism().springs.size(); ++i) {
    const SpringMotion spring = spring_motion(plan_, work_, state, static_cast<int>(i));
    for (const double value : {spring.length, spring.force, spring.energy}) values_.push_back(value);
  }
}

void Recorder::put_motors(const State& state, const VectorX& tau) {
  if (motors_.uses_cut_speeds()) cut_speeds(plan_, work_, state, cut_v_);
  static const VectorX none;
  motors_.look(state.t, state.v, cut_v_, tau,
               has_elements(plan_) ? element_activity(plan_, work_, state).values : none);
  if (options_.motors) motors_.put(!options_.elements, values_);
}

void Recorder::put_energy(const State& state, double work_done, double dissipated) {
  const Energy now = energy(plan_, work_, state);
  for (const double part : {now.kinetic, now.potential, now.gravity}) values_.push_back(part);
  if (records_spring_energy_) values_.push_back(now.springs);
  if (plan_.is_elastic()) values_.push_back(now.strain);
  if (has_elements(plan_)) values_.push_back(now.elements);
  if (knows_forces()) {
    values_.push_back(work_done);
    values_.push_back(dissipated);
  }
}

void Recorder::judge(Audit& audit) const {
  if (knows_forces()) motors_.judge(audit);
  if (!not_finite_.empty()) audit.distrust.push_back(not_finite_);
  if (stress_) stress_->judge(audit);
  if (without_twin_ == 0) return;
  audit.warnings.push_back(fmt::format(
      "deflections are missing (nan) in {} of {} rows, first at t = {:.6g} s: with rigid links the mechanism cannot be "
      "assembled there at the same motor coordinates",
      without_twin_, rows_, first_without_twin_));
}

}  // namespace lithe::detail
