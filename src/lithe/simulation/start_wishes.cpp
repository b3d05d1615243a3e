#include "lithe/simulation/start_wishes.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "lithe/kinematics/coordinates.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

constexpr double shortest_quaternion = 1e-6;  ///< what is shorter is no rotation

/// Wishes of one joint from the values that the model gives; quaternions as a whole.
void add_joint_values(const Plan& plan, int joint, const std::map<int, double>& values, std::vector<Wish>& wishes) {
  const Joint& each = plan.mechanism().joints[joint];
  const int scalars = each.facts().scalars();
  std::array<double, 4> parts{1.0, 0.0, 0.0, 0.0};  // what is not given is that of no rotation
  bool turns = false;
  for (const auto& [coordinate, value] : values) {
    if (coordinate < scalars) {
      Wish wish;
      wish.index = joint;
      wish.coordinate = coordinate;
      wish.value = value;
      wishes.push_back(wish);
    } else {
      parts[coordinate - scalars] = value;
      turns = true;
    }
  }
  if (!turns) return;
  Wish wish;
  wish.kind = Wish::Kind::rotation;
  wish.index = joint;
  wish.rotation = Quat(parts[0], parts[1], parts[2], parts[3]);
  if (wish.rotation.norm() < shortest_quaternion)
    throw MechanismError(each.name, fmt::format("joint '{}': the initial quaternion is zero", each.name));
  wish.rotation.normalize();
  wishes.push_back(wish);
}

/// Coordinates of joints in the order in which they are given; what is given twice counts as given last.
std::vector<std::pair<int, std::map<int, double>>> values_by_joint(const Model& model, const Plan& plan) {
  std::vector<std::pair<int, std::map<int, double>>> joints;
  for (const InitialValue& value : model.initial) {
    const int joint = joint_index(plan, value.joint);
    const JointPlace& place = plan.places()[joint];
    if (value.coordinate < 0 || value.coordinate >= place.nq) {
      throw MechanismError(value.joint, fmt::format("joint '{}' has {} coordinates, counted from 0; there is no {}",
                                                    value.joint, place.nq, value.coordinate));
    }
    auto same = joints.begin();
    while (same != joints.end() && same->first != joint) ++same;
    if (same == joints.end()) same = joints.insert(same, {joint, {}});
    same->second[value.coordinate] = value.value;
  }
  return joints;
}

}  // namespace

int joint_index(const Plan& plan, const std::string& name) {
  const int index = plan.mechanism().find_joint(name);
  if (index < 0) throw MechanismError(name, fmt::format("there is no joint '{}'", name));
  return index;
}

int link_index(const Plan& plan, const std::string& name) {
  const int index = plan.mechanism().find_link(name);
  std::vector<std::string> known;
  for (std::size_t i = 1; i < plan.mechanism().links.size(); ++i) known.push_back(plan.mechanism().links[i].name);
  if (index < 0) throw MechanismError(name, fmt::format("there is no link '{}'{}", name, did_you_mean(name, known)));
  if (index == 0) throw MechanismError(name, "the ground does not move; give the pose of another link");
  return index;
}

int elastic_index(const Plan& plan, const ElasticValue& value, int ElasticPlace::*first) {
  const ElasticPlace& place = plan.elastic_places()[link_index(plan, value.link)];
  if (value.coordinate < 0 || value.coordinate >= place.count)
    throw MechanismError(value.link, fmt::format("link '{}' has {} elastic coordinates; there is no {}.e{}", value.link,
                                                 place.count, value.link, value.coordinate + 1));
  return place.*first + value.coordinate;
}

FrameRef frame_of_path(const Plan& plan, const PathDrive& path) {
  link_index(plan, path.link);  // the ground follows nothing
  return plan.mechanism().find_frame(path.link, path.frame);
}

std::vector<Wish> wishes_of_pose(const Plan& plan, const InitialPose& pose) {
  std::vector<Wish> wishes;
  Wish wish;
  wish.index = link_index(plan, pose.link);
  if (pose.position) {
    wish.kind = Wish::Kind::link_position;
    wish.position = *pose.position;
    wishes.push_back(wish);
  }
  if (pose.rotation) {
    wish.kind = Wish::Kind::link_rotation;
    wish.rotation = pose.rotation->normalized();
    wishes.push_back(wish);
  }
  return wishes;
}

std::vector<Wish> start_wishes(const Model& model, const Plan& plan) {
  std::vector<Wish> laws, motors, links, others;
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion()) continue;
    const bool in_tree = position_for_law(plan, drive.joint, drive.coordinate) >= 0;
    Wish wish;
    wish.index = joint_index(plan, drive.joint);
    wish.coordinate = drive.coordinate;
    wish.value = drive.follow.at(model.run.from).value;
    // A joint that closes a loop follows its law as far as the others let it.
    wish.firm = in_tree;
    laws.push_back(wish);
  }
  for (const PathDrive& each : model.paths) {
    const FrameRef frame = frame_of_path(plan, each);
    const PathPoint place = each.path.at(model.run.from);
    Wish wish;
    wish.kind = Wish::Kind::link_position;
    wish.index = frame.link;
    wish.frame = frame.frame;
    wish.position = place.position;
    wish.firm = true;
    laws.push_back(wish);
    if (!each.path.turns()) continue;
    wish.kind = Wish::Kind::link_rotation;
    wish.rotation = Quat(place.turning.rotation);
    laws.push_back(wish);
  }
  for (const auto& [joint, values] : values_by_joint(model, plan)) {
    const bool has_motor = plan.mechanism().joints[joint].is_actuated();
    add_joint_values(plan, joint, values, has_motor ? motors : others);
  }
  for (const InitialPose& pose : model.initial_poses) {
    const std::vector<Wish> parts = wishes_of_pose(plan, pose);
    links.insert(links.end(), parts.begin(), parts.end());
  }
  for (const std::vector<Wish>* more : {&motors, &links, &others}) laws.insert(laws.end(), more->begin(), more->end());
  return laws;
}

InitialPose pose_of_platform(const Model& model, const Plan& plan) {
  InitialPose pose{model.plan.platform, std::nullopt, std::nullopt};
  const std::string name = model.plan.platform + ".free";
  const auto index = static_cast<std::size_t>(joint_index(plan, name));
  const Joint& joint = plan.mechanism().joints[index];
  std::map<int, double> values;
  for (const InitialValue& value : model.initial)
    if (value.joint == name) values[value.coordinate] = value.value;
  for (const Drive& drive : model.drives)
    if (drive.joint == name && drive.wants_motion()) values[drive.coordinate] = drive.follow.at(model.run.from).value;
  VectorX q = VectorX::Zero(plan.places()[index].nq);
  const bool flat = joint.type == JointType::planar;
  if (!flat) q[3] = 1.0;
  for (const auto& [coordinate, value] : values)
    if (coordinate >= 0 && coordinate < q.size()) q[coordinate] = value;
  const auto given = [&](int first, int last) {
    for (int k = first; k <= last; ++k)
      if (!values.contains(k)) return false;
    return true;
  };
  const Mechanism& m = plan.mechanism();
  const auto frame = [&](FrameRef ref) { return m.links[ref.link].frames[ref.frame].pose; };
  const Pose link = frame(joint.from) * pose_from_coordinates(joint, q.data()) * frame(joint.to).inverse();
  if (flat ? given(0, 1) : given(0, 2)) pose.position = link.position;
  if (flat ? given(2, 2) : given(3, 6)) pose.rotation = Quat(link.rotation);
  return pose;
}

}  // namespace lithe::detail
