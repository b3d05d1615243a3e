#include "lithe/kinematics/lift.inc"

namespace lithe::detail {

template class FrameDeformation<double>;
template Pose deformed<double>(const LinkData&, int, const Eigen::Ref<const VectorX>&);

#define LITHE_INSTANTIATE(S)                                                      \
  template Pose node_pose(const Kernel<S>&, int);                                 \
  template NodeMotion node_motion(const Kernel<S>&, int);                         \
  template void add_load(Kernel<S>&, int, const Vec3&, const Vec3&, const Vec3&); \
  template void cut_coordinates_from_world(const Kernel<S>&, VectorX&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
