// lithe convert: a model file from a URDF.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/urdf.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {

int convert(const ConvertOptions& options) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const std::string& source : {options.urdf, options.side}) {
    if (!source.empty() && fs::equivalent(source, options.output, ignored)) {
      throw InputError(fmt::format("{}: would be overwritten by its own conversion; choose another -o", source));
    }
  }
  UrdfOptions choices;
  choices.ignore_couplings = options.ignore_couplings;
  choices.stops = options.stops;
  if (options.inertia == "refuse") choices.inertia = ImpossibleInertia::refuse;
  if (options.inertia == "repair") choices.inertia = ImpossibleInertia::repair;
  if (options.inertia == "accept") choices.inertia = ImpossibleInertia::accept;
  const UrdfConversion conversion = convert_urdf(options.urdf, options.side, options.output, choices);
  if (!options.output.empty()) write_file(options.output, conversion.text, {options.urdf, options.side});
  for (const std::string& note : conversion.notes) warn(note);
  if (options.json) {
    nlohmann::json answer = {{"ok", true},
                             {"exit", fine},
                             {"verb", "convert"},
                             {"path", options.output},
                             {"links", conversion.links},
                             {"joints", conversion.joints},
                             {"notes", conversion.notes}};
    if (options.output.empty()) answer["text"] = conversion.text;
    print_json(answer);
  } else if (options.output.empty()) {
    fmt::print("{}", conversion.text);
  } else {
    fmt::print("{}: {} links, {} joints\nnext: lithe check {}\n", bold(options.output), conversion.links,
               conversion.joints, options.output);
  }
  return fine;
}

}  // namespace lithe::cli
