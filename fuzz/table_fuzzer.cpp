// Any bytes given as a CSV table end in a law that can be evaluated everywhere, or in a ModelError: one column between samples by both ways,
// and three columns as a path.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/io/model_builder.hpp"

namespace {

// The path is a model of its own: a fault of its columns must not hide the laws.
const std::string slider =
    "lithe: 1\nname: slider\nlinks: {body: {rigid: {mass: 1}}}\n"
    "joints: {x: {prismatic: x, from: ground, to: body, actuated: true}}\n";
const std::string laws =
    slider + "drives: {x: {torque: [{table: {file: t.csv}}, {table: {file: t.csv, interpolation: linear}}]}}\n";
const std::string path =
    "lithe: 1\nname: body\nlinks: {body: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\njoints: {air: {free: true, from: "
    "ground, to: body, actuated: true}}\n"
    "drives: {body: {path: {table: {file: t.csv}}, by: motion}}\n";

void load(const std::string& model, const std::string& table) {
  try {
    const lithe::Model read = lithe::io::load_with_files(model, "fuzz.yaml", {}, {{"t.csv", table}});
    for (const lithe::Drive& drive : read.drives)
      for (const double t : {-1e300, -1.0, 0.0, 0.5, 1.0, 1e3, 1e300}) {
        // Finite samples may lie so far apart that a cubic between them overflows; never outside of them, where the law is constant.
        drive.torque.at(t);
        drive.torque.breakpoints();
      }
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string table(reinterpret_cast<const char*>(data), size);
  load(laws, table);
  load(path, table);
  return 0;
}
