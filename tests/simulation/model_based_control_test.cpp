// Controllers by the equations of motion: in motor coordinates the errors obey the equations that the gains make.

#include "lithe/simulation/model_based_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

constexpr double jump_time = 0.2, jumps[2] = {0.05, -0.04};

/// A five-bar in gravity, two motors; what is wanted jumps once.
std::string five_bar(const std::string& law) {
  return R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  left: {rod: {from: [0, 0], to: [0.3, 0], mass: 1}, frames: {tip: [0.3, 0]}}
  right: {rod: {from: [0, 0], to: [0.3, 0], mass: 1}, frames: {tip: [0.3, 0]}}
  far-left: {rod: {from: [0, 0], to: [0.4, 0], mass: 1}, frames: {tip: [0.4, 0]}}
  far-right: {rod: {from: [0, 0], to: [0.4, 0], mass: 1}, frames: {tip: [0.4, 0]}}
ground: {base: [0.2, 0]}
joints:
  m1: {revolute: z, from: ground, to: left, actuated: true}
  m2: {revolute: z, from: ground/base, to: right, actuated: true}
  k1: {revolute: z, from: left/tip, to: far-left}
  k2: {revolute: z, from: right/tip, to: far-right}
  hand: {revolute: z, from: far-left/tip, to: far-right/tip, cut: true}
initial: {m1: 2.15, m2: 0.95, k1: -1.1, k2: 1.2}
drives:
  m1: {follow: [2.1 + 0.3*sin(4*t), {table: {t: [0, 0.2], y: [0, 0.05], interpolation: hold}}], by: controllers}
  m2: {follow: [1 - 0.2*sin(6*t), {table: {t: [0, 0.2], y: [0, -0.04], interpolation: hold}}], by: controllers}
sensors: {a1: {encoder: m1}, a2: {encoder: m2}, r1: {tachometer: m1}, r2: {tachometer: m2}}
controllers:
  loop: {sample: 2e-4, drives: [m1, m2], )" +
         law + R"(}
run: {until: 1, every: 0.01, integrator: dopri, rtol: 1.0e-9}
record: [coordinates, control]
)";
}

MemoryRecord controlled(const std::string& law) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(load_model_text(five_bar(law), "model.yaml"), record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

double error_of(const MemoryRecord& record, std::size_t row, int motor) {
  const double t = record.at(row, "t"), jump = t > jump_time + 1e-9 ? jumps[motor - 1] : 0.0;
  return motor == 1 ? 2.1 + 0.3 * std::sin(4 * t) + jump - record.at(row, "q.m1")
                    : 1 - 0.2 * std::sin(6 * t) + jump - record.at(row, "q.m2");
}

// e'' + 2 w e' + w^2 e = 0 from e0 at rest: e = e0 (1 + w t) exp(-w t). Sampling lags by half a sample: e0 w h at most.
TEST(ComputedTorque, ErrorsOfALoopFadeLikeThoseOfAPoint) {
  const double w = 15.0;
  const MemoryRecord record = controlled("computed-torque: {measure: [a1, a2], rate: [r1, r2], kp: 225, kd: 30}");
  for (std::size_t row = 0; row < record.rows(); row += 5) {
    const double t = record.at(row, "t"), since = w * (t - jump_time);
    for (int motor = 1; motor <= 2; ++motor) {
      const double expected = since > 1e-9 ? jumps[motor - 1] * (1.0 + since) * std::exp(-since) : 0.0;
      EXPECT_NEAR(error_of(record, row, motor), expected, 0.05 * w * 2e-4) << motor << " at " << t;
    }
  }
}

// The same law in continuous time lags by nothing.
TEST(ComputedTorque, ErrorsFadeExactlyInContinuousTime) {
  std::string text = five_bar("computed-torque: {measure: [a1, a2], rate: [r1, r2], kp: 225, kd: 30}");
  text.erase(text.find("sample: 2e-4, "), 14);
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(load_model_text(text, "model.yaml"), record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t"), since = 15.0 * (t - jump_time);
    for (int motor = 1; motor <= 2; ++motor) {
      const double expected = since > 1e-9 ? jumps[motor - 1] * (1.0 + since) * std::exp(-since) : 0.0;
      EXPECT_NEAR(error_of(record, row, motor), expected, 1e-7) << motor << " at " << t;
    }
  }
}

// At rest J^T (kp e + F) = 0 with the weight carried: a load moves the hand by F/kp, whatever the arm weighs and wherever it stands.
TEST(TaskSpacePd, IsASpringAtTheHand) {
  for (const char* sample : {"sample: 1e-3, ", ""}) {
    const Model model =
        load_model_text(
            std::string(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  upper: {rod: {from: [0, 0], to: [0.3, 0], mass: 1}, frames: {tip: [0.3, 0]}}
  fore: {rod: {from: [0, 0], to: [0.25, 0], mass: 0.8}, frames: {tip: [0.25, 0]}}
joints:
  m1: {revolute: z, from: ground, to: upper, actuated: true}
  m2: {revolute: z, from: upper/tip, to: fore, actuated: true}
initial: {m1: 0.3, m2: 1.2}
loads: {push: {at: fore/tip, force: [3, -2, 0]}}
drives: {fore/tip: {path: {position: [0.3, 0.3, 0]}, by: controllers}}
sensors: {a1: {encoder: m1}, a2: {encoder: m2}, r1: {tachometer: m1}, r2: {tachometer: m2}}
controllers:
  hand: {)") + sample +
                R"(drives: [m1, m2], task-pd: {frame: fore/tip, measure: [a1, a2], rate: [r1, r2], kp: 2000, kd: 150}}
run: {until: 3, every: 0.1}
record: [coordinates, frames: [fore/tip]]
)",
            "model.yaml");
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
    const std::size_t last = record.rows() - 1;
    EXPECT_NEAR(record.at(last, "pos.fore.tip.x"), 0.3 + 3.0 / 2000, 1e-7);
    EXPECT_NEAR(record.at(last, "pos.fore.tip.y"), 0.3 - 2.0 / 2000, 1e-7);
    EXPECT_GT(std::abs(record.at(1, "pos.fore.tip.x") - record.at(last, "pos.fore.tip.x")), 1e-6);
  }
}

TEST(PassivityBasedControl, TracksWithoutCancelling) {
  const MemoryRecord record = controlled("passivity: {measure: [a1, a2], rate: [r1, r2], kp: 12, kd: 4}");
  double late = 0.0;
  for (std::size_t row = 80; row < record.rows(); ++row)
    for (int motor = 1; motor <= 2; ++motor) late = std::max(late, std::abs(error_of(record, row, motor)));
  EXPECT_GT(std::abs(error_of(record, 21, 1)), 0.02);  // just after the jump
  EXPECT_LT(late, 1e-3);
}

// Where nothing moves, the weight is all there is to carry: the forces are those of the statics.
TEST(GravityCompensation, CarriesTheWeightAtRest) {
  std::string text = five_bar("gravity-compensation: {measure: [a1, a2], rate: [r1, r2], kp: 0, kd: 0}");
  for (const char* part : {" + 0.3*sin(4*t)", " - 0.2*sin(6*t)"}) text.erase(text.find(part), std::string(part).size());
  Model model = load_model_text(text, "model.yaml");
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  for (const char* joint : {"q.m1", "q.m2"}) {
    const std::vector<double> q = record.column(joint);
    // It starts from rest and stays: to the tolerance, and to what an unstable rest makes of it within a second.
    EXPECT_NEAR(q.back(), q.front(), 1e-6);
  }
}

TEST(ModelBasedControl, NeedsAsManyMotorsAsFreedoms) {
  std::string text = five_bar("computed-torque: {measure: [a1, a2], rate: [r1, r2], kp: 225, kd: 30}");
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("drives: [m1, m2]", "drives: [m1]");
  replace("measure: [a1, a2], rate: [r1, r2]", "measure: a1, rate: r1");
  MemoryRecord record;
  EXPECT_THROW(run_simulation(load_model_text(text, "model.yaml"), record), MechanismError);
}

}  // namespace
}  // namespace lithe::testing
