#include "lithe/kinematics/complement.hpp"

#include <algorithm>
#include <cmath>

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
    const int cut = cut_of_row(k, row);
    const RowSpec& spec = k.tables.cuts[cut].rows[row - k.tables.cuts[cut].first_row];
    s.distance_cut.push_back(spec.kind == RowSpec::Kind::distance ? cut : -1);
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

namespace {

/// Closures that have lost rank and a complement that this weakness leaves open: there is nothing to go by.
constexpr double undetermined = 1e-6;

/// Solves U K = K for the upper triangle in `factor`.
void substitute_back(const RowMatrix& factor, RowMatrix& K) {
  const Eigen::Index d = K.rows(), f = K.cols();
  for (Eigen::Index p = d - 1; p >= 0; --p) {
    const double* row = factor.data() + p * d;
    double* right = K.data() + p * f;
    for (Eigen::Index j = p + 1; j < d; ++j) {
      if (row[j] == 0.0) continue;
      const double* below = K.data() + j * f;
      for (Eigen::Index c = 0; c < f; ++c) right[c] -= row[j] * below[c];
    }
    const double inverse = 1.0 / row[p];
    for (Eigen::Index c = 0; c < f; ++c) right[c] *= inverse;
  }
}

/// LU factors and K of one block at the stored positions; lowers k.weakness. Fails at a pivot that vanishes.
template <class S>
Status factorise(Kernel<S>& k, LoopBlock& loop, RowMatrix& K) {
  const Eigen::Index d = K.rows(), f = K.cols(), width = loop.A.cols();
  const std::vector<int>& distance_cut = k.selection.distance_cut;
  // What a pivot is compared with: 1 for rotations, for distances the size of the loop. (The row itself would not do:
  // in a flat pose all of it vanishes.)
  double* row_scale = k.scratch_c.data();
  for (const int cut : loop.cluster->cuts) k.cut_size[cut] = 0.0;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < d; ++i) {
    const double* row = loop.A.data() + loop.rows[i] * width;
    double* factor = loop.factor.data() + i * d;
    double widest = 0.0;
    for (Eigen::Index j = 0; j < d; ++j) {
      factor[j] = row[loop.dependent[j]];
      largest = std::max(largest, std::abs(factor[j]));
      widest = std::max(widest, std::abs(factor[j]) * loop.dependent_scales[j]);
    }
    double* right = K.data() + i * f;
    for (Eigen::Index j = 0; j < f; ++j) right[j] = -row[loop.independent[j]];
    if (const int cut = distance_cut[loop.dependent_at[i]]; cut >= 0)
      k.cut_size[cut] = std::max(k.cut_size[cut], widest);
  }
  for (Eigen::Index i = 0; i < d; ++i) {
    const int cut = distance_cut[loop.dependent_at[i]];
    row_scale[i] = cut >= 0 ? k.cut_size[cut] : 1.0;
  }
  // LU with row exchanges; the exchanges are carried along in K.
  for (Eigen::Index p = 0; p < d; ++p) {
    Eigen::Index pivot = p;
    for (Eigen::Index i = p + 1; i < d; ++i)
      if (std::abs(loop.factor(i, p)) > std::abs(loop.factor(pivot, p))) pivot = i;
    loop.pivots[p] = static_cast<int>(pivot);
    const double size = std::abs(loop.factor(pivot, p));
    const double scale = loop.dependent_scales[p];
    if (!(size * scale >= k.weakness * row_scale[pivot])) {
      k.weakness = size * scale / row_scale[pivot];
      k.weakest_row = loop.cluster->rows[loop.rows[p]];
    }
    if (!(size > tolerance::singular_closure * largest)) {
      k.weakness = 0.0;
      return {Status::Code::singular_closure, cut_of_row(k, loop.cluster->rows[loop.rows[p]]), largest / size};
    }
    if (pivot != p) {
      loop.factor.row(pivot).swap(loop.factor.row(p));
      K.row(pivot).swap(K.row(p));
      std::swap(row_scale[pivot], row_scale[p]);
    }
    const double inverse = 1.0 / loop.factor(p, p);
    const double* top = loop.factor.data() + p * d;
    const double* top_right = K.data() + p * f;
    for (Eigen::Index i = p + 1; i < d; ++i) {
      double* row = loop.factor.data() + i * d;
      const double factor = row[p] *= inverse;
      if (factor == 0.0) continue;
      for (Eigen::Index j = p + 1; j < d; ++j) row[j] -= factor * top[j];
      double* right = K.data() + i * f;
      for (Eigen::Index j = 0; j < f; ++j) right[j] -= factor * top_right[j];
    }
  }
  substitute_back(loop.factor, K);
  return {};
}

/// LU factors and K of all loops, with k.weakness.
template <class S>
Status factorise(Kernel<S>& k) {
  k.weakness = 1.0;
  for (std::size_t i = 0; i < k.loops.size(); ++i)
    if (Status status = factorise(k, k.loops[i], k.K[i]); !status) return status;
  return {};
}

/// A weak pose: the complement is interpolated if a branch leads through a singular pose here.
template <class S>
Status complement_of_weak_pose(Kernel<S>& k, const Status& factorised) {
  if (k.weakness < k.armed && cross(k, k.q)) {
    k.K = k.crossing->K;
    k.crosses = true;
    return {};
  }
  if (factorised && k.weakness < undetermined && closures_lose_rank(k))
    return {Status::Code::singular_closure, cut_of_row(k, k.weakest_row), 1.0 / k.weakness};
  if (factorised) k.anchor = k.q;
  k.anchored = k.anchored || factorised;
  return factorised;
}

}  // namespace

template <class S>
Status update_complement(Kernel<S>& k) {
  if (k.complement_valid) return {};
  update_closures(k);
  Status status = factorise(k);
  if (k.weakness >= weak_pose) {
    k.armed = weak_pose;
    k.anchor = k.q;
    k.anchored = true;
  } else if (k.may_cross) {
    status = complement_of_weak_pose(k, status);
  }
  k.complement_valid = bool(status);
  return status;
}

template <class S>
void solve_dependent(Kernel<S>& k, double* x) {
  for (LoopBlock& loop : k.loops) {
    const int d = static_cast<int>(loop.dependent.size());
    // The only block has all dependent speeds in their order.
    const bool in_place = k.loops.size() == 1;
    double* y = in_place ? x : loop.solution.data();
    for (int p = 0; p < d && !in_place; ++p) y[p] = x[loop.dependent_at[p]];
    // The exchanges moved whole rows of the factors, so they all come before the elimination.
    for (int p = 0; p < d; ++p) std::swap(y[p], y[loop.pivots[p]]);
    for (int p = 0; p < d; ++p) {
      for (int i = p + 1; i < d; ++i) y[i] -= loop.factor(i, p) * y[p];
    }
    for (int p = d - 1; p >= 0; --p) {
      const double* row = loop.factor.data() + static_cast<std::ptrdiff_t>(p) * d;
      for (int j = p + 1; j < d; ++j) y[p] -= row[j] * y[j];
      y[p] /= row[p];
    }
    for (int p = 0; p < d && !in_place; ++p) x[loop.dependent_at[p]] = y[p];
  }
}

template <class S>
void update_dependent_bias(Kernel<S>& k, const VectorX& v) {
  if (k.crosses) {
    cross_bias(k, v);
    return;
  }
  for (int i = 0; i < k.dependents(); ++i) k.dependent_bias[i] = k.gamma[k.selection.rows[i]];
  solve_dependent(k, k.dependent_bias.data());
}

namespace {

constexpr double rounding_of_closures = 1e-15;  ///< relative to the characteristic length
constexpr double last_step =
    1e-8;  ///< after a Newton step this small (rad, characteristic lengths) only rounding is left

/// Largest part of a correction, in radians or characteristic lengths.
double size_of_step(const Compiled& compiled, const VectorX& step) {
  double size = 0.0;
  for (int i = 0; i < compiled.nv; ++i) {
    const double part = std::abs(step[i]) / compiled.speed_scale[i];
    if (!(part <= size)) size = part;
  }
  return size;
}

}  // namespace

template <class S>
Status project(Kernel<S>& k, VectorX& q, double tolerance) {
  if (k.row_count == 0) return {};
  constexpr int max_iterations = 25;
  const int d = k.dependents();
  const auto largest_error = [&] {
    double error = 0.0;
    for (int row : k.selection.rows) error = std::max(error, std::abs(k.c[row]));
    return error;
  };
  const double good = std::max(tolerance, rounding_of_closures * k.compiled.length);
  double error = 0.0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    update_positions(k, q);
    if (!k.closures_valid) update_closure_values(k);
    const double previous = error;
    error = largest_error();
    // Near a singular pose a small error says little about the coordinates.
    if (!(error > good) && k.weakness >= weak_pose) return {};
    // Rounding can keep the error just above that; a step that no longer helps ends the iteration.
    if (iteration > 3 && error > 0.5 * previous && error < 1e3 * good) return {};
    if (Status status = update_complement(k); !status) return status;
    if (k.crosses) {
      q = k.crossing->q;
      update_positions(k, q);
      update_closures(k);
      k.K = k.crossing->K;
      k.complement_valid = k.crosses = true;
      return {};
    }
    if (!(error > good)) return {};
    VectorX& step = k.scratch_v;
    step.setZero();
    VectorX& x = k.scratch_c;
    for (int i = 0; i < d; ++i) x[i] = -k.c[k.selection.rows[i]];
    solve_dependent(k, x.data());
    for (int i = 0; i < d; ++i) step[k.selection.dependent[i]] = x[i];
    const double size = size_of_step(k.compiled, step);
    // A correction by more than a radian or a characteristic length would end in another assembly, if in any.
    if (!(size <= 1.0)) break;
    add_step(k.compiled, step, q);
    if (size <= last_step) return {};
  }
  int worst = 0;
  for (int i = 0; i < k.row_count; ++i)
    if (std::abs(k.c[i]) > std::abs(k.c[worst])) worst = i;
  return {Status::Code::not_assembled, cut_of_row(k, worst), error};
}

#define LITHE_INSTANTIATE(S)                                            \
  template void scaled_block(Kernel<S>&, const LoopBlock&, RowMatrix&); \
  template void scaled_jacobian(Kernel<S>&, RowMatrix&);                \
  template bool select(Kernel<S>&, const SelectionRequest&);            \
  template Status update_complement(Kernel<S>&);                        \
  template void solve_dependent(Kernel<S>&, double*);                   \
  template void update_dependent_bias(Kernel<S>&, const VectorX&);      \
  template Status project(Kernel<S>&, VectorX&, double);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
