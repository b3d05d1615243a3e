// Derivatives by named parameters against closed forms, and against differences of another order and step.

#include "lithe/io/parameter_derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/io/load_model.hpp"

namespace lithe::testing {
namespace {

const char* const pendulum = R"(
lithe: 1
name: bob on a string
gravity: [0, -9.81, 0]
parameters: {bob: 0.7, length: 0.4, spring: 3}
links:
  rod: {rigid: {mass: bob, centre: [length, 0, 0], inertia: [0, 0, 0]}}
joints:
  pivot: {revolute: z, from: ground, to: rod, actuated: true, spring: {stiffness: spring}}
initial: {pivot: 0.5}
run: {until: 1}
)";

// m l^2 a = tau - k angle - m g l cos(angle), by hand.
TEST(ParameterDerivatives, OfAPendulumAreTheClosedForm) {
  const Model model = load_model_text(pendulum, "pendulum.yaml");
  const Prepared at = prepare(model);
  Actions actions(at.plan);
  actions.tau[0] = 0.3;
  const double m = 0.7, l = 0.4, k = 3.0, g = 9.81, angle = 0.5;
  const double torque = 0.3 - k * angle;
  const ParameterSlopes forward = forward_slopes_by_parameters(model, at, actions, {"bob", "length", "spring"});
  const auto near = [](double got, double expected) { EXPECT_NEAR(got / expected, 1.0, 1e-10); };
  near(forward.slopes(0, 0), -torque / (m * m * l * l));
  near(forward.slopes(0, 1), -2.0 * torque / (m * l * l * l) + g * std::cos(angle) / (l * l));
  near(forward.slopes(0, 2), -angle / (m * l * l));
  EXPECT_LT(forward.error.maxCoeff(), 1e-9);

  VectorX a(1);
  a << 2.0;
  const ParameterSlopes inverse = inverse_slopes_by_parameters(model, at, actions, a, {"length"});
  near(inverse.slopes(0, 0), 2.0 * m * l * a[0] + m * g * std::cos(angle));
}

const char* const four_bar = R"(
lithe: 1
name: four-bar with an elastic coupler
gravity: [0, -9.81, 0]
parameters: {crank: 0.11, bending: 8}
ground: {right: [0.4, 0, 0]}
links:
  crank: {rigid: {mass: 0.3, centre: [crank/2, 0, 0], inertia: [0, 0, 1e-3]}, frames: {tip: [crank, 0, 0]}}
  coupler: {beam: {length: 0.4, EI: bending, mass-per-length: 0.2, elements: 3}, modes: {count: 2}}
  rocker: {rigid: {mass: 0.2, centre: [0.1, 0, 0], inertia: [0, 0, 1e-3]}, frames: {tip: [0.25, 0, 0]}}
joints:
  motor: {revolute: z, from: ground, to: crank, actuated: true}
  left: {revolute: z, from: crank/tip, to: coupler/root}
  right: {revolute: z, from: coupler/tip, to: rocker/tip, cut: true}
  hinge: {revolute: z, from: ground/right, to: rocker}
initial: {motor: 1.1, left: -0.6, hinge: 1.9}
run: {until: 1}
)";

/// Accelerations with other numbers in the text, at the independent coordinates and speeds of `at`.
VectorX accelerations(const Prepared& at, const Actions& actions, double crank, double bending) {
  const Model model = load_model_text(four_bar, "four-bar.yaml",
                                      {{"crank", std::to_string(crank)}, {"bending", std::to_string(bending)}});
  Prepared other = prepare(model);
  EXPECT_TRUE(bool(select_independent(other.plan, other.work, at.state.q, at.work.independent())));
  other.state = at.state;
  EXPECT_TRUE(bool(project_positions(other.plan, other.work, other.state.q)));
  EXPECT_TRUE(bool(complete_speeds(other.plan, other.work, other.state.q, other.state.v)));
  VectorX a = VectorX::Zero(other.plan.nv());
  EXPECT_TRUE(bool(forward_dynamics(other.plan, other.work, other.state, actions, a)));
  return a;
}

TEST(ParameterDerivatives, OfALoopEqualExtrapolatedDifferences) {
  const Model model = load_model_text(four_bar, "four-bar.yaml");
  Prepared at = prepare(model);
  for (const int v : at.work.independent()) {
    at.state.v[v] = at.plan.is_bending(v) ? 0.01 : 2.0;
    if (at.plan.is_bending(v)) at.state.q[position_of_speed(at.plan, v)] = 1e-3;
  }
  ASSERT_TRUE(bool(project_positions(at.plan, at.work, at.state.q)));
  ASSERT_TRUE(bool(complete_speeds(at.plan, at.work, at.state.q, at.state.v)));
  const Actions actions(at.plan);
  const ParameterSlopes exact = forward_slopes_by_parameters(model, at, actions, {"crank", "bending"});

  // Central differences with steps h, h/2, ... of which Romberg's scheme removes h^2, h^4, ...
  constexpr int levels = 6;
  VectorX table[levels];
  for (int i = 0; i < levels; ++i) {
    const double h = 8e-3 / (1 << i);
    table[i] = (accelerations(at, actions, 0.11 + h, 8.0) - accelerations(at, actions, 0.11 - h, 8.0)) / (2 * h);
  }
  for (int order = 1; order < levels; ++order)
    for (int i = levels - 1; i >= order; --i) {
      const double weight = std::pow(4.0, order);
      table[i] = (weight * table[i] - table[i - 1]) / (weight - 1.0);
    }
  const VectorX& by_length = table[levels - 1];
  EXPECT_LT((exact.slopes.col(0) - by_length).norm(), 1e-8 * by_length.norm());

  // A uniform beam keeps its shapes: accelerations are linear in its stiffness, and any difference is exact.
  const VectorX by_stiffness = (accelerations(at, actions, 0.11, 12.0) - accelerations(at, actions, 0.11, 4.0)) / 8.0;
  EXPECT_LT((exact.slopes.col(1) - by_stiffness).norm(), 1e-8 * by_stiffness.norm());
}

TEST(ParameterDerivatives, RefuseUnknownNamesAndOtherCoordinates) {
  const Model model = load_model_text(pendulum, "pendulum.yaml");
  const Prepared at = prepare(model);
  const Actions actions(at.plan);
  try {
    forward_slopes_by_parameters(model, at, actions, {"lenght"});
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(), "the model has no parameter 'lenght'; did you mean 'length'?");
  }
  EXPECT_EQ(forward_slopes_by_parameters(model, at, actions, {}).slopes.size(), 0);
}

}  // namespace
}  // namespace lithe::testing
