#include "lithe/mechanism/cut_closures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lithe/mechanism/tree_nodes.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

std::string axis_name(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(axis[k]) - 1.0) < tolerance::computed) return std::string(1, "xyz"[k]);
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
  const JointFacts& facts = joint.facts();
  std::array<bool, 3> slides{};
  for (int k = 0; k < facts.speeds; ++k)
    if (facts.speed[k].is_distance()) slides[facts.speed[k].direction] = true;
  for (int k : {0, 1, 2})
    if (!slides[k]) distance(k);
  switch (facts.rotations()) {
    case 0:
      dot(2, 1, 0), dot(0, 2, 1), dot(1, 0, 2);
      break;
    case 1:  // about z
      dot(1, 2, 0), dot(0, 2, 1);
      break;
    case 2:  // z of frame 1 and z of frame 2 are the two axes; the lost rotation is about their common normal
      cut.rows.push_back({RowSpec::Kind::dot, 2, 2});
      c.spatial.rows.push_back({cut.joint, "rotation across both axes"});
      break;
    default:
      break;
  }
}

void add_free_directions(const JointFacts& facts, Cut<Spatial>& cut) {
  for (int k = 0; k < facts.speeds; ++k) {
    const JointSpeed& speed = facts.speed[k];
    const auto turn = speed.in_to_frame ? FreeSpec::Kind::turn2 : FreeSpec::Kind::turn1;
    cut.frees.push_back({speed.is_distance() ? FreeSpec::Kind::distance : turn, speed.direction, 1.0});
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
    const int axes = joint.facts().axes;
    const Mat3 aligned = axes == 0 ? Mat3(Mat3::Identity()) : frame_with_z(joint.axis);
    cut.from = anchor_at(c, joint.from, aligned);
    cut.to = anchor_at(c, joint.to, axes == 2 ? frame_with_z(joint.axis2) : aligned);
    add_closure_rows(c, joint, aligned, cut);
    add_free_directions(joint.facts(), cut);
    add_path(c, cut);
    c.spatial.cuts.push_back(std::move(cut));
  }
}

}  // namespace lithe::detail
