#include "lithe/io/urdf_tree.hpp"

#include <fmt/format.h>

#include "lithe/io/reader.hpp"

namespace lithe::io {

void check_urdf_tree(UrdfRobot& robot, Complaints& complaints) {
  if (robot.links.empty()) return complaints.add(robot.place, "robot", "the robot has no links");
  std::map<std::string, const UrdfJoint*> parent;
  for (const UrdfJoint& joint : robot.joints) {
    const auto [first, is_new] = parent.emplace(joint.child, &joint);
    if (is_new || joint.child.empty() || joint.parent.empty() || joint.parent == joint.child) continue;
    complaints.add(joint.place, fmt::format("joint '{}'", joint.name),
                   fmt::format("link '{}' has a parent already, by joint '{}'; URDF knows trees only: leave one of the "
                               "two out and close the loop with a joint in the side file, or with a <loop> of URDF+",
                               joint.child, first->second->name));
  }
  if (!complaints.empty()) return;
  std::vector<std::string> roots;
  for (const UrdfLink& link : robot.links)
    if (!parent.contains(link.name)) roots.push_back(link.name);
  if (roots.size() == 1) robot.root = roots[0];
  if (roots.size() > 1)
    complaints.add(robot.place, "robot",
                   fmt::format("the links {} have no parent, but only the base may have none; join the others to it "
                               "with joints",
                               listed(roots, "and")));
  for (const UrdfLink& link : robot.links) {
    // A link from which no way leads to a root stands in a circle of joints.
    std::string at = link.name;
    std::size_t steps = 0;
    while (parent.contains(at) && steps++ <= robot.links.size()) at = parent.at(at)->parent;
    if (!parent.contains(at)) continue;
    const UrdfJoint& joint = *parent.at(at);
    return complaints.add(
        joint.place, fmt::format("joint '{}'", joint.name),
        fmt::format("link '{}' is its own ancestor; URDF knows trees only: leave a joint of this circle out and close "
                    "the loop with a joint in the side file, or with a <loop> of URDF+",
                    at));
  }
}

}  // namespace lithe::io
