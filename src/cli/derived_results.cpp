#include "derived_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "lithe/io/derived_columns.hpp"

namespace lithe::cli {
namespace {

using Wanted = std::function<bool(const std::string&)>;

/// The columns of one elastic link that are wanted and can be made.
void add_bending(const LinkData& link, const Results& results, const Wanted& wanted,
                 std::vector<DerivedColumn>& columns) {
  for (const Frame& frame : link.frames) {
    if (frame.shape.cols() == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      for (const auto& [head, quantity] : {std::pair{"bending", "q"}, std::pair{"bending-rate", "v"}}) {
        DerivedColumn column{fmt::format("{}.{}.{}.{}", head, link.name, frame.name, "xyz"[axis]), {}};
        const VectorX factors = frame.shape.row(axis);  // displacement per unit of each coordinate or speed
        if (factors.isZero(0.0) || !wanted(column.name)) continue;
        std::vector<int> sources;
        for (Eigen::Index i = 0; i < factors.size(); ++i)
          sources.push_back(results.find(fmt::format("{}.{}.e{}", quantity, link.name, i + 1)));
        if (sources[0] < 0) continue;
        for (std::size_t row = 0; row < results.rows(); ++row) {
          double sum = 0.0;
          for (std::size_t i = 0; i < sources.size(); ++i) sum += factors[i] * results.at(row, sources[i]);
          column.values.push_back(sum);
        }
        columns.push_back(std::move(column));
      }
    }
  }
}

void append(const std::vector<DerivedColumn>& columns, Results& results) {
  if (columns.empty()) return;
  std::vector<double> data;
  data.reserve(results.rows() * (results.columns.size() + columns.size()));
  for (std::size_t row = 0; row < results.rows(); ++row) {
    for (std::size_t c = 0; c < results.columns.size(); ++c) data.push_back(results.at(row, static_cast<int>(c)));
    for (const DerivedColumn& column : columns) data.push_back(column.values[row]);
  }
  results.data = std::move(data);
  for (const DerivedColumn& column : columns) results.columns.push_back(column.name);
}

}  // namespace

bool asks_for_derived(const std::string& pattern) {
  static constexpr std::array heads{"bending", "deflection-at", "error", "power"};
  return std::any_of(heads.begin(), heads.end(), [&](const char* head) { return pattern.starts_with(head); });
}

void add_derived(const Wanted& wanted, Results& results) {
  const Model model = drawn_model_of(results);
  std::vector<DerivedColumn> columns;
  for (const LinkData& link : model.mechanism.links) add_bending(link, results, wanted, columns);
  const std::optional<Model> laws = model_with_laws(model, results);
  std::vector<std::size_t> rows(results.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (DerivedColumn& each : derived_columns(model, laws ? &*laws : nullptr, results, rows, wanted))
    columns.push_back(std::move(each));
  append(columns, results);
}

}  // namespace lithe::cli
