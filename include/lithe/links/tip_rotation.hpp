#pragma once
// How the frames of a straight beam turn with its deformation.

#include "lithe/links/link_data.hpp"

namespace lithe {

enum class TipRotation : unsigned char {
  tangent,  ///< with the section at the frame: the slope of the beam (what a frame of LinkData does anyhow)
  chord     ///< with the line from the root to the frame, as Fattah (4.21g), (6.23) take it; twist about it is kept
};

/// Replaces the slopes `turn` of all frames but those at the root by the rotation of the chord. With e along the chord,
/// at distance x from the root, s the displacement of the frame: turn = e cross s / x + e (e . slope); for a beam along
/// x that deflects by v and w: (twist, -w/x, v/x). Frames must stand on the line from `root` to `tip`, and the root
/// must neither move nor turn: throws MechanismError naming the link and the frame otherwise.
void turn_with_chord(LinkData& link);

}  // namespace lithe
