#include "report_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "model_options.hpp"
#include "output_file.hpp"

#ifdef LITHE_VIEWER_PAGE
// The page of the viewer, as built from viewer/, in the read-only data of the program.
asm(R"(
.pushsection .rodata
.global lithe_viewer_page, lithe_viewer_page_end
lithe_viewer_page:
.incbin ")" LITHE_VIEWER_PAGE R"("
lithe_viewer_page_end:
.byte 0
.popsection
)");
extern "C" const char lithe_viewer_page[], lithe_viewer_page_end[];
#endif

namespace lithe::cli {
namespace {

std::string_view viewer_page() {
#ifdef LITHE_VIEWER_PAGE
  return {lithe_viewer_page, static_cast<std::size_t>(lithe_viewer_page_end - lithe_viewer_page)};
#else
  return {};
#endif
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

bool has_viewer() { return !viewer_page().empty(); }

void require_viewer() {
  if (!has_viewer()) {
    throw InputError(
        "this build of lithe has no viewer (it was configured with LITHE_VIEWER=OFF); install nodejs and npm and "
        "configure with -DLITHE_VIEWER=ON");
  }
}

std::string report_page(const Report& report) {
  require_viewer();
  const std::string_view page = viewer_page();
  const std::size_t place = page.find(place_of_data);
  std::string text(page.substr(0, place));
  text += safe_in_script(report.json);
  text += page.substr(place + place_of_data.size());
  return text;
}

void write_report_page(const std::string& path, const Report& report, const std::vector<std::string>& inputs) {
  write_file(path, report_page(report), inputs);
}

}  // namespace lithe::cli
