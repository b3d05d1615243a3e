// Natural orthogonal complement. With N = [K; 1] from the closures (A N = 0) and the tree inertia M,
//   N^T M N a_i = N^T (force - h - M [bias; 0]),   a_d = K a_i + bias.

#include "lithe/dynamics/articulated.hpp"
#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/cluster_sweep.hpp"
#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe::detail {

namespace {

template <class S>
struct NocMemory {
  explicit NocMemory(const Kernel<S>& k) : force(VectorX::Zero(k.nv)), given(VectorX::Zero(k.nv)) {}

  /// Makes the matrices fit the independent speeds of the kernel.
  void fit(const Kernel<S>& k) {
    const int f = k.independents();
    if (G.rows() == f && MN.rows() == k.nv) return;
    MN.setZero(k.nv, f);
    G.setZero(f, f);
    reduced.setZero(f);
  }

  RowMatrix MN, G;  ///< M N and N^T M N
  VectorX reduced;  ///< N^T force, then the independent accelerations
  VectorX force;    ///< of the tree speeds
  VectorX given;    ///< accelerations that are known beforehand, or follow from the speeds
};

}  // namespace

template <class S>
void accelerating_force(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& force,
                        const VectorX* given) {
  update_motion(k, state.v, given);
  apply_loads(k, actions);
  newton_euler(k, force);
  force = -force;
  add_joint_forces(k, actions, force);
  add_passive_forces(k, scratch, state, force);
}

template <class S>
RowMatrix& reduced_inertia(Kernel<S>& k, const RowMatrix& M) {
  NocMemory<S>& memory = k.memory.template of<NocMemory<S>>(k);
  memory.fit(k);
  const int f = k.independents(), n = k.nv;
  const int* independent = k.selection.independent.data();
  // M N, row by row: independent columns of M as they are, dependent ones by way of K.
  for (int i = 0; i < n; ++i) {
    const double* inertia = M.data() + static_cast<std::ptrdiff_t>(i) * n;
    double* out = memory.MN.data() + static_cast<std::ptrdiff_t>(i) * f;
    for (int j = 0; j < f; ++j) out[j] = inertia[independent[j]];
    for (std::size_t b = 0; b < k.loops.size(); ++b)
      for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
        const double m = inertia[k.loops[b].dependent_speeds[r]];
        if (m == 0.0) continue;  // different branches of the tree do not couple
        for_each_slope(k.loops[b], k.K[b], r, [&](Eigen::Index j, double slope) { out[j] += m * slope; });
      }
  }
  // N^T (M N), its lower triangle.
  for (int i = 0; i < f; ++i) {
    double* out = memory.G.data() + static_cast<std::ptrdiff_t>(i) * f;
    const double* own = memory.MN.data() + static_cast<std::ptrdiff_t>(independent[i]) * f;
    for (int j = 0; j <= i; ++j) out[j] = own[j];
  }
  for (std::size_t b = 0; b < k.loops.size(); ++b) {
    const LoopBlock& loop = k.loops[b];
    for (std::size_t p = 0; p < loop.independent.size(); ++p) {
      const int i = loop.independent_at[p];
      double* out = memory.G.data() + static_cast<std::ptrdiff_t>(i) * f;
      for (std::size_t r = 0; r < loop.dependent.size(); ++r) {
        const double factor = k.K[b](r, p);
        const double* row = memory.MN.data() + static_cast<std::ptrdiff_t>(loop.dependent_speeds[r]) * f;
        for (int j = 0; j <= i; ++j) out[j] += factor * row[j];
      }
    }
  }
  return memory.G;
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

/// Many freedoms: no matrix of all of them. What is known of the accelerations counts as inertia force; the rest comes
/// from cluster to cluster.
template <class S>
Status forward_by_clusters(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& a) {
  NocMemory<S>& memory = k.memory.template of<NocMemory<S>>(k);
  VectorX& given = memory.given;
  given.setZero();
  for (const int v : k.selection.independent)
    if (k.prescribed[v]) given[v] = a[v];
  if (k.row_count > 0) {
    if (Status status = update_complement(k); !status) return status;
    update_motion(k, state.v, nullptr);
    update_closure_bias(k);
    update_dependent_bias(k, state.v);
    complete_dependent(k, k.K, given, given);
    add_dependent_bias(k, given);
  }
  accelerating_force(k, scratch, state, actions, memory.force, &given);
  k.stage = MotionStage::velocity;  // the accelerations are not those of the motion
  if (Status status = cluster_accelerations(k, memory.force, a); !status) return status;
  a += given;
  return {};
}

/// Speeds whose acceleration is given: their rows and columns become trivial.
template <class S>
void fix_prescribed(const Kernel<S>& k, const VectorX& a, RowMatrix& G, VectorX& right) {
  const int f = k.independents();
  for (int p = 0; p < f; ++p) {
    const int speed = k.selection.independent[p];
    if (!k.prescribed[speed]) continue;
    for (int i = 0; i < f; ++i) {
      if (i == p) continue;
      double& coupling = i > p ? G(i, p) : G(p, i);
      right[i] -= coupling * a[speed];
      coupling = 0.0;
    }
    G(p, p) = 1.0;
    right[p] = a[speed];
  }
}

}  // namespace

template <class S>
Status complement_forward(Kernel<S>& k, const State& state, const RowMatrix& M, VectorX& force, VectorX& a) {
  update_closure_bias(k);
  update_dependent_bias(k, state.v);
  RowMatrix& G = reduced_inertia(k, M);
  VectorX& reduced = k.memory.template of<NocMemory<S>>(k).reduced;

  // N^T (force - M [bias; 0])
  const int d = k.dependents(), f = k.independents();
  for (int r = 0; r < d; ++r) {
    const double bias = k.dependent_bias[r];
    const double* inertia = M.data() + static_cast<std::ptrdiff_t>(k.selection.dependent[r]) * k.nv;
    for (int i = 0; i < k.nv; ++i) force[i] -= inertia[i] * bias;
  }
  project_force(k, force, reduced);

  // Independent accelerations, and with them the dependent ones.
  fix_prescribed(k, a, G, reduced);
  const int failed = solve_positive(G, reduced.data());
  if (failed >= 0) return {Status::Code::singular_inertia, k.selection.independent[failed], 0.0};
  for (int j = 0; j < f; ++j) a[k.selection.independent[j]] = reduced[j];
  complete_dependent(k, k.K, a, a);
  add_dependent_bias(k, a);
  return {};
}

template <class S>
Status noc_forward(Kernel<S>& k, Scratch& scratch, const State& state, const Actions& actions, VectorX& a,
                   const Stabilisation&) {
  VectorX& force = k.memory.template of<NocMemory<S>>(k).force;
  update_positions(k, state.q);

  // Open trees of rigid links: one recursion, no matrix.
  if (k.row_count == 0 && k.bodies.empty() && !splits_rotation(k)) {
    // Velocities outside the sweep itself are needed only for springs and for cut joints without closures (free ones).
    if (k.compiled.cut_nv > 0 || !k.compiled.mechanism.springs.empty()) update_velocities(k, state.v);
    apply_loads(k, actions);
    force.setZero();
    add_joint_forces(k, actions, force);
    add_passive_forces(k, scratch, state, force);
    return articulated_forward(k, state.v, force, a);
  }

  if (prefers_clusters(k) && !splits_rotation(k)) return forward_by_clusters(k, scratch, state, actions, a);

  // Forces and inertia of the tree, complement of the loops.
  if (Status status = update_complement(k); !status) return status;
  accelerating_force(k, scratch, state, actions, force, nullptr);
  return complement_forward(k, state, composite_inertia(k), force, a);
}

#define LITHE_INSTANTIATE(S)                                                                                      \
  template void accelerating_force(Kernel<S>&, Scratch&, const State&, const Actions&, VectorX&, const VectorX*); \
  template RowMatrix& reduced_inertia(Kernel<S>&, const RowMatrix&);                                              \
  template Status complement_forward(Kernel<S>&, const State&, const RowMatrix&, VectorX&, VectorX&);             \
  template Status noc_forward(Kernel<S>&, Scratch&, const State&, const Actions&, VectorX&, const Stabilisation&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
