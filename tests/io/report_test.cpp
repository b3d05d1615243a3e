// Reading results back, and the data block of the report page.

#include "lithe/io/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/unpacked.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/quantity.hpp"
#include "lithe/io/report_geometry.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

class ReportTest : public ::testing::Test {
 protected:
  ReportTest() {
    std::string pattern = (fs::temp_directory_path() / "lithe-report-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~ReportTest() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  /// Runs a model and returns what was written.
  Results run(const std::string& text, const std::string& name = "run.h5",
              const std::map<std::string, std::string>& overrides = {}) {
    const Model model = load_model_text(text, "model.yaml", overrides);
    const auto sink = hdf5_sink(file(name));
    run_simulation(model, *sink);
    return read_results(file(name));
  }

  fs::path folder_;
};

constexpr const char* pendulum = R"(lithe: 1
name: pendulum
parameters: {length: 0.7}
gravity: [0, -9.81, 0]
links:
  rod: {rod: {from: [0, 0, 0], to: [length, 0, 0], mass: 2}, frames: {tip: [length, 0, 0]}}
ground: {pivot: [0.1, 0.2, 0]}
joints:
  pin: {revolute: z, from: ground/pivot, to: rod/origin}
initial: {pin: 0.4}
run: {until: 0.5, every: 0.01}
record: [coordinates, frames: [rod/tip], energy]
)";

using testing::unpacked;

TEST_F(ReportTest, ReadsBackWhatWasWritten) {
  const Results results = run(pendulum, "run.h5", {{"length", "0.9"}});
  EXPECT_EQ(results.model_name, "pendulum");
  EXPECT_EQ(results.model_path, "model.yaml");
  EXPECT_EQ(results.model_text, pendulum);
  EXPECT_EQ(results.parameters.at("length"), 0.9);
  EXPECT_EQ(results.rows(), 51u);
  EXPECT_EQ(results.columns[0], "t");
  EXPECT_NEAR(results.at(50, 0), 0.5, 1e-15);
  EXPECT_DOUBLE_EQ(results.at(0, results.find("q.pin")), 0.4);
  EXPECT_EQ(results.find("q.pn"), -1);
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.outcome, "complete");
  EXPECT_EQ(results.audit.records, 51);
  EXPECT_TRUE(results.audit.time_split.contains("dynamics"));
  // The model comes back with the value of the run, not of the text.
  EXPECT_EQ(model_of(results).mechanism.links[1].frames[1].pose.position.x(), 0.9);
}

std::string complaint(const std::string& path) {
  try {
    read_results(path);
  } catch (const ResultsError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ReportTest, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(complaint("nothing.h5"), "nothing.h5: no such file");
  EXPECT_EQ(complaint(folder_.string()), folder_.string() + ": is a folder, expected a result (HDF5)");
  std::ofstream(file("four-bar.yaml")) << pendulum;
  EXPECT_EQ(complaint(file("four-bar.yaml")), file("four-bar.yaml") +
                                                  ": is a model file, not a result; run it first: lithe simulate " +
                                                  file("four-bar.yaml") + " -o four-bar.h5");
  std::ofstream(file("text.h5")) << "not HDF5";
  EXPECT_EQ(complaint(file("text.h5")),
            file("text.h5") + ": is not an HDF5 file; results are written with lithe simulate MODEL -o FILE.h5");
}

TEST_F(ReportTest, ADamagedFileIsRefused) {
  run(pendulum);
  fs::resize_file(file("run.h5"), fs::file_size(file("run.h5")) / 2);
  EXPECT_NE(complaint(file("run.h5")).find("is not a result of Lithe, or damaged"), std::string::npos)
      << complaint(file("run.h5"));
}

// Pose of the rod in closed form: origin at the pivot, turned by q about z.
TEST_F(ReportTest, PosesFollowTheRecordedCoordinates) {
  const Results results = run(pendulum);
  const auto scene = detail::json_of(make_report({results}).json)["results"][0]["scene"];
  EXPECT_TRUE(scene["planar"].get<bool>());
  EXPECT_EQ(scene["up"], nlohmann::json({0.0, 1.0, 0.0}));
  const std::vector<float> poses = unpacked(scene["poses"]);
  ASSERT_EQ(poses.size(), 7 * results.rows());
  for (std::size_t row = 0; row < results.rows(); ++row) {
    const double q = results.at(row, results.find("q.pin"));
    const float* pose = &poses[7 * row];
    EXPECT_NEAR(pose[0], 0.1, 1e-6);
    EXPECT_NEAR(pose[1], 0.2, 1e-6);
    EXPECT_NEAR(std::abs(pose[3] * std::cos(q / 2) + pose[6] * std::sin(q / 2)), 1.0, 1e-6);
  }
  // One bar from the pin to the tip, as a solid of unknown thickness, and a trace of the recorded frame.
  const auto& rod = scene["links"][1];
  EXPECT_EQ(rod["lines"].size(), 0u);
  ASSERT_EQ(rod["solids"].size(), 1u);
  EXPECT_EQ(rod["solids"][0]["kind"], "cylinder");
  EXPECT_EQ(rod["solids"][0]["centre"], nlohmann::json({0.35, 0.0, 0.0}));
  EXPECT_EQ(rod["solids"][0]["size"], nlohmann::json({0.0, 0.0, 0.7}));
  EXPECT_EQ(scene["traced"], nlohmann::json({{1, 1}}));
}

TEST_F(ReportTest, TrackingErrorsThatAreRoundingAreNotShown) {
  std::string text = pendulum;
  const std::string pin = "to: rod/origin";
  text.insert(text.find(pin) + pin.size(), ", actuated: true");
  text +=
      "drives: {pin: {follow: {cycloid: {from: 0.4, to: 0.7, in: 0.4}}, by: [inverse-dynamics, pd], kp: 500, kd: "
      "50}}\n";
  const auto report = detail::json_of(make_report({run(text)}).json);
  for (const auto& series : report["results"][0]["series"]) EXPECT_NE(series["group"], "tracking errors");
}

TEST_F(ReportTest, SeriesCarryGroupUnitAndValues) {
  const Results results = run(pendulum);
  const auto report = detail::json_of(make_report({results}, {"a title", 1'000'000, 200}).json);
  EXPECT_EQ(report["title"], "a title");
  EXPECT_EQ(report["format"], 1);
  const auto& block = report["results"][0];
  EXPECT_EQ(unpacked(block["time"]).size(), results.rows());
  for (const auto& series : block["series"]) {
    const std::vector<float> values = unpacked(series["values"]);
    const int column = results.find(series["name"]);
    ASSERT_GE(column, 0);
    for (std::size_t row = 0; row < values.size(); ++row) {
      EXPECT_EQ(values[row], static_cast<float>(results.at(row, column)));
    }
  }
  EXPECT_EQ(block["series"][0]["name"], "q.pin");
  EXPECT_EQ(block["series"][0]["group"], "angles");
  EXPECT_EQ(block["series"][0]["unit"], "rad");
}

TEST_F(ReportTest, ThinsRowsToTheBudget) {
  const Results results = run(pendulum);
  ReportOptions options;
  options.budget = 0;
  options.fewest_instants = 11;
  const auto block = detail::json_of(make_report({results}, options).json)["results"][0];
  const std::vector<float> time = unpacked(block["time"]);
  ASSERT_EQ(time.size(), 11u);
  EXPECT_EQ(time.front(), 0.0F);
  EXPECT_EQ(time.back(), 0.5F);
  EXPECT_EQ(unpacked(block["scene"]["poses"]).size(), 77u);
  EXPECT_EQ(block["rows"], 51);
}

TEST_F(ReportTest, WithoutCoordinatesThereIsNoPictureAndAReason) {
  std::string text = pendulum;
  text.replace(text.find("record:"), std::string::npos, "record: [energy]\n");
  const Report report = make_report({run(text)});
  const auto block = detail::json_of(report.json)["results"][0];
  EXPECT_TRUE(block["scene"].is_null());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0], file("run.h5") +
                                    ": plots only, no picture of the mechanism: the result has no column 'q.pin': let "
                                    "the model record its coordinates (record: [coordinates, ...])");
}

TEST_F(ReportTest, ResultsOfTheSameNameAreToldApart) {
  const Results first = run(pendulum);
  Results second = first;
  second.path = "other/run.h5";
  Results third = first;
  third.path = "stiff.h5";
  const auto results = detail::json_of(make_report({first, second, third}).json)["results"];
  EXPECT_EQ(results[0]["label"], first.path);
  EXPECT_EQ(results[1]["label"], "other/run.h5");
  EXPECT_EQ(results[2]["label"], "stiff");
}

// A drive with feedback alone lags behind its law: the report has recorded minus wanted, and none for an exact motion.
TEST_F(ReportTest, TrackingErrorsAreRecordedMinusWanted) {
  std::string text = pendulum;
  text.replace(text.find("to: rod/origin}"), 15, "to: rod/origin, actuated: true}");
  const std::string exact = text + "drives: {pin: {follow: 0.4 + 0.2*t, by: motion}}\n";
  text += "drives: {pin: {follow: 0.4 + 0.2*t, by: pd, kp: 50, kd: 5}}\n";
  const auto block = detail::json_of(make_report({run(text)}).json)["results"][0];
  const auto series = [&](const std::string& name) {
    for (const auto& each : block["series"])
      if (each["name"] == name) return each;
    return nlohmann::json();
  };
  ASSERT_FALSE(series("error.pin").is_null());
  EXPECT_EQ(series("error.pin")["unit"], "rad");
  const std::vector<float> error = unpacked(series("error.pin")["values"]), q = unpacked(series("q.pin")["values"]),
                           t = unpacked(block["time"]);
  ASSERT_EQ(error.size(), q.size());
  // Columns are stored in single precision.
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(error[k], q[k] - (0.4F + 0.2F * t[k]), 2e-7F);
  EXPECT_LT(error.back(), -0.01F);  // the weight of the rod pulls it down
  EXPECT_EQ(make_report({run(exact)}).json.find("error.pin"), std::string::npos);
}

// RFC 4648, and the bytes of 1.0f and -2.5f in IEEE 754: 00 00 80 3f, 00 00 20 c0.
TEST(ReportNumbers, PacksLittleEndianFloats) {
  EXPECT_EQ(detail::packed({}), "");
  EXPECT_EQ(detail::packed({1.0F}), "AACAPw==");
  EXPECT_EQ(detail::packed({1.0F, -2.5F}), "AACAPwAAIMA=");
}

TEST(ReportNumbers, KnowsTheUnitsOfColumns) {
  const Model model = load_model_text(R"(lithe: 1
name: units
links: {a: {rigid: {mass: 1, inertia: [1, 1, 1]}}, b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints:
  slide: {prismatic: x, from: ground, to: a}
  ball: {spherical: true, from: a, to: b}
)",
                                      "units.yaml");
  const auto unit = [&](const char* column) {
    const Quantity quantity = quantity_of(column, &model.mechanism);
    return quantity.group + ", " + quantity.unit;
  };
  EXPECT_EQ(unit("q.slide"), "distances, m");
  EXPECT_EQ(unit("v.slide"), "speeds, m/s");
  EXPECT_EQ(unit("tau.slide"), "forces, N");
  EXPECT_EQ(unit("q.ball.0"), "quaternions, 1");
  EXPECT_EQ(unit("v.ball.2"), "angular speeds, rad/s");
  EXPECT_EQ(unit("a.ball.2"), "angular accelerations, rad/s²");
  EXPECT_EQ(unit("tau.ball.1"), "torques, N m");
  // Columns that Lithe does not write, in a file of somebody else.
  for (const char* head : {"motor", "gear", "cylinder", "q", "spring", "rope", "bushing", "section", "stress"}) {
    EXPECT_NO_THROW(unit(head)) << head;
    EXPECT_NO_THROW(unit((std::string(head) + ".").c_str())) << head;
  }
  EXPECT_EQ(unit("gear"), "other, ");
  EXPECT_EQ(unit("q.slide.99999999999999999999"), "distances, m");
  EXPECT_EQ(unit("q.slide."), "distances, m");
  EXPECT_EQ(unit("q.a.e1"), "elastic amplitudes, m √kg");
  EXPECT_EQ(unit("v.a.e1"), "elastic speeds, m √kg/s");
  EXPECT_EQ(unit("a.a.e1"), "elastic accelerations, m √kg/s²");
  EXPECT_EQ(unit("section.a.tip.N"), "section forces, N");
  EXPECT_EQ(unit("section.M-arm.bar-1.Qy"), "section forces, N");
  EXPECT_EQ(unit("stress.a.0.25m+"), "stress, Pa");
  EXPECT_EQ(unit("stress.a.0.25m+.bending"), "parts of stress, Pa");
  EXPECT_EQ(unit("section.a.tip.Mz"), "section moments, N m");
  EXPECT_EQ(unit("pos.a.origin.x"), "positions, m");
  EXPECT_EQ(unit("force.slide.x"), "joint forces, N");
  EXPECT_EQ(unit("energy.kinetic"), "energies, J");
  EXPECT_EQ(unit("closure"), "closure error, m or 1");
}

constexpr const char* bending_arm = R"(lithe: 1
name: bending arm
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 0.8, mass: 0.5, EI: 40}, modes: {count: 2}}
joints:
  pin: {revolute: z, from: ground, to: arm/root}
run: {until: 0.1, every: 0.01}
record: [coordinates, frames: [arm/tip], energy]
)";

TEST_F(ReportTest, ElasticLinksBringAmplitudesAndARigidTwin) {
  const auto block = detail::json_of(make_report({run(bending_arm)}).json)["results"][0];
  ASSERT_FALSE(block["scene"].is_null()) << block["without_scene"];
  EXPECT_EQ(block["scene"]["links"][1]["coordinates"][0]["series"], "q.arm.e1");
  EXPECT_TRUE(block["scene"].contains("rigid"));
  EXPECT_GT(block["scene"]["links"][1]["lines"].size(), 3u);  // the outline, not one bar
}

// Motor locked, so the arm is a cantilever under its weight: first frequency 1.875104^2 sqrt(EI / (m L^3)) / (2 pi);
// two modes of the clamped arm are kept, so both are exact to the accuracy of its finite elements. Weight along the arm
// does not act at angle zero.
TEST_F(ReportTest, ModesOfTheMechanismAreThoseOfTheLockedArm) {
  std::string text = bending_arm;
  text.replace(text.find("to: arm/root}"), 13, "to: arm/root, actuated: true}");
  text += "drives: {pin: {follow: 0, by: motion}}\n";
  const auto scene = detail::json_of(make_report({run(text)}).json)["results"][0]["scene"];
  ASSERT_EQ(scene["modes"].size(), 2u);
  const double hertz = std::pow(1.8751040687, 2) * std::sqrt(40 / (0.5 * std::pow(0.8, 3))) / (2 * std::acos(-1.0));
  EXPECT_NEAR(scene["modes"][0]["frequency"].get<double>(), hertz, 2e-3 * hertz);
  EXPECT_EQ(unpacked(scene["modes"][0]["twists"]).size(), 6u);
  for (const float value : unpacked(scene["modes"][0]["twists"])) EXPECT_NEAR(value, 0.0, 1e-6);  // the root stays
  EXPECT_EQ(unpacked(scene["modes"][0]["elastic"]).size(), 2u);
}

// lithe simulate --rigid keeps the text of the model but records no amplitudes.
TEST_F(ReportTest, ARigidRunOfAnElasticModelIsDrawnRigid) {
  Model model = load_model_text(bending_arm, "model.yaml");
  for (LinkData& link : model.mechanism.links) link = rigid_twin(link);
  const auto sink = hdf5_sink(file("rigid.h5"));
  run_simulation(model, *sink);
  const Report report = make_report({read_results(file("rigid.h5"))});
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
  const auto scene = detail::json_of(report.json)["results"][0]["scene"];
  EXPECT_FALSE(scene.contains("rigid"));
  EXPECT_FALSE(scene["links"][1].contains("coordinates"));
}

/// A mechanism of one link with frames at the given places, each held by a ball joint.
Mechanism link_with_joints(const std::vector<Vec3>& places) {
  Mechanism mechanism;
  LinkData body;
  body.name = "body";
  mechanism.add_link(body);
  for (std::size_t k = 0; k < places.size(); ++k) {
    Joint joint;
    joint.name = "ball " + std::to_string(k);
    joint.type = JointType::spherical;
    joint.to = mechanism.add_frame(1, "f" + std::to_string(k), {Mat3::Identity(), places[k]});
    mechanism.add_joint(joint);
  }
  return mechanism;
}

TEST(ReportGeometry, APlateIsTheHullOfItsJoints) {
  // A square with a joint in its middle, listed across: the outline has four corners, in order around.
  const auto mechanism = link_with_joints({{0, 0, 1}, {1, 1, 1}, {0.5, 0.5, 1}, {1, 0, 1}, {0, 1, 1}});
  const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
  ASSERT_EQ(drawing.faces.size(), 1u);
  ASSERT_EQ(drawing.faces[0].size(), 4u);
  EXPECT_EQ(drawing.lines.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 a = drawing.points[drawing.faces[0][k]].position;
    const Vec3 b = drawing.points[drawing.faces[0][(k + 1) % 4]].position;
    EXPECT_NEAR((a - b).norm(), 1.0, 1e-12);
  }
}

TEST(ReportGeometry, JointsOnALineAreJoinedInOrder) {
  const auto mechanism = link_with_joints({{2, 0, 0}, {0, 0, 0}, {1, 0, 0}});
  const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
  ASSERT_EQ(drawing.lines.size(), 2u);
  for (const Outline::Line& line : drawing.lines) {
    const Vec3 a = drawing.points[line.from].position;
    const Vec3 b = drawing.points[line.to].position;
    EXPECT_NEAR((a - b).norm(), 1.0, 1e-12);
  }
  EXPECT_TRUE(drawing.faces.empty());
}

TEST(ReportGeometry, JointsInSpaceGetSpokes) {
  const auto mechanism = link_with_joints({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(detail::drawing_of(mechanism, 1).lines.size(), 4u);
}

// The middle piece of a universal joint has mass, but no shape of its own: the symbols of its joints show it.
TEST(ReportGeometry, ACrossIsNotDrawn) {
  Mechanism mechanism = link_with_joints({{0, 0, 0}, {0, 0, 0}});
  mechanism.links[1].mass = 0.1;
  mechanism.links[1].inertia = Vec3(2e-3, 2e-3, 1e-4).asDiagonal();
  EXPECT_TRUE(detail::drawing_of(mechanism, 1).lines.empty());
  EXPECT_TRUE(detail::drawing_of(mechanism, 1).faces.empty());
  mechanism.links[1].centre = Vec3(0, 0, 0.2);  // a cylinder with both joints at its end
  EXPECT_FALSE(detail::drawing_of(mechanism, 1).lines.empty() && detail::drawing_of(mechanism, 1).faces.empty());
}

// A cuboid a x b x c of mass m has I_x = m (b^2 + c^2) / 12 and so on.
TEST(ReportGeometry, ABodyWithOneJointIsABoxOfItsInertia) {
  Mechanism mechanism = link_with_joints({{0, 0, 0}});
  LinkData& body = mechanism.links[1];
  const Vec3 size(0.3, 0.2, 0.4);
  body.mass = 6.0;
  body.centre = Vec3(0.1, 0, 0);
  for (int i = 0; i < 3; ++i) body.inertia(i, i) = body.mass / 12 * (size.squaredNorm() - size[i] * size[i]);
  const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
  EXPECT_EQ(drawing.faces.size(), 6u);
  Vec3 low = Vec3::Constant(1e9), high = -low;
  for (const auto& face : drawing.faces) {
    for (const int corner : face) {
      low = low.cwiseMin(drawing.points[corner].position);
      high = high.cwiseMax(drawing.points[corner].position);
    }
  }
  EXPECT_NEAR((high - low - size).norm(), 0.0, 1e-12);
  EXPECT_NEAR((0.5 * (high + low) - body.centre).norm(), 0.0, 1e-12);
}

// Wrists of a robot description: 1.2 kg with 0.11 kg m^2 would be a cube of 0.74 m, as light as foam, around joints
// that are 0.1 m apart. The picture stays within the joints; a solid of the same kind keeps its size.
TEST(ReportGeometry, AnInertiaThatIsNoShapeIsBoundedByTheJoints) {
  const auto farthest = [](const Mechanism& mechanism) {
    const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
    double reach = 0.0;
    for (const detail::Drawing::Point& point : drawing.points)
      reach = std::max(reach, (point.position - mechanism.links[1].centre).norm());
    for (const Outline::Line& line : drawing.lines) reach = std::max(reach, line.radius);
    return reach;
  };
  Mechanism wrist = link_with_joints({{0, 0, 0}, {0, 0, 0.1}});
  wrist.links[1].mass = 1.2;
  wrist.links[1].centre = Vec3(0, 0, 0.05);
  wrist.links[1].inertia = 0.11 * Mat3::Identity();
  EXPECT_LT(farthest(wrist), 0.1);
  Mechanism end = link_with_joints({{0, 0, 0}});  // one joint: as far as its mass centre, no farther
  end.links[1].mass = 0.2;
  end.links[1].centre = Vec3(0, 0, 0.03);
  end.links[1].inertia = 0.017 * Mat3::Identity();
  EXPECT_LT(farthest(end), 0.04);
  Mechanism flywheel = link_with_joints({{0, 0, 0}});
  flywheel.links[1].mass = 20.0;
  flywheel.links[1].inertia = Vec3(0.4, 0.4, 0.78).asDiagonal();  // 0.48 x 0.48 x 0.08 m
  EXPECT_NEAR(farthest(flywheel), std::hypot(0.24, 0.24), 0.01);
}

// A joint beside the axis of an elastic link: a line from the nearest point of the outline holds it.
TEST(ReportGeometry, ABracketLeadsToAJointOffTheOutline) {
  Mechanism mechanism = link_with_joints({{0, 0, 0}, {1, 0.1, 0}});
  LinkData& beam = mechanism.links[1];
  for (const double x : {0.0, 0.5, 1.0}) beam.outline.points.push_back({{x, 0, 0}, Matrix3X(3, 0)});
  beam.outline.lines = {{0, 1, 0.01, -1}, {1, 2, 0.01, -1}};
  const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
  ASSERT_EQ(drawing.lines.size(), 3u);
  EXPECT_EQ(drawing.lines[2].from, 2);
  EXPECT_EQ(drawing.points[drawing.lines[2].to].position, Vec3(1, 0.1, 0));
}

TEST(ReportGeometry, AnElasticLinkIsDrawnByItsOutline) {
  Mechanism mechanism = link_with_joints({{0, 0, 0}});
  LinkData& body = mechanism.links[1];
  Matrix3X none = Matrix3X::Zero(3, 1), bent(3, 1);
  bent << 0, 1, 0;
  body.outline.points = {{{0, 0, 0}, none}, {{1, 0, 0}, bent}};
  body.outline.lines = {{0, 1, 0.01, -1}};
  body.frames.push_back({"tip", {Mat3::Identity(), {1, 0, 0}}, bent, {}, {}});
  const detail::Drawing drawing = detail::drawing_of(mechanism, 1);
  EXPECT_EQ(drawing.points.size(), 2u);  // the frames stand on points of the outline and move with them
  EXPECT_EQ(drawing.frame_points.back(), 1);
  EXPECT_EQ(drawing.frame_points.front(), 0);
  EXPECT_EQ(drawing.lines[0].radius, 0.01);
}

}  // namespace
}  // namespace lithe
