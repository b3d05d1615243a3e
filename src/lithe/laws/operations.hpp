#pragma once
// Instructions of the stack machine that evaluates expressions.

#include "lithe/laws/expression.hpp"

namespace lithe {

// clang-format off
enum class Expression::Operation : unsigned char {
  constant, variable,                                                 // push one
  negate, degrees,                                                    // one operand
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log, sqrt, abs, sign, floor, step,
  add, subtract, multiply, divide, power, atan2, min, max,            // two operands
  less, less_equal, greater, greater_equal, equal, not_equal,
  choose                                                              // three operands
};
// clang-format on

inline int operand_count(Expression::Operation operation) {
  using enum Expression::Operation;
  if (operation <= variable) return 0;
  if (operation <= step) return 1;
  return operation == choose ? 3 : 2;
}

/// Values that an evaluation keeps at most; the parser refuses expressions that need more.
inline constexpr int expression_stack = 64;

}  // namespace lithe
