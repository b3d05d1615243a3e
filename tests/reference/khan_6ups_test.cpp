// The spatial 6-UPS of the Khan reference, section 10.5: every number given there, to 1e-9 (item 24).

#include "support/khan_6ups.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

using namespace testing;
using khan_6ups::Wrist;
using Vec6 = Eigen::Matrix<double, 6, 1>;

constexpr double table_tolerance = 1e-9;

class Khan6UPS : public ::testing::TestWithParam<Wrist> {
 protected:
  Khan6UPS() : plan(khan_6ups::mechanism(GetParam()), PlanOptions{Coordinates::joint, "platform", true}), work(plan) {
    state.q = khan_6ups::posture(plan);
    state.v = VectorX::Zero(plan.nv());
    a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(select_independent(plan, work, state.q));
  }

  void move(const Vec6& rates, const Vec6& accelerations) {
    for (int k = 0; k < 6; ++k) {
      state.v[stroke(k)] = rates[k];
      a[stroke(k)] = accelerations[k];
    }
    ASSERT_TRUE(complete_speeds(plan, work, state.q, state.v));
    ASSERT_TRUE(complete_accelerations(plan, work, state, a));
  }
  int stroke(int k) const { return speed_of(plan, khan_6ups::name("stroke", k)); }

  Vec6 forces() {
    InverseResult result;
    inverse_dynamics(plan, work, state, a, Actions(plan), plan.actuated_speeds(), result);
    EXPECT_TRUE(result.status);
    Vec6 out;
    for (int k = 0; k < 6; ++k) out[k] = result.tau[stroke(k)];
    return out;
  }

  static Vec6 reference_rates() { return Vec6(Eigen::Map<const Vec6>(rates_)); }
  static Vec6 reference_accelerations() { return Vec6(Eigen::Map<const Vec6>(accelerations_)); }

  Plan plan;
  Workspace work;
  State state;
  VectorX a;

 private:
  static constexpr double rates_[6] = {0.1, -0.2, 0.15, 0.05, -0.1, 0.2};
  static constexpr double accelerations_[6] = {0.5, -0.4, 0.3, 0.2, -0.6, 0.1};
};

TEST_P(Khan6UPS, PostureCloses) {
  EXPECT_LT(closure_error(plan, work, state.q), 1e-13);
  const Mobility mobility = analyse_mobility(plan, work, state.q);
  EXPECT_EQ(mobility.mobility, 6);
  EXPECT_TRUE(mobility.redundant.empty());
  const double lengths[] = {0.851408075017, 0.853819103925, 0.905790978107,
                            1.00969775419,  1.00048386796,  1.01342225468};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(khan_6ups::leg_values(k)[2], lengths[k], 1e-11);
  const double leg[] = {0.107030422759,  -0.373789334647, 0.851408075017,
                        -0.229681111025, 0.506024874508,  0.196807630676};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(khan_6ups::leg_values(0)[i], leg[i], 1e-11);
}

TEST_P(Khan6UPS, PlatformMotion) {
  move(reference_rates(), reference_accelerations());
  const FrameRef platform{plan.mechanism().find_link("platform"), 0};
  const Twist v = frame_velocity(plan, work, state, platform);
  const Twist rate = frame_acceleration(plan, work, state, a, platform);
  EXPECT_LT((v.angular - Vec3(-0.456523794453, -0.474086438948, -0.0333587301179)).norm(), table_tolerance);
  EXPECT_LT((v.linear - Vec3(0.356390834902, -0.33515136843, 0.0135552185503)).norm(), table_tolerance);
  EXPECT_LT((rate.angular - Vec3(-1.32125481412, -0.92911976326, 0.0861251779302)).norm(), table_tolerance);
  EXPECT_LT((rate.linear - Vec3(0.412489047759, -1.2592283769, -0.284132430681)).norm(), table_tolerance);
}

TEST_P(Khan6UPS, ActuatorForces) {
  Vec6 expected;
  move(reference_rates(), reference_accelerations());
  expected << 49.1379649512, 22.6631218902, 42.067682119, 40.0853726287, 20.631922546, 27.4597729069;
  EXPECT_LT((forces() - expected).cwiseAbs().maxCoeff(), table_tolerance);
  move(Vec6::Zero(), Vec6::Zero());
  expected << 39.3802997012, 42.4594428011, 34.2818363332, 20.5582601098, 43.4586911738, 26.5041281529;
  EXPECT_LT((forces() - expected).cwiseAbs().maxCoeff(), table_tolerance);
}

// Item 13: at rest the forces are the gradient of the potential energy, by central differences through the closures.
TEST_P(Khan6UPS, StaticsIsTheGradientOfPotentialEnergy) {
  move(Vec6::Zero(), Vec6::Zero());
  const Vec6 tau = forces();
  constexpr double h = 1e-5;
  for (int k = 0; k < 6; ++k) {
    const auto potential = [&](double step) {
      State moved = state;
      moved.q[place_of(plan, khan_6ups::name("stroke", k)).q] += step;
      EXPECT_TRUE(project_positions(plan, work, moved.q, 1e-14));
      return energy(plan, work, moved).potential;
    };
    EXPECT_NEAR((potential(h) - potential(-h)) / (2 * h), tau[k], 1e-7);
  }
}

TEST_P(Khan6UPS, GeneralisedInertia) {
  MatrixX G;
  ASSERT_TRUE(generalised_inertia(plan, work, state.q, G));
  const auto& independent = work.independent();
  const auto place = [&](int k) {
    return std::find(independent.begin(), independent.end(), stroke(k)) - independent.begin();
  };
  const double diagonal[] = {20.6994779154, 18.2084959829, 16.988722011, 24.4735567516, 21.4227006691, 17.1254238687};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(G(place(k), place(k)), diagonal[k], table_tolerance);
  EXPECT_NEAR(G(place(1), place(0)), -3.2834537998, table_tolerance);
  EXPECT_NEAR(G(place(5), place(4)), -1.6511062573, table_tolerance);
}

TEST_P(Khan6UPS, EveryFormulationReturnsTheAccelerations) {
  move(reference_rates(), reference_accelerations());
  const Vec6 tau = forces();
  Actions actions(plan);
  for (int k = 0; k < 6; ++k) actions.tau[stroke(k)] = tau[k];
  for (const Formulation formulation : testing::exact_formulations(plan)) {
    VectorX ours = VectorX::Zero(plan.nv());
    ASSERT_TRUE(forward_dynamics(plan, work, state, actions, ours, {formulation})) << name_of(formulation);
    EXPECT_LT((ours - a).cwiseAbs().maxCoeff(), table_tolerance) << name_of(formulation);
  }
}

// Cartesian coordinates: the platform hangs on a free joint, the same forces give the same platform acceleration.
TEST_P(Khan6UPS, CartesianCoordinatesAgree) {
  move(reference_rates(), reference_accelerations());
  const Vec6 tau = forces();
  Plan hung(khan_6ups::mechanism(GetParam()), PlanOptions{Coordinates::cartesian, "platform", true});
  Workspace hung_work(hung);
  State hung_state;
  hung_state.q = khan_6ups::posture(hung);
  hung_state.v = VectorX::Zero(hung.nv());
  ASSERT_TRUE(select_independent(hung, hung_work, hung_state.q));
  const FrameRef platform{plan.mechanism().find_link("platform"), 0};
  const Twist v = frame_velocity(plan, work, state, platform);
  const Pose pose = frame_pose(plan, work, state.q, platform);
  VectorX speeds(6);
  speeds << v.linear, pose.rotation.transpose() * v.angular;
  set_speeds(hung, "platform.free", speeds, hung_state.v);
  ASSERT_TRUE(complete_speeds(hung, hung_work, hung_state.q, hung_state.v));
  Actions actions(hung);
  for (int k = 0; k < 6; ++k) actions.tau[speed_of(hung, khan_6ups::name("stroke", k))] = tau[k];
  const Twist expected = frame_acceleration(plan, work, state, a, platform);
  for (const Formulation formulation : testing::exact_formulations(hung)) {
    VectorX ours = VectorX::Zero(hung.nv());
    ASSERT_TRUE(forward_dynamics(hung, hung_work, hung_state, actions, ours, {formulation})) << name_of(formulation);
    const Twist rate = frame_acceleration(hung, hung_work, hung_state, ours, platform);
    EXPECT_LT((rate.linear - expected.linear).norm(), table_tolerance) << name_of(formulation);
    EXPECT_LT((rate.angular - expected.angular).norm(), table_tolerance) << name_of(formulation);
  }
}

INSTANTIATE_TEST_SUITE_P(Wrists, Khan6UPS, ::testing::Values(Wrist::spherical, Wrist::three_revolutes),
                         [](const auto& info) {
                           return info.param == Wrist::spherical ? "spherical" : "three_revolutes";
                         });

}  // namespace
}  // namespace lithe
