// Any bytes given as a URDF or MJCF file end in a model file that has been checked, or in a ModelError. The options take turns by the length of
// the input, so that one corpus reaches all of them.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "lithe/errors.hpp"
#include "lithe/io/urdf.hpp"
#include "scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lithe::fuzz::ScratchFile file("robot.urdf");
  file.write(data, size);
  lithe::UrdfOptions options;
  if (size % 2 == 0) options.inertia = lithe::ImpossibleInertia::repair;
  options.ignore_couplings = size % 3 == 0;
  options.stops = size % 5 == 0;
  try {
    if (lithe::convert_urdf(file.path(), {}, {}, options).text.empty()) std::abort();
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
  return 0;
}
