#pragma once
// Random elastic links with their field sampled by a quadrature of its own: what the properties of links are checked
// on.

#include <array>
#include <cstdint>

#include "lithe/links/beam.hpp"
#include "lithe/links/imported.hpp"

namespace lithe::testing {

/// A bit of mass of a link and how it moves with the coordinates of the model.
struct MassSample {
  double mass = 0.0;
  Vec3 position = Vec3::Zero();
  Matrix3X shape, turn;
  Mat3 rotary = Mat3::Zero();
  std::array<MatrixX, 3> foreshortening{};  ///< as in FieldPoint; empty when not sampled
};

/// Straight or bent, tapered and stepped, with payloads off the axis; all ways of deforming, or only some when
/// straight. Same seed, same beam; `turned` is applied to the whole.
BeamSpec random_beam(std::uint32_t seed, const Mat3& turned = Mat3::Identity());

/// The beam sampled at six Gauss points of every stretch between nodes and stations, through frames put there.
std::vector<MassSample> samples(const BeamSpec& beam);

/// A free block of trilinear bricks; same seed, same block.
ImportedMatrices random_block(std::uint32_t seed, const Mat3& turned = Mat3::Identity());

/// The block sampled at three Gauss points each way of every brick.
std::vector<MassSample> block_samples(std::uint32_t seed);

}  // namespace lithe::testing
