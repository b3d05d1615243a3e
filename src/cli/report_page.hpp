#pragma once
// The pages of the viewer, built into the program, with the data of a report in them.

#include <string>

#include "lithe/io/report.hpp"

namespace lithe::cli {

/// Of runs and models, of maps, of studies.
enum class PageKind { report, map, study };

/// Whether this program was built with the viewer (CMake option LITHE_VIEWER).
bool has_viewer();
/// Throws InputError when it was not.
void require_viewer();

/// The page with the data in it, as text.
std::string report_page(const Report& report, PageKind kind = PageKind::report);

/// Writes it; an earlier page stays as it was when that fails, and `inputs` are not replaced.
void write_report_page(const std::string& path, const Report& report, const std::vector<std::string>& inputs = {},
                       PageKind kind = PageKind::report);

}  // namespace lithe::cli
