// bezier: a straight Timoshenko beam of Bernstein polynomials.

#include <fmt/format.h>

#include <cmath>

#include "lithe/io/beam_reader.hpp"
#include "lithe/links/bezier_beam.hpp"

namespace lithe::io {

namespace {

std::vector<MapRules> bezier_sections() {
  std::vector<KeyRule> keys{
      needed_key("length", "positive", "Of the beam, m."),
      optional_key("direction", "axis", "Of the beam in link axes; default x."),
      optional_key("degree", "positive", "Of the polynomials, a whole number; default 6."),
      optional_key("root", "word(clamped,pinned,free,as-printed)",
                   "What the root is kept from; default clamped. as-printed: first two control values zero."),
      optional_key("tip", "word(free,pinned,clamped)", "What the tip is kept from; default free."),
      optional_key("shear", "word(eliminated,independent)",
                   "Section rotation by static balance of moments, or a polynomial of its own; default eliminated."),
  };
  for (const KeyRule& key : way_keys()) keys.push_back(key);
  for (const KeyRule& key : beam_keys()) keys.push_back(key);
  return {{"bezier-beam", "a Bezier beam", "A straight beam of polynomials.", keys, {}}};
}

BezierEnd end_of(const std::string& word) {
  if (word == "clamped") return BezierEnd::clamped;
  if (word == "pinned") return BezierEnd::pinned;
  return word == "as-printed" ? BezierEnd::as_printed : BezierEnd::free;
}

std::optional<ReadElastic> read_bezier(const ElasticSource& source) {
  Reader& reader = source.reader;
  const auto object = reader.object(source.body, "bezier-beam");
  if (!object) return std::nullopt;
  BeamReader text(source, *object);
  const auto word = [&](const char* key, const char* otherwise) -> std::string {
    const auto item = object->get(key);
    if (!item) return otherwise;
    const auto given = reader.word(*item);
    text.require(given.has_value());
    return given.value_or(otherwise);
  };
  text.read_straight_axis();
  text.read_sections();
  text.read_ways(!source.is_chosen);
  text.check_ways();
  text.read_theory();
  text.read_masses();
  text.read_frames();
  BezierBeamSpec spec;
  spec.root = end_of(word("root", "clamped"));
  spec.tip = end_of(word("tip", "free"));
  spec.shear = word("shear", "eliminated") == "independent" ? BezierShear::independent : BezierShear::eliminated;
  if (const auto item = object->get("degree")) {
    const auto number = reader.number(*item);
    text.require(number.has_value());
    if (number && !(*number == std::round(*number) && *number <= 30))
      text.complain(*item, fmt::format("expected a whole number from 1 to 30, but this is {}", *number));
    else
      spec.degree = static_cast<int>(number.value_or(6));
  }
  if (!text.good()) return std::nullopt;
  text.spread_stations();
  const BeamSpec& ways = text.spec();
  spec.beam = text.straight();
  spec.bends_along_y = ways.bends_along_y;
  spec.bends_along_z = ways.bends_along_z;
  spec.twists = ways.twists;
  spec.stretches = ways.stretches;
  ReadElastic body;
  body.model = bezier_beam_model(source.link, spec);
  body.straight = true;
  body.stations = text.spec().stations;
  if (spec.root != BezierEnd::free || spec.tip != BezierEnd::free) body.reference = Reference::supported;
  body.default_modes = 2 * (ways.bends_along_y + ways.bends_along_z) + ways.twists + ways.stretches;
  return body;
}

}  // namespace

ElasticKind bezier_kind() {
  return {"bezier",
          "bezier-beam",
          "Elastic straight beam of Bezier polynomials; its axis starts at the link origin.",
          bezier_sections(),
          "not-negative | point | beam-frame",
          {"root", "tip"},
          read_bezier};
}

}  // namespace lithe::io
