// Fixed steps with bounded work: against closed forms of linear oscillators and against tight adaptive runs.

#include "lithe/simulation/real_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/analysis/linearize.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "models.hpp"
#include "support/allocation_counter.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using namespace lithe::testing;

constexpr double block_mass = 2.0, block_spring = 800.0, block_damper = 3.0;  // of the oscillator: kg, N/m, N s/m

Model mass_on_a_spring() {
  Model model;
  LinkData block;
  block.name = "block";
  block.mass = block_mass;
  block.inertia = Mat3::Identity();
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.to = {model.mechanism.add_link(block), 0};
  slide.stiffness = {block_spring};
  slide.damping = {block_damper};
  slide.actuated = {true};
  model.mechanism.add_joint(slide);
  model.initial = {{"slide", 0, 0.1}};
  return model;
}

/// R(hA) of y' = A y for the oscillator: (1 + (1 - 2g) Z + (g^2 - 2g + 1/2) Z^2)/(1 - g Z)^2; Euler 1/(1 - Z).
Eigen::Matrix2d stability_matrix(RealTimeMethod method, double h) {
  Eigen::Matrix2d Z;
  Z << 0, h, -h * block_spring / block_mass, -h * block_damper / block_mass;
  const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
  if (method == RealTimeMethod::euler) return (one - Z).inverse();
  const double g = method == RealTimeMethod::damped ? 1.0 - std::sqrt(0.5) : 0.5;
  const Eigen::Matrix2d inverse = (one - g * Z).inverse();
  return inverse * inverse * (one + (1 - 2 * g) * Z + (g * g - 2 * g + 0.5) * Z * Z);
}

TEST(RealTime, LinearOscillatorFollowsTheStabilityFunction) {
  for (const RealTimeMethod method : all_real_time_methods)
    for (const double h : {1e-3, 0.05, 3.0}) {
      Prepared p = prepare(mass_on_a_spring());
      RealTimeStepper stepper(p.plan, p.work, p.state, {h, method, 1});
      const Actions none(p.plan);
      Eigen::Vector2d expected(0.1, 0.0);
      for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(stepper.step(p.work, p.state, none));
        expected = stability_matrix(method, h) * expected;
      }
      EXPECT_NEAR(p.state.q[0], expected[0], 1e-12) << name_of(method) << h;
      EXPECT_NEAR(p.state.v[0], expected[1], 1e-11) << name_of(method) << h;
      EXPECT_NEAR(p.state.t, 5 * h, 1e-12);
    }
}

TEST(RealTime, ConstantForceEndsAtItsDeflection) {
  Prepared p = prepare(mass_on_a_spring());
  RealTimeStepper stepper(p.plan, p.work, p.state, {1.0, RealTimeMethod::damped, 1});
  Actions actions(p.plan);
  actions.tau[0] = 40.0;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(stepper.step(p.work, p.state, actions));
  EXPECT_NEAR(p.state.q[0], 40.0 / block_spring, 1e-9);
}

/// Coordinates of a loop after half a second under a constant torque.
VectorX turned_loop(const Model& model, RealTimeMethod method, int steps) {
  Prepared p = prepare(model);
  RealTimeStepper stepper(p.plan, p.work, p.state, {0.5 / steps, method, 1});
  Actions actions(p.plan);
  actions.tau[p.plan.actuated_speeds().at(0)] = 3.0;
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper.step(p.work, p.state, actions));
  // Each step leaves what one Newton step leaves, and the next one takes it away: nothing adds up.
  EXPECT_LT(closure_error(p.plan, p.work, p.state.q), 1e-6);
  EXPECT_EQ(stepper.evaluations(), steps * stepper.evaluations_per_step());
  return p.state.q;
}

TEST(RealTime, OrderInALoop) {
  // Against the fourth-order limit of the same problem: Dormand-Prince at its tightest.
  Model model = four_bar();
  model.run.until = 0.5;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = model.run.atol = 1e-13;
  Model driven = model;
  Drive push;
  push.joint = "motor";
  push.torque = ConstantLaw{3.0};
  driven.drives = {push};
  const MemoryRecord record = complete_run(driven);
  const double exact = record.at(record.rows() - 1, "q.motor");
  const Prepared p = prepare(model);
  const int place = position_of_speed(p.plan, speed_named(p.plan, "motor"));
  for (const RealTimeMethod method : all_real_time_methods) {
    const double coarse = std::abs(turned_loop(model, method, 200)[place] - exact);
    const double fine = std::abs(turned_loop(model, method, 400)[place] - exact);
    const double order = method == RealTimeMethod::euler ? 1.0 : 2.0;
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.15) << name_of(method) << ' ' << coarse << ' ' << fine;
  }
}

TEST(RealTime, FreeRotationIsOfSecondOrder) {
  // A body that tumbles without torque keeps its angular momentum; the deviation falls with the second order.
  const auto drift = [](int steps) {
    Model model;
    LinkData body;
    body.name = "body";
    body.mass = 1.0;
    body.inertia = Vec3(1.0, 2.0, 3.0).asDiagonal();
    Joint free;
    free.name = "free";
    free.type = JointType::free;
    free.to = {model.mechanism.add_link(body), 0};
    model.mechanism.add_joint(free);
    Prepared p = prepare(model);
    p.state.v.setLinSpaced(0.3, 1.1);
    const Vec3 before = momentum(p.plan, p.work, p.state).angular;
    RealTimeStepper stepper(p.plan, p.work, p.state, {1.0 / steps, RealTimeMethod::trapezoidal, 1});
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper.step(p.work, p.state, Actions(p.plan)));
    return (momentum(p.plan, p.work, p.state).angular - before).norm();
  };
  const double coarse = drift(50), fine = drift(100);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_GT(coarse / fine, 3.4);
  EXPECT_LT(fine, 1e-3);
}

/// Where an elastic four-bar stands after its first quarter of a second when its crank is let go.
struct ReleasedEnd {
  VectorX q;
  double fastest = 0.0;  ///< Hz
  double energy = 0.0;   ///< gain over the start, J
};

ReleasedEnd released_four_bar(const Model& model, RealTimeMethod method, double h) {
  Prepared p = prepare(model);
  const Actions none(p.plan);
  const Linearization linear = linearize(p.plan, p.work, p.state, VectorX::Zero(p.plan.nv()), none);
  ReleasedEnd result;
  result.fastest = natural_modes(p.plan, p.work, p.state.q, linear).frequencies.maxCoeff();
  const auto total = [&] {
    const Energy now = energy(p.plan, p.work, p.state);
    return now.kinetic + now.potential;
  };
  const double before = total();
  RealTimeStepper stepper(p.plan, p.work, p.state, {h, method, 1});
  const int steps = static_cast<int>(std::lround(0.25 / h));
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(stepper.step(p.work, p.state, none)) << i;
  result.energy = total() - before;
  result.q = p.state.q;
  return result;
}

TEST(RealTime, StepsMayBeMuchLongerThanElasticPeriods) {
  // Six modes a link: the fastest swings several times in a step. What the crank does follows from the slow ones.
  Model model = load_model(source_folder() + "/examples/flexible-four-bar.yaml", {{"modes", "6"}, {"elements", "12"}});
  model.drives.clear();
  model.run.until = 0.25;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  const MemoryRecord exact = complete_run(model);
  const double before = exact.at(0, "q.motor"), after = exact.at(exact.rows() - 1, "q.motor");
  const Prepared p = prepare(model);
  const int crank = position_of_speed(p.plan, speed_named(p.plan, "motor"));
  for (const RealTimeMethod method : {RealTimeMethod::damped, RealTimeMethod::trapezoidal})
    for (const double h : {2.5e-3, 6.25e-4}) {
      const ReleasedEnd end = released_four_bar(model, method, h);
      EXPECT_GT(end.fastest * 2.5e-3, 3.0) << "the test needs a faster mode";
      // Second order in steps that are a part h/T of the motion.
      EXPECT_LT(std::abs(end.q[crank] - after), std::pow(h / 0.25, 2) * std::abs(after - before)) << name_of(method);
      EXPECT_LT(end.energy, 1e-3) << name_of(method);  // of about half a joule that is in motion
    }
}

TEST(RealTime, DoesNotAllocateAndWorksAlikeInEveryStep) {
  if (!allocations_are_counted()) GTEST_SKIP();
  for (const char* example : {"flexible-four-bar", "flexible-3rrr", "fattah-3rrs"}) {
    Model model = load_model(source_folder() + "/examples/" + example + ".yaml");
    Prepared p = prepare(model);
    RealTimeStepper stepper(p.plan, p.work, p.state, {1e-3, RealTimeMethod::damped, 2});
    const Actions actions(p.plan);
    ASSERT_TRUE(stepper.step(p.work, p.state, actions));
    const long before = allocation_count();
    for (int i = 1; i <= 20; ++i) {
      ASSERT_TRUE(stepper.step(p.work, p.state, actions));
      EXPECT_EQ(stepper.evaluations(), 2 * (i + 1));
    }
    EXPECT_EQ(allocation_count(), before) << example;
  }
}

TEST(RealTime, FailureLeavesTheState) {
  Prepared p = prepare(double_pendulum());
  RealTimeStepper stepper(p.plan, p.work, p.state);
  Actions actions(p.plan);
  actions.tau[0] = std::nan("");
  const State before = p.state;
  EXPECT_EQ(stepper.step(p.work, p.state, actions).code, Status::Code::not_finite);
  EXPECT_EQ(p.state.q, before.q);
  EXPECT_EQ(p.state.v, before.v);
  EXPECT_EQ(p.state.t, before.t);
}

TEST(RealTime, RefusesWhatItCannotDo) {
  Prepared p = prepare(double_pendulum());
  const auto message = [&](const RealTimeOptions& options) -> std::string {
    try {
      RealTimeStepper stepper(p.plan, p.work, p.state, options);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({0.0}), "a fixed step must be a positive number of seconds");
  EXPECT_EQ(message({1e-3, RealTimeMethod::euler, 0}), "the loops need at least one correction in each step");
}

}  // namespace
}  // namespace lithe
