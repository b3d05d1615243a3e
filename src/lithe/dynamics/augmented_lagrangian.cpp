// Augmented Lagrangian in absolute coordinates after Bayo and Ledesma (1996): penalty and multipliers together, iterated until the
// equations of the joints hold to rounding. Equations that say the same twice do no harm, they share the multipliers. Brillarelli (3.13)
// is its limit: the index-1 system with Baumgarte's terms, which Stabilisation asks for.
//
// The same solver projects: the nearest state on the closures, measured by the inertia.

#include <limits>

#include "lithe/dynamics/absolute_coordinates.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/crossing.hpp"

namespace lithe::detail {

namespace {

/// Positions beside the closures come nearer quadratically: from a step of an integrator three are enough.
constexpr int most_corrections = 10;
/// Closure errors, relative to the size of the mechanism: that of rounding, and one that may be left when it no longer shrinks.
constexpr double on_the_closures = 5e-16, nearly_there = 1e-10;

template <class S>
struct AugmentedMemory {
  explicit AugmentedMemory(const Kernel<S>& k)
      : system(k), needed(VectorX::Zero(k.nv)), tau(VectorX::Zero(k.nv)), targets(VectorX::Zero(k.row_count)) {}

  AbsoluteCoordinates<S> system;
  VectorX needed, tau;  ///< of the tree speeds
  VectorX targets;      ///< of the closure rows
};

/// Closures with memory.targets. Beside a singular pose their rows have lost their rank; the dependent speeds in terms of the
/// independent ones say the same.
template <class S>
void require_closures(const Kernel<S>& k, AugmentedMemory<S>& memory) {
  AbsoluteCoordinates<S>& system = memory.system;
  if (k.crosses) {
    for (std::size_t b = 0; b < k.loops.size(); ++b) {
      const LoopBlock& loop = k.loops[b];
      for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
        system.begin_tie(k.dependent_bias[loop.dependent_at[r]]);
        system.tie(k, loop.dependent_speeds[r], 1.0);
        for (std::size_t j = 0; j < loop.independent.size(); ++j)
          system.tie(k, loop.independent_speeds[j], -k.K[b](r, static_cast<Eigen::Index>(j)));
      }
    }
    return;
  }
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const CutTable<S>& cut = k.tables.cuts[i];
    for (std::size_t r = 0; r < cut.rows.size(); ++r) {
      const int row = static_cast<int>(r);
      system.require_cut_row(k, static_cast<int>(i), row, memory.targets[cut.first_row + row]);
    }
  }
  for (const Tie& tie : k.tables.ties) {
    system.begin_tie(memory.targets[tie.row]);
    for (const Tie::Term& term : tie.terms) system.tie(k, term.v, term.factor);
  }
}

/// Prescribed speeds: as in `given`, or none where that is null.
template <class S>
void require_prescribed(const Kernel<S>& k, const VectorX* given, AugmentedMemory<S>& memory) {
  for (int p = 0; p < k.nv; ++p) {
    if (!k.prescribed[p]) continue;
    memory.system.begin_tie(given != nullptr ? (*given)[p] : 0.0);
    memory.system.tie(k, p, 1.0);
  }
}

template <class S>
Status solve_into(const Kernel<S>& k, AugmentedMemory<S>& memory, VectorX& a) {
  if (const int failed = memory.system.factor(k); failed >= 0)
    return {Status::Code::singular_inertia, memory.system.speed_of(failed), 0.0};
  if (!memory.system.iterate()) return {Status::Code::singular_closure, 0, 0.0};
  memory.system.tree_part(k, a);
  return {};
}

}  // namespace

template <class S>
Status augmented_lagrangian_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                                    const Stabilisation& stabilisation) {
  if (k.nv == 0) {
    a.resize(0);
    return {};
  }
  AugmentedMemory<S>& memory = k.memory.template of<AugmentedMemory<S>>(k);
  update_positions(k, state.q);
  update_closures(k);
  update_motion(k, state.v, nullptr);
  apply_loads(k, actions);
  node_forces(k, memory.needed);
  memory.tau.setZero();
  add_joint_forces(k, actions, memory.tau);
  add_passive_forces(k, state, memory.tau);
  memory.system.place(k);
  if (k.row_count > 0) {
    update_closure_bias(k);
    (void)update_complement(k);  // only a crossing is of interest
    if (k.crosses) update_dependent_bias(k, state.v);
    memory.targets = k.gamma;
    if (stabilisation.alpha != 0.0 || stabilisation.beta != 0.0) {
      closure_rates_from_motion(k, k.scratch_c);
      memory.targets -= 2.0 * stabilisation.alpha * k.scratch_c + stabilisation.beta * stabilisation.beta * k.c;
    }
  }
  memory.system.require_joints(k);
  require_closures(k, memory);
  require_prescribed(k, &a, memory);
  memory.system.set_forces(k, memory.needed, memory.tau);
  return solve_into(k, memory, a);
}

template <class S>
Status mass_orthogonal_projection(Kernel<S>& k, State& state) {
  AugmentedMemory<S>& memory = k.memory.template of<AugmentedMemory<S>>(k);
  VectorX& step = memory.tau;
  const auto correct = [&]() -> Status {
    memory.system.place(k);
    memory.system.require_joints(k);
    require_closures(k, memory);
    require_prescribed<S>(k, nullptr, memory);
    memory.system.clear_forces();
    return solve_into(k, memory, step);
  };
  const double size = std::max(1.0, k.compiled.length);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    update_positions(k, state.q);
    update_closures(k);
    int worst = 0;
    const double error = k.c.cwiseAbs().maxCoeff(&worst) / size;
    if (error <= on_the_closures || (error <= nearly_there && error > 0.5 * before)) break;
    if (i == most_corrections || !(error < 2.0 * before))
      return {Status::Code::not_assembled, closure_of_row(k, worst), error * size};
    before = error;
    memory.targets = -k.c;
    if (const Status status = correct(); !status) return status;
    add_step(k.compiled, step, state.q);
  }
  update_velocities(k, state.v);
  closure_rates_from_motion(k, k.scratch_c);
  memory.targets = -k.scratch_c;
  if (const Status status = correct(); !status) return status;
  state.v += step;
  return {};
}

#define LITHE_INSTANTIATE(S)                                                                       \
  template Status augmented_lagrangian_forward(Kernel<S>&, const State&, const Actions&, VectorX&, \
                                               const Stabilisation&);                              \
  template Status mass_orthogonal_projection(Kernel<S>&, State&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
