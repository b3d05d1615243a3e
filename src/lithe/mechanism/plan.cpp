#include "lithe/mechanism/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lithe/mechanism/compiled.hpp"
#include "lithe/mechanism/elastic_tables.hpp"

namespace lithe {

namespace detail {
namespace {

/// One elementary motion of a joint: which of its speeds, about or along which axis of the joint frame.
struct Elementary {
  NodeKind kind;
  int speed;
  Vec3 axis;
};

/// The elementary motions of a joint in the order from parent to child.
std::vector<Elementary> elementary_motions(const Joint& joint, bool reversed) {
  const Mat3 aligned = frame_with_z(joint.axis);
  std::vector<Elementary> motions;
  switch (joint.type) {
    case JointType::revolute:
      motions = {{NodeKind::revolute, 0, joint.axis}};
      break;
    case JointType::prismatic:
      motions = {{NodeKind::prismatic, 0, joint.axis}};
      break;
    case JointType::cylindrical:
      motions = {{NodeKind::revolute, 0, joint.axis}, {NodeKind::prismatic, 1, joint.axis}};
      break;
    case JointType::universal:
      motions = {{NodeKind::revolute, 0, joint.axis}, {NodeKind::revolute, 1, joint.axis2}};
      break;
    case JointType::spherical:
      motions = {{NodeKind::spherical, 0, Vec3::UnitZ()}};
      break;
    case JointType::planar:
      motions = {{NodeKind::prismatic, 0, aligned.col(0)},
                 {NodeKind::prismatic, 1, aligned.col(1)},
                 {NodeKind::revolute, 2, joint.axis}};
      break;
    case JointType::fixed:
      break;
    case JointType::free:
      motions = {{NodeKind::prismatic, 0, Vec3::UnitX()},
                 {NodeKind::prismatic, 1, Vec3::UnitY()},
                 {NodeKind::prismatic, 2, Vec3::UnitZ()},
                 {NodeKind::spherical, 3, Vec3::UnitZ()}};
      break;
  }
  if (reversed) {
    // Seen from the to-link the same motions happen in the opposite order and against their axes.
    std::reverse(motions.begin(), motions.end());
    for (Elementary& motion : motions)
      if (motion.kind != NodeKind::spherical) motion.axis = -motion.axis;
  }
  return motions;
}

std::string axis_name(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(axis[k]) - 1.0) < 1e-12) return std::string(1, "xyz"[k]);
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", axis.x(), axis.y(), axis.z());
}

class Compiler {
 public:
  Compiler(Mechanism mechanism, PlanOptions options) {
    c_.mechanism = std::move(mechanism);
    c_.options = std::move(options);
  }

  Compiled run() {
    c_.mechanism.validate();
    if (!c_.options.platform.empty()) check_platform();
    int root_joint = -1;
    if (c_.options.coordinates == Coordinates::cartesian) root_joint = add_platform_joint();
    c_.tree = build_spanning_tree(c_.mechanism, root_joint);
    place_coordinates();
    c_.lines = line_spreads(c_.mechanism);
    build_nodes();
    add_inertias();
    build_cuts();
    measure_length();
    scale_speeds();
    find_actuators(root_joint);
    collect_passive_forces();
    c_.spatial.gravity = c_.mechanism.gravity;
    if (c_.options.planar_if_possible) reduce_to_plane(c_);
    return std::move(c_);
  }

 private:
  void check_platform() const {
    if (c_.mechanism.find_link(c_.options.platform) <= 0)
      throw MechanismError(c_.options.platform,
                           fmt::format("the platform '{}' is not a link of this mechanism", c_.options.platform));
  }

  /// Hangs the platform on a joint of its own: planar when the mechanism moves in a plane, else free.
  int add_platform_joint() {
    if (c_.options.platform.empty())
      throw MechanismError("platform", "cartesian coordinates need the name of the platform link (key 'platform')");
    const int link = c_.mechanism.find_link(c_.options.platform);
    PlanOptions plain = c_.options;
    plain.coordinates = Coordinates::joint;
    plain.planar_if_possible = true;
    const Compiled flat = Compiler(c_.mechanism, plain).run();
    const std::string name = c_.options.platform + ".free";
    Joint joint;
    joint.name = name;
    Pose on_ground, on_platform;
    joint.type = JointType::free;
    if (flat.planar) {
      joint.type = JointType::planar;
      on_ground = {flat.plane_axes, Vec3::Zero()};
      const LinkPlace& place = flat.links[link];
      if (place.node < 0)
        throw MechanismError(c_.options.platform,
                             fmt::format("the platform '{}' is fixed to the ground", c_.options.platform));
      on_ground.position = flat.plane_normal * neutral_height(flat, place);
      // Angle zero: the link axes stand as the plane axes do.
      on_platform.rotation = frame_with_z(place.pose.rotation.transpose() * flat.lifts[place.node].axes.col(2));
    }
    joint.from = c_.mechanism.add_frame(0, name, on_ground);
    joint.to = c_.mechanism.add_frame(link, name, on_platform);
    return c_.mechanism.add_joint(joint);
  }

  static double neutral_height(const Compiled& flat, const LinkPlace& place) {
    const Vec3 normal = flat.lifts[place.node].axes.col(2);
    return flat.lifts[place.node].height + normal.dot(place.pose.position);
  }

  void place_coordinates() {
    c_.places.resize(c_.mechanism.joints.size());
    const auto place = [&](int j, bool cut, int& nq, int& nv, std::vector<std::string>& names) {
      const Joint& joint = c_.mechanism.joints[j];
      JointPlace& p = c_.places[j];
      p = {cut, nq, position_count(joint.type), nv, speed_count(joint.type)};
      nq += p.nq;
      nv += p.nv;
      for (int k = 0; k < p.nv; ++k) names.push_back(p.nv == 1 ? joint.name : fmt::format("{}.{}", joint.name, k));
    };
    for (const TreeEdge& edge : c_.tree.edges) {
      place(edge.joint, false, c_.nq, c_.nv, c_.speed_names);
      const JointPlace& p = c_.places[edge.joint];
      if (p.nq == p.nv) continue;
      c_.quaternions.push_back(p.q + p.nq - 4);
      c_.quaternion_speeds.push_back(p.v + p.nv - 3);
    }
    c_.joint_nv = c_.nv;
    for (const LinkData& link : c_.mechanism.links) {
      c_.elastic.push_back({c_.nq, c_.nv, link.elastic.count()});
      c_.nq += link.elastic.count();
      c_.nv += link.elastic.count();
      if (link.elastic.count() > 0 && link.elastic.stiffening == Stiffening::stress)
        c_.stressed.push_back(static_cast<int>(c_.elastic.size()) - 1);
      for (int k = 1; k <= link.elastic.count(); ++k) c_.speed_names.push_back(fmt::format("{}.e{}", link.name, k));
    }
    for (std::size_t k = 0; k < c_.tree.cuts.size(); ++k) {
      place(c_.tree.cuts[k], true, c_.cut_nq, c_.cut_nv, c_.cut_speed_names);
      std::vector<std::string> names;
      for (int j : c_.tree.loops[k]) names.push_back(c_.mechanism.joints[j].name);
      c_.loop_names.push_back(fmt::format("{}", fmt::join(names, ", ")));
    }
  }

  static bool moves(const Frame& frame) { return frame.shape.norm() + frame.turn.norm() > 0.0; }

  const Pose& frame(FrameRef ref) const { return c_.mechanism.links[ref.link].frames[ref.frame].pose; }

  void build_nodes() {
    c_.links.assign(c_.mechanism.links.size(), LinkPlace{});
    for (const TreeEdge& edge : c_.tree.edges) {
      const Joint& joint = c_.mechanism.joints[edge.joint];
      const FrameRef near = edge.reversed ? joint.to : joint.from, far = edge.reversed ? joint.from : joint.to;
      LinkPlace at = c_.links[edge.parent];
      at.pose = at.pose * frame(near);
      int mount = mount_at(near);
      const JointPlace& place = c_.places[edge.joint];
      for (const Elementary& motion : elementary_motions(joint, edge.reversed)) {
        const Pose aligned{frame_with_z(motion.axis), Vec3::Zero()};
        Node<Spatial>& node = add_node(motion.kind, at.node, std::exchange(mount, -1), at.pose * aligned);
        node.reversed = edge.reversed;
        node.q = place.q + motion.speed;
        node.v = place.v + motion.speed;
        node.nv = motion.kind == NodeKind::spherical ? 3 : 1;
        at = {static_cast<int>(c_.spatial.nodes.size()) - 1, aligned.inverse()};
      }
      if (c_.mechanism.links[edge.child].elastic.count() > 0) {
        c_.links[edge.child] = add_elastic_node(edge.child, far, at, mount);
        continue;
      }
      if (mount >= 0) {  // welded to an elastic link
        add_node(NodeKind::fixed, at.node, mount, at.pose).nv = 0;
        at = {static_cast<int>(c_.spatial.nodes.size()) - 1, Pose{}};
      }
      at.pose = at.pose * frame(far).inverse();
      c_.links[edge.child] = at;
    }
  }

  Node<Spatial>& add_node(NodeKind kind, int parent, int mount, const Pose& base) {
    Node<Spatial> node;
    node.kind = kind;
    node.parent = parent;
    node.mount = mount;
    node.base_rotation = base.rotation;
    node.base_position = base.position;
    if (mount >= 0) node.base_position -= c_.spatial.mounts[mount].position;
    node.second.setZero();
    c_.spatial.nodes.push_back(node);
    return c_.spatial.nodes.back();
  }

  /// Node of the elastic link `link`, held at its frame `far`, which stands at `at`.
  LinkPlace add_elastic_node(int link, FrameRef far, const LinkPlace& at, int mount) {
    const ElasticPlace& place = c_.elastic[link];
    const int index = static_cast<int>(c_.spatial.nodes.size()), body = static_cast<int>(c_.spatial.bodies.size());
    const Pose turned = at.pose * Pose{frame(far).rotation.transpose(), Vec3::Zero()};
    Node<Spatial>& node = add_node(NodeKind::elastic, at.node, mount, turned);
    node.q = place.q;
    node.v = place.v;
    node.nv = place.count;
    node.body = body;
    c_.spatial.bodies.push_back(elastic_body<Spatial>(c_.mechanism.links[link], Mat3::Identity()));
    ElasticBody<Spatial>& data = c_.spatial.bodies.back();
    data.node = index;
    data.link = link;
    data.q = place.q;
    data.v = place.v;
    c_.links[link] = {index, Pose{}};
    if (moves(c_.mechanism.links[link].frames[far.frame]))
      node.inboard = mount_at(far);
    else
      node.base_position -= turned.rotation * frame(far).position;
    return {index, Pose{}};
  }

  /// The mount at a frame of an elastic link (made when new); -1 on a rigid link.
  int mount_at(FrameRef ref) {
    const LinkPlace& place = c_.links[ref.link];
    const LinkData& link = c_.mechanism.links[ref.link];
    if (link.elastic.count() == 0 || place.node < 0) return -1;
    const int body = c_.spatial.nodes[place.node].body;
    for (int mount : c_.spatial.bodies[body].mounts)
      if (c_.spatial.mounts[mount].frame == ref.frame) return mount;
    c_.spatial.mounts.push_back(elastic_mount<Spatial>(link, ref.frame, Mat3::Identity()));
    c_.spatial.mounts.back().body = body;
    c_.spatial.bodies[body].mounts.push_back(static_cast<int>(c_.spatial.mounts.size()) - 1);
    return c_.spatial.bodies[body].mounts.back();
  }

  void add_inertias() {
    for (std::size_t i = 1; i < c_.mechanism.links.size(); ++i) {
      const LinkData& link = c_.mechanism.links[i];
      const LinkPlace& place = c_.links[i];
      if (place.node < 0) continue;  // fixed to the ground
      Node<Spatial>& node = c_.spatial.nodes[place.node];
      const Vec3 centre = place.pose * link.centre;
      const Mat3 cross = skew(centre);
      node.mass += link.mass;
      node.first += link.mass * centre;
      node.second += place.pose.rotation * link.inertia * place.pose.rotation.transpose() - link.mass * cross * cross;
    }
  }

  void build_cuts() {
    int first_free = 0;
    for (int j : c_.tree.cuts) {
      const Joint& joint = c_.mechanism.joints[j];
      Cut<Spatial> cut;
      cut.joint = j;
      cut.first_row = static_cast<int>(c_.spatial.rows.size());
      cut.first_free = first_free;
      first_free += speed_count(joint.type);
      const bool own_axes = joint.type == JointType::spherical || joint.type == JointType::free;
      const Mat3 aligned = own_axes ? Mat3(Mat3::Identity()) : frame_with_z(joint.axis);
      cut.from = anchor(joint.from, aligned);
      cut.to = anchor(joint.to, joint.type == JointType::universal ? frame_with_z(joint.axis2) : aligned);
      add_closure_rows(joint, aligned, cut);
      add_free_directions(joint.type, cut);
      add_path(cut);
      c_.spatial.cuts.push_back(std::move(cut));
    }
  }

  Anchor<Spatial> anchor(FrameRef ref, const Mat3& aligned) {
    const LinkPlace& place = c_.links[ref.link];
    const Pose pose = place.pose * frame(ref);
    return {place.node, mount_at(ref), pose.rotation * aligned, pose.position};
  }

  void add_closure_rows(const Joint& joint, const Mat3& aligned, Cut<Spatial>& cut) {
    const auto add = [&](RowSpec row, const char* what, int axis) {
      cut.rows.push_back(row);
      c_.spatial.rows.push_back({cut.joint, fmt::format("{} {}", what, axis_name(aligned.col(axis)))});
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
        c_.spatial.rows.push_back({cut.joint, "rotation across both axes"});
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

  static void add_free_directions(JointType type, Cut<Spatial>& cut) {
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

  void add_path(Cut<Spatial>& cut) const {
    const auto to_ground = [&](const Anchor<Spatial>& anchor) {
      std::vector<PathNode> path;
      int exit = anchor.mount;
      for (int node = anchor.node; node >= 0; node = c_.spatial.nodes[node].parent) {
        path.push_back({node, 1.0, exit, c_.spatial.nodes[node].inboard});
        exit = c_.spatial.nodes[node].mount;
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
      add_step(step, cut);
    }
    for (const PathNode& step : to) add_step(step, cut);
    if (common.node >= 0 && common.exit != common.entry) add_step(common, cut);
  }

  void add_step(const PathNode& step, Cut<Spatial>& cut) const {
    if (c_.spatial.nodes[step.node].kind == NodeKind::fixed) return;
    cut.path.push_back(step);
  }

  /// Root mean square of the distances between joints and mass centres.
  void measure_length() {
    double sum = 0.0;
    int count = 0;
    const auto add = [&](const Vec3& distance) {
      if (distance.squaredNorm() == 0.0) return;
      sum += distance.squaredNorm();
      ++count;
    };
    for (const Node<Spatial>& node : c_.spatial.nodes) {
      if (node.parent >= 0) add(node.base_position);
      if (node.mass > 0) add(node.first / node.mass);
    }
    for (const Cut<Spatial>& cut : c_.spatial.cuts) {
      if (cut.from.node >= 0) add(cut.from.position);
      if (cut.to.node >= 0) add(cut.to.position);
    }
    for (const Mount<Spatial>& mount : c_.spatial.mounts) add(mount.position);
    c_.length = count > 0 ? std::sqrt(sum / count) : 1.0;
  }

  void scale_speeds() {
    c_.speed_scale = VectorX::Ones(c_.nv);
    for (const Node<Spatial>& node : c_.spatial.nodes) {
      if (node.kind == NodeKind::prismatic) c_.speed_scale[node.v] = c_.length;
      if (node.kind != NodeKind::elastic) continue;
      VectorX motion = VectorX::Zero(node.nv);  // of the frame that moves most, per unit of each coordinate
      for (const Frame& f : c_.mechanism.links[c_.spatial.bodies[node.body].link].frames)
        for (int k = 0; k < node.nv; ++k)
          motion[k] = std::max({motion[k], f.shape.col(k).norm() / c_.length, f.turn.col(k).norm()});
      // Coordinates of nodes without a frame move none, up to rounding.
      const double rounding = 1e-9 * motion.maxCoeff();
      for (int k = 0; k < node.nv; ++k) c_.speed_scale[node.v + k] = motion[k] > rounding ? 1.0 / motion[k] : c_.length;
    }
  }

  void find_actuators(int root_joint) {
    for (std::size_t j = 0; j < c_.mechanism.joints.size(); ++j) {
      const std::vector<bool>& actuated = c_.mechanism.joints[j].actuated;
      const JointPlace& place = c_.places[j];
      for (std::size_t k = 0; k < actuated.size(); ++k) {
        if (!actuated[k]) continue;
        const int speed = place.v + static_cast<int>(k);
        c_.actuated.push_back(place.cut ? c_.nv + speed : speed);
        if (!place.cut && root_joint < 0) c_.preferred.push_back(speed);
      }
    }
    if (root_joint >= 0)
      for (int k = 0; k < c_.places[root_joint].nv; ++k) c_.preferred.push_back(c_.places[root_joint].v + k);
  }

  void collect_passive_forces() {
    for (std::size_t j = 0; j < c_.mechanism.joints.size(); ++j) {
      const Joint& joint = c_.mechanism.joints[j];
      const JointPlace& place = c_.places[j];
      if (joint.stiffness.empty() && joint.damping.empty()) continue;
      PassiveForces& forces = place.cut ? c_.cut_passive : c_.tree_passive;
      const auto entry = [](const std::vector<double>& values, int k) { return values.empty() ? 0.0 : values[k]; };
      const bool has_rotation = place.nq != place.nv;
      const int scalars = has_rotation ? place.nv - 3 : place.nv;
      for (int k = 0; k < scalars; ++k)
        forces.scalars.push_back(
            {place.q + k, place.v + k, entry(joint.stiffness, k), entry(joint.rest, k), entry(joint.damping, k)});
      if (has_rotation)
        forces.rotations.push_back({place.q + scalars, place.v + scalars, entry(joint.stiffness, scalars),
                                    Vec3(entry(joint.damping, scalars), entry(joint.damping, scalars + 1),
                                         entry(joint.damping, scalars + 2))});
    }
  }

  Compiled c_;
};

}  // namespace
}  // namespace detail

Plan::Plan(Mechanism mechanism, PlanOptions options)
    : compiled_(
          std::make_unique<const detail::Compiled>(detail::Compiler(std::move(mechanism), std::move(options)).run())) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

const Mechanism& Plan::mechanism() const { return compiled_->mechanism; }
const PlanOptions& Plan::options() const { return compiled_->options; }
int Plan::nq() const { return compiled_->nq; }
int Plan::nv() const { return compiled_->nv; }
int Plan::cut_nq() const { return compiled_->cut_nq; }
int Plan::cut_nv() const { return compiled_->cut_nv; }
int Plan::closure_count() const { return static_cast<int>(closure_rows().size()); }
const std::vector<JointPlace>& Plan::places() const { return compiled_->places; }
const std::vector<ElasticPlace>& Plan::elastic_places() const { return compiled_->elastic; }
bool Plan::is_elastic() const { return !compiled_->spatial.bodies.empty(); }
bool Plan::has_stress_stiffening() const { return !compiled_->stressed.empty(); }
bool Plan::is_bending(int v) const { return v >= compiled_->joint_nv; }
double Plan::speed_scale(int v) const { return compiled_->speed_scale[v]; }
const std::vector<int>& Plan::cut_joints() const { return compiled_->tree.cuts; }
const std::string& Plan::loop_name(int cut) const { return compiled_->loop_names.at(cut); }
const std::vector<int>& Plan::loop_joints(int cut) const { return compiled_->tree.loops.at(cut); }
const std::vector<ClosureRow>& Plan::closure_rows() const {
  return compiled_->planar ? compiled_->planar->rows : compiled_->spatial.rows;
}
const std::string& Plan::speed_name(int v) const { return compiled_->speed_names.at(v); }
const std::string& Plan::cut_speed_name(int v) const { return compiled_->cut_speed_names.at(v); }
const std::vector<int>& Plan::actuated_speeds() const { return compiled_->actuated; }
bool Plan::is_planar() const { return compiled_->planar.has_value(); }
Vec3 Plan::plane_normal() const { return compiled_->plane_normal; }
double Plan::characteristic_length() const { return compiled_->length; }

VectorX Plan::neutral() const {
  VectorX q = VectorX::Zero(nq());
  for (int start : compiled_->quaternions) q[start] = 1.0;
  return q;
}

}  // namespace lithe
