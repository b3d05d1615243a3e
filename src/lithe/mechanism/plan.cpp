#include "lithe/mechanism/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lithe/mechanism/clusters.hpp"
#include "lithe/mechanism/compiled.hpp"
#include "lithe/mechanism/couplings.hpp"
#include "lithe/mechanism/cut_closures.hpp"
#include "lithe/mechanism/joint_elements.hpp"
#include "lithe/mechanism/tree_nodes.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace detail {
namespace {

class Compiler {
 public:
  Compiler(Mechanism mechanism, PlanOptions options) {
    c_.mechanism = std::move(mechanism);
    c_.options = std::move(options);
  }

  Compiled run() {
    c_.mechanism.validate();
    complete_frames();
    add_joint_elements(c_.mechanism);
    add_element_ports();
    if (!c_.options.platform.empty()) check_platform();
    int root_joint = -1;
    if (c_.options.coordinates == Coordinates::cartesian) root_joint = add_platform_joint();
    c_.tree = build_spanning_tree(c_.mechanism, root_joint);
    place_coordinates();
    c_.lines = line_spreads(c_.mechanism);
    build_nodes(c_);
    add_inertias(c_);
    build_cuts(c_);
    measure_length();
    scale_speeds();
    build_ties(c_);
    collect_armatures();
    find_actuators(root_joint);
    collect_passive_forces();
    couple_dampers();
    c_.spatial.gravity = c_.mechanism.gravity;
    if (c_.options.planar_if_possible) reduce_to_plane(c_);
    find_clusters(c_.spatial);
    if (c_.planar) find_clusters(*c_.planar);
    return std::move(c_);
  }

 private:
  /// A frame that was added to a finished elastic link without shapes stands still in it.
  void complete_frames() {
    for (LinkData& link : c_.mechanism.links)
      for (Frame& frame : link.frames)
        for (Matrix3X* table : {&frame.shape, &frame.turn})
          if (table->cols() == 0) table->setZero(3, link.elastic.count());
  }

  /// Elements act on links as loads do. A plan may be made of the mechanism of another one, which has them already.
  void add_element_ports() {
    std::vector<LoadPort>& loads = c_.mechanism.loads;
    std::erase_if(loads, [](const LoadPort& load) { return load.of_element; });
    c_.own_loads = static_cast<int>(loads.size());
    for (const auto& element : c_.mechanism.elements)
      for (const FrameRef& frame : element->frames())
        if (frame.link > 0) loads.push_back({element->name(), frame, false, true});
  }

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
      const double rounding = detail::tolerance::written * motion.maxCoeff();
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

  void couple_dampers() {
    const CoupledDamping& damping = c_.options.damping;
    const auto count = std::ssize(damping.speeds);
    if (damping.matrix.rows() != count || damping.matrix.cols() != count)
      throw MechanismError(c_.mechanism.name, "the matrix of coupled damping does not fit its list of speeds");
    for (const std::string& name : damping.speeds) {
      const auto found = std::find(c_.speed_names.begin(), c_.speed_names.end(), name);
      if (found == c_.speed_names.end())
        throw MechanismError(
            name, fmt::format("coupled damping acts on '{}', which is not a speed of the spanning tree", name));
      c_.tree_passive.coupled.speeds.push_back(static_cast<int>(found - c_.speed_names.begin()));
    }
    c_.tree_passive.coupled.matrix = damping.matrix;
  }

  void collect_armatures() {
    for (std::size_t j = 0; j < c_.mechanism.joints.size(); ++j) {
      const std::vector<double>& armature = c_.mechanism.joints[j].armature;
      for (std::size_t k = 0; k < armature.size(); ++k)
        if (armature[k] > 0.0) c_.armatures.push_back({c_.places[j].v + static_cast<int>(k), armature[k]});
    }
    for (const Armature& armature : c_.armatures)
      c_.spatial.nodes[node_of_speed(c_, armature.v)].armature = armature.inertia;
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
int Plan::own_loads() const { return compiled_->own_loads; }
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
std::string Plan::closure_name(int closure) const {
  const int loops = static_cast<int>(cut_joints().size());
  if (closure < loops) return fmt::format("loop '{}'", loop_name(closure));
  return fmt::format("coupling '{}'", mechanism().couplings.at(closure - loops).name);
}
const std::string& Plan::speed_name(int v) const {
  return v < nv() ? compiled_->speed_names.at(v) : compiled_->cut_speed_names.at(v - nv());
}
bool Plan::slides(int v) const {
  const bool cut = v >= nv();
  for (std::size_t j = 0; j < places().size(); ++j) {
    const JointPlace& place = places()[j];
    const int k = v - (cut ? nv() : 0) - place.v;
    if (place.cut == cut && k >= 0 && k < place.nv) return mechanism().joints[j].facts().is_distance(k);
  }
  return false;
}
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
