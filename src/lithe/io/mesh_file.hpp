#pragma once
// Surfaces from files of other programs: STL (binary and text), OBJ, glTF 2.0 (.glb, or .gltf with its data inside).

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/links/triangle_mesh.hpp"

namespace lithe::io {

/// A surface of one colour; points in the axes and units of the file.
struct MeshPart {
  TriangleMesh mesh;
  std::optional<Vec3> colour;  ///< sRGB; only glTF files say one
};

/// What is wrong in a mesh file; the message starts with the line where the file has lines.
class MeshFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  MeshFileError(int line, const std::string& message)
      : std::runtime_error("line " + std::to_string(line) + ": " + message) {}
};

constexpr double farthest_vertex =
    1e12;  ///< from the origin along an axis, in units of the file, or m; what is beyond is a mistake
/// The first vertex with a coordinate that is beyond, or no number.
std::optional<std::size_t> far_vertex(const TriangleMesh& mesh);

/// The ending of `path` says the format. Throws MeshFileError.
std::vector<MeshPart> read_mesh_file(const std::string& bytes, const std::string& path);

TriangleMesh read_stl(const std::string& bytes);
TriangleMesh read_obj(const std::string& text);
std::vector<MeshPart> read_gltf(const std::string& bytes);

}  // namespace lithe::io
