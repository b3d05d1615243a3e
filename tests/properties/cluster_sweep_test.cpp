// The recursion over clusters does what the dense matrices do, whatever the mechanism and its size.

#include "lithe/dynamics/cluster_sweep.hpp"

#include <Eigen/Cholesky>

#include "lithe/kinematics/complement.hpp"
#include "properties/subject.hpp"
#include "support/allocation_counter.hpp"

namespace lithe::testing {
namespace {

/// N (N^T M N)^-1 N^T force, with the columns of held speeds left out of N.
VectorX dense_accelerations(Subject& subject, const VectorX& force, const std::vector<int>& held) {
  MatrixX M, N;
  tree_inertia(subject.plan, subject.work, subject.state.q, M);
  RC_ASSERT(bool(loop_complement(subject.plan, subject.work, subject.state.q, N)));
  MatrixX free(N.rows(), 0);
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    if (std::find(held.begin(), held.end(), subject.work.independent()[j]) != held.end()) continue;
    free.conservativeResize(Eigen::NoChange, free.cols() + 1);
    free.col(free.cols() - 1) = N.col(j);
  }
  if (free.cols() == 0) return VectorX::Zero(force.size());
  const MatrixX G = free.transpose() * M * free;
  return free * G.llt().solve(free.transpose() * force);
}

VectorX swept_accelerations(Subject& subject, const VectorX& force, const std::vector<int>& held) {
  VectorX a = VectorX::Zero(force.size());
  detail::with_kernel(subject.work, [&](auto& k) {
    update_positions(k, subject.state.q);
    RC_ASSERT(bool(update_complement(k)));
    for (const int v : held) k.prescribed[v] = 1;
    RC_ASSERT(bool(cluster_accelerations(k, force, a)));
    for (const int v : held) k.prescribed[v] = 0;
  });
  return a;
}

}  // namespace

LITHE_PROPERTY(ClustersMoveAsTheDenseMatrixSays, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX force = random_vector(shape.seed + 5, subject.plan.nv(), 10.0);
  RC_ASSERT(relative_error(swept_accelerations(subject, force, {}), dense_accelerations(subject, force, {})) < 1e-9);
}

LITHE_PROPERTY(ClustersHoldWhatIsHeld, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed() && !subject.work.independent().empty());
  // A joint with one freedom or an elastic coordinate: the recursion holds rotations in space only as a whole.
  std::vector<int> held;
  for (std::size_t j = 0; j < subject.plan.places().size(); ++j) {
    const JointPlace& place = subject.plan.places()[j];
    const std::vector<int>& free = subject.work.independent();
    if (place.cut || place.nv != 1 || std::find(free.begin(), free.end(), place.v) == free.end()) continue;
    held = {place.v};
  }
  RC_PRE(!held.empty());
  const VectorX force = random_vector(shape.seed + 6, subject.plan.nv(), 10.0);
  const VectorX a = swept_accelerations(subject, force, held);
  RC_ASSERT(a[held.front()] == 0.0);
  RC_ASSERT(relative_error(a, dense_accelerations(subject, force, held)) < 1e-9);
}

LITHE_PROPERTY(ClusterSweepsDoNotAllocate, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX force = random_vector(shape.seed + 7, subject.plan.nv(), 10.0);
  VectorX a = VectorX::Zero(force.size());
  detail::with_kernel(subject.work, [&](auto& k) {
    update_positions(k, subject.state.q);
    RC_ASSERT(bool(update_complement(k)));
    RC_ASSERT(bool(cluster_accelerations(k, force, a)));
    const long before = allocation_count();
    const bool again = bool(cluster_accelerations(k, force, a));
    const long allocations = allocation_count() - before;
    RC_ASSERT(again);
    RC_ASSERT(allocations == 0);
  });
}

}  // namespace lithe::testing
