#pragma once
// A force over a stretch, with its energy.

#include <variant>
#include <vector>

#include "lithe/laws/law.hpp"

namespace lithe {

/// Which sign a force may have.
enum class SpringSide { both, pull, push };

/// The force f(x, v) at a stretch x (m) and its rate v (m/s), positive where it pulls. What it is at rest, f(x, 0), stores
/// energy; the difference is lost, or supplied. A one-sided force is zero at stretches of the other sign, and clipped
/// where it would have the other sign itself.
class ForceCurve {
 public:
  explicit ForceCurve(double stiffness, SpringSide side = SpringSide::both);
  /// Of the two variables x and v, see Expression::of_variables().
  explicit ForceCurve(Expression force, SpringSide side = SpringSide::both);
  /// Stretches and forces in place of times and values; continued with the slopes of its ends.
  explicit ForceCurve(TableLaw table, SpringSide side = SpringSide::both);

  /// N, with a damper (N s/m) that acts where the force does.
  double force(double x, double v, double damping = 0.0) const;
  /// Integral of the force at rest from 0 to x, J: by Gauss quadrature from the nearest kink on, to rounding.
  double energy(double x) const;

  SpringSide side() const { return side_; }
  /// Stretches at which the slope of an expression jumps, as far as Expression::breakpoints() knows them.
  const std::vector<double>& kinks() const { return kinks_; }

 private:
  bool rests(double x) const;
  double two_sided(double x, double v) const;
  void prepare(std::vector<double> joints);
  double integral(double from, double to) const;

  std::variant<double, Expression, Law> force_;
  double first_ = 0.0, last_ = 0.0;  ///< ends of a table
  SpringSide side_;
  std::vector<double> kinks_;
  /// Where smooth pieces of the force meet, from 0 outwards on either side, with the energy there.
  struct Anchor {
    double x = 0.0, energy = 0.0;
  };
  std::vector<Anchor> above_, below_;
};

}  // namespace lithe
