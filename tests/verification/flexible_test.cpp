// Convergence of assembled mechanisms: what the charts of docs/verification/flexible.md show, from their numbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "studies.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::verification {
namespace {

// With the motor locked and all joints pins, coupler and rocker are beams between fixed points: their frequencies are
// (n pi/L)^2 sqrt(EI/mu), whichever way the loop is assembled (closed form). Weight, which presses and pulls them along
// (1 N against buckling loads of 350 N and more), and shear of the 3 mm strips change that by less than 3e-3.
TEST(AssembledConvergence, FourBarIsTwoBeamsBetweenPins) {
  const double root = std::sqrt(200e9 / 7850.0 / 12.0) * 0.003;  // sqrt(EI/mu)
  std::vector<double> expected;
  for (const double length : {0.5, 0.4})
    for (int n = 1; n <= 4; ++n) expected.push_back(std::numbers::pi / 2 * n * n / (length * length) * root);
  std::sort(expected.begin(), expected.end());
  const std::vector<double> ours = four_bar_frequencies();
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i] / expected[i], 1.0, 3e-3) << i;
}

// The robot as a plane frame by the direct stiffness method (tests/oracles/robot_frame.py): same elements, no
// reduction. What twenty modes a link leave out is less than 1e-5 of the first six frequencies and 1e-4 of twelve.
TEST(AssembledConvergence, RobotIsAPlaneFrame) {
  const nlohmann::json frame = recorded_json("tests/oracles/robot_frame.json")["frequencies_hz"];
  const std::vector<double> ours = robot_frequencies();
  ASSERT_EQ(frame.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(ours[i] / frame[i].get<double>(), 1.0, i < 6 ? 1e-5 : 1e-4) << i;
}

// The mesh of the links decides the assembled frequencies to fourth order, as those of one link.
TEST(AssembledConvergence, ElementsAreOfFourthOrder) {
  for (const Series& series : assembled_elements().series)
    EXPECT_NEAR(observed_order(series, 4, 12), 4.0, 0.2) << series.name;
}

// More modes: always better (Ritz), and with two or three more than a frequency needs it is there to a percent.
TEST(AssembledConvergence, ModesConverge) {
  const Chart chart = assembled_modes();
  for (const Series& series : chart.series) {
    ASSERT_GE(series.y.size(), 5U) << series.name;
    for (std::size_t i = 1; i < series.y.size(); ++i) EXPECT_LT(series.y[i], series.y[i - 1]) << series.name;
    EXPECT_LT(series.y.back(), 1e-3) << series.name;
  }
  EXPECT_LT(chart.series[0].y[1], 0.01) << "two modes, first frequency";
}

// A peak of a run converges too: one percent with two modes of four elements, 1e-3 with three.
TEST(AssembledConvergence, PeakDeflection) {
  const Chart chart = four_bar_peaks();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(chart.series[i].y[1], 1e-2) << "two modes";
    for (std::size_t k = 2; k < 6; ++k) EXPECT_LT(chart.series[i].y[k], 1e-3) << k + 1 << " modes";
    EXPECT_LT(chart.series[2 + i].y[3], 1e-2) << "four elements";
    for (std::size_t k = 5; k < 8; ++k)
      EXPECT_LT(chart.series[2 + i].y[k], 1e-3) << chart.series[2 + i].x[k] << " elements";
  }
}

// The stiffer the link, the closer to its rigid twin: the deviation falls as 1/EI over four decades. Weight alone bends
// the level beam by mu g L^4/(8 EI) (closed form); raising it changes that by a part.
TEST(AssembledConvergence, RigidLimit) {
  const Series deviation = rigid_limit().series[0];
  ASSERT_EQ(deviation.y.size(), 5U);
  EXPECT_NEAR(observed_order(deviation, 0, 1e9), 1.0, 0.01);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(deviation.y[i - 1] / deviation.y[i], 10.0, 0.3) << i;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_GT(deviation.y[i] * deviation.x[i], 0.3 / 8);
    EXPECT_LT(deviation.y[i] * deviation.x[i], 1.5 / 8);
  }
}

}  // namespace
}  // namespace lithe::verification
