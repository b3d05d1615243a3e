// Any bytes given to the loader end in a model or in a ModelError (a PhysicsError when an automatic choice of modes
// finds no assembled mechanism): no crash, no other exception, no endless loop. The text stands where the files are that
// tests/io/accepted names, so that includes, parts, tables, meshes and matrices can be read; lines "#set PATH=VALUE" give what --set does.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "lithe/io/load_model.hpp"
#include "refusal.hpp"

namespace {

std::map<std::string, std::string> settings_in(const std::string& text) {
  std::map<std::string, std::string> settings;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view start = "#set ";
    const std::size_t equals = line.find('=');
    if (line.starts_with(start) && equals != std::string::npos)
      settings[line.substr(start.size(), equals - start.size())] = line.substr(equals + 1);
  }
  return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  lithe::fuzz::expect_or_refuse([&] {
    const lithe::Model model = lithe::load_model_text(text, LITHE_FUZZ_FOLDER "/fuzz.yaml", settings_in(text));
    // What the loader accepts can be evaluated.
    for (const lithe::Drive& drive : model.drives) {
      drive.follow.at(0.5);
      drive.torque.at(0.5);
      drive.follow.breakpoints();
    }
    for (const lithe::LoadLaws& load : model.loads)
      for (const lithe::Law& component : load.force) component.at(0.5);
  });
  return 0;
}
