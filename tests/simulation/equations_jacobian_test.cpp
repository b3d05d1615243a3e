// The Jacobian of the equations of motion equals differences of their rates.

#include <gtest/gtest.h>

#include <algorithm>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/equations.hpp"
#include "lithe/spatial/differences.hpp"
#include "support/case_name.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

using namespace detail;  // NOLINT: what is tested

/// Columns of the Jacobian from five-point differences, whose error is of the order of the fourth power of the step.
MatrixX by_differences(Equations& equations, double t, const VectorX& y, int controlled) {
  MatrixX J(y.size(), controlled);
  for (int j = 0; j < controlled; ++j)
    J.col(j) = five_point_slope(1e-5 * std::max(1.0, std::abs(y[j])), [&](double h) {
      VectorX moved = y, rate(y.size());
      moved[j] += h;
      EXPECT_TRUE(bool(equations.rate(t, moved, rate)));
      return rate;
    });
  return J;
}

class EveryMechanism : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMechanism, HasTheJacobianOfDifferences) {
  Model model = load_model(source_folder() + "/examples/" + GetParam() + ".yaml");
  Prepared prepared = prepare(model);
  for (std::size_t i = 0; i < prepared.work.independent().size(); ++i) {
    const int v = prepared.work.independent()[i];
    prepared.state.v[v] = prepared.plan.speed_scale(v) * (i % 2 == 0 ? 0.3 : -0.2);
  }
  ASSERT_TRUE(bool(complete_speeds(prepared.plan, prepared.work, prepared.state.q, prepared.state.v)));
  DriveSet drives(model, prepared.plan, Arithmetic::automatic, prepared.state);
  Equations equations(model.run, prepared.plan, prepared.work, drives);
  const OdeSystem system = equations.system();
  ASSERT_TRUE(bool(system.jacobian));
  VectorX y(system.size);
  equations.pack(prepared.state, {}, y);
  const double t = model.run.from;
  MatrixX exact(system.size, system.controlled);
  ASSERT_TRUE(system.jacobian(t, y, exact));
  const MatrixX expected = by_differences(equations, t, y, system.controlled);
  // Speeds and coordinates first; the powers, by first-order differences themselves, in the last two rows.
  const auto worst = [&](Eigen::Index first, Eigen::Index count) {
    return (exact - expected).middleRows(first, count).norm() / (1.0 + expected.middleRows(first, count).norm());
  };
  EXPECT_LT(worst(0, system.controlled), 1e-6);
  EXPECT_LT(worst(system.controlled, 2), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(EquationsJacobian, EveryMechanism,
                         ::testing::Values("khan-3rrr", "flexible-four-bar", "flexible-3rrr", "flexible-pendulum",
                                           "fattah-3rrs", "delta-robot"),
                         [](const auto& info) { return testing::case_name(info.param); });

}  // namespace
}  // namespace lithe::testing
