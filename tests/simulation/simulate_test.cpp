// Simulations against closed forms and conservation laws, by every integrator and formulation.
#include "lithe/simulation/simulate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "simulation/models.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using testing::complete_run;
using testing::double_pendulum;
using testing::four_bar;
using testing::simple_pendulum;

RunOptions tight(Integrator integrator) {
  RunOptions options;
  options.integrator = integrator;
  options.tolerance = 1e-9;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  options.step = integrator == Integrator::generalized_alpha ? 2e-4 : 1e-3;
  return options;
}

class EveryIntegrator : public ::testing::TestWithParam<Integrator> {};

// Released horizontally; expected: the reduced equation by elliptic functions and by SciPy Radau at 1e-11 (dependency
// survey): at t = 10 s the bob is at (0.2750874626, -0.9614192051) in (horizontal, up).
TEST_P(EveryIntegrator, PendulumAfterTenSeconds) {
  Model model = simple_pendulum();
  model.initial = {{"hinge", 0, std::numbers::pi / 2}};
  model.run = tight(GetParam());
  model.run.until = 10.0;
  model.run.every = 0.5;
  const MemoryRecord record = complete_run(model);
  const double q = record.at(record.rows() - 1, "q.hinge");
  const double tolerance = GetParam() == Integrator::generalized_alpha ? 2e-4 : 2e-7;
  EXPECT_NEAR(std::sin(q), 0.2750874626, tolerance);
  EXPECT_NEAR(-std::cos(q), -0.9614192051, tolerance);
  EXPECT_EQ(record.at(record.rows() - 1, "t"), 10.0);
  EXPECT_EQ(record.rows(), 21u);
}

TEST_P(EveryIntegrator, FourBarKeepsItsEnergyAndItsClosure) {
  Model model = four_bar();
  model.initial_speeds = {{"motor", 0, 3.0}};
  model.run = tight(GetParam());
  const MemoryRecord record = complete_run(model);
  const bool second_order = GetParam() == Integrator::generalized_alpha;
  EXPECT_LT(record.audit().energy_error, (second_order ? 1e-4 : 1e-7) * record.audit().energy_scale);
  EXPECT_GT(record.audit().energy_scale, 1.0);
  EXPECT_LT(record.audit().worst_closure, 1e-10);
  EXPECT_GT(record.audit().worst_condition, 1.0);
}

// Motor at constant torque, damped hinge: work and dissipation are quadratures of the same accuracy as the motion.
TEST_P(EveryIntegrator, EnergyBalanceWithMotorAndDamping) {
  Model model = four_bar();
  model.mechanism.joints[1].damping = {0.5};
  model.mechanism.joints[3].damping = {0.3};
  Drive drive;
  drive.joint = "motor";
  drive.torque = ConstantLaw{8.0};
  model.drives = {drive};
  model.run = tight(GetParam());
  const MemoryRecord record = complete_run(model);
  const std::size_t last = record.rows() - 1;
  EXPECT_GT(record.at(last, "energy.work"), 1.0);
  EXPECT_GT(record.at(last, "energy.dissipated"), 0.1);
  EXPECT_LT(record.audit().energy_error, GetParam() == Integrator::generalized_alpha ? 1e-3 : 1e-6);
  EXPECT_EQ(record.at(last, "tau.motor"), 8.0);
  EXPECT_NEAR(record.at(last, "energy.work"), 8.0 * (record.at(last, "q.motor") - record.at(0, "q.motor")), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(all_integrators), [](const auto& info) {
  std::string name(name_of(info.param));
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Simulation, DoublePendulumKeepsItsEnergy) {
  Model model = double_pendulum();
  model.run = tight(Integrator::dopri);
  model.run.until = 3.0;
  const MemoryRecord record = complete_run(model);
  EXPECT_LT(record.audit().energy_error, 1e-7);
}

// Cross-checked figure of the dependency survey (Simbody, MuJoCo, KDL, DART): accelerations of the two-rod chain.
TEST(Simulation, FirstRowHoldsTheAccelerations) {
  Model model = double_pendulum();
  model.initial_speeds = {{"shoulder", 0, 0.2}, {"elbow", 0, -0.4}};
  model.run.until = 0.01;
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.at(0, "a.shoulder"), -12.6198338440, 1e-9);
  EXPECT_NEAR(record.at(0, "a.elbow"), 18.9514482569, 1e-9);
}

TEST(Simulation, FormulationsAgreeOnTheFourBar) {
  Model model = four_bar();
  model.initial_speeds = {{"motor", 0, 3.0}};
  model.run = tight(Integrator::dopri);
  const MemoryRecord reference = complete_run(model);
  for (const Formulation formulation : {Formulation::multipliers, Formulation::partitioning}) {
    model.run.formulation = formulation;
    const MemoryRecord other = complete_run(model);
    ASSERT_EQ(other.rows(), reference.rows());
    for (const char* column : {"q.motor", "q.a", "q.b", "q.c", "v.motor"}) {
      EXPECT_NEAR(other.at(other.rows() - 1, column), reference.at(reference.rows() - 1, column), 1e-7)
          << name_of(formulation) << " " << column;
    }
  }
}

TEST(Simulation, PrescribedMotionNeedsTheForceOfInverseDynamics) {
  Model model = four_bar();
  Drive drive;
  drive.joint = "motor";
  drive.follow = CycloidLaw{std::numbers::pi / 2, std::numbers::pi, 0.0, 1.0};
  drive.prescribed = true;
  model.drives = {drive};
  model.run.every = 0.1;
  MemoryRecord inverse;
  ASSERT_EQ(run_inverse(model, inverse).ending, RunOutcome::Ending::complete);
  for (const Integrator integrator : {Integrator::bdf, Integrator::dopri, Integrator::rk4, Integrator::ida}) {
    model.run.integrator = integrator;
    const MemoryRecord forward = complete_run(model);
    ASSERT_EQ(forward.rows(), inverse.rows());
    for (std::size_t i = 0; i < forward.rows(); ++i) {
      for (const char* column : {"q.motor", "q.a", "q.b", "v.motor", "v.a", "a.a", "tau.motor", "energy.work"}) {
        EXPECT_NEAR(forward.at(i, column), inverse.at(i, column), 1e-6 * (1 + std::abs(inverse.at(i, column))))
            << name_of(integrator) << " " << column << " row " << i;
      }
    }
    EXPECT_LT(forward.audit().energy_error, 1e-5) << name_of(integrator);
  }
}

// A body free in space: momentum, hence the motion of its centre, and energy are kept; quaternions stay unit.
TEST(Simulation, FreeBodyTumbles) {
  for (const Integrator integrator : {Integrator::bdf, Integrator::dopri, Integrator::rk4}) {
    Model model;
    LinkData body;
    body.name = "body";
    body.mass = 2.0;
    body.inertia = Vec3(0.1, 0.2, 0.25).asDiagonal();
    const int link = model.mechanism.add_link(body);
    Joint joint;
    joint.name = "float";
    joint.type = JointType::free;
    joint.to = {link, 0};
    model.mechanism.add_joint(joint);
    model.initial_speeds = {{"float", 0, 1.0}, {"float", 3, 0.01}, {"float", 4, 5.0}, {"float", 5, 0.02}};
    model.run = tight(integrator);
    model.run.until = 5.0;
    model.record.frames = {{link, 0}};
    const MemoryRecord record = complete_run(model);
    const std::size_t last = record.rows() - 1;
    EXPECT_NEAR(record.at(last, "pos.body.origin.x"), 5.0, 1e-7);
    double norm = 0.0;
    for (int i = 3; i < 7; ++i) norm += std::pow(record.at(last, "q.float." + std::to_string(i)), 2);
    EXPECT_NEAR(norm, 1.0, 1e-13);
    EXPECT_LT(record.audit().energy_error, 1e-6);
    // Rotation about the middle axis is unstable: the body must have turned over, not kept spinning.
    double slowest = 5.0;
    for (const double w : record.column("v.float.4")) slowest = std::min(slowest, w);
    EXPECT_LT(slowest, -4.0);
  }
}

// A torque that jumps at t = 0.5 s: the adaptive methods stop there, so the answer is exact to the tolerance. A rigid
// rotor of inertia 1 from rest: v = 1 * 0.5 + 3 * 0.5, q = 0.125 + 0.25 + 0.375 at t = 1 s.
TEST(Simulation, JumpsOfATableAreMetExactly) {
  for (const Integrator integrator : {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45}) {
    Model model = simple_pendulum();
    model.mechanism.gravity.setZero();
    Drive drive;
    drive.joint = "hinge";
    drive.torque = make_table({0.0, 0.5}, {1.0, 3.0}, TableLaw::Interpolation::hold);
    model.drives = {drive};
    model.run.integrator = integrator;
    model.run.every = 0.3;
    const MemoryRecord record = complete_run(model);
    const std::size_t last = record.rows() - 1;
    EXPECT_NEAR(record.at(last, "v.hinge"), 2.0, 1e-8) << name_of(integrator);
    EXPECT_NEAR(record.at(last, "q.hinge"), 0.75, 1e-8) << name_of(integrator);
    EXPECT_EQ(record.at(last, "t"), 1.0);
  }
}

// Item 17 of the reference in general: proportional and derivative terms act on the difference from the motion.
TEST(Simulation, PdDriveIsADampedOscillator) {
  Model model = simple_pendulum();
  model.mechanism.gravity.setZero();
  Drive drive;
  drive.joint = "hinge";
  drive.follow = ConstantLaw{1.0};
  drive.kp = 25.0;
  drive.kd = 6.0;
  model.drives = {drive};
  model.run = tight(Integrator::dopri);
  // The run starts where the law is; push it. q - 1 = (v0 / w) exp(-3 t) sin(w t), w = 4.
  model.initial_speeds = {{"hinge", 0, 2.0}};
  const MemoryRecord record = complete_run(model);
  for (std::size_t i = 0; i < record.rows(); ++i) {
    const double t = record.at(i, "t");
    EXPECT_NEAR(record.at(i, "q.hinge"), 1.0 + 0.5 * std::exp(-3.0 * t) * std::sin(4.0 * t), 1e-8);
  }
}

TEST(Simulation, ColumnsHaveTheAgreedNames) {
  Model model = four_bar();
  model.run.until = 0.01;
  model.record.reactions = true;
  model.record.frames = {model.mechanism.find_frame("coupler", "tip")};
  const MemoryRecord record = complete_run(model);
  const std::vector<std::string> expected{"t",   "q.motor",   "q.a",   "q.b",     "q.c",  "v.motor",
                                          "v.a", "v.b",       "v.c",   "a.motor", "a.a",  "a.b",
                                          "a.c", "tau.motor", "tau.a", "tau.b",   "tau.c"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(record.columns()[i], expected[i]);
  for (const char* column : {"pos.coupler.tip.x", "rot.coupler.tip.z", "force.a.x", "moment.c.z", "energy.kinetic",
                             "energy.potential", "energy.work", "energy.dissipated", "closure"}) {
    EXPECT_NO_THROW((void)record.column(column)) << column;
  }
}

// Angles of cut joints come from poses; a crank that turns several times must not make them jump.
TEST(Simulation, AnglesOfCutJointsAreContinuous) {
  Model model = four_bar();
  Drive drive;
  drive.joint = "motor";
  drive.follow = PolynomialCoefficients{{std::numbers::pi / 2, 12.0}};
  drive.prescribed = true;
  model.drives = {drive};
  model.run.until = 2.0;
  model.run.every = 0.01;
  const MemoryRecord record = complete_run(model);
  for (const char* column : {"q.a", "q.b", "q.c"}) {
    const std::vector<double> values = record.column(column);
    for (std::size_t i = 1; i < values.size(); ++i) EXPECT_LT(std::abs(values[i] - values[i - 1]), 0.5) << column;
  }
}

TEST(Simulation, StopsCleanlyWhenAsked) {
  Model model = simple_pendulum();
  model.initial = {{"hinge", 0, 1.0}};
  model.run.until = 1e6;
  std::atomic<bool> stop = false;
  RunControl control;
  control.stop = &stop;
  struct StopAfterTenRows : MemoryRecord {
    explicit StopAfterTenRows(std::atomic<bool>& flag) : stop(flag) {}
    void row(std::span<const double> values) override {
      MemoryRecord::row(values);
      if (rows() == 10) stop = true;
    }
    std::atomic<bool>& stop;
  } record(stop);
  const RunOutcome outcome = run_simulation(model, record, control);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::interrupted);
  EXPECT_GE(record.rows(), 10u);
  EXPECT_EQ(outcome.message.substr(0, 14), "stopped at t =");
}

TEST(Simulation, TheAuditIsComplete) {
  Model model = four_bar();
  model.run.integrator = Integrator::bdf;
  double last_progress = 0.0;
  RunControl control;
  control.progress = [&](double fraction) { last_progress = fraction; };
  MemoryRecord record;
  const Audit audit = run_simulation(model, record, control).audit;
  EXPECT_EQ(audit.t_end, 1.0);
  EXPECT_EQ(audit.records, 101);
  EXPECT_GT(audit.steps, 10);
  EXPECT_GT(audit.evaluations, audit.steps);
  EXPECT_GT(audit.jacobians, 0);
  EXPECT_GT(audit.projections, 0);
  EXPECT_GT(audit.wall_seconds, 0.0);
  EXPECT_EQ(audit.time_split.size(), 4u);
  EXPECT_EQ(last_progress, 1.0);
}

// The torques of the rigid twin grow without bound where it cannot go on: at 0.307350 s
// (tests/oracles/rrr_singular_pose.py). Nothing is wrong with the pose of the elastic robot then; the message must be
// about the wanted motion.
TEST(Simulation, FeedForwardIntoASingularPoseNamesItsLoop) {
  Model model = load_model(source_folder() + "/examples/flexible-3rrr.yaml", {{"swing", "0.6"}});
  for (const Integrator integrator : {Integrator::bdf, Integrator::dopri}) {
    model.run.integrator = integrator;
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
    EXPECT_EQ(outcome.message.find("feed-forward: loop 'motor-"), 0u) << outcome.message;
    EXPECT_NE(outcome.message.find("is singular at t = 0.3073"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("(condition number "), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("choose laws that keep away from it"), std::string::npos) << outcome.message;
    EXPECT_NEAR(outcome.audit.t_end, 0.307350, 1e-5);
  }
}

TEST(Simulation, BadOptionsAreRefused) {
  const auto message = [](const std::function<void(RunOptions&)>& spoil) {
    Model model = simple_pendulum();
    spoil(model.run);
    MemoryRecord record;
    try {
      run_simulation(model, record);
    } catch (const MechanismError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([](RunOptions& o) { o.until = -1.0; }), "run.until (-1 s) must be later than run.from (0 s)");
  EXPECT_EQ(message([](RunOptions& o) { o.every = 0.0; }), "run.every must be a positive number, not 0");
  EXPECT_EQ(message([](RunOptions& o) { o.spectral_radius = 1.5; }),
            "run.spectral-radius must lie between 0 and 1, not 1.5");
  EXPECT_EQ(message([](RunOptions& o) {
              o.integrator = Integrator::bdf;
              o.projection = Projection::step;
            }),
            "projection 'step' overwrites the state, which the multi-step integrator 'bdf' cannot bear; set "
            "run.projection to evaluation, or use dopri");
  EXPECT_EQ(message([](RunOptions& o) {
              o.integrator = Integrator::ida;
              o.formulation = Formulation::penalty;
            }),
            "integrator 'ida' integrates the multiplier form, not 'penalty'; set run.formulation to multipliers");
}

}  // namespace
}  // namespace lithe
