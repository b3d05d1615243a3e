// What the comments of the gallery promise about the start and the motion of their mechanisms. Numbers are those of the
// comments, which say where they come from; a test says so where they do not. That the commands in the comments run is
// tested by tests/docs/run_tries.py.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/linear_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::testing {
namespace {

std::string gallery_file(const std::string& name) { return source_folder() + "/examples/" + name + ".yaml"; }

using Overrides = std::map<std::string, std::string>;

Model gallery(const std::string& name, const Overrides& overrides = {}) {
  return load_model(gallery_file(name), overrides);
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The comment at the head of an example says so in these words, whatever its lines: the promise that a test holds.
void expect_said(const std::string& name, const std::string& words) {
  const std::string one_line = std::regex_replace(text_of(gallery_file(name)), std::regex("\\s*\n#\\s*"), " ");
  EXPECT_NE(one_line.find(words), std::string::npos) << name << " does not say: " << words;
}

MemoryRecord run_of(const Model& model,
                    RunOutcome (*run)(const Model&, RecordSink&, const RunControl&) = run_simulation) {
  MemoryRecord record;
  const RunOutcome outcome = run(model, record, {});
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

double largest(const MemoryRecord& record, const std::string& column) {
  double size = 0.0;
  for (const double value : record.column(column)) size = std::max(size, std::abs(value));
  return size;
}

/// In the axes of the link that joint `hinge` (about z through the origin) turns: how far the frame is across the link.
std::vector<double> tip_across(const MemoryRecord& motion, const std::string& hinge, const std::string& frame) {
  std::vector<double> places;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const double angle = motion.at(row, "q." + hinge);
    places.push_back(std::cos(angle) * motion.at(row, "pos." + frame + ".y") -
                     std::sin(angle) * motion.at(row, "pos." + frame + ".x"));
  }
  return places;
}

/// Answers of tests/oracles/slewed_links.py.
nlohmann::json slewed(const std::string& link) {
  return recorded_json("tests/oracles/slewed_links.json")[link];
}

double mass_of(const Model& model) {
  double mass = 0.0;
  for (const LinkData& link : model.mechanism.links) mass += link.mass;
  return mass;
}

// "rot.platform.origin.* stay zero", in inverse dynamics and in the simulation; the motors start with equal torques.
TEST(GalleryPromises, DeltaKeepsItsPlatformLevel) {
  Model model = gallery("delta-robot");
  const MemoryRecord inverse = run_of(model, run_inverse);
  for (const char* axis : {"x", "y", "z"})
    EXPECT_LT(largest(inverse, std::string("rot.platform.origin.") + axis), 1e-9) << axis;
  EXPECT_NEAR(inverse.at(0, "tau.motor-1"), inverse.at(0, "tau.motor-2"), 1e-9);
  EXPECT_NEAR(inverse.at(0, "tau.motor-1"), inverse.at(0, "tau.motor-3"), 1e-9);
  model.run.until = 0.1;
  const MemoryRecord motion = run_of(model);
  for (const char* axis : {"x", "y", "z"})
    EXPECT_LT(largest(motion, std::string("rot.platform.origin.") + axis), 1e-9) << axis;
}

// "pos.table.top.x and .y stay zero".
TEST(GalleryPromises, SarrusMovesItsTableStraight) {
  const MemoryRecord motion = run_of(gallery("sarrus"), run_kinematics);
  EXPECT_LT(largest(motion, "pos.table.top.x"), 1e-10);
  EXPECT_LT(largest(motion, "pos.table.top.y"), 1e-10);
}

// "P = (0.05, -0.03, 0.8) m, R = Rz(0.1) Ry(0.15) Rx(-0.08)".
TEST(GalleryPromises, SixLegsStartAtTheReferencePose) {
  Prepared prepared = prepare(gallery("khan-6ups"));
  const Pose pose = frame_pose(prepared.plan, prepared.work, prepared.state.q,
                               prepared.plan.mechanism().find_frame("platform", "origin"));
  EXPECT_LT((pose.position - Vec3(0.05, -0.03, 0.8)).norm(), 1e-13);
  const Mat3 rotation = (Eigen::AngleAxisd(0.1, Vec3::UnitZ()) * Eigen::AngleAxisd(0.15, Vec3::UnitY()) *
                         Eigen::AngleAxisd(-0.08, Vec3::UnitX()))
                            .toRotationMatrix();
  EXPECT_LT((pose.rotation - rotation).norm(), 1e-13);
}

// "-12.6198338440 and 18.9514482569 rad/s^2" at t = 0, printed by four other programs.
TEST(GalleryPromises, DoublePendulumAcceleratesLikeElsewhere) {
  Model model = gallery("double-pendulum");
  model.run.until = 0.01;
  const MemoryRecord motion = run_of(model);
  EXPECT_NEAR(motion.at(0, "a.shoulder"), -12.6198338440, 1e-10);
  EXPECT_NEAR(motion.at(0, "a.elbow"), 18.9514482569, 1e-10);
}

// "the error stays near 1e-14 rad": the cycloid from pi/3 to 2 pi/3 in 3 s.
TEST(GalleryPromises, FeedbackKeepsTheMotion) {
  const MemoryRecord motion = run_of(gallery("khan-3rrr-feedback"));
  const double pi = std::acos(-1.0);
  double error = 0.0;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const double tau = motion.at(row, "t") / 3.0;
    const double wanted = pi / 3.0 * (1.0 + tau - std::sin(2.0 * pi * tau) / (2.0 * pi));
    error = std::max(error, std::abs(motion.at(row, "q.motor-1") - wanted));
  }
  EXPECT_LT(error, 1e-12);
}

// "after the motion everything is at rest, turned".
TEST(GalleryPromises, SatelliteEndsAtRestTurned) {
  const MemoryRecord motion = run_of(gallery("satellite-arm"));
  const std::size_t last = motion.rows() - 1;
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(motion.at(last, "v.floating." + std::to_string(k)), 0.0, 1e-7) << k;
  EXPECT_GT(std::abs(motion.at(last, "rot.satellite.origin.x")) + std::abs(motion.at(last, "rot.satellite.origin.y")),
            0.05);
}

// "two ways to assemble: rocker up or down".
TEST(GalleryPromises, FourBarHasTwoAssemblies) {
  Prepared prepared = prepare(gallery("four-bar"));
  AssemblyOptions options;
  options.held = prepared.work.independent();
  const auto branches = assembly_branches(prepared.plan, prepared.work, prepared.state.q, options);
  ASSERT_EQ(branches.size(), 2u);
  double heights[2];
  for (int b = 0; b < 2; ++b)
    heights[b] = frame_pose(prepared.plan, prepared.work, branches[b],
                            prepared.plan.mechanism().find_frame("rocker", "tip"))
                     .position.y();
  EXPECT_NEAR(heights[0], 0.4, 1e-12);  // upright: 3-4-5 triangle
  EXPECT_NEAR(heights[1], -0.4, 1e-12);
}

// The oracle has the linear theory with the centrifugal tension of every section; ours shortens the beam as it bends,
// which counts as the square of the deflection over the length: 0.3 percent.
TEST(GalleryPromises, SpunBeamLagsAndComesBack) {
  expect_said("spin-up-beam", "The tip lags behind by up to 0.574 m, then comes back");
  const MemoryRecord motion = run_of(gallery("spin-up-beam"));
  const std::vector<double> tip = tip_across(motion, "hub", "beam.tip");
  const auto expected = slewed("spin_up_beam");
  EXPECT_NEAR(expected["largest_lag"].get<double>(), 0.574, 0.0005);
  const auto least = std::min_element(tip.begin(), tip.end());
  EXPECT_NEAR(-*least, expected["largest_lag"].get<double>(), 0.003 * 0.574);
  EXPECT_NEAR(motion.at(least - tip.begin(), "t"), expected["at"].get<double>(), 0.02);
  for (std::size_t row = 0; row < motion.rows(); ++row)
    if (motion.at(row, "t") > 15.0) EXPECT_LT(std::abs(tip[row]), 1.1 * expected["left"].get<double>());
}

// Half a unit of the last digit of the comment; the number is that of an absolute nodal coordinate model.
TEST(GalleryPromises, SoftPendulumCoils) {
  expect_said("soft-pendulum", "its tip is at (-0.957, 0.104) m after one second");
  expect_said("soft-pendulum", "(eight pieces, seven welds)");
  const Model model = gallery("soft-pendulum");
  EXPECT_EQ(model.mechanism.links.size(), 1u + 8u);
  const auto is_weld = [](const Joint& joint) { return joint.type == JointType::fixed; };
  EXPECT_EQ(std::count_if(model.mechanism.joints.begin(), model.mechanism.joints.end(), is_weld), 7);
  const MemoryRecord motion = run_of(model);
  EXPECT_NEAR(motion.at(motion.rows() - 1, "t"), 1.0, 1e-12);
  EXPECT_NEAR(motion.at(motion.rows() - 1, "pos.arm.8.tip.x"), -0.957, 0.0005);
  EXPECT_NEAR(motion.at(motion.rows() - 1, "pos.arm.8.tip.y"), 0.104, 0.0005);
}

// The oracle leaves out terms of 0.2 percent. One of them, a'^2 beside the eigenvalue 11.14, delays the vibration by 0.028 rad
// until the end of the move (1.5 (pi/40)^2 / (2 * 11.14) of 66.8 rad); of the two jerks of the move, which excite it 66.8 rad apart, then
// remain 0.014 cot(33.4) = 0.6 percent more. Rows are 0.05 s apart, a fortieth of the period: a peak between two rows is missed
// by at most 1 - cos(2 pi/80) = 0.3 percent of the ringing.
TEST(GalleryPromises, BoomLagsAndRingsOn) {
  expect_said("boutin-boom", "the tip lags by up to 0.235 m and rings on with 0.037 m");
  const MemoryRecord motion = run_of(gallery("boutin-boom"));
  const std::vector<double> tip = tip_across(motion, "hinge", "boom.t-18");
  const auto expected = slewed("boutin_boom");
  EXPECT_NEAR(expected["largest_lag"].get<double>(), 0.235, 0.0005);
  EXPECT_NEAR(expected["rings"].get<double>(), 0.037, 0.0005);
  double lag = 0.0, highest = -1.0, lowest = 1.0;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const double off = tip[row] - 5.0;  // node t-18 is 5 m off the line
    lag = std::max(lag, std::abs(off));
    if (motion.at(row, "t") < 20.0) continue;
    highest = std::max(highest, off);
    lowest = std::min(lowest, off);
  }
  EXPECT_NEAR(lag, expected["largest_lag"].get<double>(), 0.002 * 0.235);
  EXPECT_NEAR((highest - lowest) / 2, expected["rings"].get<double>(), 0.01 * 0.037);
}

/// The row of a record at time t, which is one of its instants.
std::size_t row_at(const MemoryRecord& record, double t) {
  for (std::size_t row = 0; row < record.rows(); ++row)
    if (std::abs(record.at(row, "t") - t) < 1e-9) return row;
  ADD_FAILURE() << "no row at " << t;
  return 0;
}

/// Largest magnitude from one time to another.
double largest_between(const MemoryRecord& record, const std::string& column, double from, double until) {
  double size = 0.0;
  for (std::size_t row = row_at(record, from); row <= row_at(record, until); ++row)
    size = std::max(size, std::abs(record.at(row, column)));
  return size;
}

/// Natural frequencies at time t with the motors free, in Hz.
VectorX free_frequencies(const Model& model, double t) {
  Model undriven = model;
  for (Drive& drive : undriven.drives) drive.kp = drive.kd = 0.0;
  OperatingPoint point(undriven, {t, true, Motors::loaded});
  return point.modes().frequencies;
}

// Recomputed in the reference (3.4.4): 4.2107, 2.6616 Hz; printed: node 39 by 0.1912 m.
TEST(GalleryPromises, CraneTrailsAndRings) {
  expect_said("boutin-crane", "trails by b1 = 4.21 after 5 s (0.19 m at its tip), and the crane rings on at 2.66 Hz");
  const Model model = gallery("boutin-crane");
  const MemoryRecord motion = run_of(model);
  const std::size_t row = row_at(motion, 5.0);
  const LinkData& boom = model.mechanism.links[model.mechanism.find_link("boom")];
  const Eigen::RowVectorXd tip = boom.frames[boom.find_frame("t-18")].shape.row(1);
  EXPECT_NEAR(motion.at(row, "q.boom.e1"), 4.21, 0.005);
  EXPECT_NEAR(tip[0] * motion.at(row, "q.boom.e1") + tip[1] * motion.at(row, "q.boom.e2"), 0.19, 0.005);
  EXPECT_NEAR(free_frequencies(model, 20.0)[2], 2.66, 0.005);
}

// Recomputed in the reference (3.7): 2.0934 after 5 s beside 4.2107, 2.6615 Hz, the largest rate 1.110 to 1.106 from 20 s to 30 s.
TEST(GalleryPromises, CraneWithOneActuatorRingsOn) {
  expect_said("boutin-crane-single", "rings on at 2.66 Hz without decay, with half the amplitudes of two actuators");
  const Model model = gallery("boutin-crane-single");
  const MemoryRecord motion = run_of(model);
  EXPECT_NEAR(motion.at(row_at(motion, 5.0), "q.boom.e1"), 4.2107 / 2, 0.02 * 4.2107 / 2);
  EXPECT_NEAR(free_frequencies(model, 20.0)[1], 2.66, 0.005);
  // Rows are 0.02 s apart: of a vibration at 2.66 Hz a peak is missed by at most 1 - cos(0.17) = 1.4 percent.
  EXPECT_NEAR(largest_between(motion, "v.boom.e1", 38.0, 40.0), largest_between(motion, "v.boom.e1", 20.0, 22.0),
              0.02 * 1.11);
}

// Recomputed in the reference (3.3).
TEST(GalleryPromises, ActuatorsOfACranePushInPairs) {
  expect_said("boutin-crane-full",
              "Pairs of actuators push with nearly the same force: at most 21575, 12870 and 5191 N");
  const MemoryRecord motion = run_of(gallery("boutin-crane-full"), run_inverse);
  const double expected[] = {21574.7, 12869.9, 5190.7};
  for (int pair = 0; pair < 3; ++pair) {
    const std::string first = "tau.actuator-" + std::to_string(2 * pair + 1),
                      second = "tau.actuator-" + std::to_string(2 * pair + 2);
    double most = 0.0, apart = 0.0;
    for (std::size_t row = 0; row < motion.rows(); ++row) {
      most = std::max(most, motion.at(row, first));
      apart = std::max(apart, std::abs(motion.at(row, first) - motion.at(row, second)));
    }
    EXPECT_NEAR(most, expected[pair], 0.5) << first;
    EXPECT_LT(apart, 0.011 * most) << first;
  }
}

// Recomputed in the reference (3.5): 2.6658 Hz; rates of 2.635 without feedback, of 0.975 with it from 24 s to 26 s.
TEST(GalleryPromises, DamperCalmsThePivotingBoom) {
  expect_said(
      "boutin-pivoting-boom",
      "Without feedback the boom rings on at 2.67 Hz; springs and dampers of 27500 N m/rad and N m s/rad calm it");
  const Model model = gallery("boutin-pivoting-boom");
  EXPECT_NEAR(free_frequencies(model, 20.0)[1], 2.67, 0.005);
  EXPECT_NEAR(largest_between(run_of(model), "v.boom.e1", 24.0, 26.0), 0.975, 0.05);
  const MemoryRecord ringing = run_of(gallery("boutin-pivoting-boom", {{"kp", "0"}, {"kd", "0"}}));
  EXPECT_NEAR(largest_between(ringing, "v.boom.e1", 24.0, 26.0), 2.635, 0.05);
}

// Recomputed in the reference: 50.075 and 39.141 mm.
TEST(GalleryPromises, CooperatingArmsBendByATenth) {
  expect_said("fattah-two-arms", "bend by a tenth of their length: after 0.1 s link-1 by 50.1 mm, link-3 by 39.1 mm");
  Model model = gallery("fattah-two-arms");
  model.run.until = 0.1;
  const MemoryRecord motion = run_of(model);
  for (const auto& [link, expected] : {std::pair{1, 0.050075}, std::pair{3, 0.039141}}) {
    const LinkData& arm = model.mechanism.links[link];
    ASSERT_EQ(arm.name, "link-" + std::to_string(link));
    const Frame& tip = arm.frames[arm.find_frame("tip")];
    double deflection = 0.0;
    for (int k = 0; k < arm.elastic.count(); ++k)
      deflection += tip.shape(1, k) * motion.at(motion.rows() - 1, "q." + arm.name + ".e" + std::to_string(k + 1));
    EXPECT_NEAR(deflection, expected, 1e-6) << arm.name;
  }
}

// Stiffness grows as the third power of the thickness: 27/8.
TEST(GalleryPromises, ThinnerStripIsSofter) {
  expect_said("flexible-pendulum", "--set thickness=2e-3      (3.4 times softer)");
  const auto compliance = [](const Overrides& overrides) {
    const LinkData strip = gallery("flexible-pendulum", overrides).mechanism.links[1];
    const Frame& tip = strip.frames[strip.find_frame("tip")];
    const VectorX shape = tip.shape.row(1).transpose();
    return shape.dot(strip.elastic.stiffness.ldlt().solve(shape));  // of the modes that are kept
  };
  EXPECT_NEAR(compliance({{"thickness", "2e-3"}}) / compliance({}), 27.0 / 8.0, 0.002 * 3.4);
}

// Few millimetres, mostly in the first mode, which is a half sine between the pins.
TEST(GalleryPromises, ConnectingRodBows) {
  expect_said("flexible-slider-crank",
              "The rod bows between its two pins by a few millimetres, mostly in its first mode");
  const MemoryRecord motion = run_of(gallery("flexible-slider-crank"));
  double bow = 0.0;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const double angle = motion.at(row, "q.motor");
    const Vec3 pin(0.15 * std::cos(angle), 0.15 * std::sin(angle), 0.0);
    const auto place = [&](const std::string& frame) {
      return Vec3(motion.at(row, "pos." + frame + ".x"), motion.at(row, "pos." + frame + ".y"), 0.0);
    };
    const Vec3 line = (place("slider.origin") - pin).normalized();
    bow = std::max(bow, std::abs(line.cross(place("rod.middle") - pin).z()));
  }
  EXPECT_GT(bow, 2e-3);
  EXPECT_LT(bow, 6e-3);
  EXPECT_GT(largest(motion, "q.rod.e1"), 10.0 * largest(motion, "q.rod.e2"));
}

// Half a second is eight turns; without gas nothing replaces what the load takes.
TEST(GalleryPromises, EngineKeepsStepWithTheGas) {
  expect_said("slider-crank", "its mean speed stays at 100 rad/s");
  const auto mean_speed = [](const MemoryRecord& motion, std::size_t from, std::size_t to) {
    return (motion.at(to, "q.shaft") - motion.at(from, "q.shaft")) / (motion.at(to, "t") - motion.at(from, "t"));
  };
  const MemoryRecord fired = run_of(gallery("slider-crank"));
  EXPECT_NEAR(mean_speed(fired, 0, fired.rows() - 1), 100.0, 1.0);
  const MemoryRecord idle = run_of(gallery("slider-crank", {{"gas", "0"}}));
  EXPECT_LT(idle.at(idle.rows() - 1, "v.shaft"), 5.0);
}

TEST(GalleryPromises, TwoArmsLiftTheBox) {
  expect_said("two-arms", "two arms of 0.5 + 0.5 m, 1.2 m apart, lift a 5 kg box by 0.14 m");
  const MemoryRecord motion = run_of(gallery("two-arms"), run_inverse);
  // From the angles of the left arm at both ends of the motion.
  const double degree = std::acos(-1.0) / 180.0;
  const double rise =
      0.5 * (std::sin(85 * degree) + std::sin(40 * degree)) - 0.5 * (std::sin(110 * degree) + std::sin(25 * degree));
  EXPECT_NEAR(rise, 0.14, 0.005);
  EXPECT_NEAR(motion.at(motion.rows() - 1, "pos.object.origin.y") - motion.at(0, "pos.object.origin.y"), rise, 1e-12);
}

// "errors grow 1e5-fold": the product of the exponentials of the linear models along the motion carries an error of the
// start to the end. Thirty pieces; the order of magnitude is promised.
TEST(GalleryPromises, OpenLoopAmplifiesErrors) {
  expect_said("khan-3rrr", "(open loop: the held-up robot is unstable, errors grow 1e5-fold)");
  const Model model = gallery("khan-3rrr");
  MatrixX carried = MatrixX::Identity(6, 6);
  for (int piece = 0; piece < 30; ++piece) {
    OperatingPoint point(model, {.at = 0.1 * (piece + 0.5)});
    const MatrixX a = 0.1 * linear_model(point).A;
    MatrixX term = MatrixX::Identity(6, 6), exponential = term;
    for (int k = 1; k < 30; ++k) {
      term = MatrixX(a * term) / k;
      exponential += term;
    }
    carried = MatrixX(exponential * carried);
  }
  const double growth = carried.topLeftCorner(3, 3).norm();
  EXPECT_GT(growth, 1e5 / 3.0);
  EXPECT_LT(growth, 3.0 * 1e5);
}

// Sizes and masses that the comments give.
TEST(GalleryPromises, SizesAreThoseOfTheComments) {
  expect_said("7r-chain", "1.11 m from the floor to the tool, 15 kg");
  EXPECT_NEAR(mass_of(gallery("7r-chain")), 15.0, 1e-12);
  Prepared arm = prepare(gallery("7r-chain"));
  const VectorX stretched = VectorX::Zero(arm.plan.nq());
  EXPECT_NEAR(frame_pose(arm.plan, arm.work, stretched, arm.plan.mechanism().find_frame("flange", "tool")).position.z(),
              1.11, 1e-12);
  expect_said("flexible-3rrr", "Twelve modes and three motors are the fifteen coordinates");
  const Prepared robot = prepare(gallery("flexible-3rrr"));
  EXPECT_EQ(robot.work.independent().size(), 15u);
  expect_said("double-pendulum", "total energy must stay where it is");
  const MemoryRecord swing = run_of(gallery("double-pendulum"));
  for (std::size_t row = 0; row < swing.rows(); ++row)
    EXPECT_NEAR(swing.at(row, "energy.kinetic") + swing.at(row, "energy.potential"),
                swing.at(0, "energy.kinetic") + swing.at(0, "energy.potential"), 1e-6);
}

}  // namespace
}  // namespace lithe::testing
