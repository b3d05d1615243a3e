// glTF 2.0: the triangles of the default scene, with the colours of their materials. Data stand inside the file.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "lithe/io/mesh_file.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe::io {
namespace {

using nlohmann::json;

// A file whose nodes share children and meshes could ask for any number of them.
constexpr int most_visits = 100000;                ///< of nodes and of surfaces
constexpr std::size_t most_vertices = 20'000'000;  ///< and corners of triangles
constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

struct Container {
  json tree;
  std::string binary;  ///< buffer 0 of a .glb
};

json parsed(const std::string& text) {
  json tree = detail::json_or_discarded(text);
  if (!tree.is_object()) throw MeshFileError("this is no glTF file: its description is no JSON");
  return tree;
}

Container unpacked(const std::string& bytes) {
  if (!bytes.starts_with("glTF")) return {parsed(bytes), {}};
  Container container;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    if (at + 4 > bytes.size()) throw MeshFileError("the file is cut short");
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
  };
  if (word(4) != 2) throw MeshFileError(fmt::format("glTF version {} is not known; version 2 is", word(4)));
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t size = word(at), kind = word(at + 4);
    if (size > bytes.size() - at - 8) throw MeshFileError("the file is cut short");
    const std::string chunk = bytes.substr(at + 8, size);
    if (kind == json_chunk)
      container.tree = parsed(chunk);
    else if (kind == binary_chunk)
      container.binary = chunk;
    at += 8 + size;
  }
  if (!container.tree.is_object()) throw MeshFileError("the file has no description");
  return container;
}

/// sRGB of a share of light.
double display_value(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

class Gltf {
 public:
  explicit Gltf(Container container) : tree_(std::move(container.tree)) {
    for (const json& name : tree_.value("extensionsRequired", json::array()))
      throw MeshFileError(fmt::format("the file needs the extension '{}'; export it without compression and extensions",
                                      name.get<std::string>()));
    for (const json& buffer : tree_.value("buffers", json::array())) {
      const std::string uri = buffer.value("uri", "");
      const std::size_t comma = uri.find(',');
      if (uri.empty())
        buffers_.push_back(container.binary);
      else if (uri.starts_with("data:") && comma != std::string::npos)
        buffers_.push_back(bytes_of(std::string_view(uri).substr(comma + 1)));
      else
        throw MeshFileError(fmt::format("its data stand in another file, '{}'; export it as .glb", uri.substr(0, 80)));
    }
  }

  std::vector<MeshPart> read() {
    const json& scenes = tree_.value("scenes", json::array());
    if (scenes.empty()) {
      for (std::size_t k = 0; k < tree_.value("meshes", json::array()).size(); ++k)
        add_mesh(static_cast<int>(k), Eigen::Affine3d::Identity());
    } else {
      const json scene = at(scenes, tree_.value("scene", 0), "scene");
      for (const json& node : scene.value("nodes", json::array())) walk(node.get<int>(), Eigen::Affine3d::Identity());
    }
    return std::move(parts_);
  }

 private:
  static std::string bytes_of(std::string_view base64) {
    try {
      return detail::unpacked_bytes(base64);
    } catch (const std::runtime_error& error) {
      throw MeshFileError(fmt::format("a buffer {}", error.what()));
    }
  }
  static const json& at(const json& list, int index, const char* what) {
    if (!list.is_array() || index < 0 || index >= static_cast<int>(list.size()))
      throw MeshFileError(fmt::format("it names {} {}, which is not there", what, index));
    return list[index];
  }
  const json& entry(const char* section, int index) {
    static const json none = json::array();
    return at(tree_.contains(section) ? tree_[section] : none, index, section);
  }

  static Eigen::Affine3d placement(const json& node) {
    Eigen::Affine3d place = Eigen::Affine3d::Identity();
    if (node.contains("matrix")) {
      const auto numbers = node["matrix"].get<std::array<double, 16>>();
      place.matrix() = Eigen::Map<const Eigen::Matrix4d>(numbers.data());
      return place;
    }
    const auto shift = node.value("translation", std::array{0.0, 0.0, 0.0}),
               scale = node.value("scale", std::array{1.0, 1.0, 1.0});
    const auto turn = node.value("rotation", std::array{0.0, 0.0, 0.0, 1.0});
    place.translate(Vec3(shift[0], shift[1], shift[2]));
    place.rotate(Quat(turn[3], turn[0], turn[1], turn[2]).normalized());
    place.scale(Vec3(scale[0], scale[1], scale[2]));
    return place;
  }

  void walk(int index, const Eigen::Affine3d& parent) {
    count_visit();
    path_.push_back(index);
    const json& node = entry("nodes", index);
    const Eigen::Affine3d place = parent * placement(node);
    if (node.contains("mesh")) add_mesh(node["mesh"].get<int>(), place);
    for (const json& child : node.value("children", json::array())) walk(child.get<int>(), place);
    path_.pop_back();
  }

  void count_visit() {
    if (++visits_ > most_visits || path_.size() > 64)
      throw MeshFileError("its nodes are too many, nested too deeply, or in a circle");
  }

  void add_mesh(int index, const Eigen::Affine3d& place) {
    for (const json& primitive : entry("meshes", index).value("primitives", json::array())) {
      count_visit();
      const int mode = primitive.value("mode", 4);
      if (mode < 4) continue;  // points and lines
      if (mode > 4) throw MeshFileError("a surface is a strip or fan of triangles; export it as plain triangles");
      MeshPart part;
      for (const Vec3& point : positions(primitive.at("attributes").at("POSITION").get<int>()))
        part.mesh.points.push_back(place * point);
      const int count = static_cast<int>(part.mesh.points.size());
      std::vector<int> corners;
      if (primitive.contains("indices")) {
        corners = indices(primitive["indices"].get<int>());
      } else {
        for (int k = 0; k < count; ++k) corners.push_back(k);
      }
      const bool is_mirrored = place.linear().determinant() < 0.0;
      for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
        std::array<int, 3> triangle{corners[k], corners[k + 1], corners[k + 2]};
        if (std::any_of(triangle.begin(), triangle.end(), [&](int corner) { return corner < 0 || corner >= count; }))
          throw MeshFileError(fmt::format("a triangle names a vertex that is not there; there are {}", count));
        if (is_mirrored) std::swap(triangle[1], triangle[2]);
        part.mesh.triangles.push_back(triangle);
      }
      vertices_ += part.mesh.points.size() + corners.size();
      if (vertices_ > most_vertices)
        throw MeshFileError(fmt::format(
            "its nodes show more than {} vertices and corners altogether; export a coarser mesh, or fewer copies",
            most_vertices));
      if (primitive.contains("material")) part.colour = colour(entry("materials", primitive["material"].get<int>()));
      parts_.push_back(std::move(part));
    }
  }

  static std::optional<Vec3> colour(const json& material) {
    if (!material.contains("pbrMetallicRoughness")) return std::nullopt;
    const json& surface = material["pbrMetallicRoughness"];
    if (!surface.contains("baseColorFactor")) return std::nullopt;
    const auto light = surface["baseColorFactor"].get<std::array<double, 4>>();
    return Vec3(display_value(light[0]), display_value(light[1]), display_value(light[2]));
  }

  /// Where the numbers of an accessor stand: buffer, first byte, distance and count, all within the buffer.
  struct Stretch {
    const std::string* buffer = nullptr;
    std::size_t first = 0, stride = 0, count = 0;
  };
  Stretch stretch(const json& accessor, std::size_t element) {
    if (accessor.contains("sparse") || !accessor.contains("bufferView"))
      throw MeshFileError("it has sparse data, which are not read; export it without");
    const json& view = entry("bufferViews", accessor["bufferView"].get<int>());
    const int buffer = view.value("buffer", 0);
    if (buffer < 0 || buffer >= static_cast<int>(buffers_.size())) throw MeshFileError("a buffer is missing");
    Stretch found{&buffers_[buffer], 0, view.value("byteStride", element), accessor.value("count", std::size_t{0})};
    found.first = view.value("byteOffset", std::size_t{0}) + accessor.value("byteOffset", std::size_t{0});
    const std::size_t size = found.buffer->size();
    if (found.count > 0 && (found.stride < element || found.first > size || element > size - found.first ||
                            (found.count - 1) > (size - found.first - element) / found.stride))
      throw MeshFileError("the file is cut short: a buffer is smaller than what is said to stand in it");
    return found;
  }

  std::vector<Vec3> positions(int index) {
    const json& accessor = entry("accessors", index);
    if (accessor.value("componentType", 0) != 5126 || accessor.value("type", "") != "VEC3")
      throw MeshFileError("its vertices are not given as triples of floats");
    const Stretch from = stretch(accessor, 12);
    std::vector<Vec3> points;
    for (std::size_t k = 0; k < from.count; ++k) {
      std::array<float, 3> numbers{};
      std::memcpy(numbers.data(), from.buffer->data() + from.first + k * from.stride, 12);
      if (!std::isfinite(numbers[0] + numbers[1] + numbers[2]))
        throw MeshFileError(fmt::format("vertex {} is no number", k));
      points.emplace_back(numbers[0], numbers[1], numbers[2]);
    }
    return points;
  }

  std::vector<int> indices(int index) {
    const json& accessor = entry("accessors", index);
    const int type = accessor.value("componentType", 0);
    const std::size_t size = type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 ? 4 : 0;
    if (size == 0) throw MeshFileError("its triangles are not given by whole numbers");
    const Stretch from = stretch(accessor, size);
    std::vector<int> numbers;
    for (std::size_t k = 0; k < from.count; ++k) {
      std::uint32_t number = 0;
      std::memcpy(&number, from.buffer->data() + from.first + k * from.stride, size);  // little-endian
      numbers.push_back(number > 0x7fffffffU ? -1 : static_cast<int>(number));
    }
    return numbers;
  }

  json tree_;
  std::vector<std::string> buffers_;
  std::vector<MeshPart> parts_;
  std::vector<int> path_;  ///< nodes above the present one
  int visits_ = 0;
  std::size_t vertices_ = 0;  ///< of all surfaces so far, and corners of their triangles
};

}  // namespace

std::vector<MeshPart> read_gltf(const std::string& bytes) {
  try {
    return Gltf(unpacked(bytes)).read();
  } catch (const json::exception& error) {
    throw MeshFileError(fmt::format("its description is not as glTF wants it: {}", error.what()));
  }
}

}  // namespace lithe::io
