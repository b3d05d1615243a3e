#include "gallery_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "columns.hpp"
#include "gallery_style.hpp"
#include "lithe/version.hpp"
#include "run_report.hpp"
#include "stick_figure.hpp"
#include "svg_plot.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

std::vector<Series> series_of(const MemoryRecord& record, const std::vector<std::string>& columns) {
  std::vector<Series> series;
  for (const std::string& column : columns) {
    series.push_back({column.substr(column.find('.') + 1), record.column(column)});
  }
  return series;
}

/// Joints worth a curve: the driven ones, else all that have one coordinate.
std::vector<std::string> curve_joints(const Model& model) {
  std::vector<std::string> joints;
  for (const Drive& drive : model.drives) {
    if (std::find(joints.begin(), joints.end(), drive.joint) == joints.end()) joints.push_back(drive.joint);
  }
  if (!joints.empty()) return joints;
  for (const Joint& joint : model.mechanism.joints) {
    if (position_count(joint.type) == 1) joints.push_back(joint.name);
  }
  return joints;
}

std::string coordinate_unit(const Model& model, const std::vector<std::string>& joints) {
  bool turns = false, slides = false;
  for (const std::string& name : joints) {
    const int index = model.mechanism.find_joint(name);
    const bool is_slide = model.mechanism.joints[static_cast<std::size_t>(index)].type == JointType::prismatic;
    (is_slide ? slides : turns) = true;
  }
  return turns && slides ? "rad, m" : (slides ? "m" : "rad");
}

/// Motor forces; energies when there are no motors or they do nothing.
std::string second_plot(const GalleryEntry& entry, const std::vector<double>& t) {
  std::vector<std::string> motors;
  for (const Joint& joint : entry.model.mechanism.joints) {
    if (joint.is_actuated()) motors.push_back(joint.name);
  }
  const auto columns = columns_of_joints(entry.record.columns(), "tau.", motors);
  const std::vector<Series> forces = series_of(entry.record, columns);
  const bool acts = std::any_of(forces.begin(), forces.end(), [](const Series& each) {
    return std::any_of(each.y.begin(), each.y.end(), [](double value) { return value != 0.0; });
  });
  if (acts) {
    const std::string unit = coordinate_unit(entry.model, motors);
    return svg_plot("motor forces", unit == "rad" ? "N m" : (unit == "m" ? "N" : "N m, N"), t, forces);
  }
  return svg_plot("energy", "J", t,
                  series_of(entry.record, columns_of_joints(entry.record.columns(), "energy.",
                                                            {"kinetic", "potential", "work", "dissipated"})));
}

std::string status_of(const GalleryEntry& entry) {
  if (!entry.failure.empty()) return "<span class=\"stopped\">could not run</span>";
  if (entry.outcome.ending == RunOutcome::Ending::complete) return "complete";
  return fmt::format("<span class=\"stopped\">stopped at {} s</span>", number(entry.outcome.audit.t_end, 4));
}

std::string summary_row(const GalleryEntry& entry) {
  const Audit& audit = entry.outcome.audit;
  const double relative = audit.energy_scale > 0 ? audit.energy_error / audit.energy_scale : audit.energy_error;
  return fmt::format(
      "<tr><td><a href=\"#{0}\">{1}</a></td><td class=\"n\">{2}</td><td class=\"n\">{3}</td><td class=\"n\">{4}</td>"
      "<td class=\"n\">{5}</td><td>{6}</td><td>{7}</td><td class=\"n\">{8}</td><td class=\"n\">{9}</td><td "
      "class=\"n\">{10}</td>"
      "<td class=\"n\">{11}</td></tr>\n",
      escape_markup(entry.key), escape_markup(entry.model.name), entry.model.mechanism.links.size() - 1,
      entry.model.mechanism.joints.size(), entry.loops, entry.mobility.mobility, entry.planar ? "planar" : "spatial",
      status_of(entry), number(relative, 2), number(audit.worst_closure, 2), audit.steps,
      fmt::format("{:.0f} ms", 1e3 * audit.wall_seconds));
}

std::string audit_line(const GalleryEntry& entry) {
  const Audit& audit = entry.outcome.audit;
  std::string text = fmt::format(
      "<p class=\"audit\">ended at <b>{} s</b> · energy balance <b>{} J</b> of {} J · worst closure <b>{}</b> · "
      "<b>{}</b> "
      "steps, {} rejected, {} evaluations · <b>{:.3g} s</b>",
      number(audit.t_end, 4), number(audit.energy_error, 2), number(audit.energy_scale, 3),
      number(audit.worst_closure, 2), audit.steps, audit.rejected, audit.evaluations, audit.wall_seconds);
  for (const std::string& file : entry.files) {
    text += fmt::format(" · <a href=\"{0}\">{0}</a>", escape_markup(file));
  }
  return text + "</p>\n";
}

std::string card(const GalleryEntry& entry) {
  std::string html = fmt::format("<section class=\"card\" id=\"{}\">\n<h2>{}</h2>\n<p class=\"soft\">{}</p>\n",
                                 escape_markup(entry.key), escape_markup(entry.model.name),
                                 escape_markup(opening_comment(entry.model.text)));
  html += fmt::format("<p><code>lithe simulate examples/{}.yaml</code></p>\n", escape_markup(entry.key));
  const std::string message = entry.failure.empty() ? entry.outcome.message : entry.failure;
  if (!message.empty()) html += fmt::format("<p class=\"stopped\">{}</p>\n", escape_markup(message));
  if (entry.record.rows() > 0) {
    const std::vector<double> t = entry.record.column("t");
    const auto joints = curve_joints(entry.model);
    html += "<div class=\"row\">\n<div>" +
            stick_figure(entry.model.mechanism, entry.planar, entry.record, entry.model.record.frames) +
            "</div>\n<div>" +
            svg_plot("coordinates", coordinate_unit(entry.model, joints), t,
                     series_of(entry.record, columns_of_joints(entry.record.columns(), "q.", joints))) +
            "</div>\n<div>" + second_plot(entry, t) + "</div>\n</div>\n";
  }
  if (entry.failure.empty()) html += audit_line(entry);
  return html + "</section>\n";
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

std::string gallery_page(const std::vector<GalleryEntry>& entries) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Lithe gallery</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<main>\n<h1>Lithe gallery</h1>\n"
      "<p class=\"soft\">{} mechanisms, simulated by Lithe {}. Every number below was computed by this run; the "
      "results "
      "stand beside this page.</p>\n<div class=\"scroll\"><table class=\"summary\">\n<tr><th>mechanism</th>"
      "<th class=\"n\">links</th><th class=\"n\">joints</th><th class=\"n\">loops</th><th class=\"n\">mobility</th>"
      "<th>arithmetic</th><th>run</th><th class=\"n\">energy error, relative</th><th class=\"n\">worst closure</th>"
      "<th class=\"n\">steps</th><th class=\"n\">time</th></tr>\n",
      gallery_style, entries.size(), version());
  for (const GalleryEntry& entry : entries) html += summary_row(entry);
  html += "</table></div>\n";
  for (const GalleryEntry& entry : entries) html += card(entry);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace lithe::cli
