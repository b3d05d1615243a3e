#include "lithe/links/beam_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/links/link_error.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Station before the interval that holds `at`; the last station when the interval after it is open.
std::size_t station_before(const std::vector<SectionStation>& stations, double at) {
  for (std::size_t i = 0; i + 1 < stations.size(); ++i)
    if (at < stations[i + 1].at) return i;
  return stations.size() - 1;
}

bool varies_at(const std::vector<SectionStation>& stations, std::size_t before, double at) {
  return before + 1 < stations.size() && at > stations.front().at;
}

}  // namespace

Section section_at(const std::vector<SectionStation>& stations, double at) {
  const std::size_t i = station_before(stations, at);
  if (!varies_at(stations, i, at)) return stations[i].section;
  const SectionStation &a = stations[i], &b = stations[i + 1];
  return interpolate(a.section, b.section, (at - a.at) / (b.at - a.at));
}

std::vector<double> piece_ends(const std::vector<SectionStation>& stations, double length) {
  std::vector<double> ends{0.0, length};
  for (const SectionStation& station : stations)
    if (station.at > 0 && station.at < length) ends.push_back(station.at);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

Eigen::Vector2d bending_rates(const std::vector<SectionStation>& stations, double at) {
  const std::size_t i = station_before(stations, at);
  if (!varies_at(stations, i, at)) return Eigen::Vector2d::Zero();
  const SectionStation &a = stations[i], &b = stations[i + 1];
  const Eigen::Vector2d change(b.section.bending_y - a.section.bending_y, b.section.bending_z - a.section.bending_z);
  return change / (b.at - a.at);
}

void check_sections(const std::string& link, const std::vector<SectionStation>& stations, const BeamMotions& motions) {
  if (stations.empty()) refuse_link(link, "a beam needs a section");
  for (const SectionStation& station : stations) {
    const Section& s = station.section;
    for (const double value : {s.bending_y, s.bending_z, s.torsion, s.axial, s.shear_y, s.shear_z, s.mass_per_length,
                               s.rotary_y, s.rotary_z, s.polar})
      if (!(value >= 0))
        refuse_link(link,
                    fmt::format("a stiffness or mass per length of the section is {}; it must not be negative", value));
    if (motions.bends_along_y && !(s.bending_y > 0)) refuse_link(link, "bending along y needs a positive EI");
    if (motions.bends_along_z && !(s.bending_z > 0)) refuse_link(link, "bending along z needs a positive EI");
    if (motions.twists && !(s.torsion > 0)) refuse_link(link, "twisting needs a positive GJ");
    if (motions.stretches && !(s.axial > 0)) refuse_link(link, "stretching needs a positive EA");
  }
  if (!motions.bends_along_y && !motions.bends_along_z && !motions.twists && !motions.stretches)
    refuse_link(link,
                "the beam has no way to deform; switch on bending, twisting or stretching, or make the link rigid");
}

void check_places(const std::string& link, double length, const std::vector<BeamMass>& masses,
                  const std::vector<BeamFrame>& frames) {
  const auto off_the_beam = [length](double at) { return !(at >= 0 && at <= length * (1 + tolerance::computed)); };
  for (const BeamMass& lump : masses)
    if (off_the_beam(lump.at))
      refuse_link(link, fmt::format("a mass stands at {} m, but the beam is {} m long", lump.at, length));
  for (const BeamFrame& frame : frames)
    if (off_the_beam(frame.at))
      refuse_link(link,
                  fmt::format("frame '{}' stands at {} m, but the beam is {} m long", frame.name, frame.at, length));
}

Mat3 section_axes(const std::string& link, const Vec3& direction, const Vec3& section_y) {
  const Vec3 x = direction.normalized();
  if (section_y.cross(x).norm() < tolerance::written)
    refuse_link(link, "the section's y direction must not lie along the axis");
  const Vec3 y = (section_y - x * x.dot(section_y)).normalized();
  Mat3 axes;
  axes << x, y, x.cross(y);
  return axes;
}

Mat3 rotary_inertia(const Section& section, const Mat3& axes) {
  return axes * Vec3(section.polar, section.rotary_y, section.rotary_z).asDiagonal() * axes.transpose();
}

FieldPoint lump_at(FieldPoint axis, const BeamMass& lump) {
  axis.position += lump.offset;
  axis.shape -= skew(lump.offset) * axis.turn;
  axis.mass = lump.mass;
  axis.rotary = lump.inertia;
  return axis;
}

std::vector<BeamFrame> all_frames(double length, const std::vector<BeamFrame>& of_user) {
  std::vector<BeamFrame> frames{{"origin", 0.0, {}}, {"root", 0.0, {}}, {"tip", length, {}}};
  frames.insert(frames.end(), of_user.begin(), of_user.end());
  return frames;
}

Frame frame_at(const FieldPoint& axis, const BeamFrame& frame) {
  const Pose pose{frame.offset.rotation, axis.position + frame.offset.position};
  return {frame.name, pose, axis.shape - skew(frame.offset.position) * axis.turn, axis.turn, axis.foreshortening};
}

std::vector<double> frame_distances(double length, const std::vector<BeamFrame>& of_user) {
  std::vector<double> distances;
  for (const BeamFrame& frame : all_frames(length, of_user)) distances.push_back(frame.at);
  return distances;
}

MatrixX mass_matrix(const std::vector<FieldPoint>& points, Eigen::Index count) {
  MatrixX mass = MatrixX::Zero(count, count);
  for (const FieldPoint& p : points)
    mass += p.mass * p.shape.transpose() * p.shape + p.turn.transpose() * p.rotary * p.turn;
  return mass;
}

Eigen::Matrix<double, 6, 1> section_stiffness(const Section& section) {
  Eigen::Matrix<double, 6, 1> k;
  k << section.axial, section.shear_y, section.shear_z, section.torsion, section.bending_z, section.bending_y;
  return k;
}

std::shared_ptr<const StressSection> StressSections::of(const Section& section) {
  if (last_ && section == last_section_) return last_;
  StressSection fresh = stress_section(section);
  last_section_ = section;
  last_ = fresh.fibres.empty() ? nullptr : std::make_shared<const StressSection>(std::move(fresh));
  return last_;
}

double drawn_radius(const Section& section) {
  if (!(section.axial > 0 && section.bending_y > 0 && section.bending_z > 0)) return 0.0;
  return 2 * std::sqrt(std::sqrt(section.bending_y * section.bending_z) / section.axial);
}

}  // namespace lithe::detail
