// Quantities that follow from recorded columns, against closed forms.

#include "lithe/io/derived_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/io/load_model.hpp"
#include "lithe/io/recorded_results.hpp"

namespace lithe {
namespace {

struct Derived {
  Results results;
  std::vector<DerivedColumn> columns;

  const std::vector<double>& at(const std::string& name) const {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const DerivedColumn& each) { return each.name == name; });
    if (found == columns.end()) throw std::runtime_error("there is no column " + name);
    return found->values;
  }
};

Derived derived(const std::string& text) {
  const Model model = load_model_text(text, "model.yaml");
  Derived answer;
  answer.results.path = model.path;
  ResultsRecord record(answer.results);
  run_simulation(model, record);
  std::vector<std::size_t> rows(answer.results.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  answer.columns = derived_columns(model, &model, answer.results, rows, [](const std::string&) { return true; });
  return answer;
}

// A cantilever under its weight per length w sags by w L^4/(8 EI) at its tip and by 17/384 w L^4/EI in its middle. Three modes carry all of it but the
// fourth and higher ones, whose shares fall with the fifth power of 1.875, 4.694, 7.855, 10.996: less than 2e-4. In the middle the shares do not
// fall faster than with the fourth power: less than 1e-3.
TEST(DerivedColumns, DeflectionFromTheRigidTwin) {
  const Derived answer = derived(R"(lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 0.8, mass: 0.3, EI: 20}, modes: {count: 3, root: clamped}}
joints:
  hinge: {revolute: z, from: ground, to: arm/root, actuated: true}
drives: {hinge: {follow: 0, by: motion}}
initial: equilibrium
run: {until: 0.05, every: 0.01}
record: [coordinates]
)");
  const double unit = 0.3 * 9.81 / 0.8 * std::pow(0.8, 4) / 20;
  for (const double tip : answer.at("deflection-at.arm.tip")) EXPECT_NEAR(tip, unit / 8, 2e-4 * unit / 8);
  for (const double middle : answer.at("deflection-at.arm.middle"))
    EXPECT_NEAR(middle, 17 * unit / 384, 1e-3 * 17 * unit / 384);
}

// A disc of inertia 2 under a torque of 3 turns at 1.5 t: the motor gives 4.5 t.
TEST(DerivedColumns, PowerOfAMotor) {
  const Derived answer = derived(R"(lithe: 1
links: {disc: {rigid: {mass: 1, inertia: [1, 1, 2]}}}
joints:
  hinge: {revolute: z, from: ground, to: disc, actuated: true}
drives: {hinge: {torque: 3}}
run: {until: 1, every: 0.1}
record: [coordinates]
)");
  const std::vector<double>& power = answer.at("power.hinge");
  ASSERT_EQ(power.size(), 11U);
  for (std::size_t k = 0; k < power.size(); ++k) EXPECT_NEAR(power[k], 4.5 * answer.results.at(k, 0), 1e-8);
  EXPECT_THROW(answer.at("error.hinge"), std::runtime_error);
}

// With a stiffness kp and no damping beside it, the weight of a level arm is held at an angle below the wanted one where kp error = torque.
TEST(DerivedColumns, ErrorOfAFollowedLaw) {
  const Derived answer = derived(R"(lithe: 1
gravity: [0, -10, 0]
links: {arm: {rod: {from: [0, 0], to: [1, 0], mass: 2}}}
joints:
  hinge: {revolute: z, from: ground, to: arm, actuated: true, damping: 40}
drives: {hinge: {follow: 0, by: pd, kp: 1000, kd: 0}}
initial: {hinge: 0}
run: {until: 3, every: 0.5}
record: [coordinates]
)");
  // 1000 e = 10 cos(e): e = 0.0099995 rad.
  EXPECT_NEAR(answer.at("error.hinge").back(), -0.0099995, 1e-7);
}

}  // namespace
}  // namespace lithe
