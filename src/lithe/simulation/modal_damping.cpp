#include "lithe/simulation/modal_damping.hpp"

#include <fmt/format.h>

#include <numbers>

#include "lithe/analysis/held_rest.hpp"
#include "lithe/simulation/loads.hpp"

namespace lithe::detail {
namespace {

double ratio_of_mode(const ModalDamping& damping, Eigen::Index mode) {
  if (damping.ratios.empty()) return damping.ratio;
  const auto index = static_cast<std::size_t>(mode);
  return index < damping.ratios.size() ? damping.ratios[index] : 0.0;
}

HeldRest rest_of(const Model& model, Prepared& prepared) {
  State start = prepared.state;
  start.v.setZero();
  Actions actions(prepared.plan);
  evaluate_loads(model, start.t, actions);
  try {
    return rest_with_motors_held(prepared.plan, prepared.work, start, actions, prepared.plan.actuated_speeds());
  } catch (const PhysicsError& error) {
    throw PhysicsError(
        fmt::format("damping: the modes of the mechanism at its initial pose are not known: {}", error.what()));
  }
}

}  // namespace

CoupledDamping modal_damping(const Model& model, Prepared& prepared) {
  const HeldRest held = rest_of(model, prepared);
  const Linearization& linear = held.rest.linear;
  CoupledDamping damping{linear.names, MatrixX::Zero(linear.M.rows(), linear.M.rows())};
  if (linear.names.empty()) return damping;
  const NaturalModes modes = natural_modes(prepared.plan, prepared.work, held.rest.state.q, linear);
  for (Eigen::Index j = 0; j < modes.frequencies.size(); ++j) {
    if (!(modes.frequencies[j] > 0)) continue;
    const VectorX momentum = linear.M * modes.shapes.col(j);
    const double rate = 2 * ratio_of_mode(model.damping, j) * 2 * std::numbers::pi * modes.frequencies[j];
    damping.matrix += rate * momentum * momentum.transpose();
  }
  return damping;
}

}  // namespace lithe::detail
