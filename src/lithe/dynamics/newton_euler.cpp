#include "lithe/dynamics/newton_euler.inc"

namespace lithe::detail {

template void add_passive_forces(const PassiveForces&, const VectorX&, const VectorX&, VectorX&);

#define LITHE_INSTANTIATE(S)                                            \
  template void clear_loads(Kernel<S>&);                                \
  template void apply_loads(Kernel<S>&, const Actions&);                \
  template void node_forces(Kernel<S>&, VectorX&);                      \
  template void newton_euler(Kernel<S>&, VectorX&);                     \
  template void add_passive_forces(Kernel<S>&, const State&, VectorX&); \
  template void add_joint_forces(Kernel<S>&, const Actions&, VectorX&); \
  template void accelerating_force(Kernel<S>&, const State&, const Actions&, VectorX&, const VectorX*);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
