// Any bytes given as a result end in results, a map, a study or a ResultsError, and what was read in a page. HDF5 itself is not
// instrumented: what is sought here is what our reader makes of files that HDF5 accepts. The corpus has files with sums over their metadata, as
// Lithe writes them: of damaged ones in the older format HDF5 1.10.8 itself reads where nothing is (CVE-2025-2310 and others).

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/io/data_pages.hpp"
#include "lithe/io/map_file.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/report.hpp"
#include "lithe/io/study_results.hpp"
#include "scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lithe::fuzz::ScratchFile file("result.h5");
  file.write(data, size);
  try {
    if (lithe::is_map_file(file.path())) {
      lithe::make_map_page(lithe::read_map(file.path()));
    } else if (lithe::is_study_results(file.path())) {
      lithe::make_study_page(lithe::read_study_results(file.path()));
    } else {
      const lithe::Results results = lithe::read_results(file.path());
      if (results.rows() == 0) std::abort();
      lithe::make_report({results});
      lithe::drawn_model_of(results);
    }
  } catch (const lithe::ResultsError& error) {
    if (std::string(error.what()).find("result.h5") == std::string::npos) std::abort();
  }
  return 0;
}
