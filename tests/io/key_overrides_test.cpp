// --set with the path of a key.

#include <gtest/gtest.h>

#include "io/model_text.hpp"

namespace lithe {
namespace {

const std::string two_beams = R"(parameters: {m: 1}
links:
  a: {beam: {length: 1, mass: m, EI: 10}, stiffening: off, damping: {ratio: 0.02}}
  b: {beam: {length: 1, mass: m, EI: 10}, stiffening: off}
joints:
  j: {revolute: z, from: ground, to: a}
  k: {revolute: z, from: a/tip, to: b}
coordinates: auto
run: {until: 3}
)";

TEST(KeyOverrides, ReplaceOneValueByItsPath) {
  const Model model = load(two_beams, {{"links.b.stiffening", "on"}, {"run.until", "2*m"}, {"m", "4"}});
  EXPECT_EQ(model.mechanism.links[1].elastic.stiffening, Stiffening::off);
  EXPECT_EQ(model.mechanism.links[2].elastic.stiffening, Stiffening::consistent);
  EXPECT_EQ(model.run.until, 8.0);
  EXPECT_DOUBLE_EQ(model.mechanism.links[1].mass, 4.0);
}

TEST(KeyOverrides, AStarMeansEveryEntryThatHasTheRest) {
  const Model model = load(two_beams, {{"links.*.stiffening", "on"}, {"links.*.damping.ratio", "0"}});
  for (const int link : {1, 2}) EXPECT_EQ(model.mechanism.links[link].elastic.stiffening, Stiffening::consistent);
  EXPECT_EQ(model.mechanism.links[1].elastic.damping.norm(), 0.0);
}

TEST(KeyOverrides, ReachKeysOfTheFileItself) {
  EXPECT_EQ(load(two_beams, {{"coordinates", "joint"}}).plan.coordinates, Coordinates::joint);
}

TEST(KeyOverrides, AWrongValueIsAComplaintAboutThePath) {
  EXPECT_EQ(complaint(two_beams, {{"links.a.stiffening", "of"}}),
            "--set: links.a.stiffening: expected on, off or stress, but this is 'of'");
}

TEST(KeyOverrides, APathThatLeadsNowhereIsRefused) {
  const std::string refusal = ": the model has no single value at this path; write the key into the file first";
  for (const char* path : {"links.a.stiffenin", "links.c.stiffening", "links.a", "run", "run.until.now"})
    EXPECT_EQ(complaint(two_beams, {{path, "1"}}), "--set: " + std::string(path) + refusal);
}

}  // namespace
}  // namespace lithe
