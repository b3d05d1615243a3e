#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lithe/simulation/free_memory.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

std::size_t index_of(const std::vector<std::string>& columns, const std::string& column) {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw std::out_of_range("there is no column '" + column + "'");
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

void require_memory_of_rows(const RunOptions& run, std::size_t columns) {
  constexpr double growth = 2.0;  // a list that grows holds twice its numbers for a moment
  const double rows = std::floor((run.until - run.from) / run.every) + 2.0;
  require_memory(rows * static_cast<double>(columns) * sizeof(double) * growth, "run.every",
                 fmt::format("{:.3g} rows of {} columns", rows, columns),
                 "lengthen run.every, end earlier (run.until), or record less");
}

void MemoryRecord::begin(const Model& model, const std::vector<std::string>& columns) {
  require_memory_of_rows(model.run, columns.size());
  columns_ = columns;
  data_.clear();
}

void MemoryRecord::row(std::span<const double> values) { data_.insert(data_.end(), values.begin(), values.end()); }

void MemoryRecord::finish(const Audit& audit, const std::string&) { audit_ = audit; }

double MemoryRecord::at(std::size_t row, const std::string& column) const {
  if (row >= rows()) throw std::out_of_range("there is no row " + std::to_string(row));
  return data_[row * columns_.size() + index_of(columns_, column)];
}

std::vector<double> MemoryRecord::column(const std::string& column) const {
  const std::size_t index = index_of(columns_, column);
  std::vector<double> values(rows());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = data_[i * columns_.size() + index];
  return values;
}

}  // namespace lithe
