#pragma once
// The choice of independent speeds, and the closures of loops that share speeds. What is chosen and solved in one such
// block knows nothing of the others, so all of them together cost what they cost one by one.

#include <vector>

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Which closure rows and which speeds take part in the elimination of the dependent speeds.
struct Selection {
  std::vector<int> rows;                  ///< independent closure rows, in the order of `dependent`
  std::vector<int> dependent;             ///< speeds, ascending
  std::vector<int> independent;           ///< speeds, ascending
  std::vector<int> redundant;             ///< rows implied by the others
  std::vector<int> independent_position;  ///< per speed: its place in `independent`, or -1
  std::vector<int> distance_cut;          ///< per entry of `rows`: the cut of a distance, -1 for a rotation
};

/// Closures and complement of the loops of one cluster: a dense block of matrices that are zero everywhere else.
struct LoopBlock {
  explicit LoopBlock(const Cluster& loops);
  /// Takes over what of a selection lies here; `scale`: Compiled::speed_scale.
  void take(const Selection& selection, const VectorX& scale);

  const Cluster* cluster;
  RowMatrix A;                              ///< closure Jacobian: rows and speeds of the cluster
  std::vector<int> rows;                    ///< of A: those of Selection::rows, in the order of `dependent`
  std::vector<int> dependent, independent;  ///< columns of A
  std::vector<int> dependent_speeds, independent_speeds;  ///< the same as tree speeds
  std::vector<int> dependent_at, independent_at;          ///< their places in Selection::dependent and ::independent
  std::vector<double> dependent_scales;                   ///< of the dependent speeds
  bool is_whole = false;                                  ///< these are all independent speeds there are
  RowMatrix factor;                                       ///< LU of the dependent columns of A
  std::vector<int> pivots;
  VectorX solution;  ///< memory of solve_dependent()

  int speed(Eigen::Index column) const { return cluster->speeds[column]; }
};

/// Where the closures of a cut joint stand: block (-1: nothing moves there) and first row in it.
struct CutPlace {
  int loop = -1, row = 0;
};

/// One matrix per LoopBlock: its dependent speeds per its independent speeds.
using LoopMatrices = std::vector<RowMatrix>;

}  // namespace lithe::detail
