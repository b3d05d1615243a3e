#include "lithe/simulation/integrator_choice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/dynamics/elements.hpp"

namespace lithe::detail {
namespace {

/// Longest run that an explicit method makes in reasonable time, in units of the fastest time constant: some
/// thousand steps.
constexpr double fastest_for_explicit = 3e3;

/// The fastest rate of springs, dampers and PD drives at the start, 1/s; zero when it is not known.
double fastest_rate(MechanismMotion& motion, const VectorX& y, double t) {
  MotionPoint start;
  OscillatorMatrices matrices;
  ModalBasis basis;
  if (!motion.begin(t, y, start) || motion.count() == 0) return 0.0;
  if (!motion.evaluate(start) || !motion.matrices(matrices) || !basis.renew(matrices)) return 0.0;
  return std::max(std::sqrt(basis.square().maxCoeff()), basis.damping().maxCoeff());
}

}  // namespace

void choose_stiff_integrator(RunOptions& options) {
  options.integrator = Integrator::bdf;
  // Tolerances of their own come before the common one. The default is the same on both ways.
  static_assert(default_rtol == 1e-3 * default_tolerance);
  if (options.rtol != default_rtol || options.atol != default_atol) return;
  if (options.tolerance == default_tolerance) return;
  options.rtol = 1e-3 * options.tolerance;
  options.atol = 1e-5 * options.tolerance;
}

std::string choose_integrator(const Plan& plan, MechanismMotion& motion, const VectorX& y, RunOptions& options,
                              bool controllers_have_states) {
  const bool on_closures = options.projection == Projection::evaluation;
  const bool minimal = facts_of(options.formulation).is_minimal;
  const bool tolerances_given = options.rtol != default_rtol || options.atol != default_atol;
  const bool has_states = controllers_have_states || element_start(plan).size() > 0;
  if (plan.is_elastic() && on_closures && minimal && !tolerances_given && !has_states) {
    MotionPoint start;
    if (motion.begin(options.from, y, start) && motion.count() > 0) {
      options.integrator = Integrator::exponential;
      return "links bend";
    }
  }
  choose_stiff_integrator(options);
  if (options.projection == Projection::step) {
    options.integrator = Integrator::dopri;
    return "projection 'step'";
  }
  if (plan.is_elastic()) {
    if (tolerances_given) return "links bend, and rtol or atol is given";
    if (controllers_have_states) return "links bend, and controllers have states of their own";
    if (has_states) return "links bend, and machine elements have states of their own";
    return minimal ? "links bend, and a rotation in space is partly free" : "links bend, not in minimal coordinates";
  }
  const double rate = on_closures && minimal ? fastest_rate(motion, y, options.from) : 0.0;
  if (rate * (options.until - options.from) > fastest_for_explicit)
    return fmt::format("rigid links, a time constant of {:.2g} s", 1.0 / rate);
  options.integrator = Integrator::dopri;
  return "rigid links";
}

std::string remedy_for_accuracy(const RunOptions& options) {
  if (has_fixed_step(options.integrator)) return "shorten run.step";
  return options.integrator == Integrator::exponential ? "tighten run.tolerance" : "tighten run.rtol and run.atol";
}

std::string describe_integrator(const RunOptions& options, const std::string& why_chosen) {
  std::string text(name_of(options.integrator));
  if (has_fixed_step(options.integrator))
    text += fmt::format(", step {} s", options.step);
  else if (options.integrator == Integrator::exponential)
    text += fmt::format(", tolerance {}", options.tolerance);
  else
    text += fmt::format(", rtol {}, atol {}", options.rtol, options.atol);
  return why_chosen.empty() ? text : fmt::format("{} (auto: {})", text, why_chosen);
}

}  // namespace lithe::detail
