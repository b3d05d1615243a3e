// Sums, differences and multiples of plain matrices are plain matrices here, where Eigen makes a new type of every
// expression: declaring such a type takes the compiler 50 ms, evaluating it as long again. For the same rooms as
// `products.hpp`, for the same reason, and as dispensable. The arithmetic is the same, entry by entry.
#pragma once

#include <Eigen/Core>
#include <concepts>

namespace lithe {

template <class Number>
concept Real = std::integral<Number> || std::floating_point<Number>;

#define LITHE_PLAIN Eigen::Matrix<double, Rows, Columns, Options, MaxRows, MaxColumns>

template <int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator+(LITHE_PLAIN left, const LITHE_PLAIN& right) {
  eigen_assert(left.rows() == right.rows() && left.cols() == right.cols());
  for (Eigen::Index i = 0; i < right.size(); ++i) left.data()[i] += right.data()[i];
  return left;
}

template <int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator-(LITHE_PLAIN left, const LITHE_PLAIN& right) {
  eigen_assert(left.rows() == right.rows() && left.cols() == right.cols());
  for (Eigen::Index i = 0; i < right.size(); ++i) left.data()[i] -= right.data()[i];
  return left;
}

template <int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator-(LITHE_PLAIN matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = -matrix.data()[i];
  return matrix;
}

template <Real Number, int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator*(Number factor, LITHE_PLAIN matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] *= factor;
  return matrix;
}

template <Real Number, int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator*(LITHE_PLAIN matrix, Number factor) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] *= factor;
  return matrix;
}

template <Real Number, int Rows, int Columns, int Options, int MaxRows, int MaxColumns>
LITHE_PLAIN operator/(LITHE_PLAIN matrix, Number divisor) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] /= divisor;
  return matrix;
}

#undef LITHE_PLAIN

}  // namespace lithe
