#include "lithe/dynamics/articulated.inc"

namespace lithe::detail {

template Status articulated_forward(Kernel<Spatial>&, const VectorX&, const VectorX&, VectorX&);
template Status articulated_forward(Kernel<Planar>&, const VectorX&, const VectorX&, VectorX&);

}  // namespace lithe::detail
