#include "lithe/study/recorded_quantity.hpp"

#include <algorithm>

namespace lithe::detail {
namespace {

bool starts_with_any(const std::string& text, const std::vector<const char*>& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return text.starts_with(start); });
}

/// pos.LINK.FRAME.x, or pos.LINK.x of the origin.
struct FrameQuantity {
  const char *first, *second;  ///< what is recorded together
  std::vector<FrameRef> RecordOptions::*frames;
};
constexpr FrameQuantity frame_kinds[] = {{"pos.", "rot.", &RecordOptions::frames},
                                         {"quat.", "quat.", &RecordOptions::quaternions},
                                         {"vel.", "omega.", &RecordOptions::velocities},
                                         {"acc.", "alpha.", &RecordOptions::accelerations},
                                         {"deflection.", "deflection.", &RecordOptions::deflections}};

/// "LINK.FRAME" or "LINK" in the mechanism; nothing when there is none.
std::vector<FrameRef> frames_called(const std::string& name, const Mechanism& mechanism) {
  for (std::size_t l = 0; l < mechanism.links.size(); ++l)
    for (std::size_t f = 0; f < mechanism.links[l].frames.size(); ++f) {
      const std::string &link = mechanism.links[l].name, &frame = mechanism.links[l].frames[f].name;
      if (name == link + "." + frame || (frame == "origin" && name == link))
        return {{static_cast<int>(l), static_cast<int>(f)}};
    }
  return {};
}

}  // namespace

RecordOptions nothing_recorded() {
  RecordOptions record;
  record.coordinates = record.energy = record.elements = false;
  return record;
}

void record_quantity(const std::string& quantity, const Mechanism& mechanism, RecordOptions& record) {
  for (const FrameQuantity& kind : frame_kinds) {
    if (!starts_with_any(quantity, {kind.first, kind.second})) continue;
    const std::size_t begin = quantity.find('.') + 1, end = quantity.rfind('.');
    if (end <= begin) return;
    std::vector<FrameRef>& list = record.*kind.frames;
    for (const FrameRef& ref : frames_called(quantity.substr(begin, end - begin), mechanism))
      if (std::find(list.begin(), list.end(), ref) == list.end()) list.push_back(ref);
    return;
  }
  struct Flags {
    std::vector<const char*> starts;
    std::vector<bool RecordOptions::*> flags;
  };
  static const Flags kinds[] = {
      {{"q.", "v.", "a.", "tau.", "hold."}, {&RecordOptions::coordinates}},
      {{"energy."}, {&RecordOptions::energy}},
      {{"force.", "moment.", "coupling."}, {&RecordOptions::reactions}},
      {{"section."}, {&RecordOptions::sections}},
      {{"stress."}, {&RecordOptions::stress, &RecordOptions::stress_parts}},
      {{"spring."}, {&RecordOptions::springs}},
      {{"motor."}, {&RecordOptions::motors}},
      {{"momentum.", "angular-momentum."}, {&RecordOptions::momentum}},
      {{""}, {&RecordOptions::elements}},  // called by their kind: rope.hoist.tension
  };
  for (const Flags& kind : kinds) {
    if (!starts_with_any(quantity, kind.starts)) continue;
    for (bool RecordOptions::*flag : kind.flags) record.*flag = true;
    return;
  }
}

std::string full_name(const std::string& quantity, const std::vector<std::string>& columns) {
  const std::size_t axis = quantity.rfind('.');
  if (axis == std::string::npos || std::find(columns.begin(), columns.end(), quantity) != columns.end())
    return quantity;
  const std::string of_origin = quantity.substr(0, axis) + ".origin" + quantity.substr(axis);
  return std::find(columns.begin(), columns.end(), of_origin) != columns.end() ? of_origin : quantity;
}

std::vector<std::string> quantities_of_frames(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const LinkData& link : mechanism.links)
    for (const Frame& frame : link.frames)
      for (const FrameQuantity& kind : frame_kinds)
        for (const char* axis : {".x", ".y", ".z"}) {
          names.push_back(kind.first + link.name + "." + frame.name + axis);
          if (kind.second != kind.first) names.push_back(kind.second + link.name + "." + frame.name + axis);
        }
  return names;
}

}  // namespace lithe::detail
