// ropes.

#include <numbers>

#include "lithe/io/element_kinds.hpp"
#include "lithe/mechanism/elements/rope.hpp"

namespace lithe::io {
namespace {

/// EA, N: given, or of a material and a diameter. Nothing after complaints.
std::optional<double> rope_stiffness(ElementReader& source, const Object& rope) {
  Reader& reader = source.reader;
  const auto stiffness = rope.get("stiffness"), material = rope.get("material"), diameter = rope.get("diameter");
  const auto fill = rope.get("fill");
  if (stiffness) {
    for (const auto& other : {material, diameter, fill})
      if (other) reader.complain_key(*other, "the stiffness says it all; give either it, or material and diameter");
    return reader.number(*stiffness);
  }
  if (!material || !diameter) {
    if (!rope.incomplete) reader.complain_key(rope.item(), "a rope needs stiffness, or material and diameter");
    return std::nullopt;
  }
  const auto of = source.material(*material);
  const auto d = reader.number(*diameter);
  const auto part = fill ? reader.number(*fill) : 1.0;
  if (!of || !d || !part) return std::nullopt;
  if (*part > 1.0) {
    reader.complain(*fill, "the part of the cross section that is filled is at most 1");
    return std::nullopt;
  }
  return of->young * *part * std::numbers::pi / 4.0 * *d * *d;
}

std::shared_ptr<const Element> read_rope(ElementReader& source, const std::string& name, const Object& rope) {
  Reader& reader = source.reader;
  RopeData data;
  bool good = !rope.incomplete;
  const auto pass = [&](const Item& item) {
    const auto frame = source.frame(item);
    good = good && frame.has_value();
    if (frame) data.through.push_back(*frame);
  };
  if (const auto from = rope.get("from")) pass(*from);
  if (const auto over = rope.get("over")) {
    const auto pulleys = reader.list(*over, 1);
    good = good && pulleys.has_value();
    if (pulleys)
      for (const Item& pulley : *pulleys) pass(pulley);
  }
  if (const auto to = rope.get("to")) pass(*to);
  if (const auto length = rope.get("length")) {
    const Reader::NoAngles distance(reader);
    auto law = source.law(*length);
    good = good && law.has_value();
    if (law) data.free_length = std::move(*law);
    if (law && !(data.free_length.at(0.0).value > 0.0)) {
      reader.complain(*length, "the free length of a rope must be positive at the start");
      good = false;
    }
  }
  const auto stiffness = rope_stiffness(source, rope);
  data.damping = source.number(rope, "damping");
  data.friction = source.number(rope, "friction");
  const auto creep = rope.get("creep");
  if (creep) data.creep = source.number(rope, "creep");
  if (creep && !rope.has("friction")) {
    reader.complain_key(*creep, "'creep' goes with 'friction'");
    good = false;
  }
  if (const auto friction = rope.get("friction"); friction && !rope.has("over") && good) {
    reader.complain_key(*friction, "friction acts at pulleys, and this rope runs over none; give 'over'");
    good = false;
  }
  if (!good || !stiffness) return nullptr;
  data.stiffness = *stiffness;
  return std::make_shared<Rope>(name, std::move(data));
}

}  // namespace

ElementKind rope_kind() {
  return {
      "ropes",
      "rope",
      "Ropes over pulleys, which pull and never push.",
      {{"rope",
        "a rope",
        "Massless and elastic, over points: tension = stiffness (length/free length - 1).",
        {needed_key("from", "frame", "LINK/FRAME of one end."),
         optional_key("over", "list of frame", "Pulleys, as LINK/FRAME in their order; one may come more than once."),
         needed_key("to", "frame", "LINK/FRAME of the other end."),
         needed_key("length", "law", "Free length, m; a law of time is a winch."),
         optional_key("stiffness", "positive", "Force per strain (E A), N."),
         optional_key("material", "name", "Material with Young's modulus, in place of stiffness; with diameter."),
         optional_key("diameter", "positive", "Of the rope, m."),
         optional_key("fill", "positive", "Part of the round cross section that is material; default 1."),
         optional_key("damping", "not-negative", "Force per rate of strain, N s."),
         optional_key("friction", "not-negative",
                      "Coefficient between the rope and its pulleys, which do not turn: behind each the tension is "
                      "exp(friction times angle) times that before; default 0."),
         optional_key("creep", "positive", "Speed over a pulley at which friction is nearly full, m/s; default 0.01.")},
        {}}},
      {},
      {"from", "over", "to"},
      {},
      read_rope};
}

}  // namespace lithe::io
