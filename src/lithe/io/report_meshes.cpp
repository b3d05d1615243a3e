#include "lithe/io/report_meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lithe/io/report_numbers.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr double steps = 65535.0;

std::string colour_text(const Vec3& colour) {
  const auto part = [&](int a) { return static_cast<int>(std::lround(255.0 * std::clamp(colour[a], 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2));
}

Vec3 colour_of_text(const std::string& text) {
  Vec3 colour;
  for (int a = 0; a < 3; ++a) colour[a] = std::stoi(text.substr(1 + 2 * a, 2), nullptr, 16) / 255.0;
  return colour;
}

template <class Number>
std::string packed_triangles(const TriangleMesh& mesh) {
  std::vector<Number> corners;
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle) corners.push_back(static_cast<Number>(corner));
  return packed_bytes(corners.data(), sizeof(Number) * corners.size());
}

template <class Number>
std::vector<Number> unpacked_numbers(const std::string& text) {
  const std::string bytes = unpacked_bytes(text);
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::copy_n(bytes.data(), numbers.size() * sizeof(Number), reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

template <class Number>
std::vector<std::array<int, 3>> triangles_of(const std::string& text, std::size_t points) {
  const std::vector<Number> corners = unpacked_numbers<Number>(text);
  std::vector<std::array<int, 3>> triangles;
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
    for (std::size_t c = k; c < k + 3; ++c)
      if (corners[c] >= points) throw std::runtime_error("a stored mesh names a point that is not there");
    triangles.push_back(
        {static_cast<int>(corners[k]), static_cast<int>(corners[k + 1]), static_cast<int>(corners[k + 2])});
  }
  return triangles;
}

}  // namespace

Json mesh_block(const Visual& visual) {
  const std::vector<Vec3>& points = visual.mesh.points;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (!points.empty()) low = high = points[0];
  for (const Vec3& point : points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  const Vec3 size = high - low;
  std::vector<std::uint16_t> numbers;
  for (const Vec3& point : points)
    for (int a = 0; a < 3; ++a)
      numbers.push_back(static_cast<std::uint16_t>(
          size[a] > 0.0 ? std::lround(std::clamp(steps * (point[a] - low[a]) / size[a], 0.0, steps)) : 0));
  const bool wide = points.size() > 65536;
  Json block{{"low", {low.x(), low.y(), low.z()}},
             {"size", {size.x(), size.y(), size.z()}},
             {"points", packed_bytes(numbers.data(), 2 * numbers.size())},
             {"triangles",
              wide ? packed_triangles<std::uint32_t>(visual.mesh) : packed_triangles<std::uint16_t>(visual.mesh)}};
  if (wide) block["wide"] = true;
  if (visual.colour) block["colour"] = colour_text(*visual.colour);
  return block;
}

Json mesh_blocks(const Model& model, const std::string& link) {
  Json blocks = Json::array();
  for (const Visual& visual : model.visuals)
    if (visual.link == link) blocks.push_back(mesh_block(visual));
  return blocks;
}

bool has_visual(const Model& model, const std::string& link) {
  return std::any_of(model.visuals.begin(), model.visuals.end(), [&](const Visual& v) { return v.link == link; });
}

bool replaces_drawing(const Model& model, const std::string& link) {
  return std::any_of(model.visuals.begin(), model.visuals.end(),
                     [&](const Visual& visual) { return visual.link == link && visual.replaces; });
}

Json visuals_tree(const Model& model) {
  Json tree = Json::array();
  for (const Visual& visual : model.visuals) {
    Json block = mesh_block(visual);
    block["link"] = visual.link;
    block["source"] = visual.source;
    block["given"] = visual.given;
    block["replaces"] = visual.replaces;
    tree.push_back(std::move(block));
  }
  return tree;
}

std::vector<Visual> visuals_of_tree(const nlohmann::json& tree) {
  std::vector<Visual> visuals;
  for (const nlohmann::json& block : tree) {
    Visual visual{block.at("link").get<std::string>(),  block.at("source").get<std::string>(), {}, {},
                  block.at("given").get<std::size_t>(), block.at("replaces").get<bool>()};
    const auto low = block.at("low").get<std::array<double, 3>>(), size = block.at("size").get<std::array<double, 3>>();
    const auto numbers = unpacked_numbers<std::uint16_t>(block.at("points").get<std::string>());
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
      visual.mesh.points.emplace_back(low[0] + size[0] * numbers[k] / steps, low[1] + size[1] * numbers[k + 1] / steps,
                                      low[2] + size[2] * numbers[k + 2] / steps);
    const auto text = block.at("triangles").get<std::string>();
    const std::size_t count = visual.mesh.points.size();
    visual.mesh.triangles = block.value("wide", false) ? triangles_of<std::uint32_t>(text, count)
                                                       : triangles_of<std::uint16_t>(text, count);
    const std::string colour = block.value("colour", "");
    const bool has_colour = colour.size() == 7 && colour.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
    if (has_colour) visual.colour = colour_of_text(colour);
    visuals.push_back(std::move(visual));
  }
  return visuals;
}

}  // namespace lithe::detail
