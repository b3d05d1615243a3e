#include <algorithm>
#include <limits>
#include <random>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/closure_conditions.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The closures of one block. Elastic coordinates can hide that the joints are near a singular pose; they count only where
/// they are needed (`bending`: all of them).
template <class K>
MatrixX scaled_closures(K& k, const LoopBlock& loop, bool bending) {
  RowMatrix scaled;
  scaled_block(k, loop, scaled);
  for (Eigen::Index j = 0; j < scaled.cols() && !bending; ++j)
    if (loop.speed(j) >= k.compiled.joint_nv && k.selection.independent_position[loop.speed(j)] >= 0)
      scaled.col(j).setZero();
  return scaled;
}

/// The matrices are scaled to order one, so values that are all tiny are rounding: rank zero.
int rank_of(const VectorX& values) {
  int rank = 0;
  while (rank < values.size() && values[rank] > tolerance::rank * std::max(1.0, values[0])) ++rank;
  return rank;
}

/// N^T B: how the actuators act on the independent speeds; scaled columns and rows.
MatrixX actuation_matrix(const Plan& plan, Workspace& work, const VectorX& q) {
  const Compiled& c = plan.compiled();
  MatrixX N, J;
  if (!loop_complement(plan, work, q, N)) return MatrixX::Zero(work.independent().size(), c.actuated.size());
  cut_jacobian(plan, work, q, J);
  MatrixX all(c.nv + c.cut_nv, N.cols());
  all << N, J * N;
  MatrixX B(N.cols(), std::ssize(c.actuated));
  for (std::size_t i = 0; i < c.actuated.size(); ++i) B.col(static_cast<Eigen::Index>(i)) = all.row(c.actuated[i]);
  // Motors drive the joints; what bends follows.
  Eigen::Index rows = 0;
  while (rows < N.cols() && work.independent()[rows] < c.joint_nv) ++rows;
  B.conservativeResize(rows, B.cols());
  for (Eigen::Index j = 0; j < rows; ++j) B.row(j) *= c.speed_scale[work.independent()[j]];
  return B;
}

}  // namespace

Mobility analyse_mobility(const Plan& plan, Workspace& work, const VectorX& q) {
  Mobility result;
  const Selection chosen = with_kernel(work, [](auto& k) { return k.selection; });
  const int nv = plan.nv();
  const auto rank_at = [&](const VectorX& at) {
    return with_kernel(work, [&](auto& k) {
      update_positions(k, at);
      int rank = 0;
      for (const LoopBlock& loop : k.loops) rank += rank_of(singular_values(scaled_closures(k, loop, true)));
      return rank;
    });
  };
  const int local_rank = rank_at(q);
  result.local_mobility = nv - local_rank;
  result.rank = local_rank;
  (void)select_independent(plan, work, q);
  // A singular pose has a smaller rank than its neighbours: look at a few assembled poses nearby.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int attempt = 0; attempt < 4 && plan.closure_count() > 0; ++attempt) {
    VectorX step(nv);
    for (int i = 0; i < nv; ++i) step[i] = 0.02 * uniform(random) * plan.compiled().speed_scale[i];
    VectorX nearby = q;
    move_coordinates(plan, step, nearby);
    if (assemble(plan, work, nearby).status) result.rank = std::max(result.rank, rank_at(nearby));
  }
  (void)select_independent(plan, work, q);
  for (int v : work.independent()) result.elastic += v >= plan.compiled().joint_nv;
  result.mobility = nv - result.rank - result.elastic;
  result.local_mobility -= result.elastic;
  result.redundant = work.redundant_rows();
  result.actuators = static_cast<int>(plan.actuated_speeds().size());
  const Singularity s = singularity(plan, work, q);
  result.closure_condition = s.closure;
  result.actuation_condition = s.actuation;
  if (result.actuators > 0) {
    const MatrixX B = actuation_matrix(plan, work, q);
    if (B.size() > 0) result.actuation_rank = rank_of(singular_values(B));
  }
  // The caller keeps its own independent set, if it had one.
  if (!chosen.independent_position.empty()) {
    with_kernel(work, [&](auto& k) {
      k.selection = chosen;
      k.resize_for_selection();
    });
  }
  return result;
}

namespace {

/// Largest and smallest singular value of several matrices.
struct Spread {
  double largest = 0.0, smallest = infinity;
  /// Of values that fall; whether the last one is the smallest so far.
  bool take(const VectorX& values, Eigen::Index count) {
    largest = std::max(largest, values[0]);
    if (!(values[count - 1] < smallest)) return false;
    smallest = values[count - 1];
    return true;
  }
  double condition() const { return smallest > 0 ? largest / smallest : infinity; }
};

}  // namespace

namespace detail {

Singularity closure_conditions(Workspace& work, const VectorX& q, bool find_loop) {
  Singularity result;
  result.closure = result.dependent = 1.0;
  result.actuation = infinity;
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    if (k.dependents() == 0) return;
    Spread closures, dependents;
    RowMatrix scaled;
    for (const LoopBlock& loop : k.loops) {
      const auto d = std::ssize(loop.dependent);
      if (d == 0) continue;
      const MatrixX block = scaled_closures(k, loop, false);
      if (!find_loop) {
        closures.take(singular_values(block), d);
      } else if (const LeftSingular s = left_singular_vectors(block); closures.take(s.values, d)) {
        // The loop whose equations make up most of the weakest direction.
        VectorX share = VectorX::Zero(static_cast<Eigen::Index>(k.cuts.size() + k.tables.ties.size()));
        for (Eigen::Index row = 0; row < s.vectors.rows(); ++row)
          share[closure_of_row(k, loop.cluster->rows[row])] += s.vectors(row, d - 1) * s.vectors(row, d - 1);
        share.maxCoeff(&result.worst_loop);
      }
      scaled_block(k, loop, scaled);
      dependents.take(singular_values(MatrixX(scaled(loop.rows, loop.dependent))), d);
    }
    result.closure = closures.condition();
    result.dependent = dependents.condition();
  });
  return result;
}

}  // namespace detail

Singularity closure_singularity(const Plan&, Workspace& work, const VectorX& q) {
  return closure_conditions(work, q, true);
}

Singularity singularity(const Plan& plan, Workspace& work, const VectorX& q) {
  Singularity result = closure_singularity(plan, work, q);
  const MatrixX B = actuation_matrix(plan, work, q);
  if (B.rows() == 0) {
    result.actuation = 1.0;
  } else if (B.cols() >= B.rows()) {
    const VectorX values = singular_values(B);
    const double smallest = values[B.rows() - 1];
    if (smallest > tolerance::singular_actuation * values[0]) result.actuation = values[0] / smallest;
  }
  return result;
}

}  // namespace lithe
