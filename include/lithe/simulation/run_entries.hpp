#pragma once
// The entries of RunOptions by name: model files, command line, Python and case files all take them from here.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/simulation/run.hpp"

namespace lithe {

struct RunNumber {
  std::string_view name;          ///< --NAME on the command line; in Python with underscores
  std::string_view section, key;  ///< where it stands in a model file: "run", "baumgarte" or "penalty"
  double& (*field)(RunOptions&);
  std::string_view range;      ///< "plain", "positive" or "not-negative"
  std::string_view meaning;    ///< with the unit
  bool of_integration = true;  ///< runs that follow a motion do not need it
};

struct RunChoice {
  std::string_view name;
  std::vector<std::string> (*choices)();
  std::string (*get)(const RunOptions&);
  bool (*set)(RunOptions&, std::string_view);  ///< false: there is no such choice
  std::string_view meaning;
};

std::span<const RunNumber> run_numbers();
std::span<const RunChoice> run_choices();

/// Replaces entries of `run:`, by their names; the others stay as they are.
struct RunOverrides {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> choices;

  std::optional<double> number(const std::string& name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
};

/// Throws MechanismError for an unknown choice, with those that exist, and for a run that ends before it starts.
void apply(const RunOverrides& overrides, RunOptions& run);

}  // namespace lithe
