// Small motions with sampled controllers: recursions in closed form, and the decay of runs.

#include "lithe/simulation/sampled_loop.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

std::string loop_wheel(const std::string& controllers) {
  return R"(
lithe: 1
links: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}}}
joints: {pin: {revolute: z, from: ground, to: wheel, actuated: true}}
initial: {pin: 0.01}
sensors: {angle: {encoder: pin}, rate: {tachometer: pin}}
controllers:
)" + controllers;
}

StateSpace loop_of(const Model& model) {
  OperatingPoint point(model);
  return sampled_loop(point);
}

/// Sizes of the eigenvalues, largest first.
std::vector<double> sizes_of(const MatrixX& A) {
  const VectorX sizes = A.eigenvalues().cwiseAbs();
  std::vector<double> list(sizes.begin(), sizes.end());
  std::sort(list.rbegin(), list.rend());
  return list;
}

void expect_same_poles(const StateSpace& loop, const MatrixX& expected) {
  const std::vector<double> found = sizes_of(loop.A), wanted = sizes_of(expected);
  ASSERT_GE(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], i < wanted.size() ? wanted[i] : 0.0, 1e-6) << i;
}

// The wheel over one sample under constant u: q + h v + h^2 u/2, v + h u.
TEST(SampledLoop, OfAWheel) {
  const double h = 0.02, kp = 30.0, kd = 4.0;
  const Model model = load_model_text(
      loop_wheel("  loop: {drives: pin, sample: 0.02, inputs: [angle, rate], gain: [[30, 4]]}\n"), "wheel.yaml");
  MatrixX step(2, 2);
  step << 1 - 0.5 * h * h * kp, h - 0.5 * h * h * kd, -h * kp, 1 - h * kd;
  const StateSpace loop = loop_of(model);
  EXPECT_EQ(loop.sample, h);
  expect_same_poles(loop, step);
}

// One sample late: the last force is a state.
TEST(SampledLoop, OfAWheelOneSampleLate) {
  const double h = 0.02;
  const Model model = load_model_text(
      loop_wheel("  loop: {drives: pin, sample: 0.02, delay: 0.02, inputs: [angle, rate], gain: [[30, 4]]}\n"),
      "wheel.yaml");
  MatrixX step(3, 3);
  step << 1, h, 0.5 * h * h, 0, 1, h, -30, -4, 0;
  expect_same_poles(loop_of(model), step);
}

// Late by a part of a sample: the plant of sample(), which is derived otherwise.
TEST(SampledLoop, OfAWheelLateByPartsOfSamples) {
  for (const double delay : {0.005, 0.027, 0.051}) {
    const Model model = load_model_text(
        loop_wheel(fmt::format(
            "  loop: {{drives: pin, sample: 0.02, delay: {}, inputs: [angle, rate], gain: [[30, 4]]}}\n", delay)),
        "wheel.yaml");
    MatrixX A(2, 2), B(2, 1), K(1, 2);
    A << 0, 1, 0, 0;
    B << 0, 1;
    K << 30, 4;
    const StateSpace plant = sample({A, B, MatrixX::Identity(2, 2), MatrixX::Zero(2, 1), 0.0, {}, {}, {}}, 0.02, delay);
    MatrixX whole = MatrixX::Zero(1, plant.A.rows());
    whole.leftCols(2) = K;
    expect_same_poles(loop_of(model), state_feedback(plant, whole).A);
  }
}

// Two controllers, one half as often: two steps of the recursion, the slow one holds its force.
TEST(SampledLoop, OfTwoSampleTimes) {
  const double h = 0.01;
  const Model model =
      load_model_text(loop_wheel("  fast: {drives: pin, sample: 0.01, inputs: [rate], gain: [[6]]}\n"
                                 "  slow: {drives: pin, sample: 0.02, inputs: [angle], gain: [[40]]}\n"),
                      "wheel.yaml");
  const StateSpace loop = loop_of(model);
  EXPECT_EQ(loop.sample, 0.02);
  MatrixX first(3, 3), second(3, 3);  // angle, rate, force of the slow one
  first << 1 - 0.5 * h * h * 40, h - 0.5 * h * h * 6, 0, -h * 40, 1 - h * 6, 0, -40, 0, 0;
  second << 1, h - 0.5 * h * h * 6, 0.5 * h * h, 0, 1 - h * 6, h, 0, 0, 1;
  expect_same_poles(loop, second * first);
}

const char* const elastic_loop = R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, EI: 50, mass: 0.6}, modes: {count: 2}, damping: {ratio: 0.002}}
joints: {pin: {revolute: z, from: ground, to: arm, actuated: true, armature: 0.1}}
initial: {pin: -90 deg}
sensors: {angle: {encoder: pin}}
controllers:
  loop:
    {sample: 0.002, delay: 0.001, drives: pin, lag: 0.001,
     pid: {measure: angle, follow: -90 deg, kp: 25, ki: 10, kd: 1.5, filter: 60},
     filters: [{notch: {frequency: 60, width: 0.7, depth: 0.3}}]}
)";

// A hanging elastic arm under PID with filter, notch, delay and lag: the slowest vibration of the loop, by its poles, and the
// decay of a run from a small deflection. What is compared is the slope of the logarithm of the peaks.
TEST(SampledLoop, DecaysAsItsPolesSay) {
  const Model model = load_model_text(
      std::string(elastic_loop) + "run: {integrator: dopri, rtol: 1.0e-9, atol: 1.0e-12}\n", "arm.yaml");
  const StateSpace loop = loop_of(model);
  EXPECT_TRUE(is_stable(loop));
  // The lowest vibration with an elastic part rings longest.
  double decay = 1e9, frequency = 0.0;
  for (const Pole& pole : poles(loop))
    if (pole.rate.imag() > 20.0 && -pole.rate.real() < decay) {
      decay = -pole.rate.real();
      frequency = pole.rate.imag();
    }
  Model run = model;
  run.initial_elastic = {{"arm", 0, 1e-4}};
  run.run.until = 8.0;
  run.run.every = 1e-3;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(run, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const std::vector<double> t = record.column("t"), e = record.column("v.arm.e1");
  std::vector<std::pair<double, double>> peaks;
  for (std::size_t k = 1; k + 1 < t.size(); ++k)
    if (t[k] > 4.0 && std::abs(e[k]) >= std::abs(e[k - 1]) && std::abs(e[k]) > std::abs(e[k + 1])) {
      const double a = std::abs(e[k - 1]), b = std::abs(e[k]), c = std::abs(e[k + 1]);
      peaks.emplace_back(t[k], b - 0.125 * (a - c) * (a - c) / (a - 2 * b + c));
    }
  ASSERT_GT(peaks.size(), 10U);
  const auto [t0, first] = peaks.front();
  const auto [t1, last] = peaks.back();
  EXPECT_NEAR(std::log(first / last) / (t1 - t0) / decay, 1.0, 0.01);
  EXPECT_NEAR(3.14159265358979 * static_cast<double>(peaks.size() - 1) / (t1 - t0) / frequency, 1.0, 0.002);
}

TEST(SampledLoop, NeedsControllers) {
  const Model model = load_model_text(
      "lithe: 1\nlinks: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}}}\n"
      "joints: {pin: {revolute: z, from: ground, to: wheel, actuated: true}}\n",
      "wheel.yaml");
  OperatingPoint point(model);
  EXPECT_THROW(sampled_loop(point), MechanismError);
}

}  // namespace
}  // namespace lithe::testing
