// Events of runs beside closed forms: payloads that are let go and caught, drives that change, runs that end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

constexpr double free_fall = 9.81, half_turn = std::numbers::pi;  // m/s^2, rad
// Instants follow from the integrated motion: its tolerance times the number of steps.
constexpr double located = 1e-9;

struct EventRun {
  MemoryRecord record;
  RunOutcome outcome;
  double last(const std::string& column) const { return record.at(record.rows() - 1, column); }
  /// Time of the n-th event with these words.
  double time_of(const std::string& words, int n = 0) const {
    for (const RunEvent& each : outcome.audit.events)
      if (each.what.find(words) != std::string::npos && n-- == 0) return each.t;
    ADD_FAILURE() << "no event '" << words << "'";
    return NAN;
  }
};

EventRun run_of(const std::string& text, RunOutcome::Ending ending = RunOutcome::Ending::complete) {
  EventRun run;
  run.outcome = run_simulation(load_model_text("lithe: 1\n" + text, "test.yaml"), run.record);
  EXPECT_EQ(run.outcome.ending, ending) << run.outcome.message;
  EXPECT_LE(run.outcome.audit.energy_error, 1e-8 * run.outcome.audit.energy_scale + 1e-13);
  return run;
}

std::string run_section(double until, const std::string& integrator = "dopri", double every = 0.01) {
  return fmt::format("run: {{until: {}, every: {}, integrator: {}, rtol: 1e-11, atol: 1e-13}}\n", until, every,
                     integrator);
}

// --- release ---

const std::string carriage = R"(
gravity: [0, 0, -9.81]
links:
  carriage: {rigid: {mass: 3}}
  box: {box: {size: [0.1, 0.2, 0.3], mass: 2}}
joints:
  rail: {prismatic: x, from: ground, to: carriage}
  grip: {free: true, from: carriage, to: box}
initial: {grip: {at: [0.1, 0.2, -0.3]}}
speeds: {rail: 1.5}
record: [coordinates, energy, {frames: [box]}]
)";

// Both go at 1.5 m/s; let go at 0.3 s, the box falls: z = -0.3 - g (t - 0.3)^2/2. Nothing acts along x.
TEST(Release, ABoxFallsFromACarriageThatGoesOn) {
  for (const char* integrator : {"dopri", "bdf", "rk4"}) {
    const EventRun run = run_of(carriage + R"(
events:
  carry: {when: start, do: {lock: grip}}
  drop: {when: 0.3, do: {release: grip}}
)" + run_section(0.8, integrator));
    EXPECT_EQ(run.time_of("event 'drop': releases 'grip'"), 0.3);
    for (std::size_t row = 0; row < run.record.rows(); ++row) {
      const double t = run.record.at(row, "t"), fall = std::max(t - 0.3, 0.0);
      EXPECT_NEAR(run.record.at(row, "q.rail"), 1.5 * t, 1e-9) << integrator;
      EXPECT_NEAR(run.record.at(row, "pos.box.origin.x"), 0.1 + 1.5 * t, 1e-9) << integrator;
      EXPECT_NEAR(run.record.at(row, "pos.box.origin.z"), -0.3 - 0.5 * free_fall * fall * fall, 1e-9) << integrator;
    }
    // While it is carried, the grip holds its free_fall: the force on it along z of the carriage.
    EXPECT_NEAR(run.record.at(10, "tau.grip.2"), 2 * free_fall, 1e-9);
    EXPECT_NEAR(run.last("tau.grip.2"), 0.0, 1e-12);
    // Work of nobody: energy is kept through the release.
    EXPECT_NEAR(run.last("energy.kinetic") + run.last("energy.potential"),
                run.record.at(0, "energy.kinetic") + run.record.at(0, "energy.potential"), 1e-8);
    EXPECT_EQ(run.last("energy.dissipated"), 0.0);
  }
}

// A compound pendulum (arm J1 about the pin, bob m2, J2 at l2) swings down from a: at the bottom, after the quarter period
// sqrt(J/(mgl)) K(sin(a/2)), its speed is sqrt(2 mgl (1 - cos a)/J). There the bob is let go and flies off level; the
// arm keeps its speed and rises to where its own energy leads.
TEST(Release, APendulumThrowsItsBob) {
  const double a = 1.1, m1 = 1.0, l1 = 0.4, J1 = 0.2 + m1 * l1 * l1, m2 = 0.7, l2 = 1.0, J2 = 1e-3;
  const double J = J1 + J2 + m2 * l2 * l2, mgl = m1 * free_fall * l1 + m2 * free_fall * l2;
  const EventRun run = run_of(R"(
gravity: [0, -9.81]
links:
  arm: {rigid: {mass: 1, centre: [0, -0.4], inertia: [0.1, 0.1, 0.2]}, frames: {tip: [0, -1]}}
  bob: {rigid: {mass: 0.7, inertia: [1e-3, 1e-3, 1e-3]}}
joints:
  pin: {revolute: z, from: ground, to: arm}
  grip: {planar: z, from: arm/tip, to: bob}
initial: {pin: -1.1}
events:
  carry: {when: start, do: {lock: grip}}
  throw: {when: {rises: q.pin}, do: {release: grip}}
record: [coordinates, energy, {frames: [bob]}]
)" + run_section(3));
  const double t1 = std::sqrt(J / mgl) * std::comp_ellint_1(std::sin(a / 2));
  const double speed = std::sqrt(2 * mgl * (1 - std::cos(a)) / J);
  EXPECT_NEAR(run.time_of("event 'throw'"), t1, located);
  for (std::size_t row = 0; row < run.record.rows(); ++row) {
    const double fly = run.record.at(row, "t") - t1;
    if (fly < 0.0) continue;
    EXPECT_NEAR(run.record.at(row, "pos.bob.origin.x"), speed * l2 * fly, 1e-8);
    EXPECT_NEAR(run.record.at(row, "pos.bob.origin.y"), -l2 - 0.5 * free_fall * fly * fly, 1e-8);
  }
  // The arm: J1 w^2/2 + m1 g l1 (1 - cos q) is kept.
  for (std::size_t row = 0; row < run.record.rows(); ++row) {
    if (run.record.at(row, "t") < t1) continue;
    const double q = run.record.at(row, "q.pin"), w = run.record.at(row, "v.pin");
    EXPECT_NEAR(0.5 * J1 * w * w + m1 * free_fall * l1 * (1 - std::cos(q)), 0.5 * J1 * speed * speed, 1e-8);
  }
}

// --- catch ---

// M at v meets m at rest and keeps it: v' = M v/(M + m), and M m/(M + m) v^2/2 is lost. The box waits on a guide of its
// own, or locked to the ground; in one case its grip is a tree joint, in the other it closes a loop.
TEST(Catch, MomentumIsKeptAndEnergyLost) {
  const double M = 3, m = 1, v = 2, meet = 0.5, after = M * v / (M + m);
  for (const char* waiting : {"stand: {prismatic: x, from: ground/shelf, to: box}\n"
                              "  grip: {free: true, from: carriage, to: box}\n",
                              "stand: {free: true, from: ground/shelf, to: box}\n"
                              "  grip: {free: true, from: carriage, to: box}\n",
                              "stand: {free: true, from: ground/shelf, to: box, cut: true}\n"
                              "  grip: {free: true, from: carriage, to: box}\n",
                              "stand: {free: true, from: ground/shelf, to: box}\n"
                              "  grip: {free: true, from: carriage, to: box, cut: true}\n"}) {
    const bool guided = std::string(waiting).find("prismatic") != std::string::npos;
    for (const char* integrator : {"dopri", "bdf"}) {
      const EventRun run = run_of(fmt::format(R"(
ground: {{shelf: [1, 0.3]}}
links:
  carriage: {{rigid: {{mass: 3}}}}
  box: {{box: {{size: [0.1, 0.2, 0.3], mass: 1}}}}
joints:
  rail: {{prismatic: x, from: ground, to: carriage}}
  {}
initial: {{rail: 0, grip: {{at: [1, 0.3, 0]}}}}
speeds: {{rail: 2, box: {{velocity: [0, 0, 0], angular: [0, 0, 0]}}}}
events:
{}
  catch: {{when: {{rises: pos.carriage.origin.x - pos.box.origin.x}}, do: {{lock: grip{}}}}}
record: [coordinates, energy, {{frames: [box]}}]
)",
                                              waiting, guided ? "" : "  park: {when: start, do: {lock: stand}}",
                                              guided ? "" : ", release: stand") +
                                  run_section(1.5, integrator));
      EXPECT_NEAR(run.time_of("event 'catch'"), meet, located) << waiting;
      EXPECT_NEAR(run.last("v.rail"), after, 1e-10) << waiting;
      EXPECT_NEAR(run.last("q.rail"), 1 + after * 1.0, 1e-9) << waiting;
      EXPECT_NEAR(run.last("pos.box.origin.x"), 1 + after * 1.0, 1e-9) << waiting;
      EXPECT_NEAR(run.last("energy.dissipated"), 0.5 * M * m / (M + m) * v * v, 1e-10) << waiting;
      EXPECT_NE(run.outcome.audit.events.back().what.find("the impact takes 1.5 J"), std::string::npos)
          << run.outcome.audit.events.back().what;
    }
  }
}

// A mass on a spring: x = A cos(w t) until it passes the box at x = 0, which it then keeps: x = -A' sin(w' (t - t1)) with
// w' = sqrt(k/(M + m)), A' = M A w/((M + m) w'). Let go a quarter period later, at the turning point, M goes on alone
// from there.
TEST(Catch, ChangesTheFrequencyOfASpring) {
  const double M = 2, m = 1, k = 50, A = 0.1;
  const double w = std::sqrt(k / M), w2 = std::sqrt(k / (M + m)), t1 = 0.5 * half_turn / w,
               t2 = t1 + 0.5 * half_turn / w2;
  const double A2 = M * A * w / ((M + m) * w2);
  for (const char* integrator : {"dopri", "bdf"}) {
    const EventRun run = run_of(R"(
links: {block: {rigid: {mass: 2}}, box: {rigid: {mass: 1}}}
joints:
  rail: {prismatic: x, from: ground, to: block, spring: {stiffness: 50}}
  guide: {prismatic: x, from: ground, to: box}
  grip: {planar: z, from: block, to: box}
initial: {rail: 0.1, guide: 0}
events:
  catch: {when: {falls: q.rail - q.guide}, do: {lock: grip}}
  drop: {when: {rises: v.rail, after: catch}, do: {release: grip}}
)" + run_section(2, integrator));
    EXPECT_NEAR(run.time_of("'catch'"), t1, located) << integrator;
    EXPECT_NEAR(run.time_of("'drop'"), t2, 10 * located) << integrator;
    for (std::size_t row = 0; row < run.record.rows(); ++row) {
      const double t = run.record.at(row, "t");
      const double x = t < t1   ? A * std::cos(w * t)
                       : t < t2 ? -A2 * std::sin(w2 * (t - t1))
                                : -A2 * std::cos(w * (t - t2));
      EXPECT_NEAR(run.record.at(row, "q.rail"), x, 1e-8) << integrator << " t = " << t;
    }
  }
}

// A locked joint is a fixed one: an arm with a locked payload moves as the arm with the payload on a fixed joint.
TEST(Lock, IsAFixedJoint) {
  const auto text = [](const std::string& joint, const std::string& events) {
    return R"(
gravity: [0, 0, -9.81]
links:
  upper: {beam: {length: 1, mass: 1, EI: 40, GJ: 30, polar-inertia: 1e-3, elements: 2}, modes: {count: 2, root: clamped}}
  box: {box: {size: [0.1, 0.2, 0.3], mass: 0.5}}
joints:
  shoulder: {universal: [z, y], from: ground, to: upper/root}
  grip: )" +
           joint +
           R"(
initial: {shoulder: [0.3, 0.4]}
speeds: {shoulder: [1, -2]}
)" + events +
           "record: [coordinates, energy, {frames: [box]}]\n";
  };
  for (const char* integrator : {"exponential", "bdf"}) {
    const std::string run_text = fmt::format(
        "run: {{until: 0.5, every: 0.05, integrator: {}, tolerance: 1e-8, rtol: 1e-10, atol: 1e-12}}\n", integrator);
    EventRun fixed, locked;
    fixed.outcome = run_simulation(
        load_model_text("lithe: 1\n" + text("{fixed: true, from: upper/tip, to: box}", "") + run_text, "a"),
        fixed.record);
    locked.outcome = run_simulation(load_model_text("lithe: 1\n" +
                                                        text("{free: true, from: upper/tip, to: box}",
                                                             "events: {carry: {when: start, do: {lock: grip}}}\n") +
                                                        run_text,
                                                    "b"),
                                    locked.record);
    ASSERT_EQ(locked.outcome.ending, RunOutcome::Ending::complete) << locked.outcome.message;
    for (std::size_t row = 0; row < fixed.record.rows(); ++row)
      for (const char* column : {"q.shoulder.0", "q.shoulder.1", "pos.box.origin.x", "pos.box.origin.z"})
        EXPECT_NEAR(locked.record.at(row, column), fixed.record.at(row, column), 1e-6) << integrator << " " << column;
  }
}

// A box that is parked, caught in flight of the arm and dropped: the same motion whether the locked joints are those of
// the tree, where they are prescribed, or close a loop, where forces hold them.
TEST(Lock, IsTheSameInTheTreeAndInALoop) {
  std::vector<EventRun> runs;
  for (const char* cut : {"stand", "grip"}) {
    const auto mark = [&](const char* joint) { return joint == std::string(cut) ? ", cut: true" : ""; };
    runs.push_back(run_of(fmt::format(R"(
gravity: [0, 0, -9.81]
ground: {{shelf: [0.9, 0.2, -0.3]}}
links:
  arm: {{rigid: {{mass: 1, centre: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}, frames: {{tip: [1, 0, 0]}}}}
  box: {{box: {{size: [0.1, 0.2, 0.3], mass: 0.5}}}}
joints:
  shoulder: {{universal: [z, y], from: ground, to: arm, actuated: true}}
  stand: {{free: true, from: ground/shelf, to: box{}}}
  grip: {{free: true, from: arm/tip, to: box{}}}
initial: {{shoulder: [0, 0], box: {{at: [0.9, 0.2, -0.3], rotate: {{axis: z, angle: 0}}}}}}
drives: {{shoulder.0: {{torque: 0.5}}, shoulder.1: {{torque: -5}}}}
events:
  park: {{when: start, do: {{lock: stand}}}}
  catch: {{when: 0.3, do: {{release: stand, lock: grip}}}}
  drop: {{when: {{after: catch, delay: 0.2}}, do: {{release: grip}}}}
record: [coordinates, energy, {{frames: [box]}}]
)",
                                      mark("stand"), mark("grip")) +
                          run_section(0.8)));
  }
  for (const char* column : {"q.shoulder.0", "q.shoulder.1", "pos.box.origin.x", "pos.box.origin.z", "rot.box.origin.x",
                             "energy.dissipated", "tau.grip.2", "tau.stand.2"})
    for (std::size_t row = 0; row < runs[0].record.rows(); ++row)
      EXPECT_NEAR(runs[0].record.at(row, column), runs[1].record.at(row, column), 1e-8) << column << " row " << row;
  // Until it is caught the stand carries its free_fall.
  EXPECT_NEAR(runs[0].record.at(5, "tau.stand.2"), 0.5 * free_fall, 1e-9);
}

// --- drives ---

const std::string driven_slider = R"(
links: {block: {rigid: {mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: block, actuated: true}}
)";

// 4 N for 0.5 s, then -6 N for 0.5 s, then nothing: two parabolas and a line.
TEST(Drives, ForcesChangeAtTheirTimes) {
  for (const char* integrator : {"dopri", "bdf", "rk4"}) {
    const EventRun run = run_of(driven_slider + R"(
drives: {rail: {force: 4}}
events:
  brake: {when: 0.5, do: {drives: {rail: {force: -6}}}}
  coast: {when: {after: brake, delay: 0.5}, do: {drives: {rail: off}}}
)" + run_section(1.5, integrator, 0.1));
    const double q1 = 0.5 * 2 * 0.25, v1 = 1.0, q2 = q1 + v1 * 0.5 - 0.5 * 3 * 0.25, v2 = v1 - 1.5;
    EXPECT_EQ(run.time_of("event 'brake': another drive of 'rail'"), 0.5);
    EXPECT_NEAR(run.time_of("event 'coast': no drive of 'rail'"), 1.0, 1e-12);
    for (std::size_t row = 0; row < run.record.rows(); ++row) {
      const double t = run.record.at(row, "t");
      const double q = t < 0.5   ? t * t
                       : t < 1.0 ? q1 + v1 * (t - 0.5) - 1.5 * (t - 0.5) * (t - 0.5)
                                 : q2 + v2 * (t - 1.0);
      EXPECT_NEAR(run.record.at(row, "q.rail"), q, 1e-9) << integrator << " t = " << t;
    }
    EXPECT_NEAR(run.last("energy.work"), 0.5 * 2 * v2 * v2, 1e-9);
  }
}

// In laws of an event's drive t counts from the event: a force that grows as t gives a third power.
TEST(Drives, LawsCountTimeFromTheEvent) {
  const EventRun run = run_of(driven_slider + R"(
events: {push: {when: {rises: t - 0.7}, do: {drives: {rail: {force: 12*t}}}}}
)" + run_section(1.2));
  EXPECT_NEAR(run.last("q.rail"), std::pow(0.5, 3), 1e-10);  // 2 q'' = 12 s: q = s^3
}

// The block goes at 1 m/s when a motion takes over where it is; one that begins at another speed makes it jump, and the
// drive does the work m (v^2 - 1)/2.
TEST(Drives, AMotionBeginsWhereTheJointIs) {
  for (const double speed : {1.0, 2.5}) {
    const EventRun run = run_of(driven_slider +
                                fmt::format(R"(
speeds: {{rail: 1}}
events: {{take: {{when: 0.5, do: {{drives: {{rail: {{follow: 7 + {}*t, start: here}}}}}}}}}}
)",
                                            speed) +
                                run_section(1));
    EXPECT_NEAR(run.last("q.rail"), 0.5 + speed * 0.5, 1e-11);
    EXPECT_NEAR(run.last("energy.work"), 0.5 * 2 * (speed * speed - 1), 1e-11);
    EXPECT_NEAR(run.last("energy.dissipated"), 0.0, 1e-12);
  }
}

TEST(Drives, AMotionElsewhereIsRefusedAndRowsAreKept) {
  const EventRun run = run_of(driven_slider + R"(
speeds: {rail: 1}
events: {take: {when: 0.5, do: {drives: {rail: {follow: 7 + t}}}}}
)" + run_section(1),
                              RunOutcome::Ending::physics_failed);
  EXPECT_EQ(run.outcome.message,
            "the motion that joint 'rail' follows from t = 0.5 s on begins at 7, but the joint is at 0.5; let it begin "
            "there with 'start: here'");
  EXPECT_EQ(run.record.rows(), 51u);
}

// A brake: the joint stands where it is locked, its speed goes into the brake, and the spring takes it on when released.
TEST(Lock, BrakesAJoint) {
  const EventRun run = run_of(R"(
links: {block: {rigid: {mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: block, spring: {stiffness: 50}}}
initial: {rail: 0.1}
events:
  close: {when: {falls: q.rail - 0.06}, do: {lock: rail}}
  open: {when: 1, do: {release: rail}}
)" + run_section(2));
  const double w = 5;
  EXPECT_NEAR(run.time_of("'close'"), std::acos(0.6) / w, located);
  EXPECT_NEAR(run.last("q.rail"), 0.06 * std::cos(w * 1.0), 1e-9);
  EXPECT_NEAR(run.last("energy.dissipated"), 0.5 * 50 * (0.01 - 0.0036), 1e-9);  // what the spring has given
}

// --- end, repetition ---

// z = 1 - g t^2/2 is zero at sqrt(2/g). The last row is the end.
TEST(End, IsLocated) {
  for (const char* integrator : {"dopri", "bdf", "adams", "rk4"}) {
    const EventRun run = run_of(R"(
gravity: [0, 0, -9.81]
links: {stone: {rigid: {mass: 1}}}
joints: {fall: {prismatic: z, from: ground, to: stone}}
initial: {fall: 1}
events: {ground: {when: {falls: q.fall}, do: {end: true}}}
)" + run_section(2, integrator));
    EXPECT_NEAR(run.outcome.audit.t_end, std::sqrt(2 / free_fall), located) << integrator;
    EXPECT_EQ(run.last("t"), run.outcome.audit.t_end);
    EXPECT_NEAR(run.last("q.fall"), 0.0, 1e-9);
    EXPECT_EQ(run.outcome.audit.notes.back(), "event 'ground' ended the run at t = 0.451523641 s");
  }
}

// cos(5 t) passes through zero at (n + 1/2) pi/5.
TEST(Conditions, RepeatAndKnowTheirDirection) {
  const EventRun run = run_of(R"(
parameters: {level: 0.01}
links: {block: {rigid: {mass: 2}}}
joints: {rail: {prismatic: x, from: ground, to: block, spring: {stiffness: 50}}}
initial: {rail: 0.1}
events:
  any: {when: {crosses: q.rail}, repeat: true}
  up: {when: {rises: q.rail}, repeat: true}
  once: {when: {rises: q.rail}}
  energetic: {when: {rises: energy.kinetic - level}}
  never: {when: {rises: q.rail - 1}}
)" + run_section(3));
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(run.time_of("event 'any'", n), (n + 0.5) * half_turn / 5, located);
  for (int n = 0; n < 2; ++n) EXPECT_NEAR(run.time_of("event 'up'", n), (2 * n + 1.5) * half_turn / 5, located);
  int once = 0;
  for (const RunEvent& event : run.outcome.audit.events) once += event.what == "event 'once'" ? 1 : 0;
  EXPECT_EQ(once, 1);
  // 0.25 sin(5 t)^2 = 0.01
  EXPECT_NEAR(run.time_of("event 'energetic'"), std::asin(0.2) / 5, located);
  EXPECT_EQ(run.outcome.audit.notes.back(), "event 'never' did not happen");
}

TEST(Conditions, ThatAreNoNumberEndTheRun) {
  const EventRun run = run_of(driven_slider + R"(
speeds: {rail: -1}
events: {far: {when: {rises: sqrt(0.5 + q.rail) - 2}, do: {end: true}}}
)" + run_section(1),
                              RunOutcome::Ending::physics_failed);
  EXPECT_EQ(run.outcome.message.substr(0, 73),
            "the condition of event 'far' (sqrt(0.5 + q.rail) - 2) is not a number at ");
}

TEST(Events, AreNotForIda) {
  try {
    run_of(driven_slider + "events: {stop: {when: 0.5, do: {end: true}}}\nrun: {integrator: ida}\n");
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(), "integrator 'ida' does not know events; take another integrator");
  }
}

}  // namespace
}  // namespace lithe::testing
