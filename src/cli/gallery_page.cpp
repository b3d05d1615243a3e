#include "gallery_page.hpp"

#include <fmt/format.h>

#include <sstream>

#include "gallery_style.hpp"
#include "lithe/version.hpp"
#include "markup.hpp"
#include "stick_figure.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

std::string status_of(const GalleryEntry& entry) {
  if (!entry.failure.empty()) return "<span class=\"stopped\">could not run</span>";
  if (entry.outcome.ending == RunOutcome::Ending::complete) return "complete";
  return fmt::format("<span class=\"stopped\">stopped at {} s</span>", number(entry.outcome.audit.t_end, 4));
}

double relative_energy_error(const Audit& audit) {
  return audit.energy_scale > 0 ? audit.energy_error / audit.energy_scale : audit.energy_error;
}

/// The page of the example, or its card when there is no page.
std::string page_of(const GalleryEntry& entry) {
  return escape_markup(entry.report.empty() ? "#" + entry.key : entry.report);
}

std::string summary_row(const GalleryEntry& entry) {
  const Audit& audit = entry.outcome.audit;
  return fmt::format(
      "<tr><td><a href=\"{0}\">{1}</a></td><td class=\"n\">{2}</td><td class=\"n\">{3}</td><td class=\"n\">{4}</td>"
      "<td class=\"n\">{5}</td><td>{6}</td><td>{7}</td><td class=\"n\">{8}</td><td class=\"n\">{9}</td>"
      "<td class=\"n\">{10}</td><td class=\"n\">{11:.0f} ms</td></tr>\n",
      page_of(entry), escape_markup(entry.model.name), entry.model.mechanism.links.size() - 1,
      entry.model.mechanism.joints.size(), entry.loops, entry.mobility.mobility, entry.planar ? "planar" : "spatial",
      status_of(entry), number(relative_energy_error(audit), 2), number(audit.worst_closure, 2), audit.steps,
      1e3 * audit.wall_seconds);
}

std::string key_numbers(const GalleryEntry& entry) {
  std::string html = "<dl>";
  const auto add = [&](const char* what, const std::string& value) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
  };
  const Audit& audit = entry.outcome.audit;
  add("links", fmt::format("{}", entry.model.mechanism.links.size() - 1));
  add("loops", fmt::format("{}", entry.loops));
  add("mobility", fmt::format("{}", entry.mobility.mobility));
  add("simulated", fmt::format("{} s", number(audit.t_end, 4)));
  add("computed in", fmt::format("{:.0f} ms", 1e3 * audit.wall_seconds));
  add("energy error, rel.", number(relative_energy_error(audit), 2));
  return html + "</dl>\n";
}

std::string card(const GalleryEntry& entry) {
  const std::string about = opening_comment(entry.model.text);
  std::string html = fmt::format(
      "<section class=\"card\" id=\"{}\" data-words=\"{}\">\n", escape_markup(entry.key),
      escape_markup(entry.key + " " + entry.model.name + " " + entry.group + " " + entry.look + " " + about));
  if (entry.record.rows() > 0) {
    const std::string figure =
        stick_figure(entry.model.mechanism, entry.normal, entry.record, entry.model.record.frames);
    html += entry.report.empty() ? figure : fmt::format("<a href=\"{}\">{}</a>\n", page_of(entry), figure);
  }
  html += fmt::format("<h3>{}</h3>\n<p class=\"soft about\" title=\"{}\">{}</p>\n", escape_markup(entry.model.name),
                      escape_markup(about), escape_markup(entry.look.empty() ? about : entry.look));
  const std::string message = entry.failure.empty() ? entry.outcome.message : entry.failure;
  if (!message.empty()) html += fmt::format("<p class=\"stopped\">{}</p>\n", escape_markup(message));
  std::vector<std::string> against = entry.outcome.audit.distrust;
  const std::vector<std::string>& warnings = entry.outcome.audit.warnings;
  against.insert(against.end(), warnings.begin(), warnings.end());
  for (const std::string& warning : against) {
    html += fmt::format("<p class=\"stopped\">{}</p>\n", escape_markup(warning));
  }
  if (entry.failure.empty()) html += key_numbers(entry);
  html += "<p class=\"links\">";
  if (!entry.report.empty()) html += fmt::format("<a class=\"open\" href=\"{}\">Open the report</a>", page_of(entry));
  for (const std::string& file : entry.files) {
    html += fmt::format("<a href=\"{0}\">{0}</a>", escape_markup(file));
  }
  return html + fmt::format("</p>\n<p><code>lithe simulate examples/{}.yaml</code></p>\n</section>\n",
                            escape_markup(entry.key));
}

}  // namespace

std::string opening_comment(const std::string& model_text) {
  std::string paragraph;
  std::istringstream lines(model_text);
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    line.erase(0, line.find_first_not_of("# "));
    if (line.empty() || line[0] == '#') break;
    paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  return paragraph;
}

namespace {

/// Hides cards without the words that were written, and headings without cards.
constexpr const char* filter_script = R"(<script>
document.getElementById('filter').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll('.card'))
    card.hidden = !words.every((word) => card.dataset.words.toLowerCase().includes(word));
  for (const group of document.querySelectorAll('.group')) group.hidden = !group.querySelector('.card:not([hidden])');
});
</script>
)";

/// One section per group; entries of a group stand one after the other.
std::string grouped_cards(const std::vector<GalleryEntry>& entries) {
  std::string html;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k == 0 || entries[k].group != entries[k - 1].group) {
      html += fmt::format("{}<div class=\"group\"><h2>{}</h2>\n<div class=\"cards\">\n", k == 0 ? "" : "</div></div>\n",
                          escape_markup(entries[k].group));
    }
    html += card(entries[k]);
  }
  return entries.empty() ? html : html + "</div></div>\n";
}

}  // namespace

std::string gallery_page(const std::vector<GalleryEntry>& entries, bool has_reports) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Lithe gallery</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n<h1>Lithe gallery</h1>\n"
      "<p class=\"soft\">{} mechanisms, simulated by Lithe {}. Every number was computed by this run; the results "
      "stand "
      "beside this page.{}</p>\n<input id=\"filter\" type=\"search\" placeholder=\"Filter: robot, elastic, truss …\" "
      "aria-label=\"Filter by words\">\n",
      gallery_style, entries.size(), version(),
      has_reports ? " A picture opens the report of its mechanism."
                  : " This build of lithe has no viewer, so there are no reports (LITHE_VIEWER=OFF).");
  html += grouped_cards(entries);
  html +=
      "<h2>All runs</h2>\n<div class=\"scroll\"><table class=\"summary\">\n<tr><th>mechanism</th>"
      "<th class=\"n\">links</th><th class=\"n\">joints</th><th class=\"n\">loops</th><th class=\"n\">mobility</th>"
      "<th>arithmetic</th><th>run</th><th class=\"n\">energy error, relative</th><th class=\"n\">worst closure</th>"
      "<th class=\"n\">steps</th><th class=\"n\">time</th></tr>\n";
  for (const GalleryEntry& entry : entries) html += summary_row(entry);
  return html + "</table></div>\n</main>\n" + filter_script + "</body>\n</html>\n";
}

}  // namespace lithe::cli
