// bushings.

#include <algorithm>

#include "lithe/io/element_kinds.hpp"
#include "lithe/mechanism/elements/bushing.hpp"

namespace lithe::io {
namespace {

std::shared_ptr<const Element> read_bushing(ElementReader& source, const std::string& name, const Object& bushing) {
  BushingData data;
  bool good = !bushing.incomplete;
  const auto from = bushing.get("from"), to = bushing.get("to");
  const auto a = from ? source.frame(*from) : std::nullopt, b = to ? source.frame(*to) : std::nullopt;
  if (a && b && a->link == b->link) {
    source.reader.complain(*to, "a bushing connects two links, but from and to are on the same one");
    good = false;
  }
  const auto six = [&](const char* key, std::array<double, 6>& values) {
    const auto item = bushing.get(key);
    if (!item) return;
    const auto numbers = source.reader.numbers(*item, 6, 6);
    good = good && numbers.has_value();
    if (numbers) std::copy(numbers->begin(), numbers->end(), values.begin());
  };
  six("stiffness", data.stiffness);
  six("damping", data.damping);
  six("preload", data.preload);
  if (!good || !a || !b) return nullptr;
  data.from = *a;
  data.to = *b;
  return std::make_shared<Bushing>(name, data);
}

}  // namespace

ElementKind bushing_kind() {
  return {"bushings",
          "bushing",
          "Elastic mounts between two frames.",
          {{"bushing",
            "a bushing",
            "Springs and dampers along and about the axes of the from-frame: along x, y, z, then about them.",
            {needed_key("from", "frame", "LINK/FRAME whose axes count."),
             needed_key("to", "frame", "The other LINK/FRAME."),
             needed_key("stiffness", "list of not-negative", "Three in N/m, three in N m/rad."),
             optional_key("damping", "list of not-negative", "Three in N s/m, three in N m s/rad."),
             optional_key("preload", "list of plain", "What pulls back where the frames coincide: N, N m.")},
            {}}},
          {},
          {"from", "to"},
          {},
          read_bushing};
}

}  // namespace lithe::io
