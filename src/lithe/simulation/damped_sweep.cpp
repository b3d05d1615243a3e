#include "lithe/simulation/damped_sweep.hpp"

namespace lithe::detail {

// With g_i the forces at the nodes i = 1, 2 (middle, end) and v_i the speeds there, found_i = r_i - C v_i(g_1, g_2), where C
// is what damping couples. Newton's step for found(g) = g is (1 + C dv/dg) change = found - g.
void DampedSweep::prepare(double h, const ModalBasis& basis, const ModalAnswer& half, const ModalAnswer& full,
                          bool is_new_basis) {
  if (h == h_ && !is_new_basis) return;
  h_ = h;
  const MatrixX& coupling = basis.coupling();
  const Eigen::Index n = coupling.rows();
  system_.resize(2 * n, 2 * n);
  residual_.resize(2 * n);
  change_.resize(2 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const ModalAnswer::SpeedSlopes middle = half.speed_slopes(0.5, k), end = full.speed_slopes(1.0, k);
    system_.col(k).head(n) = coupling.col(k) * middle.middle;
    system_.col(k).tail(n) = coupling.col(k) * end.middle;
    system_.col(n + k).head(n) = coupling.col(k) * middle.end;
    system_.col(n + k).tail(n) = coupling.col(k) * end.end;
  }
  system_.diagonal().array() += 1.0;
  factors_.compute(system_);
}

void DampedSweep::correct(const VectorX& found_middle, const VectorX& found_end, VectorX& middle, VectorX& end) {
  const Eigen::Index n = middle.size();
  residual_.head(n) = found_middle - middle;
  residual_.tail(n) = found_end - end;
  change_.noalias() = factors_.solve(residual_);
  middle += change_.head(n);
  end += change_.tail(n);
}

}  // namespace lithe::detail
