// The exponential integrator on equations with closed-form solutions.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lithe/simulation/integrator.hpp"
#include "support/allocation_counter.hpp"

namespace lithe::detail {
namespace {

/// Oscillators that stand alone: x'' = force(t, x, x') with the stiffness and damping that the method is told of.
class Oscillators : public SecondOrderSystem {
 public:
  using Force = std::function<VectorX(double t, const VectorX& x, const VectorX& rate)>;

  Oscillators(VectorX stiffness, VectorX damping, Force force)
      : stiffness_(std::move(stiffness)),
        damping_(std::move(damping)),
        force_(std::move(force)),
        scales_(VectorX::Ones(stiffness_.size())) {}

  int count() const override { return static_cast<int>(stiffness_.size()); }
  RunStatus begin(double t, const VectorX& y, MotionPoint& point) override {
    base_ = y.head(count());
    point.resize(count());
    point.t = t;
    point.rate = y.segment(count(), count());
    return {};
  }
  void advance(const MotionPoint& start) override { base_ += start.x; }
  void express(const MotionPoint& start, MotionPoint& point) const override { point.x -= VectorX(start.x); }
  RunStatus evaluate(MotionPoint& point) override {
    const VectorX x = base_ + point.x;
    if (x.cwiseAbs().maxCoeff() > farthest) return RunStatus::refused();
    largest_ = std::max(largest_, x.cwiseAbs().maxCoeff());
    point.second = force_(point.t, x, point.rate);
    return {};
  }
  Status inertia(MatrixX& inertia) override {
    inertia.setIdentity(count(), count());
    return {};
  }
  Status matrices(OscillatorMatrices& matrices) override {
    inertia(matrices.inertia);
    matrices.stiffness = stiffness_.asDiagonal();
    matrices.damping = damping_.asDiagonal();
    return {};
  }
  const VectorX& scales() const override { return scales_; }
  double largest_deflection() const override { return largest_; }
  void state(const MotionPoint& point, double work, double dissipated, VectorX& y) override {
    y.resize(2 * count() + 2);
    y << base_ + point.x, point.rate, work, dissipated;
  }
  void accelerations(const MotionPoint& point, VectorX& a) const override { a = point.second; }

  double farthest = 1e9;  ///< beyond it there is no state

 private:
  VectorX stiffness_, damping_;
  Force force_;
  VectorX scales_, base_;
  double largest_ = 0.0;
};

VectorX one(double value) { return VectorX::Constant(1, value); }

struct OscillatorRun {
  RunOptions options;
  std::shared_ptr<Oscillators> oscillators;
  std::unique_ptr<OdeIntegrator> integrator;

  OscillatorRun(std::shared_ptr<Oscillators> system, double until, double tolerance) : oscillators(std::move(system)) {
    options.integrator = Integrator::exponential;
    options.until = until;
    options.tolerance = tolerance;
    OdeSystem ode;
    ode.second_order = oscillators;
    integrator = make_integrator(options, ode);
  }

  /// Calls `look` after each step.
  void go(const VectorX& y, const std::function<void()>& look = {}) {
    ASSERT_TRUE(integrator->restart(0.0, y));
    while (integrator->time() < options.until) {
      ASSERT_TRUE(integrator->step(options.until));
      if (look) look();
    }
    EXPECT_EQ(integrator->time(), options.until);
  }
};

// x'' + 400 x = 3 - 2 t + 5 t^2: x = A cos 20t + B sin 20t + a + b t + c t^2 with c = 5/400, b = -2/400,
// a = (3 - 2 c)/400. The force is a polynomial of second degree, so every step is exact, of whatever length: from
// 0.4 to 8 rad here. What is left is rounding of values of order one.
TEST(Exponential, PolynomialForceIsAnsweredExactlyAtAnyStep) {
  const double c = 5.0 / 400, b = -2.0 / 400, a = (3.0 - 2 * c) / 400;
  const auto exact = [&](double t) {
    return (0.1 - a) * std::cos(20 * t) + (0.5 - b) / 20 * std::sin(20 * t) + a + b * t + c * t * t;
  };
  auto system = std::make_shared<Oscillators>(one(400), one(0), [](double t, const VectorX& x, const VectorX&) {
    return VectorX(one(3 - 2 * t + 5 * t * t) - 400 * x);
  });
  OscillatorRun run(system, 20.0, 1e-3);
  double worst = 0.0, longest = 0.0, last = 0.0;
  run.go(Eigen::Vector4d(0.1, 0.5, 0, 0), [&] {
    const double t = run.integrator->time();
    worst = std::max(worst, std::abs(run.integrator->state()[0] - exact(t)));
    longest = std::max(longest, t - last);
    VectorX y, acceleration;
    const double inside = last + 0.3 * (t - last);
    ASSERT_TRUE(run.integrator->interpolate(inside, y));
    worst = std::max(worst, std::abs(y[0] - exact(inside)));
    run.integrator->accelerations(acceleration);
    EXPECT_NEAR(acceleration[0], 3 - 2 * inside + 5 * inside * inside - 400 * exact(inside), 1e-9);
    last = t;
  });
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(longest, 0.39);  // a fiftieth of the run, which is the most
}

// Damped: x'' + 2 x' + 101 x = 101 is x = 1 - exp(-t) (cos 10t + sin 10t / 10) from rest at zero.
TEST(Exponential, DampedOscillatorIsExact) {
  auto system = std::make_shared<Oscillators>(one(101), one(2), [](double, const VectorX& x, const VectorX& rate) {
    return VectorX(one(101) - 101 * x - 2 * rate);
  });
  OscillatorRun run(system, 5.0, 1e-4);
  run.go(VectorX::Zero(4), [&] {
    const double t = run.integrator->time();
    EXPECT_NEAR(run.integrator->state()[0], 1 - std::exp(-t) * (std::cos(10 * t) + std::sin(10 * t) / 10), 1e-13);
  });
}

// x'' + 0.4 x' + 10^4 x = 0 from x' = 100 loses exp(-0.4 t) of its energy of 5000, times 1 + terms of order d/w that swing
// at 100 rad/s and vanish where the speed does. Steps of 2 rad see nothing of these swings by themselves.
TEST(Exponential, LossesOfFastVibrationAreExact) {
  class Lossy : public Oscillators {
   public:
    Lossy()
        : Oscillators(one(1e4), one(0.4),
                      [](double, const VectorX& x, const VectorX& rate) { return VectorX(-1e4 * x - 0.4 * rate); }) {}
    RunStatus evaluate(MotionPoint& point) override {
      point.dissipated = 0.4 * point.rate[0] * point.rate[0];
      return Oscillators::evaluate(point);
    }
  };
  OscillatorRun run(std::make_shared<Lossy>(), 1.0, 1e-5);
  run.go(Eigen::Vector4d(0, 100, 0, 0), [&] {
    const VectorX& y = run.integrator->state();
    EXPECT_NEAR(y[1] * y[1] / 2 + 1e4 * y[0] * y[0] / 2 + y[3], 5000.0, 1e-8);
  });
}

// A pendulum that the method takes for x'' + x = ...: x'' = -sin x from 1 rad at rest. Its energy 1 - cos x + x'^2/2 stays.
double energy_error_of_pendulum(double tolerance) {
  auto system = std::make_shared<Oscillators>(
      one(1), one(0), [](double, const VectorX& x, const VectorX&) { return VectorX(-x.array().sin()); });
  OscillatorRun run(system, 20.0, tolerance);
  double worst = 0.0;
  run.go(Eigen::Vector4d(1.0, 0, 0, 0), [&] {
    const VectorX& y = run.integrator->state();
    worst = std::max(worst, std::abs(std::cos(1.0) - std::cos(y[0]) + y[1] * y[1] / 2));
  });
  return worst;
}

// The error of a step is of fourth order in its length and is controlled: two decades of the tolerance are about two of the
// error, and twice the steps divide it by sixteen.
TEST(Exponential, ErrorFollowsTheTolerance) {
  const double loose = energy_error_of_pendulum(1e-4), middle = energy_error_of_pendulum(1e-6),
               tight = energy_error_of_pendulum(1e-8);
  EXPECT_LT(loose, 1e-3);
  EXPECT_NEAR(std::log10(loose / middle), 2.0, 0.8);
  EXPECT_NEAR(std::log10(middle / tight), 2.0, 0.8);
}

// Order of the method with equal steps: max_step far below what the tolerance would allow. The collocation at start, middle
// and end is of fourth order (Lobatto).
TEST(Exponential, IsOfFourthOrder) {
  const auto error = [](double step) {
    auto system = std::make_shared<Oscillators>(one(100), one(0), [](double t, const VectorX& x, const VectorX&) {
      return VectorX(-100 * x + one(100 * std::sin(t)) + one(99 * std::cos(2 * t)));
    });
    OscillatorRun run(system, 4.0, 1.0);
    run.options.max_step = step;
    OdeSystem ode;
    ode.second_order = system;
    run.integrator = make_integrator(run.options, ode);
    // x = (100/99) sin t + (99/96) cos 2t + free oscillation that starts as if there were none.
    const auto exact = [](double t) { return 100.0 / 99 * std::sin(t) + 99.0 / 96 * std::cos(2 * t); };
    double worst = 0.0;
    run.go(Eigen::Vector4d(99.0 / 96, 100.0 / 99, 0, 0),
           [&] { worst = std::max(worst, std::abs(run.integrator->state()[0] - exact(run.integrator->time()))); });
    return worst;
  };
  EXPECT_GT(std::log2(error(0.04) / error(0.02)), 2.8);
  EXPECT_LT(error(0.01), 1e-6);
}

// Without stiffness: a rigid coordinate under a slow force over a long time, x'' = -cos t from x = 1, x' = 0 is x = cos t.
TEST(Exponential, RigidMotionDoesNotDrift) {
  auto system = std::make_shared<Oscillators>(
      one(0), one(0), [](double t, const VectorX&, const VectorX&) { return VectorX(one(-std::cos(t))); });
  OscillatorRun run(system, 200.0, 1e-6);
  run.go(Eigen::Vector4d(1, 0, 0, 0));
  EXPECT_NEAR(run.integrator->state()[0], std::cos(200.0), 1e-3);
}

// A state beyond the farthest does not exist: the step is tried again, shorter, and the run goes on.
TEST(Exponential, StatesThatDoNotExistShortenTheStep) {
  auto system = std::make_shared<Oscillators>(one(0), one(0),
                                              [](double, const VectorX& x, const VectorX&) { return VectorX(-x); });
  system->farthest = 1.0001;
  OscillatorRun run(system, 20.0, 1e-2);
  run.go(Eigen::Vector4d(1, 0, 0, 0));
  EXPECT_NEAR(run.integrator->state()[0], std::cos(20.0), 0.05);
}

// A force that jumps: resume() keeps the history. x'' + 25 x = 0, from t = 1 on = 25.
TEST(Exponential, ResumesBehindAJump) {
  double level = 0.0;
  auto system = std::make_shared<Oscillators>(
      one(25), one(0), [&](double, const VectorX& x, const VectorX&) { return VectorX(one(level) - 25 * x); });
  OscillatorRun run(system, 2.0, 1e-5);
  ASSERT_TRUE(run.integrator->restart(0.0, Eigen::Vector4d(1, 0, 0, 0)));
  while (run.integrator->time() < 1.0) ASSERT_TRUE(run.integrator->step(1.0));
  level = 25.0;
  const long before = run.integrator->counts().evaluations;
  const VectorX y = run.integrator->state();
  ASSERT_TRUE(run.integrator->resume(1.0, y));
  EXPECT_EQ(run.integrator->counts().evaluations, before + 1);
  while (run.integrator->time() < 2.0) ASSERT_TRUE(run.integrator->step(2.0));
  const double x = std::cos(5.0) - 1, v = -std::sin(5.0);  // from the new rest at 1, v over 5
  EXPECT_NEAR(run.integrator->state()[0], 1 + x * std::cos(5.0) + v * std::sin(5.0), 1e-12);
}

TEST(Exponential, StepsDoNotAllocate) {
  if (!testing::allocations_are_counted()) GTEST_SKIP();
  class Still : public Oscillators {
   public:
    Still() : Oscillators(Eigen::Vector2d(100, 2500), Eigen::Vector2d(0, 1), {}) {}
    void advance(const MotionPoint&) override {}
    void express(const MotionPoint& start, MotionPoint& point) const override { point.x -= start.x; }
    RunStatus evaluate(MotionPoint& point) override {
      point.second[0] = std::sin(point.t) - 100 * point.x[0];
      point.second[1] = std::cos(point.t) - 2500 * point.x[1] - point.rate[1];
      return {};
    }
    void state(const MotionPoint& point, double, double, VectorX& y) override { y.head(2) = point.x; }
  };
  OscillatorRun run(std::make_shared<Still>(), 100.0, 1e-5);
  ASSERT_TRUE(run.integrator->restart(0.0, VectorX::Zero(6)));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.integrator->step(100.0));
  const long before = testing::allocation_count();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(run.integrator->step(100.0));
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace lithe::detail
