// The formulation `augmented-lagrangian`: Baumgarte's terms, redundant equations, projection by the inertia. That it gives the accelerations of all
// others is seen by the properties of random mechanisms, which take every exact formulation of the table.

#include <gtest/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/skyline.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/prepare.hpp"
#include "support/allocation_counter.hpp"
#include "support/coordinates.hpp"
#include "support/random_mechanism.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// A model of the gallery with its loops torn open a little and speeds that do not fit them.
struct Torn {
  explicit Torn(const std::string& example, double gap = 1e-3, Arithmetic arithmetic = Arithmetic::automatic)
      : model(load_model(source_folder() + "/examples/" + example + ".yaml", {})),
        prepared(prepare(model)),
        work(prepared.plan, arithmetic),
        state(prepared.state) {
    EXPECT_TRUE(select_independent(prepared.plan, work, state.q));
    const VectorX dice = testing::random_vector(5, 2 * prepared.plan.nv());
    VectorX step = gap * dice.head(prepared.plan.nv());
    // Elastic coordinates are metres or less; a joint is torn as well as a link is bent.
    move_coordinates(prepared.plan, step, state.q);
    state.v = dice.tail(prepared.plan.nv());
  }
  Model model;
  Prepared prepared;
  Workspace work;
  State state;
  const Plan& plan() const { return prepared.plan; }
};

// c'' = -2 alpha c' - beta^2 c, whatever the motion is: A a - gamma in the words of the closures.
TEST(AugmentedLagrangian, BaumgarteLeadsBackToTheClosures) {
  for (const char* example : {"five-bar", "flexible-3rrr", "stewart-platform"}) {
    Torn torn(example);
    const double alpha = 20, beta = 15;
    VectorX a = VectorX::Zero(torn.plan().nv()), plain = a, gamma, c;
    ASSERT_TRUE(forward_dynamics(torn.plan(), torn.work, torn.state, Actions(torn.plan()), a,
                                 {Formulation::augmented_lagrangian, {}, {alpha, beta}}));
    ASSERT_TRUE(forward_dynamics(torn.plan(), torn.work, torn.state, Actions(torn.plan()), plain,
                                 {Formulation::augmented_lagrangian}));
    MatrixX A;
    closure_jacobian(torn.plan(), torn.work, torn.state.q, A);
    closure_bias(torn.plan(), torn.work, torn.state, gamma);
    closure_values(torn.plan(), torn.work, torn.state.q, c);
    const VectorX wanted = -2 * alpha * (A * torn.state.v) - beta * beta * c;
    const double size = 1 + a.cwiseAbs().maxCoeff();
    EXPECT_LT((A * a - gamma - wanted).cwiseAbs().maxCoeff(), 1e-9 * size) << example;
    EXPECT_LT((A * plain - gamma).cwiseAbs().maxCoeff(), 1e-9 * size) << example;
    EXPECT_GT((a - plain).cwiseAbs().maxCoeff(), 1e-3) << example;  // and so do the forces in the joints differ
  }
}

/// Classical Runge-Kutta steps of the state, without any projection.
void step_on(const Plan& plan, Workspace& work, State& state, double h, const ForwardOptions& options) {
  const Actions actions(plan);
  VectorX a = VectorX::Zero(plan.nv()), rates;
  VectorX q_sum = VectorX::Zero(plan.nq()), v_sum = a;
  const State start = state;
  State stage = state;
  for (const auto& [weight, next] :
       {std::pair{1.0, h / 2}, std::pair{2.0, h / 2}, std::pair{2.0, h}, std::pair{1.0, 0.0}}) {
    ASSERT_TRUE(forward_dynamics(plan, work, stage, actions, a, options));
    coordinate_rates(plan, stage.q, stage.v, rates);
    q_sum += weight * rates;
    v_sum += weight * a;
    stage.q = start.q + next * rates;
    stage.v = start.v + next * a;
  }
  state.q = start.q + h / 6 * q_sum;
  state.v = start.v + h / 6 * v_sum;
}

// Along a whole motion, with alpha = beta: a gap c closes as (c_0 + (c_0' + alpha c_0) t) exp(-alpha t), and so at the rate alpha; without Baumgarte's
// terms it grows, c_0 + c_0' t.
TEST(AugmentedLagrangian, GapsCloseAtTheRateAlpha) {
  for (const double alpha : {0.0, 20.0}) {
    Torn torn("four-bar");
    torn.state.v *= 0.1;
    VectorX c, start;
    MatrixX A;
    closure_values(torn.plan(), torn.work, torn.state.q, start);
    closure_jacobian(torn.plan(), torn.work, torn.state.q, A);
    const VectorX rate = A * torn.state.v;
    const double h = 5e-4;
    for (int k = 1; k <= 400; ++k) {
      step_on(torn.plan(), torn.work, torn.state, h, {Formulation::augmented_lagrangian, {}, {alpha, alpha}});
      const double t = k * h;
      closure_values(torn.plan(), torn.work, torn.state.q, c);
      const VectorX wanted = (start + (rate + alpha * start) * t) * std::exp(-alpha * t);
      // Steps of order 4: (alpha h)^5 of each, summed over 400 steps.
      ASSERT_LT((c - wanted).norm(), 1e-8 * (1 + rate.norm())) << t;
    }
  }
}

// Euler parameters in the coordinates of balls and free bodies keep their length though nothing puts it right.
TEST(AugmentedLagrangian, EulerParametersKeepTheirLength) {
  const Model model = load_model(source_folder() + "/examples/stewart-platform.yaml", {});
  Prepared prepared = prepare(model);
  const Plan& plan = prepared.plan;
  ASSERT_GT(plan.nq(), plan.nv());  // there are such coordinates
  State state = prepared.state;
  for (const int v : prepared.work.independent()) state.v[v] = 0.2;
  ASSERT_TRUE(complete_speeds(plan, prepared.work, state.q, state.v));
  for (int k = 0; k < 100; ++k) step_on(plan, prepared.work, state, 1e-3, {Formulation::augmented_lagrangian});
  VectorX kept = state.q;
  normalise_quaternions(plan, kept);
  EXPECT_LT((kept - state.q).cwiseAbs().maxCoeff(), 1e-8);
  VectorX c;
  closure_values(plan, prepared.work, state.q, c);
  EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-6);
}

// A planar loop evaluated in space says three things twice, Sarrus' linkage one: the equations share the multipliers.
TEST(AugmentedLagrangian, RedundantEquationsDoNoHarm) {
  for (const char* example : {"five-bar", "flexible-four-bar", "sarrus"}) {
    const Model model = load_model(source_folder() + "/examples/" + example + ".yaml", {});
    Prepared prepared = prepare(model);
    Workspace work(prepared.plan, Arithmetic::spatial);
    ASSERT_TRUE(select_independent(prepared.plan, work, prepared.state.q));
    EXPECT_FALSE(work.redundant_rows().empty()) << example;
    State state = prepared.state;
    for (const int v : work.independent()) state.v[v] = 1.0;
    ASSERT_TRUE(complete_speeds(prepared.plan, work, state.q, state.v));
    VectorX a = VectorX::Zero(prepared.plan.nv()), noc = a;
    const Actions actions(prepared.plan);
    ASSERT_TRUE(forward_dynamics(prepared.plan, work, state, actions, a, {Formulation::augmented_lagrangian}));
    ASSERT_TRUE(forward_dynamics(prepared.plan, work, state, actions, noc));
    EXPECT_LT((a - noc).cwiseAbs().maxCoeff(), 1e-9 * (1 + noc.cwiseAbs().maxCoeff())) << example;
  }
}

// A prescribed joint is one more equation.
TEST(AugmentedLagrangian, PrescribedSpeedsAreEquations) {
  const Model model = load_model(source_folder() + "/examples/five-bar.yaml", {});
  Prepared prepared = prepare(model);
  const std::vector<int> driven{testing::speed_of(prepared.plan, "motor-left")};
  ASSERT_TRUE(select_independent(prepared.plan, prepared.work, prepared.state.q, driven));
  VectorX a = VectorX::Zero(prepared.plan.nv()), noc = a;
  a[driven[0]] = noc[driven[0]] = 3.0;
  const Actions actions(prepared.plan);
  ASSERT_TRUE(forward_dynamics(prepared.plan, prepared.work, prepared.state, actions, a,
                               {Formulation::augmented_lagrangian, driven}));
  ASSERT_TRUE(forward_dynamics(prepared.plan, prepared.work, prepared.state, actions, noc, {Formulation::noc, driven}));
  EXPECT_LT((a - noc).cwiseAbs().maxCoeff(), 1e-10 * noc.cwiseAbs().maxCoeff());
}

// The nearest speeds on the closures: the change is orthogonal, by the inertia, to every motion that the loops allow.
TEST(AugmentedLagrangian, ProjectionIsOrthogonalByTheInertia) {
  for (const char* example : {"five-bar", "flexible-3rrr", "stewart-platform", "gripper"}) {
    Torn torn(example, 1e-4);
    const VectorX before = torn.state.v;
    ASSERT_TRUE(project_state(torn.plan(), torn.work, torn.state, {Formulation::augmented_lagrangian})) << example;
    VectorX c;
    MatrixX A, M, N;
    closure_values(torn.plan(), torn.work, torn.state.q, c);
    closure_jacobian(torn.plan(), torn.work, torn.state.q, A);
    EXPECT_LT(c.cwiseAbs().maxCoeff(), 1e-13) << example;
    EXPECT_LT((A * torn.state.v).cwiseAbs().maxCoeff(), 1e-11) << example;
    tree_inertia(torn.plan(), torn.work, torn.state.q, M);
    ASSERT_TRUE(loop_complement(torn.plan(), torn.work, torn.state.q, N));
    const VectorX momentum = M * (torn.state.v - before);
    EXPECT_LT((N.transpose() * momentum).cwiseAbs().maxCoeff(), 1e-9 * (1 + momentum.cwiseAbs().maxCoeff())) << example;
    EXPECT_GT((torn.state.v - before).cwiseAbs().maxCoeff(), 1e-3) << example;

    if (!testing::allocations_are_counted()) continue;
    State again = torn.state;
    ASSERT_TRUE(project_state(torn.plan(), torn.work, again, {Formulation::augmented_lagrangian}));
    const long count = testing::allocation_count();
    ASSERT_TRUE(project_state(torn.plan(), torn.work, again, {Formulation::augmented_lagrangian}));
    EXPECT_EQ(testing::allocation_count(), count) << example;
  }
}

// Others keep their independent coordinates and speeds.
TEST(AugmentedLagrangian, OtherProjectionsKeepTheIndependentCoordinates) {
  Torn torn("five-bar", 1e-4);
  const State before = torn.state;
  ASSERT_TRUE(project_state(torn.plan(), torn.work, torn.state));
  for (const int v : torn.work.independent()) {
    EXPECT_EQ(torn.state.q[v], before.q[v]);
    EXPECT_EQ(torn.state.v[v], before.v[v]);
  }
}

// [4 2 0; 2 5 3; 0 3 10] = L L^T with L = [2; 1 2; . 1.5 sqrt(7.75)], by hand.
TEST(Skyline, FactorsAndSolves) {
  detail::Skyline matrix;
  matrix.shape({0, 0, 1});
  matrix(0, 0) = 4;
  matrix(1, 0) = 2;
  matrix(1, 1) = 5;
  matrix(2, 1) = 3;
  matrix(2, 2) = 10;
  EXPECT_EQ(matrix.factor(), -1);
  EXPECT_DOUBLE_EQ(matrix(2, 1), 1.5);
  EXPECT_DOUBLE_EQ(matrix(2, 2), std::sqrt(7.75));
  double x[] = {4 * 1 + 2 * -1, 2 * 1 + 5 * -1 + 3 * 2, 3 * -1 + 10 * 2};
  matrix.solve(x);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], -1, 1e-15);
  EXPECT_NEAR(x[2], 2, 1e-15);
  matrix.shape({0, 0});
  matrix(0, 0) = 1;
  matrix(1, 0) = 1;
  matrix(1, 1) = 1;
  EXPECT_EQ(matrix.factor(), 1);
}

}  // namespace
}  // namespace lithe
