#include "lithe/simulation/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/mechanism/coordinate_kind.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

Recorder::Recorder(const Model& model, const Plan& plan, Workspace& work, RecordedForces forces, RecordSink& sink)
    : options_(model.record), plan_(plan), work_(work), forces_(forces), sink_(sink) {
  const Mechanism& mechanism = plan.mechanism();
  columns_.emplace_back("t");
  if (options_.coordinates) {
    for (const char* quantity : {"q", "v", "a"}) {
      add_joint_columns(quantity, quantity[0] == 'q');
      add_elastic_columns(quantity);
    }
    if (forces_ == RecordedForces::all) add_joint_columns("tau", false);
  }
  for (const FrameRef& ref : options_.frames) {
    const LinkData& link = mechanism.links[static_cast<std::size_t>(ref.link)];
    const std::string name = link.name + "." + link.frames[static_cast<std::size_t>(ref.frame)].name;
    add_axes("pos." + name);
    add_axes("rot." + name);
  }
  if (options_.reactions && forces_ == RecordedForces::all) {
    for (const Joint& joint : mechanism.joints) {
      add_axes("force." + joint.name);
      add_axes("moment." + joint.name);
    }
  }
  if (options_.sections) add_section_columns();
  if (options_.energy) {
    columns_.emplace_back("energy.kinetic");
    columns_.emplace_back("energy.potential");
    if (plan_.is_elastic()) columns_.emplace_back("energy.strain");
    if (forces_ == RecordedForces::all) {
      columns_.emplace_back("energy.work");
      columns_.emplace_back("energy.dissipated");
    }
  }
  columns_.emplace_back("closure");
  values_.reserve(columns_.size());
  sink_.begin(model, columns_);
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

// Components that no elastic coordinate can load, such as those out of the plane of a planar beam, are left out.
void Recorder::add_section_columns() {
  static constexpr const char* components[] = {"N", "Qy", "Qz", "Mx", "My", "Mz"};
  const std::vector<LinkData>& links = plan_.mechanism().links;
  for (std::size_t i = 0; i < links.size(); ++i)
    for (const SectionForces& place : links[i].elastic.section_forces) {
      std::string name = place.name;
      std::erase(name, ' ');
      for (int c = 0; c < 6; ++c) {
        if (place.rows.row(c).isZero(0.0)) continue;
        columns_.push_back(fmt::format("section.{}.{}.{}", links[i].name, name, components[c]));
        sections_.push_back({static_cast<int>(i), place.rows.row(c)});
      }
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
      const JointPlace& place = plan_.places()[static_cast<std::size_t>(joint)];
      const JointType type = plan_.mechanism().joints[static_cast<std::size_t>(joint)].type;
      for (int i = 0; i < place.nq; ++i) {
        double& q = cut_q_[place.q + i];
        if (is_angle(type, i))
          q = last_cut_q_[place.q + i] + std::remainder(q - last_cut_q_[place.q + i], 2 * std::numbers::pi);
      }
      if (type == JointType::spherical || type == JointType::free) {
        const int first = place.q + place.nq - 4;
        if (cut_q_.segment<4>(first).dot(last_cut_q_.segment<4>(first)) < 0.0) cut_q_.segment<4>(first) *= -1.0;
      }
    }
  }
  last_cut_q_ = cut_q_;
}

void Recorder::row(const State& state, const VectorX& a, const Actions& actions, double work_done, double dissipated) {
  const Stopwatch watch(seconds);
  values_.clear();
  values_.push_back(state.t);
  if (options_.coordinates) {
    cut_coordinates(plan_, work_, state.q, cut_q_);
    cut_speeds(plan_, work_, state, cut_v_);
    cut_accelerations(plan_, work_, state, a, cut_a_);
    unwrap_cut_angles();
    put_joint_values(state.q, cut_q_, true);
    for (const ElasticPlace& place : plan_.elastic_places()) put(state.q.segment(place.q, place.count));
    put_joint_values(state.v, cut_v_, false);
    for (const ElasticPlace& place : plan_.elastic_places()) put(state.v.segment(place.v, place.count));
    put_joint_values(a, cut_a_, false);
    for (const ElasticPlace& place : plan_.elastic_places()) put(a.segment(place.v, place.count));
    if (forces_ == RecordedForces::all) {
      put_joint_values(actions.tau.head(plan_.nv()), actions.tau.tail(plan_.cut_nv()), false);
    }
  }
  for (const FrameRef& frame : options_.frames) {
    const Pose pose = frame_pose(plan_, work_, state.q, frame);
    put(pose.position);
    put(vector_from_rotation(pose.rotation));
  }
  if (options_.reactions && forces_ == RecordedForces::all) {
    for (const Wrench& wrench : joint_reactions(plan_, work_, state, a, actions)) {
      put(wrench.force);
      put(wrench.moment);
    }
  }
  for (const Section& section : sections_) {
    const ElasticPlace& place = plan_.elastic_places()[static_cast<std::size_t>(section.link)];
    values_.push_back(section.row.dot(state.q.segment(place.q, place.count)));
  }
  if (options_.energy) {
    const Energy energy_now = energy(plan_, work_, state);
    values_.push_back(energy_now.kinetic);
    values_.push_back(energy_now.potential);
    if (plan_.is_elastic()) values_.push_back(energy_now.strain);
    if (forces_ == RecordedForces::all) {
      values_.push_back(work_done);
      values_.push_back(dissipated);
    }
  }
  values_.push_back(closure_error(plan_, work_, state.q));
  if (not_finite_.empty()) {
    const auto bad = std::find_if(values_.begin(), values_.end(), [](double value) { return !std::isfinite(value); });
    if (bad != values_.end())
      not_finite_ = fmt::format("'{}' is not a finite number at t = {:.6g} s: do not trust this motion",
                                columns_[static_cast<std::size_t>(bad - values_.begin())], state.t);
  }
  sink_.row(values_);
  ++rows_;
}

}  // namespace lithe::detail
