#include "lithe/dynamics/inverse.hpp"

#include <algorithm>

#include "lithe/dynamics/element_forces.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

template <class K>
void needed_force(K& k, const State& state, const VectorX& a, const Actions& actions, VectorX& force) {
  const Actions& acting = with_elements(k, state, actions);
  update_positions(k, state.q);
  update_motion(k, state.v, &a);
  apply_loads(k, acting);
  newton_euler(k, force);
  add_armature_forces(k.compiled, a, force);
  k.scratch_v.setZero();
  add_passive_forces(k, state, k.scratch_v);
  if (&acting != &actions) element_forces(k).add_joint_forces(k, k.scratch_v);
  force -= k.scratch_v;
}

struct InverseMemory {
  template <class S>
  explicit InverseMemory(const Kernel<S>& k) : force(VectorX::Zero(k.nv)) {}

  VectorX force;    ///< that the tree needs
  VectorX reduced;  ///< the same on the independent speeds
};

/// Actuators that are exactly the `count` independent joint speeds need no equation solving.
bool same_set(const std::vector<int>& actuated, const Selection& selection, int count) {
  if (static_cast<int>(actuated.size()) != count) return false;
  const int nv = static_cast<int>(selection.independent_position.size());
  return std::all_of(actuated.begin(), actuated.end(),
                     [&](int v) { return v < nv && selection.independent_position[v] >= 0; });
}

}  // namespace

void tree_inverse_dynamics(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                           const Actions& actions, VectorX& force) {
  if (force.size() != plan.nv()) force.resize(plan.nv());
  with_kernel(work, [&](auto& k) { needed_force(k, state, a, actions, force); });
}

void missing_force(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                   VectorX& force) {
  tree_inverse_dynamics(plan, work, state, a, actions, force);
  with_kernel(work, [&](auto& k) {
    k.scratch_v.setZero();
    add_joint_forces(k, actions, k.scratch_v);
    force -= k.scratch_v;
  });
}

Status recover_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                      std::span<const int> speeds, Actions& actions) {
  for (const int speed : speeds) actions.tau[speed] = 0.0;
  return with_kernel(work, [&](auto& k) -> Status {
    InverseMemory& memory = k.memory.template of<InverseMemory>(k);
    missing_force(plan, work, state, a, actions, memory.force);
    if (Status status = update_complement(k); !status) return status;
    memory.reduced.resize(k.independents());
    project_force(k, memory.force, memory.reduced);
    for (const int speed : speeds)
      if (const int at = k.selection.independent_position[speed]; at >= 0) actions.tau[speed] = memory.reduced[at];
    return {};
  });
}

namespace {

/// From the force on the independent speeds, which stands in the memory, to those of the motors.
void supply_by_motors(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<int>& actuated,
                      InverseResult& result) {
  with_kernel(work, [&](auto& k) {
    const VectorX& reduced = k.memory.template of<InverseMemory>(k).reduced;
    // Elastic speeds come last; motors do not act on them, so their equations are left out.
    int rows = k.independents();
    const bool joints_only =
        std::none_of(actuated.begin(), actuated.end(), [&](int v) { return v >= k.compiled.joint_nv && v < k.nv; });
    while (joints_only && rows > 0 && k.selection.independent[rows - 1] >= k.compiled.joint_nv) --rows;
    result.elastic_missing = reduced.tail(k.independents() - rows);
    if (same_set(actuated, k.selection, rows)) {
      for (int j = 0; j < rows; ++j) result.tau[k.selection.independent[j]] = reduced[j];
      return;
    }
    // General case: N^T B tau = N^T force, by a rank-revealing factorisation.
    const VectorX wanted = reduced.head(rows);
    // The last rows of N^T B: motors bend links when they are not among the independent speeds.
    MatrixX N;
    result.status = loop_complement(plan, work, q, N);
    const MatrixX B = (speed_jacobian(plan, work, q, actuated) * N).transpose();
    const MatrixX driving = B.topRows(rows);
    const auto [tau, rank] = solve_minimum_norm(driving, wanted, tolerance::rank);
    result.redundancy = static_cast<int>(B.cols()) - rank;
    result.residual = (driving * tau - wanted).norm();
    result.elastic_missing -= B.bottomRows(B.rows() - rows) * tau;
    for (std::size_t i = 0; i < actuated.size(); ++i) result.tau[actuated[i]] = tau[i];
  });
}

void clear(const Plan& plan, InverseResult& result) {
  if (result.tau.size() != plan.nv() + plan.cut_nv()) result.tau.resize(plan.nv() + plan.cut_nv());
  result.tau.setZero();
  result.residual = 0.0;
  result.redundancy = 0;
}

}  // namespace

void inverse_dynamics(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                      const std::vector<int>& actuated, InverseResult& result) {
  clear(plan, result);
  result.status = with_kernel(work, [&](auto& k) -> Status {
    InverseMemory& memory = k.memory.template of<InverseMemory>(k);
    needed_force(k, state, a, actions, memory.force);
    if (k.row_count > 0)
      if (Status status = update_complement(k); !status) return status;
    memory.reduced.resize(k.independents());
    project_force(k, memory.force, memory.reduced);
    return {};
  });
  if (result.status) supply_by_motors(plan, work, state.q, actuated, result);
}

void equivalent_motor_forces(const Plan& plan, Workspace& work, const VectorX& q, const VectorX& force,
                             const std::vector<int>& actuated, InverseResult& result) {
  clear(plan, result);
  result.status = with_kernel(work, [&](auto& k) -> Status {
    InverseMemory& memory = k.memory.template of<InverseMemory>(k);
    update_positions(k, q);
    if (k.row_count > 0)
      if (Status status = update_complement(k); !status) return status;
    memory.reduced.resize(k.independents());
    project_force(k, force, memory.reduced);
    return {};
  });
  if (result.status) supply_by_motors(plan, work, q, actuated, result);
}

}  // namespace lithe
