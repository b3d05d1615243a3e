#include "lithe/dynamics/missing_forces.hpp"

namespace lithe::detail {

VectorX missing_forces(Kernel<Spatial>& k, const State& state, const VectorX& a, const Actions& actions) {
  apply_loads(k, actions);
  VectorX missing(k.nv), supplied = VectorX::Zero(k.nv);
  newton_euler(k, missing);
  add_armature_forces(k.compiled, a, missing);
  add_joint_forces(k, actions, supplied);
  add_passive_forces(k, state, supplied);
  return missing - supplied;
}

}  // namespace lithe::detail
