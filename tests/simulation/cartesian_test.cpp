// Runs in cartesian coordinates: the platform pose is independent, motors and guesses stay those of the model.

#include <gtest/gtest.h>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/khan_models.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

Model cartesian_model() {
  Model model = khan::model(khan::mechanism());
  model.plan.coordinates = Coordinates::cartesian;
  model.plan.platform = "platform";
  model.run.every = 0.25;
  return model;
}

TEST(Cartesian, GuessesOfTheJointsPlaceThePlatform) {
  const Prepared prepared = prepare(cartesian_model());
  const JointPlace& place = prepared.plan.places()[prepared.plan.mechanism().find_joint("platform.free")];
  // Khan reference 5.3; the angle is 3.9155... there, one turn less here.
  EXPECT_NEAR(prepared.state.q[place.q], khan::initial_platform[0], 1e-12);
  EXPECT_NEAR(prepared.state.q[place.q + 1], khan::initial_platform[1], 1e-12);
  EXPECT_NEAR(prepared.state.q[place.q + 2], khan::initial_platform[2] - 2 * khan::pi, 1e-12);
  EXPECT_EQ(prepared.work.independent(), (std::vector<int>{place.v, place.v + 1, place.v + 2}));
}

TEST(Cartesian, InverseDynamicsGivesTheTorquesOfTheTable) {
  Model model = cartesian_model();
  khan::drive_along_cycloids(model);
  MemoryRecord record;
  ASSERT_EQ(run_inverse(model, record).ending, RunOutcome::Ending::complete);
  ASSERT_EQ(record.rows(), 13u);
  // Khan reference table 6.4, rows t = 1.00 and 3.00 s.
  EXPECT_NEAR(record.at(4, "tau.motor-1"), -1.22217978, 1e-7);
  EXPECT_NEAR(record.at(4, "tau.motor-2"), -30.49296266, 1e-7);
  EXPECT_NEAR(record.at(4, "tau.motor-3"), 46.75904937, 1e-7);
  EXPECT_NEAR(record.at(12, "tau.motor-1"), -10.89999219, 1e-7);
}

TEST(Cartesian, FreeFallIsTheSameAsInJointCoordinates) {
  Model joint = khan::model(khan::mechanism());
  joint.run.until = 0.15;
  joint.run.every = 0.15;
  joint.run.rtol = 1e-10;
  joint.run.atol = 1e-12;
  Model cartesian = joint;
  cartesian.plan.coordinates = Coordinates::cartesian;
  cartesian.plan.platform = "platform";
  MemoryRecord one, two;
  ASSERT_EQ(run_simulation(joint, one).ending, RunOutcome::Ending::complete);
  const RunOutcome fall = run_simulation(cartesian, two);
  ASSERT_EQ(fall.ending, RunOutcome::Ending::complete) << fall.message;
  for (const char* column : {"q.motor-1", "q.motor-2", "q.motor-3"}) {
    const double turn = 2 * khan::pi;
    const double difference = one.at(1, column) - two.at(1, column);
    EXPECT_NEAR(difference - turn * std::round(difference / turn), 0.0, 1e-7) << column;
  }
  // Khan reference table 6.9, t = 0.15 s.
  EXPECT_NEAR(two.at(1, "v.motor-1"), -0.077208938, 1e-6);
  EXPECT_NEAR(two.at(1, "v.motor-3"), -6.999880480, 1e-6);
  EXPECT_NEAR(two.at(1, "energy.kinetic"), 19.01067109, 1e-6);
}

// Later in the fall the third leg is stretched: the platform no longer determines its joints. (Joint coordinates pass.)
TEST(Cartesian, AStretchedLegIsNamed) {
  Model model = cartesian_model();
  model.run.until = 0.3;
  MemoryRecord record;
  const RunOutcome fall = run_simulation(model, record);
  EXPECT_EQ(fall.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(fall.message.find("loop 'motor-3, ankle-3, platform.free, knee-3' is singular"), std::string::npos)
      << fall.message;
}

TEST(Cartesian, AMotionLawOfThePlatformMovesTheMotors) {
  Model model = cartesian_model();
  model.run.until = 1.0;
  // From the initial pose 5 cm and 3 cm along a quintic, the angle kept.
  const double start[3] = {khan::initial_platform[0], khan::initial_platform[1],
                           khan::initial_platform[2] - 2 * khan::pi};
  const double end[3] = {start[0] - 0.05, start[1] + 0.03, start[2]};
  for (int k = 0; k < 3; ++k) {
    Drive drive;
    drive.joint = "platform.free";
    drive.coordinate = k;
    drive.follow = make_polynomial(start[k], end[k], 0.0, 1.0, {0.0, 0.0}, {0.0, 0.0});
    model.drives.push_back(drive);
  }
  model.record.frames = {model.mechanism.find_frame("platform", "origin")};
  MemoryRecord record;
  ASSERT_EQ(run_inverse(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_NEAR(record.at(4, "pos.platform.origin.x"), end[0], 1e-12);
  EXPECT_NEAR(record.at(4, "pos.platform.origin.y"), end[1], 1e-12);
  EXPECT_LT(record.audit().worst_closure, 1e-10);
  // At rest at the start: the static torques of table 6.4, t = 0.
  EXPECT_NEAR(record.at(0, "tau.motor-1"), -1.41861659, 1e-7);
  EXPECT_NEAR(record.at(0, "tau.motor-3"), 44.27619219, 1e-7);
}

}  // namespace
}  // namespace lithe
