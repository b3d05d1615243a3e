// Results of a study, read back.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/study_results.hpp"

namespace lithe {
namespace {

void read_failures(hid_t file, StudyTable& table) {
  const detail::H5Handle group = detail::open_group(file, "failures");
  const std::vector<double> numbers = detail::read_table(group, "number", 1);
  const std::vector<std::string> messages = detail::read_strings(group, "message");
  if (messages.size() != numbers.size()) throw std::runtime_error("its failures do not fit together");
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double row = numbers[k];
    if (!(row >= 0.0) || row >= static_cast<double>(table.rows) || row != std::floor(row))
      throw std::runtime_error("a failure belongs to no variant");
    table.errors[static_cast<std::size_t>(row)] = messages[k];
  }
}

void read_rows(hid_t file, StudyTable& table) {
  table.axes = detail::read_strings(file, "axes");
  table.outputs = detail::read_strings(file, "outputs");
  if (table.axes.empty() || table.outputs.empty()) throw std::runtime_error("it has no axes or no outputs");
  table.values = detail::read_table(file, "values", table.axes.size());
  table.results = detail::read_table(file, "results", table.outputs.size());
  const std::size_t rows = table.values.size() / table.axes.size();
  if (rows == 0) throw std::runtime_error("it holds no variants");
  if (table.results.size() != rows * table.outputs.size())
    throw std::runtime_error("values and results have different numbers of variants");
  table.rows = static_cast<long>(rows);
  table.errors.resize(rows);
  table.known.assign(rows, 1);
}

}  // namespace

bool is_study_results(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || !detail::is_hdf5_file(path)) return false;
  try {
    const detail::H5Handle file = detail::open_file(path), root = detail::open_group(file, "/");
    const std::vector<std::string> names = detail::attribute_names(root);
    return std::find(names.begin(), names.end(), "study name") != names.end();
  } catch (const std::exception&) {
    return false;  // whoever reads it says what is wrong with it
  }
}

StoredStudy read_study_results(const std::string& path) {
  if (!is_study_results(path))
    throw ResultsError(fmt::format("{} holds no results of a study; lithe sweep and lithe optimize write them", path));
  StoredStudy stored;
  stored.path = path;
  try {
    const detail::H5Handle file = detail::open_file(path), root = detail::open_group(file, "/");
    stored.version = detail::read_text(root, "lithe version");
    StudyRecord& record = stored.record;
    record.name = detail::read_text(root, "study name");
    record.path = detail::read_text(root, "study path");
    record.method = detail::read_text(root, "method");
    record.model_path = detail::read_text(root, "model path");
    record.outcome = detail::read_text(root, "outcome");
    record.text = detail::read_bytes(root, "study");
    record.model_text = detail::read_bytes(root, "model");
    record.analysis = detail::read_bytes(root, "analysis");
    read_rows(root, stored.table);
    read_failures(root, stored.table);
  } catch (const std::exception& error) {
    throw ResultsError(fmt::format("{} is damaged: {}; run the study again", path, error.what()));
  }
  return stored;
}

}  // namespace lithe
