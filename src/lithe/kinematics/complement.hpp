#pragma once
// Independent and dependent speeds: choice by pivoted elimination, elimination of the dependent ones, loop complement.

#include "lithe/kinematics/closures.hpp"

namespace lithe::detail {

/// Smallest pivot of the scaled closure Jacobian that still counts as independent, relative to the largest.
inline constexpr double rank_tolerance = 1e-9;

/// Scaled closure Jacobian: rotations as they are, distances over the characteristic length.
template <class S>
void scaled_jacobian(Kernel<S>& k, RowMatrix& scaled);

/// How willingly each speed becomes dependent: 0 gladly, 1 only when class 0 gives no pivot above `reluctance`, 2 only
/// when the rank demands it, 3 (elastic coordinates) only when all of class 2 is dependent already, 4 after all others.
struct SelectionRequest {
  std::vector<int> willingness;
  double reluctance = 1e-3;
};

/// Full pivoting within the classes, at the stored positions. Sets k.selection; returns whether any speed of class 2
/// or 4 became dependent.
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
