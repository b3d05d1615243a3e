#pragma once
// Branches of the tree that stand on the ground side by side. The forces on one of them depend on its own coordinates and
// speeds only, as long as it meets the others in closures alone and what these transmit stays as it is in ground axes.
// So one direction can move a speed in every branch at the same time; what belongs to which is known by the row. A 3-RRR
// with elastic legs takes the directions of one leg for all its coordinates.

#include <utility>
#include <vector>

#include "lithe/dynamics/lanes.hpp"
#include "lithe/kinematics/closures.inc"
#include "lithe/kinematics/complement.hpp"

namespace lithe::detail {

/// Room for so many directions in whole blocks of them.
inline int whole_blocks(int count) {
  constexpr int block = SlopeEvaluator::directions;
  return (count + block - 1) / block * block;
}

/// Adds `factor` times a row to another one.
inline void add_row(const double* __restrict from, double factor, Eigen::Index width, double* __restrict to) {
  for (Eigen::Index j = 0; j < width; ++j) to[j] += factor * from[j];
}

/// x = -A_d^-1 of the chosen closure rows, for all columns.
template <class S>
void solve_for_dependents(const Kernel<S>& k, const RowMatrix& rows, RowMatrix& x) {
  const Eigen::Index width = x.cols();
  for (const LoopBlock& loop : k.loops) {
    const int d = static_cast<int>(loop.dependent.size());
    const auto row = [&](int p) { return x.data() + loop.dependent_at[p] * width; };
    for (int p = 0; p < d; ++p) {
      const double* from = rows.data() + loop.cluster->rows[loop.rows[p]] * width;
      for (Eigen::Index j = 0; j < width; ++j) row(p)[j] = -from[j];
    }
    for (int p = 0; p < d; ++p)
      if (loop.pivots[p] != p) std::swap_ranges(row(p), row(p) + width, row(loop.pivots[p]));
    for (int p = 0; p < d; ++p)
      for (int i = 0; i < p; ++i) add_row(row(i), -loop.factor(p, i), width, row(p));
    for (int p = d - 1; p >= 0; --p) {
      for (int i = p + 1; i < d; ++i) add_row(row(i), -loop.factor(p, i), width, row(p));
      const double inverse = loop.factor(p, p);
      for (Eigen::Index j = 0; j < width; ++j) row(p)[j] *= inverse;
    }
  }
}

/// Slopes of what each branch lacks, and of the frames of the cut joints, by the speeds of the branch they belong to.
/// Rows: tree speeds, then the numbers of the frames.
template <class S>
struct BranchSlopes {
  BranchSlopes(const Kernel<S>& k, int numbers_of_frame) {
    seed_of.assign(k.nv, 0);
    row_branch.assign(k.nv, -1);
    const std::vector<NodeTable<S>>& nodes = k.tables.nodes;
    std::vector<int> branch(nodes.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent >= 0) branch[i] = branch[nodes[i].parent];
      const bool moves = nodes[i].kind != NodeKind::fixed && nodes[i].nv > 0;
      if (!moves) continue;
      if (branch[i] < 0) {
        branch[i] = static_cast<int>(speeds.size());
        speeds.emplace_back();
      }
      std::vector<int>& own = speeds[branch[i]];
      for (int j = 0; j < nodes[i].nv; ++j) {
        seed_of[nodes[i].v + j] = static_cast<int>(own.size());
        row_branch[nodes[i].v + j] = branch[i];
        own.push_back(nodes[i].v + j);
      }
      seeds = std::max(seeds, static_cast<int>(own.size()));
    }
    for (const CutTable<S>& cut : k.tables.cuts)
      for (const AnchorTable<S>* anchor : {&cut.from, &cut.to})
        row_branch.insert(row_branch.end(), numbers_of_frame, anchor->node < 0 ? -1 : branch[anchor->node]);
    rows.resize(speeds.size());
    for (std::size_t row = 0; row < row_branch.size(); ++row)
      if (row_branch[row] >= 0) rows[row_branch[row]].push_back(static_cast<int>(row));
    first_speed_seed = 2 * seeds <= SlopeEvaluator::directions ? seeds : whole_blocks(seeds);

    // Whatever else joins two branches, or hangs on the distance of the frames of a cut joint, moves with both.
    const Compiled& c = k.compiled;
    meet_in_closures_only =
        c.mechanism.springs.empty() && c.cut_passive.empty() && c.tree_passive.coupled.speeds.empty();
    for (const CutTable<S>& cut : k.tables.cuts)
      for (const FreeSpec& free : cut.frees) meet_in_closures_only &= free.kind != FreeSpec::Kind::distance;
  }

  /// Are there fewer sweeps than with all independent speeds one by one?
  bool save_sweeps(const Kernel<S>& k) const {
    const auto sweeps = [](int count) {
      return 2 * count <= SlopeEvaluator::directions ? 1 : 2 * whole_blocks(count) / SlopeEvaluator::directions;
    };
    return meet_in_closures_only && k.tables.ties.empty() && sweeps(seeds) < sweeps(k.independents());
  }

  void fit(const Kernel<S>& k) {
    const int count = static_cast<int>(row_branch.size()), width = whole_blocks(k.independents());
    by_seed.setZero(count, whole_blocks(first_speed_seed + seeds));
    by_position.setZero(count, width);
    by_speed.setZero(count, width);
    closure.setZero(k.row_count, width);
    wrench.setZero(std::ssize(k.cuts) * (S::angular_size + S::linear_size), width);
    solution.setZero(k.dependents(), width);
  }

  /// out = by_seed from column `first` on, times N: along the independent speeds.
  void spread(const Kernel<S>& k, int first, RowMatrix& out) const {
    const Eigen::Index width = out.cols();
    out.setZero();
    const int* place = k.selection.independent_position.data();
    for (std::size_t row = 0; row < row_branch.size(); ++row) {
      if (row_branch[row] < 0) continue;
      const std::vector<int>& own = speeds[row_branch[row]];
      const double* slope = by_seed.data() + static_cast<Eigen::Index>(row) * by_seed.cols() + first;
      double* to = out.data() + static_cast<Eigen::Index>(row) * width;
      for (std::size_t s = 0; s < own.size(); ++s)
        if (place[own[s]] >= 0) to[place[own[s]]] = slope[s];
    }
    for (std::size_t b = 0; b < k.loops.size(); ++b)
      for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
        const LoopChoice& loop = k.loops[b];
        each_row(loop.dependent_speeds[r], first, [&](double slope, Eigen::Index row) {
          double* to = out.data() + row * width;
          for_each_slope(loop, k.K[b], r, [&](Eigen::Index j, double share) { to[j] += slope * share; });
        });
      }
  }

  /// out += what changes of the dependent speeds do.
  void add_dependent_speeds(const Kernel<S>& k, const RowMatrix& change, RowMatrix& out) const {
    for (int d = 0; d < k.dependents(); ++d)
      each_row(k.selection.dependent[d], first_speed_seed, [&](double slope, Eigen::Index row) {
        add_row(change.data() + d * change.cols(), slope, out.cols(), out.data() + row * out.cols());
      });
  }

  /// Takes what changes of the wrenches in the cut joints do off the tree speeds.
  void add_wrenches(const Kernel<S>& k, const RowMatrix& change, RowMatrix& out) const {
    const double* row = change.data();
    const Eigen::Index width = out.cols();
    for (std::size_t i = 0; i < k.cuts.size(); ++i, row += (S::angular_size + S::linear_size) * width)
      for_each_path_speed(k, k.tables.cuts[i], k.cuts[i],
                          [&](int speed, const typename S::Angular& angular, const typename S::Linear& linear) {
                            double* to = out.data() + speed * width;
                            const auto turn = S::column(angular);
                            for (int e = 0; e < S::angular_size; ++e) add_row(row + e * width, -turn[e], width, to);
                            for (int e = 0; e < S::linear_size; ++e)
                              add_row(row + (S::angular_size + e) * width, -linear[e], width, to);
                          });
  }

  bool meet_in_closures_only = false;
  int seeds = 0;                         ///< most speeds of a branch
  int first_speed_seed = 0;              ///< columns of by_seed before it are coordinates
  std::vector<int> seed_of;              ///< per speed: its number in its branch
  std::vector<int> row_branch;           ///< branch of every row; -1: the ground
  std::vector<std::vector<int>> speeds;  ///< of every branch
  std::vector<std::vector<int>> rows;    ///< that belong to it

  RowMatrix by_seed;                ///< slopes within the branches
  RowMatrix by_position, by_speed;  ///< slopes along the independent coordinates and speeds
  RowMatrix closure, wrench;        ///< slopes of closure rows, and of what the cut joints transmit
  RowMatrix solution;               ///< changes of the dependent speeds or accelerations

 private:
  /// `visit(slope, row)` for the rows that change with a speed; `first`: of the coordinates or of the speeds in by_seed.
  template <class Visit>
  void each_row(int speed, int first, Visit&& visit) const {
    const double* slope = by_seed.data() + first + seed_of[speed];
    for (const int row : rows[row_branch[speed]])
      if (const double own = slope[row * by_seed.cols()]; own != 0.0) visit(own, row);
  }
};

}  // namespace lithe::detail
