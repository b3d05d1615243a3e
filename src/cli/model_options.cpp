#include "model_options.hpp"

#include <fmt/format.h>

#include "lithe/io/load_model.hpp"
#include "model_file.hpp"
#include "remarks.hpp"

namespace lithe::cli {

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
  require_model_file(options.path);
  const Model model =
      load_model(options.path, parse_sets(options.sets), {options.rigid, run.number("from"), run.number("until")});
  tell(model.remarks);
  return model;
}

}  // namespace lithe::cli
