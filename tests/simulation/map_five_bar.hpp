#pragma once
// The five-bar of the tests of maps.

#include <string>

namespace lithe {

constexpr const char* tool_x = "pos.forearm-left.tip.x";
constexpr const char* tool_y = "pos.forearm-left.tip.y";

/// A symmetric five-bar, elbows outside; LINKS says what arms (0.2 m) and forearms (0.28 m) are made of.
inline std::string five_bar_text(const std::string& arm, const std::string& forearm, const std::string& more = "") {
  return "lithe: 1\nname: five-bar\nmaterials: {aluminium: {young: 70e9, density: 2700, poisson: 0.33}}\nlinks:\n"
         "  arm-left: " +
         arm + "\n  arm-right: " + arm + "\n  forearm-left: " + forearm + "\n  forearm-right: " + forearm +
         "\nground: {left: [-0.08, 0, 0], right: [0.08, 0, 0]}\n"
         "joints:\n"
         "  motor-left: {revolute: z, from: ground/left, to: arm-left/root, actuated: true}\n"
         "  motor-right: {revolute: z, from: ground/right, to: arm-right/root, actuated: true}\n"
         "  elbow-left: {revolute: z, from: arm-left/tip, to: forearm-left/root}\n"
         "  elbow-right: {revolute: z, from: arm-right/tip, to: forearm-right/root}\n"
         "  tool: {revolute: z, from: forearm-left/tip, to: forearm-right/tip}\n"
         "initial: {motor-left: 130 deg, motor-right: 50 deg, elbow-left: -85 deg, elbow-right: 85 deg}\n" +
         more;
}

inline std::string rigid_rod(double length, double mass) {
  const std::string l = std::to_string(length);
  return "{rod: {from: [0, 0], to: [" + l + ", 0], mass: " + std::to_string(mass) + "}, frames: {root: [0, 0], tip: [" +
         l + ", 0]}}";
}

}  // namespace lithe
