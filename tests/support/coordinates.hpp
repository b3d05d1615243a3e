#pragma once
// Setting and reading coordinates by joint name, whichever joints the plan has cut.

#include <stdexcept>
#include <string>

#include "lithe/kinematics/state.hpp"

namespace lithe::testing {

inline const JointPlace& place_of(const Plan& plan, const std::string& joint) {
  const int index = plan.mechanism().find_joint(joint);
  if (index < 0) throw std::invalid_argument("no joint " + joint);
  return plan.places()[index];
}

/// Sets the coordinates of a tree joint in q; a cut joint has none there and is left to the closures.
inline void set_coordinates(const Plan& plan, const std::string& joint, const VectorX& value, VectorX& q) {
  const JointPlace& place = place_of(plan, joint);
  if (!place.cut) q.segment(place.q, place.nq) = value;
}

/// The same for a joint with one coordinate.
inline void set_coordinate(const Plan& plan, const std::string& joint, double value, VectorX& q) {
  const JointPlace& place = place_of(plan, joint);
  if (!place.cut) q[place.q] = value;
}

/// Sets the speeds (or accelerations, or forces) of a tree joint in v.
inline void set_speeds(const Plan& plan, const std::string& joint, const VectorX& value, VectorX& v) {
  const JointPlace& place = place_of(plan, joint);
  if (!place.cut) v.segment(place.v, place.nv) = value;
}

/// The same for a joint with one speed.
inline void set_speed(const Plan& plan, const std::string& joint, double value, VectorX& v) {
  const JointPlace& place = place_of(plan, joint);
  if (!place.cut) v[place.v] = value;
}

/// Index of the first speed of a joint in [tree speeds; cut speeds].
inline int speed_of(const Plan& plan, const std::string& joint) {
  const JointPlace& place = place_of(plan, joint);
  return place.cut ? plan.nv() + place.v : place.v;
}

}  // namespace lithe::testing
