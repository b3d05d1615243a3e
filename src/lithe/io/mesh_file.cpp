#include "lithe/io/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace lithe::io {
namespace {

static_assert(sizeof(float) == 4);

constexpr std::size_t stl_head = 84, stl_facet = 50;  // bytes

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

double finite_number(const std::string& word, int line) {
  double value = 0.0;
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, fault] = std::from_chars(begin, word.data() + word.size(), value);
  if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    throw MeshFileError(line, fmt::format("expected a number, but there stands '{}'", word.substr(0, 40)));
  return value;
}

TriangleMesh read_binary_stl(const std::string& bytes) {
  const std::uint32_t count = number_at(bytes, 80);
  TriangleMesh mesh;
  for (std::uint32_t facet = 0; facet < count; ++facet) {
    std::array<float, 9> numbers{};  // behind the normal, which follows from the corners
    std::memcpy(numbers.data(), bytes.data() + stl_head + stl_facet * facet + 12, sizeof numbers);
    const int first = static_cast<int>(mesh.points.size());
    for (std::size_t k = 0; k < 9; k += 3) {
      if (!std::isfinite(numbers[k] + numbers[k + 1] + numbers[k + 2]))
        throw MeshFileError(fmt::format("triangle {} has a corner that is no number", facet + 1));
      mesh.points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh read_text_stl(const std::string& text) {
  TriangleMesh mesh;
  std::istringstream lines(text);
  std::string line, word;
  int number = 0, corners = 0;
  bool in_loop = false, ended = false;
  while (std::getline(lines, line)) {
    ++number;
    std::istringstream words(line);
    if (!(words >> word)) continue;
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "outer") {
      in_loop = true;
      corners = 0;
    } else if (word == "vertex") {
      if (!in_loop) throw MeshFileError(number, "'vertex' outside of 'outer loop'");
      Vec3 point;
      for (int a = 0; a < 3; ++a) {
        if (!(words >> word)) throw MeshFileError(number, "'vertex' needs three numbers");
        point[a] = finite_number(word, number);
      }
      if (++corners > 3) throw MeshFileError(number, "a facet has more than three corners; STL knows triangles only");
      mesh.points.push_back(point);
    } else if (word == "endloop") {
      if (corners != 3) throw MeshFileError(number, fmt::format("a facet has {} corners instead of three", corners));
      const int last = static_cast<int>(mesh.points.size());
      mesh.triangles.push_back({last - 3, last - 2, last - 1});
      in_loop = false;
    } else if (word == "endsolid") {
      ended = true;
    } else if (word != "solid" && word != "facet" && word != "endfacet") {
      throw MeshFileError(number, fmt::format("'{}' is no word of an STL file", word.substr(0, 40)));
    }
  }
  if (in_loop || !ended) throw MeshFileError(number, "the file is cut short: 'endsolid' is missing");
  return mesh;
}

/// The first number of "7/1/3", one-based or from the end, as an index.
int corner_of(const std::string& word, std::size_t points, int line) {
  const std::string number = word.substr(0, word.find('/'));
  long index = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (fault != std::errc() || end != number.data() + number.size() || index == 0)
    throw MeshFileError(line,
                        fmt::format("expected the number of a vertex, but there stands '{}'", word.substr(0, 40)));
  if (index < 0) index += static_cast<long>(points) + 1;
  if (index < 1 || index > static_cast<long>(points))
    throw MeshFileError(line, fmt::format("vertex {} does not exist; {} stand above", number, points));
  return static_cast<int>(index - 1);
}

}  // namespace

std::optional<std::size_t> far_vertex(const TriangleMesh& mesh) {
  for (std::size_t k = 0; k < mesh.points.size(); ++k)
    if (!mesh.points[k].allFinite() || mesh.points[k].cwiseAbs().maxCoeff() > farthest_vertex) return k;
  return std::nullopt;
}

TriangleMesh read_stl(const std::string& bytes) {
  const bool says_solid = bytes.starts_with("solid");
  if (bytes.size() >= stl_head) {
    // Some programs start binary files with "solid", too: the size tells.
    const std::size_t count = number_at(bytes, 80), needed = stl_head + stl_facet * count;
    if (bytes.size() == needed) return read_binary_stl(bytes);
    if (!says_solid && bytes.size() < needed)
      throw MeshFileError(fmt::format("the file is cut short: it announces {} triangles and holds {}", count,
                                      (bytes.size() - stl_head) / stl_facet));
  }
  if (says_solid) return read_text_stl(bytes);
  throw MeshFileError("this is no STL file: it neither starts with 'solid' nor has the size that its head announces");
}

TriangleMesh read_obj(const std::string& text) {
  TriangleMesh mesh;
  std::istringstream lines(text);
  std::string line, word;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    std::istringstream words(line);
    if (!(words >> word)) continue;
    if (word == "v") {
      Vec3 point;
      for (int a = 0; a < 3; ++a) {
        if (!(words >> word)) throw MeshFileError(number, "'v' needs three numbers");
        point[a] = finite_number(word, number);
      }
      mesh.points.push_back(point);
    } else if (word == "f") {
      std::vector<int> corners;
      while (words >> word) corners.push_back(corner_of(word, mesh.points.size(), number));
      if (corners.size() < 3) throw MeshFileError(number, "a face needs three corners or more");
      for (std::size_t k = 2; k < corners.size(); ++k)
        mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
  }
  return mesh;
}

std::vector<MeshPart> read_mesh_file(const std::string& bytes, const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<MeshPart> parts;
  if (ending == ".stl")
    parts = {{read_stl(bytes), std::nullopt}};
  else if (ending == ".obj")
    parts = {{read_obj(bytes), std::nullopt}};
  else if (ending == ".glb" || ending == ".gltf")
    parts = read_gltf(bytes);
  else
    throw MeshFileError(fmt::format("meshes are read from .stl, .obj, .glb and .gltf files, not from '{}'", ending));
  for (const MeshPart& part : parts)
    if (const auto vertex = far_vertex(part.mesh))
      throw MeshFileError(
          fmt::format("vertex {} has a coordinate beyond {:.0e}, which is no length; the file is "
                      "damaged, or its nodes scale too much",
                      *vertex + 1, farthest_vertex));
  const bool is_empty =
      std::all_of(parts.begin(), parts.end(), [](const MeshPart& part) { return part.mesh.triangles.empty(); });
  if (is_empty) throw MeshFileError("the file holds no triangles");
  return parts;
}

}  // namespace lithe::io
