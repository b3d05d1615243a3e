// Any bytes given to the loader end in a model or in a ModelError (a PhysicsError when an automatic choice of modes
// finds no assembled mechanism): no crash, no other exception, no endless loop.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/errors.hpp"
#include "lithe/io/load_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const lithe::Model model = lithe::load_model_text(text, "fuzz.yaml");
    // What the loader accepts can be evaluated.
    for (const lithe::Drive& drive : model.drives) {
      drive.follow.at(0.5);
      drive.torque.at(0.5);
      drive.follow.breakpoints();
    }
    for (const lithe::LoadLaws& load : model.loads)
      for (const lithe::Law& component : load.force) component.at(0.5);
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  } catch (const lithe::PhysicsError&) {
  }
  return 0;
}
