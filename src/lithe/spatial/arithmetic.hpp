#pragma once
// The two arithmetics in which a mechanism is evaluated, each in any number (numbers.hpp). Every recursion is written
// once, as a template over one of them. Constants of the mechanism are doubles whatever the number.
//
//   Spatial  angular quantities are 3-vectors, rotations 3x3 matrices; a joint's axis is the local z axis
//   Planar   angular quantities are numbers, rotations a cosine and a sine; revolute joints turn about the plane normal
//            (sign +1 or -1), prismatic joints slide along the local x axis

#include <cmath>

#include "lithe/spatial/numbers.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Coefficients of the rotation Jacobian 1 + a [angle] + b [angle]^2 and of their derivatives (by the angle, over it):
/// a = (1 - cos x)/x^2, b = (x - sin x)/x^3, da = a'/x, db = b'/x.
template <class T>
struct RotationSeries {
  T a, b, da, db;
  explicit RotationSeries(const T& square) {
    if (highest(square) < 0.25) {  // the closed forms lose digits
      expand(square);
    } else if (lane_count<T> == 1 || lowest(square) >= 0.25) {
      close(square);
    } else if constexpr (lane_count<T> > 1) {
      for (int i = 0; i < lane_count<T>; ++i) {
        const RotationSeries<double> one(lane(square, i));
        lane(a, i) = one.a;
        lane(b, i) = one.b;
        lane(da, i) = one.da;
        lane(db, i) = one.db;
      }
    }
  }

 private:
  void expand(const T& square) {
    a = 1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320 - square / 3628800.0)));
    b = 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880 - square / 39916800.0)));
    da = -1.0 / 12 + square * (1.0 / 180 - square * (1.0 / 6720 - square * (1.0 / 453600 - square / 47900160.0)));
    db = -1.0 / 60 + square * (1.0 / 1260 - square * (1.0 / 60480 - square * (1.0 / 4989600 - square / 622702080.0)));
  }
  void close(const T& square) {
    using std::sqrt;
    const T x = sqrt(square);
    const auto [s, c] = sine_cosine(x);
    a = (1.0 - c) / square;
    b = (x - s) / (square * x);
    da = (x * s - 2.0 * (1.0 - c)) / (square * square);
    db = (x * (1.0 - c) - 3.0 * (x - s)) / (square * square * x);
  }
};

/// A Pose in another number.
template <class T>
struct NumberPose {
  Matrix3Of<T> rotation = Matrix3Of<T>::Identity();
  Vector3Of<T> position = Vector3Of<T>::Zero();

  NumberPose operator*(const NumberPose& inner) const {
    return {rotation * inner.rotation, rotation * inner.position + position};
  }
  NumberPose inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }
};
template <class T>
using PoseOf = std::conditional_t<std::is_same_v<T, double>, Pose, NumberPose<T>>;

template <class T>
PoseOf<T> lift_pose(const Pose& pose) {
  return {lift<T>(pose.rotation), lift<T>(pose.position)};
}

/// Rotation matrix of the quaternion w, x, y, z, of any length.
template <class T>
Matrix3Of<T> rotation_of_quaternion(const T* q) {
  if constexpr (std::is_same_v<T, double>) {
    return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  } else {
    const T scale = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const T x = scale * q[1], y = scale * q[2], z = scale * q[3];
    const T wx = x * q[0], wy = y * q[0], wz = z * q[0], xx = x * q[1], xy = x * q[2], xz = x * q[3];
    const T yy = y * q[2], yz = y * q[3], zz = z * q[3];
    Matrix3Of<T> r;
    r << 1.0 - yy - zz, xy - wz, xz + wy, xy + wz, 1.0 - xx - zz, yz - wx, xz - wy, yz + wx, 1.0 - xx - yy;
    return r;
  }
}

template <class T>
struct SpatialOf {
  using Number = T;
  using Constants = SpatialOf<double>;  ///< of the mechanism
  using Vec3 = Vector3Of<T>;
  using Mat3 = Matrix3Of<T>;
  static constexpr bool planar = false;
  static constexpr int linear_size = 3, angular_size = 3;
  using Linear = Vec3;
  using Angular = Vec3;
  using Rotation = Mat3;
  using Moment2 = Mat3;  ///< second moment of mass about the node origin
  using Vector = VectorOf<T>;
  using RowMatrix = RowMatrixOf<T>;

  /// A constant in this number.
  template <class Constant>
  static decltype(auto) lift(const Constant& constant) {
    return detail::lift<T>(constant);
  }

  static Angular zero_angular() { return Vec3::Zero(); }
  static Linear slide_axis(const Rotation& r) { return r.col(2); }
  static Angular cross(const Angular& a, const Angular& b) { return a.cross(b); }
  static Linear spin(const Angular& w, const Linear& r) { return w.cross(r); }
  static Angular moment(const Linear& r, const Linear& f) { return r.cross(f); }
  static T dot(const Angular& a, const Angular& b) { return a.dot(b); }
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
  static Moment2 shift(const Moment2& inner, const Rotation& r, const Linear& p, const Linear& h, const T& m) {
    // J about the outer origin = R J R^T + [(p.h + h.p) 1 - p h^T - h p^T] + m (p.p 1 - p p^T)
    Mat3 j = r * inner * r.transpose();
    const Mat3 ph = p * h.transpose();
    const Mat3 mpp = m * p * p.transpose();
    j -= ph + ph.transpose() + mpp;
    j.diagonal().array() += 2.0 * p.dot(h) + m * p.squaredNorm();
    return j;
  }

  /// Rotation about the local z axis by an angle with this sine and cosine, after `base`.
  static Rotation turned(const Rotation& base, const T& s, const T& c, double /*sign*/) {
    Mat3 r;
    r.col(0) = c * base.col(0) + s * base.col(1);
    r.col(1) = c * base.col(1) - s * base.col(0);
    r.col(2) = base.col(2);
    return r;
  }
  static void add_turn(Angular& w, const T& rate, double /*sign*/) { w.z() += rate; }
  static void add_slide(Linear& v, const T& rate) { v.z() += rate; }
  /// w x (axis rate), the axis being the local turning axis.
  static Angular cross_turn(const Angular& w, const T& rate, double /*sign*/) {
    return {w.y() * rate, -w.x() * rate, T(0.0)};
  }
  static Linear spin_slide(const Angular& w, const T& rate) { return {w.y() * rate, -w.x() * rate, T(0.0)}; }
  static T along_turn(const Angular& n, double /*sign*/) { return n.z(); }
  static T along_slide(const Linear& f) { return f.z(); }
  static Angular turn_axis(double /*sign*/) { return Vec3::UnitZ(); }
  static constexpr int turn_index = 2, slide_index = 2;  ///< components of the joint axis
  static const Vec3& column(const Angular& w) { return w; }
  static Angular from_column(const Vec3& w) { return w; }
  static const Mat3& square(const Moment2& j) { return j; }
  /// Rotation by a rotation vector.
  static Rotation rotation(const Vec3& angle) {
    if constexpr (std::is_same_v<T, double>) {
      return rotation_from_vector(angle);
    } else {
      // sin x / x = 1 - x^2 b
      const T square = angle.squaredNorm();
      const RotationSeries<T> s(square);
      const Mat3 x = cross_matrix(angle);
      return Mat3::Identity() + (1.0 - square * s.b) * x + s.a * (x * x);
    }
  }
  /// The matrix with cross_matrix(a) b = a x b.
  static Mat3 cross_matrix(const Vec3& a) {
    Mat3 x;
    x << T(0.0), -a.z(), a.y(), a.z(), T(0.0), -a.x(), -a.y(), a.x(), T(0.0);
    return x;
  }
  /// The matrix that turns rates of a rotation vector into the angular velocity, in outer axes.
  static Mat3 turn_jacobian(const Vec3& angle) {
    const RotationSeries<T> s(angle.squaredNorm());
    const Mat3 x = cross_matrix(angle);
    return Mat3::Identity() + s.a * x + s.b * x * x;
  }
  /// Angular acceleration of a rotation vector whose rate is constant, outer axes.
  static Vec3 turn_bias(const Vec3& angle, const Vec3& rate) {
    const RotationSeries<T> s(angle.squaredNorm());
    const Vec3 across = angle.cross(rate);
    const T growth = angle.dot(rate);
    return s.da * growth * across + s.db * growth * angle.cross(across) + s.b * rate.cross(across);
  }
  /// Components of a second moment in the order xx, yy, zz, xy, xz, yz.
  static Moment2 moment2(const Eigen::Matrix<T, 6, 1>& m) {
    Mat3 j;
    j << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
    return j;
  }
  /// The vector w with omega . J omega = w . components of J.
  static Eigen::Matrix<T, 6, 1> moment2_weights(const Angular& w) {
    Eigen::Matrix<T, 6, 1> x;
    x << w.x() * w.x(), w.y() * w.y(), w.z() * w.z(), 2.0 * w.x() * w.y(), 2.0 * w.x() * w.z(), 2.0 * w.y() * w.z();
    return x;
  }
  /// The matrix P with alpha x p = P alpha.
  static Mat3 swing_matrix(const Linear& p) {
    Mat3 m;
    m << T(0.0), p.z(), -p.y(), -p.z(), T(0.0), p.x(), p.y(), -p.x(), T(0.0);
    return m;
  }
};

template <class T>
struct PlanarOf {
  using Number = T;
  using Constants = PlanarOf<double>;
  static constexpr bool planar = true;
  static constexpr int linear_size = 2, angular_size = 1;
  using Linear = Eigen::Matrix<T, 2, 1>;
  using Angular = T;
  struct Rotation {
    T c = 1.0, s = 0.0;
  };
  using Moment2 = T;
  using Vector = VectorOf<T>;
  using RowMatrix = RowMatrixOf<T>;

  template <class Constant>
  static decltype(auto) lift(const Constant& constant) {
    if constexpr (std::is_same_v<Constant, double>)
      return T(constant);
    else if constexpr (std::is_same_v<Constant, typename Constants::Rotation>)
      return Rotation{constant.c, constant.s};
    else
      return detail::lift<T>(constant);
  }

  static Angular zero_angular() { return 0.0; }
  static Linear slide_axis(const Rotation& r) { return {r.c, r.s}; }
  static Angular cross(const Angular&, const Angular&) { return 0.0; }
  static Linear spin(const Angular& w, const Linear& r) { return {-w * r.y(), w * r.x()}; }
  static Angular moment(const Linear& r, const Linear& f) { return r.x() * f.y() - r.y() * f.x(); }
  static T dot(const Angular& a, const Angular& b) { return a * b; }
  static Linear turn(const Rotation& r, const Linear& x) {
    return {r.c * x.x() - r.s * x.y(), r.s * x.x() + r.c * x.y()};
  }
  static Linear turn_back(const Rotation& r, const Linear& x) {
    return {r.c * x.x() + r.s * x.y(), -r.s * x.x() + r.c * x.y()};
  }
  static Angular turn_angular(const Rotation&, const Angular& x) { return x; }
  static Angular turn_back_angular(const Rotation&, const Angular& x) { return x; }
  static Rotation compose(const Rotation& a, const Rotation& b) {
    return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
  }
  static Rotation inverse(const Rotation& r) { return {r.c, -r.s}; }
  static Rotation identity() { return {}; }
  static Eigen::Matrix<T, 2, 2> matrix(const Rotation& r) {
    Eigen::Matrix<T, 2, 2> m;
    m << r.c, -r.s, r.s, r.c;
    return m;
  }
  static Linear axis(const Rotation& r, int k) { return k == 0 ? Linear(r.c, r.s) : Linear(-r.s, r.c); }
  static Angular times(const Moment2& j, const Angular& w) { return j * w; }
  static Moment2 shift(const Moment2& inner, const Rotation&, const Linear& p, const Linear& h, const T& m) {
    return inner + 2.0 * p.dot(h) + m * p.squaredNorm();
  }

  static Rotation turned(const Rotation& base, const T& s, const T& c, double sign) {
    return compose(base, {c, sign * s});
  }
  static void add_turn(Angular& w, const T& rate, double sign) { w += sign * rate; }
  static void add_slide(Linear& v, const T& rate) { v.x() += rate; }
  static Angular cross_turn(const Angular&, const T&, double) { return 0.0; }
  static Linear spin_slide(const Angular& w, const T& rate) { return {T(0.0), w * rate}; }
  static T along_turn(const Angular& n, double sign) { return sign * n; }
  static T along_slide(const Linear& f) { return f.x(); }
  static Angular turn_axis(double sign) { return sign; }
  static constexpr int turn_index = 0, slide_index = 0;
  using Single = Eigen::Matrix<T, 1, 1>;
  static Single column(const Angular& w) { return Single(w); }
  static Angular from_column(const Single& w) { return w[0]; }
  static Single square(const Moment2& j) { return Single(j); }
  static Rotation rotation(const Single& angle) {
    const auto [s, c] = sine_cosine(angle[0]);
    return {c, s};
  }
  static Single turn_jacobian(const Single&) { return Single(T(1.0)); }
  static Single turn_bias(const Single&, const Single&) { return Single(T(0.0)); }
  static Moment2 moment2(const Single& m) { return m[0]; }
  static Single moment2_weights(const Angular& w) { return Single(w * w); }
  static Eigen::Matrix<T, 2, 1> swing_matrix(const Linear& p) { return {-p.y(), p.x()}; }
};

using Spatial = SpatialOf<double>;
using Planar = PlanarOf<double>;

}  // namespace lithe::detail
