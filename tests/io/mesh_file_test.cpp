// Meshes from files: the same body in every format, what is wrong in broken files, and links that look like them.

#include "lithe/io/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "lithe/io/load_model.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/read_visuals.hpp"
#include "lithe/io/report.hpp"
#include "lithe/io/report_meshes.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "support/complaint.hpp"
#include "support/source_folder.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe::io {
namespace {

const TriangleMesh brick = box_mesh({0.25, 0.5, 1.0});  // numbers that single precision holds exactly

std::string binary_stl(const TriangleMesh& mesh) {
  std::string bytes(84, '\0');
  std::memcpy(bytes.data(), "solid is what this head says although it is binary", 50);
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  std::memcpy(bytes.data() + 80, &count, 4);
  for (const auto& triangle : mesh.triangles) {
    std::array<float, 12> numbers{};
    for (int k = 0; k < 9; ++k) numbers[3 + k] = static_cast<float>(mesh.points[triangle[k / 3]][k % 3]);
    bytes.append(reinterpret_cast<const char*>(numbers.data()), 48);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string text_stl(const TriangleMesh& mesh) {
  std::string text = "solid brick\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int corner : triangle) {
      const Vec3& p = mesh.points[corner];
      text +=
          "  vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " +" + std::to_string(p.z() + 0.5) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid brick\n";
}

std::string quads_obj() {
  std::string text = "# quads\no brick\n";
  for (const Vec3& p : brick.points)
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
  text += "vn 0 0 1\nusemtl red\n";
  for (const char* face : {"1 3 4 2", "5/1 6/2 8/3 7/4", "1//1 2//1 6//1 5//1", "-6 -2 -1 -5", "1 5 7 3", "2 4 8 6"})
    text += std::string("f ") + face + "\n";
  return text;
}

nlohmann::json brick_gltf() {
  std::vector<float> points;
  std::vector<std::uint16_t> corners;
  for (const Vec3& p : brick.points)
    for (int a = 0; a < 3; ++a) points.push_back(static_cast<float>(p[a]));
  for (const auto& triangle : brick.triangles)
    for (const int corner : triangle) corners.push_back(static_cast<std::uint16_t>(corner));
  std::string bytes(reinterpret_cast<const char*>(points.data()), 4 * points.size());
  bytes.append(reinterpret_cast<const char*>(corners.data()), 2 * corners.size());
  return {
      {"asset", {{"version", "2.0"}}},
      {"scene", 0},
      {"scenes", {{{"nodes", {0}}}}},
      {"nodes", {{{"children", {1}}, {"translation", {0, 0, 1}}}, {{"mesh", 0}, {"scale", {2, 1, 1}}}}},
      {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"material", 0}}}}}}},
      {"materials", {{{"pbrMetallicRoughness", {{"baseColorFactor", {1.0, 0.21404114, 0.0, 1.0}}}}}}},
      {"accessors",
       {{{"bufferView", 0}, {"componentType", 5126}, {"type", "VEC3"}, {"count", 8}},
        {{"bufferView", 1}, {"componentType", 5123}, {"type", "SCALAR"}, {"count", 36}}}},
      {"bufferViews", {{{"buffer", 0}, {"byteLength", 96}}, {{"buffer", 0}, {"byteOffset", 96}, {"byteLength", 72}}}},
      {"buffers",
       {{{"byteLength", 168},
         {"uri", "data:application/octet-stream;base64," + detail::packed_bytes(bytes.data(), bytes.size())}}}}};
}

double volume_of(const std::string& bytes, const std::string& name) {
  TriangleMesh mesh = read_mesh_file(bytes, name).at(0).mesh;
  mesh = welded(mesh, 1e-6);
  EXPECT_EQ(gaps_of(mesh).open + gaps_of(mesh).turned, 0) << name;
  return enclosed_volume(mesh).volume;
}

TEST(MeshFile, EveryFormatHoldsTheSameBody) {
  EXPECT_NEAR(volume_of(binary_stl(brick), "a.stl"), 0.125, 1e-15);
  EXPECT_NEAR(volume_of(text_stl(brick), "a.STL"), 0.125, 1e-15);
  EXPECT_NEAR(volume_of(quads_obj(), "a.obj"), 0.125, 1e-15);
  // Twice as long in x by its node.
  EXPECT_NEAR(volume_of(brick_gltf().dump(), "a.gltf"), 0.25, 1e-15);
  const std::vector<MeshPart> parts = read_mesh_file(brick_gltf().dump(), "a.gltf");
  EXPECT_NEAR(enclosed_volume(parts[0].mesh).centre.z(), 1.0, 1e-15);
  // 0.214 of the light is half of the way on a screen (IEC 61966-2-1).
  EXPECT_LT((parts[0].colour.value() - Vec3(1, 0.5, 0)).norm(), 1e-6);
}

std::string fault_of(const std::string& bytes, const std::string& name) {
  return testing::complaint_of([&] { read_mesh_file(bytes, name); });
}

TEST(MeshFile, BrokenFilesAreToldApart) {
  EXPECT_EQ(fault_of("", "a.stl"),
            "this is no STL file: it neither starts with 'solid' nor has the size that its head announces");
  std::string binary = binary_stl(brick);
  binary[0] = 'x';
  EXPECT_EQ(fault_of(binary.substr(0, 84 + 50 * 5 + 7), "a.stl"),
            "the file is cut short: it announces 12 triangles and holds 5");
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(binary.data() + 84 + 50 + 12, &nothing, 4);
  EXPECT_EQ(fault_of(binary, "a.stl"), "triangle 2 has a corner that is no number");
  EXPECT_EQ(fault_of("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a.stl"),
            "line 4: 'vertex' needs three numbers");
  EXPECT_EQ(fault_of("solid\nouter loop\nvertex 0 0 zero\n", "a.stl"),
            "line 3: expected a number, but there stands 'zero'");
  EXPECT_EQ(fault_of("solid\nouter loop\nvertex 0 0 0\nendloop\n", "a.stl"),
            "line 4: a facet has 1 corners instead of three");
  EXPECT_EQ(fault_of("solid\n", "a.stl"), "line 1: the file is cut short: 'endsolid' is missing");
  EXPECT_EQ(fault_of("solid\nendsolid\n", "a.stl"), "the file holds no triangles");
  EXPECT_EQ(fault_of("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj"), "line 3: vertex 3 does not exist; 2 stand above");
  EXPECT_EQ(fault_of("v 0 0 0\nf 1 1\n", "a.obj"), "line 2: a face needs three corners or more");
  EXPECT_EQ(fault_of("v 0 0 0\nf 1 x 1\n", "a.obj"), "line 2: expected the number of a vertex, but there stands 'x'");
  EXPECT_EQ(
      fault_of("v 0 0 0\nv 2e12 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj"),
      "vertex 2 has a coordinate beyond 1e+12, which is no length; the file is damaged, or its nodes scale too much");
  EXPECT_EQ(fault_of("", "a.dae"), "meshes are read from .stl, .obj, .glb and .gltf files, not from '.dae'");
  EXPECT_EQ(fault_of("{", "a.gltf"), "this is no glTF file: its description is no JSON");
  EXPECT_EQ(fault_of("glTF", "a.glb"), "the file is cut short");
}

TEST(MeshFile, BrokenGltfIsToldApart) {
  const auto changed = [](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json tree = brick_gltf();
    change(tree);
    return fault_of(tree.dump(), "a.gltf");
  };
  EXPECT_EQ(changed([](auto& t) { t["buffers"][0]["uri"] = "brick.bin"; }),
            "its data stand in another file, 'brick.bin'; export it as .glb");
  EXPECT_EQ(changed([](auto& t) { t["accessors"][1]["count"] = 37; }),
            "the file is cut short: a buffer is smaller than what is said to stand in it");
  EXPECT_EQ(changed([](auto& t) { t["accessors"][0]["count"] = 7; }),
            "a triangle names a vertex that is not there; there are 7");
  EXPECT_EQ(changed([](auto& t) { t["nodes"][1]["children"] = {0}; }),
            "its nodes are too many, nested too deeply, or in a circle");
  EXPECT_EQ(changed([](auto& t) { t["nodes"][1]["mesh"] = 4; }), "it names meshes 4, which is not there");
  EXPECT_EQ(changed([](auto& t) { t["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
            "the file needs the extension 'KHR_draco_mesh_compression'; export it without compression and extensions");
  EXPECT_EQ(
      changed([](auto& t) {
        t["nodes"][1]["scale"] = {1e200, 1, 1}, t["nodes"][0]["scale"] = {1e200, 0, 1};
      }),
      "vertex 1 has a coordinate beyond 1e+12, which is no length; the file is damaged, or its nodes scale too much");
  EXPECT_TRUE(changed([](auto& t) {
                t["meshes"][0]["primitives"][0].erase("attributes");
              }).starts_with("its description is not as glTF wants it: "));
}

TEST(MeshFile, CopiesWithoutEndAreRefused) {
  nlohmann::json copies = brick_gltf();
  copies["scenes"][0]["nodes"] = std::vector<int>(100001, 1);
  EXPECT_EQ(fault_of(copies.dump(), "a.gltf"), "its nodes are too many, nested too deeply, or in a circle");
  // A surface without vertices costs its visit, too.
  nlohmann::json surfaces = brick_gltf();
  surfaces["meshes"][0]["primitives"] = std::vector<nlohmann::json>(100001, {{"mode", 1}});
  EXPECT_EQ(fault_of(surfaces.dump(), "a.gltf"), "its nodes are too many, nested too deeply, or in a circle");
  // Each copy shows 8 + 36 * 400 = 14408 vertices and corners, so that 1388 copies are 20 million and one more is too much.
  nlohmann::json large = brick_gltf();
  const std::vector<std::uint16_t> corners(36 * 400, 0);
  large["buffers"].push_back({{"uri", "data:," + detail::packed_bytes(corners.data(), 2 * corners.size())}});
  large["bufferViews"][1] = {{"buffer", 1}};
  large["accessors"][1]["count"] = corners.size();
  large["scenes"][0]["nodes"] = std::vector<int>(1389, 1);
  EXPECT_EQ(
      fault_of(large.dump(), "a.gltf"),
      "its nodes show more than 20000000 vertices and corners altogether; export a coarser mesh, or fewer copies");
}

TEST(MeshFile, ASmallMeshFarAwayIsWelded) {
  // Triangles of 1/1024 m at 1e11 m, where doubles are 2^-16 m apart: cells of a millionth of that, counted from the origin, would be 1e20.
  TriangleMesh mesh;
  for (const double x : {0.0, 1.0 / 1024, 0.0, 1.0 / 1024, 1.0 / 1024, 0.0})
    mesh.points.emplace_back(1e11 + x, mesh.points.size() % 3 == 2 ? 1.0 / 1024 : 0.0, 0.0);
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(welded(mesh, 1e-6 * extent_of(mesh)).points.size(), 3U);
  EXPECT_EQ(clustered(mesh, extent_of(mesh) / 512).points.size(), 3U);
}

/// `body` stands in the link; the file brick.stl is carried along.
Model model_with(const std::string& body) {
  const std::string text =
      "lithe: 1\nlinks: {arm: {" + body + "}}\njoints: {pin: {revolute: z, from: ground, to: arm}}\n";
  return load_with_files(text, "model.yaml", {}, {{"brick.stl", binary_stl(brick)}});
}

TEST(MeshBody, HasTheInertiaOfTheBoxThatItIs) {
  const LinkData mesh =
      model_with("mesh: {file: brick.stl, density: 800, scale: [2, 1, 1], at: [1, 0, 0]}").mechanism.links[1];
  const LinkData box = model_with("box: {size: [0.5, 0.5, 1], mass: 200, at: [1, 0, 0]}").mechanism.links[1];
  EXPECT_NEAR(mesh.mass, 200.0, 1e-10);
  EXPECT_LT((mesh.centre - box.centre).norm(), 1e-13);
  EXPECT_LT((mesh.inertia - box.inertia).cwiseAbs().maxCoeff(), 1e-10);
  const LinkData given = model_with("mesh: {file: brick.stl, mass: 3}").mechanism.links[1];
  EXPECT_NEAR(given.mass, 3.0, 1e-14);
  EXPECT_NEAR(given.inertia(2, 2), 3.0 * (0.0625 + 0.25) / 12.0, 1e-14);
}

TEST(MeshBody, WhatReachesTooFarIsRefused) {
  const std::string why = "with this size, scale and place it reaches beyond 1e+12 m, where nothing can be drawn";
  EXPECT_EQ(testing::complaint_of([] { model_with("mesh: {file: brick.stl, mass: 3, scale: 1e13}"); }),
            "model.yaml:2:21: links.arm.mesh: " + why);
  EXPECT_EQ(testing::complaint_of(
                [] { model_with("rigid: {mass: 1, inertia: [1, 1, 1]}, visual: {sphere: 1e300, scale: 1e100}"); }),
            "model.yaml:2:61: links.arm.visual: " + why);
}

TEST(Visual, StandsInTheResultAndOnThePage) {
  const Model model = model_with(
      "rigid: {mass: 1, inertia: [1, 1, 1]}, visual: [{file: brick.stl, rotate: {axis: z, angle: 90 deg}, colour: "
      "'#ff8000'}, {sphere: 0.1, at: [0, 0, 2]}]");
  ASSERT_EQ(model.visuals.size(), 2U);
  EXPECT_EQ(describe_visuals(model.visuals), "meshes: 2 with 972 triangles, 11.7 kB");
  const Model stored = detail::model_of_stored(detail::stored_mechanism(model));
  ASSERT_EQ(stored.visuals.size(), 2U);
  EXPECT_EQ(stored.visuals[0].mesh.triangles, model.visuals[0].mesh.triangles);
  for (std::size_t k = 0; k < 8; ++k)  // in steps of 1/65535 of the box
    EXPECT_LT((stored.visuals[0].mesh.points[k] - model.visuals[0].mesh.points[k]).norm(), 1.0 / 65535.0);
  EXPECT_LT((stored.visuals[0].colour.value() - Vec3(1, 128.0 / 255.0, 0)).norm(), 1e-12);
  EXPECT_FALSE(stored.visuals[1].colour);

  const auto link = detail::json_of(make_report(model).json)["results"][0]["scene"]["links"][1];
  ASSERT_EQ(link["meshes"].size(), 2U);
  EXPECT_EQ(link["meshes"][0]["colour"], "#ff8000");
  EXPECT_NEAR(link["meshes"][0]["size"][0].get<double>(), 0.5, 1e-12);  // turned: y has become x
  EXPECT_TRUE(link["faces"].empty()) << "the mesh stands in place of a box of the same inertia";
}

TEST(Visual, IsMadeCoarserToFitThePage) {
  std::vector<Visual> visuals(2);
  visuals[0].mesh = sphere_mesh(1.0, 400, 200);
  visuals[1].mesh = box_mesh({1, 1, 1});
  for (Visual& visual : visuals) visual.given = visual.mesh.triangles.size();
  bound_visuals(visuals, 100'000);
  EXPECT_LE(page_bytes(visuals[0].mesh) + page_bytes(visuals[1].mesh), 100'000U + 2000U);
  EXPECT_GT(visuals[0].mesh.triangles.size(), 2000U);
  EXPECT_EQ(visuals[1].mesh.triangles.size(), 12U);
}

}  // namespace
}  // namespace lithe::io
