// Identification: a damped oscillator, whose motion and derivatives are closed forms.

#include "lithe/study/identification.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <random>

#include "lithe/errors.hpp"
#include "lithe/mechanism/build.hpp"

namespace lithe::testing {
namespace {

constexpr double mass = 1.0, stiffness = 40.0, damping = 0.4, start = 0.1;

/// A mass on a spring and a damper, let go at `start`. Parameters that a test does not name have the true values.
Model oscillator(const std::map<std::string, double>& values) {
  const auto value = [&](const char* name, double otherwise) {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  };
  Model model;
  model.mechanism.name = "oscillator";
  LinkData block;
  block.name = "block";
  block.mass = value("mass", mass);
  block.inertia = Mat3::Identity();
  model.mechanism.add_link(block);
  Joint& slide = connect(model.mechanism, JointType::prismatic, "slide", "ground", "block", Vec3::UnitX());
  // Two springs side by side: only their sum acts.
  slide.stiffness = {value("stiffness", stiffness) + value("second-spring", 0.0)};
  slide.damping = {value("damping", damping)};
  model.initial = {{"slide", 0, start}};
  model.parameters = values;
  return model;
}

/// x'' m + c x' + k x = 0 from rest at `start`; for complex numbers, too, whose small imaginary parts give derivatives.
template <class T>
T displacement(double t, T k, T c, T m = mass) {
  const T decay = c / (2.0 * m), frequency = std::sqrt(k / m - decay * decay);
  return start * std::exp(-decay * t) * (std::cos(frequency * t) + decay / frequency * std::sin(frequency * t));
}

std::vector<double> even_times(int count, double until) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(until * i / (count - 1));
  return times;
}

Experiment record_of(const std::vector<double>& times, double noise = 0.0, unsigned seed = 1) {
  Experiment experiment;
  experiment.name = "release";
  experiment.model = oscillator;
  experiment.times = times;
  std::mt19937 generator(seed);
  std::normal_distribution<double> error(0.0, 1.0);
  Measurement position{"x", "q.slide", "1", "0", {}, {}};
  for (const double t : times)
    position.values.push_back(displacement(t, stiffness, damping) + noise * error(generator));
  experiment.measurements = {position};
  return experiment;
}

SoughtParameter sought(const std::string& name, double from) {
  SoughtParameter parameter;
  parameter.name = name;
  parameter.start = from;
  return parameter;
}

TEST(Identification, FindsAnOscillatorWithoutNoise) {
  const Identification found =
      identify({record_of(even_times(200, 4.0))}, {sought("stiffness", 36), sought("damping", 0.6)});
  ASSERT_TRUE(found.all_determined());
  EXPECT_TRUE(found.converged);
  // Runs are exact to about 1e-8 of the motion.
  EXPECT_NEAR(found.estimates[0].value / stiffness, 1.0, 1e-6);
  EXPECT_NEAR(found.estimates[1].value / damping, 1.0, 1e-5);
  EXPECT_TRUE(found.remarks.warnings.empty()) << found.remarks.warnings[0];
}

// Eight oscillations at a frequency that is a quarter too low: over the whole record they are out of step, and the valley
// next to the start is a wrong one.
TEST(Identification, FindsAFrequencyThatIsFarOff) {
  const Identification found =
      identify({record_of(even_times(400, 8.0), 0.001)}, {sought("stiffness", 22), sought("damping", 0.2)});
  ASSERT_TRUE(found.all_determined());
  EXPECT_NEAR(found.estimates[0].value / stiffness, 1.0, 0.005);
  EXPECT_NEAR(found.estimates[1].value / damping, 1.0, 0.05);
}

/// The least squares of displacement() by Gauss and Newton's method, with derivatives by complex steps.
struct ClosedForm {
  double value[2] = {stiffness, damping}, deviation[2] = {0, 0};

  ClosedForm(const std::vector<double>& times, const std::vector<double>& measured) {
    for (int iteration = 0; iteration < 8; ++iteration) {
      double kk = 0, kc = 0, cc = 0, k_r = 0, c_r = 0, squares = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        const std::complex<double> k(value[0]), c(value[1]), h(0, 1e-20);
        const double by_k = displacement(times[i], k + h, c).imag() / 1e-20;
        const double by_c = displacement(times[i], k, c + h).imag() / 1e-20;
        const double r = displacement(times[i], value[0], value[1]) - measured[i];
        kk += by_k * by_k, kc += by_k * by_c, cc += by_c * by_c;
        k_r += by_k * r, c_r += by_c * r, squares += r * r;
      }
      const double determinant = kk * cc - kc * kc, variance = squares / static_cast<double>(times.size() - 2);
      deviation[0] = std::sqrt(variance * cc / determinant);
      deviation[1] = std::sqrt(variance * kk / determinant);
      value[0] -= (cc * k_r - kc * c_r) / determinant;
      value[1] -= (kk * c_r - kc * k_r) / determinant;
    }
  }
};

// Without noise the fit ends at the truth, and the covariance is that of the derivatives there: those of the closed form, by complex
// steps. Ours are differences of runs: predictions move by half a percent, so the fourth order leaves 1e-9, and runs that are exact to
// 1e-9 leave 2e-7 of the derivative, times the condition of the problem.
TEST(Identification, DerivativesAreThoseOfTheClosedForm) {
  const std::vector<double> times = even_times(200, 4.0);
  Experiment experiment = record_of(times);
  experiment.measurements[0].noise = 1e-3;
  const Identification found = identify({experiment}, {sought("stiffness", 36), sought("damping", 0.6)});
  ASSERT_EQ(found.covariance.rows(), 2);
  MatrixX J(std::ssize(times), 2);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const std::complex<double> k(stiffness), c(damping), h(0, 1e-20);
    J(i, 0) = displacement(times[i], k + h, c).imag() / 1e-20;
    J(i, 1) = displacement(times[i], k, c + h).imag() / 1e-20;
  }
  const Eigen::Matrix2d information = J.transpose() * J / (1e-3 * 1e-3);
  const Eigen::Matrix2d expected = information.inverse();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(found.covariance(i, j), expected(i, j), 1e-5 * std::sqrt(expected(i, i) * expected(j, j)));
}

// Estimates and deviations are those of the closed form. Of 100 intervals of 95 percent some 95 hold the truth; 90 to 99 do so
// with a probability of 98 percent. Of the first 1200 seeds it is 95.3 and 94.6 percent by the closed form, between 89 and 99 of
// each hundred; these are the second hundred.
TEST(Identification, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const std::vector<double> times = even_times(60, 1.5);
  const double truth[2] = {stiffness, damping};
  int held[2] = {0, 0};
  for (unsigned seed = 101; seed <= 200; ++seed) {
    IdentificationOptions options;
    options.threads = 1;
    const Experiment experiment = record_of(times, 0.01 * start, seed);
    const Identification found = identify({experiment}, {sought("stiffness", 39), sought("damping", 0.45)}, options);
    ASSERT_TRUE(found.all_determined());
    const ClosedForm expected(times, experiment.measurements[0].values);
    for (int i = 0; i < 2; ++i) {
      const Estimate& estimate = found.estimates[i];
      // The fit ends where a step gains less than a millionth: far less than a deviation.
      EXPECT_NEAR(estimate.value, expected.value[i], 0.01 * expected.deviation[i]);
      EXPECT_NEAR(estimate.deviation / expected.deviation[i], 1.0, 1e-3);
      held[i] += estimate.lower <= truth[i] && truth[i] <= estimate.upper;
    }
  }
  for (const int count : held) {
    EXPECT_GE(count, 90);
    EXPECT_LE(count, 99);
  }
}

TEST(Identification, NamesParametersThatOnlyActTogether) {
  const Identification found = identify({record_of(even_times(100, 3.0), 0.001)},
                                        {sought("stiffness", 25), sought("second-spring", 14), sought("damping", 0.5)});
  EXPECT_FALSE(found.estimates[0].is_determined);
  EXPECT_FALSE(found.estimates[1].is_determined);
  ASSERT_TRUE(found.estimates[2].is_determined);  // what the others do does not concern it
  EXPECT_NEAR(found.estimates[2].value / damping, 1.0, 0.1);
  ASSERT_EQ(found.blind.size(), 1u);
  ASSERT_EQ(found.blind[0].parts.size(), 2u);
  EXPECT_EQ(found.covariance_names, std::vector<std::string>{"damping"});
  ASSERT_EQ(found.remarks.distrust.size(), 1u);
  EXPECT_NE(
      found.remarks.distrust[0].find("the records cannot tell 'second-spring' and 'stiffness' apart: a change of"),
      std::string::npos)
      << found.remarks.distrust[0];
  EXPECT_NE(found.remarks.distrust[0].find("keep one of them fixed"), std::string::npos);
}

// Without a force from outside only ratios to the mass act.
TEST(Identification, NamesARatioOfThree) {
  const Identification found = identify({record_of(even_times(100, 3.0), 0.001)},
                                        {sought("stiffness", 39), sought("mass", 0.95), sought("damping", 0.5)});
  for (const Estimate& each : found.estimates) EXPECT_FALSE(each.is_determined) << each.name;
  ASSERT_EQ(found.blind.size(), 1u);
  EXPECT_EQ(found.blind[0].parts.size(), 3u);
  EXPECT_TRUE(found.values().empty());
}

TEST(Identification, NamesAParameterWithoutEffect) {
  const Identification found =
      identify({record_of(even_times(100, 3.0), 0.001)}, {sought("stiffness", 39), sought("colour", 3)});
  EXPECT_TRUE(found.estimates[0].is_determined);
  EXPECT_FALSE(found.estimates[1].is_determined);
  ASSERT_EQ(found.remarks.distrust.size(), 1u);
  EXPECT_EQ(found.remarks.distrust[0],
            "the records do not determine 'colour': a change of 'colour' by +3 does not change the predictions; leave "
            "it out, "
            "or record something that depends on it");
}

// A record of a tenth of an oscillation hardly shows damping: its interval would be wider than its value.
TEST(Identification, NamesAParameterThatNoiseHides) {
  const Identification found =
      identify({record_of(even_times(50, 0.1), 0.001)}, {sought("stiffness", 39), sought("damping", 0.5)});
  EXPECT_TRUE(found.estimates[0].is_determined);
  EXPECT_FALSE(found.estimates[1].is_determined);
}

// y = 0.02 + 2 x, with an offset that starts at zero and so has no size of its own.
TEST(Identification, FindsFactorAndOffsetOfASensor) {
  Experiment experiment = record_of(even_times(100, 3.0), 0.0005);
  for (double& value : experiment.measurements[0].values) value = 0.02 + 2.0 * value;
  experiment.measurements[0].factor = "gain";
  experiment.measurements[0].offset = "bias";
  const Identification found = identify(
      {experiment}, {sought("stiffness", 39), sought("damping", 0.5), sought("gain", 1.5), sought("bias", 0.0)});
  ASSERT_TRUE(found.all_determined());
  EXPECT_NEAR(found.estimates[2].value, 2.0, 4 * found.estimates[2].deviation);
  EXPECT_NEAR(found.estimates[3].value, 0.02, 4 * found.estimates[3].deviation);
  EXPECT_LT(found.estimates[3].deviation, 0.001);
}

TEST(Identification, StopsAtABound) {
  SoughtParameter limited = sought("damping", 0.2);
  limited.lower = 0.0;
  limited.upper = 0.3;
  const Identification found = identify({record_of(even_times(100, 3.0), 0.0005)}, {sought("stiffness", 39), limited});
  EXPECT_TRUE(found.estimates[1].is_at_bound);
  EXPECT_NEAR(found.estimates[1].value, 0.3, 1e-6);
  EXPECT_EQ(found.covariance_names, std::vector<std::string>{"stiffness"});
  ASSERT_EQ(found.remarks.warnings.size(), 2u);  // the first: the residuals are no noise
  EXPECT_EQ(found.remarks.warnings[1],
            "'damping' ended at its bound 0.3: it has no interval, and those of the others hold with it fixed");
}

// A record that is held back changes nothing but what is said about it; samples may be missing.
TEST(Identification, HoldsRecordsBackAndBearsGaps) {
  Experiment used = record_of(even_times(100, 3.0), 0.0005), held = record_of(even_times(80, 2.0), 0.0005, 7);
  used.measurements[0].values[10] = used.measurements[0].values[50] = std::nan("");
  const std::vector<SoughtParameter> parameters{sought("stiffness", 39), sought("damping", 0.5)};
  const Identification alone = identify({used}, parameters);
  held.name = "later";
  held.held_back = true;
  const Identification both = identify({used, held}, parameters);
  EXPECT_EQ(alone.estimates[0].value, both.estimates[0].value);
  EXPECT_EQ(alone.fits[0].samples, 98);
  ASSERT_EQ(both.fits.size(), 2u);
  EXPECT_TRUE(both.fits[1].held_back);
  EXPECT_NEAR(both.fits[1].rms / 0.0005, 1.0, 0.25);  // of 80 samples: deviation 8 percent
}

// Noise behind a filter, each sample 0.7 of the one before: a slow part of it weighs as much as that of (1 + 0.7)/(1 - 0.7)
// times the variance. Intervals for independent samples would hold the truth in some two of three cases.
TEST(Identification, WidensIntervalsWhereNeighboursGoTogether) {
  constexpr int records = 20;
  int held = 0, said = 0;
  for (unsigned seed = 1; seed <= records; ++seed) {
    Experiment experiment = record_of(even_times(200, 1.5));
    std::mt19937 generator(seed);
    std::normal_distribution<double> error(0.0, 0.001 * std::sqrt(1.0 - 0.49));
    double noise = 0.0;
    for (double& value : experiment.measurements[0].values) value += noise = 0.7 * noise + error(generator);
    const Identification found = identify({experiment}, {sought("stiffness", 39), sought("damping", 0.5)});
    held += found.estimates[0].lower <= stiffness && stiffness <= found.estimates[0].upper;
    said += !found.remarks.warnings.empty() &&
            found.remarks.warnings[0].starts_with(
                "experiment 'release', column 'x': the residuals are no independent noise");
  }
  EXPECT_EQ(said, records);
  EXPECT_GE(held, 17);  // 19 expected if the widening were just right; it is too wide rather than too narrow
}

std::string refusal(const Experiment& experiment, const std::vector<SoughtParameter>& parameters) {
  try {
    identify({experiment}, parameters);
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "";
}

TEST(Identification, RefusesWhatMakesNoSense) {
  Experiment experiment = record_of(even_times(20, 1.0));
  experiment.measurements[0].quantity = "q.slid";
  EXPECT_EQ(
      refusal(experiment, {sought("stiffness", 39)}),
      "experiment 'release': a run of the model has no quantity 'q.slid'; did you mean 'q.slide'?; names are those of "
      "the columns of results");
  experiment.measurements[0].quantity = "pos.blok.origin.x";
  EXPECT_EQ(refusal(experiment, {sought("stiffness", 39)}),
            "experiment 'release': a run of the model has no quantity 'pos.blok.origin.x'; did you mean "
            "'pos.block.origin.x'?; "
            "names are those of the columns of results");
  experiment = record_of(even_times(2, 1.0));
  EXPECT_EQ(refusal(experiment, {sought("stiffness", 39), sought("damping", 0.5)}),
            "2 samples cannot determine 2 parameters");
  EXPECT_EQ(refusal(experiment, {sought("damping", 0.5), sought("damping", 0.5)}),
            "parameter 'damping' is sought twice");
  experiment = record_of({0.0, 0.1, 0.1});
  EXPECT_EQ(refusal(experiment, {sought("stiffness", 39)}),
            "experiment 'release' needs two instants at least, each later than the one before");
  experiment = record_of({-0.1, 0.0, 0.1});
  EXPECT_EQ(refusal(experiment, {sought("stiffness", 39)}),
            "experiment 'release': the samples, from -0.1 s to 0.1 s, do not lie behind the start of the run at 0 s");
  experiment = record_of(even_times(20, 1.0));
  experiment.measurements[0].factor = "gian";
  EXPECT_EQ(refusal(experiment, {sought("gain", 1)}),
            "experiment 'release', column 'x': 'gian' is no expression of the parameters of the model: unknown name "
            "'gian'; did "
            "you mean 'gain'?");
}

}  // namespace
}  // namespace lithe::testing
