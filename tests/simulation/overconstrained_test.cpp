// A Bennett linkage: four hinges in space that move although counting forbids it; three of five closures are redundant.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double twist_a = 0.9, twist_b = 2.0, length_a = 1.0;

Pose bar(double length, double twist) {
  return {Eigen::AngleAxisd(twist, Vec3::UnitX()).toRotationMatrix(), Vec3(length, 0, 0)};
}

/// Opposite bars are equal and sin(twist)/length is the same for all: Bennett's condition.
Model bennett() {
  Model model;
  Mechanism& m = model.mechanism;
  m.gravity = Vec3(0.3, -9.81, 1.0);
  const double length_b = length_a * std::sin(twist_b) / std::sin(twist_a);
  const double length[3] = {length_a, length_b, length_a}, twist[3] = {twist_a, twist_b, twist_a};
  FrameRef from{0, 0};
  for (int i = 0; i < 3; ++i) {
    LinkData link;
    link.name = "bar-" + std::to_string(i + 1);
    link.mass = 1.0 + i;
    link.centre = Vec3(length[i] / 2, 0.05, 0.02);
    link.inertia = Vec3(0.1, 0.12, 0.15).asDiagonal();
    const int index = m.add_link(link);
    testing::add_revolute(m, "hinge-" + std::to_string(i + 1), from, {index, 0}, i == 0);
    from = m.add_frame(index, "tip", bar(length[i], twist[i]));
  }
  testing::add_revolute(m, "hinge-4", from, m.add_frame(0, "end", bar(length_b, twist_b).inverse()));
  m.joints[3].cut = true;
  model.initial = {{"hinge-1", 0, 1.0}, {"hinge-2", 0, 2.5}, {"hinge-3", 0, -1.0}};
  return model;
}

Drive turning(double speed) {
  Drive drive;
  drive.joint = "hinge-1";
  drive.follow = PolynomialCoefficients{{1.0, speed}};
  return drive;
}

// Bennett: opposite angles are equal but for the sign, and tan(q1/2) tan(q2/2) is the constant
// sin((twist_b + twist_a)/2) / sin((twist_b - twist_a)/2) (or the other sign convention of the angles).
TEST(Bennett, TurnsRoundAndObeysItsInputOutputLaw) {
  Model model = bennett();
  model.drives = {turning(2 * pi)};
  model.run.until = 2.0;
  MemoryRecord record;
  const RunOutcome outcome = run_kinematics(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const auto product = [&](std::size_t i) {
    return std::tan(record.at(i, "q.hinge-1") / 2) * std::tan(record.at(i, "q.hinge-2") / 2);
  };
  const double expected = std::sin((twist_b + twist_a) / 2) / std::sin((twist_b - twist_a) / 2);
  EXPECT_NEAR(std::abs(product(0)), expected, 1e-9);
  for (std::size_t i = 0; i < record.rows(); ++i) {
    EXPECT_NEAR(product(i) / product(0), 1.0, 1e-8) << "row " << i;
    EXPECT_NEAR(std::remainder(record.at(i, "q.hinge-1") + record.at(i, "q.hinge-3"), 2 * pi), 0.0, 1e-10);
    EXPECT_NEAR(std::remainder(record.at(i, "q.hinge-2") + record.at(i, "q.hinge-4"), 2 * pi), 0.0, 1e-10);
  }
}

class BennettRuns : public ::testing::TestWithParam<Integrator> {};

TEST_P(BennettRuns, FreeMotionKeepsItsEnergy) {
  Model model = bennett();
  model.initial_speeds = {{"hinge-1", 0, 8.0}};
  model.run.integrator = GetParam();
  model.run.until = 2.0;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_LT(outcome.audit.energy_error, 1e-5 * outcome.audit.energy_scale);
  EXPECT_LT(outcome.audit.worst_closure, 1e-10);
}

TEST_P(BennettRuns, PrescribedMotionNeedsTheTorqueOfInverseDynamics) {
  Model model = bennett();
  model.drives = {turning(2 * pi)};
  model.run.integrator = GetParam();
  model.run.every = 0.1;
  MemoryRecord inverse, forward;
  ASSERT_EQ(run_inverse(model, inverse).ending, RunOutcome::Ending::complete);
  model.drives[0].prescribed = true;
  const RunOutcome outcome = run_simulation(model, forward);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  for (std::size_t i = 0; i < inverse.rows(); ++i) {
    EXPECT_NEAR(forward.at(i, "tau.hinge-1"), inverse.at(i, "tau.hinge-1"), 1e-6) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, BennettRuns,
                         ::testing::Values(Integrator::bdf, Integrator::dopri, Integrator::rk4, Integrator::ida),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace lithe
