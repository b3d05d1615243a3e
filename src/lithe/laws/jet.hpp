#pragma once
// Arithmetic of second-order jets: every function carries its value and its first two derivatives in time exactly.

#include <cmath>

#include "lithe/laws/expression.hpp"

namespace lithe {

inline Jet operator-(const Jet& f) { return {-f.value, -f.rate, -f.second}; }
inline Jet operator+(const Jet& f, const Jet& g) { return {f.value + g.value, f.rate + g.rate, f.second + g.second}; }
inline Jet operator-(const Jet& f, const Jet& g) { return {f.value - g.value, f.rate - g.rate, f.second - g.second}; }

inline Jet operator*(const Jet& f, const Jet& g) {
  return {f.value * g.value, f.rate * g.value + f.value * g.rate,
          f.second * g.value + 2.0 * f.rate * g.rate + f.value * g.second};
}

/// From h g = f, differentiated twice.
inline Jet operator/(const Jet& f, const Jet& g) {
  const double h = f.value / g.value;
  const double rate = (f.rate - h * g.rate) / g.value;
  return {h, rate, (f.second - 2.0 * rate * g.rate - h * g.second) / g.value};
}

inline bool is_constant(const Jet& f) { return f.rate == 0.0 && f.second == 0.0; }

/// Chain rule for phi(f): phi, phi' and phi'' at f.value. An argument at rest stays at rest, also where phi' is
/// infinite.
inline Jet chain(const Jet& f, double phi, double phi1, double phi2) {
  if (is_constant(f)) return {phi, 0.0, 0.0};
  return {phi, phi1 * f.rate, phi2 * f.rate * f.rate + phi1 * f.second};
}

/// f^g. With a constant exponent also for negative f (integer exponents) and f = 0.
inline Jet pow(const Jet& f, const Jet& g) {
  const double x = f.value, p = g.value;
  if (is_constant(g)) {
    const double phi1 = p == 0.0 ? 0.0 : p * std::pow(x, p - 1.0);
    const double phi2 = p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * std::pow(x, p - 2.0);
    return chain(f, std::pow(x, p), phi1, phi2);
  }
  const Jet exponent = g * chain(f, std::log(x), 1.0 / x, -1.0 / (x * x));
  const double value = std::pow(x, p);
  return chain(exponent, value, value, value);
}

/// Angle of the point (x, y): rate = (x y' - y x') / r^2, differentiated once more.
inline Jet atan2(const Jet& y, const Jet& x) {
  const double angle = std::atan2(y.value, x.value);
  if (is_constant(y) && is_constant(x)) return {angle, 0.0, 0.0};
  const double r2 = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / r2;
  const double second =
      (x.value * y.second - y.value * x.second - 2.0 * rate * (x.value * x.rate + y.value * y.rate)) / r2;
  return {angle, rate, second};
}

}  // namespace lithe
