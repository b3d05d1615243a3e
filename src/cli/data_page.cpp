#include "data_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "lithe/io/data_pages.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/laws/expression.hpp"
#include "model_options.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

std::optional<PageKind> kind_of_file(const std::string& path) {
  if (is_map_file(path)) return PageKind::map;
  if (is_study_results(path)) return PageKind::study;
  const fs::path name(path);
  if ((name.extension() == ".yaml" || name.extension() == ".yml") && is_study_file(path))
    throw InputError(fmt::format("{0}: is a study, not its results; compute it first: lithe sweep {0} -o {1}.h5", path,
                                 name.stem().string()));
  if (name.extension() == ".journal")
    throw InputError(fmt::format(
        "{}: is the journal of a study that was stopped; go on with lithe sweep STUDY --resume, then show its results",
        path));
  return std::nullopt;
}

DataPage write_map_page(const ShowOptions& options) {
  const std::string& path = options.results[0];
  const StoredMap stored = read_map(path);
  const WorkspaceMap& map = stored.map;
  const Report report = make_map_page(stored, {.title = options.title, .file = path});
  write_report_page(options.output, report, {path}, PageKind::map);
  std::vector<int> counts;
  for (const MapAxis& axis : map.axes) counts.push_back(axis.count);
  DataPage page;
  page.what = fmt::format("map of {}: {} points, {} columns{}", stored.model_name, fmt::join(counts, " x "),
                          map.columns.size(), map.finished ? "" : ", unfinished");
  page.warnings = report.warnings;
  return page;
}

/// Files STUDY-17.h5 beside the results, by variant: what --keep has written.
std::map<long, std::string> kept_files(const std::string& results, long rows) {
  std::map<long, std::string> kept;
  const fs::path path(results);
  const std::string begin = path.stem().string() + "-";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path.parent_path().empty() ? "." : path.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || entry.path().extension() != ".h5") continue;
    const std::string digits = name.substr(begin.size(), name.size() - begin.size() - 3);
    long row = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), row);
    if (error == std::errc() && end == digits.data() + digits.size() && row >= 0 && row < rows)
      kept[row] = (path.parent_path() / name).string();
  }
  return kept;
}

/// Whether a result was computed with the values of a variant: an earlier study may have left it there.
bool is_run_of(const Results& run, const StudyTable& table, long row) {
  const auto values = table.values_of(row);
  for (std::size_t a = 0; a < table.axes.size(); ++a) {
    double value = std::nan("");
    if (const auto found = run.parameters.find(table.axes[a]); found != run.parameters.end()) {
      value = found->second;
    } else if (const auto text = run.replaced.find(table.axes[a]); text != run.replaced.end()) {
      try {
        value = Expression::parse(text->second, run.parameters, false).value();
      } catch (const ExpressionError&) {
        return false;
      }
    }
    if (value != values[a]) return false;
  }
  return true;
}

/// Writes the report pages of kept runs beside the page of the study: PAGE-17.html. By variant: their names.
std::map<long, std::string> write_run_pages(const StoredStudy& study, const std::string& output, DataPage& page) {
  std::map<long, std::string> names;
  for (const auto& [row, file] : kept_files(study.path, study.table.rows)) {
    try {
      const Results run = read_results(file);
      if (!is_run_of(run, study.table, row)) {
        page.warnings.push_back(fmt::format(
            "{} has other values than variant {} and is not linked: it was kept by another study", file, row));
        continue;
      }
      ReportOptions options;
      options.title = fmt::format("{}, variant {}", study.record.name, row);
      const fs::path beside = fs::path(output).replace_extension("");
      const std::string name = fmt::format("{}-{}.html", beside.string(), row);
      write_report_page(name, make_report({run}, options), {file, study.path});
      page.run_pages.push_back(name);
      names[row] = fs::path(name).filename().string();
    } catch (const ResultsError& error) {
      page.warnings.push_back(fmt::format("variant {} is not linked: {}", row, error.what()));
    }
  }
  return names;
}

DataPage write_study_page(const ShowOptions& options) {
  const StoredStudy stored = read_study_results(options.results[0]);
  DataPage page;
  StudyPageOptions how;
  how.title = options.title;
  how.pages = write_run_pages(stored, options.output, page);
  const Report report = make_study_page(stored, how);
  page.warnings.insert(page.warnings.end(), report.warnings.begin(), report.warnings.end());
  write_report_page(options.output, report, {stored.path}, PageKind::study);
  const StudyTable& table = stored.table;
  page.what = fmt::format("study {}: {} variants ({}), {} axes, {} outputs, {} failed", stored.record.name, table.rows,
                          stored.record.method, table.axes.size(), table.outputs.size(), table.failed());
  return page;
}

}  // namespace

std::optional<PageKind> data_page_kind(const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    const std::optional<PageKind> kind = kind_of_file(path);
    if (!kind) continue;
    if (files.size() > 1)
      throw InputError(fmt::format("{}: is a {} and is shown alone; results of runs may be several", path,
                                   *kind == PageKind::map ? "map" : "study"));
    return kind;
  }
  return std::nullopt;
}

DataPage write_data_page(PageKind kind, const ShowOptions& options) {
  return kind == PageKind::map ? write_map_page(options) : write_study_page(options);
}

}  // namespace lithe::cli
