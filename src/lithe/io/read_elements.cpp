// Machine elements: ropes, bushings, contacts and the like.

#include <fmt/format.h>

#include "lithe/io/element_kinds.hpp"
#include "lithe/io/model_builder.hpp"

namespace lithe::io {

const std::vector<ElementKind>& element_kinds() {
  static const std::vector<ElementKind> all{rope_kind(), bushing_kind(), contact_kind()};
  return all;
}

std::optional<FrameRef> ElementReader::frame(const Item& item) { return builder_.frame(item); }
std::optional<Law> ElementReader::law(const Item& item) { return builder_.law(item); }
std::optional<Material> ElementReader::material(const Item& item) { return builder_.materials_.elastic(item, reader); }

std::optional<CoordinateRef> ElementReader::coordinate(const Item& item) {
  const auto text = reader.text(item);
  if (!text) return std::nullopt;
  const auto count = [](JointType type) { return facts_of(type).scalars(); };
  const auto found = builder_.joint_coordinate({*text, item}, +count);
  if (!found || found->joint == nullptr) return std::nullopt;
  const int scalars = found->joint->facts().scalars();
  if (!found->coordinate && scalars != 1) {
    reader.complain(
        item, scalars == 0 ? fmt::format("joint '{}' has no single coordinate", *text)
                           : fmt::format("joint '{}' has {} coordinates; name one, e.g. {}.0", *text, scalars, *text));
    return std::nullopt;
  }
  return CoordinateRef{mechanism.find_joint(found->joint->name), found->coordinate.value_or(0)};
}

double ElementReader::number(const Object& object, const char* key, double otherwise) {
  const auto given = object.get(key);
  return given ? reader.number(*given).value_or(otherwise) : otherwise;
}

void ModelBuilder::read_elements(const Object& root) {
  ElementReader reader(*this, reader_, model_.mechanism);
  for (const ElementKind& kind : element_kinds()) {
    const auto item = root.get(kind.section);
    const auto entries = item ? reader_.map(*item) : std::nullopt;
    if (!entries) continue;
    for (const NamedItem& named : *entries) {
      check_name(named);
      if (const auto before = elements_.find(named.name); before != elements_.end())
        reader_.complain_key(named.item,
                             fmt::format("the name '{}' is taken by '{}'", named.name, before->second.path));
      elements_.emplace(named.name, named.item);
      const auto entry = reader_.object(named.item, kind.rule);
      if (!entry) continue;
      if (auto element = kind.read(reader, named.name, *entry)) model_.mechanism.elements.push_back(std::move(element));
    }
  }
}

}  // namespace lithe::io
