// Integrators on equations with closed-form solutions.
#include "lithe/simulation/integrator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lithe::detail {
namespace {

// Two equations with closed-form solutions:
//   y0 = exp(sin t) from y0' = y0 cos t, and y1 = t^2 exp(-t) from y1' = 2 t exp(-t) - y1.
OdeSystem closed_form_system() {
  OdeSystem system;
  system.size = system.controlled = 2;
  system.rate = [](double t, VectorIn y, VectorOut rate) {
    rate[0] = y[0] * std::cos(t);
    rate[1] = 2.0 * t * std::exp(-t) - y[1];
    return RunStatus();
  };
  return system;
}

VectorX closed_form(double t) { return Eigen::Vector2d(std::exp(std::sin(t)), t * t * std::exp(-t)); }

RunOptions options_for(Integrator integrator, double step = 0.0) {
  RunOptions options;
  options.integrator = integrator;
  options.step = step;
  options.until = 2.0;
  return options;
}

double error_at_end(const RunOptions& options) {
  const auto integrator = make_integrator(options, closed_form_system());
  EXPECT_TRUE(integrator->restart(0.0, closed_form(0.0)));
  while (integrator->time() < options.until) {
    if (const RunStatus stepped = integrator->step(options.until); !stepped) {
      ADD_FAILURE() << stepped.why();
      break;
    }
  }
  EXPECT_EQ(integrator->time(), options.until);
  return (integrator->state() - closed_form(options.until)).cwiseAbs().maxCoeff();
}

double observed_order(Integrator integrator, double step) {
  return std::log2(error_at_end(options_for(integrator, step)) / error_at_end(options_for(integrator, step / 2)));
}

TEST(FixedStep, OrdersAreThoseOfTheMethods) {
  EXPECT_NEAR(observed_order(Integrator::rk4, 0.05), 4.0, 0.15);
  EXPECT_NEAR(observed_order(Integrator::dopri5_fixed, 0.05), 5.0, 0.2);
  EXPECT_NEAR(observed_order(Integrator::generalized_alpha, 0.02), 2.0, 0.05);
}

TEST(FixedStep, GeneralizedAlphaIsSecondOrderForEverySpectralRadius) {
  for (const double radius : {0.0, 0.5, 0.8, 1.0}) {
    RunOptions coarse = options_for(Integrator::generalized_alpha, 0.02);
    coarse.spectral_radius = radius;
    RunOptions fine = coarse;
    fine.step = 0.01;
    EXPECT_NEAR(std::log2(error_at_end(coarse) / error_at_end(fine)), 2.0, 0.06) << "radius " << radius;
  }
}

// For y' = lambda y with lambda h -> -infinity every step multiplies y by at most the spectral radius (in the limit).
TEST(FixedStep, GeneralizedAlphaDampsWhatTheStepCannotResolve) {
  RunOptions options = options_for(Integrator::generalized_alpha, 0.1);
  options.spectral_radius = 0.5;
  OdeSystem stiff;
  stiff.size = stiff.controlled = 1;
  stiff.rate = [](double, VectorIn y, VectorOut rate) {
    rate = -1e8 * y;
    return RunStatus();
  };
  const auto integrator = make_generalized_alpha(options, stiff);
  ASSERT_TRUE(integrator->restart(0.0, VectorX::Ones(1)));
  std::vector<double> size;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(integrator->step(2.0));
    size.push_back(std::abs(integrator->state()[0]));
  }
  // The two roots coincide at -0.5, so |y_n| behaves like (a + b n) 0.5^n: compare over ten steps.
  EXPECT_LT(size[19] / size[9], std::pow(0.5, 10) * 2.5);
}

TEST(FixedStep, TheLastStepLandsOnTheEnd) {
  RunOptions options = options_for(Integrator::rk4, 0.3);
  const auto integrator = make_integrator(options, closed_form_system());
  ASSERT_TRUE(integrator->restart(0.0, closed_form(0.0)));
  while (integrator->time() < 2.0) ASSERT_TRUE(integrator->step(2.0));
  EXPECT_EQ(integrator->counts().steps, 7);  // six of 0.3 s and one of 0.2 s
  EXPECT_EQ(integrator->counts().evaluations, 28);
}

TEST(AdaptiveStep, ErrorFollowsTheTolerance) {
  for (const Integrator which : {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45}) {
    for (const double rtol : {1e-5, 1e-7, 1e-9}) {
      RunOptions options = options_for(which);
      options.rtol = rtol;
      options.atol = 0.01 * rtol;
      // Local errors accumulate over the run; for this mild problem by far less than the factor 100.
      EXPECT_LT(error_at_end(options), 100 * rtol) << name_of(which) << " rtol " << rtol;
    }
  }
}

TEST(AdaptiveStep, ValuesInsideAStepAreAsGoodAsTheSteps) {
  for (const Integrator which : {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45,
                                 Integrator::rk4, Integrator::dopri5_fixed}) {
    RunOptions options = options_for(which, 0.01);
    options.rtol = 1e-9;
    options.atol = 1e-11;
    const auto integrator = make_integrator(options, closed_form_system());
    ASSERT_TRUE(integrator->restart(0.0, closed_form(0.0)));
    double next = 0.07;
    VectorX y;
    while (integrator->time() < 2.0) {
      ASSERT_TRUE(integrator->step(2.0)) << name_of(which);
      for (; next <= integrator->time(); next += 0.07) {
        ASSERT_TRUE(integrator->interpolate(next, y));
        EXPECT_LT((y - closed_form(next)).cwiseAbs().maxCoeff(), 1e-7) << name_of(which) << " at " << next;
      }
    }
  }
}

TEST(AdaptiveStep, NoStepCrossesTheLimitAndRestartsKeepTheCounts) {
  for (const Integrator which : {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45}) {
    const auto integrator = make_integrator(options_for(which), closed_form_system());
    ASSERT_TRUE(integrator->restart(0.0, closed_form(0.0)));
    for (const double limit : {0.5, 1.25, 2.0}) {
      while (integrator->time() < limit) ASSERT_TRUE(integrator->step(limit));
      EXPECT_EQ(integrator->time(), limit);
      const long before = integrator->counts().steps;
      ASSERT_TRUE(integrator->restart(limit, VectorX(integrator->state())));
      EXPECT_EQ(integrator->counts().steps, before);
    }
    EXPECT_LT((integrator->state() - closed_form(2.0)).cwiseAbs().maxCoeff(), 1e-6) << name_of(which);
  }
}

/// How the method ends on equations that refuse with `words` from 0.7 s on, and when.
std::pair<RunStatus, double> run_into_wall(Integrator which, const std::string& words) {
  OdeSystem wall = closed_form_system();
  wall.rate = [&](double t, VectorIn, VectorOut rate) {
    rate.setOnes();
    return t < 0.7 ? RunStatus() : RunStatus::refused(words);
  };
  const auto integrator = make_integrator(options_for(which, 0.01), wall);
  RunStatus status = integrator->restart(0.0, VectorX::Zero(2));
  while (status && integrator->time() < 2.0) status = integrator->step(2.0);
  return {std::move(status), integrator->time()};
}

TEST(AdaptiveStep, EquationsThatCannotBeEvaluatedEndTheIntegration) {
  for (const Integrator which : {Integrator::bdf, Integrator::adams, Integrator::dopri, Integrator::ode45,
                                 Integrator::rk4, Integrator::generalized_alpha}) {
    const auto [silent, time] = run_into_wall(which, "");
    ASSERT_FALSE(silent) << name_of(which);
    EXPECT_LT(time, 0.71) << name_of(which);
    const std::string beginning = fmt::format("integrator '{}' cannot go on at t = {:.6g} s: ", name_of(which), time);
    EXPECT_EQ(silent.why().substr(0, beginning.size()), beginning);
    EXPECT_GT(silent.why().size(), beginning.size()) << name_of(which);
    // What the equations say comes before what the method says.
    const RunStatus refused = run_into_wall(which, "there is a wall").first;
    ASSERT_FALSE(refused) << name_of(which);
    EXPECT_EQ(refused.why(), "there is a wall") << name_of(which);
  }
}

// The rules of the controller by hand on y' = 1, y(0) = 1: the first step is 0.8 rtol^(1/5) / (1 / 1); no error, so
// each accepted step is five times as long as the one before; the last one is stretched.
TEST(Ode45, StepsGrowByAtMostFive) {
  RunOptions options = options_for(Integrator::ode45);
  options.rtol = 1e-5;
  options.atol = 1e-8;
  OdeSystem line;
  line.size = line.controlled = 1;
  line.rate = [](double, VectorIn, VectorOut rate) {
    rate[0] = 1.0;
    return RunStatus();
  };
  const auto integrator = make_runge_kutta(options, line);
  ASSERT_TRUE(integrator->restart(0.0, VectorX::Ones(1)));
  ASSERT_TRUE(integrator->step(2.0));
  EXPECT_NEAR(integrator->time(), 0.08, 1e-15);
  ASSERT_TRUE(integrator->step(2.0));
  EXPECT_NEAR(integrator->time(), 0.48, 1e-15);
  ASSERT_TRUE(integrator->step(2.0));
  EXPECT_EQ(integrator->time(), 2.0);
  EXPECT_EQ(integrator->counts().evaluations, 3 * 6 + 1);
}

TEST(Ode45, ProjectionAfterAStepIsApplied) {
  RunOptions options = options_for(Integrator::ode45);
  options.max_step = 0.1;
  OdeSystem circle;  // y = (cos t, sin t), kept on the unit circle
  circle.size = circle.controlled = 2;
  circle.rate = [](double, VectorIn y, VectorOut rate) {
    rate[0] = -y[1];
    rate[1] = y[0];
    return RunStatus();
  };
  circle.project = [](double, VectorOut y) {
    y.normalize();
    return RunStatus();
  };
  for (const Integrator which : {Integrator::ode45, Integrator::dopri, Integrator::rk4}) {
    options.integrator = which;
    options.step = 0.05;
    const auto integrator = make_integrator(options, circle);
    ASSERT_TRUE(integrator->restart(0.0, Eigen::Vector2d(1, 0)));
    while (integrator->time() < 2.0) {
      ASSERT_TRUE(integrator->step(2.0));
      EXPECT_NEAR(integrator->state().norm(), 1.0, 1e-15);
    }
    EXPECT_NEAR(integrator->state()[0], std::cos(2.0), 1e-6);
  }
}

// Pendulum (length 1, g 9.81, released at (1, 0)) as GGL-stabilised index-2 equations in Cartesian coordinates.
// Expected: dependencies survey, reduced ODE by SciPy Radau at 1e-11: x(10) = 0.2750874626, y(10) = -0.9614192051.
TEST(Ida, PendulumInStabilisedIndexTwoForm) {
  constexpr double g = 9.81;
  DaeSystem pendulum;
  pendulum.size = 6;  // x y vx vy lambda mu
  pendulum.reported = 4;
  pendulum.differential = VectorX::Ones(6);
  pendulum.differential.tail(2).setZero();
  pendulum.residual = [](double, VectorIn y, VectorIn rate, VectorOut r) {
    r[0] = rate[0] - y[2] + y[0] * y[5];
    r[1] = rate[1] - y[3] + y[1] * y[5];
    r[2] = rate[2] + y[0] * y[4];
    r[3] = rate[3] + y[1] * y[4] + g;
    r[4] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    r[5] = y[0] * y[2] + y[1] * y[3];
    return RunStatus();
  };
  pendulum.start = [](double, VectorIn state, VectorOut y, VectorOut rate) {
    y.head(4) = state;
    y.tail(2).setZero();
    rate.setZero();
    rate[3] = -g;
    return RunStatus();
  };
  RunOptions options = options_for(Integrator::ida);
  options.until = 10.0;
  options.rtol = options.atol = 1e-11;
  const auto integrator = make_ida(options, pendulum);
  ASSERT_TRUE(integrator->restart(0.0, Eigen::Vector4d(1, 0, 0, 0)));
  while (integrator->time() < 10.0) ASSERT_TRUE(integrator->step(10.0));
  EXPECT_NEAR(integrator->state()[0], 0.2750874626, 2e-7);
  EXPECT_NEAR(integrator->state()[1], -0.9614192051, 2e-7);
  EXPECT_NEAR(integrator->state().head(2).norm(), 1.0, 1e-9);
}

}  // namespace
}  // namespace lithe::detail
