// Any bytes given as a mesh file of each format end in a solid or a look that can be placed, made coarser and drawn, or in an error.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lithe/io/mesh_file.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/read_visuals.hpp"
#include "lithe/io/report.hpp"
#include "refusal.hpp"

namespace {

/// The mesh as a solid, whose mass properties follow from it, and as a look, mirrored and turned.
std::string model_with(const std::string& file) {
  return "lithe: 1\nname: body\nlinks:\n  solid: {mesh: {file: " + file +
         ", density: 1000}}\n  look: {rigid: {mass: 1, inertia: [1, 1, 1]}, visual: {file: " + file +
         ", scale: [1, -2, 0.5], at: [0, 0.1], rotate: {axis: z, angle: 1}}}\njoints:\n"
         "  air: {free: true, from: ground, to: solid}\n  weld: {fixed: true, from: solid, to: look}\n";
}

void require_sound(const lithe::TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.points.size());
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle)
      if (corner < 0 || corner >= count) std::abort();
  for (const lithe::Vec3& point : mesh.points)
    if (!point.allFinite()) std::abort();
}

void read_as(const std::string& bytes, const std::string& name) {
  try {
    for (const lithe::io::MeshPart& part : lithe::io::read_mesh_file(bytes, name)) require_sound(part.mesh);
  } catch (const lithe::io::MeshFileError& error) {
    if (std::string(error.what()).empty()) std::abort();
    return;
  }
  lithe::fuzz::expect_or_refuse([&] {
    lithe::Model model = lithe::io::load_with_files(model_with(name), "fuzz.yaml", {}, {{name, bytes}});
    lithe::make_report(model);
    std::size_t before = 0;
    for (const lithe::Visual& visual : model.visuals) {
      require_sound(visual.mesh);
      before += lithe::io::page_bytes(visual.mesh);
    }
    lithe::io::bound_visuals(model.visuals, before / 3);
    for (const lithe::Visual& visual : model.visuals) require_sound(visual.mesh);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"body.stl", "body.obj", "body.glb"}) read_as(bytes, name);
  return 0;
}
