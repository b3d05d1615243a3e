// lithe show: one page that shows results, maps, studies, or a mechanism as it is assembled, without a network.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "data_page.hpp"
#include "lithe/io/report.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "report_page.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {

namespace {

bool is_model_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".yaml" || ending == ".yml";
}

/// What the page is made from: no page is written over it.
struct Shown {
  Report report;
  std::vector<Results> results;
  std::vector<std::string> files;
};

/// A model file shows the mechanism as it is assembled; results show how it moved.
Shown shown_by(const ShowOptions& options) {
  ReportOptions report_options;
  report_options.title = options.title;
  const auto model = std::find_if(options.results.begin(), options.results.end(), is_model_file);
  if (model == options.results.end()) {
    std::vector<Results> results;
    for (const std::string& path : options.results) results.push_back(read_results(path));
    Report report = make_report(results, report_options);
    return {std::move(report), std::move(results), options.results};
  }
  if (options.results.size() > 1) {
    throw InputError(
        fmt::format("{}: a model file is shown alone, as it is assembled; results (.h5) may be several", *model));
  }
  ModelOptions model_options;
  model_options.path = *model;
  const Model loaded = load(model_options);
  return {make_report(loaded, report_options), {}, loaded.files};
}

/// Where the page is, for people or as JSON; `more` goes into the JSON.
void tell_page(const ShowOptions& options, const char* kind, const std::string& what, nlohmann::json more) {
  const std::string page = std::filesystem::absolute(options.output).lexically_normal().string();
  if (!options.json) {
    if (!what.empty()) fmt::print("{}\n", what);
    fmt::print("open {}\n", bold(page));
    return;
  }
  nlohmann::json answer = {{"ok", true},
                           {"exit", fine},
                           {"verb", "show"},
                           {"kind", kind},
                           {"page", page},
                           {"bytes", std::filesystem::file_size(page)},
                           {"results", options.results}};
  answer.update(more);
  print_json(answer);
}

}  // namespace

int show(const ShowOptions& options) {
  require_viewer();
  require_folder(options.output);
  if (const std::optional<PageKind> kind = data_page_kind(options.results)) {
    const DataPage page = write_data_page(*kind, options);
    for (const std::string& warning : page.warnings) warn(warning);
    tell_page(options, *kind == PageKind::map ? "map" : "study", page.what,
              {{"warnings", page.warnings}, {"run_pages", page.run_pages}, {"what", page.what}});
    return fine;
  }
  const Shown shown = shown_by(options);
  for (const std::string& warning : shown.report.warnings) warn(warning);
  for (const Results& each : shown.results) tell_of(each);
  write_report_page(options.output, shown.report, shown.files);
  tell_page(
      options, shown.results.empty() ? "model" : "runs", fmt::format("{}", fmt::join(shown.report.notes, "\n")),
      {{"warnings", shown.report.warnings}, {"notes", shown.report.notes}, {"remarks", remarks_json(shown.results)}});
  return fine;
}

}  // namespace lithe::cli
