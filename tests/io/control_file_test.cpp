// Files with the matrices of controllers.

#include <gtest/gtest.h>

#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

TEST(ControlFile, APointOfAScheduleWithoutFeedthroughHasNone) {
  // B, C and D are zero, so that the table turns on as it starts: from 1 rad with 2 rad/s to 1.02 rad after 10 ms.
  const std::string model =
      "lithe: 1\nlinks: {table: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"
      "joints: {axis: {revolute: z, from: ground, to: table, actuated: true}}\n"
      "initial: {axis: 1}\nspeeds: {axis: 2}\n"
      "sensors: {angle: {encoder: axis}, rate: {tachometer: axis}}\nrun: {until: 0.01, every: 0.005}\nrecord: [coordinates, forces]\n"
      "controllers: {law: {sample: 1e-3, drives: axis, inputs: [angle, rate], state-space: {file: gains.json}}}\n";
  const std::string point = R"("A": [[0]], "B": [[0, 0]], "C": [[0]])";
  const std::string schedule = R"({"points": [{"t": 0, )" + point + R"(}, {"t": 1, )" + point + "}]}";
  MemoryRecord rows;
  run_simulation(io::load_with_files(model, "model.yaml", {}, {{"gains.json", schedule}}), rows);
  EXPECT_NEAR(rows.at(rows.rows() - 1, "q.axis"), 1.02, 1e-14);
  for (const double torque : rows.column("tau.axis")) EXPECT_EQ(torque, 0.0);
}

}  // namespace
}  // namespace lithe
