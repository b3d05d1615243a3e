// Dynamics of random mechanisms: inertia, forward against inverse, power, formulation against formulation, planar
// against spatial arithmetic, one spanning tree against another.

#include <Eigen/Eigenvalues>

#include "properties/link_momentum.hpp"
#include "support/exact_formulations.hpp"

namespace lithe::testing {
namespace {

VectorX accelerations(Subject& subject, Formulation formulation = Formulation::noc) {
  VectorX a(subject.plan.nv());
  const Status status = forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a, {formulation});
  RC_ASSERT(bool(status));
  return a;
}

/// Tree and cut values of every joint, in joint order: comparable between spanning trees.
VectorX joint_by_joint(const Plan& plan, const VectorX& tree, const VectorX& cut, std::size_t joints) {
  VectorX result(0);
  for (std::size_t j = 0; j < joints; ++j) {
    const JointPlace& place = plan.places()[j];
    const VectorX part = (place.cut ? cut : tree).segment(place.v, place.nv);
    result.conservativeResize(result.size() + part.size());
    result.tail(part.size()) = part;
  }
  return result;
}

VectorX all_accelerations(Subject& subject, std::size_t joints) {
  const VectorX a = accelerations(subject);
  VectorX cut_a(subject.plan.cut_nv());
  cut_accelerations(subject.plan, subject.work, subject.state, a, cut_a);
  return joint_by_joint(subject.plan, a, cut_a, joints);
}

/// Gives `other`, the same mechanism with another spanning tree, the speeds, forces and loads of `subject`.
void copy_motion(Subject& subject, Subject& other) {
  VectorX cut_v(subject.plan.cut_nv());
  cut_speeds(subject.plan, subject.work, subject.state, cut_v);
  other.actions.tau.setZero();
  for (std::size_t j = 0; j < subject.plan.places().size(); ++j) {
    const JointPlace &from = subject.plan.places()[j], &to = other.plan.places()[j];
    const VectorX speeds = (from.cut ? cut_v : subject.state.v).segment(from.v, from.nv);
    if (!to.cut) other.state.v.segment(to.v, to.nv) = speeds;
    other.actions.tau.segment(to.cut ? other.plan.nv() + to.v : to.v, to.nv) =
        subject.actions.tau.segment(from.cut ? subject.plan.nv() + from.v : from.v, from.nv);
  }
  for (std::size_t i = 0; i < subject.plan.elastic_places().size(); ++i) {
    const ElasticPlace &from = subject.plan.elastic_places()[i], &to = other.plan.elastic_places()[i];
    other.state.v.segment(to.v, to.count) = subject.state.v.segment(from.v, from.count);
    other.actions.tau.segment(to.v, to.count) = subject.actions.tau.segment(from.v, from.count);
  }
  other.actions.loads = subject.actions.loads;
  other.actions.line_loads = subject.actions.line_loads;
}

/// A tree of slides alone moves in many planes at once and need not be recognised.
bool something_turns(const Plan& plan) {
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointType type = plan.mechanism().joints[j].type;
    if (!plan.places()[j].cut && (type == JointType::revolute || type == JointType::planar)) return true;
  }
  return false;
}

/// False for a platform that fixed joints hold to the ground.
bool can_compile(const Mechanism& mechanism, const PlanOptions& options) {
  try {
    Plan(mechanism, options);
    return true;
  } catch (const MechanismError&) {
    return false;
  }
}

/// Coordinates and speeds of the joint on which `other` hangs its platform, from the motion of that link in `subject`.
void place_platform(Subject& subject, Subject& other, int platform) {
  const Mechanism& mechanism = other.plan.mechanism();
  const Joint& added = mechanism.joints.back();
  const JointPlace& place = other.plan.places().back();
  RC_ASSERT(!place.cut);
  RC_ASSERT(added.to.link == platform && added.from.link == 0);
  const Pose from = mechanism.links[0].frames[added.from.frame].pose;
  const Pose link = frame_pose(subject.plan, subject.work, subject.state.q, {platform, 0});
  const Pose to = link * mechanism.links[platform].frames[added.to.frame].pose;
  const Twist twist = frame_velocity(subject.plan, subject.work, subject.state, {platform, 0});
  const Pose relative = from.inverse() * to;
  const Vec3 velocity = from.rotation.transpose() * (twist.linear + twist.angular.cross(to.position - link.position));
  if (added.type == JointType::planar) {
    const Mat3 axes = frame_with_z(added.axis);
    other.state.q.segment<2>(place.q) = (axes.transpose() * relative.position).head<2>();
    other.state.q[place.q + 2] = vector_from_rotation(relative.rotation).dot(added.axis);
    other.state.v.segment<2>(place.v) = (axes.transpose() * velocity).head<2>();
    other.state.v[place.v + 2] = (from.rotation * added.axis).dot(twist.angular);
  } else {
    RC_ASSERT(added.type == JointType::free);
    const Quat turn(relative.rotation);
    other.state.q.segment<7>(place.q) << relative.position, turn.w(), turn.x(), turn.y(), turn.z();
    other.state.v.segment<6>(place.v) << velocity, to.rotation.transpose() * twist.angular;
  }
}

}  // namespace

LITHE_PROPERTY(InertiaIsSymmetricPositiveDefinite, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  MatrixX M, N, G;
  tree_inertia(subject.plan, subject.work, subject.state.q, M);
  RC_ASSERT(relative_error(M, M.transpose()) < 1e-13);
  RC_ASSERT(bool(loop_complement(subject.plan, subject.work, subject.state.q, N)));
  RC_ASSERT(bool(generalised_inertia(subject.plan, subject.work, subject.state.q, G)));
  RC_ASSERT(relative_error(G, N.transpose() * M * N) < 1e-11);
  RC_ASSERT(relative_error(G, G.transpose()) < 1e-13);
  RC_ASSERT(Eigen::SelfAdjointEigenSolver<MatrixX>(G).eigenvalues().minCoeff() > 0.0);
}

LITHE_PROPERTY(KineticEnergyIsThatOfTheLinks, any_shape()) {
  Subject subject(shape);
  double expected = 0.0;
  const std::vector<LinkData>& links = subject.plan.mechanism().links;
  for (int link = 1; link < static_cast<int>(links.size()); ++link)
    expected += link_momentum(subject, subject.state, link).kinetic;
  MatrixX M;
  tree_inertia(subject.plan, subject.work, subject.state.q, M);
  const double kinetic = energy(subject.plan, subject.work, subject.state).kinetic;
  RC_ASSERT(std::abs(kinetic - expected) < 1e-11 * std::max(1.0, expected));
  RC_ASSERT(std::abs(0.5 * subject.state.v.dot(M * subject.state.v) - expected) < 1e-11 * std::max(1.0, expected));
}

LITHE_PROPERTY(TreeInverseDynamicsIsAffineInAccelerations, coupled(any_shape())) {
  Subject subject(shape);
  const int nv = subject.plan.nv();
  RC_PRE(nv > 0);
  const VectorX a = random_vector(shape.seed + 21, nv, 3.0);
  VectorX with(nv), without(nv);
  tree_inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, with);
  tree_inverse_dynamics(subject.plan, subject.work, subject.state, VectorX::Zero(nv), subject.actions, without);
  MatrixX M;
  tree_inertia(subject.plan, subject.work, subject.state.q, M);
  RC_ASSERT(relative_error(with - without, M * a, without.cwiseAbs().maxCoeff()) < 1e-11);
}

LITHE_PROPERTY(InverseUndoesForward, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  // Forces at the independent speeds only: exactly actuated.
  const VectorX drawn = subject.actions.tau;
  subject.actions.tau.setZero();
  for (int k : subject.work.independent()) subject.actions.tau[k] = drawn[k];
  const VectorX a = accelerations(subject);
  InverseResult result;
  inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, subject.work.independent(), result);
  RC_ASSERT(bool(result.status));
  RC_ASSERT(result.redundancy == 0);
  RC_ASSERT(relative_error(result.tau, subject.actions.tau) < 1e-8);
}

LITHE_PROPERTY(EquivalentForcesGiveTheSameMotion, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  // Forces everywhere, at cut joints too; then what inverse dynamics puts in their place at the independent joints.
  const VectorX a = accelerations(subject);
  InverseResult result;
  inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, subject.work.independent(), result);
  RC_ASSERT(bool(result.status));
  subject.actions.tau = result.tau;
  RC_ASSERT(relative_error(accelerations(subject), a) < 1e-8);
}

LITHE_PROPERTY(RedundantMotorsShareTheForceAndMoveTheSame, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  std::vector<int> everywhere(subject.plan.nv() + subject.plan.cut_nv());
  for (std::size_t i = 0; i < everywhere.size(); ++i) everywhere[i] = static_cast<int>(i);
  const VectorX a = accelerations(subject);
  InverseResult result;
  inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, everywhere, result);
  RC_ASSERT(bool(result.status));
  RC_ASSERT(result.redundancy == static_cast<int>(everywhere.size() - subject.work.independent().size()));
  // Minimum norm: no larger than the forces that made the motion.
  RC_ASSERT(result.tau.norm() <= subject.actions.tau.norm() * (1.0 + 1e-9));
  subject.actions.tau = result.tau;
  RC_ASSERT(relative_error(accelerations(subject), a) < 1e-8);
}

LITHE_PROPERTY(ResidualIsTheForceThatTooFewMotorsCannotSupply, any_shape()) {
  Subject subject(shape);
  RC_PRE(!subject.plan.is_elastic());  // there motors answer for the joints alone
  RC_PRE(subject.is_well_posed());
  const VectorX a = accelerations(subject);
  const std::vector<int> motor = {static_cast<int>(shape.seed) % (subject.plan.nv() + subject.plan.cut_nv())};
  InverseResult result;
  inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, motor, result);
  RC_ASSERT(bool(result.status));
  // With these forces the motion differs by G^-1 times what is missing.
  subject.actions.tau = result.tau;
  const VectorX difference = accelerations(subject) - a;
  MatrixX G;
  RC_ASSERT(bool(generalised_inertia(subject.plan, subject.work, subject.state.q, G)));
  VectorX independent(G.cols());
  for (int k = 0; k < G.cols(); ++k) independent[k] = difference[subject.work.independent()[k]];
  const double missing = (G * independent).norm();
  RC_ASSERT(std::abs(missing - result.residual) < 1e-8 * std::max(1.0, missing));
}

LITHE_PROPERTY(PowerIsBalanced, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX a = accelerations(subject);
  const auto total = [&](double h) {
    State there = subject.state;
    move_coordinates(subject.plan, VectorX(h * subject.state.v + 0.5 * h * h * a), there.q);
    there.v += h * a;
    const Energy e = energy(subject.plan, subject.work, there);
    return e.kinetic + e.potential;
  };
  const double supplied = supplied_power(subject.plan, subject.work, subject.state, subject.actions);
  const double dissipated = dissipated_power(subject.plan, subject.work, subject.state);
  RC_ASSERT(dissipated >= 0.0);
  // Central difference of eighth order; its step shrinks with the accelerations.
  const double h = 2e-3 / std::max(1.0, std::sqrt(a.cwiseAbs().maxCoeff()));
  constexpr double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double rate = 0.0;
  for (int i = 0; i < 4; ++i) rate += weights[i] * (total((i + 1) * h) - total(-(i + 1) * h)) / h;
  const double scale =
      std::abs(supplied) + dissipated + energy(subject.plan, subject.work, subject.state).kinetic + 1.0;
  RC_ASSERT(std::abs(rate - (supplied - dissipated)) < 1e-9 * scale);
}

LITHE_PROPERTY(ExactFormulationsAgree, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX expected = accelerations(subject, Formulation::partitioning);
  for (const Formulation formulation : exact_formulations(subject.plan)) {
    RC_LOG() << name_of(formulation) << '\n';
    RC_ASSERT(relative_error(accelerations(subject, formulation), expected) < 1e-9);
  }
}

LITHE_PROPERTY(PlanarArithmeticEqualsSpatial, coupled(planar_shape())) {
  Subject planar(shape, Arithmetic::automatic), spatial(shape, Arithmetic::spatial);
  RC_PRE(something_turns(planar.plan));
  RC_ASSERT(planar.plan.is_planar());
  RC_ASSERT(planar.work.uses_planar_arithmetic());
  RC_ASSERT(!spatial.work.uses_planar_arithmetic());
  RC_PRE(planar.is_well_posed());
  RC_ASSERT(bool(select_independent(spatial.plan, spatial.work, spatial.state.q, planar.work.independent())));
  RC_ASSERT(spatial.work.independent() == planar.work.independent());
  spatial.state = planar.state;
  const VectorX a = accelerations(planar);
  RC_ASSERT(relative_error(a, accelerations(spatial)) < 1e-10);

  InverseResult in_plane, in_space;
  inverse_dynamics(planar.plan, planar.work, planar.state, a, planar.actions, planar.work.independent(), in_plane);
  inverse_dynamics(spatial.plan, spatial.work, planar.state, a, planar.actions, planar.work.independent(), in_space);
  RC_ASSERT(relative_error(in_plane.tau, in_space.tau) < 1e-10);
}

LITHE_PROPERTY(CutChoiceDoesNotMatter, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  // Opens one loop somewhere else.
  const std::vector<int>& loop = subject.plan.loop_joints(0);
  RandomMechanism other_cut = subject.random;
  other_cut.mechanism.joints[loop[shape.seed % loop.size()]].cut = true;
  Subject other(std::move(other_cut), shape.seed, Arithmetic::automatic, {});
  RC_ASSERT(other.plan.places()[loop[shape.seed % loop.size()]].cut);
  RC_PRE(other.is_well_posed());
  copy_motion(subject, other);
  const std::size_t joints = subject.plan.places().size();
  RC_ASSERT(relative_error(all_accelerations(other, joints), all_accelerations(subject, joints)) < 1e-8);
}

LITHE_PROPERTY(CartesianCoordinatesGiveTheSameMotion, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const int links = static_cast<int>(subject.random.mechanism.links.size());
  const int platform = 1 + static_cast<int>(shape.seed) % (links - 1);
  PlanOptions options;
  options.coordinates = Coordinates::cartesian;
  options.platform = subject.random.mechanism.links[platform].name;
  RC_PRE(can_compile(subject.random.mechanism, options));
  Subject other(subject.random, shape.seed, Arithmetic::automatic, options);
  place_platform(subject, other, platform);
  RC_PRE(other.is_well_posed());
  copy_motion(subject, other);
  place_platform(subject, other, platform);
  const std::size_t joints = subject.plan.places().size();
  RC_ASSERT(relative_error(all_accelerations(other, joints), all_accelerations(subject, joints)) < 1e-8);
}

LITHE_PROPERTY(PrescribedSpeedsKeepTheirAccelerations, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const std::vector<int> independent = subject.work.independent();
  const std::vector<int> prescribed(independent.begin(),
                                    independent.begin() + (std::ssize(independent) + 1) / 2);
  const VectorX drawn = subject.actions.tau;
  subject.actions.tau.setZero();
  for (int k : independent) subject.actions.tau[k] = drawn[k];
  VectorX a = random_vector(shape.seed + 22, subject.plan.nv());
  const VectorX wanted = a;
  RC_ASSERT(bool(
      forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a, {Formulation::noc, prescribed})));
  for (int k : prescribed) RC_ASSERT(std::abs(a[k] - wanted[k]) < 1e-11);
  // The forces that this motion needs are the given ones wherever nothing is prescribed.
  InverseResult result;
  inverse_dynamics(subject.plan, subject.work, subject.state, a, subject.actions, independent, result);
  RC_ASSERT(bool(result.status));
  for (int k : independent)
    if (std::find(prescribed.begin(), prescribed.end(), k) == prescribed.end())
      RC_ASSERT(std::abs(result.tau[k] - subject.actions.tau[k]) <
                1e-8 * std::max(1.0, result.tau.cwiseAbs().maxCoeff()));
}

}  // namespace lithe::testing
