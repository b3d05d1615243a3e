#include "model_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "lithe/io/load_model.hpp"
#include "remarks.hpp"

namespace lithe::cli {
namespace {

/// Names of a list of choices, as written in model files.
template <class Choices>
std::vector<std::string> names_of(const Choices& choices) {
  std::vector<std::string> names;
  for (const auto choice : choices) names.emplace_back(name_of(choice));
  return names;
}

/// The choice with the given name.
template <class Choices, class Choice>
void choose(const char* option, const std::optional<std::string>& name, const Choices& choices, Choice& chosen) {
  if (!name) return;
  for (const auto choice : choices) {
    if (name_of(choice) == *name) {
      chosen = choice;
      return;
    }
  }
  throw InputError(
      fmt::format("{} {}: no such choice; use one of {}", option, *name, fmt::join(names_of(choices), ", ")));
}

bool starts_like_hdf5(const std::string& path) {
  std::array<char, 8> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\x89HDF\r\n\x1a\n";
}

}  // namespace

std::vector<std::string> integrator_names() { return names_of(all_integrators); }
std::vector<std::string> formulation_names() { return names_of(all_formulations); }
std::vector<std::string> projection_names() { return names_of(all_projections); }

std::map<std::string, std::string> parse_sets(const std::vector<std::string>& sets) {
  std::map<std::string, std::string> values;
  for (const std::string& text : sets) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw InputError(fmt::format("--set {}: expected name=value, e.g. --set g=0", text));
    }
    values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return values;
}

Model load(const ModelOptions& options, const RunOverrides& run) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(options.path, ignored)) throw InputError(fmt::format("{}: no such file", options.path));
  if (fs::is_directory(options.path, ignored)) {
    throw InputError(fmt::format("{}: is a folder, expected a model file", options.path));
  }
  if (starts_like_hdf5(options.path)) {
    throw InputError(fmt::format(
        "{0}: is a result file (HDF5), expected a model file; lithe show {0} makes a page of it", options.path));
  }
  const Model model = load_model(options.path, parse_sets(options.sets), {options.rigid, run.from, run.until});
  tell(model.remarks);
  return model;
}

void apply(const RunOverrides& overrides, RunOptions& run) {
  const auto set = [](const std::optional<double>& from, double& to) {
    if (from) to = *from;
  };
  set(overrides.from, run.from);
  set(overrides.until, run.until);
  set(overrides.every, run.every);
  set(overrides.rtol, run.rtol);
  set(overrides.atol, run.atol);
  set(overrides.step, run.step);
  set(overrides.max_step, run.max_step);
  set(overrides.condition_limit, run.condition_limit);
  set(overrides.alpha, run.stabilisation.alpha);
  set(overrides.beta, run.stabilisation.beta);
  set(overrides.penalty_stiffness, run.stabilisation.penalty_stiffness);
  set(overrides.penalty_damping, run.stabilisation.penalty_damping);
  if (run.until < run.from) {
    throw InputError(fmt::format("the run ends at {} s, before its start at {} s", run.until, run.from));
  }

  choose("--integrator", overrides.integrator, all_integrators, run.integrator);
  choose("--formulation", overrides.formulation, all_formulations, run.formulation);
  choose("--projection", overrides.projection, all_projections, run.projection);
}

}  // namespace lithe::cli
