#include "lithe/io/urdf_visuals.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lithe/io/mesh_file.hpp"
#include "lithe/io/source_files.hpp"
#include "lithe/io/urdf_nodes.hpp"
#include "lithe/io/urdf_source.hpp"
#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

namespace fs = std::filesystem;

/// Where a file name of a URDF leads: packages are looked for in the folders above the URDF. Empty: nowhere.
fs::path mesh_path(const std::string& name, const std::string& urdf) {
  std::error_code error;
  const fs::path folder = fs::absolute(urdf, error).parent_path();
  const auto after = [&](std::string_view start) { return name.substr(start.size()); };
  if (name.starts_with("file://")) return after("file://");
  const bool has_package = name.starts_with("package://") || name.starts_with("model://");
  if (!has_package) return folder / name;
  const std::string inside = name.starts_with("package://") ? after("package://") : after("model://");
  const std::size_t slash = inside.find('/');
  const std::string package = inside.substr(0, slash),
                    rest = slash == std::string::npos ? "" : inside.substr(slash + 1);
  for (fs::path above = folder; !above.empty(); above = above.parent_path()) {
    if (above.filename() == package && fs::is_regular_file(above / rest, error)) return above / rest;
    if (fs::is_regular_file(above / inside, error)) return above / inside;
    if (above == above.root_path()) break;
  }
  return {};
}

/// Why a mesh cannot be drawn, or nothing.
std::string fault_of_mesh(const fs::path& path) {
  if (path.empty()) return "its package is in none of the folders above the URDF";
  const FileText file = read_text_file(path, largest_data_file);
  if (!file.fault.empty()) return file.fault;
  try {
    read_mesh_file(file.text, path.string());
    return {};
  } catch (const MeshFileError& error) {
    return error.what();
  }
}

/// #rrggbb of the <material> of a visual, its own or one of the robot's; empty without.
std::string colour_of(const TiXmlElement& visual, UrdfSource& source) {
  const TiXmlElement* material = visual.FirstChildElement("material");
  if (material == nullptr) return {};
  const TiXmlElement* colour = material->FirstChildElement("color");
  const TiXmlNode* robot = visual.Parent() == nullptr ? nullptr : visual.Parent()->Parent();
  for (const TiXmlElement* each = robot == nullptr ? nullptr : robot->FirstChildElement("material");
       each != nullptr && colour == nullptr; each = each->NextSiblingElement("material"))
    if (UrdfSource::text(*each, "name") == UrdfSource::text(*material, "name"))
      colour = each->FirstChildElement("color");
  const auto rgba = colour == nullptr ? std::nullopt : source.numbers(*colour, "rgba", 4, "visual");
  if (!rgba) return {};
  const auto part = [&](std::size_t k) {
    return static_cast<int>(std::lround(255.0 * std::clamp((*rgba)[k], 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

class VisualReader {
 public:
  VisualReader(const std::string& file, UrdfSource& source) : file_(file), source_(source), strict_(file, faults_) {}

  std::optional<UrdfVisual> read(const TiXmlElement& element) {
    UrdfVisual visual;
    visual.place = source_.place(element);
    visual.origin = strict_.origin_in(element, "visual");
    visual.colour = colour_of(element, strict_);
    const TiXmlElement* geometry = element.FirstChildElement("geometry");
    const TiXmlElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
    if (shape == nullptr) return left_out(element, "it has no <geometry>");
    const std::string fault = read_shape(*shape, visual);
    if (!fault.empty()) return left_out(*shape, fault);
    if (faults_.empty()) return visual;
    faults_ = {};
    return left_out(*shape, "a number of it cannot be read");
  }

 private:
  std::nullopt_t left_out(const TiXmlElement& element, const std::string& why) {
    source_.note(element, fmt::format("a <visual> is left out: {}", why));
    return std::nullopt;
  }

  /// Why it cannot be drawn, or nothing.
  std::string read_shape(const TiXmlElement& shape, UrdfVisual& visual) {
    visual.shape = shape.Value();
    const auto positive = [&](const char* name) {
      const double value = strict_.needed_number(shape, name, "visual");
      visual.sizes.push_back(value);
      return value > 0.0;
    };
    const std::string small = "its sizes are not positive";
    if (visual.shape == "box") {
      visual.sizes = strict_.numbers(shape, "size", 3, "visual").value_or(std::vector<double>{});
      const bool good = visual.sizes.size() == 3 && *std::min_element(visual.sizes.begin(), visual.sizes.end()) > 0.0;
      return good ? "" : small;
    }
    if (visual.shape == "sphere") return positive("radius") ? "" : small;
    if (visual.shape == "cylinder") return positive("radius") && positive("length") ? "" : small;
    if (visual.shape != "mesh") return fmt::format("<{}> is no shape that is known", visual.shape);
    const std::string name = UrdfSource::text(shape, "filename");
    const fs::path path = mesh_path(name, file_);
    const std::string fault = fault_of_mesh(path);
    if (!fault.empty()) return fmt::format("mesh '{}': {}", name, fault);
    std::error_code error;
    const fs::path near = path.lexically_normal().lexically_relative(fs::absolute(file_, error).parent_path());
    visual.file = name.starts_with("file://") || near.empty() ? path.lexically_normal().string() : near.string();
    visual.scale = strict_.vector(shape, "scale", "visual").value_or(Vec3::Ones());
    return (visual.scale.array() == 0.0).any() ? small : "";
  }

  const std::string& file_;
  UrdfSource& source_;
  Complaints faults_;
  UrdfSource strict_;  ///< its complaints only keep a visual out
};

}  // namespace

std::vector<UrdfVisual> read_urdf_visuals(const TiXmlElement& link, const std::string& file, UrdfSource& source) {
  VisualReader reader(file, source);
  std::vector<UrdfVisual> visuals;
  for (const TiXmlElement* each = link.FirstChildElement("visual"); each != nullptr;
       each = each->NextSiblingElement("visual"))
    if (auto visual = reader.read(*each)) visuals.push_back(std::move(*visual));
  return visuals;
}

Node visual_node(const UrdfVisual& visual, const Pose& carrier) {
  const Place& place = visual.place;
  std::vector<Entry> entries;
  std::vector<Node> sizes;
  for (const double size : visual.sizes) sizes.push_back(number_node(size, place));
  if (visual.shape == "mesh")
    entries.push_back({"file", place, scalar_node(visual.file, place)});
  else
    entries.push_back({visual.shape, place, visual.shape == "sphere" ? sizes[0] : list_node(std::move(sizes), place)});
  if (visual.scale != Vec3::Ones())
    entries.push_back({"scale", place,
                       visual.scale == Vec3::Constant(visual.scale.x()) ? number_node(visual.scale.x(), place)
                                                                        : vector_node(visual.scale, place)});
  Node frame = frame_node(visual.origin, carrier, place);
  if (frame.kind == Node::Kind::list) frame = map_node({{"at", place, frame}}, place);
  for (Entry& entry : frame.entries) entries.push_back(std::move(entry));
  if (!visual.colour.empty()) entries.push_back({"colour", place, scalar_node(visual.colour, place)});
  return map_node(std::move(entries), place);
}

}  // namespace lithe::io
