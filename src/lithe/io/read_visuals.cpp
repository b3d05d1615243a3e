#include "lithe/io/read_visuals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/mesh_file.hpp"
#include "lithe/io/places.hpp"
#include "lithe/io/source_files.hpp"

namespace lithe::io {
namespace {

constexpr double weld = 1e-6;  ///< of the extent: files of single precision say the same point this differently

/// '#rrggbb'.
std::optional<Vec3> read_colour(const Object& object, Reader& reader) {
  const auto item = object.get("colour");
  const auto text = item ? reader.text(*item) : std::nullopt;
  if (!text) return std::nullopt;
  const bool is_good = text->size() == 7 && text->front() == '#' &&
                       text->find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!is_good) {
    reader.complain(*item, fmt::format("expected a colour like '#4080c0' (red, green, blue), but this is '{}'", *text));
    return std::nullopt;
  }
  Vec3 colour;
  for (int a = 0; a < 3; ++a) colour[a] = std::stoi(text->substr(1 + 2 * a, 2), nullptr, 16) / 255.0;
  return colour;
}

/// One number, or one per axis of the mesh; none is zero.
Vec3 read_scale(const Object& object, Reader& reader) {
  const auto item = object.get("scale");
  if (!item) return Vec3::Ones();
  Vec3 scale = Vec3::Ones();
  if (item->node->kind == Node::Kind::list) {
    const auto numbers = reader.numbers(*item, 3, 3);
    if (!numbers) return scale;
    scale = Vec3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
  } else {
    scale = Vec3::Constant(reader.number(*item).value_or(1.0));
  }
  if ((scale.array() == 0.0).any()) {
    reader.complain(*item, "a scale of zero leaves nothing of the mesh; millimetres have 0.001");
    return Vec3::Ones();
  }
  return scale;
}

/// The parts of the file that `file` names, welded, in the axes of the file.
std::vector<MeshPart> read_parts(const Object& object, Reader& reader) {
  const auto item = object.get("file");
  const auto name = item ? reader.text(*item) : std::nullopt;
  if (!name) return {};
  const std::string path = beside(item->node->place, *name).string();
  const FileText file = reader.files.read(*item->node, path);
  if (!file.fault.empty()) {
    reader.complain(*item, fmt::format("the file '{}' cannot be read: {}", path, file.fault));
    return {};
  }
  try {
    std::vector<MeshPart> parts = read_mesh_file(file.text, path);
    for (MeshPart& part : parts) part.mesh = welded(part.mesh, weld * extent_of(part.mesh));
    std::erase_if(parts,
                  [](const MeshPart& part) { return part.mesh.triangles.empty() || !(extent_of(part.mesh) > 0.0); });
    if (parts.empty()) throw MeshFileError("all its triangles are without area");
    return parts;
  } catch (const MeshFileError& error) {
    reader.complain(*item, fmt::format("the file '{}': {}", path, error.what()));
    return {};
  }
}

std::vector<MeshPart> parts_of_shape(const Object& object, Reader& reader) {
  if (const auto item = object.get("box")) {
    const auto edges = reader.numbers(*item, 3, 3);
    if (edges) return {{box_mesh({(*edges)[0], (*edges)[1], (*edges)[2]}), std::nullopt}};
  }
  if (const auto item = object.get("cylinder")) {
    const auto sizes = reader.numbers(*item, 2, 2);
    if (sizes) return {{cylinder_mesh((*sizes)[0], (*sizes)[1]), std::nullopt}};
  }
  if (const auto item = object.get("sphere")) {
    const auto radius = reader.number(*item);
    if (radius) return {{sphere_mesh(*radius), std::nullopt}};
  }
  return {};
}

std::vector<Visual> visuals_of(const Object& object, std::vector<MeshPart> parts, const std::string& source,
                               const std::string& link, Reader& reader) {
  Pose pose;
  if (const auto at = object.get("at")) pose.position = reader.point(*at).value_or(Vec3::Zero());
  pose.rotation = read_rotation(object, reader);
  const Vec3 scale = read_scale(object, reader);
  const std::optional<Vec3> colour = read_colour(object, reader);
  std::vector<Visual> visuals;
  for (MeshPart& part : parts) {
    Visual visual{link, source, placed(std::move(part.mesh), scale, pose), colour ? colour : part.colour, 0, true};
    visual.given = visual.mesh.triangles.size();
    if (far_vertex(visual.mesh)) {
      reader.complain(object.item(), fmt::format("with this size, scale and place it reaches beyond {:.0e} m, where "
                                                 "nothing can be drawn",
                                                 farthest_vertex));
      return {};
    }
    visuals.push_back(std::move(visual));
  }
  return visuals;
}

}  // namespace

std::vector<MapRules> visual_sections() {
  const auto placement = [](std::vector<KeyRule> keys) {
    keys.push_back(optional_key("scale", "plain | list of plain",
                                "Of the mesh, one number or one per axis; millimetres have 0.001; default 1."));
    keys.push_back(optional_key("at", "point", "Where the origin of the mesh is in link axes, m; default the origin."));
    keys.push_back(optional_key("rotate", "turn | list of turn",
                                "Turns of the mesh, one after the other, each about the axes already turned."));
    keys.push_back(optional_key("quaternion", "list of plain", "Rotation as [w, x, y, z], in place of rotate."));
    keys.push_back(optional_key("colour", "text", "'#rrggbb'; default: that of the file, else that of links."));
    return keys;
  };
  const char* file_doc = "STL, OBJ or glTF file (.stl, .obj, .glb, .gltf), relative to the model file.";
  return {{"visual",
           "a visual",
           "What a link looks like in pictures. It bends with the link; the mass has nothing to do with it.",
           placement({optional_key("file", "text", file_doc),
                      optional_key("box", "list of positive", "Edge lengths along x, y, z, m."),
                      optional_key("cylinder", "list of positive", "Radius and length, m; along z."),
                      optional_key("sphere", "positive", "Radius, m.")}),
           {"file", "box", "cylinder", "sphere"}},
          {"mesh",
           "a mesh",
           "Uniform solid body inside a closed mesh, which is also what the link looks like.",
           placement({needed_key("file", "text", file_doc), optional_key("density", "positive", "kg/m^3."),
                      optional_key("mass", "not-negative", "kg."),
                      optional_key("material", "name", "Name of a material that gives the density.")}),
           {"density", "mass", "material"}}};
}

std::vector<Visual> read_visuals(const Item& item, const std::string& link, Reader& reader) {
  std::vector<Item> items{item};
  if (item.node->kind == Node::Kind::list) items = reader.list(item).value_or(std::vector<Item>{});
  std::vector<Visual> visuals;
  for (const Item& each : items) {
    const auto object = reader.object(each, "visual");
    if (!object) continue;
    const auto file = object->get("file");
    std::vector<MeshPart> parts = file ? read_parts(*object, reader) : parts_of_shape(*object, reader);
    for (Visual& visual : visuals_of(*object, std::move(parts), file ? file->node->text : "a shape", link, reader))
      visuals.push_back(std::move(visual));
  }
  return visuals;
}

std::optional<MeshBody> read_mesh_body(const Item& item, const std::string& link, const Materials& materials,
                                       Reader& reader) {
  const auto object = reader.object(item, "mesh");
  if (!object) return std::nullopt;
  const auto mass_item = object->get("mass"), density_item = object->get("density"), material = object->get("material");
  const auto mass = mass_item ? reader.number(*mass_item) : std::nullopt;
  auto density = density_item ? reader.number(*density_item) : std::nullopt;
  if (material) density = materials.density(*material, reader);
  std::vector<MeshPart> parts = read_parts(*object, reader);
  MeshBody body;
  body.visuals = visuals_of(*object, parts, object->has("file") ? object->get("file")->node->text : "", link, reader);
  for (Visual& visual : body.visuals) visual.replaces = false;
  if (body.visuals.empty() || (!mass && !density)) return body;
  TriangleMesh whole;  // surfaces of several colours may enclose the body only together
  for (const Visual& visual : body.visuals) {
    const int first = static_cast<int>(whole.points.size());
    whole.points.insert(whole.points.end(), visual.mesh.points.begin(), visual.mesh.points.end());
    for (const auto& [a, b, c] : visual.mesh.triangles) whole.triangles.push_back({first + a, first + b, first + c});
  }
  whole = welded(whole, weld * extent_of(whole));
  const MeshGaps gaps = gaps_of(whole);
  const Item file = *object->get("file");
  if (gaps.open > 0 || gaps.turned > 0) {
    const std::string what = gaps.open > 0 ? fmt::format("it has {} open edge{}", gaps.open, gaps.open == 1 ? "" : "s")
                                           : fmt::format("at {} edges its triangles face opposite ways", gaps.turned);
    reader.complain(file,
                    fmt::format("the mesh encloses no body: {}; mend it, or give the mass properties with 'rigid' "
                                "and the mesh as 'visual'",
                                what));
    return body;
  }
  const EnclosedVolume solid = enclosed_volume(whole);
  const double extent = extent_of(whole);
  if (!(solid.volume > 1e-9 * extent * extent * extent)) {
    reader.complain(file,
                    "the mesh encloses no volume; give the mass properties with 'rigid' and the mesh as 'visual'");
    return body;
  }
  const double weight = density ? *density : *mass / solid.volume;  // kg/m^3
  body.mass = weight * solid.volume;
  body.centre = solid.centre;
  body.inertia = weight * solid.inertia;
  return body;
}

std::size_t page_bytes(const TriangleMesh& mesh) {
  const std::size_t corner = mesh.points.size() <= 65536 ? 2 : 4;
  return (6 * mesh.points.size() + 3 * corner * mesh.triangles.size()) * 4 / 3;
}

void bound_visuals(std::vector<Visual>& visuals, std::size_t most) {
  std::size_t all = 0;
  for (const Visual& visual : visuals) all += page_bytes(visual.mesh);
  if (all <= most) return;
  const double share = static_cast<double>(most) / static_cast<double>(all);
  for (Visual& visual : visuals) {
    const auto room = static_cast<std::size_t>(share * static_cast<double>(page_bytes(visual.mesh)));
    const TriangleMesh whole = std::move(visual.mesh);
    double cell = extent_of(whole) / 512.0;
    do {
      visual.mesh = clustered(whole, cell);
      cell *= 1.2;
    } while (page_bytes(visual.mesh) > room && visual.mesh.points.size() > 8);
  }
}

std::string describe_visuals(const std::vector<Visual>& visuals) {
  if (visuals.empty()) return {};
  std::size_t triangles = 0, given = 0, bytes = 0;
  for (const Visual& visual : visuals) {
    triangles += visual.mesh.triangles.size();
    given += visual.given;
    bytes += page_bytes(visual.mesh);
  }
  const std::string coarser = triangles < given ? fmt::format(" of {}, made coarser for the page", given) : "";
  return fmt::format("meshes: {} with {} triangles{}, {:.1f} kB", visuals.size(), triangles, coarser,
                     1e-3 * static_cast<double>(bytes));
}

}  // namespace lithe::io
