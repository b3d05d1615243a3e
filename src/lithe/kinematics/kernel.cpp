#include "lithe/kinematics/kernel.inc"

namespace lithe::detail {

template struct Kernel<Spatial>;
template struct Kernel<Planar>;
template void update_positions(Kernel<Spatial>&, const VectorX&);
template void update_positions(Kernel<Planar>&, const VectorX&);
template void update_world(Kernel<Spatial>&);
template void update_world(Kernel<Planar>&);
template void update_bodies(Kernel<Spatial>&);
template void update_bodies(Kernel<Planar>&);
template void update_motion(Kernel<Spatial>&, const VectorX&, const VectorX*);
template void update_motion(Kernel<Planar>&, const VectorX&, const VectorX*);
template void update_velocities(Kernel<Spatial>&, const VectorX&);
template void update_velocities(Kernel<Planar>&, const VectorX&);

Scratch::Scratch(const Compiled& plan, Arithmetic arithmetic)
    : planar(plan.planar.has_value() && arithmetic == Arithmetic::automatic) {
  if (planar)
    flat.emplace(plan, *plan.planar);
  else
    full.emplace(plan, plan.spatial);
}

Kernel<Spatial>& Scratch::spatial(const Compiled& plan) {
  if (!full) full.emplace(plan, plan.spatial);
  return *full;
}

}  // namespace lithe::detail
