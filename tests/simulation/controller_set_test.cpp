// Laws written in code: Drive::law and Model::controllers.

#include "lithe/simulation/controller_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "lithe/simulation/simulate.hpp"
#include "models.hpp"
#include "support/allocation_counter.hpp"

namespace lithe {
namespace {

using namespace lithe::testing;

/// A disc of 2 kg m^2 on a hinge without gravity, turned by 0.5 rad: 2 q'' = tau.
Model torsion_pendulum() {
  Model model;
  LinkData disc;
  disc.name = "disc";
  disc.mass = 1.0;
  disc.inertia = Vec3(1, 1, 2).asDiagonal();
  const int link = model.mechanism.add_link(disc);
  add_revolute(model.mechanism, "hinge", {0, 0}, {link, 0}, true);
  model.initial = {{"hinge", 0, 0.5}};
  model.run.until = 2.0;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  return model;
}

Drive driven_by(ForceLaw law, const std::string& joint = "hinge") {
  Drive drive;
  drive.joint = joint;
  drive.law = std::move(law);
  return drive;
}

TEST(Controllers, LawIsASpring) {
  Model model = torsion_pendulum();
  model.drives = {driven_by([](double, double q, double) { return -8.0 * q; })};
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  // 2 q'' = -8 q from rest.
  for (std::size_t i = 0; i < record.rows(); ++i) {
    EXPECT_NEAR(record.at(i, "q.hinge"), 0.5 * std::cos(2.0 * record.at(i, "t")), 1e-8);
  }
}

TEST(Controllers, ControllerAndLawsAddUp) {
  // Two halves of the spring, one as a law of the joint and one as a controller of all motors.
  Model whole = torsion_pendulum(), halves = torsion_pendulum();
  whole.drives = {driven_by([](double, double q, double v) { return -8.0 * q - 0.5 * v; })};
  halves.drives = {driven_by([](double, double q, double v) { return -4.0 * q - 0.25 * v; })};
  halves.controllers.push_back(
      {{}, {}, [](double, std::span<const double> q, std::span<const double> v, std::span<double> force) {
         force[0] = -4.0 * q[0] - 0.25 * v[0];
       }});
  MemoryRecord one, two;
  run_simulation(whole, one);
  run_simulation(halves, two);
  ASSERT_EQ(one.rows(), two.rows());
  for (std::size_t i = 0; i < one.rows(); ++i) EXPECT_EQ(one.at(i, "q.hinge"), two.at(i, "q.hinge"));
}

TEST(Controllers, CutJointsCanBeObservedAndDriven) {
  // A spring at the joint where the four-bar is cut, as a controller and as part of the joint.
  Model sprung = four_bar(), controlled = four_bar();
  const Prepared prepared = prepare(controlled);
  const Plan& plan = prepared.plan;
  ASSERT_EQ(plan.cut_joints().size(), 1u);
  const auto cut = static_cast<std::size_t>(plan.cut_joints()[0]);
  const std::string name = plan.mechanism().joints[cut].name;
  sprung.mechanism.joints[cut].stiffness = {3.0};
  controlled.controllers.push_back(
      {{name}, {}, [](double, std::span<const double> q, std::span<const double>, std::span<double> force) {
         force[0] = -3.0 * q[0];
       }});
  controlled.mechanism.joints[cut].cut = sprung.mechanism.joints[cut].cut = true;
  for (Model* model : {&sprung, &controlled}) {
    model->run.until = 0.3;
    model->run.rtol = 1e-9;
  }
  MemoryRecord one, two;
  ASSERT_EQ(run_simulation(sprung, one).ending, RunOutcome::Ending::complete);
  ASSERT_EQ(run_simulation(controlled, two).ending, RunOutcome::Ending::complete);
  // Both runs are good to about the tolerance times the number of steps.
  for (std::size_t i = 0; i < one.rows(); ++i) {
    EXPECT_NEAR(one.at(i, "q." + name), two.at(i, "q." + name), 1e-6);
  }
}

TEST(Controllers, ExceptionEndsTheRunAfterTheSinkIsFinished) {
  for (const Integrator integrator : all_integrators) {
    Model model = torsion_pendulum();
    model.run.integrator = integrator;
    model.run.max_step = 0.05;
    int calls_after = 0;
    bool thrown = false;
    model.drives = {driven_by([&](double t, double, double) -> double {
      calls_after += thrown;
      if (t <= 1.0) return 0.0;
      thrown = true;
      throw std::domain_error("sensor lost");
    })};
    struct Sink : MemoryRecord {
      void finish(const Audit& audit, const std::string& text) override {
        outcome = text;
        MemoryRecord::finish(audit, text);
      }
      std::string outcome;
    } sink;
    EXPECT_THROW(run_simulation(model, sink), std::domain_error) << name_of(integrator);
    EXPECT_TRUE(sink.outcome.starts_with("the law of joint 'hinge' failed at t = 1")) << sink.outcome;
    EXPECT_TRUE(sink.outcome.ends_with(" s: sensor lost")) << sink.outcome;
    EXPECT_GT(sink.rows(), 90u) << name_of(integrator);
    EXPECT_EQ(calls_after, 0) << name_of(integrator);
  }
}

TEST(Controllers, ForceThatIsNotANumberIsNamed) {
  Model model = torsion_pendulum();
  model.drives = {driven_by([](double, double, double) { return std::nan(""); })};
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_EQ(outcome.message, "the law of joint 'hinge' failed at t = 0 s: its force is nan");
}

std::string complaint(const Model& model) {
  MemoryRecord record;
  try {
    run_simulation(model, record);
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "";
}

TEST(Controllers, BadNamesAreRefused) {
  const auto nothing = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};
  Model model = torsion_pendulum();
  model.controllers = {{{"hing"}, {}, nothing}};
  EXPECT_EQ(complaint(model), "there is no coordinate 'hing'; did you mean 'hinge'?");
  model.controllers = {{{"hinge"}, {"elbow"}, nothing}};
  EXPECT_EQ(complaint(model), "there is no coordinate 'elbow'");
  model.controllers = {{{"hinge"}, {}, {}}};
  EXPECT_EQ(complaint(model), "the controller of 'hinge' has no law");
  model.controllers = {{{"hinge"}, {}, nothing}};
  Drive prescribed;
  prescribed.joint = "hinge";
  prescribed.follow = ConstantLaw{0.5};
  prescribed.prescribed = true;
  model.drives = {prescribed};
  EXPECT_EQ(complaint(model),
            "the controller of 'hinge': the motion of 'hinge' is prescribed ('by: motion'), so no force law can act "
            "there; drive it by pd or inverse-dynamics instead");
  model.drives.clear();
  model.controllers = {{{}, {}, nothing}};
  model.mechanism.joints[0].actuated.clear();
  EXPECT_EQ(complaint(model), "a controller has nothing to drive: no joint is actuated");
}

TEST(Controllers, EvaluationDoesNotAllocate) {
  Model model = torsion_pendulum();
  model.drives = {driven_by([](double t, double q, double v) { return t - q - v; })};
  const Prepared prepared = prepare(model);
  detail::ControllerSet set(model, prepared.plan);
  VectorX tau = VectorX::Zero(1), none;
  const long before = allocation_count();
  ASSERT_TRUE(set.add_forces(1.0, prepared.state, none, none, tau));
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(tau[0], 0.5);
}

TEST(Bdf, StartsAtRestInEquilibrium) {
  // A force law whose rounding differs from call to call: q'' = t exactly, plus noise of the size of rounding. From
  // rest q = 0.5 + t^3 / 6. Difference quotients over increments below the noise would let Newton's method accept
  // anything.
  Model model = torsion_pendulum();
  long calls = 0;
  model.drives = {
      driven_by([&](double t, double, double) { return 2.0 * t + 1e-14 * std::sin(static_cast<double>(++calls)); })};
  model.run.until = 0.5;
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  for (std::size_t i = 0; i < record.rows(); ++i) {
    EXPECT_NEAR(record.at(i, "q.hinge"), 0.5 + std::pow(record.at(i, "t"), 3) / 6.0, 1e-8);
  }
}

}  // namespace
}  // namespace lithe
