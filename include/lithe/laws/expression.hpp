#pragma once
// Arithmetic expressions of named constants and, where allowed, of time t, with exact first and second derivatives.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lithe {

/// Value, rate and second rate of a quantity of time.
struct Jet {
  double value = 0.0;
  double rate = 0.0;
  double second = 0.0;
};

/// Thrown by the parser; `column` counts from 0 inside the expression.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& message) : std::runtime_error(message), column_(column) {}
  std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// A parsed expression: numbers, + - * / ^, parentheses, pi, e, constants, t, and the functions
/// sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max floor step(x) if(c,a,b) with comparisons.
/// A trailing "deg" after a number or closing parenthesis multiplies by pi/180. Evaluation never allocates.
class Expression {
 public:
  /// Throws ExpressionError; unknown names get a did-you-mean. With `time_allowed` false, "t" is an unknown name.
  static Expression parse(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed);

  double value(double t = 0.0) const;
  Jet at(double t) const;
  bool depends_on_time() const { return depends_on_time_; }
  const std::string& text() const { return text_; }

 private:
  struct Step;
  std::vector<Step> program_;
  int stack_size_ = 0;
  bool depends_on_time_ = false;
  std::string text_;
};

}  // namespace lithe
