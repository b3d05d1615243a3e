// Mechanisms with nothing to move: one fixed link, links welded together with a weld too many, a triangle of bars, a
// bar with all its joints held. Every function answers (empty, or zero) and none reads what is not there.

#include <gtest/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/step.hpp"
#include "support/still_models.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

class NoFreedom : public ::testing::TestWithParam<const char*> {
 protected:
  Model model_ = load_model_text(GetParam(), "still.yaml");
};

TEST_P(NoFreedom, AcceleratesNothingInEveryFormulation) {
  Prepared prepared = prepare(model_);
  const Plan& plan = prepared.plan;
  EXPECT_TRUE(prepared.work.independent().empty());
  for (const Formulation formulation : testing::exact_formulations(plan)) {
    VectorX a;
    const Status status = forward_dynamics(plan, prepared.work, prepared.state, Actions(plan), a, {formulation});
    ASSERT_TRUE(status) << name_of(formulation) << ": " << describe(plan, status, 0.0);
    ASSERT_EQ(a.size(), plan.nv()) << name_of(formulation);
    // Rounding of a closure bias that is zero, against a gravity of ten.
    EXPECT_LE(a.lpNorm<Eigen::Infinity>(), 1e-13) << name_of(formulation);
  }
}

TEST_P(NoFreedom, RunsWithEveryIntegrator) {
  for (const Integrator integrator : all_integrators) {
    Model model = model_;
    model.run.integrator = integrator;
    if (integrator == Integrator::ida) model.run.formulation = Formulation::multipliers;
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << name_of(integrator) << ": " << outcome.message;
    EXPECT_EQ(record.rows(), 3U) << name_of(integrator);
    EXPECT_LE(outcome.audit.energy_error, 1e-13) << name_of(integrator);  // rounding of some 10 J
  }
}

TEST_P(NoFreedom, HasMotionForcesAndRest) {
  MemoryRecord kinematics, inverse;
  EXPECT_EQ(run_kinematics(model_, kinematics).ending, RunOutcome::Ending::complete);
  EXPECT_EQ(run_inverse(model_, inverse).ending, RunOutcome::Ending::complete);
  ModelAtRest still(model_);
  EXPECT_TRUE(still.rest().linear.speeds.empty());
  EXPECT_EQ(still.rest().linear.K.size(), 0);
  EXPECT_EQ(still.rest().residual, 0.0);
  EXPECT_EQ(still.modes().frequencies.size(), 0);
  EXPECT_TRUE(poles(still.rest().linear).empty());
  EXPECT_EQ(still.rest().linear.state_matrix().size(), 0);
  const MatrixX compliance = frame_compliance(still.plan(), still.work(), still.rest(), {1, 0});
  EXPECT_EQ(compliance, MatrixX::Zero(6, 6));
}

std::string still_name(const ::testing::TestParamInfo<const char*>& info) {
  const char* const names[] = {"single_link", "welded", "triangle"};
  return names[info.index];
}

INSTANTIATE_TEST_SUITE_P(All, NoFreedom,
                         ::testing::Values(testing::single_fixed_link, testing::welded_links, testing::rigid_triangle),
                         still_name);

// The ground holds the weight: 2 kg at 0.15 m above the weld.
TEST(StillMechanism, TheWeldOfASingleLinkCarriesItsWeight) {
  const Model model = load_model_text(testing::single_fixed_link, "still.yaml");
  MemoryRecord record;
  run_simulation(model, record);
  EXPECT_NEAR(record.column("force.base.z").back(), 2 * 9.81, 1e-12);
  EXPECT_EQ(record.column("pos.block.origin.x").back(), 0.0);
}

}  // namespace
}  // namespace lithe
