#include <cmath>

#include "lithe/mechanism/couplings.hpp"
#include "lithe/mechanism/elastic_tables.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

constexpr double angle_tolerance = 1e-9;

/// Poses of all nodes in ground axes with every coordinate zero.
std::vector<Pose> neutral_poses(const Tables<Spatial>& tables) {
  std::vector<Pose> poses(tables.nodes.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Node<Spatial>& node = tables.nodes[i];
    Pose base{node.base_rotation, node.base_position};
    if (node.mount >= 0) base.position += tables.mounts[node.mount].position;
    if (node.inboard >= 0) base.position -= base.rotation * tables.mounts[node.inboard].position;
    poses[i] = node.parent < 0 ? base : poses[node.parent] * base;
  }
  return poses;
}

Pose anchor_pose(const Anchor<Spatial>& anchor, const std::vector<Pose>& nodes) {
  const Pose local{anchor.rotation, anchor.position};  // of an elastic link: undeformed
  return anchor.node < 0 ? local : nodes[anchor.node] * local;
}

/// The axis about which anything turns; without any turning joint the motion is not worth a plane.
std::optional<Vec3> candidate_normal(const Tables<Spatial>& tables, const std::vector<Pose>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i)
    if (tables.nodes[i].kind == NodeKind::revolute) {
      Vec3 normal = poses[i].rotation.col(2);
      // Of the two directions take the one with a positive leading component, so that signs do not depend on the file.
      int largest = 0;
      normal.cwiseAbs().maxCoeff(&largest);
      if (normal[largest] < 0) normal = -normal;
      return normal;
    }
  return std::nullopt;
}

bool nodes_are_planar(const Compiled& compiled, const std::vector<Pose>& poses, const Vec3& normal) {
  const Tables<Spatial>& tables = compiled.spatial;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Vec3 axis = poses[i].rotation.col(2);
    switch (tables.nodes[i].kind) {
      case NodeKind::revolute:
        if (axis.cross(normal).norm() > angle_tolerance) return false;
        break;
      case NodeKind::prismatic:
        if (std::abs(axis.dot(normal)) > angle_tolerance) return false;
        break;
      case NodeKind::spherical:
        return false;
      case NodeKind::elastic: {
        const LinkData& link = compiled.mechanism.links[tables.bodies[tables.nodes[i].body].link];
        if (!deforms_in_plane(link, poses[i].rotation.transpose() * normal)) return false;
        break;
      }
      case NodeKind::fixed:
        break;
    }
  }
  return true;
}

bool cut_is_planar(const Compiled& compiled, const Cut<Spatial>& cut, const std::vector<Pose>& poses,
                   const Vec3& normal) {
  const Pose from = anchor_pose(cut.from, poses), to = anchor_pose(cut.to, poses);
  // It may turn about the normal and slide across it.
  const JointFacts& facts = compiled.mechanism.joints[cut.joint].facts();
  for (int k = 0; k < facts.speeds; ++k) {
    const JointSpeed& speed = facts.speed[k];
    const Vec3 direction = (speed.in_to_frame ? to : from).rotation.col(speed.direction);
    if (speed.kind == JointSpeed::Kind::turn) return false;
    if (!speed.is_distance() && direction.cross(normal).norm() > angle_tolerance) return false;
    if (speed.is_distance() && std::abs(direction.dot(normal)) > angle_tolerance) return false;
  }
  // Both sides must see the plane alike, or the joint could only close by leaving it.
  const Vec3 difference = from.rotation.transpose() * normal - to.rotation.transpose() * normal;
  const double height = normal.dot(to.position - from.position);
  return difference.norm() < angle_tolerance && std::abs(height) < tolerance::written * compiled.length;
}

Planar::Rotation flat_rotation(const Mat3& rotation) { return {rotation(0, 0), rotation(1, 0)}; }

/// Planar axes in a spatial frame that sees the plane normal as `normal`: x along the local z axis when that lies in
/// the plane (prismatic), else along the local x axis.
Mat3 planar_axes(const Vec3& normal, bool along_z) {
  const Vec3 x = along_z ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 flat = (x - normal * normal.dot(x)).normalized();
  Mat3 axes;
  axes << flat, normal.cross(flat), normal;
  return axes;
}

Anchor<Planar> flat_anchor(const Anchor<Spatial>& anchor, const Mat3& node_axes, const Mat3& frame_axes) {
  Anchor<Planar> flat;
  flat.node = anchor.node;
  flat.mount = anchor.mount;
  flat.rotation = flat_rotation(node_axes.transpose() * anchor.rotation * frame_axes);
  flat.position = (node_axes.transpose() * anchor.position).head<2>();
  return flat;
}

class Reduction {
 public:
  Reduction(Compiled& compiled, std::vector<Pose> poses, const Vec3& normal)
      : compiled_(compiled), poses_(std::move(poses)), normal_(normal) {}

  void run() {
    compiled_.plane_normal = normal_;
    compiled_.plane_axes = frame_with_z(normal_);
    compiled_.planar.emplace();
    compiled_.planar->gravity = (compiled_.plane_axes.transpose() * compiled_.mechanism.gravity).head<2>();
    reduce_nodes();
    reduce_bodies();
    for (const Cut<Spatial>& cut : compiled_.spatial.cuts) reduce_cut(cut);
    add_ties(*compiled_.planar, compiled_.spatial.ties);
  }

 private:
  const Mat3& axes_of(int node) const { return node < 0 ? compiled_.plane_axes : compiled_.lifts[node].axes; }

  void reduce_nodes() {
    for (std::size_t i = 0; i < poses_.size(); ++i) {
      const Node<Spatial>& node = compiled_.spatial.nodes[i];
      const Vec3 normal = poses_[i].rotation.transpose() * normal_;
      const Mat3 axes = planar_axes(normal, node.kind == NodeKind::prismatic);
      compiled_.lifts.push_back({axes, normal_.dot(poses_[i].position)});
      Node<Planar> flat;
      flat.kind = node.kind;
      flat.parent = node.parent;
      flat.mount = node.mount;
      flat.body = node.body;
      flat.inboard = node.inboard;
      flat.q = node.q;
      flat.v = node.v;
      flat.nv = node.nv;
      flat.sign = node.kind == NodeKind::revolute ? std::copysign(1.0, normal.z()) : 1.0;
      const Mat3& parent = axes_of(node.parent);
      flat.base_rotation = flat_rotation(parent.transpose() * node.base_rotation * axes);
      flat.base_position = (parent.transpose() * node.base_position).head<2>();
      flat.armature = node.armature;
      flat.mass = node.mass;
      flat.first = (axes.transpose() * node.first).head<2>();
      flat.second = normal.dot(node.second * normal);
      compiled_.planar->nodes.push_back(flat);
    }
  }

  void reduce_bodies() {
    Tables<Planar>& planar = *compiled_.planar;
    for (const ElasticBody<Spatial>& body : compiled_.spatial.bodies) {
      planar.bodies.push_back(elastic_body<Planar>(compiled_.mechanism.links[body.link], axes_of(body.node)));
      ElasticBody<Planar>& flat = planar.bodies.back();
      flat.node = body.node;
      flat.link = body.link;
      flat.q = body.q;
      flat.v = body.v;
      flat.mounts = body.mounts;
    }
    for (const Mount<Spatial>& mount : compiled_.spatial.mounts) {
      const ElasticBody<Spatial>& body = compiled_.spatial.bodies[mount.body];
      planar.mounts.push_back(
          elastic_mount<Planar>(compiled_.mechanism.links[body.link], mount.frame, axes_of(body.node)));
      planar.mounts.back().body = mount.body;
    }
  }

  void reduce_cut(const Cut<Spatial>& cut) {
    Tables<Planar>& planar = *compiled_.planar;
    const JointFacts& facts = compiled_.mechanism.joints[cut.joint].facts();
    const int slides = facts.distances();
    const Vec3 normal = anchor_pose(cut.from, poses_).rotation.transpose() * normal_;
    const Mat3 frame_axes = planar_axes(normal, slides == 1);
    Cut<Planar> flat;
    flat.joint = cut.joint;
    flat.from = flat_anchor(cut.from, axes_of(cut.from.node), frame_axes);
    flat.to = flat_anchor(cut.to, axes_of(cut.to.node), frame_axes);
    flat.path = cut.path;
    flat.first_row = static_cast<int>(planar.rows.size());
    flat.first_free = cut.first_free;
    const double sign = std::copysign(1.0, normal.z());
    const auto add_row = [&](RowSpec row, const char* what) {
      flat.rows.push_back(row);
      planar.rows.push_back({cut.joint, what});
    };
    if (slides == 0) {
      add_row({RowSpec::Kind::distance, 0, 0}, "distance along the first direction of the plane");
      add_row({RowSpec::Kind::distance, 1, 0}, "distance along the second direction of the plane");
    }
    if (slides == 1) add_row({RowSpec::Kind::distance, 1, 0}, "distance across the sliding axis");
    if (facts.rotations() == 0) add_row({RowSpec::Kind::dot, 1, 0}, "rotation in the plane");
    for (int k = 0; k < slides; ++k) flat.frees.push_back({FreeSpec::Kind::distance, k, k == 0 ? 1.0 : sign});
    if (facts.rotations() == 1) flat.frees.push_back({FreeSpec::Kind::turn1, 0, sign});
    planar.cuts.push_back(std::move(flat));
  }

  Compiled& compiled_;
  std::vector<Pose> poses_;
  Vec3 normal_;
};

}  // namespace

void reduce_to_plane(Compiled& compiled) {
  std::vector<Pose> poses = neutral_poses(compiled.spatial);
  const std::optional<Vec3> normal = candidate_normal(compiled.spatial, poses);
  if (!normal || !nodes_are_planar(compiled, poses, *normal)) return;
  for (const Cut<Spatial>& cut : compiled.spatial.cuts)
    if (!cut_is_planar(compiled, cut, poses, *normal)) return;
  Reduction(compiled, std::move(poses), *normal).run();
}

}  // namespace lithe::detail
