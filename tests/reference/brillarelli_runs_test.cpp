// Brillarelli (2021): what must hold for the robots with strips whatever the numbers are. Which test of the reference brillarelli-five-bar.md is
// held where is a table of docs/verification/brillarelli.md.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/rest.hpp"
#include "reference/brillarelli_models.hpp"

namespace lithe::testing {
namespace {

std::string shape(int strip, int number) { return "q.strip-" + std::to_string(strip) + ".e" + std::to_string(number); }

/// Largest magnitude of a column between two instants.
double peak(const MemoryRecord& record, const std::string& column, double from, double to) {
  double largest = 0.0;
  for (std::size_t row = 0; row < record.rows(); ++row)
    if (const double t = record.at(row, "t"); t >= from && t <= to)
      largest = std::max(largest, std::abs(record.at(row, column)));
  return largest;
}

double total_energy(const MemoryRecord& record, std::size_t row) {
  return record.at(row, "energy.kinetic") + record.at(row, "energy.potential");
}

// T12: what the motors of the rigid robot give is what it has, all the way.
TEST(BrillarelliRuns, WorkOfTheRigidRobotIsItsEnergy) {
  Model model = brillarelli_model("brillarelli-five-bar", {{"shapes", "1"}, {"run.every", "0.0025"}});
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  // Simpson's rule over the rows (2.5 ms): its error falls with h^4 and is below the 1e-8 J of the reference.
  double work = 0.0;
  const auto power = [&](std::size_t row) {
    return record.at(row, "tau.motor-1") * record.at(row, "v.motor-1") +
           record.at(row, "tau.motor-2") * record.at(row, "v.motor-2");
  };
  for (std::size_t row = 0; row + 2 < record.rows(); row += 2) {
    work += 0.0025 / 3 * (power(row) + 4 * power(row + 1) + power(row + 2));
    EXPECT_NEAR(work, record.at(row + 2, "energy.kinetic"), 1e-8);
  }
}

// T13: frequencies with locked motors fall to those of a strip on two pins, (pi/c)^2 sqrt(EI/mu), as shapes are added.
TEST(BrillarelliRuns, FrequenciesConvergeFromAbove) {
  const double limit = std::pow(std::numbers::pi / 0.3, 2) * std::sqrt(0.1 / 4.8 / 0.039) / (2 * std::numbers::pi);
  double before = 1e9;
  for (const char* shapes : {"1", "2", "3", "4", "6", "8"}) {
    const Model model = brillarelli_model("brillarelli-five-bar", {{"x", "0"}, {"shapes", shapes}});
    const double first = ModelAtRest(model).modes().frequencies[0];
    EXPECT_LT(first, before);
    EXPECT_GT(first, limit);
    before = first;
  }
  EXPECT_LT(before / limit - 1, 3e-4);
}

/// Squares of the frequencies over (2 pi)^2, motors locked, when the elastic force -EI v'''' is let do work on the rigid motion of the strip as
/// well, as the thesis prints it: the force -omega_j^2 C_t and the moment -omega_j^2 C_r per amplitude.
Eigen::VectorXcd printed_squares(int shapes) {
  const Model model = brillarelli_model("brillarelli-five-bar", {{"x", "0"}, {"shapes", std::to_string(shapes)}});
  Prepared prepared = prepare(model);
  const Plan& plan = prepared.plan;
  MatrixX G, N;
  EXPECT_TRUE(generalised_inertia(plan, prepared.work, prepared.state.q, G));
  EXPECT_TRUE(loop_complement(plan, prepared.work, prepared.state.q, N));
  const std::vector<int>& independent = prepared.work.independent();
  MatrixX K = MatrixX::Zero(plan.nv(), plan.nv());
  for (const int index : {plan.mechanism().find_link("strip-1"), plan.mechanism().find_link("strip-2")}) {
    const ElasticData& e = plan.mechanism().links[index].elastic;
    const ElasticPlace& place = plan.elastic_places()[index];
    MatrixX J;
    link_jacobian(plan, prepared.work, prepared.state.q, index, J);
    const Mat3 axes = frame_pose(plan, prepared.work, prepared.state.q, {index, 0}).rotation;
    // EI chi'''' = omega^2 mu chi, so that its force and moment are stiffness over mass times the moments of the shape.
    const MatrixX squares = e.mass.inverse() * e.stiffness;
    K.middleCols(place.v, place.count) += J.topRows<3>().transpose() * axes * e.rotation * squares +
                                          J.bottomRows<3>().transpose() * axes * e.translation * squares;
    K.block(place.v, place.v, place.count, place.count) += e.stiffness;
  }
  const MatrixX reduced = N.transpose() * K * N;
  std::vector<int> bending;
  for (std::size_t i = 0; i < independent.size(); ++i)
    if (plan.is_bending(independent[i])) bending.push_back(static_cast<int>(i));
  const MatrixX M = G(bending, bending), stiffness = reduced(bending, bending);
  const MatrixX A = M.inverse() * stiffness / std::pow(2 * std::numbers::pi, 2);
  return Eigen::EigenSolver<MatrixX>(A, false).eigenvalues();
}

// T14: the elastic work as printed makes no structure. With one shape per strip the square of the frequency is negative (7.00 Hz: the robot
// leaves its pose), with two it is complex (11.67 +- 9.56i Hz: it flutters). Reference, section 3.4.
TEST(BrillarelliRuns, PrintedElasticWorkIsUnstable) {
  const Eigen::VectorXcd one = printed_squares(1), two = printed_squares(2);
  for (const std::complex<double>& square : one) {
    EXPECT_NEAR(square.imag(), 0.0, 1e-9);
    EXPECT_NEAR(std::sqrt(-square.real()), 7.00, 0.005);
  }
  for (const std::complex<double>& square : two) {
    const std::complex<double> frequency = std::sqrt(square);
    EXPECT_NEAR(frequency.real(), 11.67, 0.005);
    EXPECT_NEAR(std::abs(frequency.imag()), 9.56, 0.005);
  }
}

/// The run of 12 s: the circle in the first second, then nothing.
MemoryRecord long_run(const Sets& sets, Integrator integrator = Integrator::automatic) {
  Sets all{{"until", "12"}, {"run.every", "0.002"}};
  all.insert(sets.begin(), sets.end());
  Model model = brillarelli_model("brillarelli-five-bar", all);
  model.run.integrator = integrator;
  return complete_run(model);
}

/// Period of the swelling of an amplitude after the first second: least squares of A + B cos + C sin through its turning points.
double swelling(const MemoryRecord& record, const std::string& column) {
  std::vector<double> t, height;
  for (std::size_t row = 1; row + 1 < record.rows(); ++row) {
    const double before = std::abs(record.at(row - 1, column)), here = std::abs(record.at(row, column)),
                 after = std::abs(record.at(row + 1, column));
    if (record.at(row, "t") < 1.0 || here < before || here < after) continue;
    // Vertex of the parabola through the three: the rows are 40 per period.
    const double bend = before - 2 * here + after, slope = (after - before) / 2;
    t.push_back(record.at(row, "t"));
    height.push_back(bend == 0.0 ? here : here - slope * slope / (2 * bend));
  }
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (double period = 4.0; period <= 10.0; period += 0.02) {
    MatrixX columns(std::ssize(t), 3);
    for (Eigen::Index i = 0; i < columns.rows(); ++i) {
      const double phase = 2 * std::numbers::pi * t[i] / period;
      columns.row(i) << 1.0, std::cos(phase), std::sin(phase);
    }
    const Eigen::Map<const VectorX> y(height.data(), std::ssize(height));
    const MatrixX normal = columns.transpose() * columns;
    const VectorX coefficients = normal.inverse() * (columns.transpose() * y);
    const double rest = (columns * coefficients - y).squaredNorm();
    if (rest < least) {
      least = rest;
      best = period;
    }
  }
  return best;
}

// T15, T16: without damping energy stays, signs alternate from shape to shape, higher shapes do less, the strips take turns.
TEST(BrillarelliRuns, TwelveSecondsWithoutDamping) {
  // The circle leaves 3e-10 J of the 1e-5 J that bend the strips on the way: its steps, not those of the free part, decide what is kept.
  // `auto` would go over to ten times as many steps of `bdf` on the circle and stay there.
  const MemoryRecord record = long_run({{"run.tolerance", "1e-9"}}, Integrator::exponential);
  std::size_t start = 0;
  while (record.at(start, "t") < 1.002) ++start;
  const double energy = total_energy(record, start);
  EXPECT_NEAR(energy, 3.3296e-10, 1e-13);  // reference, section 3.6
  for (std::size_t row = start; row < record.rows(); ++row)
    ASSERT_NEAR(total_energy(record, row), energy, 1e-6 * energy);
  std::size_t end = 0;
  while (record.at(end, "t") < 1.0 - 1e-9) ++end;
  for (int strip = 1; strip <= 2; ++strip)
    for (int number = 1; number < 4; ++number) {
      EXPECT_LT(record.at(end, shape(strip, number)) * record.at(end, shape(strip, number + 1)), 0.0);
      EXPECT_LT(peak(record, shape(strip, number + 1), 0, 12), peak(record, shape(strip, number), 0, 12));
    }
  EXPECT_LT(record.at(end, shape(1, 1)) * record.at(end, shape(2, 1)), 0.0);
  EXPECT_NEAR(swelling(record, shape(1, 1)), 7.0, 0.35);
}

TEST(BrillarelliRuns, TwelveSecondsAfterHalfATurn) {
  EXPECT_NEAR(swelling(long_run({{"turns", "0.5"}}), shape(1, 1)), 6.2, 0.31);
}

// T15, T17: with damping (3e-4 s) energy falls, and three seconds after the motion less than a tenth is left.
TEST(BrillarelliRuns, DampingEndsTheVibration) {
  const MemoryRecord record = long_run({{"damping", "3e-4"}});
  double before = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < record.rows(); ++row) {
    if (record.at(row, "t") < 1.0) continue;
    ASSERT_LE(total_energy(record, row), before * (1 + 1e-6));
    before = total_energy(record, row);
  }
  for (int strip = 1; strip <= 2; ++strip)
    EXPECT_LT(peak(record, shape(strip, 1), 4, 12), 0.1 * peak(record, shape(strip, 1), 1.001, 2));
}

// The printed constant, 0.0003 MPa s, is 1.5e-9 s over Young's modulus: nobody can see it.
TEST(BrillarelliRuns, PrintedDampingIsInvisible) {
  const Sets second{{"until", "2"}};
  Sets damped = second;
  damped["damping"] = "300/young";
  const MemoryRecord without = complete_run(brillarelli_model("brillarelli-five-bar", second));
  const MemoryRecord with = complete_run(brillarelli_model("brillarelli-five-bar", damped));
  const double a = peak(without, shape(1, 1), 1.5, 2), b = peak(with, shape(1, 1), 1.5, 2);
  EXPECT_NEAR(b / a, 1.0, 1e-3);
}

// T19: 33 nodes with deflection and slope, pinned at both ends: 64 coordinates, and no more.
TEST(BrillarelliRuns, FiniteElementsHaveSixtyFourModes) {
  const Model model = brillarelli_model("reference/brillarelli-load-cases-elements");
  EXPECT_EQ(model.mechanism.links[model.mechanism.find_link("strip-1")].elastic.count(), 64);
  EXPECT_THROW(brillarelli_model("reference/brillarelli-load-cases-elements", {{"links.*.modes.count", "65"}}),
               std::exception);
}

// T29: strips that shorten leave the line on the other side.
TEST(BrillarelliRuns, ShorteningChangesTheSideOfTheLine) {
  for (const auto& [stiffening, side] : {std::pair{"off", -1.0}, std::pair{"on", 1.0}}) {
    const MemoryRecord record = complete_run(brillarelli_model(
        "brillarelli-2prr", {{"shapes", "4"}, {"links.*.stiffening", stiffening}, {"run.every", "0.5"}}));
    const Vec3 error = off_the_line(record, 1);
    EXPECT_GT(side * error.x(), 0.0);
    EXPECT_GT(side * error.y(), 0.0);
  }
}

// The circle by the augmented Lagrangian of absolute coordinates, projected after each step as Bayo and Ledesma do.
TEST(BrillarelliRuns, TheCircleInAbsoluteCoordinates) {
  Model model = brillarelli_model("brillarelli-five-bar", {{"run.every", "0.1"}});
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-8;
  model.run.atol = 1e-11;
  const MemoryRecord minimal = complete_run(model);
  model.run.formulation = Formulation::augmented_lagrangian;
  model.run.projection = Projection::step;
  const MemoryRecord absolute = complete_run(model);
  ASSERT_EQ(minimal.rows(), absolute.rows());
  for (std::size_t row = 0; row < minimal.rows(); ++row)
    for (const char* column : {"pos.strip-1.tip.x", "pos.strip-1.tip.y"})
      EXPECT_NEAR(absolute.at(row, column), minimal.at(row, column), 1e-9);  // the issue asks for 1e-6 m
}

}  // namespace
}  // namespace lithe::testing
