// `parts:`: against the same model written out by hand; mirrored parts against a mirror image written by hand, and by their motion,
// which must be the mirror image of the motion of the part.

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>

#include "io/model_text.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

class Parts : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("lithe-parts-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder / "library");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << "lithe: 1\n" << text;
  }
  Model load_file(const std::string& name, const std::map<std::string, std::string>& overrides = {}) const {
    return load_model((folder / name).string(), overrides);
  }
  std::string complaint_of(const std::string& name) const {
    try {
      load_file(name);
    } catch (const ModelError& error) {
      std::string text = error.what();
      const std::string prefix = folder.string() + "/";
      for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
        text.erase(at, prefix.size());
      return text;
    }
    return "no error";
  }

  std::filesystem::path folder;
};

std::string stored_parts(Model model) {
  model.mechanism.name = model.name = "the same";
  return detail::stored_mechanism(model);
}

TEST_F(Parts, AreTheLongForm) {
  write("library/leg.yaml", R"(
parameters: {length: 0.4, mass: 2*length, start: 10 deg}
gravity: [0, 0, 1]
materials: {steel: {density: 7800}}
links:
  thigh: {rod: {from: [0, 0], to: [length, 0], material: steel, area: 1e-4}, frames: {knee: [length, 0]}}
  shank: {cylinder: {radius: 0.02, length: length, axis: x, at: [length/2, 0], material: alloy}}
ground: {hip: [0, 0.1]}
joints:
  hip: {revolute: z, from: ground/hip, to: thigh, actuated: true}
  knee: {revolute: z, from: thigh/knee, to: shank}
springs: {rubber: {from: ground, to: shank, stiffness: 10*mass, length: 0.1}}
loads: {wind: {at: shank, force: [mass, 0]}}
initial: {hip: start, knee: 20 deg}
drives: {hip: {torque: 3*mass}}
run: {until: 77}
)");
  write("robot.yaml", R"(
parameters: {size: 0.5}
materials: {alloy: {density: 2700}}
parts:
  front: {model: library/leg.yaml, at: [1, 0], set: {length: size}}
  back: {model: library/leg.yaml}
links: {body: {rigid: {mass: 3}}}
joints: {waist: {revolute: z, from: front-shank, to: body}}
)");
  const Model parts = load_file("robot.yaml");
  const Model by_hand = load(R"(
parameters: {size: 0.5}
materials: {alloy: {density: 2700}, steel: {density: 7800}}
links:
  body: {rigid: {mass: 3}}
  front-thigh: {rod: {from: [0, 0], to: [0.5, 0], material: steel, area: 1e-4}, frames: {knee: [0.5, 0]}}
  front-shank: {cylinder: {radius: 0.02, length: 0.5, axis: x, at: [0.25, 0], material: alloy}}
  back-thigh: {rod: {from: [0, 0], to: [0.4, 0], material: steel, area: 1e-4}, frames: {knee: [0.4, 0]}}
  back-shank: {cylinder: {radius: 0.02, length: 0.4, axis: x, at: [0.2, 0], material: alloy}}
ground: {front: [1, 0], front-hip: [1, 0.1], back: [0, 0], back-hip: [0, 0.1]}
joints:
  waist: {revolute: z, from: front-shank, to: body}
  front-hip: {revolute: z, from: ground/front-hip, to: front-thigh, actuated: true}
  front-knee: {revolute: z, from: front-thigh/knee, to: front-shank}
  back-hip: {revolute: z, from: ground/back-hip, to: back-thigh, actuated: true}
  back-knee: {revolute: z, from: back-thigh/knee, to: back-shank}
springs:
  front-rubber: {from: ground/front, to: front-shank, stiffness: 10, length: 0.1}
  back-rubber: {from: ground/back, to: back-shank, stiffness: 8, length: 0.1}
loads: {front-wind: {at: front-shank, force: [1, 0]}, back-wind: {at: back-shank, force: [0.8, 0]}}
initial: {front-hip: 10 deg, front-knee: 20 deg, back-hip: 10 deg, back-knee: 20 deg}
drives: {front-hip: {torque: 3}, back-hip: {torque: 2.4}}
)");
  EXPECT_EQ(stored_parts(parts), stored_parts(by_hand));
  EXPECT_EQ(parts.initial.size(), 4U);
  EXPECT_EQ(parts.run.until, by_hand.run.until);
  ASSERT_EQ(parts.drives.size(), 2U);
  EXPECT_EQ(parts.drives[1].torque.at(0.0).value, 3 * 0.8);
  EXPECT_EQ(parts.parameters, by_hand.parameters);
  // As one text, without the file of the part.
  std::filesystem::remove_all(folder / "library");
  const Model again = load_model_text(parts.flattened, "flat.yaml");
  EXPECT_EQ(stored_parts(again), stored_parts(parts));
  EXPECT_EQ(again.drives[1].torque.at(0.0).value, 3 * 0.8);
}

TEST_F(Parts, AreTurnedAndNestedAndRepeated) {
  write("pin.yaml",
        "links: {bolt: {rigid: {mass: 1}}}\nground: {eye: {at: [1, 0], rotate: {axis: z, angle: 10 deg}}}\n"
        "joints: {turn: {revolute: z, from: ground/eye, to: bolt}}\ninitial: {bolt: {at: [1, 0]}}\n");
  write("pair.yaml", "parts: {up: {model: pin.yaml, at: [0, 2], rotate: {axis: z, angle: 90 deg}}}\n");
  write("all.yaml",
        "repeat:\n  for: {i: 1 to 2}\n  parts: {pair-$i: {model: pair.yaml, at: [10*$i, 0], rotate: {axis: z, "
        "angle: 90 deg}}}\n");
  const Model model = load_file("all.yaml");
  EXPECT_EQ(model.mechanism.links[2].name, "pair-2-up-bolt");
  EXPECT_EQ(model.mechanism.joints[1].name, "pair-2-up-turn");
  const LinkData& ground = model.mechanism.links[0];
  const Pose& eye = ground.frames[ground.find_frame("pair-2-up-eye")].pose;
  // [1, 0] turned by 90 deg, moved by [0, 2]: [0, 3]; once more turned, moved by [20, 0]: [17, 0]; axes turned by 190 deg.
  EXPECT_LT((eye.position - Vec3(17, 0, 0)).norm(), 1e-14);
  EXPECT_LT((eye.rotation - Eigen::AngleAxisd(190 * pi / 180, Vec3::UnitZ()).toRotationMatrix()).norm(), 1e-14);
  ASSERT_EQ(model.initial_poses.size(), 2U);
  EXPECT_LT((model.initial_poses[1].position.value() - Vec3(17, 0, 0)).norm(), 1e-14);
}

// Mirrored at y = 0: every y turns round, turns about x and z too, products of inertia with one y.
TEST_F(Parts, MirroredAreTheMirrorImageWrittenByHand) {
  write("arm.yaml", R"(
parameters: {b: 0.2}
links:
  a: {rigid: {mass: 2, centre: [0.1, b, 0.3], inertia: [0.4, 0.5, 0.6, 0.01, 0.02, 0.03]}, frames: {tip: {at: [0.5, b + 0.1, 0], rotate: [{axis: x, angle: 20 deg}, {axis: y, angle: 0.3}]}}}
  c: {rigid: {mass: 1}, box: {size: [0.1, 0.2, 0.3], mass: 1, at: [0, 0.1, 0]}, rod: {from: [0, 0], to: [1, 1], mass: 1}}
ground: {post: [1, 2, 3]}
joints:
  base: {revolute: [1, 2, 3], from: ground/post, to: a}
  slide: {prismatic: [1, 2, 3], from: a/tip, to: c}
)");
  write("mirrored.yaml", "parts: {m: {model: arm.yaml, mirror: y}}\n");
  const Model by_hand = load(R"(
links:
  m-a: {rigid: {mass: 2, centre: [0.1, -0.2, 0.3], inertia: [0.4, 0.5, 0.6, -0.01, 0.02, -0.03]}, frames: {tip: {at: [0.5, -(0.2 + 0.1), 0], rotate: [{axis: -x, angle: 20 deg}, {axis: y, angle: 0.3}]}}}
  m-c: {rigid: {mass: 1}, box: {size: [0.1, 0.2, 0.3], mass: 1, at: [0, -0.1, 0]}, rod: {from: [0, 0], to: [1, -1], mass: 1}}
ground: {m: [0, 0, 0], m-post: [1, -2, 3]}
joints:
  m-base: {revolute: [-1, 2, -3], from: ground/m-post, to: m-a}
  m-slide: {prismatic: [1, -2, 3], from: m-a/tip, to: m-c}
)");
  EXPECT_EQ(stored_parts(load_file("mirrored.yaml")), stored_parts(by_hand));
}

// An arm of every kind of joint with an elastic link, beside its mirror image at the plane across [1, 2, 0], which is then turned and
// moved. Gravity lies in that plane: whatever the arm does, its image does in the mirror. Both are integrated with the same fixed
// steps, so that only rounding can differ.
TEST_F(Parts, MirroredMoveAsInAMirror) {
  write("arm.yaml", R"(
parameters: {L: 0.5}
links:
  a:
    rigid: {mass: 1, centre: [0.2, 0.05, 0.02], inertia: [0.03, 0.03, 0.04, 0.002, 0.001, 0.003]}
    frames: {tip: {at: [0.5, 0.1, 0.05], rotate: [{axis: [1, 2, 3], angle: 30 deg}]}, side: {at: [0.1, -0.2, 0], quaternion: [0.9, 0.1, 0.2, 0.3]}}
  b:
    beam: {length: L, mass: 0.3, EI_y: 20, EI_z: 15, GJ: 8, polar-inertia: 1e-4, masses: [{at: tip, mass: 0.2, offset: [0, 0.05, 0.02], inertia: [1e-3, 1e-3, 1e-3, 1e-4, 0, 2e-4]}]}
    modes: {count: 3}
    frames: {eye: {along: 0.3, offset: [0, 0.02, 0.03], rotate: {axis: y, angle: 20 deg}}, corner: [0.4, 0.02, 0.01]}
  c: {cylinder: {radius: 0.03, length: 0.2, axis: [1, 1, 0], at: [0, 0.05, 0.02], mass: 0.4}}
  d: {rigid: {mass: 0.5, centre: [0, 0.1, 0.05], inertia: [4e-3, 5e-3, 6e-3, 1e-4, 2e-4, -3e-4]}}
ground: {post: {at: [0.1, 0.2, 0.3], rotate: {axis: x, angle: 25 deg}}}
joints:
  base: {universal: [[1, 1, 0], [1, -1, 0]], from: ground/post, to: a, damping: [0.1, 0.2]}
  shoulder: {revolute: [0.2, 0.3, 1], from: a/tip, to: b/root, actuated: true, spring: {stiffness: 5, rest: 10 deg}}
  slide: {cylindrical: [1, 0.5, 0], from: b/eye, to: c, actuated: [false, true], damping: [0.01, 0.2], spring: {stiffness: [0.5, 50], rest: [0.1, 0.02]}}
  ball: {spherical: true, from: a/side, to: d, spring: {stiffness: 2}}
springs: {rubber: {from: ground, to: b/corner, stiffness: 20, length: 0.3}}
ropes: {line: {from: ground, over: [b/corner], to: d, length: 0.4, stiffness: 2, damping: 0.1}}
bushings: {mount: {from: a/side, to: d, stiffness: [20, 30, 40, 1, 2, 3], damping: [0.1, 0.2, 0.3, 0.01, 0.02, 0.03], preload: [0.5, 0.4, 0.3, 0.02, 0.03, 0.01]}}
contacts: {foot: {at: c, radius: 0.8, plane: ground/post, normal: [0.1, 0.3, 1], stiffness: 30, damping: 0.1, friction: 0.3, creep: 0.1}}
loads: {push: {at: b/tip, force: [1, 2*sin(3*t), 0.5], moment: [0.1, 0.2, 0.3*t], axes: frame}}
initial: {base: [0.2, -0.3], shoulder: 15 deg, slide: [0.1, 0.03], ball: {axis: [1, 2, 0.5], angle: 20 deg}}
speeds: {base.0: 1, shoulder: -0.5, slide.1: 0.2, ball: [0.3, -0.2, 0.4]}
drives: {shoulder: {torque: 0.5*sin(4*t)}, slide.1: {force: 0.4*cos(2*t)}}
)");
  write("both.yaml", R"(
gravity: [0, 0, -9.81]
parts:
  p: {model: arm.yaml}
  m: {model: arm.yaml, mirror: [1, 2, 0], at: [1, 2, 3], rotate: {axis: z, angle: 40 deg}}
run: {until: 0.2, integrator: rk4, step: 5e-4, every: 0.05}
record: [coordinates, elements, frames: [p-b/tip, m-b/tip, p-c, m-c, p-d, m-d]]
)");
  const Model model = load_file("both.yaml");
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  const Vec3 normal = Vec3(1, 2, 0).normalized();
  const Mat3 image = Eigen::AngleAxisd(40 * pi / 180, Vec3::UnitZ()).toRotationMatrix() *
                     Mat3(Mat3::Identity() - 2 * normal * normal.transpose());
  const auto place = [&](const std::string& frame, int row) {
    Vec3 position;
    for (int k = 0; k < 3; ++k) position[k] = record.column("pos." + frame + "." + "xyz"[k])[row];
    return position;
  };
  double moved = 0.0;
  for (const char* frame : {"b.tip", "c.origin", "d.origin"}) {
    for (int row = 0; row < 5; ++row) {
      const Vec3 own = place(std::string("p-") + frame, row), other = place(std::string("m-") + frame, row);
      EXPECT_LT((other - (image * own + Vec3(1, 2, 3))).norm(), 1e-11) << frame << " " << row;
      moved = std::max(moved, (own - place(std::string("p-") + frame, 0)).norm());
    }
  }
  EXPECT_GT(moved, 0.05);
  EXPECT_NEAR(record.column("q.p-shoulder")[4], record.column("q.m-shoulder")[4], 1e-11);
  EXPECT_NEAR(record.column("q.p-slide.1")[4], -record.column("q.m-slide.1")[4], 1e-11);
  for (const char* force :
       {"rope.*-line.tension", "bushing.*-mount.fx", "contact.*-foot.force", "contact.*-foot.friction"}) {
    const auto of = [&](const char* part) {
      return record.column(std::string(force).replace(std::string(force).find('*'), 1, part))[4];
    };
    EXPECT_NE(of("p"), 0.0) << force;
    EXPECT_NEAR(of("p"), of("m"), 1e-9) << force;
  }
}

TEST_F(Parts, ElementsAreRenamedAndKeepTheirParameters) {
  write("hoist.yaml", R"(
parameters: {k: 50}
materials: {steel: {density: 7800, young: 2e11}}
links: {load: {rigid: {mass: 2}}}
ground: {top: [0, 0, 3]}
joints: {slide: {prismatic: z, from: ground, to: load}}
springs: {pad: {from: ground, to: load, force: k*x^3, one-sided: push, length: 1}}
ropes: {line: {from: ground, over: [ground/top, load], to: ground/top, length: 4, material: steel, diameter: 0.01}}
)");
  write(
      "crane.yaml",
      "materials: {steel: {density: 1, young: 1}}\nparts: {left: {model: hoist.yaml, at: [5, 0, 0], set: {k: 70}}}\n");
  const Model model = load_file("crane.yaml");
  ASSERT_EQ(model.mechanism.elements.size(), 2U);
  const auto* spring = dynamic_cast<const Spring*>(model.mechanism.elements[0].get());
  const auto* rope = dynamic_cast<const Rope*>(model.mechanism.elements[1].get());
  ASSERT_NE(spring, nullptr);
  ASSERT_NE(rope, nullptr);
  EXPECT_EQ(spring->name(), "left-pad");
  EXPECT_DOUBLE_EQ(spring->data().force.force(-0.1, 0.0), -0.07);
  EXPECT_EQ(rope->name(), "left-line");
  EXPECT_NEAR(rope->data().stiffness, 2e11 * pi / 4 * 1e-4, 1e-3);
  const auto& frames = model.mechanism.links[0].frames;
  std::vector<std::string> through;
  for (const FrameRef& each : rope->data().through)
    through.push_back(each.link == 0 ? frames[each.frame].name : model.mechanism.links[each.link].name);
  EXPECT_EQ(through, (std::vector<std::string>{"left", "left-top", "left-load", "left-top"}));
}

TEST_F(Parts, ComplaintsPointIntoThePart) {
  write("library/leg.yaml",
        "parameters: {length: 0.4}\nlinks:\n  thigh: {rod: {from: [0, 0], to: [lenght, 0], mass: 1}}\n"
        "joints: {hip: {revolute: z, from: ground/hop, to: thih}}\n");
  write("robot.yaml", "parts: {left: {model: library/leg.yaml, set: {length: 1}}}\n");
  EXPECT_EQ(complaint_of("robot.yaml"),
            "library/leg.yaml:4:36: links.left-thigh.rod.to[0]: unknown name 'lenght'; did you mean 'length'?\n"
            "library/leg.yaml:5:35: joints.left-hip.from: link 'ground' has no frame 'left-hop'; known: origin, left\n"
            "library/leg.yaml:5:51: joints.left-hip.to: unknown link 'left-thih'; did you mean 'left-thigh'?");
}

TEST_F(Parts, ValuesAreReplacedByPath) {
  write("leg.yaml",
        "parameters: {mass: 1}\nlinks: {thigh: {rigid: {mass: mass}}}\n"
        "joints: {hip: {revolute: z, from: ground, to: thigh}}\n");
  write("robot.yaml", "parts: {left: {model: leg.yaml, set: {mass: 2}}, right: {model: leg.yaml}}\n");
  const Model model = load_file("robot.yaml", {{"parts.left.set.mass", "5"}, {"links.right-thigh.rigid.mass", "7"}});
  EXPECT_EQ(model.mechanism.links[1].mass, 5.0);
  EXPECT_EQ(model.mechanism.links[2].mass, 7.0);
  EXPECT_EQ(stored_parts(load_model_text(model.flattened, "flat.yaml")), stored_parts(model));
}

TEST_F(Parts, APartOfItselfIsRefused) {
  write("inner.yaml", "parts: {again: {model: inner.yaml}}\n");
  write("outer.yaml", "parts: {first: {model: inner.yaml}}\n");
  write("self.yaml", "parts: {first: {model: self.yaml}}\n");
  EXPECT_EQ(complaint_of("outer.yaml"),
            "inner.yaml:2:24: parts.again.model: parts stand in parts more than 20 deep; does one contain itself?");
  EXPECT_EQ(complaint_of("self.yaml"),
            "self.yaml:2:24: parts.first.model: the file self.yaml includes itself, directly or through others");
}

}  // namespace
}  // namespace lithe
