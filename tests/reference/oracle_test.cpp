// Every exact formulation, inverse dynamics, reactions and energies against the maximal-coordinate model of
// tests/oracles.

#include "support/oracle.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <tuple>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

using namespace testing;

constexpr double oracle_tolerance = 1e-9;  // relative to the largest entry of the compared vector

void expect_close(const VectorX& ours, const VectorX& reference, const std::string& what) {
  ASSERT_EQ(ours.size(), reference.size()) << what;
  if (ours.size() == 0) return;
  const double scale = std::max(1.0, reference.cwiseAbs().maxCoeff());
  EXPECT_LT((ours - reference).cwiseAbs().maxCoeff() / scale, oracle_tolerance)
      << what << "\n ours      " << ours.transpose() << "\n reference " << reference.transpose();
}

class OracleTest : public ::testing::TestWithParam<std::tuple<std::string, Arithmetic>> {
 protected:
  OracleTest()
      : oracle(read_oracle(std::get<0>(GetParam()))), plan(mechanism_of(oracle)), work(plan, std::get<1>(GetParam())) {}

  State at(const Json& recorded) {
    const State state = state_of(plan, recorded);
    EXPECT_TRUE(select_independent(plan, work, state.q));
    return state;
  }

  Json oracle;
  Plan plan;
  Workspace work;
};

TEST_P(OracleTest, RecordedStatesSatisfyTheClosures) {
  for (const Json& recorded : oracle["states"]) {
    const State state = at(recorded);
    EXPECT_LT(closure_error(plan, work, state.q), 1e-12);
    EXPECT_EQ(work.independent().size(), oracle["driven"].size());
    VectorX completed = VectorX::Zero(plan.nv());
    for (const int speed : work.independent()) completed[speed] = state.v[speed];
    ASSERT_TRUE(complete_speeds(plan, work, state.q, completed));
    expect_close(completed, state.v, "speeds");
    VectorX cut(plan.cut_nv());
    cut_speeds(plan, work, state, cut);
    expect_close(cut, along_speeds(plan, recorded["v"]).tail(plan.cut_nv()), "cut speeds");
  }
}

TEST_P(OracleTest, EveryFormulationGivesTheAccelerations) {
  EXPECT_EQ(why_not_applicable(plan, Formulation::denoc), "");
  for (const Formulation formulation : exact_formulations(plan)) {
    for (const Json& recorded : oracle["states"]) {
      const State state = at(recorded);
      VectorX a = VectorX::Zero(plan.nv());
      const Status status = forward_dynamics(plan, work, state, actions_of(plan, recorded), a, {formulation});
      ASSERT_TRUE(status) << describe(plan, status, 0);
      const VectorX reference = along_speeds(plan, recorded["forward"]["a"]);
      expect_close(a, reference.head(plan.nv()), std::string(name_of(formulation)));
      VectorX cut(plan.cut_nv());
      cut_accelerations(plan, work, state, a, cut);
      expect_close(cut, reference.tail(plan.cut_nv()), std::string(name_of(formulation)) + ", cut joints");
    }
  }
}

TEST_P(OracleTest, PrescribedAccelerationsAreKept) {
  for (const Json& recorded : oracle["states"]) {
    const State state = state_of(plan, recorded);
    const std::vector<int> driven = driven_speeds(plan, oracle);
    const std::vector<int> first{driven.front()};
    if (first[0] >= plan.nv()) continue;
    ASSERT_TRUE(select_independent(plan, work, state.q, first, true));
    // Prescribe the acceleration that the forces give anyway: all others must stay as they are.
    const VectorX reference = along_speeds(plan, recorded["forward"]["a"]).head(plan.nv());
    for (const Formulation formulation : exact_formulations(plan)) {
      VectorX a = VectorX::Zero(plan.nv());
      a[first[0]] = reference[first[0]];
      Actions actions = actions_of(plan, recorded);
      actions.tau[first[0]] = 1e3;  // ignored
      ASSERT_TRUE(forward_dynamics(plan, work, state, actions, a, {formulation, first}));
      expect_close(a, reference, std::string(name_of(formulation)));
    }
  }
}

TEST_P(OracleTest, InverseDynamicsGivesTheDrivingForces) {
  for (const Json& recorded : oracle["states"]) {
    const State state = at(recorded);
    const VectorX a = along_speeds(plan, recorded["inverse"]["a"]).head(plan.nv());
    const std::vector<int> driven = driven_speeds(plan, oracle);
    InverseResult result;
    inverse_dynamics(plan, work, state, a, actions_of(plan, recorded), driven, result);
    ASSERT_TRUE(result.status) << describe(plan, result.status, 0);
    VectorX ours(driven.size());
    for (std::size_t i = 0; i < driven.size(); ++i) ours[i] = result.tau[driven[i]];
    expect_close(ours, to_vector(recorded["inverse"]["tau"]), "driving forces");
    EXPECT_LT(result.residual, 1e-8);
    EXPECT_EQ(result.redundancy, 0);
  }
}

TEST_P(OracleTest, JointReactions) {
  const std::string unique = oracle["unique_reactions"];
  if (unique == "no") GTEST_SKIP() << "over-constrained: the distribution is a choice";
  for (const Json& recorded : oracle["states"]) {
    const State state = at(recorded);
    const VectorX a = along_speeds(plan, recorded["forward"]["a"]).head(plan.nv());
    const std::vector<Wrench> ours = joint_reactions(plan, work, state, a, actions_of(plan, recorded));
    const Json& reference = recorded["forward"]["reactions"];
    double largest = 1.0;
    for (const auto& [joint, wrench] : reference.items())
      largest = std::max(largest, to_vector(wrench).cwiseAbs().maxCoeff());
    for (const auto& [joint, wrench] : reference.items()) {
      const Wrench& w = ours[plan.mechanism().find_joint(joint)];
      const Wrench r = to_wrench(wrench);
      if (unique == "in-plane") {
        EXPECT_NEAR(w.moment.z(), r.moment.z(), oracle_tolerance * largest) << joint;
        EXPECT_LT((w.force - r.force).head<2>().norm(), oracle_tolerance * largest) << joint;
      } else {
        EXPECT_LT((w.moment - r.moment).norm(), oracle_tolerance * largest) << joint;
        EXPECT_LT((w.force - r.force).norm(), oracle_tolerance * largest) << joint;
      }
    }
  }
}

/// Sum of all joint wrenches on each link about the link origin, ground axes: [moment; force] per link.
MatrixX joint_wrenches_on_links(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<Wrench>& w) {
  const Mechanism& m = plan.mechanism();
  MatrixX sum = MatrixX::Zero(6, m.links.size());
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Vec3 at = frame_pose(plan, work, q, m.joints[j].to).position;
    for (const auto& [link, sign] : {std::pair{m.joints[j].to.link, 1.0}, std::pair{m.joints[j].from.link, -1.0}}) {
      const Vec3 arm = at - frame_pose(plan, work, q, {link, 0}).position;
      sum.col(link).head<3>() += sign * (w[j].moment + arm.cross(w[j].force));
      sum.col(link).tail<3>() += sign * w[j].force;
    }
  }
  return sum.rightCols(sum.cols() - 1);  // the ground takes what is left
}

// Holds also where the distribution over the joints is a choice: the sum on each link is not.
TEST_P(OracleTest, ReactionsBalanceEveryLink) {
  for (const Json& recorded : oracle["states"]) {
    const State state = at(recorded);
    const VectorX a = along_speeds(plan, recorded["forward"]["a"]).head(plan.nv());
    const std::vector<Wrench> ours = joint_reactions(plan, work, state, a, actions_of(plan, recorded));
    std::vector<Wrench> reference(ours.size());
    for (const auto& [joint, wrench] : recorded["forward"]["reactions"].items())
      reference[plan.mechanism().find_joint(joint)] = to_wrench(wrench);
    const MatrixX expected = joint_wrenches_on_links(plan, work, state.q, reference);
    const MatrixX difference = joint_wrenches_on_links(plan, work, state.q, ours) - expected;
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), oracle_tolerance * std::max(1.0, expected.cwiseAbs().maxCoeff()));
  }
}

TEST_P(OracleTest, Energies) {
  for (const Json& recorded : oracle["states"]) {
    const Energy ours = energy(plan, work, at(recorded));
    EXPECT_NEAR(ours.kinetic, recorded["kinetic"].get<double>(), 1e-11 * std::max(1.0, ours.kinetic));
    EXPECT_NEAR(ours.potential, recorded["potential"].get<double>(), 1e-11 * std::max(1.0, std::abs(ours.potential)));
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, OracleTest,
                         ::testing::Combine(::testing::Values("khan_3rrr", "khan_6ups", "rssr", "rsur", "slider_crank",
                                                              "sarrus", "serial_arm", "floating_arm", "table_arm",
                                                              "spatial_3rrs", "two_arms"),
                                            ::testing::Values(Arithmetic::automatic, Arithmetic::spatial)),
                         [](const auto& info) {
                           return std::get<0>(info.param) +
                                  (std::get<1>(info.param) == Arithmetic::spatial ? "_spatial" : "_automatic");
                         });

}  // namespace
}  // namespace lithe
