#include "lithe/dynamics/denoc_forward.hpp"

#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe::detail {

template <class S>
DenocMemory<S>::DenocMemory(const Kernel<S>& k)
    : force(VectorX::Zero(k.nv + k.compiled.cut_nv)), cut_force(VectorX::Zero(k.compiled.cut_nv)) {
  const Compiled& compiled = k.compiled;
  if (!compiled.mechanism.couplings.empty()) return;
  if (compiled.spatial.cuts.empty()) {
    tree.emplace(compiled);
    return;
  }
  const DenocLayout layout = find_denoc_layout(compiled.mechanism, compiled.options.platform);
  if (layout.refusal.empty()) modules.emplace(compiled, layout);
}

std::string denoc_refusal(const Compiled& compiled) {
  if (!compiled.spatial.bodies.empty())
    return "it is for rigid links, and link '" + compiled.mechanism.links[compiled.spatial.bodies[0].link].name +
           "' is elastic";
  if (!compiled.mechanism.couplings.empty())
    return "its passive joints are eliminated leg by leg, and coupling '" + compiled.mechanism.couplings[0].name +
           "' ties joints together";
  if (compiled.spatial.cuts.empty()) return "";
  return find_denoc_layout(compiled.mechanism, compiled.options.platform).refusal;
}

template <class S>
Status denoc_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                     const Stabilisation& stabilisation) {
  if (!k.bodies.empty()) return {Status::Code::not_applicable, -1, 0.0};
  DenocMemory<S>& memory = k.memory.template of<DenocMemory<S>>(k);
  if (!memory.tree && !memory.modules) return {Status::Code::not_applicable, -1, 0.0};
  update_positions(k, state.q);
  update_world(k);

  // What acts: loads on the nodes, motors, springs and dampers along the speeds of every joint, cut or not.
  const bool cut_passive = !k.compiled.cut_passive.empty();
  if (!k.compiled.mechanism.springs.empty() || cut_passive) update_velocities(k, state.v);
  apply_loads(k, actions);
  memory.force = actions.tau;
  add_passive_forces(k.compiled.tree_passive, state.q, state.v, memory.force);
  if (cut_passive) {
    CutJoints<S>& cut = cut_joints(k);
    cut_coordinates_from_world(k, cut.q);
    cut_speeds_from_motion(k, cut.v);
    cut.force.setZero();
    add_passive_forces(k.compiled.cut_passive, cut.q, cut.v, cut.force);
    memory.force.tail(k.compiled.cut_nv) += cut.force;
  }

  if (memory.tree) return memory.tree->forward(k, state.v, memory.force, a);
  // The legs know no way through a singular pose; the complement does.
  if (k.weakness < weak_pose && update_complement(k) && k.crosses)
    return noc_forward(k, state, actions, a, stabilisation);
  memory.modules->select(k.selection.independent);
  const Status status = memory.modules->forward(k, state.v, memory.force, a);
  if (status.code == Status::Code::singular_closure) {
    // The closures know which loop has given way.
    if (const Status closures = update_complement(k); !closures) return {status.code, closures.index, status.condition};
  }
  return status;
}

template struct DenocMemory<Spatial>;
template struct DenocMemory<Planar>;
template Status denoc_forward(Kernel<Spatial>&, const State&, const Actions&, VectorX&, const Stabilisation&);
template Status denoc_forward(Kernel<Planar>&, const State&, const Actions&, VectorX&, const Stabilisation&);

}  // namespace lithe::detail
