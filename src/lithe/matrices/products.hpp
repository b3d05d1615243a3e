// Products of whole matrices, compiled once. Behind every `a * b` stand a dozen classes and three algorithms of Eigen,
// which the compiler makes anew in every file; in rooms that work once per model that took a third of its time. Part of
// the precompiled headers of those rooms, of the program and of the tests: there `a * b` of the factors listed in
// `products.inc` calls a function and gives a matrix, not an expression. Without it everything compiles as well, more
// slowly. Evaluations keep Eigen's own products, which the compiler can inline.
#pragma once

#include <Eigen/QR>
#include <concepts>
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

namespace factors {

/// What stands for a factor in the list: a matrix for itself, the transpose of a matrix for itself, any other expression
/// for the matrix of its entries.
template <class Factor>
struct Listed {
  using Type = typename Factor::PlainObject;
  static Type of(const Factor& factor) { return factor; }
};
template <int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
struct Listed<Eigen::Matrix<double, Rows, Columns, Options, MaxRows, MaxColumns>> {
  using Type = Eigen::Matrix<double, Rows, Columns, Options, MaxRows, MaxColumns>;
  static const Type& of(const Type& factor) { return factor; }
};

template <class Factor>
concept Dense = std::derived_from<Factor, Eigen::MatrixBase<Factor>>;

}  // namespace factors

template <class Left, class Right>
requires factors::are_listed<Left, Right>
auto operator*(const Left& left, const Right& right) { return factors::multiplied(left, right); }

template <factors::Dense Left, factors::Dense Right>
requires(!factors::are_listed<Left, Right> &&
         factors::are_listed<typename factors::Listed<Left>::Type, typename factors::Listed<Right>::Type>) auto
operator*(const Left& left, const Right& right) {
  return factors::multiplied(factors::Listed<Left>::of(left), factors::Listed<Right>::of(right));
}

}  // namespace lithe
