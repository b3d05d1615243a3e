#pragma once
// What the outputs of a study say in expressions: numbers of axes and other outputs, windows of time.

#include <optional>
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
  /// Computes the outputs that are expressions, one after the other.
  void add(const std::vector<double>& values, Variant& variant) const;
  /// Rows of the expressions that are `known`, from those of the outputs before them: outputs by axes.
  void add_slopes(const std::vector<double>& values, const Variant& at, const std::vector<char>& known,
                  MatrixX& slopes) const;

 private:
  std::vector<double> variables_at(const std::vector<double>& values) const;

  std::vector<std::size_t> axes_;  ///< with plain names
  std::vector<std::pair<std::size_t, Expression>> outputs_;
  struct Ends {
    std::optional<Expression> from, until;
  };
  std::vector<Ends> windows_;  ///< per output
};

}  // namespace lithe::detail
