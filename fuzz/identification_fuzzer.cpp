// Any bytes given as an identification file and its record (divided by a line '====') end in experiments whose models can be made with the
// start values, or in a ModelError. The model is model.yaml, the record record.csv.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "lithe/errors.hpp"
#include "lithe/io/identification_file.hpp"
#include "scratch_file.hpp"

namespace {

constexpr std::string_view model =
    "lithe: 1\nname: pendulum\nparameters: {mass: 1, length: 0.5, friction: 0.1}\ngravity: [0, -9.81, 0]\n"
    "links: {bob: {rigid: {mass: mass, centre: [length, 0], inertia: [0.1, 0.1, 0.1]}, frames: {tip: [length, 0]}}}\n"
    "joints: {pin: {revolute: z, from: ground, to: bob, damping: friction}}\nrun: {until: 1, every: 0.1}\n";

struct Files {
  lithe::fuzz::ScratchFile study{"fuzz.yaml"}, record{"record.csv", study}, model_file{"model.yaml", study};
  Files() { model_file.write(model); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Files files;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size), divider = "====\n";
  const std::size_t end = bytes.find(divider);
  files.study.write(bytes.substr(0, end));
  files.record.write(end == std::string_view::npos ? "" : bytes.substr(end + divider.size()));
  try {
    const lithe::IdentificationStudy study = lithe::load_identification(files.study.path());
    std::map<std::string, double> start;
    for (const lithe::SoughtParameter& sought : study.sought) {
      if (!(sought.lower < sought.upper) || !std::isfinite(sought.start)) std::abort();
      start[sought.name] = sought.start;
    }
    for (const lithe::Experiment& experiment : study.experiments) {
      for (const lithe::Measurement& measurement : experiment.measurements)
        if (measurement.values.size() != experiment.times.size()) std::abort();
      experiment.model(start);
    }
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
  return 0;
}
