#include "lithe/dynamics/cluster_sweep.inc"

namespace lithe::detail {

#define LITHE_INSTANTIATE(S)                                                   \
  template Status cluster_accelerations(Kernel<S>&, const VectorX&, VectorX&); \
  template bool prefers_clusters(const Kernel<S>&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
