// Initial state, drives, laws, run and record of a model file.

#include <gtest/gtest.h>

#include "io/model_text.hpp"

namespace lithe {
namespace {

TEST(LoadRun, ReadsInitialValues) {
  const Model model = load(R"(
links: {a: {rigid: {mass: 1}}}
joints:
  pin: {revolute: z, from: ground, to: a}
  cross: {universal: [x, y], from: ground, to: a}
  ball: {spherical: true, from: ground, to: a}
  plane: {planar: z, from: ground, to: a}
  float: {free: true, from: ground, to: a}
initial:
  pin: 60 deg
  cross: [0.1, 0.2]
  ball: [0, 0, 0, 2]
  plane.2: 0.5
  float: {position: [1, 2, 3], axis: z, angle: 180 deg}
speeds:
  pin: 3
  cross.1: 4
  float: [1, 2, 3, 4, 5, 6]
)");
  const auto value = [&](const std::vector<InitialValue>& list, const std::string& joint, int coordinate) {
    for (const InitialValue& each : list)
      if (each.joint == joint && each.coordinate == coordinate) return each.value;
    return -999.0;
  };
  EXPECT_DOUBLE_EQ(value(model.initial, "pin", 0), pi / 3);
  EXPECT_EQ(value(model.initial, "cross", 1), 0.2);
  EXPECT_EQ(value(model.initial, "ball", 0), 0.0);
  EXPECT_EQ(value(model.initial, "ball", 3), 1.0);  // normalised
  EXPECT_EQ(value(model.initial, "plane", 2), 0.5);
  EXPECT_EQ(value(model.initial, "plane", 0), -999.0);
  EXPECT_EQ(value(model.initial, "float", 2), 3.0);
  EXPECT_NEAR(value(model.initial, "float", 3), 0.0, 1e-16);  // half turn: w = cos 90 deg
  EXPECT_NEAR(value(model.initial, "float", 6), 1.0, 1e-16);
  EXPECT_EQ(value(model.initial_speeds, "pin", 0), 3.0);
  EXPECT_EQ(value(model.initial_speeds, "cross", 1), 4.0);
  EXPECT_EQ(value(model.initial_speeds, "float", 5), 6.0);
}

Drive drive(const std::string& text) {
  return one_link("rigid: {mass: 1}", "drives: {j: " + text + "}\n").drives.at(0);
}

TEST(LoadRun, ReadsDrives) {
  const Drive motion = drive("{follow: {cycloid: {from: 0, to: 90 deg, in: 2, start: 1}}}");
  EXPECT_EQ(motion.joint, "j");
  EXPECT_TRUE(motion.prescribed);
  EXPECT_DOUBLE_EQ(motion.follow.at(2.0).value, pi / 4);
  const Drive controlled = drive("{follow: t, by: [rigid-inverse-dynamics, pd], kp: 10, kd: 2, force: 3}");
  EXPECT_TRUE(controlled.feed_forward);
  EXPECT_FALSE(controlled.prescribed);
  EXPECT_EQ(controlled.kp, 10.0);
  EXPECT_EQ(controlled.kd, 2.0);
  EXPECT_EQ(controlled.torque.at(0).value, 3.0);
  EXPECT_TRUE(drive("{follow: t, by: inverse-dynamics}").feed_forward);
}

TEST(LoadRun, ReadsEveryKindOfLaw) {
  const auto at = [](const std::string& law, double t) { return drive("{torque: " + law + "}").torque.at(t); };
  EXPECT_EQ(at("{constant: 4}", 1).value, 4.0);
  EXPECT_EQ(at("{expression: t^2}", 3).second, 2.0);
  EXPECT_EQ(at("{polynomial: [1, 2, 3]}", 2).value, 17.0);
  // Quintic blend at its middle: half the stroke, rate 15/8 of the mean.
  EXPECT_DOUBLE_EQ(at("{polynomial: {from: 1, to: 3, in: 2}}", 1).value, 2.0);
  EXPECT_DOUBLE_EQ(at("{polynomial: {from: 1, to: 3, in: 2}}", 1).rate, 1.875);
  EXPECT_DOUBLE_EQ(at("{polynomial: {from: 0, to: 0, in: 1, from-derivatives: [1], to-derivatives: [-1]}}", 0).rate,
                   1.0);
  EXPECT_DOUBLE_EQ(at("{bezier: {points: [0, 1, 2], in: 2, start: 1}}", 2).value, 1.0);
  EXPECT_DOUBLE_EQ(at("{table: {t: [0, 1, 2], y: [0, 2, 0]}}", 0.5).value, 1.0);
  EXPECT_DOUBLE_EQ(at("{table: {t: [0, 1, 2], y: [0, 2, 0], interpolation: hold}}", 0.5).value, 0.0);
  EXPECT_DOUBLE_EQ(at("[1, 2*t, {constant: 3}]", 2).value, 8.0);
}

TEST(LoadRun, SelectsOneCoordinateOfAJoint) {
  const Model model = load(R"(
links: {a: {rigid: {mass: 1}}}
joints: {cross: {universal: [x, y], from: ground, to: a, actuated: true}}
drives: {cross.1: {torque: 2}}
)");
  EXPECT_EQ(model.drives.at(0).joint, "cross");
  EXPECT_EQ(model.drives.at(0).coordinate, 1);
}

TEST(LoadRun, DrivesThePlatformInCartesianCoordinates) {
  const Model model =
      one_link("rigid: {mass: 1}", "coordinates: cartesian\nplatform: body\ndrives: {body.free.1: {follow: t}}\n");
  EXPECT_EQ(model.plan.coordinates, Coordinates::cartesian);
  EXPECT_EQ(model.plan.platform, "body");
  EXPECT_EQ(model.drives.at(0).joint, "body.free");
  EXPECT_EQ(model.drives.at(0).coordinate, 1);
}

TEST(LoadRun, ReadsRunAndRecord) {
  const Model model = one_link("rigid: {mass: 1}, frames: {tip: [1, 0]}", R"(
run: {from: 1, until: 3, integrator: generalized-alpha, rtol: 1e-6, atol: 1e-9, step: 2e-3, max-step: 0.1, every: 0.05,
  formulation: multipliers, stabilisation: {baumgarte: {alpha: 5, beta: 6}}, penalty: {stiffness: 1e7, damping: 1e4},
  projection: step, condition-limit: 1e6, spectral-radius: 0.5}
record: [energy, frames: [body/tip, body], forces]
)");
  const RunOptions& run = model.run;
  EXPECT_EQ(run.from, 1.0);
  EXPECT_EQ(run.until, 3.0);
  EXPECT_EQ(run.integrator, Integrator::generalized_alpha);
  EXPECT_EQ(run.rtol, 1e-6);
  EXPECT_EQ(run.atol, 1e-9);
  EXPECT_EQ(run.step, 2e-3);
  EXPECT_EQ(run.max_step, 0.1);
  EXPECT_EQ(run.every, 0.05);
  EXPECT_EQ(run.formulation, Formulation::multipliers);
  EXPECT_EQ(run.stabilisation.alpha, 5.0);
  EXPECT_EQ(run.stabilisation.beta, 6.0);
  EXPECT_EQ(run.stabilisation.penalty_stiffness, 1e7);
  EXPECT_EQ(run.stabilisation.penalty_damping, 1e4);
  EXPECT_EQ(run.projection, Projection::step);
  EXPECT_EQ(run.condition_limit, 1e6);
  EXPECT_EQ(run.spectral_radius, 0.5);
  EXPECT_FALSE(model.record.coordinates);
  EXPECT_TRUE(model.record.energy);
  EXPECT_TRUE(model.record.reactions);
  EXPECT_EQ(model.record.frames, (std::vector<FrameRef>{{1, 1}, {1, 0}}));
}

TEST(LoadRun, AcceptsEveryNameOfAnOption) {
  for (const Integrator each : all_integrators)
    EXPECT_EQ(one_link("rigid: {mass: 1}", "run: {integrator: " + std::string(name_of(each)) + "}").run.integrator,
              each);
  for (const Formulation each : all_formulations)
    EXPECT_EQ(one_link("rigid: {mass: 1}", "run: {formulation: " + std::string(name_of(each)) + "}").run.formulation,
              each);
}

}  // namespace
}  // namespace lithe
