// Operating points and linear models against closed forms and against differences of the nonlinear equations.

#include "lithe/simulation/operating_point.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/dynamics/forward.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/linear_model.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

constexpr double g = 9.81;

Model from_text(const std::string& text) { return load_model_text("lithe: 1\n" + text, "model.yaml"); }

/// A point mass of 2 kg on a rod of 0.5 m; the angle counts from hanging.
Model held_pendulum(const std::string& angle, const std::string& drive = "") {
  return from_text(
      "gravity: [0, -9.81, 0]\n"
      "links: {arm: {rigid: {mass: 2, centre: [0, -0.5, 0]}, frames: {bob: [0, -0.5, 0]}}}\n"
      "joints: {hinge: {revolute: z, from: ground/origin, to: arm/origin, actuated: true}}\n"
      "initial: {hinge: " +
      angle + "}\nloads: {push: {at: arm/bob, force: [0, 0, 0]}}\nrecord: [coordinates, frames: [arm/bob]]\n" + drive);
}

Eigen::Index place(const std::vector<LinearModel::Signal>& signals, const std::string& name) {
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (signals[i].name == name) return static_cast<Eigen::Index>(i);
  ADD_FAILURE() << "no signal " << name;
  return 0;
}

// Small motions know no stops and no dry friction; who asks for them there is told so.
TEST(OperatingPoint, SaysThatStopsAndDryFrictionAreLeftOut) {
  const std::string cart =
      "gravity: [-9.81, 0, 0]\n"
      "links: {cart: {rigid: {mass: 2}}, load: {rigid: {mass: 1}}}\n"
      "joints:\n"
      "  rail: {prismatic: x, from: ground, to: cart, spring: {stiffness: 50}, stops: {lower: -0.5887}, friction: "
      "{coulomb: 1}}\n"
      "  hook: {prismatic: y, from: cart, to: load, spring: {stiffness: 20}, friction: {coulomb: 1%}, stops: {lower: "
      "-1, upper: 1}}\n";
  const auto notes_of = [&](const std::string& lower, const std::string& creep) {
    std::string text = cart;
    text.replace(text.find("-0.5887"), 7, lower);
    text.replace(text.find('%'), 1, creep);
    const Model model = from_text(text);
    return OperatingPoint(model).remarks().notes;
  };
  // At rest 3 g/50 below: the stop is there, or out of reach.
  EXPECT_EQ(
      notes_of("-3*9.81/50", ""),
      std::vector<std::string>{"small motions are those without the stop on which joint 'rail' rests, the dry friction "
                               "that can hold joint 'rail', the dry friction that can hold joint 'hook'"});
  EXPECT_EQ(notes_of("-2", ", creep: 0.1"),
            std::vector<std::string>{"small motions are those without the dry friction that can hold joint 'rail'"});
  const Model smooth = held_pendulum("0.3");
  EXPECT_TRUE(OperatingPoint(smooth).remarks().notes.empty());
}

// J theta'' = tau - m g l sin(theta) + F . (l cos, l sin) with J = m l^2, at angles below and above the horizontal.
TEST(OperatingPoint, MotorHoldsAPendulumAtAnAngle) {
  for (const double angle : {0.0, 0.7, 2.0, -2.9}) {
    const Model model = held_pendulum(std::to_string(angle));
    OperatingPoint point(model);
    EXPECT_TRUE(point.remarks().warnings.empty());
    EXPECT_NEAR(point.state().q[0], angle, 1e-12);
    EXPECT_NEAR(point.actions().tau[0], 2 * g * 0.5 * std::sin(angle), 1e-9);
    const LinearModel linear = linear_model(point);
    ASSERT_EQ(linear.states.size(), 2u);
    EXPECT_EQ(linear.states[0].name, "q.hinge");
    EXPECT_EQ(linear.states[1].name, "v.hinge");
    const MatrixX A{{0, 1}, {-g / 0.5 * std::cos(angle), 0}};
    EXPECT_LT((linear.A - A).cwiseAbs().maxCoeff(), 1e-8) << linear.A;
    EXPECT_NEAR(linear.B(1, place(linear.inputs, "tau.hinge")), 1 / 0.5, 1e-12);
    EXPECT_NEAR(linear.B(1, place(linear.inputs, "load.push.force.x")), 0.5 * std::cos(angle) / 0.5, 1e-12);
    EXPECT_NEAR(linear.B(1, place(linear.inputs, "load.push.force.y")), 0.5 * std::sin(angle) / 0.5, 1e-12);
    EXPECT_NEAR(linear.B(1, place(linear.inputs, "load.push.moment.z")), 1 / 0.5, 1e-12);
    EXPECT_NEAR(linear.C(place(linear.outputs, "pos.arm.bob.x"), 0), 0.5 * std::cos(angle), 1e-10);
    EXPECT_NEAR(linear.C(place(linear.outputs, "pos.arm.bob.y"), 0), 0.5 * std::sin(angle), 1e-10);
    EXPECT_NEAR(linear.C(place(linear.outputs, "v.hinge"), 1), 1.0, 1e-12);
    EXPECT_NEAR(linear.C(place(linear.outputs, "a.hinge"), 0), A(1, 0), 1e-8);
    EXPECT_NEAR(linear.D(place(linear.outputs, "a.hinge"), place(linear.inputs, "tau.hinge")), 2.0, 1e-12);
    EXPECT_NEAR(linear.D(place(linear.outputs, "tau.hinge"), place(linear.inputs, "tau.hinge")), 1.0, 1e-12);
  }
}

// Half a turn is where rotation vectors change sign.
TEST(OperatingPoint, RotationVectorsNearHalfATurn) {
  const Model model = held_pendulum("180 deg");
  OperatingPoint point(model);
  const LinearModel linear = linear_model(point, {"rot.arm.bob.*"});
  ASSERT_EQ(linear.outputs.size(), 3u);
  EXPECT_NEAR(std::abs(linear.C(2, 0)), 1.0, 1e-9);
}

TEST(OperatingPoint, ProportionalDerivativeDrivesArePartOfTheModel) {
  const Model model = held_pendulum("0.7", "drives: {hinge: {follow: 0.7, by: pd, kp: 40, kd: 3}}\n");
  OperatingPoint point(model);
  // The motor holds the pose; without a feed-forward the spring of the drive alone would let it sag.
  EXPECT_NEAR(point.state().q[0], 0.7, 1e-12);
  const LinearModel linear = linear_model(point);
  EXPECT_NEAR(linear.A(1, 0), -g / 0.5 * std::cos(0.7) - 40 / 0.5, 1e-7);
  EXPECT_NEAR(linear.A(1, 1), -3 / 0.5, 1e-9);
  // Modes: the drive is a spring, and its damping ratio is c / (2 J w).
  OperatingPoint servo(model, {.motors = Motors::servo});
  const NaturalModes modes = servo.modes();
  const double omega = std::sqrt(g / 0.5 * std::cos(0.7) + 40 / 0.5);
  ASSERT_EQ(modes.frequencies.size(), 1);
  EXPECT_NEAR(2 * M_PI * modes.frequencies[0], omega, 1e-8);
  EXPECT_NEAR(damping_ratios(servo.linear(), modes)[0], 3 / (2 * 0.5 * omega), 1e-8);
  OperatingPoint locked(model, {.motors = Motors::locked});
  EXPECT_TRUE(locked.linear().speeds.empty());
}

// Too much damping: J s^2 + c s + k = 0 has two real roots, and the pendulum creeps back without a swing.
TEST(OperatingPoint, OverdampedModesHaveTwoTimeConstants) {
  const double inertia = 0.5, stiffness = 2 * g * 0.5 + 40, damping = 60;
  const Model model = held_pendulum("0", "drives: {hinge: {follow: 0, by: pd, kp: 40, kd: 60}}\n");
  OperatingPoint point(model, {.motors = Motors::servo});
  const std::vector<DampedMode> damped = damped_modes(point.linear(), point.modes());
  ASSERT_EQ(damped.size(), 1u);
  const double ratio = damping / (2 * std::sqrt(stiffness * inertia)),
               root = std::sqrt(damping * damping - 4 * inertia * stiffness);
  EXPECT_GT(ratio, 5);
  EXPECT_NEAR(damped[0].ratio, ratio, 1e-7);
  EXPECT_FALSE(damped[0].oscillates());
  const std::vector<double> constants = damped[0].time_constants();
  ASSERT_EQ(constants.size(), 2u);
  EXPECT_NEAR(constants[0], 2 * inertia / (damping - root), 1e-7);
  EXPECT_NEAR(constants[1], 2 * inertia / (damping + root), 1e-9);
  EXPECT_NEAR(damped[0].poles[0].real(), -1 / constants[0], 1e-12);
}

// No damping at all: the ratio is zero, not what rounding makes of it; also beside a mode that is damped too much.
TEST(OperatingPoint, UndampedModesHaveTheRatioZero) {
  const Model model = from_text(
      "gravity: [0, -9.81, 0]\n"
      "links:\n"
      "  first: {rigid: {mass: 2, centre: [0, -0.5, 0]}}\n"
      "  second: {rigid: {mass: 3, centre: [0, -0.7, 0]}}\n"
      "joints:\n"
      "  damped: {revolute: z, from: ground, to: first, damping: 40}\n"
      "  free: {revolute: z, from: ground, to: second}\n");
  OperatingPoint point(model, {.motors = Motors::servo});
  const NaturalModes modes = point.modes();
  const std::vector<DampedMode> damped = damped_modes(point.linear(), modes);
  ASSERT_EQ(damped.size(), 2u);
  EXPECT_NEAR(2 * M_PI * modes.frequencies[0], std::sqrt(g / 0.7), 1e-8);
  EXPECT_EQ(damped[0].ratio, 0.0);
  EXPECT_TRUE(damped[0].oscillates());
  EXPECT_TRUE(damped[0].time_constants().empty());
  EXPECT_NEAR(damped[1].ratio, 40 / (2 * 0.5 * std::sqrt(g / 0.5)), 1e-7);
  EXPECT_FALSE(damped[1].oscillates());
}

// A law in code is feedback too: here a spring of 10 N m/rad and a damper.
TEST(OperatingPoint, LawsInCodeArePartOfTheModel) {
  Model model = held_pendulum("0.3");
  Drive drive;
  drive.joint = "hinge";
  drive.law = [](double, double q, double v) { return -10 * q - 0.5 * v + 7; };
  model.drives.push_back(drive);
  OperatingPoint point(model);
  EXPECT_NEAR(point.actions().tau[0], 2 * g * 0.5 * std::sin(0.3), 1e-9);
  const LinearModel linear = linear_model(point);
  EXPECT_NEAR(linear.A(1, 0), -g / 0.5 * std::cos(0.3) - 10 / 0.5, 1e-7);
  EXPECT_NEAR(linear.A(1, 1), -0.5 / 0.5, 1e-9);
}

// A mass m slides on an arm that turns with W: m r^2 theta'' + 2 m r r' theta' = tau, m (r'' - r theta'^2) = F. About
// constant r and W: theta'' = -(2 W / r) r', r'' = W^2 r + 2 r W theta'; the motor of the slide pulls with -m r W^2.
TEST(OperatingPoint, AlongAMotionSpeedsCount) {
  const Model model = from_text(
      "links:\n"
      "  arm: {rigid: {mass: 0, inertia: [0, 0, 0]}}\n"
      "  bead: {rigid: {mass: 3}}\n"
      "joints:\n"
      "  turn: {revolute: z, from: ground/origin, to: arm/origin, actuated: true}\n"
      "  slide: {prismatic: x, from: arm/origin, to: bead/origin, actuated: true}\n"
      "drives: {turn: {follow: 4*t}, slide: {follow: 0.6}}\n");
  OperatingPoint point(model, {.at = 0.9});
  EXPECT_TRUE(point.is_moving());
  EXPECT_NEAR(point.actions().tau[0], 0.0, 1e-9);
  EXPECT_NEAR(point.actions().tau[1], -3 * 0.6 * 16, 1e-9);
  const LinearModel linear = linear_model(point);
  const MatrixX A{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, -2 * 4 / 0.6}, {0, 16, 2 * 0.6 * 4, 0}};
  EXPECT_LT((linear.A - A).cwiseAbs().maxCoeff(), 1e-8) << linear.A;
  EXPECT_NEAR(linear.B(2, 0), 1 / (3 * 0.36), 1e-12);
  EXPECT_NEAR(linear.B(3, 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(linear.rates[0], 4.0, 1e-12);
  // Standing still there, nothing pulls.
  OperatingPoint rest(model, {.at = 0.9, .rest = true});
  EXPECT_FALSE(rest.is_moving());
  EXPECT_NEAR(rest.actions().tau.norm(), 0.0, 1e-9);
}

TEST(OperatingPoint, FreeMotorsSayWhereTheyWent) {
  const Model model = held_pendulum("0.7");
  OperatingPoint point(model, {.motors = Motors::free});
  EXPECT_NEAR(point.state().q[0], 0.0, 1e-9);
  EXPECT_TRUE(point.is_stable());
  EXPECT_NEAR(point.shift().distance, 2 * 0.5 * std::sin(0.35), 1e-9);  // a chord
  ASSERT_EQ(point.remarks().warnings.size(), 1u);
  EXPECT_EQ(point.remarks().warnings[0], "the point is far from the given pose: 'hinge' moved from 0.7 rad to " +
                                             fmt::format("{:.6g}", point.state().q[0]) +
                                             " rad, a frame by 0.3429 m; the motors are free");
  // From near the top it falls to the bottom; exactly on top it stays, and that is said.
  const Model nearly = held_pendulum("175 deg");
  EXPECT_NEAR(std::sin(OperatingPoint(nearly, {.motors = Motors::free}).state().q[0]), 0.0, 1e-9);
  EXPECT_TRUE(OperatingPoint(nearly, {.motors = Motors::free}).is_stable());
  const Model upright = held_pendulum("pi");
  OperatingPoint unstable(upright, {.motors = Motors::free});
  EXPECT_FALSE(unstable.is_stable());
  EXPECT_EQ(unstable.remarks().warnings[0], "the equilibrium that was found is unstable: a small disturbance grows");
}

// What no motor holds and what has no rest nearby is passed with its acceleration: a bead on a slope of gravity alone.
TEST(OperatingPoint, SlidingBeadHasNoRest) {
  const Model model = from_text(
      "gravity: [0, -9.81, 0]\nlinks: {bead: {rigid: {mass: 3}}}\n"
      "joints: {slide: {prismatic: y, from: ground/origin, to: bead/origin}}\n");
  OperatingPoint point(model);
  EXPECT_NEAR(point.accelerations()[0], -g, 1e-9);
  ASSERT_EQ(point.remarks().warnings.size(), 1u);
  EXPECT_EQ(point.remarks().warnings[0],
            "no motor holds 'slide', which accelerates with -9.81 m/s^2 in the given pose: the linear model is about "
            "that instant, not about rest");
}

/// A, B against central differences of the accelerations that another formulation gives.
void compare_with_differences(const Model& model, const OperatingOptions& options) {
  OperatingPoint point(model, options);
  const LinearModel linear = linear_model(point, {"q.*"});
  const Plan& plan = point.plan();
  Workspace work(plan);
  const std::vector<int>& independent = point.work().independent();
  ASSERT_TRUE(select_independent(plan, work, point.state().q, independent));
  ASSERT_EQ(work.independent(), independent);
  const auto n = std::ssize(independent);
  ASSERT_EQ(linear.A.rows(), 2 * n);
  const auto accelerations = [&](int v, double position, double speed, int motor, double force) {
    State there = point.state();
    VectorX step = VectorX::Zero(plan.nv());
    step[v] = position;
    move_coordinates(plan, step, there.q);
    EXPECT_TRUE(project_positions(plan, work, there.q, 1e-13));
    there.v[v] += speed;
    EXPECT_TRUE(complete_speeds(plan, work, there.q, there.v));
    Actions actions = point.actions();
    if (motor >= 0) actions.tau[motor] += force;
    for (const Drive& drive : model.drives) {  // proportional and derivative parts, written out
      if (drive.prescribed) continue;
      const int at = speed_index(plan, drive.joint, drive.coordinate), q = position_of_speed(plan, at);
      actions.tau[at] -= drive.kp * (there.q[q] - point.state().q[q]) + drive.kd * (there.v[at] - point.state().v[at]);
    }
    VectorX a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(forward_dynamics(plan, work, there, actions, a, {Formulation::multipliers}));
    VectorX reduced(n);
    for (Eigen::Index i = 0; i < n; ++i) reduced[i] = a[independent[i]];
    return reduced;
  };
  const auto richardson = [](double h, const auto& f) {
    const VectorX coarse = (f(h) - f(-h)) / (2 * h), fine = (f(h / 2) - f(-h / 2)) / h;
    return VectorX((4 * fine - coarse) / 3);
  };
  // Entries of the equations differ by the scales of the coordinates; compared where all are like radians.
  VectorX scale(n);
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = plan.speed_scale(independent[i]);
  const MatrixX lower = linear.A.bottomRows(n);
  const double stiffest =
      (scale.cwiseInverse().asDiagonal() * lower.leftCols(n) * scale.asDiagonal()).cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < n; ++j) {
    const int v = independent[j];
    const VectorX by_position = richardson(2e-3 * scale[j], [&](double h) { return accelerations(v, h, 0, -1, 0); });
    const VectorX by_speed = richardson(2e-2 * scale[j], [&](double h) { return accelerations(v, 0, h, -1, 0); });
    for (Eigen::Index i = 0; i < n; ++i) {
      const double ratio = scale[j] / scale[i];
      EXPECT_NEAR(lower(i, j) * ratio, by_position[i] * ratio, 1e-7 * stiffest) << i << " " << j;
      EXPECT_NEAR(lower(i, n + j) * ratio, by_speed[i] * ratio, 1e-7 * std::sqrt(stiffest)) << i << " " << j;
    }
  }
  for (std::size_t k = 0; k < point.linear().actuators.size(); ++k) {
    const int motor = point.linear().actuators[k];
    const VectorX b = 0.5 * (accelerations(0, 0, 0, motor, 1) - accelerations(0, 0, 0, motor, -1));
    const VectorX ours = linear.B.col(static_cast<Eigen::Index>(k)).tail(n);
    EXPECT_LT((ours - b).norm(), 1e-9 * b.norm());
  }
}

TEST(OperatingPoint, LinearModelsAgreeWithTheNonlinearEquations) {
  const std::string data = source_folder() + "/tests/data/robots/", examples = source_folder() + "/examples/";
  for (const std::string& file : {data + "elastic-arm.yaml", data + "excavator.yaml", data + "elastic-five-bar.yaml",
                                  examples + "flexible-3rrr.yaml", examples + "khan-6ups.yaml"}) {
    SCOPED_TRACE(file);
    const Model model = load_model(file);
    compare_with_differences(model, {});
  }
  for (const std::string& file : {data + "elastic-five-bar.yaml", examples + "flexible-3rrr.yaml"}) {
    SCOPED_TRACE(file + " along the motion");
    const Model model = load_model(file);
    compare_with_differences(model, {.at = 0.17});
  }
}

// Along a motion the links bend, and stay so: with the forces that the motors apply the elastic coordinates do not
// accelerate.
TEST(OperatingPoint, ElasticLinksAreSettledAlongTheMotion) {
  const Model model = load_model(source_folder() + "/tests/data/robots/elastic-five-bar.yaml");
  OperatingPoint point(model, {.at = 0.1});
  VectorX a = VectorX::Zero(point.plan().nv());
  ASSERT_TRUE(
      forward_dynamics(point.plan(), point.work(), point.state(), point.actions(), a, {Formulation::multipliers}));
  EXPECT_LT((a - point.accelerations()).cwiseAbs().maxCoeff(),
            1e-6 * (1 + point.accelerations().cwiseAbs().maxCoeff()));
  const int motor = speed_named(point.plan(), "motor-1");
  const Jet law = model.drives[0].follow.at(0.1);
  EXPECT_NEAR(point.state().q[motor], law.value, 1e-12);
  EXPECT_NEAR(point.state().v[motor], law.rate, 1e-12);
  EXPECT_NEAR(point.accelerations()[motor], law.second, 1e-9);
}

}  // namespace
}  // namespace lithe::testing
