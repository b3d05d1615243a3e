#include "lithe/simulation/run.hpp"

namespace lithe {

std::string_view name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::automatic:
      return "auto";
    case Integrator::bdf:
      return "bdf";
    case Integrator::adams:
      return "adams";
    case Integrator::dopri:
      return "dopri";
    case Integrator::rk4:
      return "rk4";
    case Integrator::dopri5_fixed:
      return "dopri5-fixed";
    case Integrator::ode45:
      return "ode45";
    case Integrator::generalized_alpha:
      return "generalized-alpha";
    case Integrator::exponential:
      return "exponential";
    case Integrator::ida:
      return "ida";
  }
  return "unknown";
}

std::string_view name_of(Projection projection) {
  switch (projection) {
    case Projection::evaluation:
      return "evaluation";
    case Projection::step:
      return "step";
    case Projection::never:
      return "never";
  }
  return "unknown";
}

}  // namespace lithe
