// Any bytes given as a result end in results, a map or a ResultsError. HDF5 itself is not instrumented: what is sought here is what our
// reader makes of files that HDF5 accepts.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/io/map_file.hpp"
#include "lithe/io/read_results.hpp"
#include "scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lithe::fuzz::ScratchFile file("result.h5");
  file.write(data, size);
  try {
    if (lithe::is_map_file(file.path())) {
      lithe::read_map(file.path());
    } else {
      const lithe::Results results = lithe::read_results(file.path());
      if (results.rows() == 0) std::abort();
      lithe::drawn_model_of(results);
    }
  } catch (const lithe::ResultsError& error) {
    if (std::string(error.what()).find("result.h5") == std::string::npos) std::abort();
  }
  return 0;
}
