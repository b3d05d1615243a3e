// Ropes, bushings, springs of any law and contacts in whole runs, beside closed forms. Every run keeps its energy balance
// to 1e-8 of what was exchanged.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

Model model_of(const std::string& text) { return load_model_text("lithe: 1\n" + text, "test.yaml"); }

MemoryRecord run(const std::string& text) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model_of(text), record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_LE(record.audit().energy_error, 1e-8 * record.audit().energy_scale + 1e-13);
  return record;
}

double last(const MemoryRecord& record, const std::string& column) { return record.at(record.rows() - 1, column); }

/// Time of the n-th event with these words.
double event(const MemoryRecord& record, const std::string& words, int n = 0) {
  for (const RunEvent& each : record.audit().events)
    if (each.what.find(words) != std::string::npos && n-- == 0) return each.t;
  ADD_FAILURE() << "no event '" << words << "'";
  return NAN;
}

const std::string tight = "run: {until: 1, every: 0.01, integrator: dopri, rtol: 1e-11, atol: 1e-13}\n";

std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

// --- ropes ---

// The ring hangs between two pulleys, each rope holds a counterweight: the tensions are the weights W, whatever the
// stiffness, and the ring with weight P rests where 2 W sin(angle) = P.
TEST(RopeRuns, CounterweightsOverPulleysHoldARing) {
  const double W = 5 * g, P = 6 * g, angle = std::asin(P / (2 * W));
  const MemoryRecord record = run(R"(
gravity: [0, -9.81, 0]
ground: {left: [-1, 0], right: [1, 0]}
links:
  ring: {rigid: {mass: 6}}
  weight-1: {rigid: {mass: 5}}
  weight-2: {rigid: {mass: 5}}
joints:
  across: {prismatic: y, from: ground, to: ring}
  fall-1: {prismatic: y, from: ground/left, to: weight-1}
  fall-2: {prismatic: y, from: ground/right, to: weight-2}
ropes:
  one: {from: ring, over: [ground/left], to: weight-1, length: 3, stiffness: 2e4, damping: 100}
  two: {from: ring, over: [ground/right], to: weight-2, length: 3, stiffness: 2e4, damping: 100}
initial: {across: -0.7, fall-1: -1.8, fall-2: -1.8, equilibrium: true}
record: [coordinates, elements, energy]
run: {until: 0.1, every: 0.05}
)");
  EXPECT_NEAR(record.at(0, "rope.one.tension"), W, 1e-6);
  EXPECT_NEAR(record.at(0, "rope.two.tension"), W, 1e-6);
  EXPECT_NEAR(record.at(0, "q.across"), -std::tan(angle), 1e-8);
  EXPECT_NEAR(last(record, "q.across"), -std::tan(angle), 1e-8);
}

// A hook runs on a rope between two points 2 m apart: at the sag h the rope is l = 2 sqrt(1 + h^2) long, its tension
// EA (l/L - 1), and twice its vertical part is the weight. Solved here by bisection.
TEST(RopeRuns, AHookOnARopeBetweenTwoPoints) {
  const double EA = 5000, L = 2.2, weight = 10 * g;
  double low = 0.3, high = 1.0;
  const auto carried = [&](double h) {
    const double half = std::sqrt(1 + h * h);
    return EA * (2 * half / L - 1) * 2 * h / half;
  };
  for (int i = 0; i < 60; ++i) (carried(0.5 * (low + high)) < weight ? low : high) = 0.5 * (low + high);
  const MemoryRecord record = run(R"(
gravity: [0, -9.81, 0]
ground: {left: [-1, 0], right: [1, 0]}
links: {hook: {rigid: {mass: 10}}}
joints: {down: {prismatic: y, from: ground, to: hook}}
ropes: {line: {from: ground/left, over: [hook], to: ground/right, length: 2.2, stiffness: 5000}}
initial: {down: -0.5, equilibrium: true}
run: {until: 0.1, every: 0.1}
)");
  EXPECT_NEAR(record.at(0, "q.down"), -low, 1e-9);
  EXPECT_NEAR(record.at(0, "rope.line.tension"), weight * std::sqrt(1 + low * low) / (2 * low), 1e-6);
}

const std::string hook_load = R"(
gravity: [0, 0, -9.81]
ground: {top: [0, 0, 5]}
links: {load: {rigid: {mass: 20, inertia: [1, 1, 1]}}}
joints: {motion: {free: true, from: ground, to: load}}
ropes: {hoist: {from: ground/top, to: load, length: 4, stiffness: 40000}}
initial: {load: {at: [0, 0, 0.98]}}
)";

// The load swings with sqrt(g/l), l the stretched length, and bounces with sqrt(EA/(L m)); it turns freely, since the
// rope holds a point.
TEST(RopeRuns, FrequenciesOfAHookLoad) {
  const double l = 4 * (1 + 20 * g / 40000);
  const Model model = model_of(with(with(hook_load, "free: true", "planar: y"), "0.98", fmt::format("{}", 5 - l)));
  OperatingPoint point(model, {.motors = Motors::locked});
  const VectorX omega = 2 * pi * point.modes().frequencies;
  bool swings = false, bounces = false;
  for (const double w : omega) {
    swings = swings || std::abs(w - std::sqrt(g / l)) < 1e-6;
    bounces = bounces || std::abs(w - std::sqrt(40000 / (4.0 * 20))) < 1e-5;
  }
  EXPECT_TRUE(swings) << omega.transpose();
  EXPECT_TRUE(bounces) << omega.transpose();
}

// A small swing of 0.02 rad: quarter periods T/4 with T = 2 pi sqrt(l/g) (1 + a^2/16), l the length under the weight. The
// stretch changes by the square of the angle as well: 1e-4 of the period is left for that.
TEST(RopeRuns, PeriodOfAHookLoad) {
  const double l = 4 * (1 + 20 * g / 40000), a = 0.02;
  const double period = 2 * pi * std::sqrt(l / g) * (1 + a * a / 16);
  Model model =
      model_of(with(hook_load, "[0, 0, 0.98]", fmt::format("[{}, 0, {}]", l * std::sin(a), 5 - l * std::cos(a))) +
               tight + "record: [frames: [load], elements, energy]\n");
  model.run.until = 2.25 * period;
  model.run.every = period / 400;
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_LE(record.audit().energy_error, 1e-8 * record.audit().energy_scale + 1e-13);
  // Crossings of x = 0 at T/4, 3 T/4, ..., interpolated.
  std::vector<double> crossings;
  for (std::size_t row = 1; row < record.rows(); ++row) {
    const double before = record.at(row - 1, "pos.load.origin.x"), after = record.at(row, "pos.load.origin.x");
    if (before * after < 0)
      crossings.push_back(record.at(row - 1, "t") +
                          (record.at(row, "t") - record.at(row - 1, "t")) * before / (before - after));
  }
  ASSERT_GE(crossings.size(), 4U);
  EXPECT_NEAR((crossings[3] - crossings[0]) / 1.5, period, 1e-4 * period);
}

// The winch takes rope in at 0.5 m/s and the load moves along with it from the start: the strain m g/EA stays, the load
// rises evenly, and the winch gives its weight times the height, less the strain energy that it winds up.
TEST(RopeRuns, WinchLiftsAtConstantSpeed) {
  const double weight = 20 * g, EA = 40000, e = weight / EA, speed = 0.5 * (1 + e);
  const std::string text =
      with(with(hook_load, "length: 4", "length: 4 - 0.5*t"), "0.98", fmt::format("{}", 5 - 4 * (1 + e)));
  const Model model = model_of(text + tight + fmt::format("speeds: {{load: {{velocity: [0, 0, {}]}}}}\n", speed) +
                               "record: [frames: [load], elements, energy]\n");
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_LE(record.audit().energy_error, 1e-8 * record.audit().energy_scale + 1e-13);
  const double h = last(record, "pos.load.origin.z") - record.at(0, "pos.load.origin.z");
  EXPECT_NEAR(h, speed, 1e-9);  // after one second
  EXPECT_NEAR(last(record, "rope.hoist.tension"), weight, 1e-5);
  EXPECT_NEAR(last(record, "rope.hoist.free-length"), 3.5, 1e-12);
  EXPECT_NEAR(last(record, "energy.work") - record.at(0, "energy.work"), weight * h - 0.5 * EA * e * e * 0.5, 1e-6);
  EXPECT_NEAR(last(record, "rope.hoist.power"), weight * (1 + 0.5 * e) * 0.5, 1e-6);
}

// Released 1 m above the end of the rope: free fall for sqrt(2 d/g), then the rope is taut and catches the load.
TEST(RopeRuns, ASlackRopeLetsTheLoadFall) {
  const MemoryRecord record =
      run(with(hook_load, "0.98", "2") + tight + "record: [frames: [load], elements, energy]\n");
  EXPECT_NEAR(event(record, "taut"), std::sqrt(2 * 1.0 / g), 1e-9);
  EXPECT_EQ(record.at(20, "rope.hoist.tension"), 0.0);
  EXPECT_NEAR(record.at(20, "pos.load.origin.z"), 2 - 0.5 * g * 0.04, 1e-9);
  // Half an oscillation about the rest, from the speed v at the free length: slack again after (2/w)(pi - atan(w v/g)).
  const double v = std::sqrt(2 * g), w = std::sqrt(40000 / (4.0 * 20));
  EXPECT_NEAR(event(record, "slack") - event(record, "taut"), 2 / w * (pi - std::atan(w * v / g)), 1e-8);
}

TEST(RopeRuns, AWinchThatTakesInTheWholeRopeEndsTheRun) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model_of(with(hook_load, "length: 4", "length: 4 - 8*t") + tight), record);
  EXPECT_NE(outcome.ending, RunOutcome::Ending::complete);
  EXPECT_FALSE(outcome.message.empty());
}

// --- bushings ---

// A body on a bushing at its mass centre: six uncoupled oscillators.
TEST(BushingRuns, SixFrequenciesOfABody) {
  const Model model = model_of(R"(
links: {engine: {rigid: {mass: 2, inertia: [0.1, 0.2, 0.25]}}}
joints: {motion: {free: true, from: ground, to: engine}}
bushings: {mount: {from: ground, to: engine, stiffness: [200, 450, 800, 10, 50, 100]}}
)");
  OperatingPoint point(model, {.motors = Motors::locked});
  const VectorX omega = 2 * pi * point.modes().frequencies;
  ASSERT_EQ(omega.size(), 6);
  const double expected[] = {10, 10, 15, std::sqrt(250.0), 20, 20};  // sqrt(k/m), sqrt(k/I)
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(omega[i], expected[i], 1e-6);
}

TEST(BushingRuns, KeepTheirEnergyInLargeMotions) {
  const MemoryRecord record = run(R"(
links: {engine: {rigid: {mass: 2, inertia: [0.1, 0.2, 0.25], centre: [0.05, 0, 0.1]}}}
joints: {motion: {free: true, from: ground, to: engine}}
gravity: [0, 0, -9.81]
bushings:
  mount: {from: ground, to: engine, stiffness: [200, 450, 800, 10, 50, 100], damping: [1, 2, 3, 0.1, 0.2, 0.3], preload: [1, 2, 3, 0.1, 0.2, 0.3]}
initial: {engine: {at: [0.1, -0.1, 0.05], rotate: [{axis: [1, 1, 0], angle: 60 deg}]}}
)" + tight);
  EXPECT_GT(record.audit().energy_scale, 1.0);
}

// --- springs ---

std::string slider(const std::string& spring) {
  return R"(
ground: {wall: [-1, 0, 0]}
links: {block: {rigid: {mass: 2}}}
joints: {slide: {prismatic: x, from: ground, to: block}}
springs: {pad: {from: ground/wall, to: block, length: 1, )" +
         spring + "}}\n" + tight + "record: [coordinates, springs, energy]\n";
}

// Force k x |x|: from rest at A the period is 4 sqrt(3 m/(2 k A)) times the integral of du/sqrt(1 - u^3) from 0 to 1,
// which is sqrt(pi) Gamma(4/3)/Gamma(5/6).
TEST(SpringRuns, PeriodOfAQuadraticSpring) {
  const double m = 2, k = 300, A = 0.3;
  const double period =
      4 * std::sqrt(3 * m / (2 * k * A)) * std::sqrt(pi) * std::tgamma(4.0 / 3) / std::tgamma(5.0 / 6);
  Model model = model_of(slider("force: 300*x*abs(x)") + "initial: {slide: 0.3}\n");
  model.run.until = period;
  model.run.every = period / 4;
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  EXPECT_LE(record.audit().energy_error, 1e-8 * record.audit().energy_scale + 1e-13);
  EXPECT_NEAR(record.at(1, "q.slide"), 0.0, 1e-8);
  EXPECT_NEAR(record.at(2, "q.slide"), -0.3, 1e-8);
  EXPECT_NEAR(record.at(4, "q.slide"), 0.3, 1e-8);
  EXPECT_NEAR(record.at(0, "spring.pad.force"), 27.0, 1e-9);
  EXPECT_NEAR(record.at(0, "spring.pad.energy"), k * A * A * A / 3, 1e-9);
  EXPECT_NEAR(record.at(0, "spring.pad.length"), 1.3, 1e-12);
}

TEST(SpringRuns, ATableIsWhatItsLineIs) {
  const std::string start = "initial: {slide: 0.3}\n";
  const MemoryRecord curve = run(slider("force: {stretch: [-0.1, 0.1], force: [-20, 20]}, damping: 1") + start);
  const MemoryRecord line = run(slider("stiffness: 200, damping: 1") + start);
  for (std::size_t row = 0; row < line.rows(); ++row)
    EXPECT_NEAR(curve.at(row, "q.slide"), line.at(row, "q.slide"), 1e-8);
  EXPECT_NEAR(curve.at(10, "spring.pad.force"), line.at(10, "spring.pad.force"), 1e-6);
  EXPECT_NEAR(curve.at(10, "spring.pad.energy"), line.at(10, "spring.pad.energy"), 1e-7);
}

TEST(SpringRuns, ADamperInAnExpressionIsCounted) {
  const MemoryRecord record = run(slider("force: 200*x + 3*v*abs(v)") + "initial: {slide: 0.3}\n");
  EXPECT_GT(last(record, "energy.dissipated"), 1.0);
}

// A pad that only pushes, below a mass that falls on it from 0.5 m: up and down takes 2 v/g, the push between half of a
// period and a whole one, (2/w)(pi - atan(w v/g)).
TEST(SpringRuns, BounceOnAOneSidedSpring) {
  const double m = 2, k = 2000, v = std::sqrt(2 * g * 0.5), w = std::sqrt(k / m);
  const double push = 2 / w * (pi - std::atan(w * v / g)), period = 2 * v / g + push;
  const MemoryRecord record = run(R"(
gravity: [-9.81, 0, 0]
)" + with(slider("stiffness: 2000, one-sided: push"), "until: 1", "until: 2") +
                                  "initial: {slide: 0.5}\n");
  EXPECT_NEAR(event(record, "pushes"), v / g, 1e-9);
  EXPECT_NEAR(event(record, "lets go") - event(record, "pushes"), push, 1e-8);
  EXPECT_NEAR(event(record, "pushes", 1) - event(record, "pushes"), period, 1e-8);
}

// --- contacts ---

std::string ball(const std::string& contact) {
  return R"(
links: {ball: {sphere: {radius: 0.1, mass: 3}}}
joints: {motion: {free: true, from: ground, to: ball}}
contacts: {floor: {at: ball, plane: ground, )" +
         contact + R"(}}
record: [coordinates, elements, energy]
)" + tight;
}

// Without gravity a linear contact is half an oscillation: pi sqrt(m/k), and the ball leaves as fast as it came.
TEST(ContactRuns, DurationOfALinearContact) {
  const MemoryRecord record = run(ball("radius: 0.1, stiffness: 12000") +
                                  "initial: {ball: {at: [0, 0, 0.3]}}\nspeeds: {ball: {velocity: [0, 0, -1]}}\n");
  EXPECT_NEAR(event(record, "touches"), 0.2, 1e-9);
  EXPECT_NEAR(event(record, "leaves") - event(record, "touches"), pi * std::sqrt(3.0 / 12000), 1e-9);
  EXPECT_NEAR(last(record, "v.motion.2"), 1.0, 1e-8);
  EXPECT_NEAR(record.at(0, "contact.floor.gap"), 0.2, 1e-14);
}

// The speed after an impact with the damping of Hunt and Crossley: ln((1 + c v)/(1 - e c v)) = c v (1 + e), whatever the
// exponent. Here c v = 0.6; e by bisection.
TEST(ContactRuns, RestitutionByDamping) {
  const double cv = 0.6;
  double low = 0.0, high = 1.0;
  const auto lacks = [&](double e) { return std::log((1 + cv) / (1 - e * cv)) - cv * (1 + e); };
  for (int i = 0; i < 60; ++i) (lacks(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  for (const char* exponent : {"1", "1.5"}) {
    const MemoryRecord record =
        run(ball("radius: 0.1, stiffness: 12000, damping: 0.3, exponent: " + std::string(exponent)) +
            "initial: {ball: {at: [0, 0, 0.3]}}\nspeeds: {ball: {velocity: [0, 0, -2]}}\n");
    EXPECT_NEAR(last(record, "v.motion.2"), 2 * low, 1e-8);
  }
}

// A foot slides (the inertia keeps the block from turning under friction that acts 0.4 mm below its centre) with its normal force at rest, m g: it stops after v^2/(2 mu g), and then creeps no further. While friction
// grows to full below the creep speed u the block goes on by less than u^2/(mu g).
TEST(ContactRuns, ABlockSlidesToRest) {
  const MemoryRecord record = run(R"(
gravity: [0, 0, -9.81]
links: {block: {rigid: {mass: 4, inertia: [1e4, 1e4, 1e4]}}}
joints: {motion: {planar: y, from: ground, to: block}}
contacts: {floor: {at: block, plane: ground, stiffness: 1e5, friction: 0.3, creep: 1e-3}}
initial: {block: {at: [0, 0, -3.924e-4]}}
speeds: {block: {velocity: [1, 0, 0]}}
record: [frames: [block], elements, energy]
)" + tight);
  EXPECT_NEAR(last(record, "pos.block.origin.x"), 1 / (2 * 0.3 * g), 1e-6);
  EXPECT_NEAR(last(record, "contact.floor.slip"), 0.0, 1e-9);
  EXPECT_NEAR(last(record, "contact.floor.force"), 4 * g, 1e-6);
  EXPECT_NEAR(last(record, "energy.dissipated"), 0.5 * 4, 1e-6);
}

// On a slope below the angle of friction the block creeps down evenly: f(u) = tan(slope)/mu with f(u) = u (3 - u^2)/2.
TEST(ContactRuns, ABlockOnASlopeCreeps) {
  const double ratio = std::tan(10 * pi / 180) / 0.4;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * (low + high);
    (0.5 * u * (3 - u * u) < ratio ? low : high) = u;
  }
  const MemoryRecord record = run(R"(
gravity: [0, 0, -9.81]
ground: {slope: {at: [0, 0, 0], rotate: {axis: y, angle: 10 deg}}}
links: {block: {rigid: {mass: 4, inertia: [1, 1, 1]}}}
joints: {motion: {planar: y, from: ground, to: block}}
contacts: {floor: {at: block, plane: ground/slope, stiffness: 1e5, damping: 2, friction: 0.4, creep: 0.01}}
initial: {block: {at: [0, 0, -3.9e-4]}}
record: [frames: [block], elements, energy]
)" + tight);
  EXPECT_NEAR(last(record, "contact.floor.slip"), 0.01 * low, 1e-7);
}

// A ball that starts to slide rolls in the end, whatever the friction: from m (v0 - v) r = I v/r its speed is
// v0/(1 + I/(m r^2)), where r is its radius less the depth m g/k.
TEST(ContactRuns, ASlidingBallEndsRolling) {
  const MemoryRecord record =
      run("gravity: [0, 0, -9.81]\n" + ball("radius: 0.1, stiffness: 1e6, friction: 0.4, creep: 1e-3, damping: 0.5") +
          "initial: {ball: {at: [0, 0, 0.09997057]}}\nspeeds: {ball: {velocity: [1.4, 0, 0]}}\n");
  const double r = 0.1 - 3 * g / 1e6;
  EXPECT_NEAR(last(record, "v.motion.0"), 1.4 / (1 + 0.4 * 0.01 / (r * r)), 1e-7);
  EXPECT_NEAR(last(record, "contact.floor.slip"), 0.0, 1e-6);
}

}  // namespace
}  // namespace lithe::testing
