#pragma once
// Natural shapes of uniform beams (Euler-Bernoulli) and bars in closed form, safe for any mode number.
//
// Every shape is written with decaying exponentials only,
//   phi(s) = a sin(beta s) + b cos(beta s) + c exp(-beta s) + d exp(-beta (L - s)),
// so nothing large is ever subtracted from something large, as it is in cosh - sinh. Shapes are scaled to
// int_0^L phi^2 ds = L, and the first of deflection, slope, curvature that is not zero at the root is positive.

#include <array>
#include <vector>

namespace lithe {

/// Ends of a beam in bending, root first. Rigid motions of pinned-free and free-free beams are not among the shapes.
enum class BendingFamily : unsigned char {
  clamped_free,
  pinned_pinned,
  pinned_free,
  clamped_pinned,
  clamped_clamped,
  free_free,
  clamped_payload  ///< clamped root, rigid lump at the tip
};

/// Ends of a bar in stretching or torsion, root first.
enum class BarFamily : unsigned char { fixed_free, fixed_fixed, free_free, fixed_payload };

/// A rigid lump at the tip, relative to the beam of mass per length mu and length L. For a bar only `mass` counts: its
/// mass over that of the bar, in torsion its polar inertia over that of the bar.
struct TipLump {
  double mass = 0.0;     ///< m / (mu L)
  double moment = 0.0;   ///< m x / (mu L^2), x: distance of its mass centre beyond the tip
  double inertia = 0.0;  ///< J / (mu L^3), J about the tip
};

struct ModeFunction {
  double length = 1.0;                  ///< m
  double wave_number = 0.0;             ///< beta (1/m)
  std::array<double, 4> coefficient{};  ///< a, b, c, d
  int zero_at_root = 0;                 ///< so many derivatives, from the 0th on, vanish at s = 0

  /// The k-th derivative of the shape at s.
  double operator()(int k, double s) const;
};

/// The first `count` shapes, by frequency: omega = beta^2 sqrt(EI/mu).
std::vector<ModeFunction> bending_modes(BendingFamily family, int count, double length, const TipLump& tip = {});

/// The first `count` shapes, by frequency: omega = beta sqrt(EA/mu), in torsion beta sqrt(GJ/polar).
std::vector<ModeFunction> bar_modes(BarFamily family, int count, double length, const TipLump& tip = {});

}  // namespace lithe
