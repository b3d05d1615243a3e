// URDF to model file: dynamics against tests/oracles/urdf_arm.py, every kind of joint, the side file, and exact
// messages.

#include "lithe/io/urdf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/results.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/case_name.hpp"
#include "support/coordinates.hpp"
#include "support/oracle.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;
const std::string urdf_folder = source_folder() + "/tests/io/urdf/";
const std::string palletiser = source_folder() + "/examples/urdf/palletiser";

/// A folder that vanishes with the test.
class UrdfFiles {
 public:
  UrdfFiles() {
    std::string pattern = (fs::temp_directory_path() / "lithe-urdf-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~UrdfFiles() { fs::remove_all(path_); }
  UrdfFiles(const UrdfFiles&) = delete;
  UrdfFiles& operator=(const UrdfFiles&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string urdf_file_text(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A robot of one line per element.
std::string robot(const std::string& elements) { return "<robot name=\"r\">\n" + elements + "</robot>\n"; }

const std::string rod_link =
    "<inertial><origin xyz=\"0.5 0 0\"/><mass value=\"2\"/>"
    "<inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.17\" iyz=\"0\" izz=\"0.17\"/></inertial>";

Model converted(const std::string& urdf, const std::string& side = {}) {
  return load_model_text(convert_urdf(urdf, side).text, "converted.yaml");
}

// The recorded torques have 16 digits; the converted file rounds inertias to 15, and both programs sum a few dozen
// terms.
TEST(Urdf, InverseDynamicsOfTheConvertedArmAgreesWithTheOracle) {
  const Model model = converted(urdf_folder + "arm.urdf");
  Prepared prepared = prepare(model);
  const testing::Json oracle = testing::read_oracle("urdf_arm");
  ASSERT_EQ(prepared.plan.nv(), 3);
  for (const testing::Json& recorded : oracle["states"]) {
    State state = prepared.state;
    VectorX a = VectorX::Zero(3), tau = VectorX::Zero(3), force = VectorX::Zero(3);
    for (const char* joint : {"waist", "rail", "wrist"}) {
      testing::set_coordinate(prepared.plan, joint, recorded["q"][joint], state.q);
      testing::set_speed(prepared.plan, joint, recorded["v"][joint], state.v);
      testing::set_speed(prepared.plan, joint, recorded["a"][joint], a);
      testing::set_speed(prepared.plan, joint, recorded["tau"][joint], tau);
    }
    tree_inverse_dynamics(prepared.plan, prepared.work, state, a, Actions(prepared.plan), force);
    EXPECT_LT((force - tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff()) << force << "\n\n" << tau;
  }
}

// R I R^T for a quarter turn about y: the inertial frame's x is the link's z, its z is minus the link's x.
TEST(Urdf, InertialFramesAreTurnedIntoLinkAxes) {
  const Model model = converted(palletiser + ".urdf");
  const LinkData& arm = model.mechanism.links[model.mechanism.find_link("upper_arm")];
  EXPECT_EQ(arm.mass, 8.0);
  EXPECT_EQ(arm.centre, Vec3(0, 0, 0.25));
  EXPECT_LT((arm.inertia - Mat3(Vec3(0.18, 0.19, 0.02).asDiagonal())).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Urdf, EveryTypeOfJoint) {
  const UrdfFiles files;
  std::string elements = "<link name=\"base\"/>\n";
  for (const char* type : {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"}) {
    elements += "<link name=\"" + std::string(type) + "-link\">" + rod_link + "</link>\n";
    elements +=
        "<joint name=\"" + std::string(type) + "\" type=\"" + type + "\"><parent link=\"base\"/><child link=\"" + type +
        "-link\"/><axis xyz=\"0 0 -2\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"3\"/></joint>\n";
  }
  const UrdfConversion conversion = convert_urdf(files.write("all.urdf", robot(elements)));
  EXPECT_TRUE(conversion.notes.empty());
  EXPECT_EQ(conversion.links, 6);
  const Model model = load_model_text(conversion.text, "all.yaml");
  const std::vector<std::pair<const char*, JointType>> expected = {
      {"revolute", JointType::revolute}, {"continuous", JointType::revolute}, {"prismatic", JointType::prismatic},
      {"fixed", JointType::fixed},       {"floating", JointType::free},       {"planar", JointType::planar}};
  for (const auto& [name, type] : expected) {
    const Joint& joint = model.mechanism.joints[model.mechanism.find_joint(name)];
    EXPECT_EQ(joint.type, type) << name;
    const bool has_axis = type == JointType::revolute || type == JointType::prismatic || type == JointType::planar;
    if (has_axis) EXPECT_EQ(joint.axis, Vec3(0, 0, -1)) << name;
    // Without transmissions what turns or slides has a motor.
    EXPECT_EQ(!joint.actuated.empty() && joint.actuated[0],
              type == JointType::revolute || type == JointType::prismatic);
  }
  EXPECT_NE(conversion.text.find("# URDF line 4; limits -1 to 1 rad; at most 5 N m, 3 rad/s"), std::string::npos)
      << conversion.text;
}

TEST(Urdf, LoopAndElasticLinkSimulate) {
  const UrdfConversion conversion = convert_urdf(palletiser + ".urdf", palletiser + "-side.yaml");
  EXPECT_EQ(conversion.links, 6);
  EXPECT_EQ(conversion.joints, 7);
  Model model = load_model_text(conversion.text, "palletiser.yaml");
  const Prepared prepared = prepare(model);
  EXPECT_EQ(prepared.plan.closure_count(), 3);  // the ball of the rod
  EXPECT_EQ(prepared.plan.nv(), 5 + 4);         // five joints of the tree, four modes
  model.run.until = 0.3;
  model.run.tolerance = 1e-7;  // the balance is as exact as the motion
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_LT(outcome.audit.energy_error, 1e-6 * outcome.audit.energy_scale);
  // The tool is a bare link in the URDF and a frame of the gripper here.
  const auto& columns = record.columns();
  EXPECT_NE(std::find(columns.begin(), columns.end(), "pos.gripper.tool0.z"), columns.end());
}

// The bending of the converted forearm under the gripper is that of a cantilever with a weight and a moment at its end.
TEST(Urdf, ElasticLinkSagsAsACantilever) {
  const UrdfFiles files;
  const std::string urdf =
      files.write("beam.urdf",
                  robot("<link name=\"base\"/>\n<link name=\"beam\">" + rod_link +
                        "</link>\n<joint name=\"clamp\" type=\"fixed\"><parent link=\"base\"/><child "
                        "link=\"beam\"/></joint>\n"
                        "<link name=\"load\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" "
                        "iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial></link>\n<joint name=\"end\" type=\"fixed\"><parent "
                        "link=\"beam\"/><child link=\"load\"/><origin xyz=\"1 0 0\"/></joint>\n"));
  const std::string side =
      files.write("side.yaml",
                  "lithe: 1\ngravity: [0, 0, -10]\nlinks:\n  beam:\n    beam: {length: 1, EI_z: 100, "
                  "mass-per-length: 1e-9}\n    modes: {all: true}\nrun: {until: 0.5}\n");
  const Model model = converted(urdf, side);
  EXPECT_EQ(model.mechanism.gravity, Vec3(0, 0, -10));
  const int beam = model.mechanism.find_link("beam");
  const LinkData& link = model.mechanism.links[beam];
  // Static amplitudes under the weight F = 5 N at the frame `end`: K x = Phi^T F; the sag is F L^3/(3 E I).
  const Frame& end = link.frames[link.find_frame("end")];
  const VectorX amplitudes = link.elastic.stiffness.ldlt().solve(end.shape.transpose() * Vec3(0, 0, -5));
  EXPECT_NEAR((end.shape * amplitudes).z(), -5.0 / 300.0, 1e-10);
}

TEST(Urdf, SideFileRenamesChangesAndChooses) {
  const UrdfFiles files;
  const std::string urdf = files.write(
      "arm.urdf",
      robot(
          "<link name=\"base\"/>\n<link name=\"my link\">" + rod_link +
          "</link>\n<joint name=\"j 1\" type=\"continuous\"><parent link=\"base\"/><child link=\"my link\"/></joint>\n"
          "<link name=\"second\">" +
          rod_link +
          "</link>\n<joint name=\"j2\" type=\"continuous\"><parent link=\"my link\"/><child link=\"second\"/><origin "
          "xyz=\"1 0 0\"/><dynamics damping=\"0.1\" friction=\"0.2\"/></joint>\n"
          "<link name=\"tool\"/>\n<joint name=\"t\" type=\"fixed\"><parent link=\"second\"/><child "
          "link=\"tool\"/><origin "
          "xyz=\"1 0 0\"/></joint>\n"));
  const std::string side =
      files.write("side.yaml",
                  "lithe: 1\nname: renamed\nbase: free\nrename: {links: {my link: first}, joints: {j 1: "
                  "shoulder}}\nactuated: [shoulder]\nlinks: {base: {rigid: {mass: 3, inertia: [1, 1, "
                  "1]}}}\njoints: {j2: {revolute: y, damping: 0.5}}\nsprings: {s: {from: base, to: "
                  "tool, stiffness: 10}}\ninitial: {shoulder: 0.3}\n");
  const UrdfConversion conversion = convert_urdf(urdf, side);
  EXPECT_TRUE(conversion.notes.empty());
  const Model model = load_model_text(conversion.text, "x.yaml");
  EXPECT_EQ(model.name, "renamed");
  const Mechanism& m = model.mechanism;
  EXPECT_EQ(m.joints[m.find_joint("base")].type, JointType::free);
  const Joint& shoulder = m.joints[m.find_joint("shoulder")];
  EXPECT_EQ(shoulder.axis, Vec3(1, 0, 0));  // the default axis of URDF
  EXPECT_EQ(shoulder.actuated, std::vector<bool>{true});
  const Joint& j2 = m.joints[m.find_joint("j2")];
  ASSERT_EQ(j2.friction.size(), 1u);
  EXPECT_EQ(j2.friction[0].coulomb, 0.2);
  EXPECT_EQ(j2.axis, Vec3(0, 1, 0));
  EXPECT_EQ(j2.damping, std::vector<double>{0.5});
  EXPECT_TRUE(j2.actuated.empty());
  // The spring's end is the bare tool, which is a frame of its carrier.
  EXPECT_EQ(m.springs[0].b.link, m.find_link("second"));
  EXPECT_EQ(m.links[m.find_link("second")]
                .frames[m.springs[0].b.frame]
                .name,
            "tool");
}

TEST(Urdf, MimicIsACouplingUnlessTheSideFileSaysOtherwise) {
  const UrdfFiles files;
  const std::string urdf = files.write(
      "gripper.urdf",
      robot("<link name=\"base\"/>\n<link name=\"a\">" + rod_link + "</link>\n<link name=\"b\">" + rod_link +
            "</link>\n<joint name=\"left\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint>\n"
            "<joint name=\"right\" type=\"continuous\"><parent link=\"base\"/><child link=\"b\"/><mimic joint=\"left\" "
            "multiplier=\"-1\" offset=\"0.25\"/></joint>\n"));
  const Model tied = converted(urdf, "");
  ASSERT_EQ(tied.mechanism.couplings.size(), 1u);
  const Coupling& coupling = tied.mechanism.couplings[0];
  ASSERT_EQ(coupling.terms.size(), 2u);
  EXPECT_EQ(tied.mechanism.joints[coupling.terms[0].coordinate.joint].name, "right");
  EXPECT_EQ(coupling.terms[1].factor, 1.0);  // right + left = 0.25
  EXPECT_EQ(coupling.offset, 0.25);
  const auto type_of = [&](const std::string& choice) {
    const Model model = converted(urdf, files.write("side.yaml", "lithe: 1\nmimic: " + choice + "\n"));
    return model.mechanism.joints[model.mechanism.find_joint("right")].type;
  };
  EXPECT_EQ(type_of("free"), JointType::revolute);
  EXPECT_EQ(type_of("fixed"), JointType::fixed);
  const std::string more = "lithe: 1\nmimic: coupled\ncouplings: {other: {terms: {left: 1}, offset: 0.5}}\n";
  EXPECT_EQ(converted(urdf, files.write("side.yaml", more)).mechanism.couplings.size(), 2u);
}

TEST(Urdf, FilesOfTheSideFileAreFoundFromTheModelFile) {
  const UrdfFiles files;
  const std::string urdf =
      files.write("arm.urdf", robot("<link name=\"base\"/>\n<link name=\"arm\">" + rod_link +
                                    "</link>\n<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child "
                                    "link=\"arm\"/></joint>\n"));
  files.write("parts/law.csv", "t,y\n0,0\n1,1\n");
  const std::string side =
      files.write("parts/side.yaml",
                  "lithe: 1\ndrives: {j: {follow: {table: {file: law.csv, interpolation: cubic}}, by: motion}}\n");
  const std::string output = files.path("models/arm.yaml");
  fs::create_directories(files.path("models"));
  std::ofstream(output) << convert_urdf(urdf, side, output).text;
  EXPECT_NE(urdf_file_text(output).find("file: ../parts/law.csv"), std::string::npos) << urdf_file_text(output);
  EXPECT_EQ(load_model(output).drives.size(), 1U);
}

TEST(Urdf, EveryExampleAndTestFileConvertsToTheSameModelTwice) {
  for (const std::string& path : {urdf_folder + "arm.urdf", palletiser + ".urdf"})
    EXPECT_EQ(convert_urdf(path).text, convert_urdf(path).text);
}

// Every NAME.urdf in tests/io/urdf/malformed, with NAME.yaml as side file where there is one, gives exactly the
// messages in NAME.expected.
class MalformedUrdf : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> malformed_urdfs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(urdf_folder + "malformed"))
    if (entry.path().extension() == ".urdf") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(MalformedUrdf, GivesExactlyTheseMessages) {
  const std::string folder = urdf_folder + "malformed/", stem = folder + GetParam();
  const std::string side = fs::exists(stem + ".yaml") ? stem + ".yaml" : "";
  ::testing::internal::CaptureStderr();
  std::string message;
  try {
    convert_urdf(stem + ".urdf", side);
  } catch (const ModelError& error) {
    message = error.what();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "only the error speaks";
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
    message.erase(at, folder.size());
  EXPECT_EQ(message + "\n", urdf_file_text(stem + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(All, MalformedUrdf, ::testing::ValuesIn(malformed_urdfs()),
                         [](const auto& info) { return testing::case_name(info.param); });

TEST(MalformedUrdfs, AreMany) { EXPECT_GE(malformed_urdfs().size(), 15U); }

TEST(Urdf, MissingFilesAreNamed) {
  for (const auto& [urdf, side] : {std::pair<std::string, std::string>{"nowhere.urdf", ""},
                                   std::pair<std::string, std::string>{palletiser + ".urdf", "nowhere.yaml"}}) {
    try {
      convert_urdf(urdf, side);
      FAIL();
    } catch (const ModelError& error) {
      EXPECT_EQ(std::string(error.what()),
                (side.empty() ? urdf : side) + ": the file cannot be read: there is no such file");
    }
  }
}

// Of the file: a hinge from -1.5 to 2.5, a slide from -0.25 to 0.125, a hinge without range, one without end.
TEST(Urdf, LimitsBecomeStopsWhenAskedFor) {
  const std::string file = source_folder() + "/tests/io/urdf/corpus/limits-as-stops.urdf";
  UrdfOptions options;
  options.stops = true;
  const Model model = load_model_text(convert_urdf(file, "", "", options).text, "stops.yaml");
  const std::vector<Joint>& joints = model.mechanism.joints;
  ASSERT_EQ(joints.size(), 4u);
  ASSERT_EQ(joints[0].stops.size(), 1u);
  EXPECT_EQ(joints[0].stops[0].lower, -1.5);
  EXPECT_EQ(joints[0].stops[0].upper, 2.5);
  EXPECT_EQ(joints[0].stops[0].stiffness, 0.0);
  ASSERT_EQ(joints[1].stops.size(), 1u);
  EXPECT_EQ(joints[1].stops[0].upper, 0.125);
  EXPECT_TRUE(joints[2].stops.empty());
  EXPECT_TRUE(joints[3].stops.empty());
  for (const Joint& joint : load_model_text(convert_urdf(file).text, "free.yaml").mechanism.joints)
    EXPECT_TRUE(joint.stops.empty());
}

TEST(Urdf, DeepNestingIsRefusedNotCrashed) {
  const UrdfFiles files;
  std::string text = "<robot name=\"r\">";
  for (int i = 0; i < 200000; ++i) text += "<a>";
  EXPECT_THROW(convert_urdf(files.write("deep.urdf", text)), ModelError);
}

}  // namespace
}  // namespace lithe
