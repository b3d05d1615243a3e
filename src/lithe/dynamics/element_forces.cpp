#include "lithe/dynamics/element_forces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/kinematics/closures.hpp"

namespace lithe {
namespace detail {
namespace {

template <class T>
bool same(const T& a, const T& b) {
  return a.size() == b.size() && holds(a, b);
}

int count(const auto& list) { return static_cast<int>(list.size()); }

}  // namespace

ElementForces::ElementForces(const Compiled& compiled) : compiled_(compiled) {
  const Mechanism& mechanism = compiled.mechanism;
  std::vector<double> start;
  int load = compiled.own_loads, values = 0, changes = 0;
  for (const auto& element : mechanism.elements) {
    Place place{};
    place.element = element.get();
    place.frame = count(attachments_);
    for (const FrameRef& frame : element->frames()) attachments_.push_back({frame, frame.link > 0 ? load++ : -1});
    place.frames = count(attachments_) - place.frame;
    place.coordinate = count(coordinates_);
    for (const CoordinateRef& ref : element->coordinates()) {
      const JointPlace& joint = compiled.places[ref.joint];
      coordinates_.push_back({joint.q + ref.coordinate, joint.v + ref.coordinate, joint.cut});
      uses_cut_ = uses_cut_ || joint.cut;
    }
    place.coordinates = count(coordinates_) - place.coordinate;
    place.x = count(start);
    place.states = count(element->states());
    for (const double x : element->start()) start.push_back(x);
    place.value = values;
    values += place.values = count(element->columns());
    place.change = changes;
    changes += place.changes = count(element->switches());
    places_.push_back(place);
  }
  start_ = Eigen::Map<const VectorX>(start.data(), std::ssize(start));
  frames_.resize(attachments_.size());
  wrenches_.resize(attachments_.size());
  q_ = v_ = forces_ = VectorX::Zero(count(coordinates_));
  activity_.rates = VectorX::Zero(start_.size());
  activity_.values = VectorX::Zero(values);
  activity_.switches = VectorX::Zero(changes);
}

bool ElementForces::knows(const State& state) const {
  return known_ && state.t == state_.t && same(state.q, state_.q) && same(state.v, state_.v) &&
         (state.x.size() < start_.size() ? same(state_.x, start_) : state.x.head(start_.size()) == state_.x);
}

template <class S>
void ElementForces::evaluate(Kernel<S>& k, const State& state) {
  if (knows(state)) return;
  look(k, state);
  act();
  known_ = true;
}

/// How frames and coordinates move.
template <class S>
void ElementForces::look(Kernel<S>& k, const State& state) {
  update_positions(k, state.q);
  update_world(k);
  update_velocities(k, state.v);
  state_.t = state.t;
  state_.q = state.q;
  state_.v = state.v;
  // Behind the states of elements may stand those of others, which integrate theirs along.
  if (state.x.size() < start_.size())
    state_.x = start_;
  else
    state_.x = state.x.head(start_.size());
  for (std::size_t i = 0; i < attachments_.size(); ++i) {
    const FrameRef frame = attachments_[i].frame;
    const NodeMotion motion = frame_motion(k, frame);
    frames_[i] = {frame_pose(k, frame), motion.velocity, motion.omega};
  }
  if (uses_cut_) {
    CutJoints<S>& cut = cut_joints(k);
    cut_coordinates_from_world(k, cut.q);
    cut_speeds_from_motion(k, cut.v);
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
      if (!coordinates_[i].cut) continue;
      q_[i] = cut.q[coordinates_[i].q];
      v_[i] = cut.v[coordinates_[i].v];
    }
  }
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    if (coordinates_[i].cut) continue;
    q_[i] = state.q[coordinates_[i].q];
    v_[i] = state.v[coordinates_[i].v];
  }
}

void ElementForces::act() {
  activity_.stored = activity_.lost = activity_.supplied = 0.0;
  for (const Place& place : places_) act(place);
}

void ElementForces::act(const Place& p) {
  const auto part = [](auto& vector, int first, int size) {
    return std::span(vector.data() + first, static_cast<std::size_t>(size));
  };
  const auto frames = part(frames_, p.frame, p.frames);
  const auto q = part(q_, p.coordinate, p.coordinates), v = part(v_, p.coordinate, p.coordinates);
  ElementAnswer answer{part(wrenches_, p.frame, p.frames), part(forces_, p.coordinate, p.coordinates),
                       part(activity_.rates, p.x, p.states), part(activity_.values, p.value, p.values),
                       part(activity_.switches, p.change, p.changes)};
  for (Wrench& wrench : answer.wrenches) wrench = {};
  for (const std::span<double>& zero : {answer.forces, answer.rates, answer.values, answer.switches})
    std::fill(zero.begin(), zero.end(), 0.0);
  p.element->act({state_.t, frames, q, v, part(state_.x, p.x, p.states)}, answer);
  activity_.stored += answer.stored;
  activity_.lost += answer.lost;
  activity_.supplied += answer.supplied;
}

const Actions& ElementForces::added_to(const Actions& actions) {
  acting_ = actions;
  for (std::size_t i = 0; i < attachments_.size(); ++i)
    if (attachments_[i].load >= 0) acting_->loads[attachments_[i].load] = wrenches_[i];
  for (std::size_t i = 0; i < coordinates_.size(); ++i)
    acting_->tau[coordinates_[i].v + (coordinates_[i].cut ? compiled_.nv : 0)] += forces_[i];
  return *acting_;
}

template <class S>
void ElementForces::add_joint_forces(Kernel<S>& k, VectorX& force) const {
  if (uses_cut_) cut_joints(k).force.setZero();
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const Coordinate& coordinate = coordinates_[i];
    (coordinate.cut ? cut_joints(k).force : force)[coordinate.v] += forces_[i];
  }
  if (uses_cut_) add_cut_forces(k, cut_joints(k).force.data(), force);
}

template void ElementForces::add_joint_forces(Kernel<Spatial>&, VectorX&) const;
template void ElementForces::add_joint_forces(Kernel<Planar>&, VectorX&) const;
template void ElementForces::evaluate(Kernel<Spatial>&, const State&);
template void ElementForces::evaluate(Kernel<Planar>&, const State&);

}  // namespace detail

const ElementActivity& element_activity(const Plan&, Workspace& work, const State& state) {
  return detail::with_kernel(work, [&](auto& k) -> const ElementActivity& {
    detail::ElementForces& forces = detail::element_forces(k);
    forces.evaluate(k, state);
    return forces.activity();
  });
}

bool has_elements(const Plan& plan) { return !plan.mechanism().elements.empty(); }

VectorX element_start(const Plan& plan) {
  std::vector<double> start;
  for (const auto& element : plan.mechanism().elements)
    for (const double x : element->start()) start.push_back(x);
  return Eigen::Map<const VectorX>(start.data(), std::ssize(start));
}

namespace {

/// KIND.NAME.PART of every part that `parts` names.
std::vector<std::string> part_names(const Plan& plan, std::vector<std::string> (Element::*parts)() const) {
  std::vector<std::string> names;
  for (const auto& element : plan.mechanism().elements)
    for (const std::string& part : (*element.*parts)())
      names.push_back(fmt::format("{}.{}.{}", element->kind(), element->name(), part));
  return names;
}

}  // namespace

std::vector<std::string> element_states(const Plan& plan) { return part_names(plan, &Element::states); }
std::vector<std::string> element_columns(const Plan& plan) { return part_names(plan, &Element::columns); }

std::vector<double> element_breakpoints(const Plan& plan) {
  std::vector<double> times;
  for (const auto& element : plan.mechanism().elements)
    for (const double t : element->breakpoints()) times.push_back(t);
  return times;
}

std::vector<ElementSwitch> element_switches(const Plan& plan) {
  std::vector<ElementSwitch> switches;
  for (const auto& element : plan.mechanism().elements)
    for (const Element::Switch& words : element->switches())
      switches.push_back({fmt::format("{} '{}'", element->kind(), element->name()), words});
  return switches;
}

}  // namespace lithe
