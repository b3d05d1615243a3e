// lithe show: one page that shows results, without a network.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/report.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "report_page.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {

int show(const ShowOptions& options) {
  require_viewer();
  std::vector<Results> results;
  for (const std::string& path : options.results) results.push_back(read_results(path));
  ReportOptions report_options;
  report_options.title = options.title;
  const Report report = make_report(results, report_options);
  for (const std::string& warning : report.warnings) warn(warning);
  for (const Results& each : results) tell_of(each);
  write_report_page(options.output, report, options.results);

  const std::string page = std::filesystem::absolute(options.output).lexically_normal().string();
  if (options.json) {
    const nlohmann::json answer = {{"ok", true},
                                   {"exit", fine},
                                   {"verb", "show"},
                                   {"page", page},
                                   {"bytes", std::filesystem::file_size(page)},
                                   {"results", options.results},
                                   {"warnings", report.warnings},
                                   {"remarks", remarks_json(results)}};
    print_json(answer);
  } else {
    fmt::print("open {}\n", bold(page));
  }
  return fine;
}

}  // namespace lithe::cli
