// beam: a finite-element beam along a straight or bent axis.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/beam_reader.hpp"

namespace lithe::io {

namespace {

std::vector<MapRules> beam_sections() {
  std::vector<KeyRule> beam{
      optional_key("length", "positive", "Of a straight beam along x of the link, m."),
      optional_key("axis", "list of point", "Corners of the axis in link axes, m; the first is the link origin."),
      optional_key("elements", "count", "Finite elements, per straight piece of the axis; default 8."),
      optional_key("segments", "count",
                   "Splits the beam into so many beams, welded to each other, for large bending; default 1."),
  };
  for (const KeyRule& key : way_keys()) beam.push_back(key);
  for (const KeyRule& key : beam_keys()) beam.push_back(key);
  std::vector<KeyRule> station{needed_key("at", "not-negative", "Distance along the axis, m.")};
  for (const KeyRule& key : cross_section_keys()) station.push_back(key);
  std::vector<MapRules> sections{
      {"beam", "a beam", "A finite-element beam.", beam, {"length", "axis"}},
      {"station", "a station", "The cross section at a place; two at the same place make a step.", station, {}},
      {"beam-mass",
       "a mass on a beam",
       "A rigid lump: payload, motor, flange.",
       {needed_key("mass", "not-negative", "kg."),
        needed_key("at", "not-negative | word(root,tip)", "Distance along the axis, m."),
        optional_key("offset", "point", "Of its mass centre from the axis, link axes, m."),
        optional_key("inertia", "list of plain | list of point",
                     "About its mass centre, link axes, kg m^2; as of a rigid body.")},
       {}},
      {"beam-frame",
       "a frame",
       "A place on a beam: so far along the axis, or the point of the axis nearest to `at`; it moves with the beam.",
       {optional_key("along", "not-negative", "Distance along the axis, m."),
        optional_key("offset", "point", "From the axis, link axes, m; with along."),
        optional_key("at", "point", "Position in link axes, m, in place of along."),
        optional_key("rotate", "turn | list of turn",
                     "Turns applied one after the other, each about the axes already turned."),
        optional_key("quaternion", "list of plain", "Rotation as [w, x, y, z], in place of rotate.")},
       {"along", "at"}},
  };
  for (MapRules& rules : cross_section_rules()) sections.push_back(std::move(rules));
  return sections;
}

/// Elements of a beam whose shapes are chosen automatically: bending one way, and both ways with torsion.
constexpr int fine_elements = 16, fine_elements_in_space = 12;

/// The value of `key`, a whole number from 1.
int whole_number(const Object& beam, const char* key, int otherwise, Reader& reader, BeamReader& text) {
  const auto item = beam.get(key);
  if (!item) return otherwise;
  const auto number = reader.integer(*item);
  text.require(number.has_value());
  if (number && (*number < 1 || *number > 1000))
    text.complain(*item, fmt::format("expected 1 to 1000 {}, but this is {}", key, *number));
  return text.good() ? static_cast<int>(*number) : otherwise;
}

ReadElastic body_of(const std::string& link, const BeamSpec& spec, const BeamWays& known) {
  ReadElastic body;
  body.model = beam_model(link, spec, {}, known);
  body.straight = spec.axis.size() == 2;
  body.stations = spec.stations;
  body.elements = spec.elements * static_cast<int>(spec.axis.size() - 1);
  body.default_modes = 2 * (spec.bends_along_y + spec.bends_along_z) + spec.twists + spec.stretches;
  body.is_flat = spec.axis.size() == 2 && spec.bends_along_y != spec.bends_along_z && !spec.twists;
  for (const BeamFrame& frame : spec.frames) body.frames.push_back(frame.name);
  return body;
}

/// Piece `index` of a straight beam, with the lumps and frames that stand on it; its origin is at its root.
BeamSpec piece_of(const BeamSpec& whole, int index, int segments) {
  const double length = whole.axis.back().norm() / segments, start = index * length;
  const auto is_elsewhere = [&](double at) {
    return std::min(segments - 1, static_cast<int>(at / length + 1e-9)) != index;
  };
  BeamSpec piece = whole;
  piece.axis = {Vec3::Zero(), whole.axis.back() / segments};
  for (SectionStation& station : piece.stations) station.at -= start;
  std::erase_if(piece.masses, [&](const BeamMass& lump) { return is_elsewhere(lump.at); });
  std::erase_if(piece.frames, [&](const BeamFrame& frame) { return is_elsewhere(frame.at); });
  for (BeamMass& lump : piece.masses) lump.at = std::clamp(lump.at - start, 0.0, length);
  for (BeamFrame& frame : piece.frames) frame.at = std::clamp(frame.at - start, 0.0, length);
  return piece;
}

std::optional<ReadElastic> read_beam(const ElasticSource& source) {
  const auto beam = source.reader.object(source.body, "beam");
  if (!beam) return std::nullopt;
  BeamReader text(source, *beam);
  text.read_axis();
  const int segments = whole_number(*beam, "segments", 1, source.reader, text);
  text.spec().elements = whole_number(*beam, "elements", segments == 1 ? 8 : 4, source.reader, text);
  if (segments > 1 && text.spec().axis.size() > 2)
    text.complain_key(*beam->get("segments"), "only a straight beam can be split into segments");
  text.read_sections();
  text.read_ways(segments == 1 && !source.is_chosen);
  text.check_ways();
  text.read_theory();
  text.read_masses();
  text.read_frames();
  if (!text.good()) return std::nullopt;
  // Shapes that are chosen for a whole run need frequencies that keep their phase, and a mesh that has them.
  const BeamSpec& spec = text.spec();
  if (!beam->has("elements") && segments == 1 && !source.is_chosen)
    text.spec().elements = spec.bends_along_z || spec.twists ? fine_elements_in_space : fine_elements;
  text.spread_stations();
  if (segments == 1) return body_of(source.link, text.spec(), text.known_ways());
  ReadElastic whole;
  for (int i = 0; i < segments; ++i)
    whole.segments.push_back(body_of(source.link, piece_of(text.spec(), i, segments), text.known_ways()));
  return whole;
}

}  // namespace

ElasticKind beam_kind() {
  return {"beam",
          "beam",
          "Elastic beam of finite elements; its axis starts at the link origin.",
          beam_sections(),
          "not-negative | point | beam-frame",
          {"root", "tip"},
          read_beam};
}

}  // namespace lithe::io
