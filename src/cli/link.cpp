// lithe link: one link by itself, with its modes and their shapes.

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "link_description.hpp"
#include "lithe/io/link_file.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/links/mode_table.hpp"
#include "mechanism_description.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

std::size_t find_link(const Model& model, const std::string& name) {
  const std::vector<LinkData>& links = model.mechanism.links;
  std::vector<std::string> known;
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (links[i].name == name) return i;
    known.push_back(links[i].name);
  }
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  throw InputError(fmt::format("the model has no link '{}'; there are: {}", name, list));
}

/// Displacements of the centre line per mode, or of the frames where a link has no centre line.
void write_shapes(const std::string& path, const LinkData& link, const std::vector<std::string>& inputs) {
  std::vector<std::pair<Vec3, Matrix3X>> points;
  for (const Outline::Point& point : link.outline.points) points.emplace_back(point.position, point.shape);
  if (points.empty())
    for (const Frame& frame : link.frames) points.emplace_back(frame.pose.position, frame.shape);
  const std::vector<LinkMode> modes = mode_table(link);
  std::string head = "x,y,z";
  for (const LinkMode& mode : modes)
    for (const char* axis : {"x", "y", "z"}) head += fmt::format(",{}.{}", mode.name, axis);
  std::string text = head + "\n";
  for (const auto& [position, shape] : points) {
    text += fmt::format("{},{},{}", position.x(), position.y(), position.z());
    for (const LinkMode& mode : modes) {
      const Vec3 motion = shape * mode.shape;
      text += fmt::format(",{},{},{}", motion.x(), motion.y(), motion.z());
    }
    text += '\n';
  }
  write_file(path, text, inputs);
}

void print_link(const LinkData& link, const LinkOrigin& origin) {
  fmt::print("{}  {}\n", bold(link.name),
             dim(link.elastic.count() == 0 ? std::string("rigid") : elastic_text(link, origin)));
  if (!origin.choice.empty()) fmt::print("automatic: {}; {}\n", origin.choice, origin.band);
  Table table({"", ""});
  table.add({"mass (kg)", number(link.mass, 6)});
  table.add({"centre (m)", text_of(link.centre)});
  table.add({"inertia about it (kg m2)", inertia_text(link.inertia)});
  for (std::size_t f = 1; f < link.frames.size(); ++f)
    table.add({f == 1 ? "frames (m)" : "",
               fmt::format("{} at {}", link.frames[f].name, text_of(link.frames[f].pose.position))});
  table.print();
  if (link.elastic.count() == 0) return;
  heading("modes");
  print_modes(link);
}

}  // namespace

int link(const LinkOptions& options) {
  const Model model = load(options.model);
  const std::size_t index = find_link(model, options.link);
  const LinkData& data = model.mechanism.links[index];
  const LinkOrigin origin = origin_of(model, index);
  if (!options.csv.empty()) {
    if (data.elastic.count() == 0)
      throw InputError(fmt::format("link '{}' is rigid: it has no mode shapes to write", options.link));
    write_shapes(options.csv, data, model.files);
  }
  if (!options.file.empty()) {
    require_folder(options.file);
    const ReplacingFile allowed(options.file, model.files);  // refuses to replace what was read
    write_link_data(data, options.file);
  }
  if (options.model.json) {
    nlohmann::json answer = link_as_json(data, origin);
    answer["ok"] = true;
    answer["exit"] = fine;
    answer["verb"] = "link";
    answer["model"] = model.name;
    print_json(answer);
    return fine;
  }
  print_link(data, origin);
  if (!options.csv.empty()) fmt::print("\nmode shapes in {}\n", options.csv);
  if (!options.file.empty()) fmt::print("\nlink in {}: use it with 'imported: {{file: ...}}'\n", options.file);
  return fine;
}

}  // namespace lithe::cli
