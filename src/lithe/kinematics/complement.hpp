#pragma once
// Independent and dependent speeds: choice by pivoted elimination, elimination of the dependent ones, loop complement.

#include "lithe/kinematics/closures.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

/// Scaled closure Jacobian: rotations as they are, distances over the characteristic length.
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
void solve_dependent(const Kernel<S>& k, double* x);

/// reduced = N^T force: what forces on all tree speeds do on the independent ones.
template <class S>
void project_force(const Kernel<S>& k, const VectorX& force, VectorX& reduced) {
  const int d = k.dependents(), f = k.independents();
  for (int j = 0; j < f; ++j) reduced[j] = force[k.selection.independent[j]];
  for (int r = 0; r < d; ++r) {
    const double along = force[k.selection.dependent[r]];
    const double* row = k.K.data() + static_cast<std::ptrdiff_t>(r) * f;
    for (int j = 0; j < f; ++j) reduced[j] += row[j] * along;
  }
}

/// Dependent bias from k.gamma, for the speeds v.
template <class S>
void update_dependent_bias(Kernel<S>& k, const VectorX& v);

/// Newton's method on the dependent coordinates, down to rounding; closure errors up to `tolerance` are left as they
/// are.
template <class S>
Status project(Kernel<S>& k, VectorX& q, double tolerance);

}  // namespace lithe::detail
