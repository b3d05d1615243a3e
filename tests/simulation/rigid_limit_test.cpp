// The stiffer the links, the closer to the rigid twin: the deviation falls as 1/EI.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulation/simulate.hpp"
#include "support/beam_mechanisms.hpp"

namespace lithe::testing {
namespace {

/// Largest distance of the tip from the rigid twin while the root turns by one radian in two seconds, under gravity.
double largest_deviation(double bending) {
  Model model;
  model.mechanism = beam_on_joint(JointType::revolute, {.bending = bending, .modes = 2});
  model.mechanism.gravity = Vec3(0, -9.81, 0);
  model.mechanism.loads.clear();
  LinkData& beam = model.mechanism.links[1];
  beam.elastic.damping = (0.4 * beam.elastic.frequencies).asDiagonal();  // a fifth of critical: it soon follows quietly
  Drive drive;
  drive.joint = "root";
  drive.prescribed = true;
  drive.follow = CycloidLaw{0.0, 1.0, 0.0, 2.0};
  model.drives.push_back(drive);
  model.run.until = 2.0;
  model.run.every = 0.01;
  model.run.rtol = 1e-9;
  model.run.atol = 1e-13;
  model.record.frames = {model.mechanism.find_frame("beam", "tip")};
  MemoryRecord record;
  EXPECT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  double largest = 0.0;
  for (std::size_t i = record.rows() / 2; i < record.rows(); ++i) {
    const double angle = record.at(i, "q.root");
    largest = std::max(largest, std::hypot(record.at(i, "pos.beam.tip.x") - std::cos(angle),
                                           record.at(i, "pos.beam.tip.y") - std::sin(angle)));
  }
  return largest;
}

TEST(RigidLimit, DeviationFallsWithStiffnessOverFourDecades) {
  double before = largest_deviation(1e2);
  // Weight alone bends the level beam by mu g L^4 / (8 EI) (closed form); raising it changes that by a part.
  EXPECT_GT(before, 0.3 * 9.81 / 800);
  EXPECT_LT(before, 1.5 * 9.81 / 800);
  for (double bending : {1e3, 1e4, 1e5, 1e6}) {
    const double now = largest_deviation(bending);
    EXPECT_NEAR(before / now, 10.0, 0.3) << bending;
    before = now;
  }
}

}  // namespace
}  // namespace lithe::testing
