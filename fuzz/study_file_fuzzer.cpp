// Any bytes given as a study file end in a study whose variants can be named, or in a ModelError with a place; what does not fit together
// (axes, sample, outputs) is a MechanismError.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/errors.hpp"
#include "lithe/io/load_study.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const lithe::StudyFile file = lithe::load_study_text(text, "fuzz.yaml");
    // A hypercube keeps its strata, so that a study of many variants takes memory: sweeps say so before, here it would only take time.
    if (file.study.sample.count > 10000) return 0;
    const lithe::Samples samples(file.study.axes, file.study.sample);
    for (const long k : {0L, samples.size() / 2, samples.size() - 1})
      if (k >= 0 && samples.at(k).size() != file.study.axes.size()) std::abort();
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  } catch (const lithe::MechanismError&) {
  }
  return 0;
}
