// Frames that turn with the chord. Expected: Fattah (4.21g) and (6.23), as corrected in the notes on the thesis: the
// rotation is (0, -w, v) over the distance from the root.

#include "lithe/links/tip_rotation.hpp"

#include <gtest/gtest.h>

#include "lithe/links/beam.hpp"
#include "lithe/links/modes.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

LinkData spatial_beam(bool twists) {
  BeamSpec spec = testing::uniform_beam(2.0, 3.0, 0.5, 4);
  spec.bends_along_z = true;
  spec.stations[0].section.bending_z = 12.0;
  if (twists) {
    spec.twists = true;
    spec.stations[0].section.torsion = 5.0;
    spec.stations[0].section.polar = 0.01;
  }
  spec.frames.push_back({"middle", 1.0, {}});
  const ElasticModel model = beam_model("beam", spec, {{0.0, true, true}});
  return reduced_link("beam", model, link_modes("beam", model, {{}, 6, 0}), true);
}

TEST(TipRotation, TurnsWithTheDeflectionOverTheDistance) {
  const LinkData tangent = spatial_beam(false);
  LinkData chord = tangent;
  turn_with_chord(chord);
  for (const auto& [name, x] : {std::pair{"tip", 2.0}, std::pair{"middle", 1.0}}) {
    const Frame& frame = chord.frames[chord.find_frame(name)];
    for (int k = 0; k < chord.elastic.count(); ++k) {
      EXPECT_DOUBLE_EQ(frame.turn(0, k), 0.0);
      EXPECT_NEAR(frame.turn(1, k), -frame.shape(2, k) / x, 1e-14);
      EXPECT_NEAR(frame.turn(2, k), frame.shape(1, k) / x, 1e-14);
    }
    EXPECT_EQ(frame.shape, tangent.frames[tangent.find_frame(name)].shape);
  }
  // First mode of a clamped beam: slope 1.3765 times the chord (2.7530/2.0000 of the exact mode).
  const Frame& tip = chord.frames[2];
  EXPECT_NEAR(tangent.frames[2].turn.col(0).norm() / tip.turn.col(0).norm(), 1.3765, 1e-3);
}

TEST(TipRotation, LeavesTheRootAndTheIntegralsAlone) {
  const LinkData tangent = spatial_beam(false);
  LinkData chord = tangent;
  turn_with_chord(chord);
  EXPECT_EQ(chord.frames[1].turn, tangent.frames[1].turn);
  EXPECT_EQ(chord.elastic.rotation, tangent.elastic.rotation);
  EXPECT_EQ(chord.elastic.stiffness, tangent.elastic.stiffness);
}

TEST(TipRotation, KeepsTheTwist) {
  const LinkData tangent = spatial_beam(true);
  LinkData chord = tangent;
  turn_with_chord(chord);
  EXPECT_GT(tangent.frames[2].turn.row(0).norm(), 1.0);
  EXPECT_LT((chord.frames[2].turn.row(0) - tangent.frames[2].turn.row(0)).norm(), 1e-12);
}

}  // namespace
}  // namespace lithe
