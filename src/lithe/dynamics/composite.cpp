#include "lithe/dynamics/composite.inc"

namespace lithe::detail {

template RowMatrix& composite_inertia(Kernel<Spatial>&);
template RowMatrix& composite_inertia(Kernel<Planar>&);

}  // namespace lithe::detail
