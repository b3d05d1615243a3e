// Paths, sensors, controllers and events of parts. A part that is turned, moved or mirrored together with gravity moves as it
// does by itself: the run of the part alone is what is expected.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/model_text.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::complete_run;

/// An arm with two motors that carries its tip along a path and a third joint that drops a ball; a controller keeps a second
/// arm at an angle by what a tracker, a gyro and an accelerometer tell.
const std::string cell = R"(lithe: 1
parameters: {reach: 0.5, stop: 0.18}
gravity: [0, -9.81, 0]
ground: {post: [0.1, 0, 0]}
links:
  upper: {rigid: {mass: 1, centre: [0.25, 0], inertia: [0.01, 0.02, 0.02]}, frames: {elbow: [reach, 0]}}
  fore: {rigid: {mass: 0.8, centre: [0.2, 0.01], inertia: [0.01, 0.02, 0.02]}, frames: {tip: {at: [0.4, 0], rotate: {axis: x, angle: 0.3}}}}
  ball: {rigid: {mass: 0.3, inertia: [1e-3, 1e-3, 1e-3]}}
  flap: {rigid: {mass: 0.5, centre: [0.1, 0, 0.02], inertia: [2e-3, 3e-3, 3e-3]}, frames: {edge: {at: [0.3, 0, 0], rotate: {axis: y, angle: 0.2}}}}
joints:
  shoulder: {revolute: z, from: ground/post, to: upper, actuated: true}
  elbow-pin: {revolute: z, from: upper/elbow, to: fore, motor: {rotor: 1e-4, ratio: 10, gyroscopic: {axis: y}}}
  grip: {free: true, from: fore/tip, to: ball}
  hinge: {revolute: y, from: ground, to: flap, actuated: true}
initial: {shoulder: 0.3, elbow-pin: 1.2}
drives:
  fore/tip:
    path: {arc: {from: [0.6, 0.4], through: [0.5, 0.55], to: [0.3, 0.6]}, timing: {in: 0.8}}
    by: pd
    motors: [shoulder, elbow-pin]
    kp: 50
    kd: 5
sensors:
  place: {tracker: flap/edge, sample: 0.01}
  rate: {gyro: flap/edge, sample: 0.01}
  pull: {accelerometer: flap/edge, sample: 0.01}
  carried: {force-torque: hinge, sample: 0.01}
controllers:
  keep:
    sample: 0.01
    drives: hinge
    inputs: [{of: place.z, minus: 0.05}, rate.x, rate.y, rate.z, pull.y, pull.x, carried.force.y, carried.moment.x]
    gain: [[-4, 0.02, 0.2, 0.03, 0.01, 0.02, 0.05, 0.3]]
events:
  carry: {when: start, do: {lock: grip}}
  drop: {when: {rises: 0.02 + pos.fore.tip.y - 0.5*reach + vel.fore.tip.x*0.1-stop+2e-3*omega.flap.edge.y}, do: {release: grip}}
  late: {when: {after: drop, delay: 0.05}, do: {end: true, drives: {hinge: {torque: 0.02}}}}
run: {until: 0.6, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)";

class PartsControl : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("lithe-parts-control-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  Model load_file(const std::string& name) const { return load_model((folder / name).string(), {}); }

  std::filesystem::path folder;
};

const std::vector<std::string> joints{"shoulder", "elbow-pin", "hinge"};

void expect_same_motion(const MemoryRecord& alone, const MemoryRecord& part, const std::string& prefix) {
  const int rows = static_cast<int>(alone.audit().records);
  ASSERT_GT(rows, 10);
  for (int row = 0; row < rows; ++row)
    for (const std::string& joint : joints)
      for (const char* kind : {"q.", "v.", "tau."})
        EXPECT_NEAR(alone.at(row, kind + joint), part.at(row, kind + prefix + joint), 1e-7) << kind << joint << row;
  ASSERT_EQ(alone.audit().events.size(), part.audit().events.size());
  for (std::size_t i = 0; i < alone.audit().events.size(); ++i)
    EXPECT_NEAR(alone.audit().events[i].t, part.audit().events[i].t, 1e-8);
}

MemoryRecord run_alone(bool without_end) {
  std::string text = cell;
  if (without_end) text.replace(text.find("end: true, "), 11, "");
  return complete_run(load_model_text(text, "cell.yaml"));
}

TEST_F(PartsControl, MoveAsThePartAlone) {
  write("cell.yaml", cell);
  // Turned by 90 degrees about x, then 30 about the new z, and moved; gravity turned alike: [0, -9.81, 0] becomes 9.81 times
  // -(y axis of the part) = -[-sin 30, 0, cos 30].
  write("turned.yaml", R"(lithe: 1
gravity: [9.81*sin(30 deg), 0, -9.81*cos(30 deg)]
parts: {cell: {model: cell.yaml, at: [1, -2, 0.5], rotate: [{axis: x, angle: 90 deg}, {axis: z, angle: 30 deg}]}}
run: {until: 0.6, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)");
  const MemoryRecord alone = run_alone(true);
  expect_same_motion(alone, complete_run(load_file("turned.yaml")), "cell-");
  // The model that is stored in results, in one piece.
  const Model flat = load_model_text(load_file("turned.yaml").flattened, "flat.yaml");
  expect_same_motion(alone, complete_run(flat), "cell-");
}

TEST_F(PartsControl, MirroredMoveAsThePartAlone) {
  write("cell.yaml", cell);
  // In the mirror z = 0 of the part, and x = 0 of a part that contains it; gravity stays as it is: along y.
  write("mirrored.yaml", R"(lithe: 1
gravity: [0, -9.81, 0]
parts: {cell: {model: cell.yaml, at: [0.2, 0.3, 0], mirror: z}}
run: {until: 0.6, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)");
  write("pair.yaml", "lithe: 1\nparts: {inner: {model: cell.yaml, at: [0.5, 0, 0], mirror: z}}\n");
  write("twice.yaml", R"(lithe: 1
gravity: [0, -9.81, 0]
parts: {outer: {model: pair.yaml, mirror: x}}
run: {until: 0.6, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)");
  const MemoryRecord alone = run_alone(true);
  expect_same_motion(alone, complete_run(load_file("mirrored.yaml")), "cell-");
  expect_same_motion(alone, complete_run(load_file("twice.yaml")), "outer-inner-");
}

// Two parts with a path each: the motors of each follow its own.
TEST_F(PartsControl, EachFollowsItsOwnPath) {
  write("cell.yaml", cell);
  write("both.yaml", R"(lithe: 1
gravity: [0, -9.81, 0]
parts:
  left: {model: cell.yaml, mirror: z}
  right: {model: cell.yaml, at: [1, 0, 0]}
run: {until: 0.6, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)");
  const Model model = load_file("both.yaml");
  EXPECT_EQ(model.paths.size(), 2U);
  const MemoryRecord record = complete_run(model), alone = run_alone(true);
  for (int row = 0; row <= 12; ++row)
    for (const std::string& joint : joints)
      for (const char* part : {"left-", "right-"})
        EXPECT_NEAR(alone.at(row, "q." + joint), record.at(row, "q." + (part + joint)), 1e-7) << part << joint << row;
}

// The event of a part does not end the run of the model; by itself it does.
TEST_F(PartsControl, PartsDoNotEndTheRun) {
  write("cell.yaml", cell);
  write("one.yaml",
        "lithe: 1\ngravity: [0, -9.81, 0]\nparts: {cell: {model: cell.yaml}}\nrun: {until: 0.6, every: 0.05}\n");
  const double end = run_alone(false).audit().t_end;
  EXPECT_LT(end, 0.6);
  EXPECT_EQ(complete_run(load_file("one.yaml")).audit().t_end, 0.6);
}

}  // namespace
}  // namespace lithe
