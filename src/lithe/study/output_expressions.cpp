#include "lithe/study/output_expressions.hpp"

#include <fmt/format.h>

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

}  // namespace lithe::detail
