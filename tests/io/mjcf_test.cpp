// MJCF to model file: accelerations against tests/oracles/mjcf_robots.py, inertia of shapes, what is left out, and exact messages.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "lithe/io/mjcf_values.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/case_name.hpp"
#include "support/oracle.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// A file that vanishes with the test.
class MjcfFile {
 public:
  explicit MjcfFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("lithe-" + std::to_string(::getpid()) + ".xml")) {
    std::ofstream(path_) << text;
  }
  ~MjcfFile() { std::filesystem::remove(path_); }
  MjcfFile(const MjcfFile&) = delete;
  MjcfFile& operator=(const MjcfFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// A world with this inside, and more sections after it.
std::string mjcf(const std::string& bodies, const std::string& sections = {}) {
  return "<mujoco model=\"m\">\n<worldbody>\n" + bodies + "</worldbody>\n" + sections + "</mujoco>\n";
}

std::string mjcf_complaint(const std::string& text) {
  const MjcfFile file(text);
  try {
    convert_urdf(file.path());
  } catch (const ModelError& error) {
    std::string message = error.what();
    for (std::size_t at = message.find(file.path()); at != std::string::npos; at = message.find(file.path()))
      message.replace(at, file.path().size(), "m.xml");
    return message;
  }
  return "no error";
}

const LinkData& link_of(const Model& model, const std::string& name) {
  const int index = model.mechanism.find_link(name);
  EXPECT_GE(index, 0) << name;
  return model.mechanism.links[std::max(index, 0)];
}

// z goes to the direction about an axis that is perpendicular to both; then the trace is 1 + 2 cos(angle).
TEST(Mjcf, ShortestTurnOfZ) {
  for (const Vec3& direction :
       {Vec3(0, 0, 2), Vec3(0, 0, -3), Vec3(1e-9, 0, -1), Vec3(0.3, -0.4, 0.1), Vec3(0, 5, 0), Vec3(-2, 1e-7, -0.5)}) {
    const Mat3 turn = io::turn_of_z(direction);
    const Vec3 unit = direction.normalized();
    EXPECT_LT((turn.col(2) - unit).norm(), 1e-15) << unit.transpose();
    EXPECT_NEAR(turn.trace(), 1 + 2 * unit.z(), 1e-15) << unit.transpose();
    EXPECT_LT(MatrixX(turn * turn.transpose() - Mat3::Identity()).norm(), 1e-15) << unit.transpose();
    EXPECT_NEAR(turn.determinant(), 1.0, 1e-15) << unit.transpose();
  }
}

class MjcfOracle : public ::testing::TestWithParam<const char*> {};

// The converted file rounds inertias and frames to 15 digits; the accelerations have sizes up to 100.
TEST_P(MjcfOracle, AccelerationsAgree) {
  const std::string text = convert_urdf(fmt::format("{}/tests/io/mjcf/{}.xml", source_folder(), GetParam())).text;
  const testing::Json oracle = testing::read_oracle("mjcf_robots");
  for (const testing::Json& state : oracle["robots"][GetParam()]) {
    std::string start = "initial: {", speeds = "speeds: {", frames;
    for (const auto& [joint, value] : state["q"].items()) start += fmt::format("{}: {}, ", joint, value.get<double>());
    for (const auto& [joint, value] : state["v"].items()) speeds += fmt::format("{}: {}, ", joint, value.get<double>());
    for (const auto& [body, values] : state["bodies"].items()) frames += (frames.empty() ? "" : ", ") + body;
    const Model model = load_model_text(text + start + "}\n" + speeds + "}\nrecord: [accelerations: [" + frames +
                                            "]]\nrun: {until: 1e-3, every: 1e-3}\n",
                                        "converted.yaml");
    MemoryRecord record;
    ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
    for (const auto& [body, values] : state["bodies"].items())
      for (int k = 0; k < 3; ++k) {
        const std::string place = fmt::format("{}.origin.{}", body, "xyz"[k]);
        EXPECT_NEAR(record.column("acc." + place)[0], values["acc"][k].get<double>(), 1e-9) << place;
        EXPECT_NEAR(record.column("alpha." + place)[0], values["alpha"][k].get<double>(), 1e-9) << place;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, MjcfOracle, ::testing::Values("arm", "four-bar", "crossed"),
                         [](const auto& info) { return testing::case_name(info.param); });

TEST(Mjcf, ShapesHaveTheMassOfTheirVolume) {
  const MjcfFile file(
      mjcf("<body name=\"b\"><joint/><geom type=\"ellipsoid\" size=\"0.1 0.2 0.3\" density=\"500\"/></body>\n"
           "<body name=\"c\"><joint/><geom type=\"capsule\" size=\"0.1 0.3\" mass=\"2\"/></body>\n"));
  const Model model = load_model_text(convert_urdf(file.path()).text, "m.yaml");
  const LinkData& ellipsoid = link_of(model, "b");
  const double mass = 500 * 4.0 / 3.0 * std::numbers::pi * 0.1 * 0.2 * 0.3;
  EXPECT_NEAR(ellipsoid.mass, mass, 1e-13 * mass);
  EXPECT_NEAR(ellipsoid.inertia(0, 0), mass / 5 * (0.04 + 0.09), 1e-13);
  EXPECT_NEAR(ellipsoid.inertia(2, 2), mass / 5 * (0.01 + 0.04), 1e-13);
  // Cylinder 0.6 long and a ball, by their volumes 0.6 and 0.4/3: masses 18/11 and 4/11.
  const LinkData& capsule = link_of(model, "c");
  EXPECT_NEAR(capsule.inertia(2, 2), 18.0 / 11 * 0.01 / 2 + 4.0 / 11 * 0.4 * 0.01, 1e-15);
  EXPECT_EQ(capsule.mass, 2.0);
}

TEST(Mjcf, EqualitiesOfJointsAreCouplings) {
  const MjcfFile file(
      mjcf("<body name=\"a\"><joint name=\"j\"/><geom size=\"0.1\"/></body>\n"
           "<body name=\"b\"><joint name=\"k\"/><geom size=\"0.1\"/></body>\n",
           "<equality><joint name=\"gear\" joint1=\"j\" joint2=\"k\" polycoef=\"0.5 -3 0 0 0\"/>"
           "<joint joint1=\"k\"/></equality>\n"));
  const Model model = load_model_text(convert_urdf(file.path()).text, "m.yaml");
  ASSERT_EQ(model.mechanism.couplings.size(), 2u);
  const Coupling &gear = model.mechanism.couplings[0], &held = model.mechanism.couplings[1];
  EXPECT_EQ(gear.name, "gear");
  ASSERT_EQ(gear.terms.size(), 2u);
  EXPECT_EQ(model.mechanism.joints[gear.terms[0].coordinate.joint].name, "j");
  EXPECT_EQ(gear.terms[0].factor, 1.0);
  EXPECT_EQ(gear.terms[1].factor, 3.0);
  EXPECT_EQ(gear.offset, 0.5);
  ASSERT_EQ(held.terms.size(), 1u);
  EXPECT_EQ(model.mechanism.joints[held.terms[0].coordinate.joint].name, "k");
  EXPECT_EQ(held.offset, 0.0);
}

TEST(Mjcf, WeldsActuatorsAndNotes) {
  const MjcfFile file(
      mjcf("<body name=\"a\"><joint name=\"j\" range=\"-90 90\" armature=\"0.1\" frictionloss=\"0.2\" ref=\"5\"/>"
           "<geom size=\"0.1\"/></body>\n"
           "<body name=\"b\" pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/><site name=\"s\"/></body>\n",
           "<equality><weld name=\"w\" body1=\"a\" body2=\"b\"/></equality>\n"
           "<actuator><position joint=\"j\"/></actuator>\n<keyframe/>\n"));
  const UrdfConversion conversion = convert_urdf(file.path());
  const Model model = load_model_text(conversion.text, "m.yaml");
  const Joint& weld = model.mechanism.joints[model.mechanism.find_joint("w")];
  EXPECT_EQ(weld.type, JointType::fixed);
  EXPECT_EQ(model.mechanism.links[weld.from.link].frames[weld.from.frame].pose.position, Vec3(1, 0, 0));
  EXPECT_EQ(model.mechanism.joints[model.mechanism.find_joint("b-joint")].type,
            JointType::free);
  EXPECT_EQ(model.mechanism.joints[0].actuated, std::vector<bool>{true});
  EXPECT_EQ(model.mechanism.joints[0].armature, std::vector<double>{0.1});
  const std::vector<std::string> expected{
      "MJCF line 3: joint 'j': coordinates count from the pose of the file, not from ref=5",
      "MJCF line 7: the servo of a <position> is left out: its joint has a motor; give it a drive",
      "MJCF line 8: <keyframe> is left out; give 'initial' in the side file"};
  EXPECT_EQ(conversion.notes, expected);
  ASSERT_EQ(model.mechanism.joints[0].friction.size(), 1u);
  EXPECT_EQ(model.mechanism.joints[0].friction[0].coulomb, 0.2);
  EXPECT_NE(conversion.text.find("# MJCF line 3; limits -1.5707963267948966 to 1.5707963267948966 rad"),
            std::string::npos)
      << conversion.text;
}

TEST(Mjcf, SaysWhatIsWrong) {
  const std::string body = "<body name=\"a\"><joint name=\"j\"/><geom size=\"0.1\"/></body>\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"<mujoco/>", "m.xml:1:1: mujoco: there is no <worldbody>, which holds the bodies"},
      {mjcf(""), "m.xml:2:1: worldbody: there are no bodies in it"},
      {mjcf("<body name=\"a\"><joint type=\"screw\"/><geom size=\"1\"/></body>\n"),
       "m.xml:3:16: joint 'a-joint': there is no joint type 'screw'; known: hinge, slide, ball, free"},
      {mjcf("<body name=\"a\"><joint axis=\"0 0 0\"/><geom size=\"1\"/></body>\n"),
       "m.xml:3:16: joint 'a-joint': the axis has no direction"},
      {mjcf("<body name=\"a\"><joint/><geom type=\"box\" size=\"1 2\"/></body>\n"),
       "m.xml:3:24: body 'a': a box needs size=\"...\" with 3 numbers"},
      {mjcf("<body name=\"a\"><joint/><geom type=\"mesh\" mesh=\"x\"/></body>\n"),
       "m.xml:3:24: body 'a': the inertia of a mesh is not computed; give the body an <inertial>, or the mesh "
       "mass=\"0\""},
      {mjcf(body + body), "m.xml:4:1: body 'a': another body has this name"},
      {mjcf(body, "<equality><connect body1=\"b\" anchor=\"0 0 0\"/></equality>\n"),
       "m.xml:5:11: connect 'connect-1': there is no body 'b'; known: a, world"},
      {mjcf(body, "<equality><connect body1=\"a\"/></equality>\n"),
       "m.xml:5:11: connect 'connect-1': needs anchor=\"x y z\", in the axes of body1"},
      {mjcf(body, "<equality><joint joint1=\"k\"/></equality>\n"),
       "m.xml:5:11: joint 'joint-1': there is no joint 'k'; known: j"},
      {mjcf(body, "<equality><joint/></equality>\n"), "m.xml:5:11: joint 'joint-1': needs joint1=\"...\""},
      {mjcf(body, "<equality><joint joint1=\"j\" joint2=\"j\" polycoef=\"0 1 2 0 0\"/></equality>\n"),
       "m.xml:5:11: joint 'joint-1': polycoef has more than a factor and an offset, and couplings are linear; "
       "--ignore-couplings converts without it, and the robot moves differently"},
      {mjcf(body, "<tendon><fixed name=\"t\"/></tendon>\n"),
       "m.xml:5:9: tendon 't': there are no tendons; --ignore-couplings converts without it, and the robot moves "
       "differently"},
      {mjcf(body, "<actuator><motor joint=\"k\"/></actuator>\n"), "m.xml:5:11: motor: there is no joint 'k'; known: j"},
      {mjcf(body, "<include file=\"rest.xml\"/>\n"),
       "m.xml:5:1: include: files are not put together; let MuJoCo do it first: compile model.xml whole.xml"},
      {mjcf("<body name=\"a\"><joint/><inertial mass=\"-1\" pos=\"0 0 x\"/></body>\n"),
       "m.xml:3:24: body 'a': the mass is negative\n"
       "m.xml:3:44: body 'a': pos=\"0 0 x\" of <inertial>: expected 3 numbers"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(mjcf_complaint(text), message) << text;
}

}  // namespace
}  // namespace lithe
