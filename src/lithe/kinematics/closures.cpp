#include "lithe/kinematics/closures.inc"

namespace lithe::detail {

Wrench closure_wrench(const Kernel<Spatial>& k, std::size_t cut, const RowSpec& row) {
  const Direction<Spatial> d = row_direction<Spatial>(k.cuts[cut], row);
  return {d.n, d.f};
}

Wrench free_wrench(const Kernel<Spatial>& k, std::size_t cut, const FreeSpec& free) {
  const Direction<Spatial> d = free_direction<Spatial>(k.cuts[cut], free);
  return {d.n, d.f};
}

#define LITHE_INSTANTIATE(S)                                                             \
  template void update_closure_values(Kernel<S>&);                                       \
  template void update_closures(Kernel<S>&);                                             \
  template void update_closure_bias(Kernel<S>&);                                         \
  template void closure_rates_from_motion(Kernel<S>&, VectorX&);                         \
  template void closure_accelerations_from_motion(Kernel<S>&, const VectorX*, VectorX&); \
  template void add_closure_forces(Kernel<S>&, const VectorX&, VectorX&);                \
  template void cut_speed_jacobian(Kernel<S>&, RowMatrix&);                              \
  template void add_cut_forces(Kernel<S>&, const double*, VectorX&);                     \
  template void cut_speeds_from_motion(Kernel<S>&, VectorX&);                            \
  template void cut_accelerations_from_motion(Kernel<S>&, VectorX&);                     \
  template int closure_of_row(const Kernel<S>&, int);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
