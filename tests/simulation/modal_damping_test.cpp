// Damping of the whole mechanism by ratios of its assembled modes.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/allocation_counter.hpp"
#include "support/exact_formulations.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

/// Without damping of links and joints.
Model undamped(const std::string& file) {
  Model model = load_model(source_folder() + "/" + file);
  model.damping = {};
  for (LinkData& link : model.mechanism.links)
    if (link.elastic.damping.size() > 0) link.elastic.damping.setZero();
  for (Joint& joint : model.mechanism.joints) joint.damping.clear();
  return model;
}

VectorX ratios_of(const Model& model) {
  OperatingPoint point(model, {.motors = Motors::locked});
  return damping_ratios(point.linear(), point.modes());
}

// By construction: Phi^T D Phi = diag(2 ratio omega).
TEST(ModalDamping, EveryAssembledModeHasTheRatio) {
  for (const char* file : {"examples/flexible-3rrr.yaml", "tests/data/robots/elastic-five-bar.yaml",
                           "tests/data/robots/elastic-arm.yaml", "examples/flexible-four-bar.yaml"}) {
    SCOPED_TRACE(file);
    Model model = undamped(file);
    model.damping.ratio = 0.01;
    const VectorX ratios = ratios_of(model);
    ASSERT_GT(ratios.size(), 1);
    for (const double ratio : ratios) EXPECT_NEAR(ratio, 0.01, 1e-8);
    model.damping = {0.0, {0.02, 0.005}};
    const VectorX first = ratios_of(model);
    EXPECT_NEAR(first[0], 0.02, 1e-8);
    EXPECT_NEAR(first[1], 0.005, 1e-8);
    for (Eigen::Index j = 2; j < first.size(); ++j) EXPECT_NEAR(first[j], 0.0, 1e-8);
  }
}

// The ratio of a link is that of its own modes on its own supports; in the mechanism it is another one.
TEST(ModalDamping, RatiosOfLinksAreNotThoseOfTheMechanism) {
  Model model = load_model(source_folder() + "/tests/data/robots/elastic-arm.yaml");
  const double first = ratios_of(model)[0];
  EXPECT_LT(first, 0.009);
  EXPECT_GT(first, 0.0);
  model.damping.ratio = 0.01;  // on top
  EXPECT_NEAR(ratios_of(model)[0], first + 0.01, 1e-4);
}

// x'' + 2 z w x' + w^2 x = 0 from rest at 1: exp(-z w t) (cos w_d t + z/sqrt(1 - z^2) sin w_d t).
TEST(ModalDamping, FreeDecayFollowsTheClosedForm) {
  Model model = undamped("tests/data/robots/elastic-five-bar.yaml");
  model.mechanism.gravity.setZero();
  model.loads.clear();
  model.loads.resize(model.mechanism.loads.size());
  model.drives.clear();
  for (const char* motor : {"motor-1", "motor-2"}) {
    Drive drive;
    drive.joint = motor;
    drive.follow = ConstantLaw{motor == std::string("motor-1") ? 2.0 : 1.1};
    drive.prescribed = true;
    model.drives.push_back(drive);
  }
  const double z = 0.01, amplitude = 1e-5;
  model.damping.ratio = z;
  OperatingPoint point(model, {.motors = Motors::locked});
  const NaturalModes modes = point.modes();
  const double w = 2 * std::numbers::pi * modes.frequencies[0], wd = w * std::sqrt(1 - z * z);
  for (Eigen::Index i = 0; i < modes.shapes.rows(); ++i) {
    const std::string& name = point.linear().names[i];
    const auto dot = name.rfind(".e");
    ASSERT_NE(dot, std::string::npos);
    model.initial_elastic.push_back(
        {name.substr(0, dot), std::stoi(name.substr(dot + 2)) - 1, amplitude * modes.shapes(i, 0)});
  }
  model.record.energy = true;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-16;
  model.run.until = 12 * 2 * std::numbers::pi / w;
  model.run.every = model.run.until / 200;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  Eigen::Index largest = 0;
  modes.shapes.col(0).cwiseAbs().maxCoeff(&largest);
  const std::vector<double> t = record.column("t"),
                            x = record.column("q." + point.linear().names[largest]);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double exact =
        std::exp(-z * w * t[k]) * (std::cos(wd * t[k]) + z / std::sqrt(1 - z * z) * std::sin(wd * t[k]));
    // Second-order terms are of the size of the amplitude.
    EXPECT_NEAR(x[k] / (amplitude * modes.shapes(largest, 0)), exact, 2e-3) << t[k];
  }
  // What is lost is counted: potential energy at the start = energy left + dissipated.
  EXPECT_LT(outcome.audit.energy_error, 1e-7 * outcome.audit.energy_scale);
  const double start = record.at(0, "energy.potential");
  const std::size_t last = record.rows() - 1;
  EXPECT_NEAR(record.at(last, "energy.dissipated") / start, 1 - std::exp(-2 * z * w * t[last]), 2e-2);
}

// A rigid arm on a spring: J = 0.5 kg m^2, k = 200 N m/rad, so c = 2 z sqrt(k J) and, moving with v, a = -c v / J.
TEST(ModalDamping, RigidMechanismsOnSpringsAreDampedInEveryFormulation) {
  const Model model = load_model_text(
      "lithe: 1\nlinks: {arm: {rigid: {mass: 2, centre: [0.5, 0, 0]}}}\n"
      "joints: {hinge: {revolute: z, from: ground/origin, to: arm/origin, spring: {stiffness: 200}}}\n"
      "damping: {ratio: 0.05}\n",
      "model.yaml");
  Prepared prepared = prepare(model);
  prepared.state.v[0] = 3.0;
  const double expected = -2 * 0.05 * std::sqrt(200 * 0.5) * 3.0 / 0.5;
  for (const Formulation formulation : all_formulations) {
    if (!why_not_applicable(prepared.plan, formulation).empty()) continue;
    VectorX a = VectorX::Zero(1);
    ASSERT_TRUE(
        forward_dynamics(prepared.plan, prepared.work, prepared.state, Actions(prepared.plan), a, {formulation}));
    EXPECT_NEAR(a[0], expected, 1e-7) << name_of(formulation);
  }
  EXPECT_NEAR(dissipated_power(prepared.plan, prepared.work, prepared.state), 2 * 0.05 * std::sqrt(200 * 0.5) * 9.0,
              1e-6);
}

TEST(ModalDamping, FormulationsAgreeAndNothingIsAllocated) {
  Model model = undamped("examples/flexible-3rrr.yaml");
  model.damping.ratio = 0.02;
  Prepared prepared = prepare(model);
  const std::vector<int> independent = prepared.work.independent();
  for (std::size_t i = 0; i < independent.size(); ++i)
    prepared.state.v[independent[i]] = 0.1 * prepared.plan.speed_scale(independent[i]) * std::sin(3.0 * i + 1.0);
  ASSERT_TRUE(complete_speeds(prepared.plan, prepared.work, prepared.state.q, prepared.state.v));
  const Actions actions(prepared.plan);
  VectorX reference = VectorX::Zero(prepared.plan.nv()), a = reference;
  ASSERT_TRUE(forward_dynamics(prepared.plan, prepared.work, prepared.state, actions, reference));
  for (const Formulation formulation : testing::exact_formulations(prepared.plan)) {
    ASSERT_TRUE(forward_dynamics(prepared.plan, prepared.work, prepared.state, actions, a, {formulation}));
    EXPECT_LT((a - reference).norm(), 1e-9 * reference.norm()) << name_of(formulation);
  }
  // The damping is felt: without it the same state accelerates otherwise.
  model.damping = {};
  Prepared plain = prepare(model);
  ASSERT_TRUE(select_independent(plain.plan, plain.work, plain.state.q, independent));
  plain.state.v = prepared.state.v;
  ASSERT_TRUE(forward_dynamics(plain.plan, plain.work, plain.state, actions, a));
  EXPECT_GT((a - reference).norm(), 1e-3 * reference.norm());
  if (!allocations_are_counted()) return;
  const long before = allocation_count();
  ASSERT_TRUE(forward_dynamics(prepared.plan, prepared.work, prepared.state, actions, reference));
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace lithe::testing
