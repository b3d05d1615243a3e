// Runs along motion laws without their energies, as studies make them: the same rows, four at once where that pays.

#include <gtest/gtest.h>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// Rows of inverse dynamics; ten of them, so that two are left over from fours.
MemoryRecord rows_of(const Model& model, bool energy_balance) {
  RunControl control;
  control.energy_balance = energy_balance;
  MemoryRecord rows;
  EXPECT_EQ(run_inverse(model, rows, control).ending, RunOutcome::Ending::complete);
  return rows;
}

/// Columns of energies are zero without the balance; all others are evaluated one by one with it.
void expect_same_rows(const Model& model, double tolerance) {
  const MemoryRecord alone = rows_of(model, true), fast = rows_of(model, false);
  ASSERT_EQ(alone.columns(), fast.columns());
  ASSERT_EQ(alone.rows(), 10U);
  ASSERT_EQ(fast.rows(), 10U);
  for (const std::string& column : alone.columns()) {
    if (column == "energy.work" || column == "energy.dissipated") continue;
    const std::vector<double> x = alone.column(column), y = fast.column(column);
    double size = 1.0;
    for (const double value : x) size = std::max(size, std::abs(value));
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], tolerance * size) << column << ' ' << k;
  }
}

std::string arm(const std::string& force) {
  return R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  upper: {rod: {from: [0, 0], to: [0.5, 0], mass: 1}, frames: {tip: [0.5, 0]}}
  lower: {beam: {length: 0.4, EI: 50, mass: 0.5, bending: y, torsion: false}, modes: {count: 1}}
joints:
  a: {revolute: z, from: ground, to: upper, actuated: true, damping: 0.1}
  b: {revolute: z, from: upper/tip, to: lower/root, actuated: true}
loads: {hand: {at: lower/tip, force: [0, )" +
         force + R"(, 0]}}
drives: {a: {follow: sin(2*t)}, b: {follow: 1 + t^2}}
run: {until: 0.9, every: 0.1}
)";
}

TEST(AlongLaws, FourRowsAtOnceHaveTheForcesOfEachAlone) {
  // The arithmetic is another one: rounding of some hundred operations.
  expect_same_rows(load_model_text(arm("-3"), "arm.yaml"), 1e-12);
}

TEST(AlongLaws, RowsWithOtherLoadsGoOneByOne) { expect_same_rows(load_model_text(arm("-3*t"), "arm.yaml"), 1e-12); }

TEST(AlongLaws, OfLoopsAreTheSameWithoutEnergies) {
  // Rows are reached from others, and loops are closed to 1e-12 from there; accelerations follow from that by some 1e3.
  Model model = load_model(source_folder() + "/tests/data/robots/elastic-five-bar.yaml");
  model.run.until = 0.9;
  model.run.every = 0.1;
  expect_same_rows(model, 1e-9);
}

}  // namespace
}  // namespace lithe
