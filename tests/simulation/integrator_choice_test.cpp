// What `integrator: auto` takes, and what it does when that turns out not to fit.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

std::string choice(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record.audit().integrator;
}

Model example(const char* name, double until) {
  Model model = load_model(source_folder() + "/examples/" + name + ".yaml");
  model.run = {};
  model.run.until = until;
  return model;
}

TEST(AutomaticIntegrator, IsTheDefault) {
  EXPECT_EQ(RunOptions().integrator, Integrator::automatic);
  EXPECT_EQ(name_of(RunOptions().integrator), "auto");
}

TEST(AutomaticIntegrator, FitsTheMechanism) {
  EXPECT_EQ(choice(testing::double_pendulum()), "dopri, rtol 1e-08, atol 1e-10 (auto: rigid links)");
  EXPECT_EQ(choice(testing::four_bar()), "dopri, rtol 1e-08, atol 1e-10 (auto: rigid links)");
  EXPECT_EQ(choice(example("flexible-pendulum", 0.1)), "exponential, tolerance 1e-05 (auto: links bend)");
}

TEST(AutomaticIntegrator, IsNotAskedWhenOneIsNamed) {
  Model model = testing::double_pendulum();
  model.run.integrator = Integrator::adams;
  EXPECT_EQ(choice(model), "adams, rtol 1e-08, atol 1e-10");
  model.run.integrator = Integrator::rk4;
  EXPECT_EQ(choice(model), "rk4, step 0.001 s");
}

TEST(AutomaticIntegrator, HandsItsToleranceOn) {
  Model model = testing::double_pendulum();
  model.run.tolerance = 1e-7;
  EXPECT_EQ(choice(model), "dopri, rtol 1e-10, atol 1e-12 (auto: rigid links)");
  model.run.rtol = 1e-6;
  EXPECT_EQ(choice(model), "dopri, rtol 1e-06, atol 1e-10 (auto: rigid links)");
  model = example("flexible-pendulum", 0.1);
  model.run.rtol = 1e-7;
  EXPECT_EQ(choice(model), "bdf, rtol 1e-07, atol 1e-10 (auto: links bend, and rtol or atol is given)");
}

TEST(AutomaticIntegrator, KnowsItsLimits) {
  Model model = example("flexible-pendulum", 0.02);
  model.run.formulation = Formulation::multipliers;
  EXPECT_EQ(choice(model), "bdf, rtol 1e-08, atol 1e-10 (auto: links bend, not in minimal coordinates)");
  model = example("flexible-pendulum", 0.02);
  model.run.projection = Projection::step;
  EXPECT_EQ(choice(model), "dopri, rtol 1e-08, atol 1e-10 (auto: projection 'step')");
}

// A damper that stops the pendulum within 1e-6 s: 1 kg m^2 and 1e6 N m s/rad.
TEST(AutomaticIntegrator, SeesStiffDampersBeforehand) {
  Model model = testing::simple_pendulum();
  model.mechanism.joints[0].damping = {1e6};
  EXPECT_EQ(choice(model), "bdf, rtol 1e-08, atol 1e-10 (auto: rigid links, a time constant of 1e-06 s)");
}

// The same from a law in code, of which nothing is known beforehand. The pendulum creeps: c x' = -g sin x, so
// tan(x/2) decays by exp(-g t/c).
TEST(AutomaticIntegrator, SeesStiffLawsOnTheWay) {
  Model model = testing::simple_pendulum();
  model.initial = {{"hinge", 0, 1.0}};
  Drive drive;
  drive.joint = "hinge";
  drive.law = [](double, double, double speed) { return -1e5 * speed; };
  model.drives = {drive};
  model.run.until = 1.0;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_NE(record.audit().integrator.find("(auto: rigid links; 'bdf' from t = "), std::string::npos)
      << record.audit().integrator;
  EXPECT_LT(record.audit().steps, 5000);
  // What the inertia does against the damper is of order g/c^2.
  const double expected = 2 * std::atan(std::tan(0.5) * std::exp(-9.81 / 1e5));
  EXPECT_NEAR(record.at(record.rows() - 1, "q.hinge"), expected, 1e-8);
}

// On an elastic arm the same law is no part of the stiffness and damping that `exponential` knows.
TEST(AutomaticIntegrator, LeavesWhatItDoesNotKnow) {
  Model model = example("flexible-pendulum", 0.2);
  Drive drive;
  drive.joint = "pivot";
  drive.law = [](double, double, double speed) { return -3e4 * speed; };
  model.drives = {drive};
  const std::string taken = choice(model);
  EXPECT_NE(taken.find("bdf"), std::string::npos) << taken;
}

}  // namespace
}  // namespace lithe
