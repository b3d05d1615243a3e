#include "lithe/study/fastest_move.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <map>

#include "lithe/io/load_model.hpp"
#include "lithe/io/move_file.hpp"
#include "lithe/study/convex_step.hpp"
#include "lithe/study/move_shape.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

constexpr double inertia = 0.5;  // kg m^2 of the rotor

Model rotor() {
  return load_model_text(
      "lithe: 1\nlinks: {rotor: {rigid: {mass: 1, inertia: [0.4, 0.4, 0.5]}}}\n"
      "joints: {motor: {revolute: z, from: ground, to: rotor, actuated: true}}\n"
      "initial: {motor: 0.2}\nrun: {until: 1}\n",
      "rotor.yaml");
}

/// An arm that bends, in a horizontal plane, with a controller at its motor.
Model arm() {
  return load_model_text(
      "lithe: 1\nlinks: {arm: {beam: {length: 0.8, mass: 0.3, EI: 6, elements: 6}, modes: {count: 2}, damping: {ratio: "
      "0.01}}}\n"
      "joints: {motor: {revolute: z, from: ground, to: arm/root, actuated: true, armature: 0.05}}\n"
      "initial: {motor: 0}\n"
      "drives: {motor: {follow: {cycloid: {from: 0, to: 0.5, in: 0.4}}, by: [rigid-inverse-dynamics, pd], kp: 100, kd: "
      "4}}\n"
      "run: {until: 1}\nrecord: [coordinates, frames: [arm/tip]]\n",
      "arm.yaml");
}

MoveProblem arm_move() {
  MoveProblem problem;
  problem.motors = {{"motor", {}, 0.5, 3.0, {}, {}}};
  problem.quiet = {{"arm/tip", 1e-3}};
  return problem;
}

OptimizeOptions one_search() {
  OptimizeOptions options;
  options.starts = 1;
  options.evaluations = 60;
  return options;
}

TEST(MoveShapes, LeadFromRestToRest) {
  const detail::MoveShapes shapes(9);
  VectorX amounts = VectorX::LinSpaced(shapes.freedoms(), -0.7, 0.9);
  const VectorX a = shapes.accelerations(2.0, 3.0, amounts), y = shapes.places(a);
  // The natural spline through the places has these accelerations, and no speed at its ends.
  std::vector<double> t, values;
  for (int k = 0; k <= 9; ++k) t.push_back(k / 9.0), values.push_back(y[k]);
  const Law law = make_table(t, values, TableLaw::Interpolation::cubic);
  EXPECT_NEAR(law.at(1e-12).rate, 0, 1e-9);
  EXPECT_NEAR(law.at(1 - 1e-12).rate, 0, 1e-9);
  EXPECT_NEAR(y[9], 2, 1e-13);
  for (int k = 1; k < 9; ++k) EXPECT_NEAR(law.at(t[k]).second, a[k], 1e-10);
}

TEST(ConvexStep, IsThatOfAQuadraticProgramWithAKnownAnswer) {
  // min x + (x^2 + y^2)/2 with x + y >= 1, written as a limit: x = 0, y = 1 by Lagrange's condition (1 + x = y).
  detail::ConvexStep step{VectorX::Unit(2, 0),
                          VectorX::Constant(1, 1.0),
                          MatrixX::Constant(1, 2, -1.0),
                          VectorX::Constant(2, -5.0),
                          VectorX::Constant(2, 5.0),
                          100.0,
                          1.0};
  VectorX found;
  ASSERT_TRUE(step.solve(found));
  EXPECT_NEAR(found[0], 0, 1e-7);
  EXPECT_NEAR(found[1], 1, 1e-7);
}

TEST(FastestMove, OfARotorIsTheOneInClosedForm) {
  // Accelerations are linear between 12 knots. Full ones forwards at five, none in the middle, full ones back at five: they lead
  // a h^2 (5*12 - 5*6) = a T^2 30/144 far, so T^2 = 4.8 way inertia/torque (4 for jumps).
  MoveProblem problem;
  problem.motors = {{"motor", {}, 1.7, 2.0, {}, {}}};
  problem.start = 2.0;
  problem.watch = 0.1;
  const MoveSearch search(rotor(), problem, Study{});
  const OptimizeAnswer answer = search.run(one_search(), {});
  ASSERT_EQ(answer.best, 0);
  const double expected = std::sqrt(4.8 * (1.7 - 0.2) * inertia / 2.0);
  // Three thousandths of the torque are kept free, which are half as many of the time.
  EXPECT_NEAR(answer.searches[0].values[0], expected, 2.5e-3 * expected);
  EXPECT_GT(answer.searches[0].values[0], 0.9995 * expected);
  EXPECT_TRUE(search.study().is_feasible(search.check(answer.searches[0].values).outputs));
}

TEST(FastestMove, ASpeedLimitCoasts) {
  // At 1 rad/s over 1.5 rad the move cannot be faster than 1.5 s; speeding up and down takes more.
  MoveProblem problem;
  problem.motors = {{"motor", {}, 1.7, 2.0, 1.0, {}}};
  problem.start = 3.0;
  problem.watch = 0.1;
  const MoveSearch search(rotor(), problem, Study{});
  const OptimizeAnswer answer = search.run(one_search(), {});
  ASSERT_EQ(answer.best, 0);
  // With jumps 1.5 + speed/acceleration = 1.75 s; twelve linear pieces of it take longer, an eighth at most here.
  EXPECT_GT(answer.searches[0].values[0], 1.75);
  EXPECT_LT(answer.searches[0].values[0], 1.75 * 1.125);
  const Variant check = search.check(answer.searches[0].values);
  EXPECT_LE(check.outputs[search.study().output_named("motor.speed")], 1.0);
}

TEST(FastestMove, OfAnElasticArmRunsFromItsFileAsItWasFound) {
  const Model model = arm();
  const MoveSearch search(model, arm_move(), Study{});
  OptimizeOptions options = one_search();
  options.tolerance = 2e-3;
  const OptimizeAnswer answer = search.run(options, {});
  ASSERT_EQ(answer.best, 0);
  const std::vector<double>& values = answer.searches[0].values;
  EXPECT_LT(values[0], 0.4);  // that of the model
  // The file says `include: arm.yaml`; here the text is put in its place.
  std::string text = move_model_text(model, {}, search, values, "");
  const std::size_t include = text.find("include:"), end = text.find('\n', include);
  ASSERT_NE(include, std::string::npos);
  text.erase(include, end + 1 - include);
  std::string base = model.flattened;
  base.erase(0, base.find("links:"));
  base.erase(base.find("initial:"));
  Model written = load_model_text(text + base + "record: [coordinates, frames: [arm/tip]]\n", "move.yaml");
  // Another integrator, other tolerances, other rows.
  written.run.integrator = Integrator::bdf;
  written.run.rtol = 1e-9;
  written.run.atol = 1e-11;
  written.run.every = 5e-4;
  MemoryRecord rows;
  ASSERT_EQ(run_simulation(written, rows).ending, RunOutcome::Ending::complete);
  double torque = 0.0, low = 1e9, high = -1e9;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    torque = std::max(torque, std::abs(rows.at(i, "tau.motor")));
    if (rows.at(i, "t") < values[0]) continue;
    low = std::min(low, rows.at(i, "pos.arm.tip.y"));
    high = std::max(high, rows.at(i, "pos.arm.tip.y"));
  }
  EXPECT_LE(torque, 3.0);
  EXPECT_LE((high - low) / 2, 1e-3);
  EXPECT_NEAR(rows.at(rows.rows() - 1, "q.motor"), 0.5, 0.01);
}

TEST(FastestMove, IsTheSameForAnyNumberOfThreadsAndGoesOnFromWhatIsKnown) {
  const MoveSearch search(arm(), arm_move(), Study{});
  OptimizeOptions options = one_search();
  options.evaluations = 2;
  std::map<long, Variant> known;
  OptimizeControl control;
  control.threads = 1;
  control.finished = [&](long number, const std::vector<double>&, const Variant& variant) { known[number] = variant; };
  const OptimizeAnswer alone = search.run(options, control);
  const std::size_t all = known.size();
  // Half of it is lost.
  for (auto it = known.begin(); it != known.end();) it = it->first % 2 == 0 ? known.erase(it) : std::next(it);
  std::atomic<long> anew{0};
  OptimizeControl again;
  again.threads = 2;
  again.known = [&](long number) {
    const auto found = known.find(number);
    return found == known.end() ? nullptr : &found->second;
  };
  again.finished = [&](long, const std::vector<double>&, const Variant&) { ++anew; };
  const OptimizeAnswer two = search.run(options, again);
  EXPECT_EQ(anew.load(), static_cast<long>(all - known.size()));
  ASSERT_EQ(alone.searches[0].values.size(), two.searches[0].values.size());
  EXPECT_EQ(std::memcmp(alone.searches[0].values.data(), two.searches[0].values.data(),
                        alone.searches[0].values.size() * sizeof(double)),
            0);
}

TEST(FastestMove, StopsWhenAsked) {
  const MoveSearch search(arm(), arm_move(), Study{});
  const std::atomic<bool> stop{true};
  OptimizeControl control;
  control.stop = &stop;
  const OptimizeAnswer answer = search.run(one_search(), control);
  EXPECT_TRUE(answer.stopped);
  EXPECT_EQ(answer.best, -1);
}

TEST(FastestMove, TakesLimitsOfOutputs) {
  // The motor's heat (square of the torque over time), limited to less than the fastest move makes.
  Study wanted;
  Output heat;
  heat.name = "heat";
  heat.kind = OutputKind::integral;
  heat.of = "tau.motor^2";
  wanted.outputs = {heat};
  MoveProblem problem;
  problem.motors = {{"motor", {}, 1.7, 2.0, {}, {}}};
  problem.start = 2.0;
  problem.watch = 0.1;
  wanted.constraints = {{"heat", {}, 1.5}};
  const MoveSearch search(rotor(), problem, wanted);
  const OptimizeAnswer answer = search.run(one_search(), {});
  ASSERT_EQ(answer.best, 0);
  const Variant check = search.check(answer.searches[0].values);
  EXPECT_LE(check.outputs[search.study().output_named("heat")], 1.5);
  // The least heat of a move in T is 12 (inertia way)^2/T^3 (parabola of speed), of which 1.5 gives the shortest time. Pieces
  // that begin and end without acceleration need more.
  const double least = std::cbrt(12 * std::pow(inertia * 1.5, 2) / 1.5);
  EXPECT_GT(answer.searches[0].values[0], least);
  EXPECT_LT(answer.searches[0].values[0], 1.1 * least);
}

std::string complaint_of(const MoveProblem& problem) {
  try {
    const MoveSearch search(arm(), problem, Study{});
  } catch (const MechanismError& error) {
    return error.element() + ": " + error.what();
  }
  return {};
}

TEST(FastestMove, RefusesWhatMakesNoSense) {
  MoveProblem problem = arm_move();
  problem.motors[0].joint = "moter";
  EXPECT_EQ(complaint_of(problem), "moter: the model has no motor 'moter'; did you mean 'motor'?; motors are: motor");
  problem = arm_move();
  problem.motors[0].to = 0.0;
  EXPECT_EQ(complaint_of(problem), "motors: no motor moves: 'to' is where each of them is already");
  problem = arm_move();
  problem.quiet[0].frame = "arm/tp";
  EXPECT_NE(complaint_of(problem).find("arm/tp: "), std::string::npos);
}

}  // namespace
}  // namespace lithe
