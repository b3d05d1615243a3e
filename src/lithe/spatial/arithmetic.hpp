#pragma once
// The two arithmetics in which a mechanism is evaluated. Every recursion is written once, as a template over one of
// them.
//
//   Spatial  angular quantities are 3-vectors, rotations 3x3 matrices; a joint's axis is the local z axis
//   Planar   angular quantities are numbers, rotations a cosine and a sine; revolute joints turn about the plane normal
//            (sign +1 or -1), prismatic joints slide along the local x axis

#include <cmath>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Coefficients of the rotation Jacobian 1 + a [angle] + b [angle]^2 and of their derivatives (by the angle, over it):
/// a = (1 - cos x)/x^2, b = (x - sin x)/x^3, da = a'/x, db = b'/x.
struct RotationSeries {
  double a, b, da, db;
  explicit RotationSeries(double square) {
    if (square < 0.25) {  // Taylor: the closed forms lose digits
      a = 1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320 - square / 3628800)));
      b = 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880 - square / 39916800)));
      da = -1.0 / 12 + square * (1.0 / 180 - square * (1.0 / 6720 - square * (1.0 / 453600 - square / 47900160)));
      db = -1.0 / 60 + square * (1.0 / 1260 - square * (1.0 / 60480 - square * (1.0 / 4989600 - square / 622702080)));
      return;
    }
    const double x = std::sqrt(square), c = std::cos(x), s = std::sin(x);
    a = (1 - c) / square;
    b = (x - s) / (square * x);
    da = (x * s - 2 * (1 - c)) / (square * square);
    db = (x * (1 - c) - 3 * (x - s)) / (square * square * x);
  }
};

struct Spatial {
  static constexpr bool planar = false;
  static constexpr int linear_size = 3, angular_size = 3;
  using Linear = Vec3;
  using Angular = Vec3;
  using Rotation = Mat3;
  using Moment2 = Mat3;  ///< second moment of mass about the node origin

  static Angular zero_angular() { return Vec3::Zero(); }
  static Linear slide_axis(const Rotation& r) { return r.col(2); }
  static Angular cross(const Angular& a, const Angular& b) { return a.cross(b); }
  static Linear spin(const Angular& w, const Linear& r) { return w.cross(r); }
  static Angular moment(const Linear& r, const Linear& f) { return r.cross(f); }
  static double dot(const Angular& a, const Angular& b) { return a.dot(b); }
  static Linear turn(const Rotation& r, const Linear& x) { return r * x; }
  static Linear turn_back(const Rotation& r, const Linear& x) { return r.transpose() * x; }
  static Angular turn_angular(const Rotation& r, const Angular& x) { return r * x; }
  static Angular turn_back_angular(const Rotation& r, const Angular& x) { return r.transpose() * x; }
  static Rotation compose(const Rotation& a, const Rotation& b) { return a * b; }
  static Rotation inverse(const Rotation& r) { return r.transpose(); }
  static Rotation identity() { return Mat3::Identity(); }
  static const Mat3& matrix(const Rotation& r) { return r; }
  static Linear axis(const Rotation& r, int k) { return r.col(k); }
  static Angular times(const Moment2& j, const Angular& w) { return j * w; }
  /// Second moment in outer axes, moved by `p`: the inner body has mass m and first moment h (already in outer axes).
  static Moment2 shift(const Moment2& inner, const Rotation& r, const Linear& p, const Linear& h, double m) {
    // J about the outer origin = R J R^T + [(p.h + h.p) 1 - p h^T - h p^T] + m (p.p 1 - p p^T)
    Mat3 j = r * inner * r.transpose();
    const Mat3 ph = p * h.transpose();
    const Mat3 mpp = m * p * p.transpose();
    j -= ph + ph.transpose() + mpp;
    j.diagonal().array() += 2.0 * p.dot(h) + m * p.squaredNorm();
    return j;
  }

  /// Rotation by `angle` about the local z axis, after `base`.
  static Rotation turned(const Rotation& base, double angle, double /*sign*/) {
    const double c = std::cos(angle), s = std::sin(angle);
    Mat3 r;
    r.col(0) = c * base.col(0) + s * base.col(1);
    r.col(1) = c * base.col(1) - s * base.col(0);
    r.col(2) = base.col(2);
    return r;
  }
  static void add_turn(Angular& w, double rate, double /*sign*/) { w.z() += rate; }
  static void add_slide(Linear& v, double rate) { v.z() += rate; }
  /// w x (axis rate), the axis being the local turning axis.
  static Angular cross_turn(const Angular& w, double rate, double /*sign*/) {
    return {w.y() * rate, -w.x() * rate, 0.0};
  }
  static Linear spin_slide(const Angular& w, double rate) { return {w.y() * rate, -w.x() * rate, 0.0}; }
  static double along_turn(const Angular& n, double /*sign*/) { return n.z(); }
  static double along_slide(const Linear& f) { return f.z(); }
  static Angular turn_axis(double /*sign*/) { return Vec3::UnitZ(); }
  static constexpr int turn_index = 2, slide_index = 2;  ///< components of the joint axis
  static const Vec3& column(const Angular& w) { return w; }
  static Angular from_column(const Vec3& w) { return w; }
  static const Mat3& square(const Moment2& j) { return j; }
  /// Rotation by a rotation vector.
  static Rotation rotation(const Vec3& angle) { return rotation_from_vector(angle); }
  /// The matrix that turns rates of a rotation vector into the angular velocity, in outer axes.
  static Mat3 turn_jacobian(const Vec3& angle) {
    const RotationSeries s(angle.squaredNorm());
    const Mat3 x = skew(angle);
    return Mat3::Identity() + s.a * x + s.b * x * x;
  }
  /// Angular acceleration of a rotation vector whose rate is constant, outer axes.
  static Vec3 turn_bias(const Vec3& angle, const Vec3& rate) {
    const RotationSeries s(angle.squaredNorm());
    const Vec3 across = angle.cross(rate);
    const double growth = angle.dot(rate);
    return s.da * growth * across + s.db * growth * angle.cross(across) + s.b * rate.cross(across);
  }
  /// Components of a second moment in the order xx, yy, zz, xy, xz, yz.
  static Moment2 moment2(const Eigen::Matrix<double, 6, 1>& m) {
    Mat3 j;
    j << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
    return j;
  }
  /// The vector w with omega . J omega = w . components of J.
  static Eigen::Matrix<double, 6, 1> moment2_weights(const Angular& w) {
    Eigen::Matrix<double, 6, 1> x;
    x << w.x() * w.x(), w.y() * w.y(), w.z() * w.z(), 2 * w.x() * w.y(), 2 * w.x() * w.z(), 2 * w.y() * w.z();
    return x;
  }
  /// The matrix P with alpha x p = P alpha.
  static Mat3 swing_matrix(const Linear& p) {
    Mat3 m;
    m << 0.0, p.z(), -p.y(), -p.z(), 0.0, p.x(), p.y(), -p.x(), 0.0;
    return m;
  }
};

struct Planar {
  static constexpr bool planar = true;
  static constexpr int linear_size = 2, angular_size = 1;
  using Linear = Eigen::Vector2d;
  using Angular = double;
  struct Rotation {
    double c = 1.0, s = 0.0;
  };
  using Moment2 = double;

  static Angular zero_angular() { return 0.0; }
  static Linear slide_axis(const Rotation& r) { return {r.c, r.s}; }
  static Angular cross(Angular, Angular) { return 0.0; }
  static Linear spin(Angular w, const Linear& r) { return {-w * r.y(), w * r.x()}; }
  static Angular moment(const Linear& r, const Linear& f) { return r.x() * f.y() - r.y() * f.x(); }
  static double dot(Angular a, Angular b) { return a * b; }
  static Linear turn(const Rotation& r, const Linear& x) {
    return {r.c * x.x() - r.s * x.y(), r.s * x.x() + r.c * x.y()};
  }
  static Linear turn_back(const Rotation& r, const Linear& x) {
    return {r.c * x.x() + r.s * x.y(), -r.s * x.x() + r.c * x.y()};
  }
  static Angular turn_angular(const Rotation&, Angular x) { return x; }
  static Angular turn_back_angular(const Rotation&, Angular x) { return x; }
  static Rotation compose(const Rotation& a, const Rotation& b) {
    return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
  }
  static Rotation inverse(const Rotation& r) { return {r.c, -r.s}; }
  static Rotation identity() { return {}; }
  static Eigen::Matrix2d matrix(const Rotation& r) {
    Eigen::Matrix2d m;
    m << r.c, -r.s, r.s, r.c;
    return m;
  }
  static Linear axis(const Rotation& r, int k) { return k == 0 ? Linear(r.c, r.s) : Linear(-r.s, r.c); }
  static Angular times(Moment2 j, Angular w) { return j * w; }
  static Moment2 shift(Moment2 inner, const Rotation&, const Linear& p, const Linear& h, double m) {
    return inner + 2.0 * p.dot(h) + m * p.squaredNorm();
  }

  static Rotation turned(const Rotation& base, double angle, double sign) {
    return compose(base, {std::cos(angle), sign * std::sin(angle)});
  }
  static void add_turn(Angular& w, double rate, double sign) { w += sign * rate; }
  static void add_slide(Linear& v, double rate) { v.x() += rate; }
  static Angular cross_turn(Angular, double, double) { return 0.0; }
  static Linear spin_slide(Angular w, double rate) { return {0.0, w * rate}; }
  static double along_turn(Angular n, double sign) { return sign * n; }
  static double along_slide(const Linear& f) { return f.x(); }
  static Angular turn_axis(double sign) { return sign; }
  static constexpr int turn_index = 0, slide_index = 0;
  using Single = Eigen::Matrix<double, 1, 1>;
  static Single column(Angular w) { return Single(w); }
  static Angular from_column(const Single& w) { return w[0]; }
  static Single square(Moment2 j) { return Single(j); }
  static Rotation rotation(const Single& angle) { return {std::cos(angle[0]), std::sin(angle[0])}; }
  static Single turn_jacobian(const Single&) { return Single(1.0); }
  static Single turn_bias(const Single&, const Single&) { return Single(0.0); }
  static Moment2 moment2(const Single& m) { return m[0]; }
  static Single moment2_weights(Angular w) { return Single(w * w); }
  static Eigen::Vector2d swing_matrix(const Linear& p) { return {-p.y(), p.x()}; }
};

}  // namespace lithe::detail
