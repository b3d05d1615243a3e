#pragma once
// Small mechanisms with known answers, as models.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/simulation/model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {

/// The record of a run that must not end early.
inline MemoryRecord complete_run(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

inline Pose at(double x, double y, double z = 0.0) { return {Mat3::Identity(), Vec3(x, y, z)}; }

/// A slender rod along x from its origin, with a frame "tip" at its end.
inline int add_rod(Mechanism& m, const std::string& name, double length, double mass) {
  LinkData rod;
  rod.name = name;
  rod.mass = mass;
  rod.centre = Vec3(length / 2, 0, 0);
  rod.inertia = Vec3(0, 1, 1).asDiagonal() * (mass * length * length / 12);
  rod.inertia(0, 0) = 1e-6 * mass * length * length;
  const int link = m.add_link(rod);
  m.add_frame(link, "tip", at(length, 0));
  return link;
}

inline void add_revolute(Mechanism& m, const std::string& name, FrameRef from, FrameRef to, bool actuated = false) {
  Joint joint;
  joint.name = name;
  joint.from = from;
  joint.to = to;
  if (actuated) joint.actuated = {true};
  m.add_joint(joint);
}

/// Point mass on a massless rod of 1 m, hanging along x at q = 0; gravity along +x, so q is the angle from the
/// vertical.
inline Model simple_pendulum(double mass = 1.0) {
  Model model;
  LinkData bob;
  bob.name = "bob";
  bob.mass = mass;
  bob.centre = Vec3(1, 0, 0);
  model.mechanism.gravity = Vec3(9.81, 0, 0);
  const int link = model.mechanism.add_link(bob);
  add_revolute(model.mechanism, "hinge", {0, 0}, {link, 0}, true);
  return model;
}

/// Two rods of 1 m and 1 kg under gravity along -y.
inline Model double_pendulum() {
  Model model;
  model.mechanism.gravity = Vec3(0, -9.81, 0);
  const int first = add_rod(model.mechanism, "first", 1.0, 1.0), second = add_rod(model.mechanism, "second", 1.0, 1.0);
  add_revolute(model.mechanism, "shoulder", {0, 0}, {first, 0}, true);
  add_revolute(model.mechanism, "elbow", {first, 1}, {second, 0}, true);
  model.initial = {{"shoulder", 0, 0.3}, {"elbow", 0, 0.5}};
  return model;
}

/// Four-bar: ground 2 m, crank 1 m, coupler 2 m, rocker 1.5 m; gravity along -y; the crank has the motor.
inline Model four_bar() {
  Model model;
  Mechanism& m = model.mechanism;
  m.gravity = Vec3(0, -9.81, 0);
  const int crank = add_rod(m, "crank", 1.0, 1.0), coupler = add_rod(m, "coupler", 2.0, 2.0),
            rocker = add_rod(m, "rocker", 1.5, 1.5);
  const FrameRef right = m.add_frame(0, "right", at(2, 0));
  add_revolute(m, "motor", {0, 0}, {crank, 0}, true);
  add_revolute(m, "a", {crank, 1}, {coupler, 0});
  add_revolute(m, "b", {coupler, 1}, {rocker, 1});
  add_revolute(m, "c", right, {rocker, 0});
  model.initial = {{"motor", 0, std::numbers::pi / 2}, {"a", 0, -1.3}, {"b", 0, 1.5}, {"c", 0, 1.7}};
  return model;
}

}  // namespace lithe::testing
