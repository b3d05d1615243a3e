// Boutin reference, test items 31 to 36: vibration control of the cranes by feedback of the fast subsystem (2.13, 2.14). Printed gains are those of
// Tables 8.2 and 8.3, recomputed ones those of the reference's prototype (3.4.5, 3.7). The sign of the second mode is that of the thesis, ours is opposite.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "lithe/dynamics/forward.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/driven_motion.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

using Sets = std::map<std::string, std::string>;

const double k1 = 11.138785, k2 = 598.18153;  // eigenvalues of the boom, 3.2

Model controlled_crane(const std::string& name, const Sets& sets = {}) {
  return load_model(source_folder() + "/examples/boutin-" + name + ".yaml", sets);
}

/// d eta/d(t/eps) = A eta + B tau, eta = [K b - z; eps K b'] of the two modes, frozen at the end of the move.
struct FastSystem {
  MatrixX A, B;
  double eps = 0.0;
};

FastSystem fast_system(const Model& model) {
  DrivenMotion motion(model);
  motion.go_to(20);
  MatrixX M;
  EXPECT_TRUE(generalised_inertia(motion.plan(), motion.work(), motion.state().q, M));
  const Eigen::Index n = M.rows() - 2;  // motors come first
  M.row(n + 1) *= -1;
  M.col(n + 1) *= -1;
  const MatrixX H = M.inverse();
  const Eigen::Vector2d stiffness(1.0, k2 / k1);  // over the smallest one
  FastSystem fast;
  fast.eps = 1 / std::sqrt(k1);
  fast.A = MatrixX::Zero(4, 4);
  fast.A.topRightCorner(2, 2).setIdentity();
  fast.A.bottomLeftCorner(2, 2) = -(stiffness.asDiagonal() * H.bottomRightCorner(2, 2));
  fast.B = MatrixX::Zero(4, n);
  fast.B.bottomRows(2) = stiffness.asDiagonal() * H.bottomLeftCorner(2, n);
  return fast;
}

/// X of A^T X + X A + Q = 0, written out as one linear system.
MatrixX lyapunov(const MatrixX& A, const MatrixX& Q) {
  const Eigen::Index n = A.rows();
  MatrixX sum = MatrixX::Zero(n * n, n * n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index k = 0; k < n; ++k) {
        sum(i + n * j, k + n * j) += A(k, i);
        sum(i + n * j, i + n * k) += A(k, j);
      }
  const VectorX x = sum.fullPivLu().solve(VectorX(-Q.reshaped()));
  return x.reshaped(n, n);
}

struct UnitRegulator {
  MatrixX P, F;
};

/// Newton's method of Kleinman on the Riccati equation with weights one, from gains that make the system stable.
UnitRegulator unit_regulator(const FastSystem& fast, MatrixX F) {
  UnitRegulator found;
  const MatrixX one = MatrixX::Identity(4, 4);
  for (int i = 0; i < 30; ++i) {
    found.P = lyapunov(fast.A - fast.B * F, one + F.transpose() * F);
    F = fast.B.transpose() * found.P;
  }
  found.F = F;
  return found;
}

/// [F_p1, F_d1, F_p2, F_d2] of the tables as columns of F = [F_p | F_d].
Eigen::RowVector4d in_order(double p1, double d1, double p2, double d2) { return {p1, p2, d1, d2}; }

void expect_gains(const Eigen::RowVectorXd& ours, const Eigen::RowVector4d& expected, double first, double last) {
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(ours[i] / expected[i], 1.0, i == 3 ? last : first) << "gain " << i << ": " << ours[i];
}

const Eigen::RowVector4d table_83 = in_order(9.6015e-2, 7.3882, 3.6861e-1, 1.3637e-1);
const Eigen::RowVector4d table_82 = in_order(9.5991e-2, 7.3881, 3.6867e-1, 1.3638e-1);

// Items 31 and 33.
TEST(BoutinControl, GainsOfOneActuatorAreThoseOfTable83) {
  const FastSystem fast = fast_system(controlled_crane("crane-single"));
  const UnitRegulator found = unit_regulator(fast, table_83);
  expect_gains(found.F.row(0), table_83, 2e-3, 3e-2);
  expect_gains(found.F.row(0), in_order(9.5983e-2, 7.38494, 3.68338e-1, 1.39587e-1), 1e-5, 1e-5);
  const MatrixX residual = fast.A.transpose() * found.P + found.P * fast.A -
                           found.P * fast.B * fast.B.transpose() * found.P + MatrixX::Identity(4, 4);
  EXPECT_LT(residual.norm(), 1e-8 * found.P.norm());

  // In physical time: -0.302 +- 16.71i and -4.85 +- 70.06i.
  const MatrixX closed = (fast.A - fast.B * found.F) / fast.eps;
  const Eigen::EigenSolver<MatrixX> solver(closed, false);
  for (const std::complex<double> pole : solver.eigenvalues()) {
    const bool is_slow = std::abs(pole) < 40;
    EXPECT_NEAR(pole.real(), is_slow ? -0.302 : -4.85, is_slow ? 6e-4 : 6e-3);
    EXPECT_NEAR(std::abs(pole.imag()), is_slow ? 16.71 : 70.06, 6e-3);
  }
  // The same states in physical time have the same gains.
  FastSystem physical = fast;
  physical.A /= fast.eps;
  physical.B /= fast.eps;
  EXPECT_LT((unit_regulator(physical, table_83).F - found.F).norm(), 1e-8 * found.F.norm());
}

// Item 32. Actuators with mass couple the first one to the modes (erratum E14).
TEST(BoutinControl, GainsOfTwoActuatorsAreThoseOfTable82) {
  Sets massless;
  for (const char* link : {"cylinder-1", "rod-1", "cylinder-2", "rod-2"})
    massless[std::string("links.") + link + ".rod.mass"] = "1e-9";
  MatrixX start = MatrixX::Zero(2, 4);
  start.row(1) = table_82;
  const MatrixX light = unit_regulator(fast_system(controlled_crane("crane", massless)), start).F;
  expect_gains(light.row(1), table_82, 2e-3, 3e-2);
  expect_gains(light.row(1), in_order(9.6118e-2, 7.39073, 3.68975e-1, 1.33711e-1), 1e-5, 1e-5);
  EXPECT_LT(light.row(0).norm(), 1e-6);
  const MatrixX heavy = unit_regulator(fast_system(controlled_crane("crane")), start).F;
  expect_gains(heavy.row(0), in_order(-1.27878e-2, 7.87079e-1, 3.51780e-2, 2.50972e-2), 1e-5, 1e-5);
  expect_gains(heavy.row(1), in_order(1.088048e-1, 7.344285, 3.332955e-1, 1.374698e-1), 1e-6, 1e-6);
}

/// A run with the printed gains on actuator 2 from 20 s on, where the slow modal forces are zero. Column `fast` is the control force.
struct ControlledRun {
  MemoryRecord record;
  Eigen::RowVector4d gains;
  bool is_on;

  double fast_force(std::size_t row) const {
    if (!is_on || record.at(row, "t") < 20) return 0.0;
    return force(gains, record.at(row, "q.boom.e1"), record.at(row, "q.boom.e2"), record.at(row, "v.boom.e1"),
                 record.at(row, "v.boom.e2"));
  }
  static double force(const Eigen::RowVector4d& F, double e1, double e2, double v1, double v2) {
    return -(F[0] * k1 * e1 - F[1] * k2 * e2 + (F[2] * k1 * v1 - F[3] * k2 * v2) / std::sqrt(k1));
  }
  double largest(const std::string& column, double from) const {
    double size = 0.0;
    for (std::size_t row = 0; row < record.rows(); ++row)
      if (record.at(row, "t") >= from - 1e-9 && record.at(row, "t") <= from + 1 + 1e-9)
        size = std::max(size, std::abs(column == "fast" ? fast_force(row) : record.at(row, column)));
    return size;
  }
};

ControlledRun controlled_run(Model model, const Eigen::RowVector4d& gains, bool is_on) {
  model.run.until = 30;
  model.run.integrator = Integrator::rk4;
  model.run.step = 0.001;
  model.run.every = 0.002;
  if (is_on) {
    Controller vibration;
    vibration.drives = {"actuator-2"};
    vibration.observes = {"boom.e1", "boom.e2"};
    vibration.law = [gains](double t, std::span<const double> q, std::span<const double> v, std::span<double> force) {
      if (t >= 20) force[0] = ControlledRun::force(gains, q[0], q[1], v[0], v[1]);
    };
    model.controllers.push_back(vibration);
  }
  ControlledRun run{{}, gains, is_on};
  const RunOutcome outcome = run_simulation(model, run.record, {});
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return run;
}

// Items 34 and 35, one actuator without PD: envelopes of 3.7.
TEST(BoutinControl, FeedbackCalmsTheCraneWithOneActuator) {
  const ControlledRun run = controlled_run(controlled_crane("crane-single"), table_83, true);
  const double expected[5][3] = {
      {20, 0.926, 24.5}, {21, 0.396, 8.5}, {23, 0.217, 4.7}, {25, 0.116, 2.5}, {29, 0.035, 0.76}};
  for (const auto& [from, rate, force] : expected) {
    EXPECT_NEAR(run.largest("v.boom.e1", from), rate, 0.002) << from;
    EXPECT_NEAR(run.largest("fast", from), force, 0.01 * force + 0.05) << from;
  }
  EXPECT_LT(run.largest("v.boom.e1", 25), 0.11 * 1.108);  // of what remains without
  EXPECT_LT(run.largest("fast", 20), 0.003 * 12905.5);    // of the nominal force
}

// Item 35: two of four modes are controlled.
TEST(BoutinControl, ModesThatAreNotControlledStayCalm) {
  const Model model = controlled_crane("crane-single", {{"modes", "4"}});
  const ControlledRun on = controlled_run(model, table_83, true), off = controlled_run(model, table_83, false);
  EXPECT_NEAR(on.largest("v.boom.e3", 27), 0.0012, 2e-4);
  EXPECT_NEAR(on.largest("v.boom.e4", 27), 0.0013, 2e-4);
  EXPECT_NEAR(off.largest("v.boom.e3", 27), 0.029, 1e-3);
  EXPECT_NEAR(off.largest("v.boom.e4", 27), 0.024, 1e-3);
}

// Item 34, two actuators with PD: envelopes of 3.4.5.
TEST(BoutinControl, FeedbackCalmsTheCraneWithTwoActuators) {
  const ControlledRun run = controlled_run(controlled_crane("crane"), table_82, true);
  const double expected[5][4] = {{20, 1.456, 0.167, 36.0},
                                 {21, 0.664, 0.081, 14.4},
                                 {23, 0.446, 0.052, 9.7},
                                 {25, 0.284, 0.033, 6.2},
                                 {29, 0.119, 0.014, 2.6}};
  for (const auto& [from, first, second, force] : expected) {
    EXPECT_NEAR(run.largest("v.boom.e1", from), first, 0.01 * first + 0.002) << from;
    EXPECT_NEAR(run.largest("v.boom.e2", from), second, 0.01 * second + 0.001) << from;
    EXPECT_NEAR(run.largest("fast", from), force, 0.01 * force + 0.1) << from;
  }
}

}  // namespace
}  // namespace lithe::testing
