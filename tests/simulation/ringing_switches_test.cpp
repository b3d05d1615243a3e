// Elastic links that ring while joints rest and slide and contacts open and close: steps of the exponential integrator
// contain whole periods, and what switches inside them must not be stepped over.
//
// Closed forms of a beam of mass m clamped to its root, by its first mode: w = 1.8751040687^2 sqrt(EI/(m L^3)). With the
// deflection u of its tip the mode has the inertia m/4 and pushes the root with 0.7829917 m/2 u''. Twelve elements have
// both to 1e-6.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/switches.hpp"

namespace lithe::testing {
namespace {

constexpr double mass = 0.6, bending_stiffness = 62.5, length = 0.5;
const double frequency = std::pow(1.8751040687, 2) * std::sqrt(bending_stiffness / (mass * std::pow(length, 3)));
const double tip_of_mode = 2.0 / std::sqrt(mass);  ///< the mode has the modal mass one
constexpr double pushing = 0.7829917 * mass / 2.0;

const std::string arm =
    "  arm: {beam: {length: 0.5, mass: 0.6, EI: 62.5, elements: 12}, modes: {count: 1, root: clamped}, stiffening: "
    "off}\n";

struct Finished {
  RunOutcome outcome;
  MemoryRecord record;

  std::vector<double> times(const std::string& words) const {
    std::vector<double> found;
    for (const RunEvent& event : outcome.audit.events)
      if (event.what.find(words) != std::string::npos) found.push_back(event.t);
    return found;
  }
};

Finished run(const Model& model) {
  Finished result;
  result.outcome = run_simulation(model, result.record);
  EXPECT_EQ(result.outcome.ending, RunOutcome::Ending::complete) << result.outcome.message;
  return result;
}

/// The tip above a springy floor, let go from above it.
Model ringing_above_floor(double tolerance) {
  return load_model_text(fmt::format(R"(lithe: 1
links:
{}ground: {{floor: [0, -0.02, 0]}}
joints: {{wall: {{fixed: true, from: ground, to: arm/root}}}}
contacts: {{tip: {{at: arm/tip, plane: ground/floor, normal: y, stiffness: 2e4}}}}
initial: {{arm.e1: {:.15g}}}
run: {{until: 4, every: 0.05, tolerance: {}}}
record: [coordinates]
)",
                                     arm, 0.025 / tip_of_mode, tolerance),
                         "ringing.yaml");
}

// u'' + w^2 u = 0 above the floor, u'' + (w^2 + 4k/m) u = -4k/m gap beneath it: arcs of two circular functions. From the
// top the tip needs t1 to the floor; there it stays for 2 psi/w2, and is back after another 2 t1.
TEST(RingingSwitches, TouchesOfAFloorAreThoseOfTheClosedForm) {
  const double top = 0.025, gap = 0.02, stiffness = 2e4;
  const double first = std::acos(-gap / top) / frequency, speed = top * frequency * std::sin(frequency * first);
  const double beneath = std::sqrt(frequency * frequency + stiffness * tip_of_mode * tip_of_mode);
  const double offset = gap * std::pow(frequency / beneath, 2);
  const double cycle = 2.0 * first + 2.0 * std::atan2(speed / beneath, offset) / beneath;
  const auto expected = static_cast<std::size_t>((4.0 - first) / cycle) + 1;
  ASSERT_GT(expected, 60u);

  const Finished usual = run(ringing_above_floor(1e-5));
  EXPECT_EQ(usual.outcome.audit.integrator.find("exponential"), 0u) << usual.outcome.audit.integrator;
  EXPECT_EQ(usual.times("touches").size(), expected);

  // Some 600 steps, each of which may be wrong by three times the tolerance of the deflection; the frequency by 1e-6.
  const Finished fine = run(ringing_above_floor(1e-7));
  const std::vector<double> touches = fine.times("touches");
  ASSERT_EQ(touches.size(), expected);
  const double bound = 600 * 3e-7 * top / speed;
  for (std::size_t i = 0; i < touches.size(); ++i)
    EXPECT_NEAR(touches[i], first + static_cast<double>(i) * cycle, bound + 1e-6 * touches[i]) << "touch " << i;
}

/// The arm on a sled with dry friction; its tip starts with the given speed.
Model arm_on_sled(double tip_speed, double coulomb, double breakaway, double until) {
  return load_model_text(fmt::format(R"(lithe: 1
links:
{}  sled: {{rigid: {{mass: 0.2}}}}
joints:
  rail: {{prismatic: y, from: ground, to: sled, friction: {{coulomb: {}, breakaway: {}}}}}
  clamp: {{fixed: true, from: sled, to: arm/root}}
speeds: {{arm.e1: {:.15g}}}
run: {{until: {}, every: 1e-3}}
record: [coordinates]
)",
                                     arm, coulomb, breakaway, tip_speed / tip_of_mode, until),
                         "sled.yaml");
}

TEST(RingingSwitches, AJointRestsUnderALinkThatRings) {
  const double speed = 2.0, most = pushing * frequency * speed;
  const Finished resting = run(arm_on_sled(speed, 0.5 * most, 1.01 * most, 3.0));
  EXPECT_TRUE(resting.outcome.audit.events.empty());
  const std::vector<double> t = resting.record.column("t"), sled = resting.record.column("q.rail"),
                            mode = resting.record.column("q.arm.e1");
  const double swing = speed / frequency / tip_of_mode;
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(sled[i], 0.0, 1e-11 * speed * 3.0) << t[i];  // for the oscillators it weighs 1e12 times as much
    // Twelve elements have the frequency to 1e-6: after 3 s, 300 rad, the phase to 3e-4.
    EXPECT_NEAR(mode[i], swing * std::sin(frequency * t[i]), 1e-3 * swing) << t[i];
  }
  EXPECT_LT(resting.outcome.audit.steps, 400);  // nearly fifty periods
}

TEST(RingingSwitches, AJointBreaksLooseWhenTheRingingPushesHardEnough) {
  const double speed = 2.0, most = pushing * frequency * speed;
  for (const double part : {0.3, 0.9, 0.999}) {
    const Finished loose = run(arm_on_sled(speed, 0.2 * most, part * most, 0.1));
    const std::vector<double> times = loose.times("breaks loose");
    ASSERT_FALSE(times.empty()) << part;
    // An error of 1e-5 of the force, or of the deflection, next to the top of the sine.
    const double bound = 2e-5 / std::sqrt(1.0 - part * part);
    EXPECT_NEAR(times.front() * frequency, std::asin(part), bound) << part;
  }
}

TEST(RingingSwitches, StickAndSlipAreThoseOfAnIntegratorThatFollowsThePeriods) {
  Model model = arm_on_sled(2.0, 5.0, 8.0, 0.4);
  const Finished ours = run(model);
  EXPECT_EQ(ours.outcome.audit.integrator.find("exponential"), 0u) << ours.outcome.audit.integrator;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  const Finished reference = run(model);
  ASSERT_EQ(ours.outcome.audit.events.size(), reference.outcome.audit.events.size());
  for (const char* column : {"q.rail", "q.arm.e1"}) {
    const std::vector<double> a = ours.record.column(column), b = reference.record.column(column);
    double largest = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      largest = std::max(largest, std::abs(b[i]));
      worst = std::max(worst, std::abs(a[i] - b[i]));
    }
    EXPECT_LT(worst, 1e-3 * largest) << column;
  }
  EXPECT_LT(10 * ours.outcome.audit.evaluations, reference.outcome.audit.evaluations);
}

// A function that dips below zero by a hundredth of its swing, for a twentieth of its period, forty times in a step. (The
// look at the bottom of a parabola misses that of a cosine by up to 0.2 percent of the swing at the start of a step.)
TEST(SwitchWatch, FindsADipWithinOneOfManyPeriods) {
  const double ripple = 2.0 * std::numbers::pi * 40.0, shallow = 0.99;
  for (const double phase : {0.0, 0.1, 1.0, 2.0, 3.0}) {
    detail::SwitchWatch watch;
    const auto values = [&](double t, VectorX& all) -> RunStatus {
      all = VectorX::Constant(1, shallow + std::cos(ripple * t + phase));
      return {};
    };
    watch.begin(VectorX::Ones(1), 1);
    RunStatus status;
    const auto change = watch.first_change(0.0, 1.0, ripple, values, status);
    ASSERT_TRUE(change.has_value()) << phase;
    double first = std::acos(-shallow) - phase;
    if (first < 0.0) first += 2.0 * std::numbers::pi;
    EXPECT_NEAR(change->t, first / ripple, 1e-12) << phase;
  }
}

TEST(SwitchWatch, LeavesAloneWhatStaysOnItsSide) {
  detail::SwitchWatch watch;
  const auto values = [](double t, VectorX& all) -> RunStatus {
    all = VectorX::Constant(1, 1.0005 + std::cos(250.0 * t));
    return {};
  };
  watch.begin(VectorX::Ones(1), 1);
  RunStatus status;
  EXPECT_FALSE(watch.first_change(0.0, 1.0, 250.0, values, status).has_value());
}

}  // namespace
}  // namespace lithe::testing
