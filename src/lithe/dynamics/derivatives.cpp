// Motion and closures at constant joint forces, with the multipliers l of the closures:
//
//   r(q, v, a, l) = what the tree needs for the motion - what acts - A^T l = 0,     s(q, v, a) = second rate of c = 0.
//
// Along a direction of the state (dq, dv) they change by dr and ds at constant a and l. What a and l do about it follows
// from M da - A^T dl + dr = 0 and A da + ds = 0, of which the loop complement N = [K; 1] leaves
//
//   da = N y + [db; 0],   A_d db = -ds,   N^T M N y = -N^T (dr + M [db; 0]).
//
// A coordinate that changes carries along dq = N e, and the dependent speeds by A_d dv = -d(A v) at constant v. The
// changes dr, ds and d(A v) of eight directions at once come from the same sweeps in dual numbers (slopes.inc); matrices
// are never differentiated. Branches that meet in closures only are moved all at once (branches.hpp).

#include "lithe/dynamics/derivatives.hpp"

#include <algorithm>
#include <memory>

#include "lithe/dynamics/branches.hpp"
#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/elements.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/lanes.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

constexpr int directions = SlopeEvaluator::directions;

SlopesIn slopes_in(const RowMatrix& rows, int first = 0) { return {rows.data() + first, rows.cols()}; }
SlopesOut slopes_out(RowMatrix& rows, int first = 0) { return {rows.data() + first, rows.cols()}; }

/// Memory of the derivatives, kept in the kernel. Directions are independent coordinates, then their speeds.
template <class S>
struct SlopeMemory {
  explicit SlopeMemory(const Kernel<S>& k)
      : slopes(make_slopes(k.compiled, S::planar)),
        branches(k, slopes->frame_size()),
        missing(VectorX::Zero(k.nv)),
        multipliers(VectorX::Zero(k.row_count)),
        move(VectorX::Zero(k.nv)),
        rate(VectorX::Zero(k.compiled.nq)),
        q_rates(RowMatrix::Zero(k.compiled.nq, directions)),
        v_slopes(RowMatrix::Zero(k.nv, directions)),
        changed(RowMatrix::Zero(k.nv, directions)),
        rows(RowMatrix::Zero(k.row_count, directions)) {}

  /// Makes room for the directions and for unit forces.
  void fit(const Kernel<S>& k, std::size_t forces) {
    const int f = k.independents(), d = k.dependents();
    const int width = whole_blocks(2 * f + static_cast<int>(forces));
    if (tree.rows() == k.nv && tree.cols() == width && right.rows() == f) return;
    tree.setZero(k.nv, width);
    right.setZero(f, width);
    dependent.setZero(d, 2 * f);
    carried.setZero(d, f);
    solution.setZero(d);
    if (branches.save_sweeps(k)) branches.fit(k);
  }

  std::unique_ptr<SlopeEvaluator> slopes;
  BranchSlopes<S> branches;
  VectorX missing, multipliers, move, rate, solution;
  RowMatrix q_rates, v_slopes, changed, rows;
  RowMatrix tree;       ///< -dr per direction, then unit forces: on the tree speeds; in the end da
  RowMatrix dependent;  ///< db per direction
  RowMatrix carried;    ///< dv per independent coordinate
  RowMatrix right;      ///< N^T (tree - M [db; 0]); then y
};

/// The multipliers of the chosen closure rows: A_d^T l = r_d, block by block.
template <class S>
void find_multipliers(Kernel<S>& k, const VectorX& missing, VectorX& multipliers) {
  multipliers.setZero();
  for (LoopBlock& loop : k.loops) {
    const int d = static_cast<int>(loop.dependent.size());
    // P A_d = L U: U^T y = r_d, L^T z = y, l = P^T z.
    VectorX& y = loop.solution;
    for (int p = 0; p < d; ++p) {
      double sum = missing[loop.dependent_speeds[p]];
      for (int i = 0; i < p; ++i) sum -= loop.factor(i, p) * y[i];
      y[p] = sum * loop.factor(p, p);
    }
    for (int p = d - 1; p >= 0; --p)
      for (int i = p + 1; i < d; ++i) y[p] -= loop.factor(i, p) * y[i];
    for (int p = d - 1; p >= 0; --p) std::swap(y[p], y[loop.pivots[p]]);
    for (int p = 0; p < d; ++p) multipliers[loop.cluster->rows[loop.rows[p]]] = y[p];
  }
}

/// x = -A_d^-1 of the chosen rows of a column of `rows`.
template <class S>
void dependent_change(Kernel<S>& k, const RowMatrix& rows, int column, VectorX& x) {
  for (int i = 0; i < k.dependents(); ++i) x[i] = -rows(k.selection.rows[i], column);
  solve_dependent(k, x.data());
}

/// Unit forces, into the last columns.
template <class S>
void put_forces(Kernel<S>& k, std::span<const int> forces, SlopeMemory<S>& m) {
  const Eigen::Index first = 2 * k.independents();
  for (std::size_t j = 0; j < forces.size(); ++j) {
    m.move.setZero();
    if (forces[j] < k.nv) {
      m.move[forces[j]] = 1.0;
    } else {
      VectorX& unit = cut_joints(k).force;
      unit.setZero();
      unit[forces[j] - k.nv] = 1.0;
      add_cut_forces(k, unit.data(), m.move);
    }
    m.tree.col(first + static_cast<Eigen::Index>(j)) = m.move;
  }
}

/// One column of N: what moves with an independent speed, by its place among them.
template <class S>
void column_of_complement(const Kernel<S>& k, int place, VectorX& move) {
  move.setZero();
  move[k.selection.independent[place]] = 1.0;
  for (std::size_t b = 0; b < k.loops.size(); ++b) {
    const std::vector<int>& places = k.loops[b].independent_at;
    const auto found = std::lower_bound(places.begin(), places.end(), place);
    if (found == places.end() || *found != place) continue;
    for (Eigen::Index r = 0; r < k.K[b].rows(); ++r)
      move[k.loops[b].dependent_speeds[r]] = k.K[b](r, found - places.begin());
  }
}

/// Eight directions or less, coordinates up to column f and then speeds: -dr and db from column `first` on.
template <class S>
void change_along(const Plan& plan, Kernel<S>& k, const State& state, const Actions& actions, const VectorX& a,
                  int first, int count, SlopeMemory<S>& m) {
  const int f = k.independents(), d = k.dependents();
  m.q_rates.setZero();
  m.v_slopes.setZero();
  for (int i = 0; i < count; ++i) {
    column_of_complement(k, (first + i) % f, m.move);
    if (first + i < f) {
      coordinate_rates(plan, state.q, m.move, m.rate);
      m.q_rates.col(i) = m.rate;
    } else {
      m.v_slopes.col(i) = m.move;
    }
  }
  m.slopes->place(state.q.data(), slopes_in(m.q_rates));
  // The pose moves, and the dependent speeds with it.
  if (first < f && d > 0) {
    m.slopes->closure_rates(state.v.data(), slopes_out(m.rows));
    for (int i = 0; i < count && first + i < f; ++i) {
      dependent_change(k, m.rows, i, m.solution);
      for (int r = 0; r < d; ++r) m.carried(r, first + i) = m.solution[r];
      for (int r = 0; r < d; ++r) m.v_slopes(k.selection.dependent[r], i) = m.solution[r];
    }
  }
  m.slopes->missing(state.v.data(), slopes_in(m.v_slopes), a.data(), actions, m.multipliers, slopes_out(m.changed),
                    slopes_out(m.rows));
  for (int i = 0; i < count; ++i) {
    for (int v = 0; v < k.nv; ++v) m.tree(v, first + i) = -m.changed(v, i);
    if (d == 0) continue;
    dependent_change(k, m.rows, i, m.solution);
    for (int r = 0; r < d; ++r) m.dependent(r, first + i) = m.solution[r];
  }
}

/// Every branch along its own speeds: blocks of directions of which the first are coordinates, the others speeds.
template <class S>
void sweep_branches(const Plan& plan, const State& state, const Actions& actions, const VectorX& a, SlopeMemory<S>& m) {
  BranchSlopes<S>& b = m.branches;
  for (int first = 0; first < b.by_seed.cols(); first += directions) {
    m.q_rates.setZero();
    m.v_slopes.setZero();
    for (int i = 0; i < directions; ++i) {
      const int column = first + i;
      const bool is_speed = column >= b.first_speed_seed;
      const int seed = is_speed ? column - b.first_speed_seed : column;
      if (seed >= b.seeds) continue;
      m.move.setZero();
      for (Eigen::Index v = 0; v < m.move.size(); ++v) m.move[v] = b.seed_of[v] == seed ? 1.0 : 0.0;
      if (is_speed) {
        m.v_slopes.col(i) = m.move;
      } else {
        coordinate_rates(plan, state.q, m.move, m.rate);
        m.q_rates.col(i) = m.rate;
      }
    }
    m.slopes->place(state.q.data(), slopes_in(m.q_rates));
    m.slopes->branches(state.v.data(), slopes_in(m.v_slopes), a.data(), actions, m.multipliers,
                       slopes_out(b.by_seed, first));
  }
}

/// -dr and db of all directions, from the slopes of the branches.
template <class S>
void change_by_branches(const Plan& plan, Kernel<S>& k, const State& state, const Actions& actions, const VectorX& a,
                        SlopeMemory<S>& m) {
  BranchSlopes<S>& b = m.branches;
  const int f = k.independents(), d = k.dependents(), width = static_cast<int>(b.by_position.cols());
  sweep_branches(plan, state, actions, a, m);
  b.spread(k, 0, b.by_position);
  b.spread(k, b.first_speed_seed, b.by_speed);
  const auto frames = [&](const RowMatrix& by, int first) {
    return SlopesIn{by.data() + k.nv * by.cols() + first, by.cols()};
  };
  if (d > 0) {
    // The pose moves, and the dependent speeds with it.
    for (int first = 0; first < width; first += directions)
      m.slopes->frame_rates(frames(b.by_position, first), slopes_out(b.closure, first));
    solve_for_dependents(k, b.closure, b.solution);
    m.carried = b.solution.leftCols(f);
    b.add_dependent_speeds(k, b.solution, b.by_position);
    const double* cut_tau = actions.tau.data() + k.nv;
    for (int first = 0; first < width; first += directions)
      m.slopes->frame_accelerations(frames(b.by_position, first), cut_tau, m.multipliers, slopes_out(b.closure, first),
                                    slopes_out(b.wrench, first));
    solve_for_dependents(k, b.closure, b.solution);
    m.dependent.leftCols(f) = b.solution.leftCols(f);
    for (int first = 0; first < width; first += directions)
      m.slopes->frame_accelerations(frames(b.by_speed, first), cut_tau, m.multipliers, slopes_out(b.closure, first),
                                    {});
    solve_for_dependents(k, b.closure, b.solution);
    m.dependent.rightCols(f) = b.solution.leftCols(f);
    b.add_wrenches(k, b.wrench, b.by_position);
  }
  for (int v = 0; v < k.nv; ++v)
    for (int i = 0; i < f; ++i) {
      m.tree(v, i) = -b.by_position(v, i);
      m.tree(v, f + i) = -b.by_speed(v, i);
    }
}

/// m.right = N^T m.tree.
template <class S>
void project_columns(const Kernel<S>& k, SlopeMemory<S>& m) {
  const Eigen::Index width = m.tree.cols();
  for (int j = 0; j < k.independents(); ++j) m.right.row(j) = m.tree.row(k.selection.independent[j]);
  for (std::size_t b = 0; b < k.loops.size(); ++b)
    for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
      const double* row = m.tree.data() + k.loops[b].dependent_speeds[r] * width;
      for_each_slope(k.loops[b], k.K[b], r,
                     [&](Eigen::Index j, double slope) { add_row(row, slope, width, m.right.data() + j * width); });
    }
}

/// Fills m.right and m.dependent; `forces` are unit forces beside the directions. What is missing along the independent
/// speeds at `a` (nothing in forward dynamics) does no harm. Returns N^T M N, its lower triangle.
template <class S>
Status find_changes(const Plan& plan, Workspace& work, Kernel<S>& k, const State& state, const Actions& actions,
                    const VectorX& a, std::span<const int> forces, SlopeMemory<S>& m, RowMatrix*& G) {
  if (!plan.compiled().stressed.empty() || has_elements(plan)) return {Status::Code::not_applicable, -1, 0.0};
  update_positions(k, state.q);
  if (k.row_count > 0) {
    if (Status status = update_complement(k); !status) return status;
    if (k.crosses) return {Status::Code::singular_closure, closure_of_row(k, k.weakest_row), 1.0 / k.weakness};
  }
  m.fit(k, forces.size());
  missing_force(plan, work, state, a, actions, m.missing);
  find_multipliers(k, m.missing, m.multipliers);
  const int f = k.independents();
  if (m.branches.save_sweeps(k)) {
    change_by_branches(plan, k, state, actions, a, m);
  } else {
    // A few coordinates go together with their speeds; otherwise the pose of all speeds is made only once.
    const int last = 2 * f <= directions ? 2 * f : f;
    for (int first = 0; first < last; first += directions)
      change_along(plan, k, state, actions, a, first, std::min(directions, last - first), m);
    for (int first = last; first < 2 * f; first += directions)
      change_along(plan, k, state, actions, a, first, std::min(directions, 2 * f - first), m);
  }
  put_forces(k, forces, m);

  // -dr - M [db; 0], taken along N.
  const RowMatrix& M = composite_inertia(k);
  G = &reduced_inertia(k, M);
  for (int r = 0; r < k.dependents(); ++r)
    for (int v = 0; v < k.nv; ++v) {
      const double coupling = M(k.selection.dependent[r], v);
      if (coupling == 0.0) continue;
      add_row(m.dependent.data() + r * m.dependent.cols(), -coupling, m.dependent.cols(),
              m.tree.data() + v * m.tree.cols());
    }
  project_columns(k, m);
  return {};
}

/// da of all tree speeds into m.tree: N y, with db at the dependent speeds.
template <class S>
void complete_columns(const Kernel<S>& k, SlopeMemory<S>& m) {
  const Eigen::Index width = m.tree.cols();
  for (int j = 0; j < k.independents(); ++j) m.tree.row(k.selection.independent[j]) = m.right.row(j);
  for (std::size_t b = 0; b < k.loops.size(); ++b)
    for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
      double* row = m.tree.data() + k.loops[b].dependent_speeds[r] * width;
      std::fill(row, row + width, 0.0);
      add_row(m.dependent.data() + k.loops[b].dependent_at[r] * m.dependent.cols(), 1.0, m.dependent.cols(), row);
      for_each_slope(k.loops[b], k.K[b], r,
                     [&](Eigen::Index j, double slope) { add_row(m.right.data() + j * width, slope, width, row); });
    }
}

/// Columns of a matrix that stands row by row.
void copy_columns(const RowMatrix& from, Eigen::Index first, Eigen::Index count, MatrixX& to) {
  const Eigen::Index rows = from.rows(), width = from.cols();
  to.resize(rows, count);
  double* out = to.data();
  for (Eigen::Index j = first; j < first + count; ++j)
    for (const double* in = from.data() + j; in < from.data() + rows * width; in += width) *out++ = *in;
}

}  // namespace

Status forward_derivatives(const Plan& plan, Workspace& work, const State& state, const Actions& actions,
                           const VectorX& a, ForwardDerivatives& result, const DerivativeOptions& options) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) -> Status {
    SlopeMemory<S>& m = k.memory.template of<SlopeMemory<S>>(k);
    RowMatrix* G = nullptr;
    if (Status status = find_changes(plan, work, k, state, actions, a, options.forces, m, G); !status) return status;
    const int f = k.independents();
    for (const int speed : options.prescribed) {
      const int p = k.selection.independent_position[speed];
      if (p < 0) continue;
      for (int i = 0; i < f; ++i) (i > p ? (*G)(i, p) : (*G)(p, i)) = i == p ? 1.0 : 0.0;
      m.right.row(p).setZero();
    }
    const int failed = factor_positive(*G);
    if (failed >= 0) return {Status::Code::singular_inertia, k.selection.independent[failed], 0.0};
    m.slopes->solve(*G, slopes_out(m.right), static_cast<int>(m.right.cols()));
    complete_columns(k, m);
    copy_columns(m.tree, 0, f, result.by_position);
    copy_columns(m.tree, f, f, result.by_speed);
    copy_columns(m.tree, 2 * f, std::ssize(options.forces), result.by_force);
    result.carried.setZero(k.nv, f);
    for (int r = 0; r < k.dependents(); ++r) result.carried.row(k.selection.dependent[r]) = m.carried.row(r);
    return {};
  });
}

Status inverse_derivatives(const Plan& plan, Workspace& work, const State& state, const Actions& actions,
                           const VectorX& a, InverseDerivatives& result) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) -> Status {
    SlopeMemory<S>& m = k.memory.template of<SlopeMemory<S>>(k);
    RowMatrix* G = nullptr;
    if (Status status = find_changes(plan, work, k, state, actions, a, {}, m, G); !status) return status;
    const int f = k.independents();
    result.by_position = -m.right.leftCols(f);
    result.by_speed = -m.right.middleCols(f, f);
    result.by_acceleration = G->template selfadjointView<Eigen::Lower>();
    return {};
  });
}

}  // namespace lithe
