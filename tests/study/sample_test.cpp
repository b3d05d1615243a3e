#include "lithe/study/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "formula_study.hpp"
#include "lithe/errors.hpp"
#include "lithe/study/statistics.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe {
namespace {

using testing::uniform_axis;

SampleOptions options(SampleMethod method, long count) {
  SampleOptions made;
  made.method = method;
  made.count = count;
  return made;
}

std::vector<StudyAxis> unit_axes(int count) {
  std::vector<StudyAxis> axes;
  for (int i = 0; i < count; ++i) axes.push_back(uniform_axis("x" + std::to_string(i), 0, 1));
  return axes;
}

std::string refusal(const std::vector<StudyAxis>& axes, const SampleOptions& sample) {
  try {
    Samples(axes, sample);
  } catch (const MechanismError& error) {
    return error.element() + ": " + error.what();
  }
  return "";
}

TEST(Sample, AGridHasAllCombinationsAndTheLastAxisChangesFastest) {
  StudyAxis a{"a", {}}, b{"b", {}};
  a.spread.kind = b.spread.kind = Distribution::Kind::values;
  a.spread.values = {1, 2};
  b.spread.values = {10, 20, 30};
  const Samples samples({a, b}, options(SampleMethod::grid, 0));
  ASSERT_EQ(samples.size(), 6);
  EXPECT_EQ(samples.at(0), (std::vector<double>{1, 10}));
  EXPECT_EQ(samples.at(1), (std::vector<double>{1, 20}));
  EXPECT_EQ(samples.at(5), (std::vector<double>{2, 30}));
}

TEST(Sample, AVariantDependsOnStudyAndNumberAlone) {
  for (const SampleMethod method : {SampleMethod::random, SampleMethod::latin_hypercube, SampleMethod::sobol,
                                    SampleMethod::saltelli, SampleMethod::morris}) {
    const Samples one(unit_axes(3), options(method, 16)), other(unit_axes(3), options(method, 16));
    SampleOptions seeded = options(method, 16);
    seeded.seed = 2;
    const Samples another(unit_axes(3), seeded);
    int same = 0;
    for (long k = one.size(); k-- > 0;) {
      EXPECT_EQ(one.at(k), other.at(k));
      same += one.at(k) == another.at(k) ? 1 : 0;
    }
    EXPECT_LT(same, one.size() / 2) << name_of(method);
  }
}

TEST(Sample, ALatinHypercubeHitsEveryStratumOnce) {
  const Samples samples(unit_axes(4), options(SampleMethod::latin_hypercube, 50));
  for (int a = 0; a < 4; ++a) {
    std::set<int> strata;
    for (long k = 0; k < 50; ++k) strata.insert(static_cast<int>(50 * samples.at(k)[a]));
    EXPECT_EQ(strata.size(), 50U);
  }
}

/// Smallest t such that all boxes of area 2^(t-m) hold 2^t of the first 2^m points.
int quality(int a, int b, int m) {
  for (int t = 0; t < m; ++t) {
    bool even = true;
    for (int i = 0; i <= m - t && even; ++i) {
      const int j = m - t - i;
      std::vector<int> boxes(1U << static_cast<unsigned>(m - t));
      for (std::uint32_t k = 0; k < (1U << static_cast<unsigned>(m)); ++k) {
        const std::uint64_t x = std::uint64_t{sobol_digits(k, a)} >> static_cast<unsigned>(32 - i);
        const std::uint64_t y = std::uint64_t{sobol_digits(k, b)} >> static_cast<unsigned>(32 - j);
        ++boxes[(x << static_cast<unsigned>(j)) | y];
      }
      for (const int count : boxes) even = even && count == 1 << t;
    }
    if (even) return t;
  }
  return m;
}

TEST(Sample, SobolsSequenceIsEven) {
  // Each dimension by itself is a (0, 1) sequence whatever its direction numbers: a polynomial that is not primitive, or
  // an even number among them, would show here.
  for (int d = 0; d < sobol_dimensions; ++d) {
    std::set<std::uint32_t> firsts;
    for (std::uint32_t k = 0; k < 1024; ++k) firsts.insert(sobol_digits(k, d) >> 22U);
    EXPECT_EQ(firsts.size(), 1024U) << d;
  }
  // Joe and Kuo (2008) chose theirs for small t in two dimensions; the first two are a (0, 2) sequence.
  EXPECT_EQ(quality(0, 1, 8), 0);
  for (int a = 0; a < sobol_dimensions; ++a)
    for (int b = 0; b < a; ++b) EXPECT_LE(quality(a, b, 8), 6) << a << " " << b;
}

TEST(Sample, SobolsSequenceIsThatOfJoeAndKuo) {
  // Of tests/oracles/sobol_points.py: direction numbers that scipy makes from the published table.
  const auto oracle = recorded_json("tests/oracles/sobol_points.json");
  ASSERT_EQ(static_cast<int>(oracle.size()), sobol_dimensions);
  for (int d = 0; d < sobol_dimensions; ++d)
    for (std::uint32_t i = 0; i < 16; ++i)
      EXPECT_EQ(sobol_digits(1U << i, d), oracle[d][i].get<std::uint32_t>() << 16U) << d << " " << i;
}

TEST(Sample, SobolsSequenceHasPropertyA) {
  // Sobol (1976): each of the 2^d parts of the unit cube that halve every axis holds one of the first 2^d points, that
  // is, the first digits of the first d direction numbers are a regular matrix over the field of two elements.
  for (int d = 1; d <= sobol_dimensions; ++d) {
    std::vector<std::uint32_t> rows(d, 0U);
    for (int a = 0; a < d; ++a)
      for (int i = 0; i < d; ++i) rows[a] |= (sobol_digits(1U << static_cast<unsigned>(i), a) >> 31U) << unsigned(i);
    int rank = 0;
    for (int i = 0; i < d; ++i) {
      const auto has_digit = [&](std::uint32_t row) { return (row >> static_cast<unsigned>(i) & 1U) != 0; };
      const auto pivot = std::find_if(rows.begin() + rank, rows.end(), has_digit);
      if (pivot == rows.end()) break;
      std::swap(*pivot, rows[rank]);
      for (int a = rank + 1; a < d; ++a)
        if (has_digit(rows[a])) rows[a] ^= rows[rank];
      ++rank;
    }
    EXPECT_EQ(rank, d);
  }
}

TEST(Sample, CorrelatedNormalAxesHaveTheirCorrelation) {
  std::vector<StudyAxis> axes = unit_axes(3);
  for (StudyAxis& axis : axes) axis.spread.kind = Distribution::Kind::normal;
  SampleOptions sample = options(SampleMethod::random, 4000);
  sample.correlations = {{"x0", "x2", 0.6}};
  const Samples samples(axes, sample);
  std::vector<std::vector<double>> columns(3);
  for (long k = 0; k < samples.size(); ++k)
    for (int a = 0; a < 3; ++a) columns[a].push_back(samples.at(k)[a]);
  // Standard error (1 - r^2) / sqrt(n): 0.01 and 0.016; four of them.
  EXPECT_NEAR(correlation(columns[0], columns[2]), 0.6, 0.04);
  EXPECT_NEAR(correlation(columns[0], columns[1]), 0.0, 0.064);
}

TEST(Sample, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal(unit_axes(1), options(SampleMethod::grid, 0)),
            "x0: a grid needs values: say 'values' or 'steps', or choose another sample method");
  EXPECT_EQ(refusal(unit_axes(1), options(SampleMethod::random, 0)),
            "sample: method random needs a count of at least 1");
  EXPECT_EQ(
      refusal(unit_axes(11), options(SampleMethod::saltelli, 8)),
      "sample: method sobol-indices takes at most 10 axes, here are 11; latin-hypercube and morris take any number");
  SampleOptions correlated = options(SampleMethod::morris, 8);
  correlated.correlations = {{"x0", "x1", 0.5}};
  EXPECT_EQ(
      refusal(unit_axes(2), correlated),
      "sample: method morris takes its axes as independent; drop 'correlations', or choose random, latin-hypercube "
      "or sobol");
  correlated.method = SampleMethod::random;
  correlated.correlations[0].b = "x3";
  EXPECT_EQ(refusal(unit_axes(2), correlated), "sample: correlations: there is no axis 'x3'");
  correlated.correlations = {{"x0", "x1", 0.9}, {"x1", "x2", 0.9}, {"x0", "x2", -0.9}};
  EXPECT_EQ(
      refusal(unit_axes(3), correlated),
      "sample: correlations: no numbers can be correlated like this (the one of 'x2' contradicts those before); make "
      "them smaller");
}

}  // namespace
}  // namespace lithe
