#include "lithe/dynamics/legs.hpp"

#include <fmt/format.h>

#include "lithe/dynamics/denoc.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {
namespace {

template <class S>
std::vector<LegQuantities> evaluate_legs(const Plan& plan, detail::Kernel<S>& kernel, const State& state,
                                         const VectorX& a, const detail::DenocLayout& layout) {
  const std::vector<int>& independent = kernel.selection.independent;
  VectorX rates(std::ssize(independent)), accelerations(std::ssize(independent));
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    rates[i] = state.v[independent[i]];
    accelerations[i] = a[independent[i]];
  }

  detail::Denoc<S> denoc(plan.compiled(), layout);
  denoc.scale.setOnes();  // angular and linear components as they are
  denoc.select(independent);
  update_positions(kernel, state.q);
  update_world(kernel);
  clear_loads(kernel);
  if (const Status status = denoc.update_geometry(kernel); !status) {
    throw MechanismError(plan.mechanism().links[layout.platform].name, describe(plan, status, state.t));
  }
  denoc.update_velocity(rates);
  denoc.update_acceleration(accelerations);
  denoc.update_forces(kernel, VectorX::Zero(plan.nv() + plan.cut_nv()));
  denoc.update_inertia();

  const detail::TwistVector<S> shared = denoc.K_factor.solve(denoc.sum_pbar);
  std::vector<LegQuantities> legs;
  for (std::size_t j = 0; j < denoc.legs.size(); ++j) {
    const detail::DenocLeg<S>& leg = denoc.legs[j];
    LegQuantities& out = legs.emplace_back();
    for (const detail::LegStep& step : layout.legs[j]) out.joints.push_back(step.joint);
    out.generators = leg.g;
    for (const int k : leg.passive) out.generators.col(k) = leg.swept.col(k);
    out.annihilator = leg.Phi;
    out.inertia = leg.inertia;
    out.forces = leg.tau;
    out.passive_wrench = leg.pbar;
    out.cut_wrench = leg.pbar - leg.Phi * shared;
  }
  return legs;
}

}  // namespace

std::vector<LegQuantities> leg_quantities(const Plan& plan, Workspace& work, const State& state, const VectorX& a) {
  const detail::DenocLayout layout = detail::find_denoc_layout(plan.mechanism(), plan.options().platform);
  if (!layout.refusal.empty()) throw MechanismError("platform", fmt::format("legs: {}", layout.refusal));
  detail::Scratch& scratch = work.scratch();
  return scratch.planar ? evaluate_legs(plan, *scratch.flat, state, a, layout)
                        : evaluate_legs(plan, *scratch.full, state, a, layout);
}

}  // namespace lithe
