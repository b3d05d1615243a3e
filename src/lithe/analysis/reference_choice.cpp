#include "lithe/analysis/reference_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lithe {

namespace {

bool is_pin(const Joint& joint) {
  return !joint.is_actuated() && joint.facts().distances() == 0 && joint.facts().rotations() > 0;
}

/// What joints do to one end of a link.
struct End {
  std::string holder, pin;  ///< a joint that drives, guides or fixes it; one that only pins it; empty: none
  std::string how;          ///< what the holder does
};

/// The joints whose frame on the link lies at `place`.
End end_at(const Mechanism& mechanism, int link, const Vec3& place, double tolerance) {
  End end;
  for (const Joint& joint : mechanism.joints) {
    if (joint.type == JointType::free) continue;
    for (const FrameRef& at : {joint.from, joint.to}) {
      if (at.link != link) continue;
      const Frame& frame = mechanism.links[link].frames[at.frame];
      if ((frame.pose.position - place).norm() > tolerance) continue;
      if (is_pin(joint)) {
        if (end.pin.empty()) end.pin = joint.name;
      } else if (end.holder.empty()) {
        end.holder = joint.name;
        end.how = joint.is_actuated() ? "drives" : joint.type == JointType::fixed ? "fixes" : "guides";
      }
    }
  }
  return end;
}

}  // namespace

std::vector<std::string> loaded_frames(const Mechanism& mechanism, int link) {
  std::vector<std::string> names;
  const auto take = [&](const FrameRef& at) {
    if (at.link != link || at.frame == 0) return;
    const std::string& name = mechanism.links[link].frames[at.frame].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Joint& joint : mechanism.joints) take(joint.from), take(joint.to);
  for (const LoadPort& load : mechanism.loads) take(load.at);
  for (const PointSpring& spring : mechanism.springs) take(spring.a), take(spring.b);
  return names;
}

StaticChoice static_choice(const Mechanism& mechanism, int link) {
  const LinkData& data = mechanism.links[link];
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

ReferenceChoice choose_reference(const Mechanism& mechanism, int link, Reference otherwise) {
  const LinkData& data = mechanism.links[link];
  ReferenceChoice choice{otherwise, "the link has its own supports", loaded_frames(mechanism, link)};
  if (otherwise == Reference::supported) return choice;
  const int root = data.find_frame("root"), tip = data.find_frame("tip");
  if (root < 0 || tip < 0) {
    choice.reason = "it has no frames root and tip";
    return choice;
  }
  const Vec3 start = data.frames[root].pose.position;
  const Vec3 end = data.frames[tip].pose.position;
  const double tolerance = 1e-6 * (end - start).norm();
  const End near = end_at(mechanism, link, start, tolerance), far = end_at(mechanism, link, end, tolerance);
  choice.reference = Reference::clamped;
  if (!near.holder.empty()) {
    choice.reason = fmt::format("{} {} its root", near.holder, near.how);
  } else if (!near.pin.empty() && !far.pin.empty() && far.holder.empty()) {
    choice.reference = Reference::chord;
    choice.reason = fmt::format("the pins {} and {} hold its ends", near.pin, far.pin);
  } else if (!near.pin.empty()) {
    // Its root turns freely: a frame that turned with it would see the whole link swing.
    choice.reference = Reference::chord;
    choice.reason = fmt::format("the pin {} at its root takes no moment", near.pin);
  } else {
    const auto floats = std::find_if(mechanism.joints.begin(), mechanism.joints.end(), [&](const Joint& joint) {
      return joint.type == JointType::free && (joint.from.link == link || joint.to.link == link);
    });
    if (floats != mechanism.joints.end()) choice.reference = Reference::free;
    choice.reason = floats != mechanism.joints.end() ? fmt::format("it floats on {}", floats->name)
                                                     : std::string("no joint stands at its root");
  }
  return choice;
}

}  // namespace lithe
