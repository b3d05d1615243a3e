// Runs under loads along links: closed forms, energy audit, segments, all from model files.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/loads.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

MemoryRecord simulated(const std::string& text) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(load_model_text(text, "line-load.yaml"), record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

// A rod of mass m on a hinge, blown from its side: torque w L^2/2 against m L^2/3 turns it by 3 w t^2/(4 m).
TEST(LineLoadRun, BlownRodTurnsSteadily) {
  const double length = 0.8, m = 2.0, w = 1.5, t = 1.2;
  const MemoryRecord record = simulated(
      fmt::format("lithe: 1\n"
                  "links: {{rod: {{rod: {{from: [0, 0], to: [{0}, 0], mass: {1}}}, frames: {{end: [{0}, 0]}}}}}}\n"
                  "joints: {{hinge: {{revolute: z, from: ground, to: rod}}}}\n"
                  "loads: {{wind: {{along: rod, from: origin, to: end, force: [0, {2}], axes: link}}}}\n"
                  "run: {{until: {3}, every: {3}}}\n"
                  "record: [coordinates, energy]\n",
                  length, m, w, t));
  const double angle = 3 * w * t * t / (4 * m);
  EXPECT_NEAR(record.at(1, "q.hinge"), angle, 1e-7);
  EXPECT_NEAR(record.at(1, "energy.work"), w * length * length / 2 * angle, 1e-7);
}

// A follower load on an elastic arm that swings about: what the load works is what the arm gains.
TEST(LineLoadRun, WorkOfAFollowerLoadBalances) {
  for (const char* stiffening : {"on", "off"}) {
    const MemoryRecord record = simulated(
        fmt::format("lithe: 1\n"
                    "gravity: [0, -9.81, 0]\n"
                    "links: {{arm: {{beam: {{length: 1, EI: 4, mass: 0.5}}, modes: {{count: 2}}, stiffening: {}}}}}\n"
                    "joints: {{hinge: {{revolute: z, from: ground, to: arm/root}}}}\n"
                    "loads: {{wind: {{along: arm, from: 0.2, to: tip, force: [0.5*sin(4*t), 1], end: [0, 4*cos(3*t)], "
                    "axes: link}}}}\n"
                    "run: {{until: 1, every: 0.1, rtol: 1e-10, atol: 1e-12}}\n"
                    "record: [coordinates, energy]\n",
                    stiffening));
    EXPECT_GT(record.audit().energy_scale, 1.0);
    EXPECT_LT(record.audit().energy_error, 1e-7 * record.audit().energy_scale) << stiffening;
  }
}

/// Deflection of the tip of a cantilever whose load goes over its pieces.
double tip_of_cantilever(int segments) {
  const Model model = load_model_text(
      fmt::format("lithe: 1\n"
                  "links: {{boom: {{beam: {{length: 2, EI: 100, mass: 1, segments: {}}}}}}}\n"
                  "joints: {{wall: {{fixed: true, from: ground, to: boom/root}}}}\n"
                  "loads: {{snow: {{along: boom, from: 0.3, to: 1.9, force: [0, -0.002], end: [0, -0.006]}}}}\n",
                  segments),
      "boom.yaml");
  EXPECT_EQ(model.mechanism.line_loads.at(0).parts.size(), static_cast<std::size_t>(segments));
  Prepared p = prepare(model);
  Actions actions(p.plan);
  evaluate_loads(model, 0.0, actions);
  const Equilibrium rest = find_equilibrium(p.plan, p.work, p.state, actions, {});
  const std::string last = fmt::format("boom.{}", segments);
  return frame_pose(p.plan, p.work, rest.state.q, model.mechanism.find_frame(last, "tip")).position.y();
}

// int w(s) s^2 (3 L - s)/(6 EI) ds with w from 2 to 6 mN/m between 0.3 m and 1.9 m (closed form, by parts of a cubic).
TEST(LineLoadRun, SegmentsShareTheLoad) {
  const auto primitive = [](double s) {
    const double a = 0.002 - 0.3 * 0.0025, b = 0.0025, L = 2.0;  // w = a + b s
    return (a * L * s * s * s + (3 * b * L - a) * s * s * s * s / 4 - b * s * s * s * s * s / 5) / (6 * 100.0);
  };
  const double expected = -(primitive(1.9) - primitive(0.3));
  for (const int segments : {2, 5}) EXPECT_NEAR(tip_of_cantilever(segments) / expected, 1.0, 1e-6) << segments;
}

// A planar mechanism under a load with a component out of its plane: the same motion in either arithmetic, and the
// hinge carries what the plane does not know.
TEST(LineLoadRun, OutOfThePlane) {
  const Model model = load_model_text(
      "lithe: 1\n"
      "links: {arm: {beam: {length: 1, EI: 4, mass: 0.5}, modes: {count: 2}}}\n"
      "joints: {hinge: {revolute: z, from: ground, to: arm/root}}\n"
      "loads: {wind: {along: arm, force: [0.3, 1, 2], axes: link}}\n",
      "arm.yaml");
  Prepared p = prepare(model);
  ASSERT_TRUE(p.plan.is_planar());
  Workspace spatial(p.plan, Arithmetic::spatial);
  Actions actions(p.plan);
  evaluate_loads(model, 0.0, actions);
  p.state.q << 0.4, 0.02, -0.003;
  p.state.v << 1.0, -0.2, 0.1;
  VectorX flat = VectorX::Zero(3), full = VectorX::Zero(3);
  ASSERT_TRUE(select_independent(p.plan, spatial, p.state.q));
  ASSERT_TRUE(forward_dynamics(p.plan, p.work, p.state, actions, flat));
  ASSERT_TRUE(forward_dynamics(p.plan, spatial, p.state, actions, full));
  EXPECT_LT((flat - full).norm(), 1e-11 * full.norm());
  const Wrench hinge = joint_reactions(p.plan, p.work, p.state, flat, actions)[0];
  EXPECT_NEAR(hinge.force.z(), -2.0, 1e-12);
}

}  // namespace
}  // namespace lithe
