// The engine on the chains of tests/oracles/korayem.json: every exact formulation, `gibbs-appell` among them, gives the
// accelerations of Lagrange's equations summed over mass points.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "lithe/dynamics/forward.hpp"
#include "reference/korayem_chains.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

using namespace testing;

/// Speeds of the plan in the order of the unknowns of the chain.
std::vector<int> speeds_of(const Plan& plan) {
  std::vector<int> speeds;
  for (std::size_t j = 0; j < plan.mechanism().joints.size(); ++j) {
    speeds.push_back(plan.places()[j].v);
    const ElasticPlace& elastic = plan.elastic_places()[plan.mechanism().joints[j].to.link];
    for (int k = 0; k < elastic.count; ++k) speeds.push_back(elastic.v + k);
  }
  return speeds;
}

class KorayemEngine : public ::testing::TestWithParam<std::tuple<std::string, Arithmetic>> {};

TEST_P(KorayemEngine, EveryFormulationObeysLagrange) {
  const Json& source = korayem_chain(std::get<0>(GetParam()));
  const Plan plan(korayem_model(source).mechanism);
  Workspace work(plan, std::get<1>(GetParam()));
  const reproduce::ChainState at = korayem_state(source);
  const std::vector<int> speeds = speeds_of(plan);
  ASSERT_EQ(std::ssize(speeds), plan.nv());
  State state;
  state.q = state.v = VectorX::Zero(plan.nv());
  Actions actions(plan);
  for (int k = 0, joint = 0; k < plan.nv(); ++k) {
    state.q[speeds[k]] = at.theta[k];
    state.v[speeds[k]] = at.rate[k];
    if (!plan.is_bending(speeds[k])) actions.tau[speeds[k]] = at.tau[joint++];
  }
  const ChainEquations expected = expected_equations(source, "consistent");
  MatrixX M, ours(plan.nv(), plan.nv());
  tree_inertia(plan, work, state.q, M);
  for (int i = 0; i < plan.nv(); ++i)
    for (int k = 0; k < plan.nv(); ++k) ours(i, k) = M(speeds[i], speeds[k]);
  EXPECT_LT(difference(ours, expected.inertia), 1e-12);
  // Accelerations carry the rounding of the forces times the condition of the inertia matrix.
  const VectorX singular = Eigen::JacobiSVD<MatrixX>(expected.inertia).singularValues();
  const VectorX wanted = expected.inertia.llt().solve(expected.right);
  for (const Formulation formulation : exact_formulations(plan)) {
    VectorX a = VectorX::Zero(plan.nv()), found(plan.nv());
    ASSERT_TRUE(forward_dynamics(plan, work, state, actions, a, {formulation}));
    for (int k = 0; k < plan.nv(); ++k) found[k] = a[speeds[k]];
    EXPECT_LT(difference(found, wanted), 1e-14 * singular[0] / singular[singular.size() - 1] + 1e-12)
        << name_of(formulation);
    EXPECT_LT(difference(expected.inertia * found, expected.right), 1e-10) << name_of(formulation);
  }
}

INSTANTIATE_TEST_SUITE_P(Oracle, KorayemEngine,
                         ::testing::Combine(::testing::Values("S3", "random 1", "random 2", "random 3", "random 6",
                                                              "planar 1", "planar 2", "planar 3", "planar 6"),
                                            ::testing::Values(Arithmetic::automatic, Arithmetic::spatial)));

}  // namespace
}  // namespace lithe
