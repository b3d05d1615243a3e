// Compliances of maps: against frames by the direct stiffness method, and where nothing gives way.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/workspace_map.hpp"
#include "simulation/map_five_bar.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe {
namespace {

/// The compliance of twenty places is that of a frame (tests/oracles/map_compliance.py), each entry measured by the two it couples.
void expect_frame_compliance(const WorkspaceMap& map, const nlohmann::json& expected, std::size_t rows = 6) {
  const char* names[] = {"rx", "ry", "rz", "x", "y", "z"};
  std::size_t entries = 0;
  ASSERT_EQ(map.size(), 20u);
  for (std::size_t point = 0; point < 20; ++point) {
    ASSERT_EQ(map.points[point], MapPoint::reached);
    const nlohmann::json& frame = expected[point];
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) {
        const double size = std::sqrt(frame[i][i].get<double>() * frame[j][j].get<double>());
        const int column = map.find(std::string("compliance.") + names[i] + "." + names[j]);
        if (column < 0) continue;
        ++entries;
        EXPECT_NEAR(map.at(point, column), frame[i][j].get<double>(), 1e-6 * size) << point << ' ' << i << ' ' << j;
      }
  }
  EXPECT_EQ(entries, 20 * rows * (rows + 1) / 2);
}

nlohmann::json frame_oracle() { return recorded_json("tests/oracles/map_compliance.json"); }

TEST(WorkspaceMap, ComplianceAtTwentyPlacesIsThatOfASpaceFrame) {
  const std::string tube = ", material: aluminium, section: {tube: {radius: 0.01, thickness: 0.001}}}}";
  const Model model =
      load_model_text(five_bar_text("{beam: {length: 0.2" + tube, "{beam: {length: 0.28" + tube), "tubes.yaml");
  MapOptions options;
  options.axes = {{tool_x, -0.16, 0.16, 5}, {tool_y, 0.2, 0.35, 4}};
  options.quantities = {"compliance"};
  expect_frame_compliance(make_map(model, options), frame_oracle()["compliance"]);
}

// A spatial robot: arms and rods bend, the platform stays level in the height of the start.
TEST(WorkspaceMap, ComplianceOfADeltaRobotAtTwentyPlacesIsThatOfASpaceFrame) {
  const Model model = load_model(source_folder() + "/tests/data/robots/elastic-delta.yaml");
  MapOptions options;
  options.axes = {{"pos.platform.x", -0.16, 0.16, 5}, {"pos.platform.y", -0.15, 0.15, 4}};
  options.frame = "platform/origin";
  options.quantities = {"compliance"};
  expect_frame_compliance(make_map(model, options), frame_oracle()["delta"]["compliance"]);
}

// In the plane: turns about the normal and displacements.
TEST(WorkspaceMap, ComplianceOfA3RrrAtTwentyPlacesIsThatOfAPlaneFrame) {
  const Model model = load_model(source_folder() + "/tests/data/robots/elastic-3rrr.yaml");
  MapOptions options;
  options.axes = {{"pos.platform.x", 0.4, 0.6, 5}, {"pos.platform.y", 0.2, 0.35, 4}};
  options.held = {{"rot.platform.z", 0.0}};
  options.quantities = {"compliance"};
  expect_frame_compliance(make_map(model, options), frame_oracle()["3rrr"]["compliance"], 3);
}

// Legs with universal joints and balls carry forces along themselves only: tube and piston stretch one behind the other.
TEST(WorkspaceMap, ComplianceOfAStewartPlatformAtTwentyPlacesIsThatOfASpaceFrame) {
  const Model model = load_model(source_folder() + "/tests/data/robots/elastic-stewart.yaml");
  MapOptions options;
  options.axes = {{"pos.platform.x", -0.1, 0.1, 5}, {"pos.platform.y", -0.09, 0.09, 4}};
  options.held = {{"pos.platform.z", 0.85}};
  options.quantities = {"compliance"};
  expect_frame_compliance(make_map(model, options), frame_oracle()["stewart"]["compliance"]);
}

// Forearms that bend but do not stretch, on rigid arms: with the motors locked the tool turns with the end of its forearm, but it
// stays where it is. A strip on two pins turns by l/(3 EI) under a moment at its end; each sine of it by 2/(pi j)^2 l/EI.
TEST(WorkspaceMap, WhatDoesNotGiveWayHasNoCompliance) {
  const std::string strip =
      "{assumed-modes: {length: 0.28, EI: 0.5, mass-per-length: 0.04, along-y: {ends: pinned-pinned, count: 8}}}";
  MapOptions options;
  options.axes = {{tool_x, -0.16, 0.16, 5}, {tool_y, 0.2, 0.35, 4}};
  options.quantities = {"compliance", "stiffness", "elastic-condition"};
  const WorkspaceMap map =
      make_map(load_model_text(five_bar_text(rigid_rod(0.2, 0.06), strip), "strips.yaml"), options);
  double series = 0.0;
  for (int j = 1; j <= 8; ++j) series += 2.0 / std::pow(std::numbers::pi * j, 2);
  for (std::size_t point = 0; point < map.size(); ++point) {
    const auto value = [&](const char* name) { return map.at(point, map.find(name)); };
    for (const char* name : {"compliance", "compliance.least", "compliance.x.x", "compliance.x.y", "compliance.rz.x"})
      EXPECT_EQ(value(name), 0.0) << name;
    EXPECT_NEAR(value("compliance.rz.rz") / (series * 0.28 / 0.5), 1.0, 1e-9);
    EXPECT_TRUE(std::isinf(value("stiffness")) && std::isinf(value("stiffness.most")));
    for (const char* name : {"stiffness.x.x", "stiffness.rz.rz", "elastic-condition", "elastic-dexterity"})
      EXPECT_TRUE(std::isnan(value(name))) << name;
  }
  ASSERT_EQ(map.warnings.size(), 1u);
  EXPECT_EQ(map.warnings[0],
            "at 20 of the points the frame does not give way in every direction: compliance 0, stiffness infinite; "
            "these links "
            "bend but do not stretch, because neither 'EA' nor a section is given (or stretching is switched off): "
            "forearm-left, forearm-right");
}

/// Two slides on upright rails, 0.6 m apart and at the same height, and two rods of 0.5 m from them to the tool, 0.4 m above (side 1) or below.
Model biglide(int side) {
  const std::string rod =
      "{beam: {length: 0.5, EI: 60, EA: 6e6, mass: 1e-3, bending: y, torsion: false}, modes: {count: 4}}";
  const std::string angle = side > 0 ? "53 deg, knee-2: 127 deg" : "-53 deg, knee-2: -127 deg";
  return load_model_text(
      "lithe: 1\ngravity: [0, -9.81, 0]\nlinks: {slide-1: {rigid: {mass: 0.5}}, slide-2: {rigid: {mass: 0.5}}, "
      "rod-1: " +
          rod + ", rod-2: " + rod +
          "}\nground: {left: [-0.3, 0, 0], right: [0.3, 0, 0]}\njoints:\n"
          "  motor-1: {prismatic: y, from: ground/left, to: slide-1, actuated: true}\n"
          "  motor-2: {prismatic: y, from: ground/right, to: slide-2, actuated: true}\n"
          "  knee-1: {revolute: z, from: slide-1, to: rod-1/root}\n"
          "  knee-2: {revolute: z, from: slide-2, to: rod-2/root}\n"
          "  pin: {revolute: z, from: rod-1/tip, to: rod-2/tip}\n"
          "initial: {knee-1: " +
          angle + "}\n",
      "biglide.yaml");
}

// A tool above its slides: the rods carry m g/(2 sin) each and buckle at pi^2 EI/l^2. Below them they are pulled, and no mass is too heavy.
TEST(WorkspaceMap, RodsBuckleUnderTheToolAndHoldWhatHangsOnThem) {
  MapOptions options;
  options.axes = {{"pos.rod-2.tip.x", -1e-3, 1e-3, 3}, {"pos.rod-2.tip.y", -1e-3, 1e-3, 3}};
  options.quantities = {"payload", "compliance"};
  for (const int side : {1, -1}) {
    options.axes[1].from = 0.4 * side - 1e-3;
    options.axes[1].to = 0.4 * side + 1e-3;
    const WorkspaceMap map = make_map(biglide(side), options);
    const double payload = map.at(4, map.find("payload"));
    if (side < 0) {
      EXPECT_TRUE(std::isinf(payload)) << payload;
      continue;
    }
    const double euler = std::pow(std::numbers::pi / 0.5, 2) * 60 * 2 * 0.8 / 9.81;
    EXPECT_NEAR(payload / euler, 1.0, 0.005);  // four shapes of a strip that is held at one end make up the half sine
    // Two bars that stretch: EA/l times the sum of the squared cosines and sines.
    EXPECT_NEAR(map.at(4, map.find("compliance.x.x")) * 1.2e7 * 2 * 0.36, 1.0, 1e-4);
    EXPECT_NEAR(map.at(4, map.find("compliance.y.y")) * 1.2e7 * 2 * 0.64, 1.0, 1e-4);
  }
}

}  // namespace
}  // namespace lithe
