#pragma once
// Algebraic Riccati equations, by the ordered generalised Schur form of their pencils (LAPACK).

#include "lithe/control/state_space.hpp"

namespace lithe {

struct RiccatiSolution {
  MatrixX X;  ///< symmetric; A - B K is stable
  MatrixX K;  ///< the gain of u = -K x
  /// Norm of what is left of the equation over the sum of the norms of its terms.
  double residual = 0.0;
};

/// A^T X + X A - (X B + S) R^-1 (B^T X + S^T) + Q = 0, K = R^-1 (B^T X + S^T). R must be positive definite; without S it
/// is zero. Throws PhysicsError when there is no stabilising solution, naming the mode to blame, or when the residual
/// is no rounding; MechanismError when sizes do not fit or weights are not what they have to be.
RiccatiSolution riccati(const MatrixX& A, const MatrixX& B, const MatrixX& Q, const MatrixX& R, const MatrixX& S = {});

/// A^T X A - X - (A^T X B + S) (R + B^T X B)^-1 (B^T X A + S^T) + Q = 0, K = (R + B^T X B)^-1 (B^T X A + S^T).
RiccatiSolution discrete_riccati(const MatrixX& A, const MatrixX& B, const MatrixX& Q, const MatrixX& R,
                                 const MatrixX& S = {});

}  // namespace lithe
