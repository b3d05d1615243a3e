#include "lithe/dynamics/passive_matrices.hpp"

#include "lithe/dynamics/element_matrices.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {
namespace {

/// sum += factor row^T row.
void add_square(double factor, const Eigen::RowVectorXd& row, MatrixX& sum) {
  if (factor != 0.0) sum.noalias() += factor * row.transpose() * row;
}

/// Springs and dampers at joints whose speeds are `rates` x'.
void add_joint_springs(const PassiveForces& passive, const MatrixX& rates, MatrixX& stiffness, MatrixX& damping) {
  for (const ScalarSpring& spring : passive.scalars) {
    add_square(spring.stiffness, rates.row(spring.v), stiffness);
    add_square(spring.damping, rates.row(spring.v), damping);
  }
  for (const RotationSpring& spring : passive.rotations)
    for (int k = 0; k < 3; ++k) {
      add_square(spring.stiffness, rates.row(spring.v + k), stiffness);
      add_square(spring.damping[k], rates.row(spring.v + k), damping);
    }
  const CoupledDampers& coupled = passive.coupled;
  for (std::size_t i = 0; i < coupled.speeds.size(); ++i)
    for (std::size_t j = 0; j < coupled.speeds.size(); ++j)
      damping.noalias() += coupled.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) *
                           rates.row(coupled.speeds[i]).transpose() * rates.row(coupled.speeds[j]);
}

}  // namespace

void add_strain_stiffness(const Plan& plan, const MatrixX& N, MatrixX& stiffness) {
  for (const ElasticBody<Spatial>& body : plan.compiled().spatial.bodies) {
    const MatrixX rates = N.middleRows(body.v, body.count);
    stiffness.noalias() += rates.transpose() * body.stiffness * rates;
  }
}

void add_passive_matrices(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness,
                          MatrixX& damping) {
  const Compiled& c = plan.compiled();
  add_strain_stiffness(plan, N, stiffness);
  for (const ElasticBody<Spatial>& body : c.spatial.bodies) {
    const MatrixX rates = N.middleRows(body.v, body.count);
    damping.noalias() += rates.transpose() * body.damping * rates;
  }
  add_joint_springs(c.tree_passive, N, stiffness, damping);
  if (!c.cut_passive.empty()) {
    MatrixX J;
    cut_jacobian(plan, work, q, J);
    add_joint_springs(c.cut_passive, J * N, stiffness, damping);
  }
  MatrixX of_a, of_b;
  for (const PointSpring& spring : c.mechanism.springs) {
    const Vec3 line = frame_pose(plan, work, q, spring.b).position - frame_pose(plan, work, q, spring.a).position;
    if (line.norm() == 0.0) continue;  // no direction, no force
    frame_jacobian(plan, work, q, spring.a, of_a);
    frame_jacobian(plan, work, q, spring.b, of_b);
    const Eigen::RowVectorXd rate = line.normalized().transpose() * (of_b - of_a).bottomRows<3>() * N;
    add_square(spring.stiffness, rate, stiffness);
    add_square(spring.damping, rate, damping);
  }
  add_element_matrices(plan, work, q, N, stiffness, damping);
}

}  // namespace lithe::detail
