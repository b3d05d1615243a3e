// Controllers in continuous time in runs and linear models, against matrix exponentials of loops that are written out here.

#include "lithe/simulation/continuous_control.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/linear_model.hpp"
#include "lithe/simulation/sampled_loop.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

MemoryRecord continuous_run(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

MemoryRecord continuous_run(const std::string& text) { return continuous_run(load_model_text(text, "model.yaml")); }

/// A wheel of inertia 1 (kg m^2) on its motor: q'' = u.
std::string free_wheel(const std::string& controllers, const std::string& rest = "") {
  return "lithe: 1\nlinks: {wheel: {rigid: {mass: 1, inertia: [0, 0, 1]}}}\n"
         "joints: {pin: {revolute: z, from: ground, to: wheel, actuated: true}}\ninitial: {pin: 1}\n"
         "sensors: {angle: {encoder: pin}, rate: {tachometer: pin}}\ncontrollers:\n" +
         controllers +
         "run: {until: 1, every: 0.05, integrator: dopri, rtol: 1.0e-11}\n"
         "record: [coordinates, control, controller-states]\n" +
         rest;
}

/// x(t) = exp(A t) x(0), by eigenvectors.
VectorX flown(const MatrixX& A, const VectorX& start, double t) {
  const Eigen::EigenSolver<MatrixX> solver(A);
  const Eigen::VectorXcd amounts = solver.eigenvectors().fullPivLu().solve(start.cast<std::complex<double>>());
  return (solver.eigenvectors() * ((solver.eigenvalues() * t).array().exp() * amounts.array()).matrix()).real();
}

void expect_poles(const std::vector<std::complex<double>>& found, const MatrixX& expected, double tolerance = 1e-7) {
  const Eigen::VectorXcd wanted = expected.eigenvalues();
  ASSERT_EQ(std::ssize(found), wanted.size());
  for (const std::complex<double>& pole : wanted) {
    double nearest = 1e300;
    for (const std::complex<double>& other : found) nearest = std::min(nearest, std::abs(other - pole));
    EXPECT_LT(nearest, tolerance * (1 + std::abs(pole))) << pole;
  }
}

// A law with a state z and a motor that lags: z' = -40 z + q + 0.1 v, u = -300 z - 5 q - v, 0.02 f' = u - f, q'' = f.
const char* const linear_law =
    "  loop: {drives: pin, inputs: [angle, rate], lag: 0.02, "
    "state-space: {A: [[-40]], B: [[1, 0.1]], C: [[-300]], D: [[-5, -1]]}}\n";

MatrixX linear_loop() {
  MatrixX A(4, 4);  // q, v, z, f
  A << 0, 1, 0, 0, 0, 0, 0, 1, 1, 0.1, -40, 0, -250, -50, -15000, -50;
  return A;
}

TEST(ContinuousControl, MotionAndStatesAreThoseOfTheLoop) {
  const MemoryRecord record = continuous_run(free_wheel(linear_law));
  VectorX start(4);
  start << 1, 0, 0, 0;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const VectorX expected = flown(linear_loop(), start, record.at(row, "t"));
    EXPECT_NEAR(record.at(row, "q.pin"), expected[0], 1e-9) << row;
    EXPECT_NEAR(record.at(row, "control.loop.state.1"), expected[2], 1e-9) << row;
    EXPECT_NEAR(record.at(row, "control.loop.state.2"), expected[3], 1e-8) << row;
    EXPECT_NEAR(record.at(row, "control.loop.pin"), expected[3], 1e-8) << row;
    EXPECT_NEAR(record.at(row, "encoder.angle"), expected[0], 1e-9) << row;
  }
}

TEST(ContinuousControl, IsPartOfTheLinearModel) {
  const Model model = load_model_text(free_wheel(linear_law), "model.yaml");
  OperatingPoint point(model), open(model, {{}, false, Motors::loaded, true});
  const LinearModel linear = linear_model(point);
  expect_poles(linear.poles, linear_loop());
  ASSERT_EQ(linear.states.size(), 4u);
  EXPECT_EQ(linear.states[2].name, "control.loop.state.1");
  EXPECT_EQ(linear_model(open).states.size(), 2u);
  // A constant torque of 1 turns the wheel until the law holds it: (300/40 + 5) q = 1.
  const StateSpace whole = state_space(linear);
  const VectorX rest = -MatrixX(whole.A).fullPivLu().solve(VectorX(whole.B.col(0)));
  EXPECT_NEAR(rest[0], 1 / 12.5, 1e-9);
}

// u = kp e + s + kd w (e - z), s' = ki e, z' = w (e - z), e = -q.
TEST(ContinuousControl, PidIsItsEquations) {
  const double kp = 50, ki = 60, kd = 8, w = 2 * std::numbers::pi * 20;
  const std::string text =
      free_wheel("  loop: {drives: pin, pid: {measure: angle, follow: 0, kp: 50, ki: 60, kd: 8, filter: 20}}\n");
  MatrixX A(4, 4);  // q, v, s, z
  A << 0, 1, 0, 0, -kp - kd * w, 0, 1, -kd * w, -ki, 0, 0, 0, -w, 0, 0, -w;
  VectorX start(4);
  start << 1, 0, 0, -1;  // the derivative begins with the error that it finds
  const MemoryRecord record = continuous_run(text);
  for (std::size_t row = 0; row < record.rows(); ++row)
    EXPECT_NEAR(record.at(row, "q.pin"), flown(A, start, record.at(row, "t"))[0], 1e-9) << row;
  const Model model = load_model_text(text, "model.yaml");
  OperatingPoint point(model);
  expect_poles(linear_model(point).poles, A);
}

// notch, low-pass and lead-lag in front of the wheel: their transfer functions, one after the other.
TEST(ContinuousControl, FiltersBehindALaw) {
  const Model model = load_model_text(
      free_wheel("  loop:\n    drives: pin\n    inputs: [angle, rate]\n    gain: [[30, 9]]\n    filters: [{notch: "
                 "{frequency: 3, "
                 "width: 0.4, depth: 0.1}}, {low-pass: {frequency: 15}}, {lead-lag: {zero: 2, pole: 9, gain: 1.5}}]\n"),
      "model.yaml");
  OperatingPoint point(model);
  // At each pole s of the loop s^2 + (30 + 9 s) F(s) = 0.
  for (const std::complex<double>& s : linear_model(point).poles) {
    const double n = 2 * std::numbers::pi * 3, l = 2 * std::numbers::pi * 15, zero = 2 * std::numbers::pi * 2,
                 pole = 2 * std::numbers::pi * 9;
    const std::complex<double> up = (s * s + 0.2 * n * s + n * n) * (l * l) * 1.5 * (1.0 + s / zero),
                               down = (s * s + 0.8 * n * s + n * n) * (s * s + std::numbers::sqrt2 * l * s + l * l) *
                                      (1.0 + s / pole);
    const std::complex<double> sum = s * s * down + (30.0 + 9.0 * s) * up;
    EXPECT_LT(std::abs(sum), 1e-6 * (std::abs(s * s * down) + std::abs((30.0 + 9.0 * s) * up))) << s;
  }
}

// What an accelerometer tells comes with the forces. Behind a lag it may be fed back: m a = f, 0.05 f' = -3 a - 2 q - f.
TEST(ContinuousControl, AccelerationsBehindALag) {
  const std::string text = R"(
lithe: 1
gravity: [0, 0, 0]
links: {car: {rigid: {mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: car, actuated: true}}
initial: {rail: 0.3}
sensors: {shake: {accelerometer: car/origin}, place: {encoder: rail}}
controllers:
  soft: {drives: rail, inputs: [shake.x, place], gain: [[3, 2]]LAG}
run: {until: 2, every: 0.1, integrator: dopri, rtol: 1.0e-11}
)";
  const auto with = [&](const std::string& lag) {
    std::string all = text;
    return load_model_text(all.replace(all.find("LAG"), 3, lag), "model.yaml");
  };
  MatrixX A(3, 3);
  A << 0, 1, 0, 0, 0, 0.5, -2 / 0.05, 0, -(1 + 1.5) / 0.05;
  VectorX start(3);
  start << 0.3, 0, 0;
  const Model model = with(", lag: 0.05");
  const MemoryRecord record = continuous_run(model);
  for (std::size_t row = 0; row < record.rows(); ++row)
    EXPECT_NEAR(record.at(row, "q.rail"), flown(A, start, record.at(row, "t"))[0], 1e-9) << row;
  OperatingPoint point(model);
  expect_poles(linear_model(point).poles, A);
  MemoryRecord none;
  try {
    run_simulation(with(""), none);
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(),
                 "controller 'soft': 'shake.x' depends on the forces of the same instant, which depend on it; give the "
                 "controller a sample time, a 'lag', or a low-pass filter");
  }
}

// Off until 0.3 s, on until 0.8 s: free turning (q = 1 + 0.5 t), the loop, free turning.
TEST(ContinuousControl, IsSwitchedAtItsTimes) {
  const MemoryRecord record =
      continuous_run(free_wheel("  loop: {drives: pin, inputs: [angle], from: 0.3, until: 0.8, "
                                "state-space: {A: [[-9]], B: [[4]], C: [[-2]], D: [[-7]]}}\nspeeds: {pin: 0.5}\n"));
  MatrixX A(3, 3);
  A << 0, 1, 0, -7, 0, -2, 4, 0, -9;
  VectorX begun(3);
  begun << 1 + 0.5 * 0.3, 0.5, 0;
  const VectorX left = flown(A, begun, 0.5);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t");
    double expected = 1 + 0.5 * t;
    if (t > 0.3) expected = flown(A, begun, t - 0.3)[0];
    if (t > 0.8) expected = left[0] + left[1] * (t - 0.8);
    EXPECT_NEAR(record.at(row, "q.pin"), expected, 1e-9) << t;
  }
}

// An event starts it when the wheel comes to 1.2 rad (0.4 s), another stops it 0.3 s later; sampled ones likewise.
TEST(ContinuousControl, EventsSwitchControllers) {
  const std::string events =
      "speeds: {pin: 0.5}\nevents: {met: {when: {rises: q.pin - 1.2}, do: {start: loop}}, "
      "done: {when: {after: met, delay: 0.3}, do: {stop: loop}}}\n";
  MatrixX A(2, 2);
  A << 0, 1, -20, -3;
  Eigen::Vector2d begun(1.2, 0.5);
  const MemoryRecord record =
      continuous_run(free_wheel("  loop: {drives: pin, inputs: [angle, rate], gain: [[20, 3]]}\n", events));
  const VectorX left = flown(A, begun, 0.3);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t");
    double expected = 1 + 0.5 * t;
    if (t > 0.4) expected = flown(A, begun, t - 0.4)[0];
    if (t > 0.7) expected = left[0] + left[1] * (t - 0.7);
    EXPECT_NEAR(record.at(row, "q.pin"), expected, 1e-8) << t;
  }

  const double h = 0.03;
  const MemoryRecord sampled = continuous_run(
      free_wheel("  loop: {drives: pin, inputs: [angle, rate], gain: [[20, 3]], sample: 0.03}\n", events));
  double angle = 1.2, rate = 0.5;  // samples count from the event: at 0.7 s, when it ends, ten of them have been taken
  for (int k = 0; k < 10; ++k) {
    const double u = -20 * angle - 3 * rate;
    angle += h * rate + 0.5 * h * h * u;
    rate += h * u;
  }
  EXPECT_NEAR(sampled.at(14, "q.pin"), angle, 1e-8);
  EXPECT_NEAR(sampled.at(20, "q.pin"), angle + 0.3 * rate, 1e-8);
  EXPECT_EQ(sampled.at(20, "control.loop.pin"), 0.0);
  EXPECT_EQ(sampled.at(4, "control.loop.pin"), 0.0);
}

// A run from the state in which another one was at 0.5 s, memory of the controller included, goes on as that one did.
TEST(ContinuousControl, GoesOnFromARecordedState) {
  for (const char* law : {"pid: {measure: angle, follow: 0, kp: 50, ki: 60, kd: 8, filter: 20}",
                          "sample: 0.01, pid: {measure: angle, follow: 0, kp: 50, ki: 60, kd: 8, filter: 20}, filters: "
                          "[{low-pass: {frequency: 20}}]"}) {
    Model model = load_model_text(free_wheel(fmt::format("  loop: {{drives: pin, {}}}\n", law)), "model.yaml");
    const MemoryRecord whole = continuous_run(model);
    std::vector<double> memory;
    for (const std::string& column : whole.columns())
      if (column.starts_with("control.loop.state.")) memory.push_back(whole.at(10, column));
    ASSERT_GE(memory.size(), 2u);
    model.run.from = 0.5;
    model.initial = {{"pin", 0, whole.at(10, "q.pin")}};
    model.initial_speeds = {{"pin", 0, whole.at(10, "v.pin")}};
    for (SampledController& each : model.sampled_controllers) each.memory = memory;
    for (ContinuousController& each : model.continuous_controllers) each.memory = memory;
    const MemoryRecord rest = continuous_run(model);
    // The memory of a sampled one that acts at 0.5 s is recorded before it acts.
    for (std::size_t row = 0; row < rest.rows(); ++row)
      EXPECT_NEAR(rest.at(row, "q.pin"), whole.at(row + 10, "q.pin"), 1e-9) << law << row;
  }
}

// An elastic arm: with the pull of gravity, turning, under its PID. Whoever integrates it, and within its limit.
TEST(ContinuousControl, ResultsDoNotDependOnTheIntegrator) {
  std::vector<double> reference;
  for (const char* run : {"integrator: dopri, rtol: 1.0e-10", "integrator: bdf, rtol: 1.0e-10, atol: 1.0e-12",
                          "integrator: rk4, step: 1.0e-5", "integrator: auto, rtol: 1.0e-10, atol: 1.0e-12"}) {
    const MemoryRecord record = continuous_run(fmt::format(R"(
lithe: 1
gravity: [0, -9.81, 0]
links: {{arm: {{beam: {{length: 1, EI: 50, mass: 0.6}}, modes: {{count: 2}}}}}}
joints: {{pin: {{revolute: z, from: ground, to: arm, actuated: true, armature: 0.05}}}}
drives: {{pin: {{follow: {{cycloid: {{from: 0, to: 0.8, in: 0.4}}}}, by: [rigid-inverse-dynamics, controllers]}}}}
sensors: {{angle: {{encoder: pin}}}}
controllers:
  loop: {{drives: pin, pid: {{measure: angle, kp: 60, ki: 100, kd: 3, filter: 100}}, limit: 0.5}}
run: {{until: 0.6, every: 0.01, {}}}
record: [coordinates, control]
)",
                                                           run));
    const std::vector<double> q = record.column("q.pin");
    if (reference.empty()) reference = q;
    double most = 0.0;
    for (std::size_t row = 0; row < record.rows(); ++row) {
      EXPECT_NEAR(q[row], reference[row], 1e-6) << run << " " << row;
      most = std::max(most, std::abs(record.at(row, "control.loop.pin")));
    }
    EXPECT_LE(most, 0.5);
    EXPECT_GT(most, 0.49);  // it is reached
  }
}

/// Elastic coordinates of the arm that has settled in its motion, by Newton's method.
VectorX settled_arm(const Model& model, double t) {
  OperatingPoint point(model, {t, false, Motors::loaded});
  const ElasticPlace& place = point.plan().elastic_places()[1];
  return point.state().q.segment(place.q, place.count);
}

// What is wanted of an elastic coordinate is how the motion bends the link at rest in it: a law whose gain is one tells it. The arm is
// stiff, so that terms of the spin are small: (4 rad/s)^2 over the square of its first frequency, 1e6.
TEST(ContinuousControl, WantedBendingIsThatOfTheMotion) {
  const Model model = load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links: {arm: {beam: {length: 1, EI: 50000, mass: 0.6}, modes: {count: 2}}}
joints: {pin: {revolute: z, from: ground, to: arm, actuated: true}}
drives: {pin: {follow: {cycloid: {from: 0, to: 0.8, in: 0.4}}, by: [rigid-inverse-dynamics, controllers]}}
sensors: {bend: {encoder: arm.e1}}
controllers:
  loop: {drives: pin, inputs: [bend, {of: bend, wanted: arm.e1}], gain: [[-1, 1]]}
run: {until: 0.4, every: 0.05, integrator: dopri}
record: [coordinates, control]
)",
                                      "model.yaml");
  const MemoryRecord record = continuous_run(model);  // the law gives bend - (bend - wanted)
  for (std::size_t row = 1; row < record.rows(); ++row) {
    const double expected = settled_arm(model, record.at(row, "t"))[0];
    EXPECT_NEAR(record.at(row, "control.loop.pin"), expected, 1e-4 * std::abs(settled_arm(model, 0.05)[0])) << row;
  }
}

TEST(ContinuousControl, RefusesWhatOnlySamplesKnow) {
  const auto refused = [](const std::string& text) {
    MemoryRecord record;
    try {
      run_simulation(load_model_text(text, "model.yaml"), record);
    } catch (const MechanismError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string noisy = free_wheel("  loop: {drives: pin, inputs: [angle], gain: [[1]]}\n");
  noisy.replace(noisy.find("{encoder: pin}"), 14, "{encoder: pin, noise: 0.1}");
  EXPECT_EQ(
      refused(noisy),
      "controller 'loop': it acts in continuous time, but sensor 'angle' has samples, delay, noise or resolution; give "
      "the controller a sample time");
  std::string memory = free_wheel("  loop: {drives: pin, inputs: [angle], gain: [[1]], state: [1, 2]}\n");
  EXPECT_EQ(refused(memory), "controller 'loop': it has 0 states, but 2 are given");
  std::string ida = free_wheel(linear_law);
  ida.replace(ida.find("dopri"), 5, "ida");
  EXPECT_EQ(refused(ida),
            "integrator 'ida' does not know the states of controllers in continuous time; take another integrator");
}

}  // namespace
}  // namespace lithe::testing
