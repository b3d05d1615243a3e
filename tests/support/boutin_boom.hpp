#pragma once
// Boutin's truss boom in C++, bar by bar as in the reference; examples/boutin-boom.yaml says the same in its own way.

#include <cmath>
#include <numbers>

#include "lithe/links/truss.hpp"

namespace lithe::testing {

struct BoutinProperties {
  double end_density = 12000 + 300 / (5 * 2.3592e-4);  ///< kg/m^3 of the end batten: its own and 300 kg of platform
  TrussMass mass = TrussMass::consistent;
  bool supported = true;  ///< node 1 fixed, node 2 on a roller along the line to node 1
};

inline TrussSpec boutin_boom(const BoutinProperties& properties = {}) {
  TrussSpec spec;
  spec.planar = true;
  spec.mass = properties.mass;
  const double w = 5 * std::tan(10 * std::numbers::pi / 180);
  // x, y of nodes 1 to 39.
  const double places[39][2] = {{0, 0},  {5, 5},      {5, 0},      {10, 5},     {10, 0}, {15, 5},     {15, 0}, {20, 5},
                                {20, 0}, {25, 5},     {25, 0},     {30 - w, 5}, {30, 0}, {30 + w, 5}, {35, 0}, {35, 5},
                                {40, 0}, {40, 5},     {45, 0},     {45, 5},     {50, 0}, {50, 5},     {55, 0}, {55, 5},
                                {60, 0}, {60 - w, 5}, {60 + w, 5}, {65, 0},     {65, 5}, {70, 0},     {70, 5}, {75, 0},
                                {75, 5}, {80, 0},     {80, 5},     {85, 0},     {85, 5}, {90, 0},     {90, 5}};
  for (int i = 0; i < 39; ++i) spec.nodes.push_back({std::to_string(i + 1), Vec3(places[i][0], places[i][1], 0), 0});

  const auto add = [&](std::initializer_list<std::pair<int, int>> bars, double density, double young, double area) {
    for (const auto& [from, to] : bars)
      spec.bars.push_back({"", std::to_string(from), std::to_string(to), young * area, density * area, area});
  };
  const double area = 2.3592e-4, young = 412.5e9, batten_young = 618.7e9;
  add({{1, 3},
       {3, 5},
       {5, 7},
       {7, 9},
       {9, 11},
       {11, 13},
       {13, 15},
       {15, 17},
       {17, 19},
       {19, 21},
       {21, 23},
       {23, 25},
       {25, 28},
       {28, 30},
       {30, 32},
       {32, 34},
       {34, 36},
       {36, 38}},
      8000, young, area);
  add({{2, 4},
       {4, 6},
       {6, 8},
       {8, 10},
       {16, 18},
       {18, 20},
       {20, 22},
       {22, 24},
       {29, 31},
       {31, 33},
       {33, 35},
       {35, 37},
       {37, 39}},
      8000, young, area);
  add({{10, 12}, {14, 16}, {24, 26}, {27, 29}}, 4000, young, std::numbers::pi / 4 * 0.0508 * 0.0508);
  add({{12, 13}, {13, 14}, {12, 14}, {26, 25}, {25, 27}, {26, 27}}, 4000, young, area);
  add({{2, 3},
       {4, 5},
       {6, 7},
       {8, 9},
       {10, 11},
       {15, 16},
       {17, 18},
       {19, 20},
       {21, 22},
       {23, 24},
       {28, 29},
       {30, 31},
       {32, 33},
       {34, 35},
       {36, 37}},
      12000, batten_young, area);
  add({{38, 39}}, properties.end_density, batten_young, area);
  add({{1, 2},
       {3, 4},
       {5, 6},
       {7, 8},
       {9, 10},
       {10, 13},
       {13, 16},
       {15, 18},
       {17, 20},
       {19, 22},
       {21, 24},
       {24, 25},
       {25, 29},
       {28, 31},
       {30, 33},
       {32, 35},
       {34, 37},
       {36, 39}},
      4000, young, area);
  if (properties.supported) spec.supports = {{"1", {Vec3::UnitX(), Vec3::UnitY()}}, {"2", {Vec3(1, -1, 0)}}};
  spec.frames = {{"root", {"1", "2"}, {}, Mat3::Identity()}, {"tip", {"38", "39"}, {}, Mat3::Identity()}};
  return spec;
}

}  // namespace lithe::testing
