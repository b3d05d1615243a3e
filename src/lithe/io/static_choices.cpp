// What the static shapes of elastic links are made for, when the whole mechanism is known.

#include "lithe/analysis/reference_choice.hpp"
#include "lithe/io/elastic_building.hpp"
#include "lithe/io/model_builder.hpp"

namespace lithe::io {

StaticChoice static_choice(const Mechanism& mechanism, int link) {
  const LinkData& data = mechanism.links[static_cast<std::size_t>(link)];
  StaticChoice choice;
  if (data.frames.size() > most_static_frames) {
    choice.frames = loaded_frames(mechanism, link);
    choice.frames.insert(choice.frames.begin(), "origin");
  }
  for (const LineLoad& load : mechanism.line_loads)
    for (const LineLoad::Part& part : load.parts) {
      const auto* stretch = part.link == link ? std::get_if<AxisStretch>(&part.line) : nullptr;
      if (stretch == nullptr || (stretch->from <= 0.0 && stretch->to >= data.axis.length)) continue;
      choice.stretches.push_back({stretch->from, stretch->to});
    }
  return choice;
}

void ModelBuilder::complete_statics() {
  for (AutomaticLink& link : automatic_) link.sayings.statics = static_choice(model_.mechanism, link.link);
  for (AutomaticLink& link : reduced_) {
    link.sayings.statics = static_choice(model_.mechanism, link.link);
    if (link.sayings.statics->frames.empty() && link.sayings.statics->stretches.empty()) continue;
    // Built once more, now with what acts on it.
    LinkData& data = model_.mechanism.links[static_cast<std::size_t>(link.link)];
    Item blamed = links_.at(data.name);
    data = build_link(data.name, link.key, link.body, link.sayings, model_.origins[static_cast<std::size_t>(link.link)],
                      blamed);
  }
}

}  // namespace lithe::io
