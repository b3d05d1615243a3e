#include "support/random_ritz_beam.hpp"

#include "support/link_dice.hpp"

namespace lithe::testing {

namespace {

template <class Family>
AssumedShapes<Family> random_shapes(LinkDice& dice, int families, int lowest_power) {
  AssumedShapes<Family> shapes;
  shapes.family = static_cast<Family>(dice.from(0, families - 1));
  shapes.count = dice.from(0, 4);
  if (shapes.count == 0 || (dice.coin() && shapes.family == Family{})) {
    std::vector<double> coefficients(lowest_power, 0.0);
    for (int k = dice.from(1, 3); k > 0; --k) coefficients.push_back(dice.between(0.5, 1));
    shapes.polynomials.push_back(coefficients);
  }
  return shapes;
}

}  // namespace

StraightBeam random_straight_beam(std::uint32_t seed) {
  LinkDice dice(seed);
  StraightBeam beam;
  beam.length = dice.between(0.3, 2);
  beam.direction = dice.vector() + Vec3(0.1, 0.2, 1.5);
  beam.section_y = beam.direction.unitOrthogonal() + 0.5 * dice.vector().cross(beam.direction);
  const Section first = dice.section(true);
  beam.stations = {{0.0, first}};
  if (dice.coin()) beam.stations.push_back({0.4 * beam.length, dice.section(true)});
  if (dice.coin()) beam.stations.push_back({0.4 * beam.length, dice.section(true)});
  if (dice.coin()) beam.stations.push_back({beam.length, dice.section(true)});
  for (int k = dice.from(0, 2); k > 0; --k) {
    const Vec3 edge = dice.vector();
    beam.masses.push_back({dice.coin() ? beam.length : dice.between(0, beam.length), dice.between(0.1, 1),
                           0.1 * dice.vector(), 0.01 * (edge * edge.transpose() + Mat3::Identity())});
  }
  beam.frames = {{"sensor", dice.between(0, beam.length), {Mat3::Identity(), 0.1 * dice.vector()}}};
  return beam;
}

AssumedModesSpec random_assumed_modes(std::uint32_t seed) {
  LinkDice dice(seed + 1);
  AssumedModesSpec spec;
  spec.beam = random_straight_beam(seed);
  spec.along_y = random_shapes<BendingFamily>(dice, 7, 2);
  if (dice.coin()) spec.along_z = random_shapes<BendingFamily>(dice, 7, 2);
  if (dice.coin()) spec.torsion = random_shapes<BarFamily>(dice, 4, 1);
  if (dice.coin()) spec.stretching = random_shapes<BarFamily>(dice, 4, 1);
  return spec;
}

BezierBeamSpec random_bezier_beam(std::uint32_t seed) {
  LinkDice dice(seed + 2);
  BezierBeamSpec spec;
  spec.beam = random_straight_beam(seed);
  spec.root = static_cast<BezierEnd>(dice.from(0, 3));
  spec.tip = static_cast<BezierEnd>(dice.from(0, 2));
  spec.degree = dice.from(spec.tip == BezierEnd::clamped ? 5 : 4, 8);
  spec.shear = dice.coin() ? BezierShear::eliminated : BezierShear::independent;
  spec.bends_along_y = true;
  spec.bends_along_z = dice.coin();
  spec.twists = dice.coin();
  spec.stretches = dice.coin();
  return spec;
}

}  // namespace lithe::testing
