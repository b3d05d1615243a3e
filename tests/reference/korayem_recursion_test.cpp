// The recursion of Korayem and Shafei (src/reproduce/printed_recursion.hpp) against sums over mass points along the
// links (tests/oracles/korayem_gibbs_appell.py), and the properties that it must have.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "lithe/dynamics/forward.hpp"
#include "reference/korayem_chains.hpp"

namespace lithe {
namespace {

using namespace testing;
using reproduce::BeamChain;
using reproduce::ChainState;
using reproduce::PrintedRecursion;
using reproduce::TipTurn;

// Sums of some hundred terms of like size.
constexpr double summation = 1e-12;

class KorayemChain : public ::testing::TestWithParam<std::string> {
 protected:
  const Json& source = korayem_chain(GetParam());
  BeamChain chain = reproduce::beam_chain(korayem_model(source).mechanism);
  ChainState state = korayem_state(source);
};

TEST_P(KorayemChain, RecursionEqualsSumsOverMassPoints) {
  const ChainEquations exact = expected_equations(source, "exact");
  const ChainEquations ours = recursion_equations(chain, state, {TipTurn::exact});
  EXPECT_LT(difference(ours.inertia, exact.inertia), summation);
  EXPECT_LT(difference(ours.right, exact.right), summation);
}

TEST_P(KorayemChain, ConsistentTurnsObeyLagrange) {
  const ChainEquations expected = expected_equations(source, "consistent");
  const ChainEquations ours = recursion_equations(chain, state, {TipTurn::consistent});
  EXPECT_LT(difference(ours.inertia, expected.inertia), summation);
  EXPECT_LT(difference(ours.right, expected.right), summation);
}

// The printed elastic rotation is not orthogonal: recursion and sums differ by the squares of the angles.
TEST_P(KorayemChain, FirstOrderTurnsAgreeToSecondOrder) {
  double squares = 0.0;
  for (std::size_t i = 0, at = 0; i < chain.links.size(); at += 1 + chain.links[i++].count()) {
    Vec3 turn = Vec3::Zero();
    for (int f = 0; f < chain.links[i].count(); ++f) turn += state.theta[at + 1 + f] * chain.links[i].turns[f];
    squares += turn.squaredNorm();
  }
  const ChainEquations expected = expected_equations(source, "paper");
  const ChainEquations ours = recursion_equations(chain, state, {TipTurn::paper});
  EXPECT_LT(difference(ours.inertia, expected.inertia), squares + summation);
  EXPECT_LT(difference(ours.right, expected.right), squares + summation);
}

TEST_P(KorayemChain, InertiaIsSymmetricAndPositive) {
  PrintedRecursion<double> recursion(chain, {TipTurn::consistent});
  recursion.evaluate(state);
  EXPECT_EQ(recursion.inertia, recursion.inertia.transpose());
  EXPECT_EQ(Eigen::LLT<MatrixX>(recursion.inertia).info(), Eigen::Success);
}

// Forces that make a chosen acceleration, put back as applied forces, give that acceleration.
TEST_P(KorayemChain, InverseThenForward) {
  const VectorX wanted = VectorX::LinSpaced(chain.size(), -3.0, 5.0);
  const ChainEquations at = recursion_equations(chain, state, {TipTurn::consistent});
  const VectorX force = at.inertia * wanted - at.right;
  const VectorX found = at.inertia.llt().solve(VectorX(at.right + force));
  const VectorX singular = Eigen::JacobiSVD<MatrixX>(at.inertia).singularValues();
  const double condition = singular[0] / singular[singular.size() - 1];
  EXPECT_LT(difference(found, wanted), 1e-15 * condition * chain.size());
}

// A shape twice as large with half its amplitude is the same bending.
TEST_P(KorayemChain, ScaleOfAShapeDoesNotMatter) {
  const ChainEquations before = recursion_equations(chain, state, {TipTurn::consistent});
  BeamChain scaled = chain;
  ChainState moved = state;
  VectorX scale = VectorX::Ones(chain.size());
  int at = 0;
  for (reproduce::ChainLink& link : scaled.links) {
    for (int j = 0; j < link.count(); ++j) {
      const double k = 1.7 + 0.4 * j;
      scale[at + 1 + j] = k;
      for (auto* each : {&link.shapes, &link.turns, &link.translation, &link.rotation}) (*each)[j] *= k;
      link.position_shape[j] *= k;
      for (auto* each : {&link.mass_matrix, &link.stiffness}) {
        each->row(j) *= k;
        each->col(j) *= k;
      }
      for (int t = 0; t < link.count(); ++t) {
        link.crossed[j][t] *= k;
        link.crossed[t][j] *= k;
        link.squared[j][t] *= k;
        link.squared[t][j] *= k;
      }
    }
    at += 1 + link.count();
  }
  moved.theta.array() /= scale.array();
  moved.rate.array() /= scale.array();
  const ChainEquations after = recursion_equations(scaled, moved, {TipTurn::consistent});
  const MatrixX expected = scale.asDiagonal() * before.inertia * scale.asDiagonal();
  EXPECT_LT(difference(after.inertia, expected), summation);
  EXPECT_LT(difference(after.right, scale.cwiseProduct(before.right)), summation);
}

// A turn of the first joint frame and the opposite turn of gravity.
TEST_P(KorayemChain, GravityTurnsWithTheBase) {
  const Mat3 turn = rotation_from_vector(Vec3(0.4, -0.9, 0.3));
  BeamChain turned = chain;
  turned.links[0].base = turn * turned.links[0].base;
  turned.up = turn * turned.up;
  const ChainEquations before = recursion_equations(chain, state, {TipTurn::consistent});
  const ChainEquations after = recursion_equations(turned, state, {TipTurn::consistent});
  EXPECT_LT(difference(after.inertia, before.inertia), summation);
  EXPECT_LT(difference(after.right, before.right), summation);
}

/// (85) for link j behind link k, with its own terms and W (91), in place of the mirrored entry.
double mirrored_entry(const PrintedRecursion<double>& x, int j, int f, int k, int t) {
  const auto &own = x.stages[j], &other = x.stages[k];
  Mat3 W = Mat3::Zero();
  for (int s = k + 1; s < j; ++s) W += x.R(j, s) * skew(x.stages[s].reach) * x.R(s, k);
  const double entry = own.alpha[f].dot(x.R(j, k) * other.turns[t]) +
                       own.translation[f].dot(x.R(j, k) * other.shapes[t]) - own.translation[f].dot(W * other.turns[t]);
  if (j == x.n - 1) return entry;
  const Vec3 moment = (x.p_sigma_p(j, k) - x.p_psi_p(j, k) - x.p_U_p(j, k)) * other.turns[t] +
                      (x.p_gamma(j, k) + x.p_xi_p(j, k)) * other.shapes[t];
  const Vec3 force = x.lambda(j, k) * other.shapes[t] - (x.V(j, k) + x.p_xi_p(j, k)) * other.turns[t];
  return entry + own.turns[f].dot(moment) + own.shapes[f].dot(force);
}

TEST_P(KorayemChain, LowerTriangleByItsOwnFormulaIsTheUpper) {
  PrintedRecursion<double> x(chain, {TipTurn::consistent});
  x.evaluate(state);
  const double scale = x.inertia.cwiseAbs().maxCoeff();
  for (int j = 0; j < x.n; ++j)
    for (int k = 0; k < j; ++k)
      for (int f = 0; f < chain.links[j].count(); ++f)
        for (int t = 0; t < chain.links[k].count(); ++t)
          EXPECT_NEAR(mirrored_entry(x, j, f, k, t), x.inertia(x.first[j] + 1 + f, x.first[k] + 1 + t), 1e-13 * scale)
              << j << f << k << t;
}

INSTANTIATE_TEST_SUITE_P(Oracle, KorayemChain,
                         ::testing::Values("S3", "random 1", "random 2", "random 3", "random 6", "planar 1", "planar 2",
                                           "planar 3", "planar 6"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

// Against Lagrange the printed rotation is wrong by the first power of the bending: ten times less per decade.
TEST(KorayemPaper, ErrorShrinksWithTheBending) {
  double before = 0.0;
  for (const char* name : {"decade 1", "decade 2", "decade 3"}) {
    const Json& source = korayem_chain(name);
    const BeamChain chain = reproduce::beam_chain(korayem_model(source).mechanism);
    const double error = difference(recursion_equations(chain, korayem_state(source), {TipTurn::paper}).inertia,
                                    expected_equations(source, "consistent").inertia);
    if (before > 0.0) {
      EXPECT_GT(before / error, 8.0) << name;
      EXPECT_LT(before / error, 12.0) << name;
    }
    before = error;
  }
}

// In a plane the exponential has its rate for angular velocity: `exact` is `consistent`.
TEST(KorayemPaper, ExactIsConsistentInThePlane) {
  for (const char* name : {"planar 2", "planar 6"}) {
    const Json& source = korayem_chain(name);
    const BeamChain chain = reproduce::beam_chain(korayem_model(source).mechanism);
    const ChainEquations expected = expected_equations(source, "consistent");
    const ChainEquations ours = recursion_equations(chain, korayem_state(source), {TipTurn::exact});
    EXPECT_LT(difference(ours.inertia, expected.inertia), summation);
    EXPECT_LT(difference(ours.right, expected.right), summation);
  }
}

// Step 2 as printed forgets omega x theta': only chains that bend in space show it.
TEST(KorayemPaper, PrintedStepTwoMissesATerm) {
  const Json& source = korayem_chain("S3");
  const BeamChain chain = reproduce::beam_chain(korayem_model(source).mechanism);
  const ChainState state = korayem_state(source);
  const VectorX printed = recursion_equations(chain, state, {TipTurn::exact, true}).right;
  const VectorX right = recursion_equations(chain, state, {TipTurn::exact}).right;
  EXPECT_LT(difference(printed, expected_equations(source, "exact-printed-bias").right), summation);
  EXPECT_NEAR((printed[0] - right[0]) / right[0], 0.09, 0.005);
  const Json& flat = korayem_chain("planar 6");
  const BeamChain plane = reproduce::beam_chain(korayem_model(flat).mechanism);
  EXPECT_EQ(recursion_equations(plane, korayem_state(flat), {TipTurn::exact, true}).right,
            recursion_equations(plane, korayem_state(flat), {TipTurn::exact}).right);
}

// Links that do not bend: the inertia matrix and the forces of the engine's own rigid recursions.
TEST(KorayemRigid, EqualsTheRigidEngine) {
  Json source = korayem_chain("random 6");
  for (Json& link : source["links"]) link["shapes"] = Json::array();
  const Model model = korayem_model(source);
  const Plan plan(model.mechanism);
  Workspace work(plan);
  State state;
  state.q = VectorX::LinSpaced(6, -1.0, 1.5);
  state.v = VectorX::LinSpaced(6, 2.0, -1.0);
  ChainState same = reproduce::chain_state(plan, state);
  same.tau = VectorX::LinSpaced(6, 1.0, 2.0);
  const ChainEquations ours = recursion_equations(reproduce::beam_chain(model.mechanism), same, {TipTurn::paper});
  MatrixX M;
  tree_inertia(plan, work, state.q, M);
  EXPECT_LT(difference(ours.inertia, M), summation);
  Actions actions(plan);
  actions.tau.head(6) = same.tau;
  VectorX a = VectorX::Zero(6);
  ASSERT_TRUE(forward_dynamics(plan, work, state, actions, a));
  EXPECT_LT(difference(ours.right, M * a), 1e-10);
}

// Reference note of the source, section 5: intermediate results of S3 with exact rotations, by another program.
TEST(KorayemS3, IntermediateResults) {
  const Json& source = korayem_chain("S3");
  const BeamChain chain = reproduce::beam_chain(korayem_model(source).mechanism);
  PrintedRecursion<double> x(chain, {TipTurn::exact});
  x.evaluate(korayem_state(source));
  const auto expect = [](const Vec3& ours, double a, double b, double c) {
    EXPECT_LT((ours - Vec3(a, b, c)).cwiseAbs().maxCoeff(), 6e-11) << ours.transpose();
  };
  expect(x.stages[1].omega, -0.4736967659, 0.5158400276, -0.4005999000);
  expect(x.stages[1].omega_v, -0.2624325394, -0.2471843483, 0.0079973336);
  expect(x.stages[1].a_v, -6.7315945127, 7.1445149116, -0.0129226792);
  expect(x.stages[2].omega, 1.0247164663, 0.7514047522, 1.0407568872);
  expect(x.stages[2].omega_v, 0.3692335750, -0.7429677053, -0.6399381204);
  expect(x.stages[2].a_v, -0.2841653850, 7.7671029740, 6.4656263368);
  expect(x.stages[1].s, -16.7606513368, 16.9153171184, 0.6102004179);
  expect(x.stages[2].s, -0.4946584076, 7.5277309121, 6.9126062666);
  expect(x.stages[0].t, 0.32695, -24.520875, 0.002);
  expect(x.stages[1].t, 0.0049866575, -0.3443585143, 6.8205580885);
  expect(x.stages[2].t, -0.0244216012, -1.7669738669, 1.8506566505);
  expect(x.stages[0].phi, -2.0621832984, -1.8084881884, 33.9176159835);
  expect(x.stages[1].phi, -7.2079176908, 7.1784169846, 1.1008165968);
  expect(x.stages[0].chi, 2.7009370718, -72.7059170911, -2.8060552210);
  expect(x.stages[1].chi, 1.5403350013, -0.0258129284, 14.3455616002);
}

// Closed form of the integrals of x^2: mu l/3, mu l^2/4, mu l/5, 4 EI/l^3; of the twist x: GJ/l.
TEST(KorayemS3, ModalIntegrals) {
  const BeamChain chain = reproduce::beam_chain(korayem_model(korayem_chain("S3")).mechanism);
  const reproduce::ChainLink &first = chain.links[0], &second = chain.links[1], &third = chain.links[2];
  EXPECT_NEAR(first.translation[0].y(), 5.0 / 3, 1e-13);
  EXPECT_NEAR(first.rotation[0].z(), 1.25, 1e-13);
  EXPECT_NEAR(first.rotation[1].y(), -1.25, 1e-13);
  EXPECT_NEAR(first.mass_matrix(0, 0), 1.0, 1e-13);
  EXPECT_LT((first.crossed[0][1] - Vec3::UnitX()).norm(), 1e-13);
  EXPECT_NEAR(first.stiffness(1, 1), 4000.0, 1e-9);
  EXPECT_NEAR(second.translation[0].y(), 0.8, 1e-13);
  EXPECT_NEAR(second.rotation[0].z(), 0.48, 1e-13);
  EXPECT_NEAR(second.stiffness(0, 0), 3906.25, 1e-9);
  EXPECT_NEAR(second.stiffness(1, 1), 500.0, 1e-10);
  EXPECT_LT(second.translation[1].norm() + second.rotation[1].norm() + second.mass_matrix(1, 1), 1e-25);
  EXPECT_NEAR(third.translation[0].z(), 1.0 / 3, 1e-13);
  EXPECT_NEAR(third.rotation[0].y(), -0.125, 1e-13);
  EXPECT_NEAR(third.mass_matrix(0, 0), 0.2, 1e-13);
  EXPECT_NEAR(third.stiffness(0, 0), 6400.0, 1e-9);
}

}  // namespace
}  // namespace lithe
