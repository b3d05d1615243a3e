// Newton's and Euler's laws, link by link and for the whole, written out here in ground axes.

#include "properties/link_momentum.hpp"

namespace lithe::testing {
namespace {

/// Force, and moment about the ground origin.
struct Balance {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double scale = 1.0;  ///< sum of the magnitudes that went in

  void add(const Vec3& f, const Vec3& at, const Vec3& m = Vec3::Zero(), double sign = 1.0) {
    const Vec3 about_origin = at.cross(f) + m;
    force += sign * f;
    moment += sign * about_origin;
    scale += f.norm() + about_origin.norm();
  }
  double error() const { return std::max(force.norm(), moment.norm()) / scale; }
};

/// The same for an elastic link, whose rate of momentum is taken by differences (fourth order) along the motion.
void add_elastic_inertia(Subject& subject, const VectorX& a, int link, Balance& balance) {
  const auto at = [&](double h) {
    State there = subject.state;
    move_coordinates(subject.plan, VectorX(h * subject.state.v), there.q);
    there.v += h * a;
    return link_momentum(subject, there, link);
  };
  const double h = 1e-3 / std::max(1.0, std::sqrt(a.cwiseAbs().maxCoeff()));
  const LinkMomentum m1 = at(-2 * h), m2 = at(-h), p2 = at(h), p1 = at(2 * h);
  const Vec3 force = (8.0 * (p2.linear - m2.linear) - (p1.linear - m1.linear)) / (12.0 * h);
  const Vec3 moment = (8.0 * (p2.angular - m2.angular) - (p1.angular - m1.angular)) / (12.0 * h);
  balance.add(force, Vec3::Zero(), moment, -1.0);
  const Vec3& gravity = subject.plan.mechanism().gravity;
  balance.add(subject.plan.mechanism().links[link].mass * gravity, Vec3::Zero(),
              link_momentum(subject, subject.state, link).weight_arm.cross(gravity));
}

/// Subtracts the rate of momentum of a link and adds its weight.
void add_inertia(Subject& subject, const VectorX& a, int link, Balance& balance) {
  const LinkData& data = subject.plan.mechanism().links[link];
  if (data.elastic.count() > 0) return add_elastic_inertia(subject, a, link, balance);
  const Pose pose = frame_pose(subject.plan, subject.work, subject.state.q, {link, 0});
  const Vec3 omega = frame_velocity(subject.plan, subject.work, subject.state, {link, 0}).angular;
  const Twist rate = frame_acceleration(subject.plan, subject.work, subject.state, a, {link, 0});
  const Vec3 arm = pose.rotation * data.centre;
  const Vec3 acceleration = rate.linear + rate.angular.cross(arm) + omega.cross(omega.cross(arm));
  const Mat3 inertia = pose.rotation * data.inertia * pose.rotation.transpose();
  balance.add(data.mass * acceleration, pose.position + arm, inertia * rate.angular + omega.cross(inertia * omega),
              -1.0);
  balance.add(data.mass * subject.plan.mechanism().gravity, pose.position + arm);
}

void add_loads(Subject& subject, std::vector<Balance>& balances) {
  const Mechanism& mechanism = subject.plan.mechanism();
  for (std::size_t i = 0; i < mechanism.loads.size(); ++i) {
    const LoadPort& port = mechanism.loads[i];
    const Pose pose = frame_pose(subject.plan, subject.work, subject.state.q, port.at);
    const Mat3 axes = port.in_frame_axes ? pose.rotation : Mat3(Mat3::Identity());
    const Wrench& load = subject.actions.loads[i];
    balances[port.at.link].add(axes * load.force, pose.position, axes * load.moment);
  }
}

/// Abscissas and weights of Gauss on [0, 1], exact up to degree 7.
constexpr double gauss_at[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281, 0.9305681557970263};
constexpr double gauss_weight[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269};

/// Where the place s of the axis stands in the bent link. The fields of random links are polynomials, so that Gauss
/// points are exact on both sides of the kink of the tables.
Vec3 bent_axis(const LinkData& link, double s, const VectorX& eta) {
  const Axis::Point here = link.axis.at(s);
  Vec3 position = here.position;
  if (eta.size() == 0) return position;
  position += here.shape * eta;
  if (link.elastic.stiffening == Stiffening::off) return position;
  for (int g = 0; g < 4; ++g) {
    const Axis::Point inner = link.axis.at(s * gauss_at[g]);
    position -= 0.5 * s * gauss_weight[g] * (inner.slopes * eta).squaredNorm() * inner.along;
  }
  return position;
}

/// Line loads as forces on many points.
void add_line_loads(Subject& subject, std::vector<Balance>& balances) {
  const Mechanism& mechanism = subject.plan.mechanism();
  for (std::size_t i = 0; i < mechanism.line_loads.size(); ++i) {
    const LineLoad& load = mechanism.line_loads[i];
    const LineForce& force = subject.actions.line_loads[i];
    std::vector<double> lengths;
    double total = 0.0, passed = 0.0;
    for (const LineLoad::Part& part : load.parts) {
      const auto* line = std::get_if<StraightLine>(&part.line);
      lengths.push_back(line != nullptr ? (line->to - line->from).norm()
                                        : std::get<AxisStretch>(part.line).to - std::get<AxisStretch>(part.line).from);
      total += lengths.back();
    }
    for (std::size_t p = 0; p < load.parts.size(); ++p) {
      const LineLoad::Part& part = load.parts[p];
      const LinkData& link = mechanism.links[part.link];
      const Pose pose = frame_pose(subject.plan, subject.work, subject.state.q, {part.link, 0});
      const Mat3 axes = load.in_link_axes ? pose.rotation : Mat3(Mat3::Identity());
      const ElasticPlace& place = subject.plan.elastic_places()[part.link];
      const VectorX eta = subject.state.q.segment(place.q, place.count);
      for (int g = 0; g < 4; ++g) {
        const double share = (passed + gauss_at[g] * lengths[p]) / total;
        const Vec3 each = gauss_weight[g] * lengths[p] * (force.start + share * (force.end - force.start));
        Vec3 at;
        if (const auto* line = std::get_if<StraightLine>(&part.line))
          at = line->from + gauss_at[g] * (line->to - line->from);
        else
          at = bent_axis(link, std::get<AxisStretch>(part.line).from + gauss_at[g] * lengths[p], eta);
        balances[part.link].add(axes * each, pose * at);
      }
      passed += lengths[p];
    }
  }
}

void add_point_springs(Subject& subject, std::vector<Balance>& balances) {
  for (const PointSpring& spring : subject.plan.mechanism().springs) {
    const Vec3 a = frame_pose(subject.plan, subject.work, subject.state.q, spring.a).position;
    const Vec3 b = frame_pose(subject.plan, subject.work, subject.state.q, spring.b).position;
    const Vec3 closing = frame_velocity(subject.plan, subject.work, subject.state, spring.b).linear -
                         frame_velocity(subject.plan, subject.work, subject.state, spring.a).linear;
    const double length = (b - a).norm();
    const Vec3 towards_b = (b - a) / length;
    const Vec3 pull = (spring.stiffness * (length - spring.rest) + spring.damping * closing.dot(towards_b)) * towards_b;
    balances[spring.a.link].add(pull, a);
    balances[spring.b.link].add(pull, b, Vec3::Zero(), -1.0);
  }
}

/// What a wrench does along each speed of a joint (virtual work), from the definitions in joint.hpp.
VectorX along_speeds(const Joint& joint, const Pose& from, const Pose& to, const Wrench& wrench) {
  const Vec3 axis = from.rotation * joint.axis, axis2 = to.rotation * joint.axis2;
  VectorX result(speed_count(joint.type));
  switch (joint.type) {
    case JointType::revolute:
      result << axis.dot(wrench.moment);
      break;
    case JointType::prismatic:
      result << axis.dot(wrench.force);
      break;
    case JointType::cylindrical:
      result << axis.dot(wrench.moment), axis.dot(wrench.force);
      break;
    case JointType::universal:
      result << axis.dot(wrench.moment), axis2.dot(wrench.moment);
      break;
    case JointType::spherical:
      result << to.rotation.transpose() * wrench.moment;
      break;
    case JointType::planar: {
      const Mat3 axes = from.rotation * frame_with_z(joint.axis);
      result << axes.col(0).dot(wrench.force), axes.col(1).dot(wrench.force), axis.dot(wrench.moment);
      break;
    }
    case JointType::fixed:
      break;
    case JointType::free:
      result << from.rotation.transpose() * wrench.force, to.rotation.transpose() * wrench.moment;
      break;
  }
  return result;
}

/// Motor, spring and damper of a joint at the pose of construction.
VectorX joint_forces(const Joint& joint, const VectorX& q, const VectorX& v, const VectorX& tau) {
  VectorX force = tau;
  if (!joint.stiffness.empty()) {
    const bool turns_freely = joint.type == JointType::spherical || joint.type == JointType::free;
    const int scalars = turns_freely ? static_cast<int>(v.size()) - 3 : static_cast<int>(v.size());
    for (int i = 0; i < scalars; ++i)
      force[i] -= joint.stiffness[i] * (q[i] - (joint.rest.empty() ? 0.0 : joint.rest[i]));
    if (turns_freely) {
      const Quat turn(q[scalars], q[scalars + 1], q[scalars + 2], q[scalars + 3]);
      force.tail<3>() -= joint.stiffness[scalars] * vector_from_rotation(turn.toRotationMatrix());
    }
  }
  if (!joint.damping.empty())
    for (int i = 0; i < v.size(); ++i) force[i] -= joint.damping[i] * v[i];
  return force;
}

}  // namespace

LITHE_PROPERTY(ReactionsBalanceEveryLink, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  VectorX a(subject.plan.nv());
  RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a)));
  const std::vector<Wrench> reactions = joint_reactions(subject.plan, subject.work, subject.state, a, subject.actions);

  const Mechanism& mechanism = subject.plan.mechanism();
  RC_ASSERT(reactions.size() == mechanism.joints.size());
  std::vector<Balance> balances(mechanism.links.size());
  for (int link = 1; link < static_cast<int>(mechanism.links.size()); ++link)
    add_inertia(subject, a, link, balances[link]);
  add_loads(subject, balances);
  add_line_loads(subject, balances);
  add_point_springs(subject, balances);
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const Vec3 at = frame_pose(subject.plan, subject.work, subject.state.q, joint.to).position;
    balances[joint.to.link].add(reactions[j].force, at, reactions[j].moment);
    balances[joint.from.link].add(reactions[j].force, at, reactions[j].moment, -1.0);
  }
  // Momentum of elastic links is differentiated by differences.
  const double tolerance = shape.elastic ? 1e-7 : 1e-9;
  for (std::size_t link = 1; link < balances.size(); ++link) RC_ASSERT(balances[link].error() < tolerance);
}

LITHE_PROPERTY(ReactionsCarryMotorSpringAndDamperAlongTheFreedoms, any_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  VectorX a(subject.plan.nv()), cut_v(subject.plan.cut_nv());
  RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a)));
  const std::vector<Wrench> reactions = joint_reactions(subject.plan, subject.work, subject.state, a, subject.actions);
  cut_speeds(subject.plan, subject.work, subject.state, cut_v);
  double largest = 1.0;
  for (const Wrench& reaction : reactions) largest = std::max({largest, reaction.force.norm(), reaction.moment.norm()});
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const Joint& joint = subject.plan.mechanism().joints[j];
    const JointPlace& place = subject.plan.places()[j];
    const VectorX v = (place.cut ? cut_v : subject.state.v).segment(place.v, place.nv);
    const VectorX tau = subject.actions.tau.segment(place.cut ? subject.plan.nv() + place.v : place.v, place.nv);
    const VectorX expected = joint_forces(joint, subject.random.joint_values[j], v, tau);
    const Pose from = frame_pose(subject.plan, subject.work, subject.state.q, joint.from);
    const Pose to = frame_pose(subject.plan, subject.work, subject.state.q, joint.to);
    RC_ASSERT(relative_error(along_speeds(joint, from, to, reactions[j]), expected, largest) < 1e-9);
  }
}

LITHE_PROPERTY(FloatingMechanismsKeepTheirMomentum, coupled(floating_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  // Only internal forces: none at the joint that places the mechanism, no loads.
  const JointPlace& root = subject.plan.places()[0];
  RC_PRE(!root.cut);
  subject.actions.tau.segment(root.v, root.nv).setZero();
  for (Wrench& load : subject.actions.loads) load = Wrench{};
  for (LineForce& load : subject.actions.line_loads) load = LineForce{};
  VectorX a(subject.plan.nv());
  RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a)));
  Balance whole;
  for (int link = 1; link < static_cast<int>(subject.plan.mechanism().links.size()); ++link)
    add_inertia(subject, a, link, whole);
  RC_ASSERT(whole.error() < (shape.elastic ? 1e-7 : 1e-9));
}

}  // namespace lithe::testing
