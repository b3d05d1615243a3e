#pragma once
// Residual flexibility: what a reduced link does statically beyond the shapes that it keeps.
//
// Natural modes converge slowly where loads act, and ways to deform that matter little in motion (stretching) are left
// out of it altogether. Statics needs none of that: the shapes under unit loads are known exactly. Those parts of them
// that the kept shapes do not hold become further coordinates of the link's static twin.

#include "lithe/links/elastic_model.hpp"

namespace lithe {

/// Up to so many frames of a link get static shapes without asking which are used.
inline constexpr std::size_t most_static_frames = 8;

struct StaticChoice {
  /// Frames on which joints, loads and springs may act; empty: all. The others only get their own residual flexibility
  /// (Frame::residual), which is all that their compliance needs.
  std::vector<std::string> frames;
  /// Parts of the axis (from, to; m) over which loads are spread, besides the whole of it.
  std::vector<std::array<double, 2>> stretches;
  bool operator==(const StaticChoice&) const = default;
};

/// Gives `link`, which is `model` in the coordinates u = basis * eta, its static twin (LinkData::statics). Its elastic
/// coordinates are those of the link, then the static ones: orthogonal to them and to each other in stiffness, scaled
/// so that a unit moves (turns) the place that moves most by a metre (a radian). Exact under any forces and moments on
/// the frames, uniform weight, the inertia of a link that turns, and loads along the axis that are uniform or linear
/// over it or over one of the stretches. Without effect when the coordinates of the link hold all that. Throws MechanismError for a model that is
/// not held, and for unknown frames.
void add_static_twin(LinkData& link, const ElasticModel& model, const MatrixX& basis, const StaticChoice& choice = {});

}  // namespace lithe
