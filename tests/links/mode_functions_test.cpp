#include "lithe/links/mode_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/gauss_rule.hpp"

namespace lithe {
namespace {

using std::numbers::pi;

template <class Function>
double integral(Function&& f, double length, int panels) {
  const detail::GaussRule rule = detail::gauss_rule(20);
  double sum = 0.0;
  for (int p = 0; p < panels; ++p)
    for (int g = 0; g < 20; ++g) sum += rule.weight[g] * length / panels * f((p + rule.at[g]) * length / panels);
  return sum;
}

constexpr BendingFamily families[] = {BendingFamily::clamped_free,    BendingFamily::pinned_pinned,
                                      BendingFamily::pinned_free,     BendingFamily::clamped_pinned,
                                      BendingFamily::clamped_clamped, BendingFamily::free_free};

TEST(GaussRule, IntegratesPolynomialsExactly) {
  for (int n : {1, 2, 5, 16, 32}) {
    const detail::GaussRule rule = detail::gauss_rule(n);
    for (int k = 0; k < 2 * n; ++k)
      EXPECT_NEAR(rule.weight.dot(VectorX(rule.at.array().pow(k))) * (k + 1), 1.0, 1e-13) << n << ' ' << k;
  }
}

// beta L: roots of the textbook equations cos x cosh x = -1, tan x = tanh x, cos x cosh x = 1 (Brillarelli
// reference 2.2 for the first; tables of Blevins for the others, eight decimals).
TEST(ModeFunctions, Roots) {
  const double expected[6][3] = {{1.8751040687, 4.6940911330, 7.8547574382}, {pi, 2 * pi, 3 * pi},
                                 {3.92660231, 7.06858275, 10.21017612},      {3.92660231, 7.06858275, 10.21017612},
                                 {4.73004074, 7.85320462, 10.99560784},      {4.73004074, 7.85320462, 10.99560784}};
  for (int f = 0; f < 6; ++f) {
    const std::vector<ModeFunction> modes = bending_modes(families[f], 3, 2.0);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(modes[i].wave_number * 2.0, expected[f][i], 6e-9);
  }
}

// phi'''' = beta^4 phi, both ends, orthonormality, derivatives: for low and very high modes alike. (cosh of the 60th
// would be 1e81.)
TEST(ModeFunctions, EveryFamilyFarUp) {
  const double L = 1.7;
  for (const BendingFamily family : families) {
    const std::vector<ModeFunction> modes = bending_modes(family, 60, L);
    const bool clamped = family == BendingFamily::clamped_free || family == BendingFamily::clamped_pinned ||
                         family == BendingFamily::clamped_clamped;
    const bool pinned = family == BendingFamily::pinned_free || family == BendingFamily::pinned_pinned;
    const bool tip_pinned = family == BendingFamily::pinned_pinned || family == BendingFamily::clamped_pinned;
    const bool tip_clamped = family == BendingFamily::clamped_clamped;
    for (const std::size_t i : {0U, 1U, 2U, 11U, 59U}) {
      const ModeFunction& phi = modes[i];
      const double b = phi.wave_number;
      for (const int k : {clamped || pinned ? 0 : 3, clamped ? 1 : 2})
        EXPECT_NEAR(phi(k, 0) / std::pow(b, k), 0, 1e-12);
      for (const int k : {tip_clamped || tip_pinned ? 0 : 3, tip_clamped ? 1 : 2})
        EXPECT_NEAR(phi(k, L) / std::pow(b, k), 0, 1e-12);
      for (const double s : {0.0, 0.3, 1.1, L}) {
        EXPECT_NEAR(phi(4, s) / std::pow(b, 4), phi(0, s), 1e-12);
        const double h = 1e-4 / b;
        if (s > 0 && s < L) EXPECT_NEAR((phi(0, s + h) - phi(0, s - h)) / (2 * h) / b, phi(1, s) / b, 1e-8);
      }
      for (const std::size_t j : {0U, 2U, 10U, 58U, 59U}) {
        const double product = integral([&](double s) { return phi(0, s) * modes[j](0, s); }, L, 64) / L;
        EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-12) << i << ' ' << j;
      }
      const double root = clamped ? phi(2, 0) : (pinned ? phi(1, 0) : phi(0, 0));
      EXPECT_GT(root, 0);
    }
  }
}

// Payload of mass m and inertia J (about the tip) in units of the beam: the textbook frequency equation
// 1 + c C + m x (c S - s C) - J x^3 (s C + c S) + m J x^4 (1 - c C) = 0, and no root left out: it changes its sign as
// often below a root as there are roots.
TEST(ModeFunctions, PayloadRoots) {
  for (const TipLump& tip : {TipLump{0, 0, 0}, TipLump{0.3, 0, 0}, TipLump{1, 0, 0.2}, TipLump{0, 0, 0.5},
                             TipLump{40, 0, 0.01}, TipLump{3, 0, 60}}) {
    const auto equation = [&](double x) {
      const double c = std::cos(x), s = std::sin(x), h = 1 / std::cosh(x), t = std::tanh(x);
      return h + c + tip.mass * x * (c * t - s) - tip.inertia * x * x * x * (s + c * t) +
             tip.mass * tip.inertia * std::pow(x, 4) * (h - c);
    };
    const std::vector<ModeFunction> modes = bending_modes(BendingFamily::clamped_payload, 6, 1.0, tip);
    int changes = 0;
    double at = 1e-3;
    for (const ModeFunction& mode : modes) {
      const double x = mode.wave_number, slope = (equation(x * (1 + 1e-6)) - equation(x * (1 - 1e-6))) / (2e-6 * x);
      EXPECT_LT(std::abs(equation(x) / slope), 1e-8 * x);
      for (; at < x + 1e-4; at += 1e-4)
        if ((equation(at) > 0) != (equation(at + 1e-4) > 0)) ++changes;
      EXPECT_EQ(changes, 1 + static_cast<int>(&mode - modes.data())) << "x = " << x;
    }
  }
}

// A payload whose centre lies beyond the tip, too: shapes are orthogonal in the mass of beam and lump together.
TEST(ModeFunctions, PayloadShapesAreOrthogonal) {
  const TipLump tip{0.8, 0.24, 0.11};
  const double L = 0.6;
  const std::vector<ModeFunction> modes = bending_modes(BendingFamily::clamped_payload, 8, L, tip);
  for (const ModeFunction& a : modes)
    for (const ModeFunction& b : modes) {
      const double va = a(0, L), vb = b(0, L), ra = L * a(1, L), rb = L * b(1, L);
      const double lump = tip.mass * va * vb + tip.moment * (va * rb + ra * vb) + tip.inertia * ra * rb;
      const double product = integral([&](double s) { return a(0, s) * b(0, s); }, L, 12) / L + lump;
      if (&a != &b) EXPECT_NEAR(product, 0, 1e-10 * (1 + std::abs(lump)));
      if (&a == &b) EXPECT_NEAR(product - lump, 1.0, 1e-12);
    }
}

TEST(ModeFunctions, Bars) {
  const double L = 0.9;
  const auto x = [&](BarFamily family, int i, const TipLump& tip = {}) {
    return bar_modes(family, i, L, tip).back().wave_number * L;
  };
  EXPECT_NEAR(x(BarFamily::fixed_free, 3), 2.5 * pi, 1e-14);
  EXPECT_NEAR(x(BarFamily::fixed_fixed, 3), 3 * pi, 1e-14);
  EXPECT_NEAR(x(BarFamily::free_free, 3), 3 * pi, 1e-14);
  // x tan x = 1/m, m = 1: 0.8603335890, 3.4256184594 (textbook).
  EXPECT_NEAR(x(BarFamily::fixed_payload, 1, {1, 0, 0}), 0.8603335890, 1e-9);
  EXPECT_NEAR(x(BarFamily::fixed_payload, 2, {1, 0, 0}), 3.4256184594, 1e-9);
  const ModeFunction third = bar_modes(BarFamily::free_free, 3, L).back();
  EXPECT_NEAR(third(0, L / 3), -std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(third(1, 0.0), 0.0, 1e-12);
}

}  // namespace
}  // namespace lithe
