// Items 17 to 22 of section 9 of the Khan reference: its tables 6.7 to 6.10.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/case_name.hpp"
#include "support/khan_models.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

struct Deviation {
  Vec3 at_end;
  double largest = 0.0;
  double drift = 0.0;
  RunOutcome outcome;
};

/// Actuated angles minus the prescribed ones.
Deviation deviation(const Model& model) {
  MemoryRecord record;
  Deviation result;
  result.outcome = run_simulation(model, record);
  EXPECT_EQ(result.outcome.ending, RunOutcome::Ending::complete) << result.outcome.message;
  result.drift = result.outcome.audit.worst_closure;
  for (std::size_t i = 0; i < record.rows(); ++i) {
    const Vec3 wanted = khan::motion(record.at(i, "t")).angle;
    for (int j = 0; j < 3; ++j) {
      const double error = record.at(i, "q." + khan::name("motor", j)) - wanted[j];
      result.largest = std::max(result.largest, std::abs(error));
      if (i + 1 == record.rows()) result.at_end[j] = error;
    }
  }
  return result;
}

Model open_loop(Integrator integrator, double step, double g = 9.81) {
  Model model = khan::model(khan::mechanism_in_sections(g));
  khan::drive_along_cycloids(model);
  model.run.integrator = integrator;
  model.run.step = step;
  model.run.every = 3.0;
  model.run.projection = Projection::never;
  return model;
}

// Table 6.7, fixed steps; item 17 asks for the values within a factor 2. Without projection the two complements (ours
// by partitioning, the paper's by annihilators) differ by the closure error, which the unstable motion amplifies: 10
// percent.
struct FixedRow {
  Integrator integrator;
  double step;
  long steps, evaluations;
  Vec3 error;
  double drift;
};

class Table67Fixed : public ::testing::TestWithParam<FixedRow> {};

TEST_P(Table67Fixed, FinalErrorsAndDrift) {
  const FixedRow& row = GetParam();
  const Deviation result = deviation(open_loop(row.integrator, row.step));
  EXPECT_EQ(result.outcome.audit.steps, row.steps);
  EXPECT_EQ(result.outcome.audit.evaluations, row.evaluations);
  EXPECT_LT((result.at_end - row.error).norm(), 0.1 * row.error.norm()) << result.at_end.transpose();
  EXPECT_LT(result.drift, 2.0 * row.drift);
  EXPECT_GT(result.drift, 0.3 * row.drift);
}

INSTANTIATE_TEST_SUITE_P(
    Khan, Table67Fixed,
    ::testing::Values(FixedRow{Integrator::dopri5_fixed, 0.1, 30, 180, {4.88e-3, -1.88e-3, -9.84e-3}, 1.2e-7},
                      FixedRow{Integrator::dopri5_fixed, 0.05, 60, 360, {1.995e-4, -7.74e-5, -4.038e-4}, 1.8e-9},
                      FixedRow{Integrator::dopri5_fixed, 0.02, 150, 900, {2.398e-6, -9.36e-7, -4.858e-6}, 8.5e-12},
                      FixedRow{Integrator::dopri5_fixed, 0.01, 300, 1800, {7.90e-8, -3.09e-8, -1.60e-7}, 2.2e-13},
                      FixedRow{Integrator::rk4, 0.01, 300, 1200, {-4.98e-5, 1.65e-5, 9.89e-5}, 5.3e-11}),
    [](const auto& info) {
      return std::string(info.param.integrator == Integrator::rk4 ? "rk4" : "dopri5") + "_steps" +
             std::to_string(info.param.steps);
    });

// With g = 0 the errors are 1.3e-8, 2.4e-10, 2.0e-12: orders 5.5 to 5.8 (text below table 6.7 and item 17).
TEST(Table67, WithoutGravityTheErrorsAreBenign) {
  const double expected[3] = {1.3e-8, 2.4e-10, 2.0e-12}, step[3] = {0.1, 0.05, 0.02};
  for (int i = 0; i < 3; ++i) {
    Model model = open_loop(Integrator::dopri5_fixed, step[i], 0.0);
    model.run.every = step[i];
    const double largest = deviation(model).largest;
    EXPECT_LT(largest, 2.0 * expected[i]);
    EXPECT_GT(largest, 0.5 * expected[i]);
  }
}

// Table 6.7, the ode45 rows. Item 18: 50 steps and 301 evaluations with RelTol 1e-3 and a largest step of 0.06 s, the
// number that the paper prints.
struct AdaptiveRow {
  double rtol, atol, max_step;
  long steps, rejected, evaluations;
  Vec3 error;
};

class Table67Adaptive : public ::testing::TestWithParam<AdaptiveRow> {};

TEST_P(Table67Adaptive, StepsEvaluationsAndFinalErrors) {
  const AdaptiveRow& row = GetParam();
  Model model = open_loop(Integrator::ode45, 1e-3);
  model.run.rtol = row.rtol;
  model.run.atol = row.atol;
  model.run.max_step = row.max_step;
  const Deviation result = deviation(model);
  const Audit& audit = result.outcome.audit;
  EXPECT_EQ(audit.steps + audit.rejected, row.steps + row.rejected);
  EXPECT_NEAR(static_cast<double>(audit.steps), static_cast<double>(row.steps), 1.0);  // one step on the edge
  EXPECT_EQ(audit.evaluations, row.evaluations);
  EXPECT_LT((result.at_end - row.error).norm(), 0.2 * row.error.norm()) << result.at_end.transpose();
}

INSTANTIATE_TEST_SUITE_P(Khan, Table67Adaptive,
                         ::testing::Values(AdaptiveRow{1e-3, 1e-6, 0.3, 15, 2, 103, {8.04e-2, -2.11e-2, -1.478e-1}},
                                           AdaptiveRow{1e-6, 1e-6, 0.3, 42, 2, 265, {2.12e-3, -8.24e-4, -4.29e-3}},
                                           AdaptiveRow{1e-3, 1e-6, 0.06, 50, 0, 301, {4.70e-4, -1.82e-4, -9.52e-4}},
                                           AdaptiveRow{1e-6, 1e-6, 0.06, 51, 0, 307, {4.70e-4, -1.82e-4, -9.52e-4}}),
                         [](const auto& info) { return "evaluations" + std::to_string(info.param.evaluations); });

// Below table 6.7: torque from a table instead of the exact one.
TEST(Table67, TabulatedTorques) {
  Model exact = open_loop(Integrator::dopri5_fixed, 0.01);
  MemoryRecord torques;
  exact.run.every = 0.01;
  ASSERT_EQ(run_inverse(exact, torques).ending, RunOutcome::Ending::complete);
  const auto final_error = [&](TableLaw::Interpolation interpolation) {
    Model model = open_loop(Integrator::dopri5_fixed, 0.01);
    for (int j = 0; j < 3; ++j) {
      Drive& drive = model.drives[j];
      drive.feed_forward = false;
      drive.torque = make_table(torques.column("t"), torques.column("tau." + khan::name("motor", j)), interpolation);
    }
    return deviation(model).at_end;
  };
  const Vec3 linear = final_error(TableLaw::Interpolation::linear);
  EXPECT_NEAR(linear[0], -0.1064, 0.001);
  EXPECT_NEAR(linear[1], 0.0274, 0.0005);
  EXPECT_NEAR(linear[2], 0.2212, 0.002);
}

// Table 6.8: feed-forward and PD, K_p = 100, K_d = 24.4949, h = 0.001 s: largest error 2.4e-14; item 19 asks for 1e-12.
// The same with h = 0.01 s: 4.0e-11.
TEST(Table68, Feedback) {
  for (const auto& [step, bound] : {std::pair{0.001, 1e-12}, std::pair{0.01, 8.0e-11}}) {
    Model model = open_loop(Integrator::dopri5_fixed, step);
    model.run.every = 0.01;
    for (Drive& drive : model.drives) {
      drive.kp = 100.0;
      drive.kd = 2.0 * std::sqrt(1.5 * 100.0);
    }
    EXPECT_LT(deviation(model).largest, bound) << "step " << step;
  }
}

// Table 6.9: free fall from rest; item 20: states to 1e-7, energy drift below 1e-8 J.
class Table69 : public ::testing::TestWithParam<Integrator> {};

TEST_P(Table69, FreeFall) {
  Model model = khan::model(khan::mechanism());
  model.run.integrator = GetParam();
  model.run.step = GetParam() == Integrator::rk4 ? 0.0002 : 0.0005;
  model.run.rtol = 1e-12;
  model.run.atol = 1e-14;
  model.run.until = 0.2;
  model.run.every = 0.05;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const double expected[4][8] = {
      {0.05, 1.044834374, 4.214350598, 5.719769794, -0.099855247, 1.024375381, -1.609036374, 2.26069896},
      {0.10, 1.036488641, 4.291546685, 5.594292721, -0.236978854, 2.066806760, -3.501617271, 8.89216065},
      {0.15, 1.024614522, 4.420798873, 5.346076518, -0.077208938, 3.074034778, -6.999880480, 19.01067109},
      {0.20, 1.119233852, 4.548632164, 4.897066831, 4.207125157, 1.385852291, -6.983499492, 22.29417441}};
  ASSERT_EQ(record.rows(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(record.at(i + 1, "t"), expected[i][0]);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(record.at(i + 1, "q." + khan::name("motor", j)), expected[i][1 + j], 1e-7);
      EXPECT_NEAR(record.at(i + 1, "v." + khan::name("motor", j)), expected[i][4 + j], 1e-7);
    }
    EXPECT_NEAR(record.at(i + 1, "energy.kinetic"), expected[i][7], 1e-6);
  }
  EXPECT_LT(outcome.audit.energy_error, 1e-8);
  EXPECT_LT(outcome.audit.worst_closure, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Khan, Table69,
                         ::testing::Values(Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45,
                                           Integrator::dopri5_fixed, Integrator::rk4),
                         [](const auto& info) { return testing::case_name(std::string(name_of(info.param))); });

// Table 6.9, text: a type-2 singularity is reached between t = 0.45 s and t = 0.50 s; it must be reported.
TEST(Table69Singularity, FreeFallInJointCoordinatesEndsAtTheSingularity) {
  for (const Integrator integrator : {Integrator::bdf, Integrator::dopri, Integrator::rk4}) {
    Model model = khan::model(khan::mechanism());
    model.run.integrator = integrator;
    model.run.until = 1.0;
    model.run.every = 0.01;
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed) << name_of(integrator);
    EXPECT_NE(outcome.message.find("loop '"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("is singular at t = 0.4"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("condition number"), std::string::npos) << outcome.message;
    EXPECT_GT(outcome.audit.t_end, 0.45);
    EXPECT_LT(outcome.audit.t_end, 0.51);
    EXPECT_GE(record.rows(), 45u) << "everything up to the singularity stays recorded";
    for (const double value : record.column("q.motor-1")) EXPECT_TRUE(std::isfinite(value));
  }
}

// In automatic coordinates another set takes over and the fall goes on; energy stays.
TEST(Table69Singularity, FreeFallInAutomaticCoordinatesPassesTheSingularity) {
  Model model = khan::model(khan::mechanism());
  model.plan.coordinates = Coordinates::automatic;
  model.run.until = 1.0;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_GE(outcome.audit.set_changes, 1);
  EXPECT_LT(outcome.audit.energy_error, 1e-6 * outcome.audit.energy_scale);
  EXPECT_LT(outcome.audit.worst_closure, 1e-10);
}

// Item 21: the rounded posture that the paper prints misses the closures by 2.7e-4 m; it is noticed and put right.
TEST(Khan, RoundedPostureIsNoticedAndProjected) {
  Model model = khan::model(khan::mechanism_in_sections());
  const double knee[3] = {-0.865, -2.102, -0.976}, platform = 3.916;
  model.initial.clear();
  for (int j = 0; j < 3; ++j) {
    const double motor = khan::motion(0).angle[j];
    const double ankle = platform + khan::beta[j] - motor - knee[j];
    model.initial.push_back({khan::name("motor", j), 0, motor});
    model.initial.push_back({khan::name("knee", j), 0, knee[j]});
    model.initial.push_back({khan::name("ankle", j), 0, ankle});
  }
  const Prepared prepared = prepare(model);
  EXPECT_GT(prepared.assembly.initial_error, 1e-4);
  EXPECT_LT(prepared.assembly.initial_error, 1e-3);
  EXPECT_LT(prepared.assembly.error, 1e-12);
  for (int j = 0; j < 3; ++j) {
    const int place = position_for_law(prepared.plan, khan::name("knee", j), 0);
    EXPECT_NEAR(prepared.state.q[place], khan::initial_knee[j], 1e-12);
  }
}

// Table 6.10 and item 22. The exact formulations have the trajectory error of DeNOC (1.6e-7 at h = 0.01 s); they differ
// in drift: small without stabilisation and with Baumgarte, none with projection.
TEST(Table610, AlternativesHaveTheSameTrajectoryError) {
  struct Case {
    Formulation formulation;
    Projection projection;
    double baumgarte, drift;
  };
  for (const Case& c : {Case{Formulation::multipliers, Projection::never, 0.0, 1e-10},
                        Case{Formulation::multipliers, Projection::never, 10.0, 1e-9},
                        Case{Formulation::multipliers, Projection::step, 0.0, 1e-11},
                        Case{Formulation::multipliers, Projection::evaluation, 0.0, 1e-11},
                        Case{Formulation::partitioning, Projection::evaluation, 0.0, 1e-11},
                        Case{Formulation::denoc, Projection::evaluation, 0.0, 1e-11},
                        Case{Formulation::noc, Projection::evaluation, 0.0, 1e-11}}) {
    Model model = khan::model(khan::mechanism());
    khan::drive_along_cycloids(model);
    model.run.integrator = Integrator::dopri5_fixed;
    model.run.step = model.run.every = 0.01;
    model.run.formulation = c.formulation;
    model.run.projection = c.projection;
    model.run.stabilisation.alpha = model.run.stabilisation.beta = c.baumgarte;
    const Deviation result = deviation(model);
    EXPECT_LT(result.largest, 3.2e-7) << name_of(c.formulation);
    EXPECT_GT(result.largest, 0.8e-7) << name_of(c.formulation);
    EXPECT_LT(result.drift, c.drift) << name_of(c.formulation);
  }
}

// With g = 0 the penalty runs are usable and their error is proportional to the inverse of the stiffness.
TEST(Table610, PenaltyErrorIsProportionalToTheInverseStiffness) {
  const auto largest = [](double stiffness) {
    Model model = khan::model(khan::mechanism(0.0));
    khan::drive_along_cycloids(model);
    model.run.integrator = Integrator::dopri5_fixed;
    model.run.step = 0.001;
    model.run.every = 0.01;
    model.run.formulation = Formulation::penalty;
    model.run.stabilisation.penalty_stiffness = stiffness;
    model.run.stabilisation.penalty_damping = stiffness / 1000.0;
    return deviation(model).largest;
  };
  const double soft = largest(1e5), stiff = largest(1e6);
  EXPECT_NEAR(soft / stiff, 10.0, 1.0);
  EXPECT_LT(soft, 2e-3);
}

}  // namespace
}  // namespace lithe
