#pragma once
// `lithe show` of maps and studies: what a file is, and its page.

#include <optional>
#include <string>

#include "report_page.hpp"
#include "verbs.hpp"

namespace lithe::cli {

/// What the page was made of, in words and for --json.
struct DataPage {
  std::string what;                    ///< "map of five-bar: 40 x 30 points, 8 quantities"
  std::vector<std::string> warnings;   ///< what the page lacks
  std::vector<std::string> run_pages;  ///< report pages of kept runs, written beside it
};

/// Whether a map or a study is among the files; throws InputError for one that is not alone, and for a study file
/// that has not been computed.
std::optional<PageKind> data_page_kind(const std::vector<std::string>& files);

/// Writes the page.
DataPage write_data_page(PageKind kind, const ShowOptions& options);

}  // namespace lithe::cli
