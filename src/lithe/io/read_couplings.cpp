// couplings: coordinates of joints that are tied together.

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

void ModelBuilder::read_couplings(const Object& root) {
  const auto item = root.get("couplings");
  const auto couplings = item ? reader_.map(*item) : std::nullopt;
  if (!couplings) return;
  for (const NamedItem& named : *couplings) {
    check_name(named);
    couplings_.emplace(named.name, named.item);
    const auto object = reader_.object(named.item, "coupling");
    if (!object) continue;
    if (const auto equal = object->get("equal"))
      read_equal(named.name, *equal, *object);
    else
      add_coupling(named.name, read_terms(*object), *object);
  }
}

void ModelBuilder::add_coupling(const std::string& name, std::optional<std::vector<Coupling::Term>> terms,
                                const Object& object) {
  if (!terms) return;
  Coupling coupling{name, std::move(*terms), 0.0};
  if (const auto offset = object.get("offset")) {
    const Reader::NoAngles distance(reader_, !coupling.terms.empty() && is_distance(coupling.terms[0].coordinate));
    coupling.offset = reader_.number(*offset).value_or(0.0);
  }
  model_.mechanism.couplings.push_back(std::move(coupling));
}

/// The first of the terms has the factor one, so that the offset is its value where the others are zero.
std::optional<std::vector<Coupling::Term>> ModelBuilder::read_terms(const Object& object) {
  if (const auto gear = object.get("gear")) return read_gear(*gear);
  if (const auto screw = object.get("screw")) return read_turn_and_slide(*screw, "screw");
  if (const auto rack = object.get("rack")) return read_turn_and_slide(*rack, "rack");
  if (const auto belt = object.get("belt")) return read_belt(*belt);
  if (const auto mimic = object.get("mimic")) return read_mimic(*mimic);
  const auto item = object.get("terms");
  const auto given = item ? reader_.map(*item) : std::nullopt;
  if (!given) return std::nullopt;
  std::vector<Coupling::Term> terms;
  for (const NamedItem& named : *given) {
    const auto coordinate = tied_coordinate(named);
    const auto factor = factor_of(named.item);
    if (!coordinate || !factor) return std::nullopt;
    terms.push_back({*coordinate, *factor});
  }
  if (terms.empty()) reader_.complain(*item, "there are no terms; write {JOINT: FACTOR, ...}");
  return terms;
}

std::optional<std::vector<Coupling::Term>> ModelBuilder::read_gear(const Item& item) {
  const auto gear = reader_.object(item, "gear");
  const auto pair = gear ? tied_pair(*gear) : std::nullopt;
  const auto given = gear ? gear->get("ratio") : std::nullopt;
  const auto ratio = given ? factor_of(*given) : std::nullopt;
  if (!pair || !ratio) return std::nullopt;
  return std::vector<Coupling::Term>{{(*pair)[0], 1.0}, {(*pair)[1], -*ratio}};
}

/// A screw or a rack: what slides, by how far it moves per radian.
std::optional<std::vector<Coupling::Term>> ModelBuilder::read_turn_and_slide(const Item& item,
                                                                             const std::string& kind) {
  const bool is_screw = kind == "screw";
  const auto object = reader_.object(item, kind);
  if (!object) return std::nullopt;
  const auto turning = object->get(is_screw ? "turn" : "pinion"), sliding = object->get("slide"),
             travel = object->get(is_screw ? "pitch" : "radius");
  const auto turn = turning ? tied_coordinate(*turning) : std::nullopt;
  const auto slide = sliding ? tied_coordinate(*sliding) : std::nullopt;
  const auto per_turn = travel ? factor_of(*travel) : std::nullopt;
  if (!turn || !slide || !per_turn) return std::nullopt;
  if (is_distance(*turn)) {
    reader_.complain(*turning, fmt::format("joint '{}' slides there; name one that turns", joint_of(*turn).name));
    return std::nullopt;
  }
  if (!is_distance(*slide)) {
    reader_.complain(*sliding, fmt::format("joint '{}' turns there; name one that slides", joint_of(*slide).name));
    return std::nullopt;
  }
  const double per_radian = is_screw ? *per_turn / (2.0 * std::numbers::pi) : *per_turn;
  return std::vector<Coupling::Term>{{*slide, 1.0}, {*turn, -per_radian}};
}

std::optional<std::vector<Coupling::Term>> ModelBuilder::read_belt(const Item& item) {
  const auto belt = reader_.object(item, "belt");
  const auto pair = belt ? tied_pair(*belt) : std::nullopt;
  const auto given = belt ? belt->get("radii") : std::nullopt;
  const auto radii = given ? reader_.list(*given, 2, 2) : std::nullopt;
  const auto first = radii ? factor_of((*radii)[0]) : std::nullopt, second = radii ? factor_of((*radii)[1]) : first;
  if (!pair || !first || !second) return std::nullopt;
  for (const CoordinateRef& pulley : *pair)
    if (is_distance(pulley)) {
      reader_.complain(*belt->get("joints"),
                       fmt::format("joint '{}' slides; a belt runs over pulleys that turn, a rack "
                                   "moves what slides",
                                   joint_of(pulley).name));
      return std::nullopt;
    }
  return std::vector<Coupling::Term>{{(*pair)[0], 1.0}, {(*pair)[1], -*second / *first}};
}

std::optional<std::vector<Coupling::Term>> ModelBuilder::read_mimic(const Item& item) {
  const auto mimic = reader_.object(item, "mimic");
  if (!mimic) return std::nullopt;
  const auto own = mimic->get("joint"), other = mimic->get("of"), given = mimic->get("factor");
  const auto coordinate = own ? tied_coordinate(*own) : std::nullopt;
  const auto of = other ? tied_coordinate(*other) : std::nullopt;
  const auto factor = given ? factor_of(*given) : 1.0;
  if (!coordinate || !of || !factor) return std::nullopt;
  return std::vector<Coupling::Term>{{*coordinate, 1.0}, {*of, -*factor}};
}

/// Of more than two, each is tied to the one before it.
void ModelBuilder::read_equal(const std::string& name, const Item& item, const Object& object) {
  if (const auto offset = object.get("offset"))
    reader_.complain_key(*offset, "equal coordinates have no offset; write 'mimic' or 'terms'");
  const auto list = reader_.list(item, 2);
  if (!list) return;
  std::vector<CoordinateRef> all;
  for (const Item& each : *list) {
    const auto coordinate = tied_coordinate(each);
    if (!coordinate) return;
    if (!all.empty() && is_distance(*coordinate) != is_distance(all[0]))
      return reader_.complain(each, fmt::format("joint '{}' {}, but '{}' does not: an angle and a distance are never "
                                                "equal; a 'rack' or 'screw' ties them",
                                                joint_of(*coordinate).name,
                                                is_distance(*coordinate) ? "slides" : "turns", joint_of(all[0]).name));
    all.push_back(*coordinate);
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string own = all.size() == 2 ? name : fmt::format("{}.{}", name, i);
    couplings_.emplace(own, couplings_.at(name));
    model_.mechanism.couplings.push_back({own, {{all[i], 1.0}, {all[i - 1], -1.0}}, 0.0});
  }
}

std::optional<std::array<CoordinateRef, 2>> ModelBuilder::tied_pair(const Object& object) {
  const auto given = object.get("joints");
  const auto joints = given ? reader_.list(*given, 2, 2) : std::nullopt;
  if (!joints) return std::nullopt;
  const auto first = tied_coordinate((*joints)[0]), second = tied_coordinate((*joints)[1]);
  if (!first || !second) return std::nullopt;
  return std::array{*first, *second};
}

std::optional<CoordinateRef> ModelBuilder::tied_coordinate(const Item& item) {
  const auto name = reader_.text(item);
  if (!name) return std::nullopt;
  NamedItem named{*name, item};
  named.item.key_place = item.node->place;
  return tied_coordinate(named);
}

/// The single coordinate that is called JOINT or JOINT.k.
std::optional<CoordinateRef> ModelBuilder::tied_coordinate(const NamedItem& named) {
  const auto target = joint_coordinate(named, [](JointType type) { return facts_of(type).scalars(); });
  if (!target) return std::nullopt;
  const Joint& joint = *target->joint;
  const int scalars = joint.facts().scalars();
  if (scalars == 0) {
    reader_.complain_key(named.item, fmt::format("the {} joint '{}' has no single coordinate that could be tied",
                                                 name_of(joint.type), joint.name));
    return std::nullopt;
  }
  if (scalars > 1 && !target->coordinate) {
    std::vector<std::string> names;
    for (int k = 0; k < scalars; ++k) names.push_back(fmt::format("{}.{}", joint.name, k));
    reader_.complain_key(named.item, fmt::format("the {} joint '{}' has {} coordinates; say which one: {}",
                                                 name_of(joint.type), joint.name, scalars, listed(names)));
    return std::nullopt;
  }
  return CoordinateRef{model_.mechanism.find_joint(joint.name), target->coordinate.value_or(0)};
}

std::optional<double> ModelBuilder::factor_of(const Item& item) {
  const auto factor = reader_.number(item);
  if (factor != 0.0) return factor;
  reader_.complain(item, "must not be zero: it would tie nothing");
  return std::nullopt;
}

const Joint& ModelBuilder::joint_of(CoordinateRef coordinate) const {
  return model_.mechanism.joints[coordinate.joint];
}

bool ModelBuilder::is_distance(CoordinateRef coordinate) const {
  return joint_of(coordinate).facts().is_distance(coordinate.coordinate);
}

}  // namespace lithe::io
