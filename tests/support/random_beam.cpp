#include <algorithm>

#include "support/link_dice.hpp"
#include "support/random_links.hpp"

namespace lithe::testing {

namespace {

double length_of(const BeamSpec& beam) {
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < beam.axis.size(); ++i) length += (beam.axis[i + 1] - beam.axis[i]).norm();
  return length;
}

/// Linear between stations, the later one at a step.
Section section_here(const BeamSpec& beam, double at) {
  const auto& s = beam.stations;
  std::size_t last = 0;
  while (last + 1 < s.size() && s[last + 1].at <= at) ++last;
  if (at < s[0].at || last + 1 == s.size()) return s[last].section;
  return interpolate(s[last].section, s[last + 1].section, (at - s[last].at) / (s[last + 1].at - s[last].at));
}

}  // namespace

BeamSpec random_beam(std::uint32_t seed, const Mat3& turned) {
  LinkDice dice(seed);
  BeamSpec beam;
  const bool bent = dice.coin();
  beam.elements = dice.from(1, 3);
  beam.bends_along_y = bent || dice.coin();
  beam.bends_along_z = bent || dice.coin();
  beam.twists = bent || dice.coin();
  beam.stretches = bent || dice.coin() || !(beam.bends_along_y || beam.bends_along_z || beam.twists);
  beam.axis = {Vec3::Zero(), dice.vector() + Vec3(1.5, 0.1, 0.2)};
  if (bent) beam.axis.push_back(beam.axis.back() + 0.5 * dice.vector() + Vec3(0, 0.2, 0.8));
  beam.section_y = Vec3(0.1, 1.0, -0.4) + 0.2 * dice.vector();
  const double length = length_of(beam);
  const bool soft = dice.coin();
  const auto section = [&] { return dice.section(soft); };
  beam.stations = {{0.0, section()}};
  const double step = dice.between(0.2, 0.8) * length;
  if (dice.coin()) beam.stations.push_back({step, section()});
  if (dice.coin()) beam.stations.push_back({step, section()});
  if (dice.coin()) beam.stations.push_back({length, section()});
  for (int k = dice.from(0, 2); k > 0; --k) {
    const Vec3 edge = dice.vector();
    beam.masses.push_back({dice.coin() ? length : dice.between(0, length), dice.between(0.1, 1), 0.1 * dice.vector(),
                           0.01 * (edge * edge.transpose() + Mat3::Identity())});
  }
  for (Vec3& corner : beam.axis) corner = (turned * corner).eval();
  beam.section_y = (turned * beam.section_y).eval();
  for (BeamMass& lump : beam.masses) {
    lump.offset = (turned * lump.offset).eval();
    lump.inertia = (turned * lump.inertia * turned.transpose()).eval();
  }
  return beam;
}

std::vector<MassSample> samples(const BeamSpec& beam) {
  constexpr double at[6] = {-0.9324695142031521, -0.6612093864662645, -0.2386191860831969,
                            0.2386191860831969,  0.6612093864662645,  0.9324695142031521};
  constexpr double weight[6] = {0.1713244923791704, 0.3607615730481386, 0.4679139345726910,
                                0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
  BeamSpec probed = beam;
  probed.frames.clear();
  std::vector<MassSample> all;
  double start = 0.0;
  for (std::size_t i = 0; i + 1 < beam.axis.size(); ++i) {
    const Vec3 way = beam.axis[i + 1] - beam.axis[i], x = way.normalized();
    const Vec3 y = (beam.section_y - x * x.dot(beam.section_y)).normalized();
    Mat3 axes;
    axes << x, y, x.cross(y);
    std::vector<double> ends;
    for (int e = 0; e <= beam.elements; ++e) ends.push_back(start + way.norm() * e / beam.elements);
    for (const SectionStation& station : beam.stations)
      if (station.at > start && station.at < start + way.norm()) ends.push_back(station.at);
    std::sort(ends.begin(), ends.end());
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      for (int g = 0; g < 6; ++g) {
        const double half = (ends[k + 1] - ends[k]) / 2, place = ends[k] + half * (1 + at[g]);
        const Section section = section_here(beam, place);
        MassSample sample;
        sample.mass = half * weight[g] * section.mass_per_length;
        sample.position = beam.axis[i] + x * (place - start);
        sample.rotary = half * weight[g] * axes * Vec3(section.polar, section.rotary_y, section.rotary_z).asDiagonal() *
                        axes.transpose();
        all.push_back(sample);
        probed.frames.push_back({"probe", place, {}});
      }
    start += way.norm();
  }
  for (const BeamMass& lump : beam.masses) {
    all.push_back({lump.mass, Vec3::Zero(), {}, {}, lump.inertia, {}});
    probed.frames.push_back({"probe", lump.at, {Mat3::Identity(), lump.offset}});
  }
  const ElasticModel model = beam_model("probe", probed, {});
  const std::vector<Frame> frames = model.field->frames(MatrixX::Identity(model.mass.rows(), model.mass.rows()), true);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Frame& probe = frames[i + 3];  // after origin, root and tip
    all[i].position = probe.pose.position;
    all[i].shape = probe.shape;
    all[i].turn = probe.turn;
    all[i].foreshortening = probe.foreshortening;
  }
  return all;
}

}  // namespace lithe::testing
