#pragma once
// Arithmetic expressions of named constants and, where allowed, of time t, with exact first and second derivatives; or
// of other variables.

#include <cstddef>
#include <map>
#include <set>
#include <span>
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

/// A parsed expression, with these parts:
///   numbers            1  .5  2.5e-3
///   operators          + - * / ^ (right-associative, binds tighter than a minus before it), < <= > >= == != (1 or 0)
///   names              pi, e, the constants given to parse(), and t (s) where allowed; a-b is the constant of that
///                      name where it is given, otherwise a minus b
///   functions          sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log sqrt abs sign min(a,b) max(a,b)
///                      floor step(x) (1 for x >= 0, else 0) if(condition,a,b)
///   degrees            "deg" after a number, a name or a closing parenthesis multiplies by pi/180
/// At a kink (abs, min, step, ...) the derivatives are those of one side. Evaluation never allocates nor throws;
/// outside the domain of a function the result is not a finite number.
class Expression {
 public:
  /// Throws ExpressionError; unknown names get a did-you-mean. With `time_allowed` false, "t" is an unknown name.
  static Expression parse(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed);

  /// The same of variables with these names in place of time. A name that is a constant too is refused where it is used.
  static Expression of_variables(std::string_view text, const std::map<std::string, double>& constants,
                                 const std::vector<std::string>& variables);

  double value(double t = 0.0) const { return at(t).value; }
  Jet at(double t) const;
  /// At these values of the variables, in the order in which of_variables() was given their names.
  double value_at(std::span<const double> variables) const { return evaluate(variables, 0.0).value; }
  bool depends_on_time() const { return depends_on_time_; }
  const std::string& text() const { return text_; }
  /// Names of the given constants that it uses.
  const std::set<std::string>& constants() const { return constants_; }

  /// Times at which the value or a derivative may jump: where the argument of abs, sign, step or a comparison, or the
  /// difference of the arguments of min or max, is linear in t and passes through zero. Ascending, no duplicates. With
  /// variables: those values of the first, the others being zero.
  std::vector<double> breakpoints() const;

  /// Why `name` cannot name a constant (built-in, longer than 64, or not of letters, digits, _ and inner hyphens);
  /// empty when it can.
  static std::string why_not_a_name(std::string_view name);

  enum class Operation : unsigned char;  ///< one instruction of the stack machine, see expression.cpp

 private:
  friend class ExpressionParser;
  struct Step {
    Operation operation;
    double number;  ///< the operand of a constant, the place of a variable
  };
  /// `rate` is that of the first variable.
  Jet evaluate(std::span<const double> variables, double rate) const;
  std::vector<Step> program_;  ///< postfix
  bool depends_on_time_ = false;
  std::string text_;
  std::set<std::string> constants_;
};

}  // namespace lithe
