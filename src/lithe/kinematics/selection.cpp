#include <algorithm>
#include <cmath>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/crossing.hpp"
#include "lithe/kinematics/nearby_poses.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Pivoted elimination of a dense matrix, columns grouped in classes.
class Elimination {
 public:
  explicit Elimination(RowMatrix matrix) : m_(std::move(matrix)), row_used_(m_.rows()), column_used_(m_.cols()) {
    // The scaled equations are of order one; when all of them vanish but for rounding, the rank is zero.
    scale_ = m_.size() > 0 ? std::max(1.0, m_.cwiseAbs().maxCoeff()) : 1.0;
  }

  /// Takes pivots from the columns with allowed[column] while they exceed `threshold` times the largest entry of all.
  void take(const std::vector<bool>& allowed, double threshold) {
    while (true) {
      // The largest entry that is left.
      int row = -1, column = -1;
      double best = threshold * scale_;
      for (int i = 0; i < m_.rows(); ++i) {
        if (row_used_[i]) continue;
        for (int j = 0; j < m_.cols(); ++j)
          if (!column_used_[j] && allowed[j] && std::abs(m_(i, j)) > best) {
            best = std::abs(m_(i, j));
            row = i;
            column = j;
          }
      }
      if (row < 0) return;
      // Its column becomes dependent through its row, which is taken from all others.
      weakest = std::min(weakest, best / scale_);
      row_used_[row] = column_used_[column] = true;
      rows.push_back(row);
      columns.push_back(column);
      for (int i = 0; i < m_.rows(); ++i) {
        if (row_used_[i]) continue;
        const double factor = m_(i, column) / m_(row, column);
        if (factor != 0.0) m_.row(i) -= factor * m_.row(row);
      }
    }
  }

  std::vector<int> rows, columns;
  double weakest = 1.0;  ///< smallest pivot taken, relative to the largest entry

 private:
  RowMatrix m_;
  std::vector<bool> row_used_, column_used_;
  double scale_ = 0.0;
};

}  // namespace

template <class S>
void scaled_block(Kernel<S>& k, const LoopBlock& loop, RowMatrix& scaled) {
  update_closures(k);
  scaled = loop.A;
  int row = 0;
  for (const int cut : loop.cluster->cuts)
    for (const RowSpec& spec : k.tables.cuts[cut].rows) {
      if (spec.kind == RowSpec::Kind::distance) scaled.row(row) /= k.compiled.length;
      ++row;
    }
  for (Eigen::Index j = 0; j < scaled.cols(); ++j) scaled.col(j) *= k.compiled.speed_scale[loop.speed(j)];
}

template <class S>
void scaled_jacobian(Kernel<S>& k, RowMatrix& scaled) {
  scaled.setZero(k.row_count, k.nv);
  RowMatrix block;
  for (const LoopBlock& loop : k.loops) {
    scaled_block(k, loop, block);
    scaled(loop.cluster->rows, loop.cluster->speeds) = block;
  }
}

namespace {

/// Smaller pivots are looked at twice: assembly leaves a singular pose only to the root of rounding exact.
constexpr double suspicious_pivot = 1e-5;

/// The pivots of all loops.
struct Eliminations {
  std::vector<Elimination> loops;
  int rank = 0;
  double weakest = 1.0;
};

/// Pivots class by class at the stored positions.
template <class S>
Elimination eliminate(Kernel<S>& k, const LoopBlock& loop, const SelectionRequest& request) {
  RowMatrix scaled;
  scaled_block(k, loop, scaled);
  Elimination elimination(std::move(scaled));
  const std::vector<int>& speeds = loop.cluster->speeds;
  const auto up_to = [&](Reluctance most) {
    std::vector<bool> allowed(speeds.size());
    for (std::size_t j = 0; j < speeds.size(); ++j) allowed[j] = request.reluctance[speeds[j]] <= most;
    return allowed;
  };
  // Good pivots without the motors, then with them; then any pivot, class after class, until the rank is reached.
  elimination.take(up_to(Reluctance::none), request.good_pivot);
  elimination.take(up_to(Reluctance::preferred), request.good_pivot);
  for (const Reluctance most : {Reluctance::preferred, Reluctance::required, Reluctance::elastic, Reluctance::kept})
    elimination.take(up_to(most), tolerance::rank);
  return elimination;
}

template <class S>
Eliminations eliminate(Kernel<S>& k, const SelectionRequest& request) {
  Eliminations all;
  for (const LoopBlock& loop : k.loops) {
    all.loops.push_back(eliminate(k, loop, request));
    all.rank += static_cast<int>(all.loops.back().rows.size());
    all.weakest = std::min(all.weakest, all.loops.back().weakest);
  }
  return all;
}

}  // namespace

template <class S>
bool select(Kernel<S>& k, const SelectionRequest& request) {
  Eliminations elimination = eliminate(k, request);
  // Equations that seem redundant may be so in this pose only, a singular one: then the poses around it decide.
  const bool looks_redundant = elimination.rank < std::max(k.generic_rank, k.generic_rank < 0 ? k.row_count : 0);
  if (looks_redundant || elimination.weakest < suspicious_pivot) {
    const VectorX here = k.q;
    for (const VectorX& nearby : assembled_poses_nearby(k, here)) {
      update_positions(k, nearby);
      Eliminations there = eliminate(k, request);
      k.generic_rank = std::max({k.generic_rank, elimination.rank, there.rank});
      const bool is_stronger = there.rank == elimination.rank && elimination.weakest < suspicious_pivot &&
                               there.weakest > elimination.weakest;
      if (there.rank > elimination.rank || is_stronger) elimination = std::move(there);
    }
    update_positions(k, here);
  }

  // Each dependent speed with the equation that gives it, by rising speed.
  Selection& s = k.selection;
  s = {};
  std::vector<std::pair<int, int>> pairs;  // dependent speed, row
  for (std::size_t loop = 0; loop < k.loops.size(); ++loop) {
    const Elimination& e = elimination.loops[loop];
    const Cluster& cluster = *k.loops[loop].cluster;
    for (std::size_t i = 0; i < e.rows.size(); ++i)
      pairs.emplace_back(cluster.speeds[e.columns[i]], cluster.rows[e.rows[i]]);
  }
  std::sort(pairs.begin(), pairs.end());
  bool forced = false;
  for (const auto& [speed, row] : pairs) {
    s.dependent.push_back(speed);
    s.rows.push_back(row);
    const int closure = closure_of_row(k, row);
    const auto turns = [&](const Cut<S>& cut) { return cut.rows[row - cut.first_row].kind == RowSpec::Kind::dot; };
    const bool is_cut = closure < static_cast<int>(k.cuts.size());
    s.sized_by.push_back(is_cut && turns(k.tables.cuts[closure]) ? -1 : closure);
    forced |= request.reluctance[speed] == Reluctance::required || request.reluctance[speed] == Reluctance::kept;
  }
  // All other speeds are independent, all other equations redundant.
  s.independent_position.assign(k.nv, -1);
  for (int j = 0; j < k.nv; ++j)
    if (!std::binary_search(s.dependent.begin(), s.dependent.end(), j)) {
      s.independent_position[j] = static_cast<int>(s.independent.size());
      s.independent.push_back(j);
    }
  std::vector<bool> is_solved(k.row_count);
  for (const int row : s.rows) is_solved[row] = true;
  for (int i = 0; i < k.row_count; ++i)
    if (!is_solved[i]) s.redundant.push_back(i);
  k.resize_for_selection();
  return forced;
}

#define LITHE_INSTANTIATE(S)                                            \
  template void scaled_block(Kernel<S>&, const LoopBlock&, RowMatrix&); \
  template void scaled_jacobian(Kernel<S>&, RowMatrix&);                \
  template bool select(Kernel<S>&, const SelectionRequest&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
