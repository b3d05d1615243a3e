// Elastic links in lithe check and lithe link, and their rigid twins. Expected numbers are closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A pendulum of one beam with EI = mu = L = 1.
std::string pendulum(const Folder& folder) {
  const std::string path = folder.file("pendulum.yaml");
  write_text(path,
             "lithe: 1\n"
             "name: pendulum\n"
             "gravity: [0, -9.81, 0]\n"
             "links:\n"
             "  arm: {beam: {length: 1, mass: 1, EI: 1}, modes: {count: 2}, damping: {ratio: 0.05}}\n"
             "  weight: {rigid: {mass: 0}}\n"
             "joints:\n"
             "  pivot: {revolute: z, from: ground, to: arm, actuated: true}\n"
             "  weld: {fixed: true, from: arm/tip, to: weight}\n"
             "run: {until: 0.1}\n");
  return path;
}

TEST(Check, HoldsTheModesOfElasticLinks) {
  const Folder folder;
  const Answer answer = lithe({"check", pendulum(folder), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto arm = answer.json()["links"][0];
  EXPECT_EQ(arm["kind"], "beam");
  EXPECT_NEAR(arm["mass"].get<double>(), 1, 1e-12);
  EXPECT_EQ(arm["elements"], 8);
  EXPECT_EQ(arm["elastic_coordinates"], 2);
  EXPECT_EQ(arm["reference"], "clamped");
  EXPECT_NEAR(arm["buckling_load"].get<double>() / (pi * pi / 4), 1, 1e-4);  // Euler, clamped at one end
  ASSERT_EQ(arm["modes"].size(), 2u);
  EXPECT_EQ(arm["modes"][0]["type"], "bending y");
  EXPECT_NEAR(arm["modes"][0]["frequency"].get<double>(), 3.51601527 / (2 * pi), 1e-5);
  EXPECT_NEAR(arm["modes"][0]["damping"].get<double>(), 0.05, 1e-12);
  EXPECT_NEAR(arm["modes"][0]["mass_fraction"][1].get<double>(), 0.6131, 1e-4);  // 4 (0.734096 / 1.875104)^2
  EXPECT_EQ(answer.json()["links"][1]["kind"], "rigid");
  EXPECT_FALSE(answer.json()["links"][1].contains("modes"));
}

TEST(Check, PrintsTheModeTable) {
  const Folder folder;
  const Answer answer = lithe({"check", pendulum(folder)});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"modes of arm", "beam, 8 elements, 16 coordinates reduced to 2, clamped reference",
                           "stiffening on", "buckles at 2.4674 N", "bending y 1", "frequency (Hz)", "61.31 %"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
}

TEST(Check, RigidTwinsHaveNoModes) {
  const Folder folder;
  const Answer answer = lithe({"check", pendulum(folder), "--rigid", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto arm = answer.json()["links"][0];
  EXPECT_EQ(arm["elastic_coordinates"], 0);
  EXPECT_NEAR(arm["inertia"][2][2].get<double>(), 1.0 / 12, 1e-12);
}

TEST(Link, PrintsOneLink) {
  const Folder folder;
  const Answer answer = lithe({"link", "arm", pendulum(folder)});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"arm", "mass (kg)", "centre (m)", "tip at 1 0 0", "bending y 2"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
  const Answer rigid = lithe({"link", "weight", pendulum(folder)});
  EXPECT_EQ(rigid.exit_code, 0);
  EXPECT_EQ(rigid.out.find("modes"), std::string::npos);
}

TEST(Link, AnswersInJson) {
  const Folder folder;
  const auto found = lithe({"link", "arm", pendulum(folder), "--json"}).json();
  EXPECT_EQ(found["ok"], true);
  EXPECT_EQ(found["name"], "arm");
  EXPECT_EQ(found["coordinate_names"][1], "bending y 2");
}

TEST(Link, WritesModeShapes) {
  const Folder folder;
  const std::string file = folder.file("shapes.csv");
  ASSERT_EQ(lithe({"link", "arm", pendulum(folder), "--csv", file}).exit_code, 0);
  std::istringstream lines(read_text(file));
  std::string head, line, last;
  std::getline(lines, head);
  EXPECT_EQ(head, "x,y,z,bending y 1.x,bending y 1.y,bending y 1.z,bending y 2.x,bending y 2.y,bending y 2.z");
  int count = 0;
  for (; std::getline(lines, line); ++count) last = line;
  EXPECT_GE(count, 3);
  double x = 0, y = 0, z = 0, u = 0, v = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf,%lf,%lf,%lf", &x, &y, &z, &u, &v), 5) << last;
  EXPECT_NEAR(x, 1, 1e-12);
  EXPECT_NEAR(v, 2, 1e-3);  // every mass-normalised mode of a uniform cantilever has the tip deflection 2 / sqrt(m)
}

TEST(Link, NamesTheOthersForAnUnknownOne) {
  const Folder folder;
  const Answer answer = lithe({"link", "amr", pendulum(folder)});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: the model has no link 'amr'; there are: arm, weight\n");
}

TEST(Link, HasNoShapesWhenRigid) {
  const Folder folder;
  const Answer answer = lithe({"link", "weight", pendulum(folder), "--csv", folder.file("shapes.csv")});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: link 'weight' is rigid: it has no mode shapes to write\n");
}

// The twin falls as a rigid rod does: angular acceleration 3 g / (2 L) when released level.
TEST(Simulate, RigidTwins) {
  const Folder folder;
  const Answer answer =
      lithe({"simulate", pendulum(folder), "--rigid", "--until", "0.01", "--every", "0.01", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NEAR(answer.json()["data"]["a.pivot"][0].get<double>(), -1.5 * 9.81, 1e-9);
}

// A link written to a file and read into another model is the same link.
TEST(Link, WrittenLinkComesBack) {
  const Folder folder;
  for (const char* name : {"arm.json", "arm.h5"}) {
    const Answer written = lithe({"link", "arm", pendulum(folder), "-o", folder.file(name), "--json"});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    const std::string path = folder.file("again.yaml");
    write_text(path, "lithe: 1\nlinks:\n  copy: {imported: {file: " + std::string(name) +
                         "}}\njoints:\n  pivot: {revolute: z, from: ground, to: copy/root}\nrun: {until: 0.1}\n");
    const Answer again = lithe({"link", "copy", path, "--json"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(again.json()["mass"], written.json()["mass"]);
    EXPECT_EQ(again.json()["modes"], written.json()["modes"]);
  }
  const Answer bad = lithe({"link", "arm", pendulum(folder), "-o", folder.file("arm.txt")});
  EXPECT_EQ(bad.exit_code, 2);
}

}  // namespace
}  // namespace lithe::testing
