// Any bytes given as the three files of a finite-element part (mass, stiffness, nodes, divided by lines '====') end in matrices, or in a
// std::runtime_error that names file and line.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "lithe/io/matrix_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string rest(reinterpret_cast<const char*>(data), size), parts[3];
  const std::string divider = "====\n";
  for (std::string& part : parts) {
    const std::size_t end = rest.find(divider);
    part = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + divider.size());
  }
  try {
    const lithe::ImportedMatrices read =
        lithe::io::matrices_of({"mass", parts[0]}, {"stiffness", parts[1]}, {"nodes", parts[2]});
    for (const auto& row : read.rows)
      if (row.node < 0 || row.node >= static_cast<int>(read.nodes.size())) std::abort();
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find(':') == std::string::npos) std::abort();
  }
  return 0;
}
