#include "lithe/kinematics/lift.hpp"

#include <cassert>

#include "lithe/kinematics/coordinates.hpp"

namespace lithe::detail {

Pose node_pose(const Kernel<Spatial>& k, int node) {
  if (node < 0) return {};
  return {k.nodes[node].world_rotation, k.nodes[node].world_position};
}

Pose node_pose(const Kernel<Planar>& k, int node) {
  if (node < 0) return {};
  const Compiled& plan = k.compiled;
  const NodeState<Planar>& s = k.nodes[node];
  Mat3 turn;
  turn << s.world_rotation.c, -s.world_rotation.s, 0, s.world_rotation.s, s.world_rotation.c, 0, 0, 0, 1;
  const Vec3 position(s.world_position.x(), s.world_position.y(), plan.lifts[node].height);
  return {plan.plane_axes * turn * plan.lifts[node].axes.transpose(), plan.plane_axes * position};
}

NodeMotion node_motion(const Kernel<Spatial>& k, int node) {
  assert(k.stage >= MotionStage::velocity);
  if (node < 0) return {};
  const NodeState<Spatial>& s = k.nodes[node];
  return {s.world_rotation * s.omega, s.world_rotation * s.velocity, s.world_rotation * s.alpha,
          s.world_rotation * s.acceleration + k.tables.gravity};
}

NodeMotion node_motion(const Kernel<Planar>& k, int node) {
  assert(k.stage >= MotionStage::velocity);
  if (node < 0) return {};
  const NodeState<Planar>& s = k.nodes[node];
  const auto lift = [&](const Eigen::Vector2d& local, const Eigen::Vector2d& add) -> Vec3 {
    const Eigen::Vector2d flat = Planar::turn(s.world_rotation, local) + add;
    return k.compiled.plane_axes.leftCols<2>() * flat;
  };
  const Vec3& normal = k.compiled.plane_normal;
  return {normal * s.omega, lift(s.velocity, Eigen::Vector2d::Zero()), normal * s.alpha,
          lift(s.acceleration, k.tables.gravity)};
}

void add_load(Kernel<Spatial>& k, int node, const Vec3& point, const Vec3& force, const Vec3& moment) {
  if (node < 0) return;
  NodeState<Spatial>& s = k.nodes[node];
  s.load_force += s.world_rotation.transpose() * force;
  s.load_moment += s.world_rotation.transpose() * (moment + (point - s.world_position).cross(force));
}

void add_load(Kernel<Planar>& k, int node, const Vec3& point, const Vec3& force, const Vec3& moment) {
  if (node < 0) return;
  NodeState<Planar>& s = k.nodes[node];
  const Mat3& axes = k.compiled.plane_axes;
  const Eigen::Vector2d flat_force = (axes.transpose() * force).head<2>();
  const Eigen::Vector2d arm = (axes.transpose() * point).head<2>() - s.world_position;
  s.load_force += Planar::turn_back(s.world_rotation, flat_force);
  s.load_moment += axes.col(2).dot(moment) + Planar::moment(arm, flat_force);
}

namespace {

/// Does the second-order displacement belong to the kinematics of the frame? With Stiffening::stress it does not: there
/// it only says what axial forces do.
bool shortens(const LinkData& link, const Frame& frame) {
  return link.elastic.stiffening == Stiffening::consistent && frame.foreshortening[0].size() > 0;
}

}  // namespace

FrameDeformation::FrameDeformation(const LinkData& link, int frame, const Eigen::Ref<const VectorX>& eta)
    : frame_(link.frames[frame]),
      shortens_(shortens(link, frame_)),
      eta_(eta),
      angle_(frame_.turn * eta),
      jacobian_(Spatial::turn_jacobian(angle_)) {}

Pose deformed(const LinkData& link, int frame, const Eigen::Ref<const VectorX>& eta) {
  return eta.size() == 0 ? link.frames[frame].pose : FrameDeformation(link, frame, eta).pose();
}

Pose FrameDeformation::pose() const {
  Pose pose = frame_.pose;
  pose.position += frame_.shape * eta_;
  if (shortens_)
    for (int a = 0; a < 3; ++a) pose.position[a] -= 0.5 * quadratic_form(frame_.foreshortening[a], eta_);
  pose.rotation = rotation_from_vector(angle_) * pose.rotation;
  return pose;
}

Vec3 FrameDeformation::shape(Eigen::Index j) const {
  Vec3 column = frame_.shape.col(j);
  if (shortens_)
    for (int a = 0; a < 3; ++a) column[a] -= frame_.foreshortening[a].col(j).dot(eta_);
  return column;
}

Vec3 FrameDeformation::slide(const VectorX& rate) const {
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index j = 0; j < rate.size(); ++j) sum += rate[j] * shape(j);
  return sum;
}

Vec3 FrameDeformation::spin(const VectorX& rate) const { return jacobian_ * Vec3(frame_.turn * rate); }

Vec3 FrameDeformation::slide_bias(const VectorX& rate) const {
  Vec3 bias = Vec3::Zero();
  if (shortens_)
    for (int a = 0; a < 3; ++a) bias[a] = -quadratic_form(frame_.foreshortening[a], rate);
  return bias;
}

Vec3 FrameDeformation::spin_bias(const VectorX& rate) const { return Spatial::turn_bias(angle_, frame_.turn * rate); }

template <class S>
void cut_coordinates_from_world(const Kernel<S>& k, VectorX& cut_q) {
  for (int j : k.compiled.tree.cuts) {
    const Joint& joint = k.compiled.mechanism.joints[j];
    const Pose relative = frame_pose(k, joint.from).inverse() * frame_pose(k, joint.to);
    coordinates_from_pose(joint, relative, cut_q.data() + k.compiled.places[j].q);
  }
}

template void cut_coordinates_from_world(const Kernel<Spatial>&, VectorX&);
template void cut_coordinates_from_world(const Kernel<Planar>&, VectorX&);

}  // namespace lithe::detail
