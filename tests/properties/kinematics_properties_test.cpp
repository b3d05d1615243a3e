// Kinematics of random mechanisms against finite differences and against the pose known by construction.

#include <Eigen/SVD>

#include "properties/subject.hpp"

namespace lithe::testing {
namespace {

/// Derivative at zero of a vector function of one variable, central differences of fourth order.
template <class F>
VectorX slope(const F& f) {
  constexpr double h = 1e-3;  // the error is then about 1e-11 of the fifth derivative
  const VectorX near = VectorX(f(h)) - VectorX(f(-h)), far = VectorX(f(2 * h)) - VectorX(f(-2 * h));
  return (8.0 * near - far) / (12.0 * h);
}

VectorX moved(const Plan& plan, const VectorX& q, const VectorX& step) {
  VectorX there = q;
  move_coordinates(plan, step, there);
  return there;
}

FrameRef last_frame(const Mechanism& mechanism, int link) {
  return {link, static_cast<int>(mechanism.links[link].frames.size()) - 1};
}

/// Are the three speeds of every spherical joint all independent or all dependent? If only some are, there is no
/// coordinate that could be kept, and the way back differs from the way there.
bool rotations_are_whole(const Subject& subject) {
  const std::vector<int>& independent = subject.work.independent();
  for (const JointPlace& place : subject.plan.places()) {
    if (place.cut || place.nq == place.nv) continue;
    int count = 0;
    for (int k : independent) count += k >= place.v + place.nv - 3 && k < place.v + place.nv;
    if (count != 0 && count != 3) return false;
  }
  return true;
}

VectorX stack(const Vec3& angular, const Vec3& linear) {
  VectorX result(6);
  result << angular, linear;
  return result;
}

}  // namespace

LITHE_PROPERTY(KnownPoseIsFound, coupled(any_shape())) {
  Subject subject(shape);
  const Mechanism& mechanism = subject.random.mechanism;
  RC_ASSERT(closure_error(subject.plan, subject.work, subject.state.q) < 1e-12);
  for (int link = 1; link < static_cast<int>(mechanism.links.size()); ++link) {
    FrameRef frame = last_frame(mechanism, link);
    // On an elastic link frame 0 is the body frame; its other frames are tested through the joints that they carry.
    if (mechanism.links[link].elastic.count() > 0) frame.frame = 0;
    const Pose expected = subject.random.link_poses[link] * mechanism.links[link].frames[frame.frame].pose;
    const Pose actual = frame_pose(subject.plan, subject.work, subject.state.q, frame);
    RC_ASSERT((actual.position - expected.position).norm() < 1e-12);
    RC_ASSERT((actual.rotation - expected.rotation).norm() < 1e-12);
  }
}

LITHE_PROPERTY(CutCoordinatesAreThoseOfTheConstruction, looped_shape()) {
  Subject subject(shape);
  VectorX cut_q(subject.plan.cut_nq());
  cut_coordinates(subject.plan, subject.work, subject.state.q, cut_q);
  const VectorX expected = known_cut_coordinates(subject.plan, subject.random);
  for (int joint : subject.plan.cut_joints()) {
    const JointPlace& place = subject.plan.places()[joint];
    const VectorX expected_part = expected.segment(place.q, place.nq);
    VectorX actual_part = cut_q.segment(place.q, place.nq);
    // A quaternion and its negative are the same rotation.
    if (place.nq != place.nv && actual_part.tail<4>().dot(expected_part.tail<4>()) < 0.0) actual_part.tail<4>() *= -1.0;
    RC_ASSERT((actual_part - expected_part).norm() < 1e-11);
  }
}

LITHE_PROPERTY(ComplementIsOrthogonalToClosures, coupled(looped_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  MatrixX A, N;
  closure_jacobian(subject.plan, subject.work, subject.state.q, A);
  RC_ASSERT(bool(loop_complement(subject.plan, subject.work, subject.state.q, N)));
  if (A.rows() > 0) RC_ASSERT((A * N).cwiseAbs().maxCoeff() < 1e-11 * std::max(1.0, N.cwiseAbs().maxCoeff()));
  // Rank: N spans the whole null space.
  const Mobility mobility = analyse_mobility(subject.plan, subject.work, subject.state.q);
  RC_ASSERT(static_cast<int>(N.cols()) == mobility.local_mobility + mobility.elastic);
  RC_ASSERT(static_cast<int>(N.cols()) == subject.plan.nv() - mobility.rank);
  if (A.rows() > 0) {
    const VectorX values = Eigen::JacobiSVD<MatrixX>(A).singularValues();
    const double threshold = 1e-9 * std::max(1.0, values[0]);  // all zero but for rounding: rank zero
    const int rank = static_cast<int>((values.array() > threshold).count());
    RC_ASSERT(mobility.rank == rank);
  }
  // Unit rows at the independent speeds; completed speeds are N times these.
  VectorX independent(N.cols());
  for (int k = 0; k < N.cols(); ++k) {
    const int row = subject.work.independent()[k];
    independent[k] = subject.state.v[row];
    RC_ASSERT((N.row(row) - MatrixX::Identity(N.cols(), N.cols()).row(k)).norm() < 1e-14);
  }
  RC_ASSERT(relative_error(subject.state.v, N * independent) < 1e-11);
}

LITHE_PROPERTY(ClosureJacobianIsTheSlopeOfTheClosures, coupled(looped_shape())) {
  Subject subject(shape);
  MatrixX A;
  closure_jacobian(subject.plan, subject.work, subject.state.q, A);
  const VectorX direction = random_vector(shape.seed + 11, subject.plan.nv());
  VectorX c;
  const VectorX expected = slope([&](double h) {
    closure_values(subject.plan, subject.work, moved(subject.plan, subject.state.q, h * direction), c);
    return c;
  });
  RC_ASSERT(relative_error(A * direction, expected) < 1e-8);
}

LITHE_PROPERTY(ClosureBiasIsTheSlopeOfTheClosureRates, coupled(looped_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  VectorX gamma;
  closure_bias(subject.plan, subject.work, subject.state, gamma);
  MatrixX A;
  const VectorX v = subject.state.v;
  const VectorX slope_of_rates = slope([&](double h) {
    closure_jacobian(subject.plan, subject.work, moved(subject.plan, subject.state.q, h * v), A);
    return VectorX(A * v);
  });
  RC_ASSERT(relative_error(gamma, -slope_of_rates) < 1e-7);
}

LITHE_PROPERTY(CompletedAccelerationsSatisfyTheClosures, coupled(looped_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  VectorX a = random_vector(shape.seed + 12, subject.plan.nv(), 5.0);
  const VectorX before = a;
  RC_ASSERT(bool(complete_accelerations(subject.plan, subject.work, subject.state, a)));
  for (int k : subject.work.independent()) RC_ASSERT(a[k] == before[k]);
  MatrixX A;
  VectorX gamma;
  closure_jacobian(subject.plan, subject.work, subject.state.q, A);
  closure_bias(subject.plan, subject.work, subject.state, gamma);
  RC_ASSERT(relative_error(A * a, gamma, a.cwiseAbs().maxCoeff()) < 1e-10);
}

LITHE_PROPERTY(FrameMotionIsTheSlopeOfFramePoses, any_shape()) {
  Subject subject(shape);
  const Plan& plan = subject.plan;
  const VectorX q = subject.state.q, v = subject.state.v, a = random_vector(shape.seed + 13, plan.nv(), 2.0);
  const int movable = static_cast<int>(plan.mechanism().links.size()) - 1;
  const FrameRef frame = last_frame(plan.mechanism(), 1 + static_cast<int>(shape.seed) % movable);

  const Pose here = frame_pose(plan, subject.work, q, frame);
  const VectorX velocity = slope([&](double h) {
    const Pose there = frame_pose(plan, subject.work, moved(plan, q, h * v), frame);
    return stack(vector_from_rotation(there.rotation * here.rotation.transpose()), there.position);
  });
  const Twist twist = frame_velocity(plan, subject.work, subject.state, frame);
  const VectorX computed = stack(twist.angular, twist.linear);
  RC_ASSERT(relative_error(computed, velocity) < 1e-8);

  MatrixX J;
  frame_jacobian(plan, subject.work, q, frame, J);
  RC_ASSERT(relative_error(J * v, computed) < 1e-11);

  // Acceleration: J a, and the change of J v along v.
  const VectorX from_rates = J * a;
  const VectorX from_motion = slope([&](double h) {
    frame_jacobian(plan, subject.work, moved(plan, q, h * v), frame, J);
    return VectorX(J * v);
  });
  const Twist acceleration = frame_acceleration(plan, subject.work, subject.state, a, frame);
  RC_ASSERT(relative_error(stack(acceleration.angular, acceleration.linear), from_rates + from_motion) < 1e-7);
}

LITHE_PROPERTY(CutMotionIsTheSlopeOfCutCoordinates, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const Plan& plan = subject.plan;
  VectorX a = random_vector(shape.seed + 14, plan.nv(), 2.0);
  RC_ASSERT(bool(complete_accelerations(plan, subject.work, subject.state, a)));

  VectorX cut_v(plan.cut_nv()), cut_a(plan.cut_nv());
  cut_speeds(plan, subject.work, subject.state, cut_v);
  cut_accelerations(plan, subject.work, subject.state, a, cut_a);
  MatrixX J;
  cut_jacobian(plan, subject.work, subject.state.q, J);
  RC_ASSERT(relative_error(J * subject.state.v, cut_v) < 1e-11);

  // Along the motion q moves with v, and v with a.
  const VectorX rates = slope([&](double h) {
    VectorX cut_q(plan.cut_nq());
    cut_coordinates(plan, subject.work, moved(plan, subject.state.q, h * subject.state.v), cut_q);
    return cut_q;
  });
  for (int joint : plan.cut_joints()) {
    const JointPlace& place = plan.places()[joint];
    if (place.nq != place.nv) continue;  // rates of a quaternion are no speeds
    RC_ASSERT(relative_error(cut_v.segment(place.v, place.nv), rates.segment(place.q, place.nq), 1.0) < 1e-8);
  }
  const VectorX speed_rates = slope([&](double h) {
    VectorX speeds(plan.cut_nv());
    const State there{0.0, moved(plan, subject.state.q, h * subject.state.v), subject.state.v + h * a};
    cut_speeds(plan, subject.work, there, speeds);
    return speeds;
  });
  RC_ASSERT(relative_error(cut_a, speed_rates, 1.0) < 1e-8);
}

LITHE_PROPERTY(TreeComplementGivesTheTwistsOfTheMassCentres, any_shape()) {
  Subject subject(shape);
  MatrixX T;
  tree_complement(subject.plan, subject.work, subject.state.q, T);
  const VectorX twists = T * subject.state.v;
  const std::vector<LinkData>& links = subject.plan.mechanism().links;
  RC_ASSERT(static_cast<int>(twists.size()) == 6 * (static_cast<int>(links.size()) - 1));
  for (int link = 1; link < static_cast<int>(links.size()); ++link) {
    const Twist origin = frame_velocity(subject.plan, subject.work, subject.state, {link, 0});
    const Mat3 axes = frame_pose(subject.plan, subject.work, subject.state.q, {link, 0}).rotation;
    const VectorX expected = stack(origin.angular, origin.linear + origin.angular.cross(axes * links[link].centre));
    RC_ASSERT(relative_error(twists.segment<6>(6 * (link - 1)), expected) < 1e-11);
  }
}

LITHE_PROPERTY(ProjectionRestoresADisturbedPose, coupled(looped_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  VectorX disturbance = random_vector(shape.seed + 15, subject.plan.nv(), 1e-5);
  for (int k : subject.work.independent()) disturbance[k] = 0.0;
  VectorX q = moved(subject.plan, subject.state.q, disturbance);
  RC_ASSERT(bool(project_positions(subject.plan, subject.work, q)));
  RC_ASSERT(closure_error(subject.plan, subject.work, q) < 1e-11);
  RC_ASSERT((q - subject.state.q).cwiseAbs().maxCoeff() < 1e-8);
}

LITHE_PROPERTY(BranchIsKeptByContinuity, looped_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  RC_PRE(rotations_are_whole(subject));
  // There and back in small steps of the independent coordinates, as long as the way is far from singular poses.
  const VectorX start = subject.state.q;
  VectorX motion = random_vector(shape.seed + 16, subject.plan.nv());
  RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, start, motion)));
  motion *= 0.005 / motion.cwiseAbs().maxCoeff();
  VectorX direction = VectorX::Zero(subject.plan.nv());
  for (int k : subject.work.independent()) direction[k] = motion[k];
  constexpr int steps = 20;
  VectorX q = start;
  for (int i = 0; i < steps; ++i) {
    move_coordinates(subject.plan, direction, q);
    RC_PRE(bool(project_positions(subject.plan, subject.work, q)));
    RC_PRE(singularity(subject.plan, subject.work, q).dependent < 300.0);
    RC_ASSERT(closure_error(subject.plan, subject.work, q) < 1e-10);
  }
  for (int i = 0; i < steps; ++i) {
    move_coordinates(subject.plan, VectorX(-direction), q);
    RC_ASSERT(bool(project_positions(subject.plan, subject.work, q)));
  }
  RC_ASSERT((q - start).cwiseAbs().maxCoeff() < 1e-8);
}

}  // namespace lithe::testing
