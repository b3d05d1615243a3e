#include "lithe/simulation/run_entries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lithe/errors.hpp"

namespace lithe {

namespace {

template <auto member>
double& of_run(RunOptions& run) {
  return run.*member;
}

template <auto member>
double& of_stabilisation(RunOptions& run) {
  return run.stabilisation.*member;
}

template <const auto& all>
std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  for (const auto each : all) names.emplace_back(name_of(each));
  return names;
}

template <auto member>
std::string chosen_name(const RunOptions& run) {
  return std::string(name_of(run.*member));
}

template <auto member, const auto& all>
bool choose_by_name(RunOptions& run, std::string_view name) {
  for (const auto each : all) {
    if (name_of(each) != name) continue;
    run.*member = each;
    return true;
  }
  return false;
}

constexpr RunNumber numbers[] = {
    {"from", "run", "from", of_run<&RunOptions::from>, "plain", "start time (s)", false},
    {"until", "run", "until", of_run<&RunOptions::until>, "plain", "end time (s)", false},
    {"every", "run", "every", of_run<&RunOptions::every>, "positive", "recording interval (s)", false},
    {"condition-limit", "run", "condition-limit", of_run<&RunOptions::condition_limit>, "positive",
     "condition number of the closures beyond which a run stops as singular, unless its momentum leads through the "
     "pose",
     false},
    {"tolerance", "run", "tolerance", of_run<&RunOptions::tolerance>, "positive",
     "of auto and exponential: error of a step against the largest deflection"},
    {"rtol", "run", "rtol", of_run<&RunOptions::rtol>, "positive", "relative tolerance of other adaptive integrators"},
    {"atol", "run", "atol", of_run<&RunOptions::atol>, "positive", "absolute tolerance of other adaptive integrators"},
    {"step", "run", "step", of_run<&RunOptions::step>, "positive", "step of fixed-step integrators (s)"},
    {"max-step", "run", "max-step", of_run<&RunOptions::max_step>, "not-negative",
     "longest step of adaptive integrators (s); 0: no limit"},
    {"spectral-radius", "run", "spectral-radius", of_run<&RunOptions::spectral_radius>, "not-negative",
     "of generalized-alpha at infinite frequency, 0 to 1"},
    {"alpha", "baumgarte", "alpha", of_stabilisation<&Stabilisation::alpha>, "not-negative",
     "Baumgarte's stabilisation of multipliers: -2 alpha A v (1/s)"},
    {"beta", "baumgarte", "beta", of_stabilisation<&Stabilisation::beta>, "not-negative",
     "Baumgarte's stabilisation of multipliers: -beta^2 c (1/s)"},
    {"penalty-stiffness", "penalty", "stiffness", of_stabilisation<&Stabilisation::penalty_stiffness>, "positive",
     "of the springs of penalty (N/m)"},
    {"penalty-damping", "penalty", "damping", of_stabilisation<&Stabilisation::penalty_damping>, "not-negative",
     "of the dampers of penalty (N s/m)"},
};

constexpr RunChoice choices[] = {
    {"integrator", choice_names<all_integrators>, chosen_name<&RunOptions::integrator>,
     choose_by_name<&RunOptions::integrator, all_integrators>, "how to step through time"},
    {"formulation", choice_names<all_formulations>, chosen_name<&RunOptions::formulation>,
     choose_by_name<&RunOptions::formulation, all_formulations>, "how to get the accelerations"},
    {"projection", choice_names<all_projections>, chosen_name<&RunOptions::projection>,
     choose_by_name<&RunOptions::projection, all_projections>,
     "when the coordinates are put back onto the closures: before every evaluation, after every step, never"},
};

}  // namespace

std::span<const RunNumber> run_numbers() { return numbers; }
std::span<const RunChoice> run_choices() { return choices; }

void apply(const RunOverrides& overrides, RunOptions& run) {
  for (const RunNumber& number : run_numbers())
    if (const auto given = overrides.number(std::string(number.name))) number.field(run) = *given;
  if (run.until < run.from) {
    throw MechanismError("run", fmt::format("the run ends at {} s, before its start at {} s", run.until, run.from));
  }
  for (const RunChoice& choice : run_choices()) {
    const auto given = overrides.choices.find(std::string(choice.name));
    if (given == overrides.choices.end() || choice.set(run, given->second)) continue;
    throw MechanismError(given->first, fmt::format("--{} {}: no such choice; use one of {}", choice.name, given->second,
                                                   fmt::join(choice.choices(), ", ")));
  }
}

}  // namespace lithe
