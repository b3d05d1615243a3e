#include "lithe/io/study_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

void write_numbers(hid_t file, const char* name, const std::vector<double>& values, std::size_t columns) {
  constexpr std::size_t rows_at_once = 4096;
  detail::GrowingTable table(file, name, columns);
  const std::size_t step = rows_at_once * columns;
  for (std::size_t begin = 0; begin < values.size(); begin += step) {
    const std::size_t end = std::min(values.size(), begin + step);
    table.append({values.begin() + static_cast<long>(begin), values.begin() + static_cast<long>(end)});
  }
}

/// In quotation marks where commas, quotation marks or ends of lines are in it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : c == '\n' ? std::string(" ") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void require_study_files(const std::string& hdf5, const std::string& csv, const std::vector<std::string>& inputs) {
  for (const std::string& path : {hdf5, csv}) {
    if (path.empty()) continue;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code ignored;
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
      throw ResultsError(fmt::format("{}: the folder {} does not exist", path, folder.string()));
    const ReplacingFile looked_at(path, inputs);
  }
  if (!csv.empty() && std::filesystem::path(csv).lexically_normal() == std::filesystem::path(hdf5).lexically_normal())
    throw ResultsError(fmt::format("{}: is given for both the results (HDF5) and the table (CSV)", csv));
}

void write_study_hdf5(const std::string& path, const StudyRecord& record, const StudyTable& table,
                      const std::vector<std::string>& inputs) {
  ReplacingFile name(path, inputs);
  name.open();
  detail::WriteTarget target{name.descriptor()};
  {
    const detail::H5Handle file = detail::create_file(target);
    detail::write_attribute(file, "lithe version", std::string(version()));
    detail::write_attribute(file, "study name", record.name);
    detail::write_attribute(file, "study path", record.path);
    detail::write_attribute(file, "method", record.method);
    detail::write_attribute(file, "model path", record.model_path);
    detail::write_attribute(file, "outcome", record.outcome);
    detail::write_bytes(file, "study", record.text);
    detail::write_bytes(file, "model", record.model_text);
    detail::write_bytes(file, "analysis", record.analysis);
    detail::write_strings(file, "axes", table.axes);
    detail::write_strings(file, "outputs", table.outputs);
    write_numbers(file, "values", table.values, table.axes.size());
    write_numbers(file, "results", table.results, table.outputs.size());
    std::vector<std::string> messages;
    std::vector<double> numbers;
    for (long k = 0; k < table.rows; ++k) {
      if (table.errors[k].empty() && table.known[k] != 0) continue;
      numbers.push_back(static_cast<double>(k));
      messages.push_back(table.known[k] != 0 ? table.errors[k] : "not computed");
    }
    const detail::H5Handle failures = detail::create_group(file, "failures");
    write_numbers(failures, "number", numbers, 1);
    detail::write_strings(failures, "message", messages);
  }
  name.require_written(target.fault);
  name.commit();
}

void write_study_csv(const std::string& path, const StudyTable& table, const std::vector<std::string>& inputs) {
  ReplacingFile file(path, inputs);
  file.open();
  std::string text = "number";
  for (const std::vector<std::string>* names : {&table.axes, &table.outputs})
    for (const std::string& name : *names) text += "," + cell(name);
  text += ",error\n";
  for (long k = 0; k < table.rows; ++k) {
    text += fmt::format("{}", k);
    for (const double value : table.values_of(k)) text += fmt::format(",{}", value);
    for (const double value : table.results_of(k)) text += fmt::format(",{}", value);
    text += "," + cell(table.known[k] != 0 ? table.errors[k] : "not computed") + "\n";
    if (text.size() > 1U << 20U) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
}

}  // namespace lithe
