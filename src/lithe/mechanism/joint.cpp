#include "lithe/mechanism/joint.hpp"

#include <algorithm>

namespace lithe {

std::string_view name_of(JointType type) {
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::prismatic:
      return "prismatic";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::universal:
      return "universal";
    case JointType::spherical:
      return "spherical";
    case JointType::planar:
      return "planar";
    case JointType::fixed:
      return "fixed";
    case JointType::free:
      return "free";
  }
  return "";
}

int position_count(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::cylindrical:
    case JointType::universal:
      return 2;
    case JointType::spherical:
      return 4;
    case JointType::planar:
      return 3;
    case JointType::fixed:
      return 0;
    case JointType::free:
      return 7;
  }
  return 0;
}

int speed_count(JointType type) {
  const int positions = position_count(type);
  return type == JointType::spherical || type == JointType::free ? positions - 1 : positions;
}

bool Joint::is_actuated() const { return std::find(actuated.begin(), actuated.end(), true) != actuated.end(); }

}  // namespace lithe
