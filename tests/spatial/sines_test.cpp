// Sines and cosines four at a time: against those of the C library, which are right to the last bit or the one before it.

#include "lithe/spatial/sines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace lithe::detail {
namespace {

struct Sines {
  explicit Sines(const std::vector<double>& given)
      : angles(Eigen::VectorXd::Zero(room_for_sines<double>(given.size()))) {
    for (std::size_t i = 0; i < given.size(); ++i) angles[static_cast<Eigen::Index>(i)] = given[i];
    sines = cosines = angles;
    find_sines(angles, sines, cosines);
  }
  Eigen::VectorXd angles, sines, cosines;
};

/// Distance in units of the last place of `right`.
double units(double value, double right) {
  const double size = std::abs(right);
  return std::abs(value - right) / (std::nextafter(size, 2.0) - size);
}

TEST(Sines, AreRightToTheLastPlaces) {
  std::mt19937 dice(1);
  for (const double reach : {1e-3, 1.0, 10.0, 1e3, 99e3}) {
    std::uniform_real_distribution<double> draw(-reach, reach);
    std::vector<double> given(4000);
    for (double& angle : given) angle = draw(dice);
    const Sines found(given);
    // Half a unit of rounding at the end, and what half a unit of the reduced angle and of the last products make of it.
    for (Eigen::Index i = 0; i < found.angles.size(); ++i) {
      EXPECT_LE(units(found.sines[i], std::sin(found.angles[i])), 2.0) << found.angles[i];
      EXPECT_LE(units(found.cosines[i], std::cos(found.angles[i])), 2.0) << found.angles[i];
    }
  }
}

TEST(Sines, OfQuarterTurns) {
  const double quarter = std::acos(0.0);
  const Sines found({0.0, quarter, 2.0 * quarter, 3.0 * quarter, -quarter, 1e4 * quarter});
  EXPECT_EQ(found.sines[0], 0.0);
  EXPECT_EQ(found.cosines[0], 1.0);
  // The double nearest to a quarter turn misses it by 6e-17, which is what the cosine has to say.
  for (Eigen::Index i = 1; i < 6; ++i) {
    EXPECT_LE(units(found.sines[i], std::sin(found.angles[i])), 2.0) << i;
    EXPECT_LE(units(found.cosines[i], std::cos(found.angles[i])), 2.0) << i;
  }
}

// Far away, and where there is no angle at all, the library answers; those beside them in their four come along.
TEST(Sines, OfFarAngles) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Sines found({1e9, 0.5, nan, -2e5, 0.25});
  EXPECT_EQ(found.sines[0], std::sin(1e9));
  EXPECT_EQ(found.cosines[1], std::cos(0.5));
  EXPECT_TRUE(std::isnan(found.sines[2]) && std::isnan(found.cosines[2]));
  EXPECT_EQ(found.cosines[3], std::cos(-2e5));
  EXPECT_LE(units(found.sines[4], std::sin(0.25)), 2.0);
}

}  // namespace
}  // namespace lithe::detail
