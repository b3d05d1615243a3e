#include "lithe/simulation/step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "models.hpp"
#include "support/allocation_counter.hpp"

namespace lithe {
namespace {

using namespace lithe::testing;

/// Coordinates after `until` seconds under a constant force at the first motor.
VectorX stepped(const Model& model, double force, double until, int steps) {
  Prepared p = prepare(model);
  Stepper stepper(p.plan);
  Actions actions(p.plan);
  actions.tau[p.plan.actuated_speeds().at(0)] = force;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(stepper.advance(p.work, p.state, actions, until / steps));
  }
  EXPECT_NEAR(p.state.t, until, 1e-12);
  EXPECT_LT(closure_error(p.plan, p.work, p.state.q), 1e-11);
  return p.state.q;
}

TEST(Stepper, FourthOrderInALoop) {
  // Against the adaptive integrator at its tightest; halving the step divides the error by 2^4.
  Model model = four_bar();
  model.run.until = 0.5;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-13;
  model.run.atol = 1e-13;
  const std::string motor = prepare(model).plan.speed_name(prepare(model).plan.actuated_speeds().at(0));
  Model driven = model;
  Drive push;
  push.joint = motor;
  push.torque = ConstantLaw{3.0};
  driven.drives = {push};
  MemoryRecord record;
  ASSERT_EQ(run_simulation(driven, record).ending, RunOutcome::Ending::complete);
  const Prepared p = prepare(model);
  const int place = position_of_speed(p.plan, speed_named(p.plan, motor));
  const double exact = record.at(record.rows() - 1, "q." + motor);
  const double coarse = std::abs(stepped(model, 3.0, 0.5, 20)[place] - exact);
  const double fine = std::abs(stepped(model, 3.0, 0.5, 40)[place] - exact);
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse / fine, 10.0);
  EXPECT_LT(coarse / fine, 24.0);
}

TEST(Stepper, SubstepsAreSteps) {
  const Model model = double_pendulum();
  Prepared one = prepare(model), other = prepare(model);
  Stepper stepper(one.plan), same(other.plan);
  const Actions actions(one.plan);
  ASSERT_TRUE(stepper.advance(one.work, one.state, actions, 0.02, 2));
  ASSERT_TRUE(same.advance(other.work, other.state, actions, 0.01));
  ASSERT_TRUE(same.advance(other.work, other.state, actions, 0.01));
  EXPECT_EQ(one.state.q, other.state.q);
  EXPECT_EQ(one.state.v, other.state.v);
}

TEST(Stepper, DoesNotAllocate) {
  Prepared p = prepare(four_bar());
  Stepper stepper(p.plan);
  const Actions actions(p.plan);
  ASSERT_TRUE(stepper.advance(p.work, p.state, actions, 1e-3));
  const long before = allocation_count();
  ASSERT_TRUE(stepper.advance(p.work, p.state, actions, 1e-3, 10));
  EXPECT_EQ(allocation_count(), before);
}

TEST(Stepper, FailureLeavesTheState) {
  Prepared p = prepare(double_pendulum());
  Stepper stepper(p.plan);
  Actions actions(p.plan);
  actions.tau[0] = std::nan("");
  const VectorX before = p.state.q;
  const Status status = stepper.advance(p.work, p.state, actions, 1e-3);
  EXPECT_EQ(status.code, Status::Code::not_finite);
  EXPECT_EQ(p.state.q, before);
  EXPECT_EQ(p.state.t, 0.0);
}

}  // namespace
}  // namespace lithe
