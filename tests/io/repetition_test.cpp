// `repeat:`: against the same mechanism written out by hand and built in C++.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "io/model_text.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// Names, frames, masses and joints as a result stores them; solids, which only pictures show, apart.
std::string stored(const Mechanism& mechanism) {
  Model model;
  model.mechanism = mechanism;
  model.mechanism.name = "the same";
  for (LinkData& link : model.mechanism.links) link.solids.clear();
  model.origins.assign(mechanism.links.size(), LinkOrigin{});
  return detail::stored_mechanism(model);
}

Joint hinge(const std::string& name, FrameRef from, FrameRef to) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.axis = Vec3::UnitZ();
  joint.from = from;
  joint.to = to;
  return joint;
}

/// A slender rod from the origin.
LinkData rod(const std::string& name, const Vec3& end, double mass) {
  LinkData link;
  link.name = name;
  link.mass = mass;
  link.centre = 0.5 * end;
  link.inertia = mass / 12.0 * (end.squaredNorm() * Mat3::Identity() - end * end.transpose());
  return link;
}

/// The rope ladder of the gallery, by the functions of Mechanism.
Mechanism built_ladder(int rungs) {
  const double width = 0.4, rise = 0.3;
  Mechanism ladder;
  ladder.gravity = Vec3(0, -9.81, 0);
  LinkData top;
  top.name = "rung-0";
  top.mass = 1;
  int above = ladder.add_link(top);
  FrameRef left = ladder.add_frame(above, "left", {}), right;
  right = ladder.add_frame(above, "right", {Mat3::Identity(), Vec3(width, 0, 0)});
  Joint hook;
  hook.name = "hook";
  hook.type = JointType::fixed;
  hook.to.link = above;
  ladder.add_joint(hook);
  for (int i = 1; i <= rungs; ++i) {
    const std::string number = std::to_string(i);
    FrameRef ends[2];
    int ropes[2];
    for (int side = 0; side < 2; ++side) {
      ropes[side] = ladder.add_link(rod((side == 0 ? "left-" : "right-") + number, Vec3(0, -rise, 0), 0.05));
      ends[side] = ladder.add_frame(ropes[side], "end", {Mat3::Identity(), Vec3(0, -rise, 0)});
    }
    const int rung = ladder.add_link(rod("rung-" + number, Vec3(width, 0, 0), 0.5));
    const FrameRef next_left = ladder.add_frame(rung, "left", {});
    const FrameRef next_right = ladder.add_frame(rung, "right", {Mat3::Identity(), Vec3(width, 0, 0)});
    ladder.add_joint(hinge("hang-left-" + number, left, {ropes[0], 0}));
    ladder.add_joint(hinge("hang-right-" + number, right, {ropes[1], 0}));
    ladder.add_joint(hinge("carry-left-" + number, ends[0], next_left));
    ladder.add_joint(hinge("carry-right-" + number, ends[1], next_right));
    left = next_left, right = next_right;
  }
  return ladder;
}

TEST(Repetition, FortyLoopsAreTheOnesBuiltInCode) {
  const std::string path = source_folder() + "/examples/rope-ladder.yaml";
  const Model model = load_model(path);
  EXPECT_EQ(model.mechanism.joints.size(), 161U);
  EXPECT_EQ(stored(model.mechanism), stored(built_ladder(40)));
  ASSERT_EQ(model.initial.size(), 40U);
  EXPECT_NEAR(model.initial[9].value, 15.0 * pi / 180.0, 1e-15);  // 20 deg (1 - 10/40)
  // Short enough to be read at a glance: without its comments.
  std::ifstream file(path);
  int lines = 0;
  for (std::string line; std::getline(file, line);) lines += line.empty() || line[0] == '#' ? 0 : 1;
  EXPECT_LE(lines, 25);
  EXPECT_EQ(stored(load_model(path, {{"rungs", "3"}}).mechanism), stored(built_ladder(3)));
}

TEST(Repetition, SixLegsAreTheLongForm) {
  const Model brief = load(R"(
parameters: {r: 0.5, s: 0.3}
links:
  platform: {rigid: {mass: 4, inertia: [0.1, 0.1, 0.2]}}
repeat:
  for: {i: 1 to 6}
  ground: {b-$i: [r*cos($i*60 deg), r*sin($i*60 deg), 0]}
  links:
    platform: {frames: {p-$i: [s*cos($i*60 deg), s*sin($i*60 deg), 0]}}
    tube-$i: {rigid: {mass: 1 + $i/10, centre: [0, 0, 0.2], inertia: [0.01, 0.01, 1e-3]}}
    piston-$i: {rigid: {mass: 0.5, centre: [0, 0, -0.2], inertia: [0.01, 0.01, 1e-3]}}
  joints:
    foot-$i: {universal: [x, y], from: ground/b-$i, to: tube-$i}
    slide-$i: {prismatic: z, from: tube-$i, to: piston-$i, actuated: true}
    head-$i: {spherical: true, from: piston-$i, to: platform/p-$i}
  initial: {slide-$i: 0.6}
  drives: {slide-$i: {force: 10*$(i - 1)}}
)");
  std::string ground, frames, links, joints, initial, drives;
  for (int i = 1; i <= 6; ++i) {
    const std::string n = std::to_string(i), turn = n + "*60 deg)";
    ground += "  b-" + n + ": [r*cos(" + turn + ", r*sin(" + turn + ", 0]\n";
    frames += "      p-" + n + ": [s*cos(" + turn + ", s*sin(" + turn + ", 0]\n";
    links +=
        "  tube-" + n + ": {rigid: {mass: 1 + " + n + "/10" + ", centre: [0, 0, 0.2], inertia: [0.01, 0.01, 1e-3]}}\n";
    links += "  piston-" + n + ": {rigid: {mass: 0.5, centre: [0, 0, -0.2], inertia: [0.01, 0.01, 1e-3]}}\n";
    joints += "  foot-" + n + ": {universal: [x, y], from: ground/b-" + n + ", to: tube-" + n + "}\n";
    joints += "  slide-" + n + ": {prismatic: z, from: tube-" + n + ", to: piston-" + n + ", actuated: true}\n";
    joints += "  head-" + n + ": {spherical: true, from: piston-" + n + ", to: platform/p-" + n + "}\n";
    initial += "  slide-" + n + ": 0.6\n";
    drives += "  slide-" + n + ": {force: " + std::to_string(10 * (i - 1)) + "}\n";
  }
  const Model full = load("parameters: {r: 0.5, s: 0.3}\nground:\n" + ground +
                          "links:\n  platform:\n    rigid: {mass: 4, inertia: [0.1, 0.1, 0.2]}\n    frames:\n" +
                          frames + links + "joints:\n" + joints + "initial:\n" + initial + "drives:\n" + drives);
  EXPECT_EQ(stored(brief.mechanism), stored(full.mechanism));
  ASSERT_EQ(brief.drives.size(), 6U);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(brief.drives[i].torque.at(0.0).value, 10.0 * i);
  EXPECT_EQ(brief.initial.size(), full.initial.size());
}

TEST(Repetition, WordsSeveralIndicesAndBlocksInside) {
  const Model model = load(R"(
repeat:
  - for: {side: [left, right], i: 1 to 2}
    links: {"$side-$i": {rigid: {mass: $(i + 1)}}}
    joints: {hinge-$side-$i: {revolute: z, from: ground, to: $side-$i}}
  - for: {i: [0.5, 2]}
    repeat:
      for: {j: 1 to $(2*i)}
      ground: {"at-$(2*i)-$j": [$i, $j]}
  - for: {i: -1 to -1}
    ground: {negative: [$i^2, 2-$i]}
)");
  std::vector<std::string> links;
  for (const LinkData& link : model.mechanism.links) links.push_back(link.name);
  EXPECT_EQ(links, (std::vector<std::string>{"ground", "left-1", "left-2", "right-1", "right-2"}));
  EXPECT_EQ(model.mechanism.links[4].mass, 3.0);
  EXPECT_EQ(model.mechanism.joints[2].name, "hinge-right-1");
  const LinkData& ground = model.mechanism.links[0];
  EXPECT_EQ(ground.frames.size(), 1U + 1U + 4U + 1U);
  EXPECT_EQ(ground.frames[ground.find_frame("at-1-1")].pose.position, Vec3(0.5, 1, 0));
  EXPECT_EQ(ground.frames[ground.find_frame("at-4-3")].pose.position, Vec3(2, 3, 0));
  EXPECT_EQ(ground.frames[ground.find_frame("negative")].pose.position, Vec3(1, 3, 0));
}

TEST(Repetition, AnEmptyRangeRepeatsNothing) {
  EXPECT_EQ(one_link("rigid: {mass: 1}", "repeat: {for: {i: 1 to 0}, ground: {a-$i: [0, 0]}}")
                .mechanism.links[0]
                .frames.size(),
            1U);
}

TEST(Repetition, ValuesAreReplacedByThePathsOfWhatCameOut) {
  const std::string text =
      "parameters: {n: 2}\nrepeat:\n  for: {i: 1 to n}\n  links: {arm-$i: {rigid: {mass: $i}}}\n"
      "  joints: {hinge-$i: {revolute: z, from: ground, to: arm-$i}}\n";
  const Model model = load(text, {{"n", "3"}, {"links.arm-3.rigid.mass", "7"}});
  ASSERT_EQ(model.mechanism.links.size(), 4U);
  EXPECT_EQ(model.mechanism.links[3].mass, 7.0);
  // The text that goes into results needs no override any more.
  const Model again = load_model_text(model.flattened, "model.yaml");
  EXPECT_EQ(stored(again.mechanism), stored(model.mechanism));
  EXPECT_EQ(load(text, {{"parameters.n", "4"}}).mechanism.links.size(), 5U);
}

TEST(Repetition, TooManyAreRefused) {
  EXPECT_NE(complaint("repeat:\n  for: {i: 1 to 1000, j: 1 to 1000}\n  ground: {a-$i-$j: [0, 0]}\n")
                .find("the repetitions have more than 300000 values"),
            std::string::npos);
}

}  // namespace
}  // namespace lithe
