// Any bytes given as a file of controllers (JSON: matrices, a schedule of them, or a grid) end in a controller that runs, or in a ModelError.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/simulate.hpp"
#include "refusal.hpp"

namespace {

const std::string turntable =
    "lithe: 1\nname: turntable\nlinks: {table: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"
    "joints: {axis: {revolute: z, from: ground, to: table, actuated: true}}\n"
    "sensors: {angle: {encoder: axis}, rate: {tachometer: axis}}\n"
    "run: {until: 2e-3, every: 1e-3}\n";
const std::string sampled =
    turntable +
    "controllers: {law: {sample: 1e-3, drives: axis, inputs: [angle, rate], state-space: {file: "
    "gains.json}}}\n";
const std::string gridded =
    turntable +
    "controllers: {law: {sample: 1e-3, drives: axis, inputs: [angle, rate], state-space: {file: "
    "gains.json, schedule: [angle]}}}\n";
const std::string continuous =
    turntable + "controllers: {law: {drives: axis, inputs: [angle, rate], state-space: {file: gains.json}}}\n";

void run(const std::string& text, const std::string& file) {
  lithe::fuzz::expect_or_refuse([&] {
    const lithe::Model model = lithe::io::load_with_files(text, "fuzz.yaml", {}, {{"gains.json", file}});
    lithe::MemoryRecord rows;
    lithe::run_simulation(model, rows);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  for (const std::string& text : {sampled, gridded, continuous}) run(text, file);
  return 0;
}
