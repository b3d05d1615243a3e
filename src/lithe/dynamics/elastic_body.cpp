#include "lithe/dynamics/elastic_body.inc"

namespace lithe::detail {

#define LITHE_INSTANTIATE(S)                                                  \
  template void elastic_inertia_forces(Kernel<S>&, int, VectorX&);            \
  template void add_elastic_forces(const Kernel<S>&, const State&, VectorX&); \
  template double elastic_kinetic_energy(const Kernel<S>&, int);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
