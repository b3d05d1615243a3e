#include "support/random_mechanism.hpp"

#include <algorithm>
#include <ostream>
#include <random>
#include <string>

#include "support/random_elastic.hpp"

namespace lithe::testing {

std::ostream& operator<<(std::ostream& out, const MechanismShape& shape) {
  return out << "{seed " << shape.seed << ", loops " << shape.loops << ", branches " << shape.branches
             << (shape.planar ? ", planar" : "") << (shape.floating ? ", floating" : "")
             << (shape.gravity ? ", gravity" : "") << (shape.springs ? ", springs" : "")
             << (shape.dampers ? ", dampers" : "") << (shape.loads ? ", loads" : "")
             << (shape.elastic ? ", elastic" : "") << ", couplings " << shape.couplings << "}";
}

namespace {

/// Draws numbers; the engine is specified exactly by the standard, so a seed means the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) { engine_.discard(16); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  int below(int count) { return static_cast<int>(between(0.0, count)); }
  bool chance(double probability) { return between(0.0, 1.0) < probability; }
  Vec3 vector(double size) {
    const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 candidate = vector(1.0);
      const double length = candidate.norm();
      if (length > 0.1 && length < 1.0) return candidate / length;
    }
  }
  Quat orientation() {
    const Vec3 axis = direction();
    return Quat(Eigen::AngleAxisd(between(-2.5, 2.5), axis));
  }

 private:
  std::mt19937 engine_;
};

Mat3 turn(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

class Builder {
 public:
  explicit Builder(const MechanismShape& shape) : shape_(shape), dice_(shape.seed * 2654435761u + 97u) {
    world_ = dice_.orientation().toRotationMatrix();
    result_.mechanism.name = "random";
    result_.link_poses.push_back(Pose{});
    if (shape_.gravity) result_.mechanism.gravity = 9.81 * dice_.direction();
  }

  RandomMechanism build() {
    if (shape_.floating) {
      const int root = add_link();
      add_joint(shape_.planar ? JointType::planar : JointType::free, 0, root);
    }
    for (int ear = 0; ear < shape_.loops; ++ear) add_ear(ear == 0);
    for (int branch = 0; branch < shape_.branches; ++branch) add_branch();
    if (shape_.springs || shape_.dampers) add_springs();
    if (shape_.loads) add_loads();
    if (shape_.elastic)
      bend_links(result_, shape_.seed, shape_.planar ? Vec3(world_.col(2)) : Vec3(Vec3::Zero()), shape_.dampers);
    if (shape_.loads) add_line_loads();
    if (shape_.couplings > 0) add_rotors();
    for (int i = 0; i < shape_.couplings; ++i) add_coupling(i);
    return std::move(result_);
  }

 private:
  int link_count() const { return static_cast<int>(result_.link_poses.size()); }
  int any_link() {
    const int first = shape_.floating ? 1 : 0;
    return first + dice_.below(link_count() - first);
  }

  /// A rigid body with the inertia of a random mass distribution: the three second moments a, b, c of mass are
  /// positive.
  int add_link() {
    LinkData link;
    link.name = "link-" + std::to_string(link_count());
    link.mass = dice_.between(0.5, 3.0);
    link.centre = dice_.vector(0.3);
    const double a = link.mass * dice_.between(0.005, 0.05), b = link.mass * dice_.between(0.005, 0.05),
                 c = link.mass * dice_.between(0.005, 0.05);
    const Mat3 axes = dice_.orientation().toRotationMatrix();
    link.inertia = axes * Vec3(b + c, a + c, a + b).asDiagonal() * axes.transpose();
    link.inertia = 0.5 * (link.inertia + link.inertia.transpose()).eval();
    Pose pose;
    if (shape_.planar) {
      const double x = dice_.between(-1.0, 1.0), y = dice_.between(-1.0, 1.0);
      pose.rotation = world_ * turn(Vec3::UnitZ(), dice_.between(-3.0, 3.0));
      pose.position = world_ * Vec3(x, y, 0.0);
    } else {
      pose.rotation = dice_.orientation().toRotationMatrix();
      pose.position = dice_.vector(1.0);
    }
    result_.link_poses.push_back(pose);
    return result_.mechanism.add_link(std::move(link));
  }

  JointType draw_type() {
    if (shape_.planar) {
      static constexpr JointType types[] = {JointType::revolute, JointType::revolute,  JointType::revolute,
                                            JointType::revolute, JointType::prismatic, JointType::planar,
                                            JointType::fixed};
      return types[dice_.below(std::size(types))];
    }
    static constexpr JointType types[] = {JointType::revolute,  JointType::revolute,    JointType::revolute,
                                          JointType::revolute,  JointType::prismatic,   JointType::prismatic,
                                          JointType::universal, JointType::universal,   JointType::spherical,
                                          JointType::spherical, JointType::cylindrical, JointType::cylindrical,
                                          JointType::planar,    JointType::fixed};
    if (dice_.chance(0.02)) return JointType::free;
    return types[dice_.below(std::size(types))];
  }

  /// A chain of new links between two existing ones.
  void add_ear(bool first) {
    const int a = any_link(), b = any_link();
    const int lost = shape_.planar ? 3 : 6;
    const int wanted = lost + (first || a == b ? 1 : 0) + (dice_.chance(0.3) ? 1 : 0);
    std::vector<JointType> types;
    for (int freedoms = 0; freedoms < wanted || types.size() < 3;) {
      types.push_back(draw_type());
      freedoms += speed_count(types.back());
    }
    int last = a;
    for (std::size_t i = 0; i + 1 < types.size(); ++i) {
      const int next = add_link();
      add_joint(types[i], last, next);
      last = next;
    }
    add_joint(types.back(), last, b);
  }

  void add_branch() {
    const int root = any_link();
    const int tip = add_link();
    add_joint(draw_type(), root, tip);
  }

  VectorX draw_values(JointType type) {
    VectorX q(position_count(type));
    for (int i = 0; i < q.size(); ++i) q[i] = dice_.between(-1.0, 1.0);
    if (type == JointType::spherical || type == JointType::free) {
      const Quat turned = dice_.orientation();
      q.tail<4>() << turned.w(), turned.x(), turned.y(), turned.z();
    }
    return q;
  }

  /// Joins links a and b (in a random direction) and puts the to-frame where the joint is satisfied.
  void add_joint(JointType type, int a, int b) {
    if (dice_.chance(0.4)) std::swap(a, b);
    Mechanism& mechanism = result_.mechanism;
    const std::string number = std::to_string(mechanism.joints.size());
    Joint joint;
    joint.name = "joint-" + number;
    joint.type = type;

    Pose from;
    from.rotation = dice_.orientation().toRotationMatrix();
    from.position = dice_.vector(0.4);
    joint.from = mechanism.add_frame(a, "from-" + number, from);
    const Pose from_in_ground = result_.link_poses[a] * from;
    joint.axis = shape_.planar ? planar_axis(type, from_in_ground) : dice_.direction();
    joint.axis2 = joint.axis.cross(dice_.direction()).normalized();

    const VectorX q = draw_values(type);
    const Pose to = result_.link_poses[b].inverse() * from_in_ground * joint_transformation(joint, q);
    joint.to = mechanism.add_frame(b, "to-" + number, to);

    // The joint that only places a floating mechanism carries no force.
    const bool passes_force = !(shape_.floating && mechanism.joints.empty());
    const int speeds = passes_force ? speed_count(type) : 0;
    for (int i = 0; i < speeds; ++i) joint.actuated.push_back(dice_.chance(0.3));
    if (passes_force && shape_.springs && dice_.chance(0.5)) add_joint_spring(joint);
    if (shape_.dampers && dice_.chance(0.5))
      for (int i = 0; i < speeds; ++i) joint.damping.push_back(dice_.between(0.0, 2.0));
    mechanism.add_joint(joint);
    result_.joint_values.push_back(q);
  }

  /// In a plane: revolute and planar joints about the normal (either way), prismatic ones across it.
  Vec3 planar_axis(JointType type, const Pose& from_in_ground) {
    Vec3 axis = dice_.chance(0.5) ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
    if (type == JointType::prismatic) axis = turn(Vec3::UnitZ(), dice_.between(-3.0, 3.0)) * Vec3::UnitX();
    return (from_in_ground.rotation.transpose() * world_ * axis).normalized();
  }

  /// Springs on rotation vectors are isotropic and have no rest angle.
  void add_joint_spring(Joint& joint) {
    const int speeds = speed_count(joint.type);
    const int scalars = joint.type == JointType::spherical ? 0 : joint.type == JointType::free ? 3 : speeds;
    const double isotropic = dice_.between(1.0, 20.0);
    for (int i = 0; i < speeds; ++i) {
      joint.stiffness.push_back(i < scalars ? dice_.between(0.0, 20.0) : isotropic);
      joint.rest.push_back(i < scalars ? dice_.between(-0.5, 0.5) : 0.0);
    }
  }

  FrameRef any_frame(int link) {
    return {link, dice_.below(static_cast<int>(result_.mechanism.links[link].frames.size()))};
  }

  void add_springs() {
    for (int i = 0; i < 2 && link_count() > 2; ++i) {
      const int a = any_link();
      int b = a;
      while (b == a) b = any_link();
      PointSpring spring;
      spring.name = "spring-" + std::to_string(i);
      spring.a = any_frame(a);
      spring.b = any_frame(b);
      spring.stiffness = shape_.springs ? dice_.between(1.0, 30.0) : 0.0;
      spring.damping = shape_.dampers ? dice_.between(0.0, 2.0) : 0.0;
      spring.rest = dice_.between(0.0, 0.5);
      // A spring of length zero pulls in no direction; the frames of one joint may coincide.
      const Vec3 span = origin_in_ground(spring.b) - origin_in_ground(spring.a);
      if (span.norm() > 0.2) result_.mechanism.springs.push_back(spring);
    }
  }

  Vec3 origin_in_ground(FrameRef frame) const {
    return result_.link_poses[frame.link] * result_.mechanism.links[frame.link].frames[frame.frame].pose.position;
  }

  void add_loads() {
    for (int i = 0; i < 2; ++i) {
      LoadPort port;
      port.name = "load-" + std::to_string(i);
      port.at = any_frame(link_count() > 1 ? 1 + dice_.below(link_count() - 1) : 0);
      port.in_frame_axes = dice_.chance(0.5);
      result_.mechanism.loads.push_back(port);
    }
  }

  /// One along one link, one along two: over a part of the axis of an elastic link, between two points of a rigid one.
  void add_line_loads() {
    if (link_count() < 2) return;
    for (int i = 0; i < 2; ++i) {
      LineLoad load;
      load.name = "line-" + std::to_string(i);
      load.in_link_axes = dice_.chance(0.5);
      for (int part = 0; part <= i; ++part) {
        const int link = 1 + dice_.below(link_count() - 1);
        const double length = result_.mechanism.links[link].axis.length;
        const double from = dice_.between(0.0, 0.5), to = dice_.between(0.6, 1.0);
        const Vec3 start = dice_.vector(0.3);
        if (length > 0)
          load.parts.push_back({link, AxisStretch{from * length, to * length}});
        else
          load.parts.push_back({link, StraightLine{start, start + dice_.direction()}});
      }
      result_.mechanism.line_loads.push_back(load);
    }
  }

  static int scalars(const Joint& joint) {
    return joint.type == JointType::spherical ? 0 : joint.type == JointType::free ? 3 : speed_count(joint.type);
  }

  /// Every second joint may have rotors and couplings: not the one that places a floating mechanism, and not all of a
  /// loop, since a loop contains all joints of one of its ears at least.
  void add_rotors() {
    for (std::size_t j = 1; j < result_.mechanism.joints.size(); j += 2) {
      Joint& joint = result_.mechanism.joints[j];
      if (scalars(joint) == 0 || !dice_.chance(0.5)) continue;
      joint.armature.assign(speed_count(joint.type), 0.0);
      for (int i = 0; i < scalars(joint); ++i) joint.armature[i] = dice_.between(0.0, 0.5);
    }
  }

  void add_coupling(int number) {
    Coupling coupling;
    coupling.name = "coupling-" + std::to_string(number);
    const int terms = dice_.chance(0.7) ? 2 : 3;
    for (int attempt = 0; attempt < 20 && static_cast<int>(coupling.terms.size()) < terms; ++attempt) {
      const int j = 2 * dice_.below(static_cast<int>(result_.mechanism.joints.size()) / 2) + 1;
      const int count = scalars(result_.mechanism.joints[j]);
      const CoordinateRef coordinate{j, dice_.below(std::max(1, count))};
      const double factor = (dice_.chance(0.5) ? 1.0 : -1.0) * dice_.between(0.3, 3.0);
      const bool is_there = std::any_of(coupling.terms.begin(), coupling.terms.end(),
                                        [&](const Coupling::Term& term) { return term.coordinate == coordinate; });
      if (count == 0 || is_there) continue;
      coupling.terms.push_back({coordinate, factor});
      coupling.offset += factor * result_.joint_values[j][coordinate.coordinate];
    }
    if (!coupling.terms.empty()) result_.mechanism.couplings.push_back(coupling);
  }

  MechanismShape shape_;
  Dice dice_;
  Mat3 world_;  ///< tilt of the plane of planar mechanisms
  RandomMechanism result_;
};

}  // namespace

Pose joint_transformation(const Joint& joint, const VectorX& q) {
  Pose pose;
  switch (joint.type) {
    case JointType::revolute:
      pose.rotation = turn(joint.axis, q[0]);
      break;
    case JointType::prismatic:
      pose.position = q[0] * joint.axis;
      break;
    case JointType::cylindrical:
      pose.rotation = turn(joint.axis, q[0]);
      pose.position = q[1] * joint.axis;
      break;
    case JointType::universal:
      pose.rotation = turn(joint.axis, q[0]) * turn(joint.axis2, q[1]);
      break;
    case JointType::spherical:
      pose.rotation = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
      break;
    case JointType::planar: {
      const Mat3 axes = frame_with_z(joint.axis);
      pose.position = q[0] * axes.col(0) + q[1] * axes.col(1);
      pose.rotation = turn(joint.axis, q[2]);
      break;
    }
    case JointType::fixed:
      break;
    case JointType::free:
      pose.position = q.head<3>();
      pose.rotation = Quat(q[3], q[4], q[5], q[6]).toRotationMatrix();
      break;
  }
  return pose;
}

RandomMechanism make_mechanism(const MechanismShape& shape) { return Builder(shape).build(); }

VectorX known_coordinates(const Plan& plan, const RandomMechanism& random) {
  VectorX q = plan.neutral();
  for (std::size_t j = 0; j < random.joint_values.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    if (!place.cut) q.segment(place.q, place.nq) = random.joint_values[j];
  }
  for (std::size_t i = 0; i < random.elastic_values.size(); ++i)
    q.segment(plan.elastic_places()[i].q, random.elastic_values[i].size()) = random.elastic_values[i];
  return q;
}

VectorX known_cut_coordinates(const Plan& plan, const RandomMechanism& random) {
  VectorX q(plan.cut_nq());
  for (std::size_t j = 0; j < random.joint_values.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    if (place.cut) q.segment(place.q, place.nq) = random.joint_values[j];
  }
  return q;
}

VectorX random_vector(std::uint32_t seed, int length, double size) {
  Dice dice(seed * 40503u + 12345u);
  VectorX values(length);
  for (int i = 0; i < length; ++i) values[i] = dice.between(-size, size);
  return values;
}

}  // namespace lithe::testing
