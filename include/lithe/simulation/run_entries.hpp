#pragma once
// The entries of RunOptions by name: model files, command line, Python and case files all take them from here.

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

}  // namespace lithe
