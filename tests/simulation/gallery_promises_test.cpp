// What the comments of the gallery promise about the start and the motion of their mechanisms. Numbers are those of the
// comments, which say where they come from.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

Model gallery(const std::string& name) { return load_model(LITHE_SOURCE_DIR "/examples/" + name + ".yaml"); }

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
    heights[b] = frame_pose(prepared.plan, prepared.work, branches[static_cast<std::size_t>(b)],
                            prepared.plan.mechanism().find_frame("rocker", "tip"))
                     .position.y();
  EXPECT_NEAR(heights[0], 0.4, 1e-12);  // upright: 3-4-5 triangle
  EXPECT_NEAR(heights[1], -0.4, 1e-12);
}

}  // namespace
}  // namespace lithe::testing
