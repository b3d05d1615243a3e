// Natural orthogonal complement. With N = [K; 1] from the closures (A N = 0) and the tree inertia M,
//   N^T M N a_i = N^T (force - h - M [bias; 0]),   a_d = K a_i + bias.

#include "lithe/dynamics/articulated.hpp"
#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe::detail {

template <class S>
void accelerating_force(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions) {
  update_motion(k, state.v, nullptr);
  apply_loads(k, actions);
  newton_euler(k, k.h);
  k.tree_force = -k.h;
  add_joint_forces(k, actions, k.tree_force);
  add_passive_forces(k, scratch, state, k.tree_force);
}

template <class S>
void reduce_inertia(Kernel<S>& k) {
  const int d = k.dependents(), f = k.independents(), n = k.nv;
  const int* dependent = k.selection.dependent.data();
  const int* independent = k.selection.independent.data();
  for (int i = 0; i < n; ++i) {
    const double* inertia = k.M.data() + static_cast<std::ptrdiff_t>(i) * n;
    double* out = k.MN.data() + static_cast<std::ptrdiff_t>(i) * f;
    for (int j = 0; j < f; ++j) out[j] = inertia[independent[j]];
    for (int r = 0; r < d; ++r) {
      const double m = inertia[dependent[r]];
      if (m == 0.0) continue;  // different branches of the tree do not couple
      const double* row = k.K.data() + static_cast<std::ptrdiff_t>(r) * f;
      for (int j = 0; j < f; ++j) out[j] += m * row[j];
    }
  }
  for (int i = 0; i < f; ++i) {
    double* out = k.G.data() + static_cast<std::ptrdiff_t>(i) * f;
    const double* own = k.MN.data() + static_cast<std::ptrdiff_t>(independent[i]) * f;
    for (int j = 0; j <= i; ++j) out[j] = own[j];
    for (int r = 0; r < d; ++r) {
      const double factor = k.K(r, i);
      const double* row = k.MN.data() + static_cast<std::ptrdiff_t>(dependent[r]) * f;
      for (int j = 0; j <= i; ++j) out[j] += factor * row[j];
    }
  }
}

namespace {

/// Are some, but not all, of the three speeds of a spherical node prescribed? The articulated sweep cannot do that.
template <class S>
bool splits_rotation(const Kernel<S>& k) {
  if constexpr (!S::planar)
    for (const Node<S>& node : k.tables.nodes)
      if (node.kind == NodeKind::spherical &&
          (k.prescribed[node.v] != k.prescribed[node.v + 1] || k.prescribed[node.v] != k.prescribed[node.v + 2]))
        return true;
  return false;
}

/// Speeds whose acceleration is given: their rows and columns become trivial.
template <class S>
void fix_prescribed(Kernel<S>& k, const VectorX& a) {
  const int f = k.independents();
  for (int p = 0; p < f; ++p) {
    const int speed = k.selection.independent[p];
    if (!k.prescribed[speed]) continue;
    for (int i = 0; i < f; ++i) {
      if (i == p) continue;
      double& coupling = i > p ? k.G(i, p) : k.G(p, i);
      k.reduced[i] -= coupling * a[speed];
      coupling = 0.0;
    }
    k.G(p, p) = 1.0;
    k.reduced[p] = a[speed];
  }
}

}  // namespace

template <class S>
Status noc_forward(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& a) {
  update_positions(k, state.q);
  if (k.row_count == 0 && k.bodies.empty() && !splits_rotation(k)) {
    // Velocities outside the sweep itself are needed only for springs and for cut joints without closures (free ones).
    if (k.compiled.cut_nv > 0 || !k.compiled.mechanism.springs.empty()) update_motion(k, state.v, nullptr);
    apply_loads(k, actions);
    k.tree_force.setZero();
    add_joint_forces(k, actions, k.tree_force);
    add_passive_forces(k, scratch, state, k.tree_force);
    return articulated_forward(k, state.v, k.tree_force, a);
  }
  if (k.row_count == 0) {  // the dense matrices are not there yet
    k.MN.resize(k.nv, k.nv);
    k.G.resize(k.nv, k.nv);
    k.reduced.resize(k.nv);
  }
  if (Status status = update_complement(k); !status) return status;
  accelerating_force(k, scratch, state, actions);
  update_closure_bias(k);
  update_dependent_bias(k, state.v);
  composite_inertia(k);
  reduce_inertia(k);
  const int d = k.dependents(), f = k.independents();
  for (int r = 0; r < d; ++r) {
    const double bias = k.dependent_bias[r];
    const double* inertia = k.M.data() + static_cast<std::ptrdiff_t>(k.selection.dependent[r]) * k.nv;
    for (int i = 0; i < k.nv; ++i) k.tree_force[i] -= inertia[i] * bias;
  }
  for (int j = 0; j < f; ++j) k.reduced[j] = k.tree_force[k.selection.independent[j]];
  for (int r = 0; r < d; ++r) {
    const double force = k.tree_force[k.selection.dependent[r]];
    const double* row = k.K.data() + static_cast<std::ptrdiff_t>(r) * f;
    for (int j = 0; j < f; ++j) k.reduced[j] += row[j] * force;
  }
  fix_prescribed(k, a);
  const int failed = solve_positive(k.G, k.reduced.data());
  if (failed >= 0) return {Status::Code::singular_inertia, k.selection.independent[failed], 0.0};
  for (int j = 0; j < f; ++j) a[k.selection.independent[j]] = k.reduced[j];
  for (int r = 0; r < d; ++r) {
    const double* row = k.K.data() + static_cast<std::ptrdiff_t>(r) * f;
    double sum = k.dependent_bias[r];
    for (int j = 0; j < f; ++j) sum += row[j] * k.reduced[j];
    a[k.selection.dependent[r]] = sum;
  }
  return {};
}

#define LITHE_INSTANTIATE(S)                                                            \
  template void accelerating_force(Kernel<S>&, Scratch&, const State&, const Actions&); \
  template void reduce_inertia(Kernel<S>&);                                             \
  template Status noc_forward(Kernel<S>&, Scratch&, const State&, const Actions&, VectorX&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
