#pragma once
// Four states at once: every operation is done on four lanes. The compiler makes of it what the machine offers; Machine
// tells apart what is compiled for different ones. All of them round alike, so the numbers do not depend on the machine.

#include <algorithm>
#include <array>

#include "lithe/spatial/four_sines.hpp"
#include "lithe/spatial/numbers.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

inline FourDoubles four(double x) { return FourDoubles{x, x, x, x}; }
/// From and into numbers that stand anywhere; in one move, which copies of memory are not.
typedef double LooseDoubles __attribute__((vector_size(32), aligned(8), may_alias));
inline FourDoubles load_four(const double* from) { return *reinterpret_cast<const LooseDoubles*>(from); }
inline void store_four(const FourDoubles& x, double* to) { *reinterpret_cast<LooseDoubles*>(to) = x; }

/// Pack, or Dual of dual.hpp.
template <class T>
concept NumberWithLanes = requires {
  T::sum_cost + T::product_cost;
};

template <class Machine>
struct Pack {
  static constexpr int lanes = 4;
  static constexpr int sum_cost = 1, product_cost = 1;  ///< for Eigen: of the operations of one double
  FourDoubles x;

  Pack() = default;
  Pack(double value) : x(four(value)) {}  // NOLINT: a constant is a number like any other
  explicit Pack(const FourDoubles& values) : x(values) {}

  Pack& operator+=(const Pack& b) { return x += b.x, *this; }
  Pack& operator-=(const Pack& b) { return x -= b.x, *this; }
  Pack& operator*=(const Pack& b) { return x *= b.x, *this; }
  Pack& operator/=(const Pack& b) { return x /= b.x, *this; }
  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(FourDoubles(a.x + b.x)); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(FourDoubles(a.x - b.x)); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(FourDoubles(a.x * b.x)); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(FourDoubles(a.x / b.x)); }
  Pack operator-() const { return Pack(FourDoubles(-x)); }

  friend bool operator==(const Pack& a, const Pack& b) {
    return a.x[0] == b.x[0] && a.x[1] == b.x[1] && a.x[2] == b.x[2] && a.x[3] == b.x[3];
  }

  typedef double Lane __attribute__((may_alias));
  friend Lane& lane(Pack& p, int i) { return reinterpret_cast<Lane*>(&p.x)[i]; }
  friend double lane(const Pack& p, int i) { return p.x[i]; }

  /// f of every lane.
  template <class F>
  static Pack by_lane(F&& f) {
    Pack result;
    for (int i = 0; i < lanes; ++i) lane(result, i) = f(i);
    return result;
  }

  // What sweeps ask of a number. A lane that is not a number is neither large nor small enough for anything.
  friend double lowest(const Pack& p) {
    double least = p.x[0];
    for (int i = 1; i < lanes; ++i)
      if (!(p.x[i] >= least)) least = p.x[i];
    return least;
  }
  friend double highest(const Pack& p) {
    double most = p.x[0];
    for (int i = 1; i < lanes; ++i)
      if (!(p.x[i] <= most)) most = p.x[i];
    return most;
  }
  friend Pack abs(const Pack& p) {
    const FourIntegers bits = reinterpret_cast<const FourIntegers&>(p.x) & ~(std::int64_t{1} << 63);
    return Pack(reinterpret_cast<const FourDoubles&>(bits));
  }
  friend double least_size(const Pack& p) { return lowest(abs(p)); }
  friend double largest_size(const Pack& p) { return highest(abs(p)); }
  friend bool is_zero(const Pack& p) { return p == Pack(0.0); }
  friend Pack inverse_or_zero(const Pack& p) {
    return by_lane([&](int i) { return inverse_or_zero(p.x[i]); });
  }

  friend Pack sqrt(const Pack& p) {
    return by_lane([&](int i) { return std::sqrt(p.x[i]); });
  }
  friend Pack atan2(const Pack& y, const Pack& x) {
    return by_lane([&](int i) { return std::atan2(y.x[i], x.x[i]); });
  }
  struct SineCosine {
    Pack sine, cosine;
  };
  friend SineCosine sine_cosine(const Pack& angle) {
    SineCosine result;
    if (largest_size(angle) < far_angle) {
      four_sines(angle.x, result.sine.x, result.cosine.x);
    } else {
      result.sine = by_lane([&](int i) { return std::sin(angle.x[i]); });
      result.cosine = by_lane([&](int i) { return std::cos(angle.x[i]); });
    }
    return result;
  }

  /// One lane of a rotation.
  static Mat3 lane_of(const Matrix3Of<Pack>& rotation, int i) {
    Mat3 one;
    for (int e = 0; e < 9; ++e) one(e) = lane(rotation(e), i);
    return one;
  }
  friend void write_quaternion_of(const Matrix3Of<Pack>& rotation, Pack* q) {
    for (int i = 0; i < lanes; ++i) {
      const Quat one = Quat(lane_of(rotation, i)).normalized();
      lane(q[0], i) = one.w();
      for (int e = 0; e < 3; ++e) lane(q[1 + e], i) = one.vec()[e];
    }
  }
  friend Vector3Of<Pack> vector_from_rotation(const Matrix3Of<Pack>& rotation) {
    Vector3Of<Pack> result;
    for (int i = 0; i < lanes; ++i) {
      const Vec3 one = lithe::vector_from_rotation(lane_of(rotation, i));
      for (int e = 0; e < 3; ++e) lane(result[e], i) = one[e];
    }
    return result;
  }
};

template <class Machine>
inline constexpr int lane_count<Pack<Machine>> = Pack<Machine>::lanes;

}  // namespace lithe::detail

// What Eigen asks of numbers with lanes. Constants of the mechanism among them are doubles.
template <lithe::detail::NumberWithLanes Number>
struct Eigen::NumTraits<Number> : Eigen::GenericNumTraits<double> {
  using Real = Number;
  using NonInteger = Number;
  using Nested = Number;
  using Literal = double;
  enum {
    RequireInitialization = 0,
    IsInteger = 0,
    IsSigned = 1,
    IsComplex = 0,
    ReadCost = Number::sum_cost,
    AddCost = Number::sum_cost,
    MulCost = Number::product_cost
  };
};
template <lithe::detail::NumberWithLanes Number, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, Number, Operation> {
  using ReturnType = Number;
};
template <lithe::detail::NumberWithLanes Number, class Operation>
struct Eigen::ScalarBinaryOpTraits<Number, double, Operation> {
  using ReturnType = Number;
};
