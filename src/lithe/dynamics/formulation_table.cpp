#include "lithe/dynamics/formulation_table.hpp"

#include "lithe/dynamics/formulations.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe {

namespace detail {

/// Dense textbook embedding that chooses and eliminates the dependent speeds by itself; allocates.
Status partitioning_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                            const ForwardOptions& options);

}  // namespace detail

namespace {

using namespace detail;  // NOLINT: this file puts the formulations side by side

/// Calls f with the kernel in use, in which the prescribed speeds are marked.
template <class F>
Status with_marks(Workspace& work, std::span<const int> prescribed, F&& f) {
  return with_kernel(work, [&](auto& k) {
    for (const int p : prescribed) k.prescribed[p] = 1;
    const Status status = f(k);
    for (const int p : prescribed) k.prescribed[p] = 0;
    return status;
  });
}

/// Calls a formulation that works in the arithmetic of the workspace.
template <auto planar, auto spatial>
Status in_either_arithmetic(const Plan&, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                            const ForwardOptions& options) {
  return with_marks(work, options.prescribed, [&]<class S>(Kernel<S>& k) {
    if constexpr (S::planar)
      return planar(k, state, actions, a, options.stabilisation);
    else
      return spatial(k, state, actions, a, options.stabilisation);
  });
}

/// Beside a singular pose, where closures tell nothing of the branch, the independent coordinates do.
Status project_by_mass(Workspace& work, State& state, std::span<const int> prescribed) {
  return with_marks(work, prescribed, [&](auto& k) -> Status {
    update_positions(k, state.q);
    (void)update_complement(k);
    if (k.crosses) return {Status::Code::not_applicable, -1, 0.0};
    return mass_orthogonal_projection(k, state);
  });
}

std::string without_closures(const Compiled& compiled) {
  return compiled.spatial.rows.empty() ? "there are no closures to relax" : "";
}

constexpr FormulationRow table[] = {
    {Formulation::noc, {.name = "noc"}, nullptr, in_either_arithmetic<&noc_forward<Planar>, &noc_forward<Spatial>>},
    {Formulation::denoc,
     {.name = "denoc"},
     denoc_refusal,
     in_either_arithmetic<&denoc_forward<Planar>, &denoc_forward<Spatial>>},
    {Formulation::gibbs_appell,
     {.name = "gibbs-appell"},
     nullptr,
     in_either_arithmetic<&gibbs_appell_forward<Planar>, &gibbs_appell_forward<Spatial>>},
    {Formulation::multipliers,
     {.name = "multipliers", .is_minimal = false},
     nullptr,
     in_either_arithmetic<&multiplier_forward<Planar>, &multiplier_forward<Spatial>>},
    {Formulation::augmented_lagrangian,
     {.name = "augmented-lagrangian", .is_minimal = false},
     nullptr,
     in_either_arithmetic<&augmented_lagrangian_forward<Planar>, &augmented_lagrangian_forward<Spatial>>,
     project_by_mass},
    // The springs carry joint forces only while the closures are violated a little, so a run must not put that right.
    {Formulation::penalty,
     {.name = "penalty", .is_minimal = false, .is_exact = false, .is_projected = false},
     without_closures,
     in_either_arithmetic<&penalty_forward<Planar>, &penalty_forward<Spatial>>},
    {Formulation::partitioning, {.name = "partitioning", .allocates = true}, nullptr, partitioning_forward},
    {Formulation::noc_dense, {.name = "noc-dense", .allocates = true}, nullptr, noc_dense_forward},
};

constexpr bool rows_are_in_order() {
  if (std::size(table) != all_formulations.size()) return false;
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (table[i].formulation != all_formulations[i]) return false;
  return true;
}
static_assert(rows_are_in_order(), "every formulation has its row, in the order of the enumeration");

}  // namespace

const FormulationRow& detail::row_of(Formulation formulation) { return table[static_cast<int>(formulation)]; }

const FormulationFacts& facts_of(Formulation formulation) { return row_of(formulation).facts; }

std::string why_not_applicable(const Plan& plan, Formulation formulation) {
  const FormulationRow& row = row_of(formulation);
  return row.refusal != nullptr ? row.refusal(plan.compiled()) : "";
}

}  // namespace lithe
