// Riccati and Lyapunov equations, state feedback and observers against closed forms and against what they mean.

#include "lithe/control/regulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "lithe/control/lyapunov.hpp"
#include "lithe/control/observer.hpp"
#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

using Poles = std::vector<std::complex<double>>;

MatrixX scalar(double value) { return MatrixX::Constant(1, 1, value); }

StateSpace double_integrator_plant() {
  MatrixX A(2, 2), B(2, 1), C(1, 2);
  A << 0, 1, 0, 0;
  B << 0, 1;
  C << 1, 0;
  return {A, B, C, MatrixX::Zero(1, 1)};
}

MatrixX random_matrix(std::mt19937& dice, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> number;
  MatrixX matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = number(dice);
  return matrix;
}

double distance(Poles found, Poles wanted) {
  double worst = 0.0;
  for (const auto& pole : wanted) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](const auto& a, const auto& b) {
      return std::abs(a - pole) < std::abs(b - pole);
    });
    worst = std::max(worst, std::abs(*nearest - pole));
    found.erase(nearest);
  }
  return worst;
}

Poles values_of(const std::vector<Pole>& list) {
  Poles values;
  for (const Pole& pole : list) values.push_back(pole.value);
  return values;
}

// Q = 1, R = 1: X = [sqrt 3, 1; 1, sqrt 3], K = [1, sqrt 3].
TEST(Regulator, DoubleIntegrator) {
  const RiccatiSolution found = lqr(double_integrator_plant(), {MatrixX::Identity(2, 2), scalar(1)});
  EXPECT_NEAR(found.K(0, 0), 1.0, 1e-14);
  EXPECT_NEAR(found.K(0, 1), std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(found.X(0, 0), std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(found.X(0, 1), 1.0, 1e-14);
}

// x' = a x + u: X = r (a + sqrt(a^2 + q/r)). x[k+1] = a x + u: X^2 + (r - a^2 r - q) X - q r = 0. With a cross weight
// s, x' = (a - s/r) x + v has q - s^2/r.
TEST(Regulator, Scalar) {
  const double a = 0.7, q = 2.0, r = 0.3, s = 0.4;
  EXPECT_NEAR(riccati(scalar(a), scalar(1), scalar(q), scalar(r)).X(0, 0), r * (a + std::sqrt(a * a + q / r)), 1e-14);
  const double p = r - a * a * r - q;
  EXPECT_NEAR(discrete_riccati(scalar(a), scalar(1), scalar(q), scalar(r)).X(0, 0),
              (-p + std::sqrt(p * p + 4 * q * r)) / 2, 1e-14);
  const double b = a - s / r;
  EXPECT_NEAR(riccati(scalar(a), scalar(1), scalar(q), scalar(r), scalar(s)).X(0, 0),
              r * (b + std::sqrt(b * b + (q - s * s / r) / r)), 1e-14);
}

// x' = u under the integral of q x^2 + r u^2: over an interval q T x^2 + q T^2 x u + (r T + q T^3/3) u^2.
TEST(Regulator, SampledWeightsOfAnIntegrator) {
  const double q = 3.0, r = 0.2, T = 0.1;
  const StateSpace plant{scalar(0), scalar(1), scalar(1), scalar(0)};
  const Weights found = sample_weights(plant, {scalar(q), scalar(r)}, T);
  EXPECT_NEAR(found.Q(0, 0), q * T, 1e-15);
  EXPECT_NEAR(found.S(0, 0), q * T * T / 2, 1e-15);
  EXPECT_NEAR(found.R(0, 0), r * T + q * T * T * T / 3, 1e-15);
}

// The sum over samples is the integral, whatever the inputs and however late they come; inputs are zero at both ends.
TEST(Regulator, SampledCostIsTheIntegral) {
  std::mt19937 dice(7);
  const StateSpace plant{random_matrix(dice, 3, 3), random_matrix(dice, 3, 2), MatrixX::Zero(1, 3),
                         MatrixX::Zero(1, 2)};
  const MatrixX half = random_matrix(dice, 5, 5), whole = half.transpose() * half;
  const Weights weights{whole.topLeftCorner(3, 3), whole.bottomRightCorner(2, 2), whole.topRightCorner(3, 2)};
  const double T = 0.15;
  for (const double late : {0.0, 0.4, 1.0, 2.7}) {
    SCOPED_TRACE(late);
    const StateSpace sampled = sample(plant, T, late * T);
    const Weights found = sample_weights(plant, weights, T, late * T);
    VectorX z = VectorX::Zero(sampled.A.rows());
    const VectorX start = random_matrix(dice, 3, 1);
    z.head(3) = start;
    const int count = 12;
    std::vector<VectorX> inputs(count, VectorX::Zero(2));
    for (int k = 0; k < 6; ++k) inputs[k] = random_matrix(dice, 2, 1);
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
      const VectorX& u = inputs[k];
      sum += z.dot(found.Q * z) + 2 * z.dot(found.S * u) + u.dot(found.R * u);
      z = sampled.A * z + sampled.B * u;
    }
    // The integral by Simpson's rule on steps that meet every change of the input, the state exact on them.
    double integral = 0.0;
    const int fine = 400;
    const double h = T / fine;
    const StateSpace step = sample(plant, h / 2);
    VectorX x = start;
    for (int i = 0; i < count * fine; ++i) {
      const int k = static_cast<int>(std::floor((i + 0.5) / fine - late));
      const VectorX u = k < 0 ? VectorX(VectorX::Zero(2)) : inputs[k];
      const auto cost = [&](const VectorX& at) {
        return at.dot(weights.Q * at) + 2 * at.dot(weights.S * u) + u.dot(weights.R * u);
      };
      const VectorX middle = step.A * x + step.B * u, end = step.A * middle + step.B * u;
      integral += h / 6 * (cost(x) + 4 * cost(middle) + cost(end));
      x = end;
    }
    EXPECT_NEAR(x.norm(), z.head(3).norm(), 1e-9 * x.norm());
    EXPECT_NEAR(sum, integral, 1e-9 * integral);
  }
}

// No other gain costs less: the cost of a start is x^T X x, which the Lyapunov equation of any loop gives.
TEST(Regulator, CostsLeast) {
  std::mt19937 dice(3);
  for (int trial = 0; trial < 10; ++trial) {
    const MatrixX A = random_matrix(dice, 6, 6), B = random_matrix(dice, 6, 2), Q = MatrixX::Identity(6, 6),
                  R = MatrixX::Identity(2, 2);
    const RiccatiSolution found = riccati(A, B, Q, R);
    EXPECT_LT(found.residual, 1e-13);
    for (const double change : {0.0, 1e-3}) {
      const MatrixX K = found.K + change * random_matrix(dice, 2, 6);
      const MatrixX closed = MatrixX(A - B * K).transpose();
      const MatrixX cost = lyapunov(closed, Q + MatrixX(MatrixX(K.transpose()) * R) * K);
      if (change == 0.0)
        EXPECT_NEAR((cost - found.X).norm(), 0.0, 1e-10 * found.X.norm());
      else
        EXPECT_GT(cost.trace(), found.X.trace());
    }
  }
}

TEST(Regulator, SaysWhichModeCannotBeStabilised) {
  MatrixX A = MatrixX::Zero(2, 2), B(2, 1);
  A << -1, 0, 0, 2;
  B << 1, 0;
  const auto message = [](const auto& act) {
    try {
      act();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([&] { riccati(A, B, MatrixX::Identity(2, 2), scalar(1)); }),
            "no feedback stabilises the system: the mode at s = 2+0i does not decay and the inputs cannot move it; "
            "give it an "
            "input, or leave it out of the model");
  EXPECT_EQ(
      message([&] { riccati(scalar(0), scalar(1), scalar(0), scalar(1)); }),
      "no feedback stabilises the system: the mode at s = 0+0i neither decays nor costs anything; give it a weight");
  EXPECT_EQ(message([&] { riccati(A, B, MatrixX::Identity(2, 2), scalar(0)); }),
            "the weight R is not positive definite: every input must cost something");
  EXPECT_EQ(message([&] { riccati(A, B, MatrixX::Identity(3, 3), scalar(1)); }),
            "the weight Q has 3 rows and 3 columns; 2 x 2 are needed");
  EXPECT_EQ(message([&] {
              place_poles(A, B, {-1, -3});
            }),
            "the inputs cannot move the mode at 2+0i; leave its pole where it is, or choose other inputs");
  EXPECT_EQ(message([&] { place_poles(A, B, {-1}); }), "1 poles are wanted for 2 states; give one per state");
  EXPECT_EQ(message([&] { place_poles(A, B, {{-1, 1}, {-1, -2}}); }), "the pole -1+1i is wanted without its conjugate");
}

// 2 a x + q = 0 and a^2 x - x + q = 0; residuals of random ones; the factor is that of the solution.
TEST(Lyapunov, Equations) {
  EXPECT_NEAR(lyapunov(scalar(-0.5), scalar(3))(0, 0), 3.0, 1e-15);
  EXPECT_NEAR(discrete_lyapunov(scalar(0.5), scalar(3))(0, 0), 4.0, 1e-15);
  EXPECT_THROW(lyapunov(scalar(0), scalar(1)), PhysicsError);
  std::mt19937 dice(5);
  for (int trial = 0; trial < 10; ++trial) {
    const MatrixX random = random_matrix(dice, 8, 8), B = random_matrix(dice, 8, 3), Q = B * MatrixX(B.transpose());
    const MatrixX A = random - 5 * MatrixX::Identity(8, 8), D = random / 6;
    const MatrixX X = lyapunov(A, Q), Y = discrete_lyapunov(D, Q);
    EXPECT_LT((A * X + X * MatrixX(A.transpose()) + Q).norm(), 1e-12 * Q.norm());
    EXPECT_LT((MatrixX(D * Y) * MatrixX(D.transpose()) - Y + Q).norm(), 1e-12 * Y.norm());
    const MatrixX U = gramian_factor(A, B, false), V = gramian_factor(D, B, true);
    EXPECT_LT((U * MatrixX(U.transpose()) - X).norm(), 1e-12 * X.norm());
    EXPECT_LT((V * MatrixX(V.transpose()) - Y).norm(), 1e-12 * Y.norm());
  }
}

// Ackermann's formula for the double integrator: s^2 + k2 s + k1.
TEST(PolePlacement, DoubleIntegrator) {
  const StateSpace plant = double_integrator_plant();
  const MatrixX K = place_poles(plant.A, plant.B, {{-2, 3}, {-2, -3}});
  EXPECT_NEAR(K(0, 0), 13.0, 1e-13);
  EXPECT_NEAR(K(0, 1), 4.0, 1e-13);
  const MatrixX twice = place_poles(plant.A, plant.B, {-3, -3});
  EXPECT_NEAR(twice(0, 0), 9.0, 1e-13);
  EXPECT_NEAR(twice(0, 1), 6.0, 1e-13);
}

// The eigenvalues of A - B K are those that were asked for: one to three inputs, real ones and pairs in any mixture.
TEST(PolePlacement, RandomSystems) {
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> place(-4.0, -1.0);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + trial % 6, m = 1 + trial % 3;
    SCOPED_TRACE(trial);
    const MatrixX A = random_matrix(dice, n, n), B = random_matrix(dice, n, m);
    Poles wanted;
    while (static_cast<int>(wanted.size()) < n) {
      if (static_cast<int>(wanted.size()) + 2 <= n && dice() % 2 == 0) {
        const std::complex<double> pole(place(dice), -place(dice));
        wanted.insert(wanted.end(), {pole, std::conj(pole)});
      } else {
        wanted.emplace_back(place(dice));
      }
    }
    const MatrixX K = place_poles(A, B, wanted);
    const StateSpace closed{A - B * K, B, MatrixX::Zero(1, n), MatrixX::Zero(1, m)};
    EXPECT_LT(distance(values_of(poles(closed)), wanted), 1e-6 * (1 + K.norm()));
  }
}

TEST(PolePlacement, KeepsWhatIsWantedWhereItIs) {
  MatrixX A(3, 3), B(3, 1);
  A << -1, 0, 0, 0, 2, 1, 0, 0, 3;
  B << 0, 1, 2;  // the first mode cannot be moved
  const MatrixX K = place_poles(A, B, {-1, -2, -5});
  EXPECT_LT(distance(values_of(poles(StateSpace{A - B * K, B, MatrixX::Zero(1, 3), scalar(0)})), {-1, -2, -5}), 1e-9);
}

// The double integrator with force noise w and position noise v: L = [sqrt(2 w/v), w/v] (w, v densities).
TEST(Observer, KalmanOfADoubleIntegrator) {
  const StateSpace plant = double_integrator_plant();
  const double w = 0.5, v = 0.02;
  const Observer found = kalman(plant, {input_noise(plant, VectorX::Constant(1, w)), scalar(v * v)});
  EXPECT_NEAR(found.L(0, 0), std::sqrt(2 * w / v), 1e-12);
  EXPECT_NEAR(found.L(1, 0), w / v, 1e-12);
}

// The noise of a force over an interval: w^2 [T^3/3, T^2/2; T^2/2, T].
TEST(Observer, SampledForceNoise) {
  const double w = 0.5, T = 0.1;
  const MatrixX found = input_noise(double_integrator_plant(), VectorX::Constant(1, w), T, 0.5 * T);
  ASSERT_EQ(found.rows(), 3);
  EXPECT_NEAR(found(0, 0), w * w * T * T * T / 3, 1e-16);
  EXPECT_NEAR(found(0, 1), w * w * T * T / 2, 1e-16);
  EXPECT_NEAR(found(1, 1), w * w * T, 1e-15);
  EXPECT_EQ(found.row(2).norm(), 0.0);
}

// Separation: the poles of the loop with an observer are those of the regulator and those of the observer; and an
// integrator keeps the output where it should be under a constant force.
TEST(Observer, Separation) {
  const StateSpace plant = double_integrator_plant();
  const Poles regulator{-2, -3}, estimator{{-6, 2}, {-6, -2}};
  for (const bool sampled : {false, true}) {
    const StateSpace system = sampled ? sample(plant, 0.05, 0.02) : plant;
    Poles wanted = regulator, errors = estimator;
    if (sampled) {
      for (Poles* list : {&wanted, &errors}) {
        for (auto& pole : *list) pole = std::exp(pole * 0.05);
        list->push_back(0.1);  // of the input on its way
      }
    }
    const Observer observer = luenberger(system, errors);
    const MatrixX K = place_poles(system.A, system.B, wanted);
    const StateSpace loop = feedback(system, compensator(system, K, observer), +1);
    wanted.insert(wanted.end(), errors.begin(), errors.end());
    EXPECT_LT(distance(values_of(poles(loop)), wanted), 1e-6);
  }
  const StateSpace whole = with_integrators(plant, {0});
  const MatrixX K = place_poles(whole.A, whole.B, {-2, -3, -4});
  const StateSpace loop = feedback(plant, compensator(plant, K, luenberger(plant, estimator), {0}), +1);
  EXPECT_LT(distance(values_of(poles(loop)), {-2, -3, -4, {-6, 2}, {-6, -2}}), 1e-6);
  const MatrixX still = loop.C * MatrixX(loop.A.inverse() * loop.B);
  EXPECT_NEAR(still(0, 0), 0.0, 1e-12);
}

TEST(Access, NamesWhatNoInputReaches) {
  MatrixX A(3, 3), B(3, 1), C(1, 3);
  A << -1, 0, 0, 0, -2, 1, 0, 0, -3;
  B << 0, 1, 1;
  C << 1, 0, 1;
  const Access found = access({A, B, C, scalar(0)});
  EXPECT_EQ(found.controllable, 2);
  ASSERT_EQ(found.unreachable.size(), 1u);
  EXPECT_NEAR(found.unreachable[0].real(), -1.0, 1e-12);
  EXPECT_EQ(found.observable, 2);
  EXPECT_NEAR(found.unseen[0].real(), -2.0, 1e-12);
  EXPECT_EQ(found.modes.size(), 3u);
}

}  // namespace
}  // namespace lithe::testing
