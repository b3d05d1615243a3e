#include "lithe/links/damping.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "lithe/links/reduction.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

LinkData cantilever(const ReductionChoice& choice) {
  const ElasticModel model = beam_model("arm", testing::uniform_beam(1, 1, 1, 3), {{0.0, true, true}});
  return reduced_link("arm", model, reduce("arm", model, choice), false);
}

// D = 2 ratio w for mass-normalised modes; the complex modulus counts as ratio = loss/2 at every mode.
TEST(Damping, ModalRatiosAndLossFactor) {
  LinkData link = cantilever({{{3, 1}, 0, 0}, false, {}, {}});
  const VectorX w = link.elastic.frequencies;
  set_damping(link, {0.01, {}, 0, 0, 0});
  EXPECT_LT((link.elastic.damping - MatrixX((0.02 * w).asDiagonal())).norm(), 1e-9);
  set_damping(link, {0.01, {0.03, 0.05}, 0, 0, 0});
  EXPECT_NEAR(link.elastic.damping(0, 0), 0.06 * w[0], 1e-9);
  EXPECT_NEAR(link.elastic.damping(1, 1), 0.10 * w[1], 1e-9);
  set_damping(link, {0, {}, 0, 0, 0.08});
  EXPECT_LT((link.elastic.damping - MatrixX((0.08 * w).asDiagonal())).norm(), 1e-9);
}

// Rayleigh: alpha M + beta K; the ratio of mode i is alpha/(2 w) + beta w/2. Kelvin-Voigt is its stiffness part.
TEST(Damping, Rayleigh) {
  LinkData link = cantilever({{{}, 2, 0}, false, {}, {}});
  set_damping(link, {0, {}, 0.4, 1e-3, 0});
  for (int i = 0; i < 2; ++i) {
    const double w = link.elastic.frequencies[i];
    EXPECT_NEAR(link.elastic.damping(i, i) / (2 * w), 0.4 / (2 * w) + 1e-3 * w / 2, 1e-10);
  }
}

// Finite-element coordinates: the modes of the link have the ratio, lowest first; parts add up.
TEST(Damping, RatiosInFiniteElementCoordinates) {
  LinkData link = cantilever({{}, true, {}, {}});
  const std::vector<double> ratios{0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
  set_damping(link, {0, ratios, 0.5, 0, 0});
  const ElasticData& e = link.elastic;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> modes(e.stiffness, e.mass);
  const MatrixX modal = modes.eigenvectors().transpose() * e.damping * modes.eigenvectors();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const double expected =
          i == j ? 2 * ratios[i] * std::sqrt(modes.eigenvalues()[i]) + 0.5 : 0;
      EXPECT_NEAR(modal(i, j), expected, 1e-7 * std::sqrt(modes.eigenvalues()[5]));
    }
}

TEST(Damping, BadInputIsRefused) {
  LinkData link = cantilever({{{}, 2, 0}, false, {}, {}});
  const auto complaint = [&](const Damping& damping) -> std::string {
    try {
      set_damping(link, damping);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({-0.01, {}, 0, 0, 0}), "link 'arm': its damping ratio is -0.01; it must not be negative");
  EXPECT_EQ(complaint({0, {0.1}, 0, 0, 0}),
            "link 'arm': 1 damping ratios for 2 elastic coordinates; give one per coordinate or a single ratio");
  EXPECT_EQ(complaint({0, {}, -1, 0, 0}), "link 'arm': its mass damping factor is -1; it must not be negative");
  EXPECT_EQ(complaint({0, {}, 0, -2, 0}), "link 'arm': its stiffness damping factor is -2; it must not be negative");
  EXPECT_EQ(complaint({0, {}, 0, 0, -3}), "link 'arm': its loss factor is -3; it must not be negative");
}

}  // namespace
}  // namespace lithe
