#include "report_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "model_options.hpp"
#include "output_file.hpp"

#ifdef LITHE_VIEWER_PAGES
// The pages of the viewer, as built from viewer/, in the read-only data of the program.
#define LITHE_EMBED(name, file)                  \
  asm(".pushsection .rodata\n"                   \
      ".global lithe_" name "_page, lithe_" name \
      "_page_end\n"                              \
      "lithe_" name                              \
      "_page:\n"                                 \
      ".incbin \"" LITHE_VIEWER_PAGES "/" file   \
      "\"\n"                                     \
      "lithe_" name                              \
      "_page_end:\n"                             \
      ".byte 0\n"                                \
      ".popsection\n")
LITHE_EMBED("viewer", "report.html");
LITHE_EMBED("map", "map.html");
LITHE_EMBED("study", "study.html");
extern "C" const char lithe_viewer_page[], lithe_viewer_page_end[], lithe_map_page[], lithe_map_page_end[],
    lithe_study_page[], lithe_study_page_end[];
#endif

namespace lithe::cli {
namespace {

std::string_view empty_page([[maybe_unused]] PageKind kind) {
#ifdef LITHE_VIEWER_PAGES
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  switch (kind) {
    case PageKind::report:
      return between(lithe_viewer_page, lithe_viewer_page_end);
    case PageKind::map:
      return between(lithe_map_page, lithe_map_page_end);
    case PageKind::study:
      return between(lithe_study_page, lithe_study_page_end);
  }
#endif
  return {};
}

constexpr std::string_view place_of_data = "LITHE_REPORT_DATA";

/// Inside a script element "<" could end it or open a comment.
std::string safe_in_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

bool has_viewer() { return !empty_page(PageKind::report).empty(); }

void require_viewer() {
  if (!has_viewer()) {
    throw InputError(
        "this build of lithe has no viewer (it was configured with LITHE_VIEWER=OFF); install nodejs and npm and "
        "configure with -DLITHE_VIEWER=ON");
  }
}

std::string report_page(const Report& report, PageKind kind) {
  require_viewer();
  const std::string_view page = empty_page(kind);
  const std::size_t place = page.find(place_of_data);
  std::string text(page.substr(0, place));
  text += safe_in_script(report.json);
  text += page.substr(place + place_of_data.size());
  return text;
}

void write_report_page(const std::string& path, const Report& report, const std::vector<std::string>& inputs,
                       PageKind kind) {
  write_file(path, report_page(report, kind), inputs);
}

}  // namespace lithe::cli
