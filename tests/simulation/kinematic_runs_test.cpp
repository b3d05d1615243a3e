// Runs along the motion laws against the tables of the Khan reference and closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"
#include "support/khan_models.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;
using testing::double_pendulum;
using testing::four_bar;

Drive follow(const std::string& joint, Law law, int coordinate = 0) {
  Drive drive;
  drive.joint = joint;
  drive.coordinate = coordinate;
  drive.follow = std::move(law);
  return drive;
}

// Table 6.4, torques in N m at t = 0, 0.25, ... 3 s; printed with eight decimals.
constexpr double table_64[13][3] = {
    {-1.41861659, -20.70723274, 44.27619219},  {-0.89664525, -21.45092126, 44.41954149},
    {-0.58492132, -23.04529453, 44.89029739},  {-0.63223838, -26.07828717, 45.79176323},
    {-1.22217978, -30.49296266, 46.75904937},  {-2.61732516, -35.33035755, 47.14565824},
    {-4.94615294, -38.97058441, 46.61033092},  {-7.88164503, -40.11702061, 45.46623884},
    {-10.53469532, -38.90147085, 44.38720635}, {-12.00500098, -36.75464216, 43.82829225},
    {-12.20108044, -35.15637557, 43.80877740}, {-11.67520811, -34.74262110, 44.13924680},
    {-10.89999219, -35.20348485, 44.62799770}};

// Platform pose at the same times (table 6.1): x, y in m, theta_7 in rad.
constexpr double table_61[13][3] = {
    {0.7277520805, 0.2327111647, 3.9155292202}, {0.7263169007, 0.2333364315, 3.9150533199},
    {0.7166686993, 0.2376397816, 3.9121697870}, {0.6923689665, 0.2492210982, 3.9072550570},
    {0.6501729371, 0.2716377198, 3.9062970290}, {0.5912407035, 0.3069525441, 3.9206709095},
    {0.5212708771, 0.3527962401, 3.9627384584}, {0.4492400780, 0.4013161731, 4.0378379920},
    {0.3854339108, 0.4429477169, 4.1352499609}, {0.3381779032, 0.4720340394, 4.2289709697},
    {0.3104451047, 0.4883064607, 4.2938209637}, {0.2993327076, 0.4946725665, 4.3220927475},
    {0.2976746965, 0.4956156064, 4.3264302846}};

class KhanInverse : public ::testing::TestWithParam<Coordinates> {};

// In Cartesian coordinates the motors still follow their laws: kept speeds come before required ones.
TEST_P(KhanInverse, TorquesWorkAndPlatformPose) {
  Model model = khan::model(khan::mechanism());
  khan::drive_along_cycloids(model);
  model.plan.coordinates = GetParam();
  model.plan.platform = "platform";
  model.run.every = 0.25;
  if (GetParam() == Coordinates::cartesian) {
    for (int i = 0; i < 3; ++i) {
      model.initial.push_back({"platform.free", i, khan::initial_platform[i]});
    }
  }
  model.record.frames = {model.mechanism.find_frame("platform", "origin")};
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  ASSERT_EQ(record.rows(), 13u);
  for (std::size_t i = 0; i < 13; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(record.at(i, "tau." + khan::name("motor", j)), table_64[i][j], 1e-7) << "row " << i;
    }
    EXPECT_NEAR(record.at(i, "pos.platform.origin.x"), table_61[i][0], 1e-9);
    EXPECT_NEAR(record.at(i, "pos.platform.origin.y"), table_61[i][1], 1e-9);
    const double turn = record.at(i, "rot.platform.origin.z") - table_61[i][2];
    EXPECT_NEAR(std::remainder(turn, 2 * khan::pi), 0.0, 1e-9);
  }
  // Section 6.4: work 54.8682889177 J, equal to the change of potential energy.
  EXPECT_NEAR(record.at(12, "energy.work"), 54.8682889177, 1e-9);
  EXPECT_NEAR(record.at(12, "energy.potential") - record.at(0, "energy.potential"), 54.8682889177, 1e-9);
  EXPECT_LT(outcome.audit.energy_error, 1e-9);
  EXPECT_LT(outcome.audit.worst_residual, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Coordinates, KhanInverse,
                         ::testing::Values(Coordinates::automatic, Coordinates::joint, Coordinates::cartesian),
                         [](const auto& info) {
                           return std::string(info.param == Coordinates::automatic ? "automatic"
                                              : info.param == Coordinates::joint   ? "joint"
                                                                                   : "cartesian");
                         });

// The same motion given as a path of the platform: constant pose of table 6.1 at t = 0 needs the static torques of 6.4.
TEST(InverseRun, PlatformHeldInCartesianCoordinates) {
  Model model = khan::model(khan::mechanism());
  model.plan.coordinates = Coordinates::cartesian;
  model.plan.platform = "platform";
  for (int i = 0; i < 3; ++i) {
    model.drives.push_back(
        follow("platform.free", ConstantLaw{khan::initial_platform[i]}, i));
  }
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(record.at(0, "tau." + khan::name("motor", j)), table_64[0][j], 1e-7);
}

// Tables 6.3: passive rates and accelerations at t = 1 s.
TEST(KinematicsRun, PassiveRatesAndAccelerations) {
  Model model = khan::model(khan::mechanism());
  khan::drive_along_cycloids(model);
  model.run.every = 1.0;
  MemoryRecord record;
  ASSERT_EQ(run_kinematics(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_NEAR(record.at(1, "v.knee-1"), -0.43758937, 1e-8);
  EXPECT_NEAR(record.at(1, "v.ankle-1"), -0.06792432, 1e-8);
  EXPECT_NEAR(record.at(1, "v.knee-2"), 0.61552051, 1e-8);
  EXPECT_NEAR(record.at(1, "v.ankle-3"), 0.42721467, 1e-8);
  EXPECT_NEAR(record.at(1, "a.knee-1"), -0.20236196, 1e-8);
  EXPECT_NEAR(record.at(1, "a.ankle-2"), -0.04250754, 1e-8);
  EXPECT_NEAR(record.at(1, "a.knee-3"), -0.76779862, 1e-8);
  EXPECT_THROW((void)record.column("tau.motor-1"), std::out_of_range) << "kinematics knows no forces";
}

TEST(KinematicsRun, FreeCoordinatesAreNamed) {
  Model model = double_pendulum();
  model.drives = {follow("shoulder", ConstantLaw{0.3})};
  MemoryRecord record;
  try {
    run_kinematics(model, record);
    FAIL() << "expected a MechanismError";
  } catch (const MechanismError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "the motion laws do not determine the motion: the mechanism has 2 degrees of freedom and 1 of them follow "
        "a law; give laws ('follow') for 'elbow' as well");
  }
  EXPECT_EQ(record.rows(), 0u);
}

TEST(InverseRun, UnderActuatedMotionReportsTheResidual) {
  Model model = double_pendulum();
  model.mechanism.joints[1].actuated = {false};
  model.initial.clear();
  // Held horizontally: the elbow would need m g l / 2 = 4.905 N m, which it has not got.
  model.drives = {follow("shoulder", ConstantLaw{0.0}), follow("elbow", ConstantLaw{0.0})};
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NEAR(outcome.audit.worst_residual, 4.905, 1e-9);
  EXPECT_EQ(outcome.message.substr(0, 116),
            "the actuators cannot supply the forces of this motion: at t = 0 s a generalised force of 4.905 remains. "
            "Actuate more");
  EXPECT_EQ(record.rows(), 101u) << "the whole motion is recorded";
}

// Motors at crank and rocker of a four-bar: one freedom, two actuators; the minimum-norm pair does the same work.
TEST(InverseRun, RedundantMotorsShareTheWork) {
  Model model = four_bar();
  model.drives = {follow("motor", CycloidLaw{khan::pi / 2, khan::pi, 0.0, 1.0})};
  MemoryRecord single, pair;
  ASSERT_EQ(run_inverse(model, single).ending, RunOutcome::Ending::complete);
  model.mechanism.joints[3].actuated = {true};
  ASSERT_EQ(run_inverse(model, pair).ending, RunOutcome::Ending::complete);
  for (std::size_t i = 0; i < single.rows(); i += 10) {
    const double ratio = pair.at(i, "v.motor") != 0.0 ? pair.at(i, "v.c") / pair.at(i, "v.motor") : 0.0;
    if (ratio == 0.0) continue;
    // tau_m + ratio tau_c = tau_single with the smallest norm: tau_c = ratio tau_m.
    EXPECT_NEAR(pair.at(i, "tau.motor") * (1 + ratio * ratio), single.at(i, "tau.motor"), 1e-8);
    EXPECT_NEAR(pair.at(i, "tau.c"), ratio * pair.at(i, "tau.motor"), 1e-8);
  }
  const std::size_t last = single.rows() - 1;
  EXPECT_NEAR(pair.at(last, "energy.work"), single.at(last, "energy.work"), 1e-9);
}

TEST(InverseRun, ContradictoryLawsAreNamed) {
  Model model = four_bar();
  model.drives = {follow("motor", CycloidLaw{khan::pi / 2, khan::pi, 0.0, 1.0}),
                  follow("a", CycloidLaw{-1.3, 0.0, 0.0, 1.0})};
  MemoryRecord record;
  EXPECT_THROW(
      {
        const RunOutcome outcome = run_inverse(model, record);
        if (outcome.ending == RunOutcome::Ending::physics_failed) throw PhysicsError(outcome.message);
      },
      PhysicsError);
}

// A full turn of a four-bar crank goes through all poses on one branch and comes back.
TEST(KinematicsRun, ACrankTurnsRoundOnOneBranch) {
  Model model = four_bar();
  model.drives = {follow("motor", PolynomialCoefficients{{khan::pi / 2, 2 * khan::pi}})};
  MemoryRecord record;
  const RunOutcome outcome = run_kinematics(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const std::size_t last = record.rows() - 1;
  EXPECT_NEAR(record.at(last, "q.c"), record.at(0, "q.c"), 1e-10);
  EXPECT_NEAR(record.at(last, "q.a") - record.at(0, "q.a"), -2 * khan::pi, 1e-10);
  EXPECT_LT(outcome.audit.worst_closure, 1e-11);
}

// The slider of a slider-crank cannot be pulled beyond the stretched pose.
TEST(KinematicsRun, OutOfReachIsReportedWithLoopAndTime) {
  Model model = four_bar();
  model.mechanism.joints[0].actuated = {false};
  model.mechanism.joints[3].actuated = {true};
  model.drives = {follow("c", PolynomialCoefficients{{1.7, -2.0}})};
  MemoryRecord record;
  const RunOutcome outcome = run_kinematics(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(outcome.message.find("loop '"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("at t = 0."), std::string::npos) << outcome.message;
  EXPECT_GT(record.rows(), 5u);
}

}  // namespace
}  // namespace lithe
