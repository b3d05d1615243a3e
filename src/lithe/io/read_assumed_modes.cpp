// assumed-modes: a straight beam that deforms in given shapes.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lithe/io/beam_reader.hpp"
#include "lithe/links/assumed_modes.hpp"

namespace lithe::io {

namespace {

const std::map<std::string, BendingFamily> bending_families{
    {"clamped-free", BendingFamily::clamped_free},       {"pinned-pinned", BendingFamily::pinned_pinned},
    {"pinned-free", BendingFamily::pinned_free},         {"clamped-pinned", BendingFamily::clamped_pinned},
    {"clamped-clamped", BendingFamily::clamped_clamped}, {"free-free", BendingFamily::free_free},
    {"clamped-payload", BendingFamily::clamped_payload}};

const std::map<std::string, BarFamily> bar_families{{"fixed-free", BarFamily::fixed_free},
                                                    {"fixed-fixed", BarFamily::fixed_fixed},
                                                    {"free-free", BarFamily::free_free},
                                                    {"fixed-payload", BarFamily::fixed_payload}};

template <class Family>
std::string words(const std::map<std::string, Family>& families) {
  std::string list;
  for (const auto& [word, family] : families) list += (list.empty() ? "" : ",") + word;
  return "word(" + list + ")";
}

std::vector<MapRules> assumed_sections() {
  std::vector<KeyRule> keys{
      needed_key("length", "positive", "Of the beam, m."),
      optional_key("direction", "axis", "Of the beam in link axes; default x."),
      optional_key("along-y", "bending-shapes", "Shapes of deflection along the section's y."),
      optional_key("along-z", "bending-shapes", "Shapes of deflection along the section's z."),
      optional_key("torsion", "bar-shapes", "Shapes of the twist, rad."),
      optional_key("stretching", "bar-shapes", "Shapes of the displacement along the axis."),
      optional_key("theory", "word(euler-bernoulli,rayleigh)", "Without or with the rotary inertia of the sections."),
  };
  for (const KeyRule& key : beam_keys()) keys.push_back(key);
  const std::string count_doc = "How many of them; default 2.";
  const std::string polynomial_doc =
      "Coefficients of shapes in powers of distance over length, lowest first: [0, 0, 1] is a parabola.";
  return {{"assumed-modes", "a beam of assumed modes", "A straight beam that deforms in given shapes.", keys, {}},
          {"bending-shapes",
           "shapes",
           "Natural shapes of a uniform beam with these ends, root first, and polynomials.",
           {optional_key("ends", words(bending_families), "Ends of the beam, root first."),
            optional_key("count", "count", count_doc),
            optional_key("polynomials", "list of list of plain", polynomial_doc)},
           {}},
          {"bar-shapes",
           "shapes",
           "Natural shapes of a uniform bar with these ends, root first, and polynomials.",
           {optional_key("ends", words(bar_families), "Ends of the bar, root first."),
            optional_key("count", "count", count_doc),
            optional_key("polynomials", "list of list of plain", polynomial_doc)},
           {}}};
}

class ShapesReader {
 public:
  ShapesReader(const Object& body, Reader& reader, BeamReader& text) : body_(body), reader_(reader), text_(text) {}

  template <class Family>
  AssumedShapes<Family> read(const char* key, const char* section, const std::map<std::string, Family>& families) {
    AssumedShapes<Family> shapes;
    const auto item = body_.get(key);
    if (!item) return shapes;
    const auto object = reader_.object(*item, section);
    text_.require(object && !object->incomplete);
    if (!object) return shapes;
    const auto ends = object->get("ends"), count = object->get("count"), polynomials = object->get("polynomials");
    if (!ends && !polynomials && !object->incomplete) text_.complain_key(*item, "shapes need 'ends' or 'polynomials'");
    if (ends) {
      const auto word = reader_.word(*ends);
      text_.require(word.has_value());
      if (word) shapes.family = families.at(*word);
      shapes.count = count ? read_count(*count) : 2;
    } else if (count) {
      text_.complain_key(*count, "'count' says how many shapes of 'ends' there are; polynomials are listed");
    }
    if (polynomials) shapes.polynomials = read_polynomials(*polynomials);
    return shapes;
  }

 private:
  int read_count(const Item& item) {
    const auto number = reader_.integer(item);
    text_.require(number.has_value());
    if (number && (*number < 1 || *number > 200))
      text_.complain(item, fmt::format("expected 1 to 200 shapes, but this is {}", *number));
    return static_cast<int>(number.value_or(1));
  }

  std::vector<std::vector<double>> read_polynomials(const Item& item) {
    const auto list = reader_.list(item, 1);
    text_.require(list.has_value());
    std::vector<std::vector<double>> polynomials;
    for (const Item& each : list.value_or(std::vector<Item>{})) {
      const auto numbers = reader_.numbers(each, 1, 31);
      text_.require(numbers.has_value());
      polynomials.push_back(numbers.value_or(std::vector<double>{}));
    }
    return polynomials;
  }

  const Object& body_;
  Reader& reader_;
  BeamReader& text_;
};

std::optional<ReadElastic> read_assumed_modes(const ElasticSource& source) {
  const auto object = source.reader.object(source.body, "assumed-modes");
  if (!object) return std::nullopt;
  BeamReader text(source, *object);
  text.read_straight_axis();
  text.read_sections();
  AssumedModesSpec spec;
  ShapesReader shapes(*object, source.reader, text);
  spec.along_y = shapes.read("along-y", "bending-shapes", bending_families);
  spec.along_z = shapes.read("along-z", "bending-shapes", bending_families);
  spec.torsion = shapes.read("torsion", "bar-shapes", bar_families);
  spec.stretching = shapes.read("stretching", "bar-shapes", bar_families);
  BeamSpec& ways = text.spec();
  ways.bends_along_y = !spec.along_y.empty();
  ways.bends_along_z = !spec.along_z.empty();
  ways.twists = !spec.torsion.empty();
  ways.stretches = !spec.stretching.empty();
  if (!ways.bends_along_y && !ways.bends_along_z && !ways.twists && !ways.stretches && text.good())
    text.complain_key(object->item(), "give the shapes: 'along-y', 'along-z', 'torsion' or 'stretching'");
  if (text.good()) text.check_ways();
  text.read_theory(false);
  text.read_masses();
  text.read_frames();
  if (!text.good()) return std::nullopt;
  text.spread_stations();
  spec.beam = text.straight();
  ReadElastic body;
  body.model = assumed_modes_model(source.link, spec);
  body.straight = true;
  body.stations = text.spec().stations;
  body.reference = Reference::supported;
  body.has_given_shapes = true;
  body.default_modes = static_cast<int>(body.model.mass.rows());
  return body;
}

}  // namespace

ElasticKind assumed_modes_kind() {
  return {"assumed-modes",
          "assumed-modes",
          "Elastic straight beam in given shapes; its axis starts at the link origin.",
          assumed_sections(),
          "not-negative | point | beam-frame",
          {"root", "tip"},
          read_assumed_modes};
}

}  // namespace lithe::io
