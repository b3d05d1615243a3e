#pragma once
// Independent and dependent speeds: choice by pivoted elimination, elimination of the dependent ones, loop complement.

#include "lithe/kinematics/closures.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

/// Closure Jacobian of one block: rotations as they are, distances over the characteristic length.
template <class S>
void scaled_block(Kernel<S>& k, const LoopBlock& loop, RowMatrix& scaled);

/// The same of all loops in one matrix.
template <class S>
void scaled_jacobian(Kernel<S>& k, RowMatrix& scaled);

/// How reluctantly a speed becomes dependent, each class after those before it.
enum class Reluctance : unsigned char {
  none,       ///< gladly
  preferred,  ///< a motor: only when the others give no good pivot
  required,   ///< of the coordinates that the user asks for: only when the rank demands it
  elastic,    ///< a link bends rather than that a loop cannot close
  kept        ///< follows a law, or is held
};

struct SelectionRequest {
  std::vector<Reluctance> reluctance;  ///< per speed
  double good_pivot = 1e-3;            ///< of the largest entry: below it the next class is asked
};

/// Full pivoting within the classes, at the stored positions. Sets k.selection; returns whether any speed that is required
/// or kept became dependent.
template <class S>
bool select(Kernel<S>& k, const SelectionRequest& request);

/// K and the LU factors for the stored positions and selection. Beside a singular pose (k.crosses) K is interpolated,
/// and the factors are not to be used.
template <class S>
Status update_complement(Kernel<S>& k);

/// x <- (dependent block of A)^-1 x, x in the order of selection.rows in, of selection.dependent out.
template <class S>
void solve_dependent(Kernel<S>& k, typename S::Number* x);

/// move = N x: dependent speeds by way of K, independent ones as they are in x; both over all speeds, and may be one.
template <class S>
void complete_dependent(const Kernel<S>& k, const LoopMatricesOf<typename S::Number>& K, const typename S::Vector& x,
                        typename S::Vector& move) {
  using T = typename S::Number;
  if (&move != &x)
    for (const int v : k.selection.independent) move[v] = x[v];
  for (std::size_t b = 0; b < k.loops.size(); ++b) {
    const LoopChoice& loop = k.loops[b];
    for (Eigen::Index r = 0; r < K[b].rows(); ++r) {
      const T* row = K[b].data() + r * K[b].cols();
      T sum = 0.0;
      for (std::size_t j = 0; j < loop.independent.size(); ++j) sum += row[j] * x[loop.independent_speeds[j]];
      move[loop.dependent_speeds[r]] = sum;
    }
  }
}

/// a += bias at the dependent speeds.
template <class S>
void add_dependent_bias(const Kernel<S>& k, typename S::Vector& a) {
  for (int i = 0; i < k.dependents(); ++i) a[k.selection.dependent[i]] += k.dependent_bias[i];
}

/// `visit(place, slope)` for the independent speeds, by their place in Selection::independent, on which dependent speed
/// number r of block `loop` depends.
template <class T, class Visit>
void for_each_slope(const LoopChoice& loop, const RowMatrixOf<T>& K, Eigen::Index r, Visit&& visit) {
  const T* row = K.data() + r * K.cols();
  if (loop.is_whole) {  // contiguous, which the compiler can use
    for (Eigen::Index j = 0; j < K.cols(); ++j) visit(j, row[j]);
  } else {
    for (Eigen::Index j = 0; j < K.cols(); ++j) visit(loop.independent_at[j], row[j]);
  }
}

/// reduced = N^T force: what forces on all tree speeds do on the independent ones.
template <class S>
void project_force(const Kernel<S>& k, const typename S::Vector& force, typename S::Vector& reduced) {
  using T = typename S::Number;
  for (int j = 0; j < k.independents(); ++j) reduced[j] = force[k.selection.independent[j]];
  for (std::size_t b = 0; b < k.loops.size(); ++b) {
    const LoopChoice& loop = k.loops[b];
    for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
      const T along = force[loop.dependent_speeds[r]];
      for_each_slope(loop, k.K[b], r, [&](Eigen::Index j, const T& slope) { reduced[j] += slope * along; });
    }
  }
}

/// Dependent bias from k.gamma, for the speeds v.
template <class S>
void update_dependent_bias(Kernel<S>& k, const typename S::Vector& v);

/// Newton's method on the dependent coordinates, down to rounding; closure errors up to `tolerance` are left as they
/// are.
template <class S>
Status project(Kernel<S>& k, VectorX& q, double tolerance);

}  // namespace lithe::detail
