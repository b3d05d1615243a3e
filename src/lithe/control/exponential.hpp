#pragma once
// Matrix exponentials and integrals under them, by a series over a short time and repeated doubling.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// e^M.
MatrixX exponential(const MatrixX& M);

/// x(h) = Phi x(0) + Gamma u under a constant input.
struct HeldInput {
  MatrixX Phi, Gamma;
};
HeldInput hold_input(const MatrixX& A, const MatrixX& B, double h);

/// The integral of e^(F^T t) W e^(F t) over t from 0 to h.
MatrixX integrated_weight(const MatrixX& F, const MatrixX& W, double h);

}  // namespace lithe::detail
