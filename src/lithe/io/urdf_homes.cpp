#include "lithe/io/urdf_homes.hpp"

#include <algorithm>

#include "lithe/io/urdf_nodes.hpp"

namespace lithe::io {

UrdfHomes::UrdfHomes(UrdfRobot& robot, const SideFile& side) : robot_(robot), side_(side) {
  for (const UrdfJoint& joint : robot.joints) parent_joints_[joint.child] = &joint;
  place_links();
  if (std::none_of(homes_.begin(), homes_.end(), [](const auto& home) { return home.second.is_itself; }))
    keep_base(robot);
  name_frames();
}

const UrdfJoint* UrdfHomes::parent_joint(const std::string& link) const {
  const auto found = parent_joints_.find(link);
  return found == parent_joints_.end() ? nullptr : found->second;
}

void UrdfHomes::place_links() {
  // Parents before children: the depth of a tree is at most its size.
  std::vector<const UrdfLink*> waiting;
  for (const UrdfLink& link : robot_.links) waiting.push_back(&link);
  while (!waiting.empty()) {
    std::vector<const UrdfLink*> later;
    for (const UrdfLink* link : waiting) {
      const UrdfJoint* joint = parent_joint(link->name);
      if (joint != nullptr && !homes_.contains(joint->parent))
        later.push_back(link);
      else
        place_link(*link, joint);
    }
    waiting = std::move(later);
  }
}

void UrdfHomes::place_link(const UrdfLink& link, const UrdfJoint* joint) {
  if (joint == nullptr && !side_.base_is_free && !base_stays_) {
    homes_[link.name] = {"ground", Pose{}, false};
    aliases_[link.name] = {"ground", {}};
    return;
  }
  const bool is_bare = link.mass == 0.0 && link.inertia.isZero(0.0) && side_.find("links", link.name) == nullptr;
  const bool is_changed = joint != nullptr && side_.find("joints", joint->name) != nullptr;
  if (joint != nullptr && joint->type == UrdfJoint::Type::fixed && is_bare && !is_changed) {
    const Home& parent = homes_.at(joint->parent);
    homes_[link.name] = {parent.link, parent.pose * joint->origin.pose(), false};
    merged_joints_.insert(joint->name);
    return;
  }
  homes_[link.name] = {link.name, Pose{}, true};
}

void UrdfHomes::keep_base(UrdfRobot& robot) {
  if (robot.root == "ground") {
    const std::string name = "ground-link";
    for (UrdfLink& link : robot.links)
      if (link.name == robot.root) link.name = name;
    for (UrdfJoint& joint : robot.joints)
      if (joint.parent == robot.root) joint.parent = name;
    robot.root = name;
  }
  base_stays_ = true;
  homes_.clear();
  aliases_.clear();
  merged_joints_.clear();
  place_links();
}

UrdfHomes::Mount UrdfHomes::mount(const std::string& link, const UrdfOrigin& origin, const std::string& name,
                                  const Place& place, bool needs_frame) {
  const Home& home = homes_.at(link);
  const Pose pose = home.pose * origin.pose();
  const bool at_origin = pose.position.isZero(0.0) && pose.rotation.isIdentity(0.0);
  // Some links have these frames by themselves.
  std::string frame = name == "origin" || name == "root" || name == "tip" ? name + "-joint" : name;
  if (needs_frame || !at_origin)
    while (!frame_names_[home.link].insert(frame).second) frame += "-joint";
  return {home.link, frame, origin, home.pose, place, needs_frame || !at_origin};
}

void UrdfHomes::name_frames() {
  // Links that became frames first: the side file calls them by their names.
  for (const UrdfJoint& joint : robot_.joints) {
    if (!is_frame(joint.name)) continue;
    const Mount& made = mounts_[joint.name] = mount(joint.parent, joint.origin, joint.child, joint.place, true);
    aliases_[joint.child] = {made.home, made.frame};
  }
  for (const UrdfJoint& joint : robot_.joints)
    if (!is_frame(joint.name)) mounts_[joint.name] = mount(joint.parent, joint.origin, joint.name, joint.place, false);
  for (const UrdfLoop& loop : robot_.loops)
    for (std::size_t k = 0; k < 2; ++k)
      loop_mounts_[loop.name][k] = mount(loop.ends[k].link, loop.ends[k].origin, loop.name, loop.place, false);
}

std::vector<Entry> UrdfHomes::frames_of(const std::string& link) const {
  std::vector<Entry> frames;
  const auto add = [&](const Mount& mount) {
    if (mount.home == link && mount.needs_frame)
      frames.push_back({mount.frame, mount.place, frame_node(mount.origin, mount.carrier, mount.place)});
  };
  for (const UrdfJoint& joint : robot_.joints) add(mounts_.at(joint.name));
  for (const UrdfLoop& loop : robot_.loops)
    for (const Mount& end : loop_mounts_.at(loop.name)) add(end);
  return frames;
}

}  // namespace lithe::io
