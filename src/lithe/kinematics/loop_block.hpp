#pragma once
// The choice of independent speeds, and the closures of loops that share speeds. What is chosen and solved in one such
// block knows nothing of the others, so all of them together cost what they cost one by one.

#include <vector>

#include "lithe/mechanism/compiled.hpp"
#include "lithe/spatial/pairs.hpp"

namespace lithe::detail {

using RowMatrix = RowMatrixOf<double>;

/// Which closure rows and which speeds take part in the elimination of the dependent speeds.
struct Selection {
  std::vector<int> rows;                  ///< independent closure rows, in the order of `dependent`
  std::vector<int> dependent;             ///< speeds, ascending
  std::vector<int> independent;           ///< speeds, ascending
  std::vector<int> redundant;             ///< rows implied by the others
  std::vector<int> independent_position;  ///< per speed: its place in `independent`, or -1
  std::vector<int> sized_by;              ///< per entry of `rows`: the closure (closure_of_row) whose size its pivot is
                                          ///< compared with: that of a distance or coupling; -1 for a rotation
};

/// The loops of one cluster: which of their speeds depend on which others, and by which closures.
struct LoopChoice {
  explicit LoopChoice(const Cluster& loops) : cluster(&loops) {}
  /// Takes over what of a selection lies here; `scale`: Compiled::speed_scale; `touched`: per speed, the closure rows that it
  /// moves. Speeds of one leg come before those that all legs share: eliminated in this order, they leave the other legs
  /// alone.
  void take(const Selection& selection, const VectorX& scale, const std::vector<int>& touched);

  const Cluster* cluster;
  std::vector<int> rows;  ///< of the cluster: those of Selection::rows, in the order of `dependent`
  std::vector<int> dependent,
      independent;  ///< speeds, by their places in the cluster; the dependent ones as eliminated
  std::vector<int> dependent_speeds, independent_speeds;  ///< the same as tree speeds
  std::vector<int> dependent_at, independent_at;          ///< their places in Selection::dependent and ::independent
  std::vector<double> dependent_scales;                   ///< of the dependent speeds
  bool is_whole = false;                                  ///< these are all independent speeds there are

  int speed(Eigen::Index column) const { return cluster->speeds[column]; }
};

/// Closures of such loops: a dense block of matrices that are zero everywhere else.
template <class T>
struct LoopBlockOf : LoopChoice {
  explicit LoopBlockOf(const Cluster& loops)
      : LoopChoice(loops),
        A(RowMatrixOf<T>::Zero(std::ssize(loops.rows),
                               std::ssize(loops.speeds))) {}
  void take(const Selection& selection, const VectorX& scale, const std::vector<int>& touched) {
    LoopChoice::take(selection, scale, touched);
    const auto d = std::ssize(dependent), f = std::ssize(independent);
    factor.setZero(d, right_side() + row_length<T>(f));
    pivots.assign(dependent.size(), 0);
    solution.setZero(d);
  }

  Eigen::Index right_side() const { return row_length<T>(std::ssize(dependent)); }

  RowMatrixOf<T> A;  ///< closure Jacobian: rows and speeds of the cluster
  /// LU of the dependent columns of A, with the reciprocals of the pivots on the diagonal. Behind it, from column right_side()
  /// on, what the elimination makes of the independent ones.
  RowMatrixOf<T> factor;
  std::vector<int> pivots;
  VectorOf<T> solution;  ///< memory of solve_dependent()
};
using LoopBlock = LoopBlockOf<double>;

/// Where the closures of a cut joint stand: block (-1: nothing moves there) and first row in it.
struct CutPlace {
  int loop = -1, row = 0;
};

/// One matrix per LoopBlock: its dependent speeds per its independent speeds.
template <class T>
using LoopMatricesOf = std::vector<RowMatrixOf<T>>;
using LoopMatrices = LoopMatricesOf<double>;

}  // namespace lithe::detail
