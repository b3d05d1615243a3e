#include "lithe/study/output_expressions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lithe::detail {
namespace {

Expression parsed(const Output& output, const std::string& text, const std::vector<std::string>& names,
                  const char* known) {
  try {
    return Expression::of_variables(text, {}, names);
  } catch (const ExpressionError& error) {
    throw OutputError(output.name, fmt::format("{} (column {} of '{}'; it may use {})", error.what(),
                                               error.column() + 1, text, known));
  }
}

/// Along one variable: central difference of fourth order, good to 1e-11.
double partial_slope(const Expression& expression, std::vector<double> variables, std::size_t k) {
  constexpr double share = 1e-3;
  const double at = variables[k], step = at != 0.0 ? share * std::abs(at) : share;
  const auto value = [&](double moved) {
    variables[k] = moved;
    return expression.value_at(variables);
  };
  return (8.0 * (value(at + step) - value(at - step)) - (value(at + 2 * step) - value(at - 2 * step))) / (12.0 * step);
}

}  // namespace

OutputExpressions::OutputExpressions(const Study& study) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < study.axes.size(); ++a)
    if (Expression::why_not_a_name(study.axes[a].name).empty()) {
      names.push_back(study.axes[a].name);
      axes_.push_back(a);
    }
  const std::vector<std::string> axes = names;
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const Output& output = study.outputs[i];
    if (output.kind == OutputKind::expression)
      outputs_.emplace_back(i, parsed(output, output.of, names, "axes and the outputs before it"));
    Ends& ends = windows_.emplace_back();
    if (!output.from.empty()) ends.from = parsed(output, output.from, axes, "axes");
    if (!output.until.empty()) ends.until = parsed(output, output.until, axes, "axes");
    names.push_back(output.name);
  }
}

std::vector<double> OutputExpressions::variables_at(const std::vector<double>& values) const {
  std::vector<double> variables;
  for (const std::size_t a : axes_) variables.push_back(values[a]);
  return variables;
}

TimeWindow OutputExpressions::window(std::size_t output, const std::vector<double>& values) const {
  const Ends& ends = windows_[output];
  if (!ends.from && !ends.until) return {};
  const std::vector<double> variables = variables_at(values);
  TimeWindow window;
  if (ends.from) window.from = ends.from->value_at(variables);
  if (ends.until) window.until = ends.until->value_at(variables);
  return window;
}

void OutputExpressions::add(const std::vector<double>& values, Variant& variant) const {
  if (outputs_.empty()) return;
  std::vector<double> variables = variables_at(values);
  const std::size_t given = variables.size();
  variables.insert(variables.end(), variant.outputs.begin(), variant.outputs.end());
  for (const auto& [i, expression] : outputs_)
    variables[given + i] = variant.outputs[i] = expression.value_at({variables.data(), given + i});
}

void OutputExpressions::add_slopes(const std::vector<double>& values, const Variant& at, const std::vector<char>& known,
                                   MatrixX& slopes) const {
  std::vector<double> variables = variables_at(values);
  const std::size_t given = variables.size();
  variables.insert(variables.end(), at.outputs.begin(), at.outputs.end());
  for (const auto& [i, expression] : outputs_) {
    if (known[i] == 0) continue;
    const auto row = static_cast<Eigen::Index>(i);
    slopes.row(row).setZero();
    for (std::size_t k = 0; k < given + i; ++k) {
      const double slope =
          partial_slope(expression, {variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(given + i)}, k);
      if (slope == 0.0) continue;
      if (k < given)
        slopes(row, static_cast<Eigen::Index>(axes_[k])) += slope;
      else
        slopes.row(row) += slope * slopes.row(static_cast<Eigen::Index>(k - given));
    }
  }
}

}  // namespace lithe::detail
