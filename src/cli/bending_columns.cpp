#include "bending_columns.hpp"

#include <fmt/format.h>

namespace lithe::cli {
namespace {

struct Column {
  std::string name;
  std::vector<int> sources;  ///< columns of the elastic coordinates or speeds
  VectorX factors;           ///< displacement per unit of each
};

/// The columns of one link that are wanted and can be made.
void collect(const LinkData& link, const Results& results, const std::function<bool(const std::string&)>& wanted,
             std::vector<Column>& columns) {
  for (const Frame& frame : link.frames) {
    if (frame.shape.cols() == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      for (const auto& [head, quantity] : {std::pair{"bending", "q"}, std::pair{"bending-rate", "v"}}) {
        Column column{fmt::format("{}.{}.{}.{}", head, link.name, frame.name, "xyz"[axis]), {}, frame.shape.row(axis)};
        if (column.factors.isZero(0.0) || !wanted(column.name)) continue;
        for (Eigen::Index i = 0; i < column.factors.size(); ++i)
          column.sources.push_back(results.find(fmt::format("{}.{}.e{}", quantity, link.name, i + 1)));
        if (column.sources[0] >= 0) columns.push_back(std::move(column));
      }
    }
  }
}

}  // namespace

void add_bending(const std::function<bool(const std::string& name)>& wanted, Results& results) {
  const Model model = drawn_model_of(results);
  std::vector<Column> columns;
  for (const LinkData& link : model.mechanism.links) collect(link, results, wanted, columns);
  if (columns.empty()) return;
  std::vector<double> data;
  data.reserve(results.rows() * (results.columns.size() + columns.size()));
  for (std::size_t row = 0; row < results.rows(); ++row) {
    for (std::size_t c = 0; c < results.columns.size(); ++c) data.push_back(results.at(row, static_cast<int>(c)));
    for (const Column& column : columns) {
      double sum = 0.0;
      for (std::size_t i = 0; i < column.sources.size(); ++i)
        sum += column.factors[i] * results.at(row, column.sources[i]);
      data.push_back(sum);
    }
  }
  results.data = std::move(data);
  for (const Column& column : columns) results.columns.push_back(column.name);
}

}  // namespace lithe::cli
