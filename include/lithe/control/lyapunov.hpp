#pragma once
// Lyapunov equations and Gramians, by Schur forms.

#include "lithe/control/state_space.hpp"

namespace lithe {

/// X of A X + X A^T + Q = 0, Q symmetric. Throws PhysicsError when two eigenvalues of A add up to zero.
MatrixX lyapunov(const MatrixX& A, const MatrixX& Q);
/// X of A X A^T - X + Q = 0. Throws PhysicsError when the product of two eigenvalues of A is one.
MatrixX discrete_lyapunov(const MatrixX& A, const MatrixX& Q);

/// U, square, with U U^T = X of A X + X A^T + B B^T = 0, or of A X A^T - X + B B^T = 0 when `sampled`; X itself is never
/// formed (Hammarling), so that small parts keep their digits. A must be stable: throws PhysicsError.
MatrixX gramian_factor(const MatrixX& A, const MatrixX& B, bool sampled);

/// Of a stable system; a large x^T Wc^-1 x is a state that takes much input to reach, a small x^T Wo x one that the
/// outputs hardly show.
struct Gramians {
  MatrixX controllability, observability;
  VectorX hankel;  ///< singular values, falling: square roots of the eigenvalues of the product
};
Gramians gramians(const StateSpace& system);

/// A mode of a system, how well the inputs reach it and how well the outputs see it.
struct ModeAccess {
  Pole pole;
  /// Per input |w^H b|/(|w| |b|) with the left eigenvector w, per output |c v|/(|c| |v|) with the right one, states
  /// balanced: one at best, zero for an input that cannot move the mode, or an output that does not show it.
  VectorX reach, sight;
};
struct Access {
  std::vector<ModeAccess> modes;
  /// Number of states minus the modes for which [A - s 1, B] (or [A - s 1; C]) loses rank: smallest singular value
  /// below `access_threshold` times its largest, states balanced (Popov, Belevitch, Hautus).
  int controllable = 0, observable = 0;
  std::vector<std::complex<double>> unreachable, unseen;  ///< poles that lost rank
};
constexpr double access_threshold = 1e-10;
Access access(const StateSpace& system);

}  // namespace lithe
