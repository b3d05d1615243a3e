#pragma once
// What counts as zero, and why. All are relative to the size of what they are compared with. A tolerance that belongs to
// one algorithm only (steps of an iteration, the stopping of a search) stands with that algorithm, with a name.

namespace lithe::detail::tolerance {

// Data. What people and programs write has some nine digits; what we compute from it has twelve.
inline constexpr double written = 1e-9;  ///< unit vectors, right angles, symmetric matrices, the same place given twice
inline constexpr double computed = 1e-12;  ///< directions, lengths and eigenvalues that are zero but for rounding
inline constexpr double diagonal = 1e-8;   ///< what is left beside the diagonal of modal matrices

// Rank. Equations that depend on each other in exact arithmetic.
inline constexpr double rank = 1e-9;  ///< of closure equations: pivots and singular values below are zero
inline constexpr double rank_of_constraints = 1e-10;  ///< of equations on few coordinates, which are better scaled

// Singular. Quantities that pass through zero in special poses, so that only rounding may be called zero: each bound is
// the rounding that its elimination leaves.
inline constexpr double singular_closure = 1e-13;  ///< pivot of the dependent speeds, of the largest entry
inline constexpr double singular_leg = 1e-12;      ///< twist that the passive joints of a leg add to those before
inline constexpr double singular_actuation = 1e-14;
inline constexpr double no_inertia = 1e-13;    ///< inertia left to a freedom of a tree, of the inertia it hangs on
inline constexpr double not_positive = 1e-14;  ///< pivot of an inertia matrix, of its diagonal entry
inline constexpr double singular_kkt = 1e-15;  ///< pivot of inertia and closures together, of the largest

/// Positions behind a difference quotient: the step there multiplies what the closures leave open.
inline constexpr double exact_closure = 1e-13;

/// Keeps a divisor from being zero without changing any number that matters.
inline constexpr double smallest = 1e-300;

}  // namespace lithe::detail::tolerance
