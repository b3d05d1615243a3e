// Any text in the place of the mechanism that a result carries ends in a drawing, or in an error that says why not. The bytes of the file around it
// are checked by sums (result_file_fuzzer); this is what another program, or another version, may have put there.

#include <cstddef>
#include <cstdint>
#include <string>

#include "lithe/errors.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lithe::Results results;
  results.path = "result.h5";
  results.model_name = "fuzz";
  results.mechanism.assign(reinterpret_cast<const char*>(data), size);
  results.columns = {"t"};
  results.data = {0.0, 1.0};
  lithe::make_report({results});  // says as a warning why it draws nothing
  try {
    lithe::make_report(lithe::drawn_model_of(results));
  } catch (const lithe::ResultsError&) {
  } catch (const lithe::MechanismError&) {
  } catch (const lithe::PhysicsError&) {
  }
  return 0;
}
