// Singular poses: a motion that leads through keeps its branch, one that cannot go on ends with the name of the loop.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "lithe/errors.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/parallelogram_chain.hpp"

namespace lithe {
namespace {

using testing::chain_angle;
using testing::parallelogram_chain;

struct ChainRun {
  RunOutcome outcome;
  double error = 0.0;  ///< of the angle of the first and of the last crank, rad
};

ChainRun run_chain(int count, Integrator integrator, Formulation formulation, double rtol, double until,
                   double theta = 1.0, double speed = 1.0) {
  Model model = parallelogram_chain(count, theta, speed);
  model.run.integrator = integrator;
  model.run.formulation = formulation;
  model.run.rtol = rtol;
  model.run.atol = 0.01 * rtol;
  model.run.until = until;
  model.run.every = until / 5.0;
  MemoryRecord record;
  ChainRun result{run_simulation(model, record), 0.0};
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double exact = chain_angle(count, theta, speed, record.at(row, "t"));
    for (const std::string& column : {std::string("q.pivot-0"), "q.pivot-" + std::to_string(count)}) {
      // Angles of cut joints are counted from poses.
      const double error = std::remainder(record.at(row, column) - exact, 2.0 * std::numbers::pi);
      result.error = std::max(result.error, std::abs(error));
    }
  }
  return result;
}

void expect_exact(const ChainRun& run, double tolerance, const std::string& what) {
  EXPECT_EQ(run.outcome.ending, RunOutcome::Ending::complete) << what << ": " << run.outcome.message;
  EXPECT_LT(run.error, tolerance) << what;
  EXPECT_LT(run.outcome.audit.worst_closure, 1e-10) << what;
}

std::string label(int count, Integrator integrator, Formulation formulation) {
  return std::to_string(count) + " parallelograms, " + std::string(name_of(integrator)) + ", " +
         std::string(name_of(formulation));
}

// Without optimisation the long chains would take minutes.
#ifdef NDEBUG
constexpr int long_chain = 10, longest_chain = 40;
#else
constexpr int long_chain = 6, longest_chain = 10;
#endif

constexpr Integrator adaptive[] = {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45,
                                   Integrator::ida};

/// `ida` integrates the multiplier form only.
bool integrates(Integrator integrator, Formulation formulation) {
  return integrator != Integrator::ida || formulation == Formulation::multipliers;
}

// From 57 degrees with 1 rad/s the chain swings to and fro through both flat poses, some fourteen times in ten seconds.
// The expected angle is that of one pendulum (parallelogram_chain.hpp).
TEST(SingularPoses, ChainsOfParallelogramsSwingThroughTheirFlatPose) {
  for (const int count : {1, 2, 3, 4, 5, long_chain}) {
    for (const Integrator integrator : adaptive) {
      for (const Formulation formulation : {Formulation::noc, Formulation::multipliers}) {
        if (!integrates(integrator, formulation)) continue;
        expect_exact(run_chain(count, integrator, formulation, 1e-10, 10.0), 1e-6,
                     label(count, integrator, formulation));
      }
    }
  }
}

// Of forty loops 80 closures lose rank at once. All integrators take half a minute: verification/singular_poses.py runs
// them.
TEST(SingularPoses, LongChainsLoseManyEquationsAtOnce) {
  for (const Formulation formulation : {Formulation::noc, Formulation::multipliers})
    expect_exact(run_chain(longest_chain, Integrator::adams, formulation, 1e-10, 10.0), 1e-6,
                 label(longest_chain, Integrator::adams, formulation));
}

TEST(SingularPoses, TheErrorFallsWithTheTolerance) {
  for (const int count : {1, 3}) {
    for (const Integrator integrator : adaptive) {
      for (const Formulation formulation : {Formulation::noc, Formulation::multipliers}) {
        if (!integrates(integrator, formulation)) continue;
        double before = 1.0;
        for (const double rtol : {1e-6, 1e-8, 1e-10}) {
          const ChainRun run = run_chain(count, integrator, formulation, rtol, 10.0);
          EXPECT_EQ(run.outcome.ending, RunOutcome::Ending::complete) << run.outcome.message;
          EXPECT_LT(run.error, 0.2 * before) << label(count, integrator, formulation) << " at " << rtol;
          before = run.error;
        }
      }
    }
  }
}

ChainRun run_chain_in_fixed_steps(int count, Integrator integrator, Formulation formulation, double step,
                                  double exact_step = 1e-4) {
  Model model = parallelogram_chain(count, 1.0, 1.0);
  model.run.integrator = integrator;
  model.run.formulation = formulation;
  model.run.step = step;
  model.run.until = model.run.every = 10.0;
  MemoryRecord record;
  ChainRun result{run_simulation(model, record), 0.0};
  result.error = std::abs(record.at(record.rows() - 1, "q.pivot-0") - chain_angle(count, 1.0, 1.0, 10.0, exact_step));
  EXPECT_EQ(result.outcome.ending, RunOutcome::Ending::complete) << result.outcome.message;
  return result;
}

// All cranks turn alike, so that a step of the chain is the same step of one pendulum. What the singular poses add is
// rounding over the square of the distance (0.03 rad) at which they are bridged, a few times 1e-12 in each of fourteen
// passages, and what the swing makes of it.
TEST(SingularPoses, FixedStepsOfRk4AreThoseOfOnePendulum) {
  for (const int count : {1, 2, 3, 5}) {
    for (const Formulation formulation : {Formulation::noc, Formulation::multipliers}) {
      for (const double step : {0.02, 0.01, 0.005}) {
        const ChainRun run = run_chain_in_fixed_steps(count, Integrator::rk4, formulation, step, step);
        EXPECT_LT(run.error, 1e-9) << label(count, Integrator::rk4, formulation) << " at " << step;
        EXPECT_LT(run.outcome.audit.energy_error, 1e-5 * run.outcome.audit.energy_scale);
      }
    }
  }
}

TEST(SingularPoses, FixedStepsConvergeWithTheirOrder) {
  const std::pair<Integrator, double> orders[] = {{Integrator::dopri5_fixed, 5.0},
                                                  {Integrator::generalized_alpha, 2.0}};
  for (const auto& [integrator, order] : orders) {
    for (const int count : {1, 2, 5}) {
      const double coarse = run_chain_in_fixed_steps(count, integrator, Formulation::noc, 0.02).error;
      const double fine = run_chain_in_fixed_steps(count, integrator, Formulation::noc, 0.01).error;
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << label(count, integrator, Formulation::noc);
    }
  }
}

/// Runs with rtol 1e-10 for eight seconds and compares the first crank of each chain with one pendulum.
void expect_pendulums(Model& model, const std::vector<std::string>& tags, const std::vector<double>& angles,
                      Integrator integrator, Formulation formulation) {
  model.run.integrator = integrator;
  model.run.formulation = formulation;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  model.run.until = model.run.every = 8.0;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << name_of(integrator) << ": " << outcome.message;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const double error = record.at(record.rows() - 1, "q.pivot-0" + tags[i]) - chain_angle(1, angles[i], 1.0, 8.0);
    EXPECT_LT(std::abs(error), 1e-6) << name_of(integrator) << tags[i];
  }
}

// Parallelograms that have nothing to do with each other, flat at the same time or nearly so. Each needs a direction of
// its own to get away from its singular pose.
TEST(SingularPoses, SeveralLoopsWithCoordinatesOfTheirOwnGoThroughAtOnce) {
  for (const double apart : {0.0, 0.01}) {
    Model model;
    model.mechanism.gravity = Vec3(0, -9.81, 0);
    std::vector<std::string> tags;
    std::vector<double> angles;
    for (int i = 0; i < 6; ++i) {
      tags.push_back("-" + std::string(1, static_cast<char>('a' + i)));
      angles.push_back(1.0 + apart * i);
      testing::add_parallelogram_chain(model, 1, angles.back(), 1.0, tags.back());
    }
    for (const Integrator integrator : adaptive)
      expect_pendulums(model, tags, angles, integrator, Formulation::multipliers);
    expect_pendulums(model, tags, angles, Integrator::bdf, Formulation::noc);
  }
}

// Two blocks on ball joints swing beside the parallelogram: none of their six coordinates leads away from its flat
// pose.
TEST(SingularPoses, CoordinatesThatTheLoopDoesNotKnowAreNoWayOut) {
  Model model = parallelogram_chain(1, 1.0, 1.0);
  for (const char* name : {"one", "two"}) {
    LinkData block;
    block.name = name;
    block.mass = 1.0;
    block.centre = Vec3(0.2, 0.1, 0.0);
    block.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
    Joint ball;
    ball.name = std::string("ball-") + name;
    ball.type = JointType::spherical;
    ball.to = {model.mechanism.add_link(block), 0};
    model.mechanism.add_joint(ball);
  }
  for (const Integrator integrator : adaptive)
    expect_pendulums(model, {""}, {1.0}, integrator, Formulation::multipliers);
  for (const Formulation formulation : {Formulation::noc, Formulation::partitioning})
    expect_pendulums(model, {""}, {1.0}, Integrator::bdf, formulation);
  model.run.step = 1e-3;
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5_fixed})
    expect_pendulums(model, {""}, {1.0}, integrator, Formulation::noc);
  model.run.integrator = Integrator::generalized_alpha;
  model.run.until = 10.0;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
}

// All other formulations give the same accelerations on the way through.
TEST(SingularPoses, EveryFormulationGoesThrough) {
  for (const Formulation formulation :
       {Formulation::noc_dense, Formulation::partitioning, Formulation::multipliers, Formulation::noc}) {
    expect_exact(run_chain(1, Integrator::dopri, formulation, 1e-10, 1.5), 1e-8,
                 label(1, Integrator::dopri, formulation));
  }
}

// A run whose turning point lies within a thousandth of a radian of the flat pose. At the top of the swing all energy
// is potential: speed^2 I / 2 = m g (sin top - sin theta) with I = 8 / 3 and m = 3 of one parallelogram.
TEST(SingularPoses, TurningBackBesideTheFlatPoseKeepsTheBranch) {
  for (const double top : {1e-3, -1e-3, 1e-5}) {
    const double theta = -0.5, speed = std::sqrt(2.0 * 3.0 * 9.81 * (std::sin(top) - std::sin(theta)) / (8.0 / 3.0));
    expect_exact(run_chain(1, Integrator::dopri, Formulation::noc, 1e-10, 2.0, theta, speed), 1e-7, "turning back");
  }
}

// A damper d at the first pivot and I = 8 / 3 of one parallelogram: theta = -0.5 exp(-d t / I) comes to rest in the
// flat pose. Below 1e-8 rad, after 17.7 I / d = 0.47 s, the pose is singular, and nothing says where it would go from
// there.
TEST(SingularPoses, AMotionThatComesToRestInTheFlatPoseEndsThere) {
  const double damping = 100.0, inertia = 8.0 / 3.0;
  Model model = parallelogram_chain(1, -0.5, 0.5 * damping / inertia);
  model.mechanism.gravity.setZero();
  model.mechanism.joints[model.mechanism.find_joint("pivot-0")].damping = {damping};
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-12;
  model.run.atol = 1e-14;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(outcome.message.find("pivot-0"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("is singular"), std::string::npos) << outcome.message;
  EXPECT_GT(outcome.audit.t_end, std::log(0.5 / 1e-7) * inertia / damping);
  EXPECT_LT(outcome.audit.t_end, std::log(0.5 / 1e-8) * inertia / damping + 2e-3);
}

// All cranks get the same speed, which says that parallelograms stay such: the closed form is that of the chain.
TEST(SingularPoses, AStartInTheFlatPoseFollowsTheGivenSpeeds) {
  for (const int count : {1, 2, 3}) {
    for (const double theta : {0.0, std::numbers::pi}) {
      Model model = parallelogram_chain(count, theta, 3.0);
      for (int i = 1; i <= count; ++i) model.initial_speeds.push_back({"pivot-" + std::to_string(i), 0, 3.0});
      model.run.rtol = 1e-10;
      model.run.atol = 1e-12;
      model.run.until = 1.0;
      for (const Integrator integrator :
           {Integrator::dopri, Integrator::ode45, Integrator::bdf, Integrator::adams, Integrator::ida}) {
        model.run.integrator = integrator;
        MemoryRecord record;
        const RunOutcome outcome = run_simulation(model, record);
        ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
        EXPECT_NEAR(record.at(record.rows() - 1, "q.pivot-0"), chain_angle(count, theta, 3.0, 1.0), 1e-7)
            << label(count, integrator, model.run.formulation);
        EXPECT_LT(outcome.audit.worst_closure, 1e-10);
      }
    }
  }
}

// A rhombus that lies flat has another branch: the first crank rests, its rod turns about the far pivot along with the
// second crank, a pendulum with I = (2 + 1) / 3 and m = (2 + 1) / 2 at one metre.
TEST(SingularPoses, AStartInTheFlatPoseMayLeaveOnTheOtherBranch) {
  Model model = parallelogram_chain(1, 0.0, 0.0);
  model.initial_speeds.push_back({"pivot-1", 0, 3.0});
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const double exact = testing::pendulum_angle(-9.81 * 1.5, 0.0, 3.0, 1.0);
  EXPECT_NEAR(std::remainder(record.at(record.rows() - 1, "q.pivot-1") - exact, 2.0 * std::numbers::pi), 0.0, 1e-8);
  EXPECT_NEAR(record.at(record.rows() - 1, "q.pivot-0"), 0.0, 1e-12);
}

// With the speed of one crank alone, the other one could turn along or stay behind.
TEST(SingularPoses, AStartThatSpeedsDoNotDecideIsRefusedWithItsLoop) {
  const auto message = [](const Model& model) {
    try {
      MemoryRecord record;
      const RunOutcome outcome = run_simulation(model, record);
      return outcome.ending == RunOutcome::Ending::physics_failed ? outcome.message : std::string("it ran");
    } catch (const PhysicsError& error) {
      return std::string(error.what());
    }
  };
  const Model one = parallelogram_chain(1, 0.0, 3.0);
  Model between = one;  // of both branches: the sum of their tangents is none
  between.initial_speeds.push_back({"pivot-1", 0, 1.0});
  Model resting = one;
  resting.initial_speeds.clear();
  for (const Model& model : {one, between, resting}) {
    const std::string text = message(model);
    for (const char* part : {"loop '", "pivot-0", "is singular at t = 0 s", "under 'speeds'", "under 'initial'"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

// The pose is singular, the mechanism is not: no equation is dropped, mobility stays one.
TEST(SingularPoses, NoEquationIsDroppedBecauseOfThePose) {
  for (const int count : {1, 3}) {
    const Plan plan(parallelogram_chain(count, 0.0, 0.0).mechanism, {});
    Workspace work(plan);
    ASSERT_TRUE(work.uses_planar_arithmetic());
    VectorX q = plan.neutral();  // all angles zero: flat
    ASSERT_TRUE(select_independent(plan, work, q));
    EXPECT_EQ(work.independent().size(), 1u);
    EXPECT_TRUE(work.redundant_rows().empty());
    const Mobility mobility = analyse_mobility(plan, work, q);
    EXPECT_EQ(mobility.mobility, 1);
    EXPECT_GT(mobility.local_mobility, 1);
  }
}

// Motors that all follow laws: at the singular pose nothing says how the other joints go on.
TEST(SingularPoses, AMotionLawThroughTheFlatPoseStopsThereHoweverManyLoopsItHas) {
  for (const int count : {1, 2, 3}) {
    Model model = parallelogram_chain(count, 1.0, 0.0);
    model.initial_speeds.clear();
    Drive drive;
    drive.joint = "pivot-0";
    drive.follow = PolynomialCoefficients{{1.0, -1.0}};  // flat at t = 1 s
    drive.prescribed = true;
    model.drives = {drive};
    model.run.until = 2.0;
    for (const Integrator integrator : {Integrator::bdf, Integrator::dopri}) {
      model.run.integrator = integrator;
      MemoryRecord record;
      const RunOutcome outcome = run_simulation(model, record);
      EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
      EXPECT_NE(outcome.message.find("loop '"), std::string::npos) << outcome.message;
      EXPECT_NE(outcome.message.find("singular"), std::string::npos) << outcome.message;
      EXPECT_NE(outcome.message.find("condition number"), std::string::npos) << outcome.message;
      EXPECT_NEAR(outcome.audit.t_end, 1.0, 1e-5) << count;
      EXPECT_GE(record.rows(), 98u) << count;  // one every 0.01 s until then
    }
  }
}

// analyse_mobility() looks at other sets and poses; what the caller has chosen stays.
TEST(SingularPoses, MobilityLeavesTheIndependentSetAlone) {
  Prepared prepared = prepare(parallelogram_chain(2, 1.0, 0.0));
  const std::vector<int> unusual{prepared.work.dependent().back()};
  ASSERT_TRUE(select_independent(prepared.plan, prepared.work, prepared.state.q, unusual, true));
  ASSERT_EQ(prepared.work.independent(), unusual);
  EXPECT_EQ(analyse_mobility(prepared.plan, prepared.work, prepared.state.q).mobility, 1);
  EXPECT_EQ(prepared.work.independent(), unusual);
}

// All cranks turn alike, so the complement is one for each of them. 0.03 rad beside the flat pose an error of 1e-12 in
// the closures would be one of 1e-12 / 0.03^2 = 1e-9 in it.
TEST(SingularPoses, ProjectionIsAsExactAsRounding) {
  const double theta = 0.03;
  Prepared prepared = prepare(parallelogram_chain(1, theta, 1.0));
  VectorX q = prepared.state.q;
  for (const int v : prepared.work.dependent()) q[position_of_speed(prepared.plan, v)] += 1e-11;
  ASSERT_TRUE(project_positions(prepared.plan, prepared.work, q));
  VectorX v = prepared.state.v;
  ASSERT_TRUE(complete_speeds(prepared.plan, prepared.work, q, v));
  for (const int speed : prepared.work.dependent()) EXPECT_NEAR(std::abs(v[speed]), 1.0, 2e-12);
}

// Torque 1 N m from 0.1 s on, on an inertia of 1 kg m^2: from then on the motion is a parabola, which every step gets
// exactly if no stage of it sees the law from before the jump.
TEST(SingularPoses, ALawThatJumpsIsSeenFromTheRightBehindTheJump) {
  Model model = testing::simple_pendulum();
  model.mechanism.gravity.setZero();
  Drive drive;
  drive.joint = "hinge";
  drive.torque = ExpressionLaw{Expression::parse("(t > 0.1)", {}, true)};
  model.drives = {drive};
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-3;
  model.run.atol = 1e-3;
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_NEAR(record.at(record.rows() - 1, "v.hinge"), 0.9, 1e-13);
  EXPECT_NEAR(record.at(record.rows() - 1, "q.hinge"), 0.405, 1e-13);
}

// A pendulum on a spring of 1e24 N m/rad swings 1.6e11 times a second: an explicit method would need 1e13 steps.
TEST(SingularPoses, ARunThatDoesNotGetOnIsEnded) {
  Model model = testing::simple_pendulum();
  model.initial = {{"hinge", 0, 1e-9}};
  model.mechanism.joints[0].stiffness = {1e24};
  model.run.integrator = Integrator::dopri;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(outcome.message.find("integrator 'dopri' comes to a standstill at t = "), std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("a very stiff spring"), std::string::npos) << outcome.message;
  EXPECT_LT(outcome.audit.steps, 30000);
}

// Links of 1e10 m are not known better than to 1e-6 m: the loop is open by more than 1e-8 m, whatever projection does.
TEST(SingularPoses, ALoopThatComesOpenEndsTheRun) {
  Model model = testing::four_bar();
  const double scale = 1e10;
  for (LinkData& link : model.mechanism.links) {
    link.centre *= scale;
    link.inertia *= scale * scale;
    for (Frame& frame : link.frames) frame.pose.position *= scale;
  }
  model.initial_speeds = {{"motor", 0, 1.0}};
  model.run.integrator = Integrator::dopri;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(outcome.message.find("' has come open by "), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("loop 'motor, a, c, b'"), std::string::npos) << outcome.message;
}

}  // namespace
}  // namespace lithe
