// springs. Those with a constant stiffness go to the kernel, the others are machine elements.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/model_builder.hpp"
#include "lithe/mechanism/elements/spring.hpp"

namespace lithe::io {

void ModelBuilder::read_springs(const Object& root) {
  const auto item = root.get("springs");
  const auto springs = item ? reader_.map(*item) : std::nullopt;
  if (!springs) return;
  for (const NamedItem& named : *springs) {
    check_name(named);
    springs_.emplace(named.name, named.item);
    if (const auto object = reader_.object(named.item, "spring")) read_spring(named, *object);
  }
}

void ModelBuilder::read_spring(const NamedItem& named, const Object& object) {
  PointSpring spring;
  spring.name = named.name;
  const auto from = object.get("from"), to = object.get("to");
  const auto a = from ? frame(*from) : std::nullopt, b = to ? frame(*to) : std::nullopt;
  if (a) spring.a = *a;
  if (b) spring.b = *b;
  if (a && b && a->link == b->link)
    reader_.complain(*to, "a spring connects two links, but from and to are on the same one");
  const auto value = [&](const char* key) {
    const auto given = object.get(key);
    return given ? reader_.number(*given).value_or(0.0) : 0.0;
  };
  spring.stiffness = value("stiffness");
  spring.damping = value("damping");
  spring.rest = value("length");

  const auto side_item = object.get("one-sided");
  const auto side_word = side_item ? reader_.word(*side_item) : std::nullopt;
  const SpringSide side = side_word == "push"   ? SpringSide::push
                          : side_word == "pull" ? SpringSide::pull
                                                : SpringSide::both;
  if (!object.has("stiffness") && !object.has("damping") && !object.has("force") && !object.incomplete)
    reader_.complain_key(named.item, "a spring needs stiffness, force or damping");
  if (!object.has("force") && side == SpringSide::both) {
    model_.mechanism.springs.push_back(std::move(spring));
    return;
  }
  auto force = object.has("force") ? spring_force(object, side) : ForceCurve(spring.stiffness, side);
  if (force)
    model_.mechanism.elements.push_back(std::make_shared<Spring>(
        spring.name, SpringData{spring.a, spring.b, spring.rest, std::move(*force), spring.damping}));
}

std::optional<ForceCurve> ModelBuilder::spring_force(const Object& spring, SpringSide side) {
  const Item force = *spring.get("force");
  if (const auto stiffness = spring.get("stiffness"))
    reader_.complain_key(*stiffness, "the force says it all; give either 'force' or 'stiffness'");
  if (force.node->kind == Node::Kind::map) return spring_curve(force, side);
  auto expression = reader_.expression(force, {"x", "v"});
  if (!expression) return std::nullopt;
  return ForceCurve(std::move(*expression), side);
}

std::optional<ForceCurve> ModelBuilder::spring_curve(const Item& item, SpringSide side) {
  const auto curve = reader_.object(item, "spring-curve");
  if (!curve) return std::nullopt;
  auto interpolation = TableLaw::Interpolation::linear;
  if (const auto given = curve->get("interpolation"); given && reader_.word(*given) == "cubic")
    interpolation = TableLaw::Interpolation::cubic;
  if (curve->incomplete) return std::nullopt;

  const auto force_item = curve->get("force"), column_item = curve->get("column");
  if (const auto file_item = curve->get("file")) {
    if (force_item) reader_.complain_key(*force_item, "'force' goes with 'stretch', not with 'file'");
    const auto file = reader_.text(*file_item);
    const auto column = column_item ? reader_.text(*column_item) : std::nullopt;
    if (!file) return std::nullopt;
    auto table = read_table_file(beside(file_item->node->place, *file), std::nullopt, column, interpolation, *file_item,
                                 reader_, "stretches");
    if (!table) return std::nullopt;
    return ForceCurve(std::move(*table), side);
  }
  if (column_item) reader_.complain_key(*column_item, "'column' goes with 'file'");
  if (!force_item) {
    reader_.complain_key(item, "a curve with 'stretch' needs 'force'");
    return std::nullopt;
  }
  auto stretches = reader_.numbers(*curve->get("stretch"), 2, SIZE_MAX);
  auto forces = reader_.numbers(*force_item, 2, SIZE_MAX);
  if (!stretches || !forces) return std::nullopt;
  if (stretches->size() != forces->size()) {
    reader_.complain(*force_item,
                     fmt::format("stretch has {} entries, but force has {}", stretches->size(), forces->size()));
    return std::nullopt;
  }
  const auto stuck =
      std::adjacent_find(stretches->begin(), stretches->end(), [](double a, double b) { return !(a < b); });
  if (stuck != stretches->end()) {
    reader_.complain(*curve->get("stretch"),
                     fmt::format("the stretches must increase, but {} is followed by {}", *stuck, *(stuck + 1)));
    return std::nullopt;
  }
  return ForceCurve(make_table(std::move(*stretches), std::move(*forces), interpolation), side);
}

}  // namespace lithe::io
