#include "lithe/dynamics/noc.inc"

namespace lithe::detail {

#define LITHE_INSTANTIATE(S)                                                                          \
  template RowMatrix& reduced_inertia(Kernel<S>&, const RowMatrix&);                                  \
  template Status complement_forward(Kernel<S>&, const State&, const RowMatrix&, VectorX&, VectorX&); \
  template Status noc_forward(Kernel<S>&, const State&, const Actions&, VectorX&, const Stabilisation&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
