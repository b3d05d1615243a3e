#include "lithe/kinematics/complement.inc"

#include <cmath>

#include "lithe/kinematics/coordinates.hpp"

namespace lithe::detail {

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
  return {Status::Code::not_assembled, closure_of_row(k, worst), error};
}

#define LITHE_INSTANTIATE(S)                                       \
  template Status update_complement(Kernel<S>&);                   \
  template void solve_dependent(Kernel<S>&, double*);              \
  template void update_dependent_bias(Kernel<S>&, const VectorX&); \
  template Status project(Kernel<S>&, VectorX&, double);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
