// Products of whole matrices, compiled once. Behind every `a * b` stand a dozen classes and three algorithms of Eigen,
// which the compiler makes anew in every file; in rooms that work once per model that took a third of its time. Part of
// the precompiled headers of those rooms, of the program and of the tests: there `a * b` of the factors listed in
// `products.inc` calls a function and gives a matrix, not an expression. Without it everything compiles as well, more
// slowly. Evaluations keep Eigen's own products, which the compiler can inline.
#pragma once

#include <Eigen/QR>
#include <utility>

namespace lithe {

namespace factors {

using Whole = Eigen::MatrixXd;
using Three = Eigen::Matrix3Xd;
using Six = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Unit = Whole::IdentityReturnType;
using Orthonormal = Eigen::HouseholderSequence<Whole, Eigen::VectorXd>;
template <class Factor>
using Turned = Eigen::Transpose<const Factor>;
template <class Factor>
using TurnedVariable = Eigen::Transpose<Factor>;
template <class Factor>
using Scaled = decltype(double() * std::declval<const Factor&>());

template <class Left, class Right>
inline constexpr bool are_listed = false;

#define LITHE_PRODUCT(Result, Left, Right)                 \
  Result multiplied(const Left& left, const Right& right); \
  template <>                                              \
  inline constexpr bool are_listed<Left, Right> = true;
#include "lithe/matrices/products.inc"
#undef LITHE_PRODUCT

}  // namespace factors

template <class Left, class Right>
requires factors::are_listed<Left, Right>
auto operator*(const Left& left, const Right& right) { return factors::multiplied(left, right); }

}  // namespace lithe
