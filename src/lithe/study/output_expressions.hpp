#pragma once
// What the outputs of a study say in expressions: numbers of axes and other outputs, windows of time.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lithe/laws/expression.hpp"
#include "lithe/study/column_reduction.hpp"
#include "lithe/study/study.hpp"

namespace lithe::detail {

/// Parsed once. Variables are the axes that have plain names and, of outputs that are expressions, the outputs before.
class OutputExpressions {
 public:
  /// Throws OutputError.
  explicit OutputExpressions(const Study& study);

  /// From when until when the rows of output `output` count, at these values of the axes.
  TimeWindow window(std::size_t output, const std::vector<double>& values) const;
  /// Whether output `output` is an expression of output `earlier`.
  bool uses(std::size_t output, std::size_t earlier) const;
  /// Computes the outputs that are expressions, one after the other. One that is not finite, of numbers that are, is an
  /// error of the variant.
  void add(const std::vector<double>& values, Variant& variant) const;
  /// Rows of the expressions that are `known`, from those of the outputs before them: outputs by axes.
  void add_slopes(const std::vector<double>& values, const Variant& at, const std::vector<char>& known,
                  MatrixX& slopes) const;

 private:
  struct Formula {
    Expression expression;
    std::vector<bool> uses;  ///< per variable before it
  };
  Formula formula_of(const Output& output) const;
  std::vector<double> variables_at(const std::vector<double>& values) const;
  /// Derivative by variable k, exact: as a function of that one, the others being constants.
  double slope(const Expression& expression, std::span<const double> variables, std::size_t k) const;

  std::vector<std::size_t> axes_;   ///< with plain names
  std::vector<std::string> names_;  ///< of variables: those axes, then all outputs
  std::vector<std::pair<std::size_t, Formula>> outputs_;
  struct Ends {
    std::optional<Expression> from, until;
  };
  std::vector<Ends> windows_;  ///< per output
};

}  // namespace lithe::detail
