#pragma once
// Model files of mechanisms with nothing to move.

namespace lithe::testing {

inline const char* const single_fixed_link = R"(
lithe: 1
gravity: [0, 0, -9.81]
links:
  block: {box: {size: [0.1, 0.2, 0.3], mass: 2, at: [0, 0, 0.15]}}
joints:
  base: {fixed: true, from: ground, to: block}
run: {until: 0.1, every: 0.05}
record: [coordinates, energy, forces, frames: [block/origin]]
)";

/// The third weld closes a loop of welds: closures without any speed.
inline const char* const welded_links = R"(
lithe: 1
gravity: [0, 0, -9.81]
links:
  a: {box: {size: [0.1, 0.1, 0.1], mass: 1}, frames: {end: [1, 0, 0]}}
  b: {box: {size: [0.1, 0.1, 0.1], mass: 1}, frames: {end: [1, 0, 0]}}
ground: {far: [2, 0, 0]}
joints:
  w1: {fixed: true, from: ground, to: a}
  w2: {fixed: true, from: a/end, to: b}
  w3: {fixed: true, from: ground/far, to: b/end}
run: {until: 0.1, every: 0.05}
record: [coordinates, energy]
)";

/// Two bars and the ground: coordinates, but no freedom.
inline const char* const rigid_triangle = R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  a: {rod: {from: [0, 0, 0], to: [1, 0, 0], mass: 1}, frames: {tip: [1, 0, 0]}}
  b: {rod: {from: [0, 0, 0], to: [1, 0, 0], mass: 1}, frames: {tip: [1, 0, 0]}}
ground: {right: [1.2, 0, 0]}
joints:
  p: {revolute: z, from: ground, to: a}
  q: {revolute: z, from: ground/right, to: b}
  t: {revolute: z, from: a/tip, to: b/tip}
initial: {p: 50 deg, q: 130 deg}
run: {until: 0.1, every: 0.05}
record: [coordinates, energy]
)";

}  // namespace lithe::testing
