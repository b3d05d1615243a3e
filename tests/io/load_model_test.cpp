#include "lithe/io/load_model.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "io/model_text.hpp"
#include "lithe/io/parameter_ranges.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

Model three_joints() {
  return load(R"(
name: three joints
gravity: [0, -9.81]
parameters: {length: 0.5, stiff: 40}
links:
  crank:
    rigid: {mass: 2, centre: [length/2, 0], inertia: [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]}
    frames:
      tip: [length, 0]
      side: {at: [0, 0, 1], rotate: {axis: z, angle: 90 deg}}
      twice: {rotate: [{axis: z, angle: 90 deg}, {axis: x, angle: 90 deg}]}
      half: {quaternion: [2, 0, 0, 2]}
  slider: {box: {mass: 1, size: [0.1, 0.2, 0.3]}}
  ball: {sphere: {mass: 1, radius: 0.1}}
ground: {base: [1, 2, 3]}
joints:
  motor: {revolute: z, from: ground/base, to: crank, actuated: true, damping: 0.1, friction: {viscous: 0.2}, spring: {stiffness: stiff, rest: 30 deg}}
  guide: {cylindrical: -x, from: crank/tip, to: slider/origin, actuated: [false, true], damping: [1, 2], spring: {stiffness: [3, 4], rest: [5, 6]}, cut: true}
  socket: {spherical: {}, from: crank/tip, to: ball, spring: {stiffness: 7}}
springs:
  s: {from: ground, to: slider, stiffness: 100, damping: 2, length: 0.1}
loads:
  push: {at: slider, force: [1, 2*t], moment: [0, 0, {cycloid: {from: 0, to: 1, in: 2}}], axes: frame}
)");
}

TEST(LoadModel, ReadsLinksAndFrames) {
  const Model model = three_joints();
  EXPECT_EQ(model.name, "three joints");
  EXPECT_EQ(model.path, "model.yaml");
  EXPECT_EQ(model.mechanism.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(model.parameters.at("stiff"), 40.0);
  ASSERT_EQ(model.mechanism.links.size(), 4U);
  const LinkData& crank = model.mechanism.links[1];
  EXPECT_EQ(crank.mass, 2.0);
  EXPECT_EQ(crank.centre, Vec3(0.25, 0, 0));
  Mat3 inertia;
  inertia << 0.1, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.25;
  EXPECT_TRUE(crank.inertia.isApprox(inertia, 1e-15));
  ASSERT_EQ(crank.frames.size(), 5U);
  EXPECT_EQ(crank.frames[0].name, "origin");
  EXPECT_EQ(crank.frames[1].pose.position, Vec3(0.5, 0, 0));
  // A quarter turn about z takes x to y.
  EXPECT_TRUE((crank.frames[2].pose.rotation * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
  EXPECT_EQ(crank.frames[2].pose.position, Vec3(0, 0, 1));
  // Then a quarter turn about the turned x: the frame's y axis is z.
  EXPECT_TRUE((crank.frames[3].pose.rotation * Vec3::UnitY()).isApprox(Vec3::UnitZ(), 1e-15));
  EXPECT_TRUE((crank.frames[3].pose.rotation * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
  EXPECT_TRUE(crank.frames[4].pose.rotation.isApprox(crank.frames[2].pose.rotation, 1e-15));
  EXPECT_EQ(model.mechanism.links[0].frames[1].pose.position, Vec3(1, 2, 3));
}

TEST(LoadModel, ReadsJoints) {
  const Model model = three_joints();
  const Joint& motor = model.mechanism.joints[0];
  EXPECT_EQ(motor.type, JointType::revolute);
  EXPECT_EQ(motor.from, (FrameRef{0, 1}));
  EXPECT_EQ(motor.to, (FrameRef{1, 0}));
  EXPECT_EQ(motor.actuated, std::vector<bool>{true});
  EXPECT_DOUBLE_EQ(motor.damping.at(0), 0.3);  // damping and viscous friction add up
  EXPECT_EQ(motor.stiffness.at(0), 40.0);
  EXPECT_DOUBLE_EQ(motor.rest.at(0), pi / 6);
  const Joint& guide = model.mechanism.joints[1];
  EXPECT_EQ(guide.type, JointType::cylindrical);
  EXPECT_EQ(guide.axis, Vec3(-1, 0, 0));
  EXPECT_EQ(guide.actuated, (std::vector<bool>{false, true}));
  EXPECT_EQ(guide.damping, (std::vector<double>{1, 2}));
  EXPECT_EQ(guide.stiffness, (std::vector<double>{3, 4}));
  EXPECT_EQ(guide.rest, (std::vector<double>{5, 6}));
  EXPECT_TRUE(guide.cut);
  EXPECT_EQ(model.mechanism.joints[2].stiffness, (std::vector<double>{7, 7, 7}));
}

TEST(LoadModel, ReadsSpringsAndLoads) {
  const Model model = three_joints();
  const PointSpring& spring = model.mechanism.springs.at(0);
  EXPECT_EQ(spring.b, (FrameRef{2, 0}));
  EXPECT_EQ(spring.stiffness, 100.0);
  EXPECT_EQ(spring.damping, 2.0);
  EXPECT_EQ(spring.rest, 0.1);
  EXPECT_TRUE(model.mechanism.loads.at(0).in_frame_axes);
  const LoadLaws& laws = model.loads.at(0);
  EXPECT_EQ(laws.load, "push");
  EXPECT_EQ(laws.force[0].at(3.0).value, 1.0);
  EXPECT_EQ(laws.force[1].at(3.0).value, 6.0);
  EXPECT_TRUE(laws.force[2].empty());
  EXPECT_DOUBLE_EQ(laws.moment[2].at(1.0).value, 0.5);
}

TEST(LoadModel, ReadsAllJointTypes) {
  const Model model = load(R"(
links: {a: {rigid: {mass: 1}}}
joints:
  j1: {revolute: [0, 3, 4], from: ground, to: a}
  j2: {prismatic: x, from: ground, to: a}
  j3: {cylindrical: y, from: ground, to: a}
  j4: {universal: [x, -z], from: ground, to: a}
  j5: {spherical: true, from: ground, to: a}
  j6: {planar: z, from: ground, to: a}
  j7: {fixed: true, from: ground, to: a}
  j8: {free: true, from: ground, to: a}
)");
  const auto& joints = model.mechanism.joints;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(joints.at(i).type, joint_table[i].type);
  EXPECT_TRUE(joints[0].axis.isApprox(Vec3(0, 0.6, 0.8), 1e-15));
  EXPECT_EQ(joints[3].axis, Vec3::UnitX());
  EXPECT_EQ(joints[3].axis2, -Vec3::UnitZ());
}

void expect_body(const LinkData& link, double mass, const Vec3& centre, const Vec3& moments) {
  EXPECT_NEAR(link.mass, mass, 1e-12 * mass);
  EXPECT_TRUE(link.centre.isApprox(centre, 1e-12) || (link.centre - centre).norm() < 1e-15);
  EXPECT_TRUE(link.inertia.isApprox(Mat3(moments.asDiagonal()), 1e-12)) << link.inertia;
}

TEST(LoadModel, ComputesSolids) {
  // Closed forms: box m/12 (b^2 + c^2); cylinder m r^2/2 and m (3 r^2 + h^2)/12; sphere 2/5 m r^2; rod m l^2/12.
  const auto body = [](const char* text) { return one_link(text).mechanism.links[1]; };
  expect_body(body("box: {mass: 12, size: [1, 2, 3], at: [0, 0, 1]}"), 12, {0, 0, 1}, {13, 10, 5});
  expect_body(body("cylinder: {mass: 12, radius: 2, length: 3, axis: x}"), 12, {0, 0, 0}, {24, 21, 21});
  expect_body(body("sphere: {mass: 5, radius: 2, at: [1, 0]}"), 5, {1, 0, 0}, {8, 8, 8});
  expect_body(body("rod: {from: [0, 0], to: [2, 0], mass: 3}"), 3, {1, 0, 0}, {0, 1, 1});
  // Density times volume.
  const auto of_steel = [](const std::string& text) {
    return load("materials: {steel: {density: 8000}}\nlinks: {body: {" + text +
                "}}\njoints: {j: {free: true, from: ground, to: body}}")
        .mechanism.links[1]
        .mass;
  };
  EXPECT_DOUBLE_EQ(of_steel("box: {size: [0.1, 0.2, 0.5], material: steel}"), 80.0);
  EXPECT_DOUBLE_EQ(of_steel("cylinder: {radius: 0.1, length: 0.5, material: steel}"), 8000 * pi * 0.01 * 0.5);
  EXPECT_DOUBLE_EQ(of_steel("sphere: {radius: 0.3, material: steel}"), 8000 * 4.0 / 3.0 * pi * 0.027);
  EXPECT_DOUBLE_EQ(of_steel("rod: {from: [0, 0], to: [0, 2], area: 1e-4, material: steel}"), 1.6);
}

TEST(LoadModel, AddsSolidsToOneBody) {
  // Two point masses of 1 kg and 3 kg, 4 m apart: centre 3 m from the first, inertia m1 m2/(m1+m2) d^2 = 12 kg m^2.
  const Model model = one_link("rigid: {mass: 1}, sphere: {mass: 3, radius: 1e-9, at: [4, 0]}");
  expect_body(model.mechanism.links[1], 4, {3, 0, 0}, {1.2e-18, 12, 12});
}

TEST(LoadModel, ReadsInertiaInThreeForms) {
  const auto inertia = [](const char* text) {
    return one_link(std::string("rigid: {mass: 1, inertia: ") + text + "}").mechanism.links[1].inertia;
  };
  Mat3 expected;
  expected << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4;
  EXPECT_EQ(inertia("[2, 3, 4]"), Mat3(Vec3(2, 3, 4).asDiagonal()));
  EXPECT_EQ(inertia("[2, 3, 4, 0.1, 0.2, 0.3]"), expected);
  EXPECT_EQ(inertia("[[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]"), expected);
}

TEST(LoadModel, EvaluatesParametersInAnyOrder) {
  const Model model = one_link("rigid: {mass: total}", R"(parameters:
  total: 2*part + extra-mass
  part: 3
  extra-mass: if(part > 2, 0.5, 0)
)");
  EXPECT_EQ(model.mechanism.links[1].mass, 6.5);
  EXPECT_EQ(model.parameters.at("total"), 6.5);
}

const std::string with_parameters = R"(
parameters: {mass: 2, double: 2*mass, angle: 0}
links: {a: {rigid: {mass: double}}}
joints: {j: {revolute: z, from: ground, to: a}}
initial: {j: angle}
)";

TEST(LoadModel, OverridesParameters) {
  const Model model = load(with_parameters, {{"mass", "5"}, {"angle", "(mass + 25) deg"}});
  EXPECT_EQ(model.mechanism.links[1].mass, 10.0);
  EXPECT_DOUBLE_EQ(model.initial.at(0).value, pi / 6);
  EXPECT_EQ(complaint(with_parameters, {{"mas", "5"}}),
            "--set: mas: the model has no parameter of this name; did you mean 'mass'?");
  EXPECT_EQ(complaint(with_parameters, {{"mass", "5 kg"}}),
            "--set: mass: expected an operator but found 'kg'; units are not written: quantities are in SI, and angles "
            "may end in deg");
  EXPECT_EQ(complaint("links: {a: {rigid: {mass: 1}}}\njoints: {j: {free: true, from: ground, to: a}}", {{"x", "1"}}),
            "--set: x: the model has no parameter of this name");
}

const std::string with_ranges = R"(
parameters:
  payload: {value: 2, from: 0, to: 5*least}
  tilt: {value: 30 deg, from: 0, to: 90 deg}
  least: 2
links: {a: {rigid: {mass: payload}}}
joints: {j: {revolute: z, from: ground, to: a}}
initial: {j: tilt}
)";

TEST(LoadModel, ParametersMayHaveRanges) {
  const Model model = load(with_ranges);
  EXPECT_EQ(model.mechanism.links[1].mass, 2.0);
  EXPECT_DOUBLE_EQ(model.initial.at(0).value, pi / 6);
  const std::map<std::string, ParameterRange> ranges = parameter_ranges(model);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges.at("payload").to, 10.0);
  EXPECT_FALSE(ranges.at("payload").angle);
  EXPECT_DOUBLE_EQ(ranges.at("tilt").to, pi / 2);
  EXPECT_TRUE(ranges.at("tilt").angle);
}

TEST(LoadModel, ReplacedParametersKeepTheirRange) {
  const Model model = load(with_ranges, {{"payload", "12"}, {"parameters.tilt.value", "60 deg"}});
  EXPECT_EQ(model.parameters.at("payload"), 12.0) << "beyond the range, which is for sliders";
  EXPECT_DOUBLE_EQ(model.parameters.at("tilt"), pi / 3);
  EXPECT_EQ(parameter_ranges(model).at("payload").to, 10.0);
  const Model again = load_model_text(model.flattened, "again.yaml", {});
  EXPECT_EQ(again.parameters, model.parameters);
}

TEST(LoadModel, RefusesRangesThatMakeNoSense) {
  const auto about = [](const std::string& parameter) {
    return complaint("parameters: {p: " + parameter +
                     "}\nlinks: {a: {rigid: {mass: p}}}\njoints: {j: {free: true, from: ground, to: a}}");
  };
  EXPECT_EQ(about("{value: 2, from: 5, to: 5}"),
            "model.yaml:2:41: parameters.p.to: expected more than 'from', which is 5, but this is 5");
  EXPECT_EQ(about("{value: 7, from: 0, to: 5}"),
            "model.yaml:2:25: parameters.p.value: 7 is not between 'from' and 'to', 0 and 5");
  EXPECT_EQ(about("{value: 7, from: 0}"), "model.yaml:2:14: parameters.p: a parameter needs 'to'");
  EXPECT_EQ(about("{value: 7, form: 0, to: 9}"),
            "model.yaml:2:28: parameters.p.form: a parameter has no key 'form'; did you mean 'from'?");
}

TEST(LoadModel, ResolvesAnchorsAndMergeKeys) {
  const Model model = load(R"(
links:
  left: &arm {rod: {from: [0, 0], to: [1, 0], mass: 2}, frames: {tip: [1, 0]}}
  right: *arm
  long: {<<: *arm, frames: {tip: [2, 0]}}
joints:
  a: {revolute: z, from: ground, to: left}
  b: {revolute: z, from: left/tip, to: right}
  c: {revolute: z, from: right/tip, to: long}
)");
  EXPECT_EQ(model.mechanism.links[2].mass, 2.0);
  EXPECT_EQ(model.mechanism.links[3].mass, 2.0);
  EXPECT_EQ(model.mechanism.links[2].frames.at(1).pose.position, Vec3(1, 0, 0));
  EXPECT_EQ(model.mechanism.links[3].frames.at(1).pose.position, Vec3(2, 0, 0));
}

/// A folder that disappears with its files.
class LoadModelFiles : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_ / "parts"); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("lithe-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
       std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" + std::to_string(::getpid()));
};

TEST_F(LoadModelFiles, IncludesAreMergedAndTheIncludingFileWins) {
  write("base.yaml", R"(lithe: 1
name: base
gravity: [0, 0, -9.81]
parameters: {mass: 1, length: 2}
links: {a: {rigid: {mass: mass}, frames: {tip: [length, 0]}}, b: {rigid: {mass: 7}}}
joints: {j: {revolute: z, from: ground, to: a}, k: {revolute: z, from: a/tip, to: b}}
run: {until: 5, rtol: 1e-4}
)");
  write("top.yaml", R"(lithe: 1
include: base.yaml
name: top
parameters: {mass: 3*extra, extra: 2}
links: {b: {rigid: {mass: 9}}}
run: {until: 6}
)");
  const Model model = load_model(path("top.yaml"));
  EXPECT_EQ(model.name, "top");
  EXPECT_EQ(model.mechanism.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(model.mechanism.links.at(1).mass, 6.0);
  EXPECT_EQ(model.mechanism.links.at(2).mass, 9.0);
  EXPECT_EQ(model.mechanism.joints.size(), 2U);
  EXPECT_EQ(model.run.until, 6.0);
  EXPECT_EQ(model.run.rtol, 1e-4);
}

TEST_F(LoadModelFiles, EntriesOfIncludedFilesAreRemovedAndRepetitionsKept) {
  write("base.yaml", R"(lithe: 1
links: {a: {rigid: {mass: 1}, frames: {tip: [1, 0]}}, b: {rigid: {mass: 7}}}
joints: {j: {revolute: z, from: ground, to: a, damping: 0.5}, k: {revolute: z, from: a/tip, to: b}}
repeat: {for: {i: 1 to 2}, ground: {low-$i: [$i, 0]}}
)");
  write("top.yaml", R"(lithe: 1
include: base.yaml
remove: [links.b, joints.k, joints.j.damping]
repeat: {for: {i: 1 to 3}, ground: {high-$i: [$i, 1]}}
)");
  const Model model = load_model(path("top.yaml"));
  EXPECT_EQ(model.mechanism.links.size(), 2U);
  ASSERT_EQ(model.mechanism.joints.size(), 1U);
  EXPECT_TRUE(model.mechanism.joints[0].damping.empty());
  EXPECT_EQ(model.mechanism.links[0].frames.size(), 6U);
  EXPECT_EQ(load_model_text(model.flattened, "flat.yaml").mechanism.links[0].frames.size(), 6U);
}

TEST_F(LoadModelFiles, IncludedFilesResolveTheirOwnTables) {
  write("parts/motor.yaml", R"(lithe: 1
drives: {j: {torque: {table: {file: samples.csv, column: torque, interpolation: cubic}}}}
)");
  write("parts/samples.csv", "# measured\nt; speed; torque\n0; 9; 1\n\n1; 9; +2\n2; 9; 3e0\n");
  write("model.yaml", R"(lithe: 1
include: [parts/motor.yaml]
links: {a: {rigid: {mass: 1}}}
joints: {j: {revolute: z, from: ground, to: a, actuated: true}}
)");
  const Model model = load_model(path("model.yaml"));
  EXPECT_DOUBLE_EQ(model.drives.at(0).torque.at(0.25).value, 1.25);
}

TEST_F(LoadModelFiles, AFileThatCannotBeReadIsNamed) {
  try {
    load_model(path("none.yaml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.what(), path("none.yaml") + ": the file cannot be read: there is no such file");
  }
}

TEST(LoadModel, IsCalledLikeItsFileWithoutAName) {
  EXPECT_EQ(one_link("rigid: {mass: 1}").name, "model");
  EXPECT_EQ(one_link("rigid: {mass: 1}").mechanism.name, "model");
}

TEST(LoadModel, AcceptsEveryKey) {
  const Model model = load_model(source_folder() + "/tests/io/accepted/every-key.yaml");
  EXPECT_EQ(model.mechanism.joints.size(),
            24U + 2U + 6U);            // the rotor of an elastic gear and its body, three of each cylinder
  EXPECT_EQ(model.drives.size(), 7U);  // of the joint behind the gear as well
  const auto table = std::find_if(model.drives.begin(), model.drives.end(),
                                  [](const Drive& drive) { return drive.joint == "cross" && drive.coordinate == 1; });
  ASSERT_NE(table, model.drives.end());
  EXPECT_DOUBLE_EQ(table->torque.at(1.0).value, 2.0);
  EXPECT_EQ(load_model(source_folder() + "/tests/io/accepted/automatic-modes.yaml").mechanism.joints.size(), 3U);
}

TEST(LoadModel, KeepsDiagnosticsApart) {
  try {
    load("links: {a: {rigid: {mas: 1}}}\njoints: {j: {free: true, from: ground, to: b}}");
    FAIL();
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    const Diagnostic& first = error.diagnostics()[0];
    EXPECT_EQ(first.file, "model.yaml");
    EXPECT_EQ(first.line, 2);
    EXPECT_EQ(first.column, 21);
    EXPECT_EQ(first.key, "links.a.rigid.mas");
    EXPECT_EQ(error.diagnostics()[1].key, "joints.j.to");
  }
}

TEST(LoadModel, RefusesAnExplosionOfAliases) {
  std::string text = "name: x\nlinks:\n  a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "  a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 9; ++k) text += ", " + last;
    text += "]\n";
  }
  EXPECT_NE(complaint(text).find("the file has more than 300000 values"), std::string::npos);
}

TEST(LoadModel, RefusesDeepNesting) {
  EXPECT_NE(complaint("links: " + std::string(60, '[') + std::string(60, ']')).find("nested more than 48 levels deep"),
            std::string::npos);
  EXPECT_NE(complaint("links: " + std::string(100000, '[')), "no error");
}

}  // namespace
}  // namespace lithe
