#include "lithe/simulation/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lithe::detail {

bool OdeIntegrator::went(const RunStatus& evaluated) {
  if (evaluated) return true;
  if (!evaluated.why().empty()) refusal_ = evaluated.why();
  return false;
}

RunStatus OdeIntegrator::give_up(const std::string& why) const {
  if (!refusal_.empty()) return RunStatus::refused(refusal_);
  return RunStatus::refused(
      fmt::format("integrator '{}' cannot go on at t = {:.6g} s: {}", name_of(options_.integrator), time_, why));
}

std::unique_ptr<OdeIntegrator> make_integrator(const RunOptions& options, OdeSystem system) {
  switch (options.integrator) {
    case Integrator::bdf:
    case Integrator::adams:
      return make_cvode(options, std::move(system));
    case Integrator::dopri:
      return make_arkode(options, std::move(system));
    case Integrator::rk4:
    case Integrator::dopri5_fixed:
    case Integrator::ode45:
      return make_runge_kutta(options, std::move(system));
    case Integrator::generalized_alpha:
      return make_generalized_alpha(options, std::move(system));
    case Integrator::exponential:
      return make_exponential(options, std::move(system));
    case Integrator::automatic:
    case Integrator::ida:
      break;
  }
  throw std::logic_error("'auto' is chosen before, and ida integrates differential-algebraic systems only");
}

double shortest_step(const RunOptions& options) {
  return 1e-14 * std::max({std::abs(options.from), std::abs(options.until), options.until - options.from});
}

bool has_fixed_step(Integrator integrator) {
  return integrator == Integrator::rk4 || integrator == Integrator::dopri5_fixed ||
         integrator == Integrator::generalized_alpha;
}

bool is_multistep(Integrator integrator) {
  return integrator == Integrator::bdf || integrator == Integrator::adams || integrator == Integrator::ida;
}

}  // namespace lithe::detail
