#include "lithe/mechanism/cut_closures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/mechanism/tree_nodes.hpp"

namespace lithe::detail {
namespace {

std::string axis_name(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(axis[k]) - 1.0) < 1e-12) return std::string(1, "xyz"[k]);
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", axis.x(), axis.y(), axis.z());
}

Anchor<Spatial> anchor_at(Compiled& c, FrameRef ref, const Mat3& aligned) {
  const LinkPlace& place = c.links[ref.link];
  const Pose pose = place.pose * undeformed_pose(c, ref);
  return {place.node, mount_at(c, ref), pose.rotation * aligned, pose.position};
}

void add_closure_rows(Compiled& c, const Joint& joint, const Mat3& aligned, Cut<Spatial>& cut) {
  const auto add = [&](RowSpec row, const char* what, int axis) {
    cut.rows.push_back(row);
    c.spatial.rows.push_back({cut.joint, fmt::format("{} {}", what, axis_name(aligned.col(axis)))});
  };
  const auto distance = [&](int k) { add({RowSpec::Kind::distance, k, 0}, "distance along", k); };
  const auto dot = [&](int i, int j, int about) { add({RowSpec::Kind::dot, i, j}, "rotation about", about); };
  switch (joint.type) {
    case JointType::revolute:
      for (int k : {0, 1, 2}) distance(k);
      dot(1, 2, 0), dot(0, 2, 1);
      break;
    case JointType::prismatic:
      distance(0), distance(1);
      dot(2, 1, 0), dot(0, 2, 1), dot(1, 0, 2);
      break;
    case JointType::cylindrical:
      distance(0), distance(1);
      dot(1, 2, 0), dot(0, 2, 1);
      break;
    case JointType::universal:
      for (int k : {0, 1, 2}) distance(k);
      // z of frame 1 and z of frame 2 are the two axes; the lost rotation is about their common normal.
      cut.rows.push_back({RowSpec::Kind::dot, 2, 2});
      c.spatial.rows.push_back({cut.joint, "rotation across both axes"});
      break;
    case JointType::spherical:
      for (int k : {0, 1, 2}) distance(k);
      break;
    case JointType::planar:
      distance(2);
      dot(1, 2, 0), dot(0, 2, 1);
      break;
    case JointType::fixed:
      for (int k : {0, 1, 2}) distance(k);
      dot(2, 1, 0), dot(0, 2, 1), dot(1, 0, 2);
      break;
    case JointType::free:
      break;
  }
}

void add_free_directions(JointType type, Cut<Spatial>& cut) {
  const auto distance = [&](int k) { cut.frees.push_back({FreeSpec::Kind::distance, k, 1.0}); };
  const auto turn1 = [&](int k) { cut.frees.push_back({FreeSpec::Kind::turn1, k, 1.0}); };
  const auto turn2 = [&](int k) { cut.frees.push_back({FreeSpec::Kind::turn2, k, 1.0}); };
  switch (type) {
    case JointType::revolute:
      turn1(2);
      break;
    case JointType::prismatic:
      distance(2);
      break;
    case JointType::cylindrical:
      turn1(2), distance(2);
      break;
    case JointType::universal:
      turn1(2), turn2(2);
      break;
    case JointType::spherical:
      turn2(0), turn2(1), turn2(2);
      break;
    case JointType::planar:
      distance(0), distance(1), turn1(2);
      break;
    case JointType::fixed:
      break;
    case JointType::free:
      distance(0), distance(1), distance(2), turn2(0), turn2(1), turn2(2);
      break;
  }
}

void add_step(const Compiled& c, const PathNode& step, Cut<Spatial>& cut) {
  if (c.spatial.nodes[step.node].kind == NodeKind::fixed) return;
  cut.path.push_back(step);
}

void add_path(const Compiled& c, Cut<Spatial>& cut) {
  const auto to_ground = [&](const Anchor<Spatial>& anchor) {
    std::vector<PathNode> path;
    int exit = anchor.mount;
    for (int node = anchor.node; node >= 0; node = c.spatial.nodes[node].parent) {
      path.push_back({node, 1.0, exit, c.spatial.nodes[node].inboard});
      exit = c.spatial.nodes[node].mount;
    }
    return path;
  };
  std::vector<PathNode> from = to_ground(cut.from), to = to_ground(cut.to);
  PathNode common{-1};
  while (!from.empty() && !to.empty() && from.back().node == to.back().node) {
    common = {to.back().node, 1.0, to.back().exit, from.back().exit};
    from.pop_back();
    to.pop_back();
  }
  for (PathNode step : from) {
    step.sign = -1.0;
    add_step(c, step, cut);
  }
  for (const PathNode& step : to) add_step(c, step, cut);
  if (common.node >= 0 && common.exit != common.entry) add_step(c, common, cut);
}

}  // namespace

void build_cuts(Compiled& c) {
  int first_free = 0;
  for (int j : c.tree.cuts) {
    const Joint& joint = c.mechanism.joints[j];
    Cut<Spatial> cut;
    cut.joint = j;
    cut.first_row = static_cast<int>(c.spatial.rows.size());
    cut.first_free = first_free;
    first_free += speed_count(joint.type);
    const bool own_axes = joint.type == JointType::spherical || joint.type == JointType::free;
    const Mat3 aligned = own_axes ? Mat3(Mat3::Identity()) : frame_with_z(joint.axis);
    cut.from = anchor_at(c, joint.from, aligned);
    cut.to = anchor_at(c, joint.to, joint.type == JointType::universal ? frame_with_z(joint.axis2) : aligned);
    add_closure_rows(c, joint, aligned, cut);
    add_free_directions(joint.type, cut);
    add_path(c, cut);
    c.spatial.cuts.push_back(std::move(cut));
  }
}

}  // namespace lithe::detail
