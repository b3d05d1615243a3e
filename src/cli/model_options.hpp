#pragma once
// From the options of a verb to a model that is ready to run.

#include <stdexcept>

#include "lithe/simulation/model.hpp"
#include "verbs.hpp"

namespace lithe::cli {

/// The command line or a data file of the program makes no sense; exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads the model with its --set values; `run` says how long it will run. Throws InputError, ModelError or
/// PhysicsError.
Model load(const ModelOptions& options, const RunOverrides& run = {});

/// "name=value" texts as a map; throws InputError.
std::map<std::string, std::string> parse_sets(const std::vector<std::string>& sets);

}  // namespace lithe::cli
