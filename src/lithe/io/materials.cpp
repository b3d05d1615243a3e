#include "lithe/io/materials.hpp"

#include <fmt/format.h>

namespace lithe::io {

namespace {

std::optional<SnLine> read_line(const Item& item, Reader& reader) {
  const auto object = reader.object(item, "fatigue");
  if (!object || object->incomplete) return std::nullopt;
  bool good = true;
  const auto number = [&](const char* key) {
    const auto given = object->get(key);
    const auto value = given ? reader.number(*given) : std::optional<double>(0.0);
    good = good && value;
    return value.value_or(0.0);
  };
  SnLine line{number("amplitude"), number("cycles"), number("slope"), number("endurance"), number("ultimate")};
  return good ? std::optional(line) : std::nullopt;
}

}  // namespace

void Materials::read(const Object& root, Reader& reader) {
  const auto item = root.get("materials");
  if (!item) return;
  const auto materials = reader.map(*item);
  known_ = materials.has_value();
  if (!materials) return;
  for (const NamedItem& named : *materials) {
    if (const std::string fault = why_not_an_element_name(named.name); !fault.empty())
      reader.complain_key(named.item, fault);
    Entry& entry = entries_[named.name];
    const auto object = reader.object(named.item, "material");
    entry.is_broken = !object || object->incomplete;
    if (!object) continue;
    const auto number = [&](const char* key, std::optional<double>& value) {
      const auto given = object->get(key);
      if (!given) return;
      value = reader.number(*given);
      entry.is_broken = entry.is_broken || !value;
    };
    number("density", entry.density);
    number("young", entry.young);
    number("poisson", entry.poisson);
    if (entry.poisson && !(*entry.poisson > -1.0 && *entry.poisson <= 0.5)) {
      reader.complain(*object->get("poisson"),
                      fmt::format("expected a number above -1 and up to 0.5, but this is {}", *entry.poisson));
      entry.is_broken = true;
    }
    std::optional<double> yield;
    number("yield", yield);
    entry.strength.yield = yield.value_or(0.0);
    if (const auto fatigue = object->get("fatigue")) {
      entry.strength.fatigue = read_line(*fatigue, reader);
      entry.is_broken = entry.is_broken || !entry.strength.fatigue;
    }
  }
}

const Materials::Entry* Materials::find(const Item& item, Reader& reader) const {
  const auto name = reader.text(item);
  if (!name || !known_) return nullptr;
  const auto found = entries_.find(*name);
  if (found != entries_.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.push_back(entry.first);
  reader.complain(item, fmt::format("unknown material '{}'{}", *name, hint(*name, names)));
  return nullptr;
}

std::optional<double> Materials::density(const Item& item, Reader& reader) const {
  const Entry* entry = find(item, reader);
  return entry == nullptr ? std::nullopt : entry->density;
}

std::optional<Material> Materials::elastic(const Item& item, Reader& reader) const {
  const Entry* entry = find(item, reader);
  if (entry == nullptr || entry->is_broken) return std::nullopt;
  if (!entry->young) {
    reader.complain(item,
                    fmt::format("Young's modulus is needed here; give the material '{}' its 'young'", item.node->text));
    return std::nullopt;
  }
  Material material;
  material.young = *entry->young;
  material.density = entry->density.value_or(0.0);
  material.poisson = entry->poisson.value_or(material.poisson);
  material.strength = entry->strength;
  return material;
}

std::optional<Strength> Materials::strength(const Item& item, Reader& reader) const {
  const Entry* entry = find(item, reader);
  return entry == nullptr || entry->is_broken ? std::nullopt : std::optional(entry->strength);
}

}  // namespace lithe::io
