#pragma once
// A value with its slopes along eight directions: what is computed with it comes with its exact derivatives. Machine as
// for packs (pack.hpp).

#include "lithe/spatial/pack.hpp"

namespace lithe::detail {

template <class Machine>
struct Dual {
  static constexpr int directions = 8;
  static constexpr int sum_cost = 3, product_cost = 6;  ///< for Eigen: of the operations of one double
  double x;
  FourDoubles d[2];  ///< slopes

  Dual() = default;
  Dual(double value) : x(value), d{four(0.0), four(0.0)} {}  // NOLINT: a constant is a number like any other
  Dual(double value, const FourDoubles& low, const FourDoubles& high) : x(value), d{low, high} {}

  typedef double Lane __attribute__((may_alias));
  Lane& slope(int i) { return reinterpret_cast<Lane*>(d)[i]; }
  double slope(int i) const { return reinterpret_cast<const Lane*>(d)[i]; }

  /// Slopes from and into eight numbers side by side.
  static Dual with_slopes(double value, const double* slopes) {
    return {value, load_four(slopes), load_four(slopes + 4)};
  }
  void store(double* slopes) const {
    store_four(d[0], slopes);
    store_four(d[1], slopes + 4);
  }

  /// f(a) with slopes f'(a) a'.
  static Dual chain(double value, double derivative, const Dual& a) {
    return {value, derivative * a.d[0], derivative * a.d[1]};
  }

  Dual operator-() const { return {-x, -d[0], -d[1]}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.x + b.x, a.d[0] + b.d[0], a.d[1] + b.d[1]}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.x - b.x, a.d[0] - b.d[0], a.d[1] - b.d[1]}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.x * b.x, a.x * b.d[0] + b.x * a.d[0], a.x * b.d[1] + b.x * a.d[1]};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.x, value = a.x * inverse;
    return {value, (a.d[0] - value * b.d[0]) * inverse, (a.d[1] - value * b.d[1]) * inverse};
  }
  // Constants have no slopes.
  friend Dual operator+(const Dual& a, double b) { return {a.x + b, a.d[0], a.d[1]}; }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(const Dual& a, double b) { return {a.x - b, a.d[0], a.d[1]}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.x, -b.d[0], -b.d[1]}; }
  friend Dual operator*(const Dual& a, double b) { return {a.x * b, a.d[0] * b, a.d[1] * b}; }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(const Dual& a, double b) { return a * (1.0 / b); }
  friend Dual operator/(double a, const Dual& b) { return chain(a / b.x, -a / (b.x * b.x), b); }
  template <class Other>
  Dual& operator+=(const Other& b) {
    return *this = *this + b;
  }
  template <class Other>
  Dual& operator-=(const Other& b) {
    return *this = *this - b;
  }
  template <class Other>
  Dual& operator*=(const Other& b) {
    return *this = *this * b;
  }
  template <class Other>
  Dual& operator/=(const Other& b) {
    return *this = *this / b;
  }

  // What sweeps ask of a number: the value decides.
  friend double lowest(const Dual& a) { return a.x; }
  friend double highest(const Dual& a) { return a.x; }
  friend double least_size(const Dual& a) { return std::abs(a.x); }
  friend double largest_size(const Dual& a) { return std::abs(a.x); }
  friend bool is_zero(const Dual& a) {
    for (int i = 0; i < directions; ++i)
      if (a.slope(i) != 0.0) return false;
    return a.x == 0.0;
  }
  friend Dual inverse_or_zero(const Dual& a) { return a.x == 0.0 ? Dual(0.0) : 1.0 / a; }
  /// At zero without slopes: there is no direction in which a length would grow.
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.x);
    return chain(root, root == 0.0 ? 0.0 : 0.5 / root, a);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double inverse = 1.0 / (y.x * y.x + x.x * x.x);
    const double by_y = x.x * inverse, by_x = -y.x * inverse;
    return {std::atan2(y.x, x.x), by_y * y.d[0] + by_x * x.d[0], by_y * y.d[1] + by_x * x.d[1]};
  }
  struct SineCosine {
    Dual sine, cosine;
  };
  friend SineCosine sine_cosine(const Dual& angle) {
    const double s = std::sin(angle.x), c = std::cos(angle.x);
    return {chain(s, c, angle), chain(c, -s, angle)};
  }

  /// The slopes of a quaternion are half of itself times the angular velocity.
  friend void write_quaternion_of(const Matrix3Of<Dual>& rotation, Dual* q) {
    Mat3 value;
    for (int e = 0; e < 9; ++e) value(e) = rotation(e).x;
    const Quat quaternion = Quat(value).normalized();
    const Vec3 u = quaternion.vec();
    q[0] = quaternion.w();
    for (int e = 0; e < 3; ++e) q[1 + e] = u[e];
    for (int i = 0; i < directions; ++i) {
      Mat3 slope;
      for (int e = 0; e < 9; ++e) slope(e) = rotation(e).slope(i);
      const Mat3 spin = value.transpose() * slope;
      const Vec3 omega(spin(2, 1), spin(0, 2), spin(1, 0));
      q[0].slope(i) = -0.5 * u.dot(omega);
      const Vec3 rate = 0.5 * (quaternion.w() * omega + u.cross(omega));
      for (int e = 0; e < 3; ++e) q[1 + e].slope(i) = rate[e];
    }
  }
  friend Vector3Of<Dual> vector_from_rotation(const Matrix3Of<Dual>& rotation) {
    Dual q[4];
    write_quaternion_of(rotation, q);
    const double sign = q[0].x < 0.0 ? -1.0 : 1.0;
    const Vector3Of<Dual> u(sign * q[1], sign * q[2], sign * q[3]);
    const Dual sine = sqrt(u.squaredNorm());
    // Near zero the ratio angle / sine tends to 2.
    const Dual ratio = sine.x < 1e-12 ? Dual(2.0) : 2.0 * atan2(sine, sign * q[0]) / sine;
    return u * ratio;
  }
};

}  // namespace lithe::detail
