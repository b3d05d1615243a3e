// Starts at static equilibrium: what hangs, hangs still.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

const char* const level_arm = R"(lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, EI: 10, mass: 0.1}, modes: {count: 3, root: clamped}}
joints:
  shoulder: {revolute: z, from: ground, to: arm/root, actuated: true}
drives:
  shoulder: {follow: 0, by: motion}
initial: equilibrium
run: {until: 1, every: 0.01, rtol: 1e-10, atol: 1e-14}
record: [coordinates, frames: [arm/tip]]
)";

/// Largest change of any elastic coordinate of the run, over its largest value.
double largest_change(const Model& model, double& largest) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  largest = 0.0;
  double change = 0.0;
  for (const std::string& column : record.columns()) {
    const std::size_t dot = column.rfind(".e");  // q.LINK.eK, not q.elbow
    if (!column.starts_with("q.") || dot == std::string::npos || dot < 2 || column[dot + 2] > '9') continue;
    const std::vector<double> values = record.column(column);
    for (const double value : values) {
      largest = std::max(largest, std::abs(value));
      change = std::max(change, std::abs(value - values[0]));
    }
  }
  return change;
}

// Cantilever under its own weight: w L^4 / (8 EI) at the tip (small bending; three modes carry all but 0.1 percent).
TEST(EquilibriumStart, AnArmHeldByItsMotorStaysAtRest) {
  const Model model = load_model_text(level_arm, "arm.yaml");
  ASSERT_TRUE(model.start_at_equilibrium);
  Prepared prepared = prepare(model);
  const FrameRef tip = prepared.plan.mechanism().find_frame("arm", "tip");
  EXPECT_NEAR(frame_pose(prepared.plan, prepared.work, prepared.state.q, tip).position.y(), -0.981 / 80.0,
              2e-3 * 0.981 / 80.0);
  double largest = 0.0;
  const double change = largest_change(model, largest);
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(change, 1e-9 * largest);
}

TEST(EquilibriumStart, WithoutItTheArmDrops) {
  Model model = load_model_text(level_arm, "arm.yaml");
  model.start_at_equilibrium = false;
  double largest = 0.0;
  EXPECT_GT(largest_change(model, largest), 0.5 * largest);
}

// In a loop: the same with the motors of a five-bar held.
TEST(EquilibriumStart, ALoopHeldByItsMotorsStaysAtRest) {
  Model model = load_model(source_folder() + "/examples/starters/five-bar.yaml");
  for (Drive& drive : model.drives) {
    const double start = drive.follow.at(0.0).value;
    const std::string joint = drive.joint;
    drive = Drive{};
    drive.joint = joint;
    drive.follow = ConstantLaw{start};
    drive.prescribed = true;
  }
  model.start_at_equilibrium = true;
  model.run.until = 0.2;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-15;
  double largest = 0.0;
  const double change = largest_change(model, largest);
  EXPECT_GT(largest, 1e-6);
  EXPECT_LT(change, 1e-9 * largest);
}

// Statics measures how far things move from where they were without load.
TEST(EquilibriumStart, StaticsStillStartsFromTheUnbentArm) {
  const Model model = load_model_text(level_arm, "arm.yaml");
  const ModelAtRest rest(model);
  EXPECT_EQ(rest.start().q.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_GT(rest.rest().state.q.cwiseAbs().maxCoeff(), 1e-3);
}

// A pendulum without a motor hangs down: the equilibrium near 0.1 rad from there.
TEST(EquilibriumStart, AFreePendulumHangs) {
  const Model model = load_model_text(R"(lithe: 1
gravity: [0, -9.81, 0]
links: {bob: {rod: {from: [0, 0], to: [0, -1], mass: 1}}}
joints: {pivot: {revolute: z, from: ground, to: bob}}
initial: {pivot: 0.1, equilibrium: true}
)",
                                      "pendulum.yaml");
  EXPECT_NEAR(prepare(model).state.q[0], 0.0, 1e-12);
}

}  // namespace
}  // namespace lithe::testing
