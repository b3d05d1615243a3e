// <visual> of a URDF comes along: shapes, meshes and colours, at their places; what cannot be drawn is left out with a note.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lithe/io/load_model.hpp"
#include "lithe/io/urdf.hpp"

namespace lithe {
namespace {

/// A package with a URDF and a mesh, as ROS has them: PACKAGE/urdf/robot.urdf, PACKAGE/meshes/part.stl.
class VisualPackage {
 public:
  VisualPackage() {
    std::filesystem::create_directories(folder_ / "urdf");
    std::filesystem::create_directories(folder_ / "meshes");
    std::ofstream(folder_ / "meshes/part.stl")
        << "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1000 0 0\n"
           "vertex 0 1000 0\nendloop\nendfacet\nendsolid\n";
    std::ofstream(folder_ / "meshes/part.dae") << "<COLLADA/>";
  }
  ~VisualPackage() { std::filesystem::remove_all(folder_.parent_path()); }
  VisualPackage(const VisualPackage&) = delete;
  VisualPackage& operator=(const VisualPackage&) = delete;

  std::string urdf(const std::string& visuals_of_arm, const std::string& visual_of_base = "") const {
    const std::string path = (folder_ / "urdf/robot.urdf").string();
    std::ofstream(path)
        << "<robot name=\"r\">\n<material name=\"blue\"><color rgba=\"0 0.2 1 1\"/></material>\n"
        << "<link name=\"base\">" << visual_of_base << "</link>\n<link name=\"arm\"><inertial><mass "
        << "value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n"
        << visuals_of_arm << "</link>\n<joint name=\"pin\" type=\"continuous\"><parent link=\"base\"/>"
        << "<child link=\"arm\"/><axis xyz=\"0 0 1\"/></joint>\n</robot>\n";
    return path;
  }
  std::string model_path() const { return (folder_ / "model.yaml").string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("lithe-visuals-" + std::to_string(::getpid())) / "parts_of_robot";
};

std::string visual_element(const std::string& geometry, const std::string& rest = "") {
  return "<visual>" + rest + "<geometry>" + geometry + "</geometry></visual>\n";
}

Vec3 middle_of(const Visual& visual) {
  Vec3 low = visual.mesh.points[0], high = low;
  for (const Vec3& point : visual.mesh.points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  return 0.5 * (low + high);
}

TEST(UrdfVisuals, ShapesAndMeshesComeAlong) {
  const VisualPackage package;
  const std::string urdf = package.urdf(
      visual_element("<box size=\"0.1 0.2 0.3\"/>", "<origin xyz=\"0 0 1\"/><material name=\"blue\"/>") +
          visual_element("<cylinder radius=\"0.1\" length=\"2\"/>",
                         "<origin xyz=\"1 0 0\" rpy=\"0 1.5707963267948966 0\"/>") +
          visual_element("<mesh filename=\"package://parts_of_robot/meshes/part.stl\" scale=\"0.001 0.001 0.001\"/>"),
      visual_element("<sphere radius=\"0.5\"/>"));
  const UrdfConversion conversion = convert_urdf(urdf, "", package.model_path());
  for (const std::string& note : conversion.notes) EXPECT_EQ(note.find("visual"), std::string::npos) << note;
  EXPECT_NE(conversion.text.find("file: meshes/part.stl"), std::string::npos) << conversion.text;
  const Model model = load_model_text(conversion.text, package.model_path());
  ASSERT_EQ(model.visuals.size(), 4U);
  EXPECT_EQ(model.visuals[0].link, "ground");  // the base
  EXPECT_NEAR(extent_of(model.visuals[0].mesh), 1.0, 1e-12);
  EXPECT_LT((middle_of(model.visuals[1]) - Vec3(0, 0, 1)).norm(), 1e-12);
  EXPECT_LT((model.visuals[1].colour.value() - Vec3(0, 51.0 / 255.0, 1)).norm(), 1e-12);
  EXPECT_LT((middle_of(model.visuals[2]) - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(extent_of(model.visuals[2].mesh), 2.0, 1e-12);  // along x now
  EXPECT_NEAR(extent_of(model.visuals[3].mesh), 1.0, 1e-12);  // millimetres
}

TEST(UrdfVisuals, WhatCannotBeDrawnIsLeftOutAndSaid) {
  const VisualPackage package;
  const UrdfConversion conversion = convert_urdf(
      package.urdf(visual_element("<mesh filename=\"package://elsewhere/part.stl\"/>") +
                   visual_element("<mesh filename=\"../meshes/part.dae\"/>") + visual_element("<box size=\"1 1\"/>") +
                   visual_element("<sphere radius=\"-1\"/>") + visual_element("<torus/>") + "<visual/>"),
      "", package.model_path());
  std::vector<std::string> told;
  for (const std::string& note : conversion.notes)
    if (note.find("<visual>") != std::string::npos) told.push_back(note);
  EXPECT_EQ(told,
            (std::vector<std::string>{
                "URDF line 5: a <visual> is left out: mesh 'package://elsewhere/part.stl': its package is in none "
                "of the folders above the URDF",
                "URDF line 6: a <visual> is left out: mesh '../meshes/part.dae': meshes are read from .stl, .obj, "
                ".glb and .gltf files, not from '.dae'",
                "URDF line 7: a <visual> is left out: its sizes are not positive",
                "URDF line 8: a <visual> is left out: its sizes are not positive",
                "URDF line 9: a <visual> is left out: <torus> is no shape that is known",
                "URDF line 10: a <visual> is left out: it has no <geometry>"}));
  EXPECT_TRUE(load_model_text(conversion.text, package.model_path()).visuals.empty());
}

}  // namespace
}  // namespace lithe
