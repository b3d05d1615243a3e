// Fattah reference 5.1, item 8: bodies that float without forces, elastic and rigid, along a run.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/beam_mechanisms.hpp"
#include "support/link_dice.hpp"

namespace lithe::testing {
namespace {

Model floating(LinkData link) {
  Model model;
  model.mechanism.add_link(std::move(link));
  Joint joint;
  joint.name = "float";
  joint.type = JointType::free;
  joint.to = {1, 0};
  model.mechanism.add_joint(joint);
  model.run.rtol = 1e-11;
  model.run.atol = 1e-12;
  model.run.every = 0.05;
  return model;
}

/// A slender beam on mean axes or clamped in its body frame, with a lump at its tip.
LinkData floating_beam(Reference reference, bool stiffening) {
  BeamSpec spec = uniform_beam(1.0, 1.2, 0.8, 6, true);
  spec.twists = true;
  Section& section = spec.stations[0].section;
  section.torsion = 1.0;
  section.polar = section.rotary_y = section.rotary_z = 2e-3;
  spec.masses.push_back({1.0, 0.3, Vec3(0.02, 0.05, 0), 1e-3 * Mat3::Identity()});
  const ElasticModel model = with_reference("beam", beam_model("beam", spec, {}), reference);
  return reduced_link("beam", model, link_modes("beam", model, {{}, 4, 0}), stiffening);
}

struct Momentum {
  Vec3 linear, angular;  ///< ground axes, the latter about the ground origin
  double energy;
};

/// d T / d(speeds) of the free joint: momentum, and moment of momentum about the link origin in link axes.
Momentum momentum(Prepared& at, const State& state) {
  MatrixX inertia;
  tree_inertia(at.plan, at.work, state.q, inertia);
  const VectorX p = inertia * state.v;
  const Pose pose = frame_pose(at.plan, at.work, state.q, {1, 0});
  const Energy now = energy(at.plan, at.work, state);
  return {p.head<3>(), pose.rotation * p.segment<3>(3) + pose.position.cross(Vec3(p.head<3>())),
          now.kinetic + now.potential};
}

TEST(FreeLink, KeepsMomentumAndEnergy) {
  for (const Reference reference : {Reference::clamped, Reference::free})
    for (const bool stiffening : {false, true}) {
      Model model = floating(floating_beam(reference, stiffening));
      const double spin[6] = {0.3, -0.2, 0.1, 1.5, 4.0, -2.5};
      for (int i = 0; i < 6; ++i) model.initial_speeds.push_back({"float", i, spin[i]});
      model.run.until = 2.0;
      MemoryRecord record;
      ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);

      Prepared at = prepare(model);
      const auto state = [&](std::size_t row) {
        State s{0.0, VectorX(at.plan.nq()), VectorX(at.plan.nv())};
        for (int i = 0; i < 7; ++i) s.q[i] = record.at(row, "q.float." + std::to_string(i));
        for (int i = 0; i < 6; ++i) s.v[i] = record.at(row, "v.float." + std::to_string(i));
        for (int i = 0; i < 4; ++i) {
          s.q[7 + i] = record.at(row, "q.beam.e" + std::to_string(i + 1));
          s.v[6 + i] = record.at(row, "v.beam.e" + std::to_string(i + 1));
        }
        return s;
      };
      const Momentum start = momentum(at, state(0));
      double bent = 0.0;
      for (std::size_t row = 0; row < record.rows(); ++row) {
        const State s = state(row);
        const Momentum now = momentum(at, s);
        EXPECT_LT((now.linear - start.linear).norm(), 1e-7 * start.linear.norm());
        EXPECT_LT((now.angular - start.angular).norm(), 1e-7 * start.angular.norm());
        EXPECT_NEAR(now.energy / start.energy, 1.0, 1e-7);
        bent = std::max(bent, energy(at.plan, at.work, s).strain / now.energy);
      }
      EXPECT_GT(bent, 1e-4) << "bending holds a thousand times the bound above";
    }
}

// Euler's equations I omega' = -omega x I omega at random states, for any body.
TEST(FreeLink, RigidBodyObeysEulersEquations) {
  LinkDice dice(3);
  for (int i = 0; i < 20; ++i) {
    LinkData body;
    body.name = "body";
    body.mass = dice.between(0.5, 3);
    body.centre = dice.vector();
    Mat3 root;
    root << dice.vector(), dice.vector(), dice.vector();
    const Mat3 products = root * root.transpose();
    body.inertia = products.trace() * Mat3::Identity() - products;
    Prepared at = prepare(floating(body));
    at.state.v << dice.vector(), 3.0 * dice.vector();
    VectorX a(6);
    ASSERT_TRUE(forward_dynamics(at.plan, at.work, at.state, Actions(at.plan), a));
    const Vec3 w = at.state.v.tail<3>();
    const Vec3 expected = -body.inertia.inverse() * w.cross(body.inertia * w);
    EXPECT_LT((a.tail<3>() - expected).norm(), 1e-11 * (1 + expected.norm()));
  }
}

// A body with a symmetry axis: the spin about it stays, the rest turns about it at (1 - C/A) times that spin (closed
// form).
TEST(FreeLink, SymmetricTopPrecesses) {
  LinkData top;
  top.name = "top";
  top.mass = 2.0;
  top.inertia = Vec3(0.3, 0.3, 0.5).asDiagonal();
  Model model = floating(top);
  const double across = 1.2, along = 4.0, rate = (1 - 0.5 / 0.3) * along;
  model.initial_speeds = {{"float", 3, across}, {"float", 5, along}};
  model.run.until = 3.0;
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t");
    EXPECT_NEAR(record.at(row, "v.float.3"), across * std::cos(rate * t), 1e-8);
    EXPECT_NEAR(record.at(row, "v.float.4"), -across * std::sin(rate * t), 1e-8);
    EXPECT_NEAR(record.at(row, "v.float.5"), along, 1e-8);
  }
}

}  // namespace
}  // namespace lithe::testing
