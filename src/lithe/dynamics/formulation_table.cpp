#include "lithe/dynamics/formulation_table.hpp"

#include "lithe/dynamics/formulations.hpp"

namespace lithe {

namespace detail {

/// Dense textbook embedding that chooses and eliminates the dependent speeds by itself; allocates.
Status partitioning_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                            const ForwardOptions& options);

}  // namespace detail

namespace {

using namespace detail;  // NOLINT: this file puts the formulations side by side

/// Calls a formulation that works in the arithmetic of the workspace, with the prescribed speeds marked.
template <auto planar, auto spatial>
Status in_either_arithmetic(const Plan&, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                            const ForwardOptions& options) {
  Scratch& scratch = work.scratch();
  const auto with_marks = [&](auto& k, auto forward) {
    for (const int p : options.prescribed) k.prescribed[p] = 1;
    const Status status = forward(k, state, actions, a, options.stabilisation);
    for (const int p : options.prescribed) k.prescribed[p] = 0;
    return status;
  };
  return scratch.planar ? with_marks(*scratch.flat, planar) : with_marks(*scratch.full, spatial);
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
