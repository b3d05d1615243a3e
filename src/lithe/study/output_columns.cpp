#include "lithe/study/output_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lithe/laws/expression.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/study/recorded_quantity.hpp"

namespace lithe::detail {
namespace {

bool is_of_stress(const Output& output) {
  return output.kind == OutputKind::stress || output.kind == OutputKind::safety || output.kind == OutputKind::damage;
}

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }
bool is_plain_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(), is_in_name) && text.find('.') != std::string::npos;
}

/// Words of an expression that look like columns: with a dot in them, and a letter first.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find_if_not(begin, text.end(), is_in_name);
    const std::string word(begin, end);
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0 && is_plain_name(word))
      names.push_back(word);
    begin = end == text.end() ? end : end + 1;
  }
  return names;
}

/// Names of axes that can stand in an expression.
bool is_variable(const std::string& name) { return Expression::why_not_a_name(name).empty(); }

std::vector<double> expression_rows(const Study& study, const Output& output, const std::vector<double>& values,
                                    const MemoryRecord& rows) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  for (const std::string& column : rows.columns())
    if (output.of.find(column) != std::string::npos) {
      names.push_back(column);
      columns.push_back(rows.column(column));
    }
  std::vector<double> point(columns.size());
  for (std::size_t a = 0; a < study.axes.size(); ++a)
    if (is_variable(study.axes[a].name)) {
      names.push_back(study.axes[a].name);
      point.push_back(values[a]);
    }
  try {
    const Expression expression = Expression::of_variables(output.of, {}, names);
    std::vector<double> answer(rows.rows());
    for (std::size_t row = 0; row < answer.size(); ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) point[c] = columns[c][row];
      answer[row] = expression.value_at(point);
    }
    return answer;
  } catch (const ExpressionError& error) {
    throw OutputError(output.name, fmt::format("{} (column {} of '{}'; it may use t, columns of results and axes)",
                                               error.what(), error.column() + 1, output.of));
  }
}

}  // namespace

void record_outputs(const Study& study, bool keeps_record, Model& model) {
  const bool all_plain = std::all_of(study.outputs.begin(), study.outputs.end(), [](const Output& output) {
    return !is_of_column(output.kind) || is_plain_name(output.of);
  });
  if (all_plain && !keeps_record) model.record = nothing_recorded();
  for (const Output& output : study.outputs) {
    if (is_of_stress(output)) model.record.stress = true;
    if (!is_of_column(output.kind)) continue;
    for (const std::string& name : names_in(output.of)) record_quantity(name, model.mechanism, model.record);
  }
}

std::vector<double> output_column(const Study& study, const Output& output, const std::vector<double>& values,
                                  const Mechanism& mechanism, const MemoryRecord& rows) {
  const std::string name = full_name(output.of, rows.columns());
  if (std::find(rows.columns().begin(), rows.columns().end(), name) != rows.columns().end()) return rows.column(name);
  if (!is_plain_name(output.of)) return expression_rows(study, output, values, rows);
  std::vector<std::string> known = rows.columns();
  for (std::string& each : quantities_of_frames(mechanism)) known.push_back(std::move(each));
  throw OutputError(output.name, fmt::format("a run of the model has no column '{}'{}; names are those of the columns "
                                             "of results",
                                             output.of, did_you_mean(output.of, known)));
}

}  // namespace lithe::detail
