// Sensors and sampled controllers in runs, against closed forms and recursions.

#include "lithe/simulation/sampled_control.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

MemoryRecord sampled_run(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

MemoryRecord sampled_run(const std::string& text) { return sampled_run(load_model_text(text, "model.yaml")); }

/// A wheel of inertia 1 (kg m^2) on its motor; J q'' = u.
std::string wheel(const std::string& controller, const std::string& rest) {
  return R"(
lithe: 1
links: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}}}
joints: {pin: {revolute: z, from: ground, to: wheel, actuated: true}}
initial: {pin: 1}
sensors: {angle: {encoder: pin}, rate: {tachometer: pin}}
controllers:
  loop: {drives: pin, inputs: [angle, rate], )" +
         controller + "}\n" + rest;
}

// Exact motion of the wheel over one sample under constant u: q + h v + h^2 u/2, v + h u.
TEST(SampledControl, WheelFollowsTheRecursionOfItsSamples) {
  const double h = 0.02, kp = 30.0, kd = 4.0;
  const MemoryRecord record = sampled_run(
      wheel("sample: 0.02, gain: [[30, 4]]", "run: {until: 1, every: 0.02, integrator: dopri, rtol: 1.0e-12}\n"));
  const std::vector<double> q = record.column("q.pin");
  double angle = 1.0, rate = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    EXPECT_NEAR(q[k], angle, 1e-11) << k;
    const double u = -kp * angle - kd * rate;
    angle += h * rate + 0.5 * h * h * u;
    rate += h * u;
  }
}

// The same with forces that act one sample later: the state has the last force as well.
TEST(SampledControl, DelayOfOneSample) {
  const double h = 0.02, kp = 30.0, kd = 4.0;
  const MemoryRecord record = sampled_run(wheel("sample: 0.02, delay: 0.02, gain: [[30, 4]]",
                                                "run: {until: 1, every: 0.02, integrator: dopri, rtol: 1.0e-12}\n"));
  const std::vector<double> q = record.column("q.pin");
  double angle = 1.0, rate = 0.0, acting = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    EXPECT_NEAR(q[k], angle, 1e-11) << k;
    const double next = -kp * angle - kd * rate;
    angle += h * rate + 0.5 * h * h * acting;
    rate += h * acting;
    acting = next;
  }
}

// The kink of the law at 0.3 s and the third sample at 3 * 0.1 s are one instant, though not one number.
TEST(SampledControl, SamplesBesideKinksOfLaws) {
  for (const char* run : {"dopri", "bdf", "adams"}) {
    const MemoryRecord record =
        sampled_run(wheel("sample: 0.1, gain: [[1, 2]]",
                          std::string("drives: {pin: {torque: {table: {t: [0, 0.3], y: [0, 0], "
                                      "interpolation: hold}}}}\nrun: {until: 1, every: 0.1, integrator: ") +
                              run + "}\n"));
    EXPECT_EQ(record.rows(), 11u) << run;
  }
}

// A controller whose memory gives 2 N m all the time does what a torque of 2 N m does: it turns the rotor of an elastic gear.
TEST(SampledControl, ActsOnTheRotorOfAnElasticGear) {
  const auto geared = [](const std::string& what) {
    return "lithe: 1\nlinks: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}}}\n"
           "joints: {pin: {revolute: z, from: ground, to: wheel, actuated: true, "
           "motor: {rotor: 0.002, ratio: 20, stiffness: 300, damping: 1}}}\n"
           "sensors: {angle: {encoder: pin}}\n" +
           what + "run: {until: 1, every: 0.05, integrator: dopri, rtol: 1.0e-10}\nrecord: [coordinates, control]\n";
  };
  const std::string law =
      "drives: pin, inputs: [angle], state-space: {A: [[SELF]], B: [[0]], C: [[1]]}, state: [2]}}\n";
  const auto with = [&](const std::string& self) {
    std::string text = law;
    return text.replace(text.find("SELF"), 4, self);
  };
  const MemoryRecord torque = sampled_run(geared("drives: {pin: {torque: 2}}\n")),
                     sampled = sampled_run(geared("controllers: {loop: {sample: 0.01, " + with("1"))),
                     continuous = sampled_run(geared("controllers: {loop: {" + with("0")));
  EXPECT_GT(torque.at(20, "q.pin"), 0.3);
  for (std::size_t row = 0; row < torque.rows(); ++row) {
    EXPECT_NEAR(sampled.at(row, "q.pin"), torque.at(row, "q.pin"), 1e-8) << row;
    EXPECT_NEAR(continuous.at(row, "q.pin"), torque.at(row, "q.pin"), 1e-8) << row;
  }
}

/// Largest size of the poles of the wheel under sampled PD with one sample of delay.
double spectral_radius(double h, double kp, double kd) {
  Mat3 step;
  step << 1, h, 0.5 * h * h, 0, 1, h, -kp, -kd, 0;
  return step.eigenvalues().cwiseAbs().maxCoeff();
}

// The largest stable gain, by runs: does the motion grow between the second and the fourth fifth?
TEST(SampledControl, LargestStableGainIsThatOfTheDiscretePoles) {
  const double h = 0.02, ratio = 0.15;  // kd = ratio kp
  const auto limit = [&](auto is_stable) {
    double low = 1.0, high = 1000.0;
    while (high - low > 1e-3 * low) (is_stable(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    return low;
  };
  const double by_poles = limit([&](double kp) { return spectral_radius(h, kp, ratio * kp) < 1.0; });
  const double by_runs = limit([&](double kp) {
    const MemoryRecord record = sampled_run(
        wheel("sample: 0.02, delay: 0.02, gain: [[" + std::to_string(kp) + ", " + std::to_string(ratio * kp) + "]]",
              "run: {until: 10, every: 0.02, integrator: dopri}\nrecord: [coordinates]\n"));
    const std::vector<double> q = record.column("q.pin");
    double early = 0.0, late = 0.0;
    for (std::size_t k = 100; k < 200; ++k) early = std::max(early, std::abs(q[k]));
    for (std::size_t k = 400; k < 500; ++k) late = std::max(late, std::abs(q[k]));
    return late < early;
  });
  EXPECT_NEAR(by_runs / by_poles, 1.0, 0.01);
}

const char* const elastic_arm = R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, EI: 50, mass: 0.6}, modes: {count: 2}}
joints: {pin: {revolute: z, from: ground, to: arm, actuated: true, motor: {rotor: 0.05}}}
drives: {pin: {follow: {cycloid: {from: 0, to: 0.8, in: 0.4}}, by: [rigid-inverse-dynamics, controllers]}}
sensors: {angle: {encoder: pin}}
controllers:
  loop:
    {sample: 0.002, delay: 0.001, drives: pin, pid: {measure: angle, kp: 60, ki: 100, kd: 3, filter: 100}, limit: 8,
     filters: [{notch: {frequency: 40, width: 0.7, depth: 0.1}}]}
)";

// Between samples the motion is smooth, whoever integrates it.
TEST(SampledControl, ResultsDoNotDependOnTheIntegrator) {
  std::vector<double> reference;
  for (const char* run : {"integrator: dopri, rtol: 1.0e-10", "integrator: bdf, rtol: 1.0e-10, atol: 1.0e-12",
                          "integrator: rk4, step: 1.0e-4", "integrator: exponential, tolerance: 1.0e-7"}) {
    const MemoryRecord record = sampled_run(std::string(elastic_arm) + "run: {until: 0.6, every: 0.01, " + run + "}\n");
    const std::vector<double> q = record.column("q.pin");
    if (reference.empty()) reference = q;
    ASSERT_EQ(q.size(), reference.size());
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(q[k], reference[k], 1e-6) << run << " row " << k;
  }
}

TEST(SampledControl, LimitsHoldInEveryRow) {
  const MemoryRecord record = sampled_run(wheel("sample: 0.01, gain: [[300, 4]], limit: 20, rate-limit: 900",
                                                "run: {until: 1, every: 0.001, integrator: dopri}\n"));
  const std::vector<double> force = record.column("control.loop.pin"), t = record.column("t");
  double largest = 0.0;
  for (std::size_t k = 0; k < force.size(); ++k) {
    largest = std::max(largest, std::abs(force[k]));
    EXPECT_LE(std::abs(force[k]), 20.0);
    if (k > 0) EXPECT_LE(std::abs(force[k] - force[k - 1]), 900.0 * (t[k] - t[k - 1]) * (1 + 1e-9)) << t[k];
  }
  EXPECT_EQ(largest, 20.0);
}

TEST(SampledControl, IsSwitchedOnAndOff) {
  const MemoryRecord record =
      sampled_run(wheel("sample: 0.01, from: 0.2, until: 0.5, gain: [[5, 1]]", "run: {until: 1, every: 0.05}\n"));
  const std::vector<double> force = record.column("control.loop.pin");
  EXPECT_EQ(force[2], 0.0);
  EXPECT_NEAR(force[5], -5.0, 0.5);  // since 0.2 s, and nothing has moved before
  EXPECT_EQ(force[15], 0.0);
}

TEST(Sensors, RoundDelayAndAddNoiseOfTheirOwn) {
  const std::string text = R"(
lithe: 1
links: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}, frames: {rim: [2, 0, 0]}}}
joints: {pin: {revolute: z, from: ground, to: wheel}}
speeds: {pin: 1.5}
sensors:
  coarse: {encoder: pin, resolution: 0.0937, sample: 0.01}
  late: {encoder: pin, sample: 0.01, delay: 0.03}
  noisy: {encoder: pin, sample: 0.001, noise: 0.02, bias: 0.5, seed: 7}
  spin: {gyro: wheel/rim, sample: 0.01}
  rim: {tracker: wheel/rim, sample: 0.01}
  push: {accelerometer: wheel/rim, sample: 0.01}
run: {until: 2, every: 0.0105}
)";
  const MemoryRecord record = sampled_run(text), again = sampled_run(text + "record: [control]\n");
  const std::vector<double> t = record.column("t"), q = record.column("q.pin");
  double sum = 0.0, squares = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double sampled = 1.5 * 0.01 * std::ceil(t[k] / 0.01 - 1.0 - 1e-9);  // the sample before this row
    EXPECT_NEAR(record.at(k, "encoder.coarse"), 0.0937 * std::round(sampled / 0.0937), 1e-9);
    if (t[k] > 0.045) EXPECT_NEAR(record.at(k, "encoder.late"), sampled - 1.5 * 0.03, 0.0151);
    EXPECT_NEAR(record.at(k, "gyro.spin.z"), 1.5, 1e-12);
    EXPECT_NEAR(record.at(k, "tracker.rim.x"), 2.0 * std::cos(sampled), 1e-9);
    EXPECT_NEAR(record.at(k, "accelerometer.push.x"), -2.0 * 1.5 * 1.5, 1e-9);  // towards the pin
    const double error = record.at(k, "encoder.noisy") - 1.5 * 0.001 * std::ceil(t[k] / 0.001 - 1.0 - 1e-9) - 0.5;
    sum += error;
    squares += error * error;
    EXPECT_EQ(record.at(k, "encoder.noisy"), again.at(k, "encoder.noisy"));
  }
  const double n = static_cast<double>(t.size() - 1);  // 190 samples: 4 standard deviations of mean and spread
  EXPECT_NEAR(sum / n, 0.0, 4 * 0.02 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n) / 0.02, 1.0, 4 / std::sqrt(2 * n));
}

// A beam at rest with a force F at its tip: M = F (L - x), strain - M y/EI on the side +y; the root carries F and F L.
TEST(Sensors, GaugeAndForceSensorOfALoadedCantilever) {
  const MemoryRecord record = sampled_run(R"(
lithe: 1
gravity: [0, 0, 0]
links: {arm: {beam: {length: 0.8, EI: 20, mass: 0.5}, modes: {count: 3}}}
joints: {root: {fixed: true, from: ground, to: arm/root}}
loads: {push: {at: arm/tip, force: [0, 0.03, 0]}}
initial: equilibrium
sensors:
  gauge: {strain-gauge: arm, at: 0.2, side: [0.01, 0], sample: 0.01}
  between: {strain-gauge: arm, at: 0.23, side: [-0.01, 0], sample: 0.01}
  root: {force-torque: root, sample: 0.01}
run: {until: 0.02, every: 0.01}
)");
  EXPECT_NEAR(record.at(1, "strain-gauge.gauge"), -0.03 * 0.6 * 0.01 / 20.0, 1e-11);
  EXPECT_NEAR(record.at(1, "strain-gauge.between"), 0.03 * 0.57 * 0.01 / 20.0, 1e-11);
  EXPECT_NEAR(record.at(1, "force-torque.root.force.y"), -0.03, 1e-8);
  EXPECT_NEAR(record.at(1, "force-torque.root.moment.z"), -0.03 * 0.8, 1e-8);
}

class Thrower : public SampledSystem {
 public:
  void sample(double t, std::span<const double>, std::span<double>) override {
    if (t > 0.05) throw std::runtime_error("the cable is off");
  }
};

TEST(SampledControl, WhatAControllerThrowsEndsTheRunAndComesThrough) {
  Model model = load_model_text(wheel("sample: 0.01, gain: [[5, 1]]", "run: {until: 1}\n"), "model.yaml");
  model.sampled_controllers[0].begin = [](const ControlSite&) { return std::make_unique<Thrower>(); };
  MemoryRecord record;
  EXPECT_THROW(run_simulation(model, record), std::runtime_error);
  EXPECT_GT(record.rows(), 3u);
}

}  // namespace
}  // namespace lithe::testing
