#include "lithe/study/output_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

}  // namespace

OutputExpressions::OutputExpressions(const Study& study) {
  for (std::size_t a = 0; a < study.axes.size(); ++a)
    if (Expression::why_not_a_name(study.axes[a].name).empty()) {
      names_.push_back(study.axes[a].name);
      axes_.push_back(a);
    }
  const std::vector<std::string> axes = names_;
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const Output& output = study.outputs[i];
    if (output.kind == OutputKind::expression) outputs_.emplace_back(i, formula_of(output));
    Ends& ends = windows_.emplace_back();
    if (!output.from.empty()) ends.from = parsed(output, output.from, axes, "axes");
    if (!output.until.empty()) ends.until = parsed(output, output.until, axes, "axes");
    names_.push_back(output.name);
  }
}

OutputExpressions::Formula OutputExpressions::formula_of(const Output& output) const {
  Formula formula{parsed(output, output.of, names_, "axes and the outputs before it"), {}};
  std::map<std::string, double> constants;
  for (const std::string& name : names_) constants[name] = 0.0;
  const std::set<std::string> used = Expression::of_variables(output.of, constants, {}).constants();
  for (const std::string& name : names_) formula.uses.push_back(used.contains(name));
  return formula;
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

bool OutputExpressions::uses(std::size_t output, std::size_t earlier) const {
  const auto is_it = [&](const auto& entry) { return entry.first == output; };
  const auto found = std::find_if(outputs_.begin(), outputs_.end(), is_it);
  return found != outputs_.end() && found->second.uses[axes_.size() + earlier];
}

double OutputExpressions::slope(const Expression& expression, std::span<const double> variables, std::size_t k) const {
  std::map<std::string, double> others;
  for (std::size_t j = 0; j < variables.size(); ++j)
    if (j != k) others[names_[j]] = variables[j];
  return Expression::of_variables(expression.text(), others, {names_[k]}).at(variables[k]).rate;
}

void OutputExpressions::add(const std::vector<double>& values, Variant& variant) const {
  if (outputs_.empty()) return;
  std::vector<double> variables = variables_at(values);
  const std::size_t given = variables.size();
  variables.insert(variables.end(), variant.outputs.begin(), variant.outputs.end());
  for (const auto& [i, formula] : outputs_) {
    const double value = variables[given + i] = variant.outputs[i] =
        formula.expression.value_at({variables.data(), given + i});
    if (std::isfinite(value) || !variant.error.empty()) continue;
    // What is made of an output without a number has none either; of numbers it must be one.
    bool has_numbers = true;
    for (std::size_t k = 0; k < given + i; ++k)
      has_numbers = has_numbers && (!formula.uses[k] || std::isfinite(variables[k]));
    if (has_numbers)
      variant.error = fmt::format("output '{}': {} is no finite number at these values", names_[given + i],
                                  formula.expression.text());
  }
}

void OutputExpressions::add_slopes(const std::vector<double>& values, const Variant& at, const std::vector<char>& known,
                                   MatrixX& slopes) const {
  std::vector<double> variables = variables_at(values);
  const std::size_t given = variables.size();
  variables.insert(variables.end(), at.outputs.begin(), at.outputs.end());
  for (const auto& [i, formula] : outputs_) {
    if (known[i] == 0) continue;
    const auto row = static_cast<Eigen::Index>(i);
    slopes.row(row).setZero();
    for (std::size_t k = 0; k < given + i; ++k) {
      if (!formula.uses[k]) continue;
      const double slope = this->slope(formula.expression, {variables.data(), given + i}, k);
      if (slope == 0.0) continue;
      if (k < given)
        slopes(row, static_cast<Eigen::Index>(axes_[k])) += slope;
      else
        slopes.row(row) += slope * slopes.row(static_cast<Eigen::Index>(k - given));
    }
  }
}

}  // namespace lithe::detail
