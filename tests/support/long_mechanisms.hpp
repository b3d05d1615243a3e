#pragma once
// Model files of mechanisms that can be made as long as one likes.

#include <string>

namespace lithe::testing {

/// Steel strips in a row, hinged to each other, each bending with two modes in the plane of gravity.
inline std::string elastic_chain(int links) {
  std::string text =
      "lithe: 1\n"
      "gravity: [0, -9.81, 0]\n"
      "materials: {steel: {density: 7850, young: 206e9}}\n"
      "links:\n";
  for (int i = 0; i < links; ++i)
    text +=
        "  strip" + std::to_string(i) +
        ":\n    beam: {length: 0.4, material: steel, section: {rectangle: {height: 4e-3, width: 0.02}}, bending: y, "
        "torsion: false, elements: 4}\n    modes: {count: 2}\n";
  text += "joints:\n";
  for (int i = 0; i < links; ++i)
    text += "  hinge" + std::to_string(i) +
            ": {revolute: z, from: " + (i == 0 ? "ground" : "strip" + std::to_string(i - 1) + "/tip") + ", to: strip" +
            std::to_string(i) + "/root, actuated: true}\n";
  return text + "run: {until: 0.1, every: 0.01}\n";
}

/// Parallelograms of four bars, each on the coupler of the one below, 60 deg to the left and to the right in turn.
inline std::string parallelogram_chain(int cells) {
  std::string text =
      "lithe: 1\n"
      "gravity: [0, -9.81, 0]\n"
      "ground: {a: [0, 0, 0], b: [0.3, 0, 0]}\n"
      "links:\n";
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i);
    for (const char* side : {"left", "right"})
      text += std::string("  ") + side + n +
              ": {rod: {from: [0, 0, 0], to: [0.2, 0, 0], mass: 0.2}, frames: {root: [0, 0, 0], tip: [0.2, 0, 0]}}\n";
    text += "  coupler" + n +
            ": {rod: {from: [0, 0, 0], to: [0.3, 0, 0], mass: 0.3}, frames: {a: [0, 0, 0], b: [0.3, 0, 0]}}\n";
  }
  text += "joints:\n";
  std::string initial;
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i), base = i == 0 ? "ground" : "coupler" + std::to_string(i - 1);
    text += "  a" + n + ": {revolute: z, from: " + base + "/a, to: left" + n + "/root, actuated: true}\n";
    text += "  b" + n + ": {revolute: z, from: " + base + "/b, to: right" + n + "/root}\n";
    text += "  c" + n + ": {revolute: z, from: left" + n + "/tip, to: coupler" + n + "/a}\n";
    text += "  d" + n + ": {revolute: z, from: right" + n + "/tip, to: coupler" + n + "/b, cut: true}\n";
    const std::string angle = i % 2 == 0 ? "120 deg" : "60 deg", back = i % 2 == 0 ? "-120 deg" : "-60 deg";
    initial += "  a" + n + ": " + angle + "\n  b" + n + ": " + angle + "\n  c" + n + ": " + back + "\n";
  }
  return text + "initial:\n" + initial + "run: {until: 0.1, every: 0.01}\n";
}

}  // namespace lithe::testing
