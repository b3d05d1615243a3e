// Loops with elastic links close by their joints; links are bent only where that cannot be.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/random_mechanism.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

Model example(const std::string& name) { return load_model(source_folder() + "/examples/" + name + ".yaml"); }

double largest_bending(const Prepared& prepared) {
  double largest = 0.0;
  for (const ElasticPlace& place : prepared.plan.elastic_places())
    if (place.count > 0)
      largest = std::max(largest, prepared.state.q.segment(place.q, place.count).cwiseAbs().maxCoeff());
  return largest;
}

void expect_straight(const Model& model) {
  Prepared prepared = prepare(model);
  EXPECT_LT(closure_error(prepared.plan, prepared.work, prepared.state.q), 1e-12);
  EXPECT_EQ(largest_bending(prepared), 0.0);
  EXPECT_FALSE(prepared.assembly.bends_links);
}

TEST(ElasticAssembly, FourBarFromGuessesOneRadianOff) {
  for (const double pin : {-1.0, 1.0})
    for (const double pivot : {-1.0, 1.0}) {
      SCOPED_TRACE(::testing::Message() << pin << " " << pivot);
      Model model = example("flexible-four-bar");
      for (InitialValue& guess : model.initial) {
        if (guess.joint == "crank-pin") guess.value += pin;
        if (guess.joint == "pivot") guess.value += pivot;
      }
      expect_straight(model);
    }
}

// Guesses so bad that several loops do not close from them, nor from guesses nearby.
TEST(ElasticAssembly, RobotsFromGuessesAnywhere) {
  for (const char* name : {"flexible-3rrr", "fattah-3rrr", "fattah-two-arms"})
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << name << " " << seed);
      Model model = example(name);
      const VectorX dice = random_vector(seed, static_cast<int>(model.initial.size()));
      for (std::size_t i = 0; i < model.initial.size(); ++i)
        model.initial[i].value += 2.0 * dice[static_cast<Eigen::Index>(i)];
      expect_straight(model);
    }
}

TEST(ElasticAssembly, KeepsTheGivenDeformation) {
  Model model = example("flexible-four-bar");
  model.initial_elastic = {{"coupler", 0, 0.01}, {"rocker", 1, -0.002}};
  Prepared prepared = prepare(model);
  EXPECT_LT(closure_error(prepared.plan, prepared.work, prepared.state.q), 1e-12);
  EXPECT_FALSE(prepared.assembly.bends_links);
  EXPECT_EQ(prepared.state.q[position_of_speed(prepared.plan, speed_named(prepared.plan, "coupler.e1"))], 0.01);
  EXPECT_EQ(prepared.state.q[position_of_speed(prepared.plan, speed_named(prepared.plan, "rocker.e2"))], -0.002);
}

// The tip of a clamped beam runs in a guide that is 1 mm too high: no joint can help, the beam must bend by 1 mm.
TEST(ElasticAssembly, BendsLinksWhereJointsCannotCloseTheLoop) {
  const Model model = load_model(source_folder() + "/tests/io/accepted/beam-in-guide.yaml");
  Prepared prepared = prepare(model);
  EXPECT_TRUE(prepared.assembly.bends_links);
  const Mechanism& m = prepared.plan.mechanism();
  const Vec3 tip = frame_pose(prepared.plan, prepared.work, prepared.state.q, m.find_frame("beam", "tip")).position;
  EXPECT_NEAR(tip.y(), 0.001, 1e-12);
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  ASSERT_EQ(outcome.audit.notes.size(), 1u);
  EXPECT_EQ(outcome.audit.notes[0],
            "no assembly was found with the elastic coordinates at their initial values: the run starts with links "
            "bent to close the loops");
}

}  // namespace
}  // namespace lithe::testing
