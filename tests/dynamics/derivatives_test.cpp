// Derivatives of robots whose legs meet in closures only, from sweeps that move all legs at once, equal those from sweeps
// along the independent speeds one by one. A spring without stiffness between two legs asks for the latter.

#include "lithe/dynamics/derivatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "support/case_name.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

class LegsAtOnce : public ::testing::TestWithParam<const char*> {};

ForwardDerivatives derivatives(Model model, bool one_by_one) {
  if (one_by_one) {
    PointSpring spring;
    spring.a = {1, 0};
    spring.b = {static_cast<int>(model.mechanism.links.size()) - 1, 0};
    model.mechanism.springs.push_back(spring);
  }
  Prepared at = prepare(model, Arithmetic::automatic, Start::assembled);
  for (std::size_t i = 0; i < at.work.independent().size(); ++i) {
    const int v = at.work.independent()[i];
    at.state.v[v] = at.plan.speed_scale(v) * (i % 2 == 0 ? 0.8 : -0.5);
    if (at.plan.is_bending(v)) at.state.q[position_of_speed(at.plan, v)] = 0.01 * at.plan.speed_scale(v);
  }
  EXPECT_TRUE(bool(project_positions(at.plan, at.work, at.state.q)));
  EXPECT_TRUE(bool(complete_speeds(at.plan, at.work, at.state.q, at.state.v)));
  Actions actions(at.plan);
  for (Eigen::Index j = 0; j < actions.tau.size(); ++j) actions.tau[j] = j % 3 == 0 ? 0.7 : -0.4;
  VectorX a = VectorX::Zero(at.plan.nv());
  EXPECT_TRUE(bool(forward_dynamics(at.plan, at.work, at.state, actions, a)));
  ForwardDerivatives result;
  EXPECT_TRUE(bool(forward_derivatives(at.plan, at.work, at.state, actions, a, result, {at.plan.actuated_speeds()})));
  return result;
}

TEST_P(LegsAtOnce, GiveTheSameDerivatives) {
  const Model model = load_model(source_folder() + "/examples/" + GetParam() + ".yaml");
  const ForwardDerivatives legs = derivatives(model, false), single = derivatives(model, true);
  const auto same = [](const MatrixX& a, const MatrixX& b) { EXPECT_LT((a - b).norm(), 1e-9 * (1.0 + b.norm())); };
  same(legs.by_position, single.by_position);
  same(legs.by_speed, single.by_speed);
  same(legs.by_force, single.by_force);
  same(legs.carried, single.carried);
}

INSTANTIATE_TEST_SUITE_P(Derivatives, LegsAtOnce, ::testing::Values("flexible-3rrr", "fattah-3rrr", "fattah-3rrs"),
                         [](const auto& info) { return testing::case_name(info.param); });

}  // namespace
}  // namespace lithe::testing
