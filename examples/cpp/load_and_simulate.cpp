// Loads a model file with another value of a parameter, simulates it and looks at what was recorded.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <lithe/io/load_model.hpp>
#include <lithe/simulation/simulate.hpp>

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples";
  try {
    lithe::Model model = lithe::load_model(folder + "/khan-3rrr-feedback.yaml", {{"force-y", "-20"}});
    model.run.until = 1.0;

    lithe::MemoryRecord record;  // or hdf5_sink("run.h5"), csv_sink("run.csv") of lithe/io/results.hpp
    const lithe::RunOutcome outcome = lithe::run_simulation(model, record);
    if (outcome.ending != lithe::RunOutcome::Ending::complete) {
      std::fprintf(stderr, "%s\n", outcome.message.c_str());
      return 1;
    }
    const std::size_t last = record.rows() - 1;
    std::printf("%s: %zu rows, %zu columns\n", model.name.c_str(), record.rows(), record.columns().size());
    for (const char* motor : {"motor-1", "motor-2", "motor-3"}) {
      const std::string name = motor;
      std::printf("%s: %.6f rad, %.6f N m\n", motor, record.at(last, "q." + name), record.at(last, "tau." + name));
    }
    const std::vector<double> closure = record.column("closure");
    std::printf("closed to 1e-11 m: %s\n", *std::max_element(closure.begin(), closure.end()) < 1e-11 ? "yes" : "no");
  } catch (const std::exception& error) {  // ModelError: all complaints with file, line and key
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
