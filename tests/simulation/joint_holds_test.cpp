// Dry friction and stops of joints against closed forms.

#include "lithe/simulation/joint_holds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

struct RunResult {
  MemoryRecord record;
  Audit audit;
};

RunResult simulated(const std::string& text) {
  RunResult run;
  const RunOutcome outcome = run_simulation(load_model_text(text, "model.yaml"), run.record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  run.audit = outcome.audit;
  return run;
}

/// Times of the events whose words contain `what`.
std::vector<double> times_of(const RunResult& run, const std::string& what) {
  std::vector<double> times;
  for (const RunEvent& event : run.audit.events)
    if (event.what.find(what) != std::string::npos) times.push_back(event.t);
  return times;
}

const std::string exact = "integrator: dopri, rtol: 1.0e-11, atol: 1.0e-13";
// Events follow from the integrated motion: its tolerance times the number of steps.
constexpr double event_tolerance = 1e-9;

// J q'' = -k q -+ F: half swings of duration pi sqrt(J/k) about +-F/k; each takes 2 F/k off the amplitude. Rest where
// the spring no longer overcomes F.
TEST(DryFriction, SwingsOnASpringLoseTheSameEachTimeAndComeToRest) {
  const double k = 4.0, J = 0.5 * 2 * 0.1 * 0.1, F = 0.2, start = 0.47;
  const RunResult run = simulated(R"(
lithe: 1
links: {disc: {cylinder: {radius: 0.1, length: 0.02, axis: z, mass: 2}}}
joints: {pin: {revolute: z, from: ground, to: disc, spring: {stiffness: 4}, friction: {coulomb: 0.2}}}
initial: {pin: 0.47}
run: {until: 1, every: 0.01, )" + exact +
                                  "}\n");
  const double half = std::numbers::pi * std::sqrt(J / k), step = 2 * F / k;
  const std::vector<double> stops = times_of(run, "pin");  // turns around, at last comes to rest
  EXPECT_EQ(times_of(run, "comes to rest").size(), 1u);
  const int swings = static_cast<int>(std::ceil((start - F / k) / step));  // until within F/k of the middle
  ASSERT_EQ(static_cast<int>(stops.size()), swings);
  for (int i = 0; i < swings; ++i) EXPECT_NEAR(stops[i], (i + 1) * half, event_tolerance);
  const double rest = (swings % 2 == 0 ? 1 : -1) * (start - swings * step);
  EXPECT_NEAR(run.record.column("q.pin").back(), rest, 1e-9);
  EXPECT_NEAR(run.record.column("v.pin").back(), 0.0, 1e-12);
  EXPECT_NEAR(run.record.column("hold.pin").back(), k * rest, 1e-8);  // friction holds the spring
  // All of the energy of the spring that is gone went into friction.
  EXPECT_NEAR(run.record.column("energy.dissipated").back(), 0.5 * k * (start * start - rest * rest), 1e-9);
}

// A pendulum with friction M at its hinge: over a half swing from -a to b, m g l (cos b - cos a) = -M (a + b)... the
// loss of potential energy is the work of the friction.
TEST(DryFriction, HalfSwingsOfAPendulum) {
  const double mgl = 2 * 9.81 * 0.5, M = 0.3;
  double angle = 1.2;
  const RunResult run = simulated(R"(
lithe: 1
gravity: [0, -9.81, 0]
links: {bob: {rigid: {mass: 2, centre: [0, -0.5, 0], inertia: [0.01, 0.01, 0.01]}}}
joints: {pin: {revolute: z, from: ground, to: bob, friction: {coulomb: 0.3}}}
initial: {pin: 1.2}
run: {until: 20, every: 0.01, )" + exact +
                                  "}\n");
  const std::vector<double> stops = times_of(run, "pin");
  EXPECT_EQ(times_of(run, "comes to rest").size(), 1u);
  const std::vector<double> t = run.record.column("t"), q = run.record.column("q.pin");
  ASSERT_GT(stops.size(), 5u);
  for (const double stop : stops) {
    // Newton for the other end of the swing.
    double next = angle - 2 * M / mgl;
    for (int i = 0; i < 50; ++i)
      next -= (mgl * (std::cos(next) - std::cos(angle)) - M * (angle + next)) / (-mgl * std::sin(next) - M);
    angle = next;
    const auto row = static_cast<std::size_t>(stop / 0.01);
    // Rows next to a turning point are off by a (dt)^2/2.
    if (row + 1 < q.size()) EXPECT_NEAR(std::max(std::abs(q[row]), std::abs(q[row + 1])), std::abs(angle), 2e-3);
  }
  EXPECT_LE(mgl * std::abs(std::sin(q.back())), M);  // it could not rest elsewhere
  EXPECT_NEAR(std::abs(q.back()), std::abs(angle), 1e-8);
}

// Up an incline with v0 and friction mu N: rest after v0/(g (sin + mu cos)); it stays there if tan < mu.
TEST(DryFriction, BlockOnAnIncline) {
  const auto incline = [](double degrees) {
    return simulated(R"(
lithe: 1
gravity: [0, 0, -9.81]
links: {block: {box: {size: [0.1, 0.1, 0.1], mass: 3}}}
ground: {slope: {at: [0, 0, 0], rotate: {axis: y, angle: )" +
                     std::to_string(degrees) + R"( deg}}}
joints: {slide: {prismatic: x, from: ground/slope, to: block, friction: {load: 0.4}}}
speeds: {slide: -2}
run: {until: 2, every: 0.1, )" +
                     exact + "}\n");
  };
  const double g = 9.81, mu = 0.4;
  for (const double degrees : {15.0, 35.0}) {
    const double angle = degrees * std::numbers::pi / 180, s = std::sin(angle), c = std::cos(angle);
    const RunResult run = incline(degrees);
    const double up = g * (s + mu * c), stop = 2 / up;
    ASSERT_EQ(run.audit.events.size(), 1u);
    EXPECT_EQ(run.audit.events[0].what,
              std::string("joint 'slide': ") + (std::tan(angle) < mu ? "comes to rest" : "turns around"));
    EXPECT_NEAR(run.audit.events[0].t, stop, event_tolerance);
    const double turned = -0.5 * up * stop * stop, down = std::max(0.0, g * (s - mu * c));
    EXPECT_NEAR(run.record.column("q.slide").back(), turned + 0.5 * down * (2 - stop) * (2 - stop), 1e-9);
  }
}

// A block on a spring whose other end moves with V: it sticks until the spring has F_s, slides on, sticks again. With
// A = (F_s - F_c)/k, w = sqrt(k/m): 2 A/V at rest, (2 pi - 2 atan(A w/V))/w in motion.
TEST(DryFriction, StickSlipPeriod) {
  const double k = 50, m = 2, V = 0.1, Fs = 5, Fc = 3, A = (Fs - Fc) / k, w = std::sqrt(k / m);
  const RunResult run = simulated(R"(
lithe: 1
links: {driver: {box: {size: [0.1, 0.1, 0.1], mass: 1}}, block: {box: {size: [0.1, 0.1, 0.1], mass: 2}}}
joints:
  pull: {prismatic: x, from: ground, to: driver, actuated: true}
  slide: {prismatic: x, from: ground, to: block, friction: {coulomb: 3, breakaway: 5}}
springs: {band: {from: block, to: driver, stiffness: 50}}
drives: {pull: {follow: 1 + 0.1*t, by: motion}}
initial: {slide: 1}
run: {until: 10, every: 0.05, )" + exact +
                                  "}\n");
  const double rests = 2 * A / V, slides = (2 * std::numbers::pi - 2 * std::atan(A * w / V)) / w;
  const std::vector<double> loose = times_of(run, "breaks loose"), stuck = times_of(run, "comes to rest");
  ASSERT_GE(loose.size(), 6u);
  EXPECT_NEAR(loose[0], Fs / (k * V), event_tolerance);
  for (std::size_t i = 0; i + 1 < loose.size(); ++i) {
    EXPECT_NEAR(stuck[i] - loose[i], slides, event_tolerance);
    EXPECT_NEAR(loose[i + 1] - stuck[i], rests, event_tolerance);
  }
}

// Dropped from h: impacts at t1 = sqrt(2h/g), then after 2 e^n t1 each; at rest after t1 (1 + e)/(1 - e).
TEST(HardStop, BouncesAreAtTheirTimesAndEndAtRest) {
  const RunResult run = simulated(R"(
lithe: 1
gravity: [0, 0, -10]
links: {ball: {sphere: {radius: 0.1, mass: 2}}}
joints: {drop: {prismatic: z, from: ground, to: ball, stops: {lower: 0, restitution: 0.5}}}
initial: {drop: 5}
run: {until: 4, every: 0.1, )" + exact +
                                  "}\n");
  double t = 1.0, flight = 2.0;
  const std::vector<double> hits = times_of(run, "hits its lower stop");
  ASSERT_GT(hits.size(), 14u);
  for (const double hit : hits) {
    EXPECT_NEAR(hit, t, event_tolerance);
    flight *= 0.5;
    t += flight;
  }
  EXPECT_NEAR(times_of(run, "comes to lie against its lower stop").at(0), 3.0, 1e-4);  // the last bounces are left out
  EXPECT_NEAR(run.record.column("q.drop").back(), 0.0, 1e-12);
  EXPECT_NEAR(run.record.column("hold.drop").back(), 20.0, 1e-9);  // its weight
  EXPECT_NEAR(run.record.column("energy.dissipated").back(), 100.0, 1e-8);
}

// An impact at the very time at which a law has a kink.
TEST(HardStop, ImpactAtAKinkOfALaw) {
  const RunResult run = simulated(R"(
lithe: 1
gravity: [0, 0, -10]
links: {ball: {sphere: {radius: 0.1, mass: 2}}}
joints: {drop: {prismatic: z, from: ground, to: ball, stops: {lower: 0, restitution: 0.5}}}
loads: {push: {at: ball, force: [0, 0, {table: {t: [0, 1, 2, 4], y: [0, 0, 0, 0]}}]}}
initial: {drop: 5}
run: {until: 4, every: 0.5}
)");
  EXPECT_NEAR(times_of(run, "hits").at(0), 1.0, 1e-7);  // default tolerances
  EXPECT_NEAR(times_of(run, "hits").at(1), 2.0, 1e-7);
  EXPECT_NEAR(run.record.column("q.drop").back(), 0.0, 1e-9);
}

TEST(HardStop, ImpulsePassesThroughTheMechanism) {
  // A cart with a hanging rod: stopping the cart leaves the rod its angular momentum about the hinge.
  const RunResult run = simulated(R"(
lithe: 1
links:
  cart: {box: {size: [0.1, 0.1, 0.1], mass: 1}}
  rod: {rod: {from: [0, 0, 0], to: [0, -1, 0], mass: 3}}
joints:
  rail: {prismatic: x, from: ground, to: cart, stops: {upper: 0.5}}
  hinge: {revolute: z, from: cart, to: rod}
speeds: {rail: 2}
run: {until: 0.26, every: 0.01, )" +
                                  exact + "}\n");
  EXPECT_NEAR(times_of(run, "upper stop").at(0), 0.25, event_tolerance);
  // About the hinge: m v l/2 = m l^2/3 w.
  EXPECT_NEAR(run.record.column("v.hinge").back(), 1.5 * 2.0, 1e-2);  // gravity is off; the rod has turned 0.03 rad
  EXPECT_NEAR(run.record.column("v.rail").back(), 0.0, 1e-12);
  // Kinetic energy before 1/2 (1 + 3) 4 = 8, after 1/2 (1) 9 = 4.5.
  EXPECT_NEAR(run.record.column("energy.dissipated").back(), 3.5, 1e-9);
}

// m x'' = -k x inside the stop: contact lasts pi sqrt(m/k), and no energy is lost.
TEST(SoftStop, ContactOfASpring) {
  const RunResult run = simulated(R"(
lithe: 1
links: {cart: {box: {size: [0.1, 0.1, 0.1], mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: cart, stops: {lower: -1, upper: 1, stiffness: 800}}}
speeds: {rail: 3}
run: {until: 3, every: 0.01, )" + exact +
                                  "}\n");
  const double contact = std::numbers::pi * std::sqrt(2.0 / 800), way = 2.0 / 3.0;
  const std::vector<double> meets = times_of(run, "meets"), leaves = times_of(run, "leaves");
  ASSERT_GE(leaves.size(), 3u);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    EXPECT_NEAR(meets[i], 1.0 / 3.0 + static_cast<double>(i) * (way + contact), event_tolerance);
    EXPECT_NEAR(leaves[i], meets[i] + contact, event_tolerance);
  }
  EXPECT_LT(run.audit.energy_error, 1e-8 * run.audit.energy_scale);
}

// A four-bar with friction in every joint and a stop at the rocker, in all minimal formulations: the same motion, and
// energy is accounted for.
TEST(DryFriction, LoopsAndFormulationsAgree) {
  const auto run = [](const std::string& formulation) {
    return simulated(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  crank:   {rod: {from: [0, 0, 0], to: [0.2, 0, 0], mass: 0.2}, frames: {tip: [0.2, 0, 0]}}
  coupler: {rod: {from: [0, 0, 0], to: [0.5, 0, 0], mass: 0.5}, frames: {tip: [0.5, 0, 0]}}
  rocker:  {rod: {from: [0, 0, 0], to: [0.4, 0, 0], mass: 0.4}, frames: {tip: [0.4, 0, 0]}}
ground: {left: [0, 0, 0], right: [0.5, 0, 0]}
joints:
  motor: {revolute: z, from: ground/left, to: crank, friction: {coulomb: 0.02}}
  pin-1: {revolute: z, from: crank/tip, to: coupler, friction: {coulomb: 0.01, breakaway: 0.012, stribeck: 0.5}}
  pin-2: {revolute: z, from: coupler/tip, to: rocker/tip, friction: {load: 0.002}}
  pivot: {revolute: z, from: ground/right, to: rocker, friction: {load: 0.003}, stops: {upper: 140 deg, restitution: 0.6}}
initial: {motor: 80 deg, pin-1: -20 deg, pivot: 100 deg}
run: {until: 2, every: 0.02, formulation: )" +
                     formulation + ", " + exact + "}\n");
  };
  const RunResult reference = run("noc");
  EXPECT_FALSE(reference.audit.events.empty());
  EXPECT_LT(reference.audit.energy_error, 1e-8 * reference.audit.energy_scale);
  for (const char* formulation : {"partitioning", "multipliers"}) {
    const RunResult other = run(formulation);
    EXPECT_EQ(other.audit.events.size(), reference.audit.events.size()) << formulation;
    const std::vector<double> a = reference.record.column("q.motor"), b = other.record.column("q.motor");
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7) << formulation << " row " << i;
  }
}

// Along a given motion the motor overcomes the friction of its joint: J a + F sign(v).
TEST(DryFriction, InverseDynamicsOvercomesIt) {
  const Model model = load_model_text(R"(
lithe: 1
links: {disc: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1]}}}
joints: {pin: {revolute: z, from: ground, to: disc, actuated: true, friction: {coulomb: 0.2}}}
drives: {pin: {follow: sin(2*t), by: motion}}
run: {until: 3, every: 0.1}
)",
                                      "model.yaml");
  for (const auto run : {run_inverse, run_simulation}) {
    MemoryRecord record;
    ASSERT_EQ(run(model, record, {}).ending, RunOutcome::Ending::complete);
    for (std::size_t row = 0; row < record.rows(); ++row) {
      const double t = record.at(row, "t");
      EXPECT_NEAR(record.at(row, "tau.pin"), -0.4 * std::sin(2 * t) + std::copysign(0.2, std::cos(2 * t)), 1e-10) << t;
    }
  }
}

// The pendulum would hang straight down; its stop does not let it, and statics does not know that.
TEST(HardStop, RestBeyondItIsRefusedByStatics) {
  const Model model = load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links: {bob: {rigid: {mass: 2, centre: [0, -0.5, 0], inertia: [0.01, 0.01, 0.01]}}}
joints: {pin: {revolute: z, from: ground, to: bob, stops: {lower: 0.25}}}
initial: {pin: 0.3}
)",
                                      "model.yaml");
  try {
    const ModelAtRest rest(model);
    FAIL() << "found a rest";
  } catch (const PhysicsError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.ends_with("beyond its hard stop at 0.25, which statics leaves out; give the stop a stiffness"))
        << text;
  }
}

// A start beyond a hard stop is refused with the joint and both values.
TEST(HardStop, StartBeyondItIsRefused) {
  const Model model = load_model_text(R"(
lithe: 1
links: {cart: {box: {size: [0.1, 0.1, 0.1], mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: cart, stops: {upper: 1}}}
initial: {rail: 1.5}
)",
                                      "model.yaml");
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_EQ(outcome.message,
            "joint 'rail' starts at 1.5, beyond its stop at 1: start it elsewhere, or give the stop a stiffness");
}

}  // namespace
}  // namespace lithe::testing
