#include "lithe/mechanism/joint.hpp"

#include <algorithm>

namespace lithe {

bool Joint::is_actuated() const { return std::find(actuated.begin(), actuated.end(), true) != actuated.end(); }

Vec3 Joint::direction_of(const JointSpeed& speed) const {
  if (facts().axes == 0) return Vec3::Unit(speed.direction);
  const Vec3& along = speed.in_to_frame ? axis2 : axis;
  return speed.direction == 2 ? along : Vec3(frame_with_z(along).col(speed.direction));
}

}  // namespace lithe
