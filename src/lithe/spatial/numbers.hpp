#pragma once
// What a sweep asks of a number besides arithmetic. The sweeps are written for any number that answers this: a double
// (here), several states at once (pack.hpp), a value with its slopes (dual.hpp).
//
// A number may hold several values, its lanes, that go the same way: questions are answered for all lanes at once.

#include <Eigen/Core>
#include <cmath>

namespace lithe::detail {

template <class T>
using VectorOf = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using RowMatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Vector3Of = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3Of = Eigen::Matrix<T, 3, 3>;

template <class T>
inline constexpr int lane_count = 1;
/// One lane of a number.
inline double& lane(double& x, int) { return x; }
inline double lane(const double& x, int) { return x; }

/// The smallest and the largest value of the lanes.
inline double lowest(double x) { return x; }
inline double highest(double x) { return x; }
/// The lane nearest to zero.
inline double least_size(double x) { return std::abs(x); }
/// The lane furthest from zero.
inline double largest_size(double x) { return std::abs(x); }
/// Zero in all lanes, slopes included: what is multiplied by it can be left out.
inline bool is_zero(double x) { return x == 0.0; }
/// 1/x; zero where x is.
inline double inverse_or_zero(double x) { return x == 0.0 ? 0.0 : 1.0 / x; }

struct SineCosine {
  double sine, cosine;
};
inline SineCosine sine_cosine(double angle) { return {std::sin(angle), std::cos(angle)}; }

/// A constant of the mechanism among numbers of a sweep; doubles stay where they are, and matrices of any size are not
/// copied.
template <class T, class Constant>
decltype(auto) lift(const Constant& constant) {
  if constexpr (std::is_same_v<T, double>)
    return (constant);
  else if constexpr (Constant::SizeAtCompileTime == Eigen::Dynamic)
    return constant.template cast<T>();
  else
    return constant.template cast<T>().eval();
}

}  // namespace lithe::detail
