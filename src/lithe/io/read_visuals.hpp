#pragma once
// What links look like (`visual:`, `scenery:`), and bodies whose inertia is that of a closed mesh (`mesh:`).

#include <optional>
#include <vector>

#include "lithe/io/materials.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/links/triangle_mesh.hpp"

namespace lithe::io {

/// Sections "visual" and "mesh" of the rules.
std::vector<MapRules> visual_sections();

/// One visual or a list of them.
std::vector<Visual> read_visuals(const Item& item, const std::string& link, Reader& reader);

/// A body that a mesh encloses; inertia about its mass centre, link axes.
struct MeshBody {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  std::vector<Visual> visuals;
};
std::optional<MeshBody> read_mesh_body(const Item& item, const std::string& link, const Materials& materials,
                                       Reader& reader);

/// Bytes of all meshes as a page carries them, at most; larger ones are made coarser, all in the same measure.
constexpr std::size_t most_mesh_bytes = 2'000'000;
void bound_visuals(std::vector<Visual>& visuals, std::size_t most = most_mesh_bytes);

/// Bytes of a mesh on a page: three 16-bit numbers per point, three 16- or 32-bit numbers per triangle, in base64.
std::size_t page_bytes(const TriangleMesh& mesh);

/// "meshes: 3 with 5120 triangles (of 84000), 122 kB"; empty without meshes.
std::string describe_visuals(const std::vector<Visual>& visuals);

}  // namespace lithe::io
