// What the static shapes of elastic links are made for, when the whole mechanism is known.

#include <algorithm>

#include "lithe/io/elastic_building.hpp"
#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Names of the frames of a link at which joints, loads and springs act, each once; "origin" is always among them.
std::vector<std::string> used_frames(const Mechanism& mechanism, int link) {
  std::vector<std::string> names{"origin"};
  const auto take = [&](const FrameRef& at) {
    if (at.link != link) return;
    const LinkData& data = mechanism.links[static_cast<std::size_t>(link)];
    const std::string& name = data.frames[static_cast<std::size_t>(at.frame)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Joint& joint : mechanism.joints) take(joint.from), take(joint.to);
  for (const LoadPort& load : mechanism.loads) take(load.at);
  for (const PointSpring& spring : mechanism.springs) take(spring.a), take(spring.b);
  return names;
}

}  // namespace

StaticChoice static_choice(const Mechanism& mechanism, int link) {
  const LinkData& data = mechanism.links[static_cast<std::size_t>(link)];
  StaticChoice choice;
  if (data.frames.size() > most_static_frames) choice.frames = used_frames(mechanism, link);
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
