#include "lithe/analysis/linearize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/kinematics/motion.hpp"
#include "support/beam_mechanisms.hpp"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

struct Subject {
  Plan plan;
  Workspace work;
  State state;
  Actions actions;
  explicit Subject(Mechanism mechanism) : plan(std::move(mechanism)), work(plan), actions(plan) {
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
    (void)select_independent(plan, work, state.q);
  }
  NaturalModes modes(const std::vector<int>& locked = {}) {
    const Linearization linear = linearize(plan, work, state, VectorX::Zero(plan.nv()), actions, locked);
    return natural_modes(plan, work, state.q, linear);
  }
};

// Clamped-free beam: roots of cos x cosh x = -1, squared (closed form).
TEST(Linearize, CantileverFrequencies) {
  Subject beam(beam_on_joint(JointType::fixed, {.elements = 24}));
  const VectorX f = beam.modes().frequencies;
  const double roots[3] = {1.8751040687, 4.6940911330, 7.8547574382};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(2 * pi * f[i] / (roots[i] * roots[i]), 1.0, 1e-4);
}

// The same beam on a free hinge: pinned-free, tan x = tanh x, first root 3.92660231; and one rigid motion.
TEST(Linearize, HingedBeamHasARigidMotion) {
  Subject beam(beam_on_joint(JointType::revolute, {}));
  const VectorX f = beam.modes().frequencies;
  EXPECT_NEAR(f[0], 0.0, 1e-3);
  EXPECT_NEAR(2 * pi * f[1] / (3.92660231 * 3.92660231), 1.0, 1e-4);
  // With the hinge locked it is a cantilever again.
  EXPECT_NEAR(2 * pi * beam.modes({0}).frequencies[0], 1.8751040687 * 1.8751040687, 1e-4);
}

// Fattah reference 5.2: frequencies of a beam that spins about its root, out of the plane of rotation as tabulated
// there (hub radius zero), in the plane sqrt(w^2 - eta^2).
TEST(Linearize, SpinningBeam) {
  Subject beam(beam_on_joint(JointType::revolute, {.elements = 8, .in_space = true}));
  const double eta[3] = {2, 5, 10}, tabulated[3] = {4.1373, 6.4495, 11.2023};
  for (int i = 0; i < 3; ++i) {
    beam.state.v[0] = eta[i];
    const VectorX f = 2 * pi * beam.modes({0}).frequencies;
    EXPECT_NEAR(f[0] / std::sqrt(tabulated[i] * tabulated[i] - eta[i] * eta[i]), 1.0, 1e-3);
    EXPECT_NEAR(f[1] / tabulated[i], 1.0, 1e-3);
  }
}

// Without stiffening the spin softens the beam; beyond eta = 3.516 it is unstable in the plane of rotation.
TEST(Linearize, SpinSoftensWithoutStiffening) {
  Subject beam(beam_on_joint(JointType::revolute, {.stiffening = false}));
  beam.state.v[0] = 3.4;
  EXPECT_GT(beam.modes({0}).frequencies[0], 0.0);
  beam.state.v[0] = 3.6;
  EXPECT_LT(beam.modes({0}).frequencies[0], 0.0);
}

// Euler column: the consistent stiffening makes the end load itself soften the beam; pi^2 EI / (4 L^2).
TEST(Linearize, ColumnBuckles) {
  Subject column(beam_on_joint(JointType::fixed, {.length = 2.0, .bending = 3.0}));
  const double critical = pi * pi * 3.0 / 16.0;
  for (double part : {0.999, 1.001}) {
    column.actions.loads[0].force = Vec3(-part * critical, 0, 0);
    EXPECT_EQ(column.modes().frequencies[0] > 0, part < 1.0) << part;
  }
}

// The same with the axial force recovered: a load at a frame counts once.
TEST(Linearize, ColumnBucklesUnderStress) {
  Mechanism mechanism = beam_on_joint(JointType::fixed, {.length = 2.0, .bending = 3.0});
  mechanism.links[1].elastic.stiffening = Stiffening::stress;
  Subject column(std::move(mechanism));
  const double critical = pi * pi * 3.0 / 16.0;
  for (double part : {0.999, 1.001}) {
    column.actions.loads[0].force = Vec3(-part * critical, 0, 0);
    EXPECT_EQ(column.modes().frequencies[0] > 0, part < 1.0) << part;
  }
}

// A pulled string-like beam in the limit of large tension: w_n -> (2 n - 1) pi/2 sqrt(T/mu)/L for a clamped-free one
// whose tip load keeps its direction (closed form of the string; bending adds a few percent that vanish with EI).
TEST(Linearize, TensionStiffensLikeAString) {
  Subject beam(beam_on_joint(JointType::fixed, {.bending = 1e-4, .elements = 60}));
  beam.actions.loads[0].force = Vec3(100.0, 0, 0);
  EXPECT_NEAR(2 * pi * beam.modes().frequencies[0] / (pi / 2 * 10.0), 1.0, 5e-3);
}

TEST(Linearize, PolesOfADampedMode) {
  Mechanism mechanism = beam_on_joint(JointType::fixed, {.modes = 1});
  ElasticData& e = mechanism.links[1].elastic;
  const double w = e.frequencies[0], ratio = 0.05;
  e.damping = MatrixX::Constant(1, 1, 2 * ratio * w);
  Subject beam(std::move(mechanism));
  const auto p = poles(linearize(beam.plan, beam.work, beam.state, VectorX::Zero(1), beam.actions));
  ASSERT_EQ(p.size(), 2u);
  EXPECT_NEAR(p[0].real(), -ratio * w, 1e-7);
  EXPECT_NEAR(std::abs(p[0].imag()), w * std::sqrt(1 - ratio * ratio), 1e-7);
}

}  // namespace
}  // namespace lithe::testing
