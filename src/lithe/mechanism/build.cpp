#include "lithe/mechanism/build.hpp"

namespace lithe {

FrameRef frame_named(const Mechanism& mechanism, const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return mechanism.find_frame(text, "origin");
  return mechanism.find_frame(text.substr(0, slash), text.substr(slash + 1));
}

Joint& connect(Mechanism& mechanism, JointType type, const std::string& name, const std::string& from,
               const std::string& to, const Vec3& axis) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.from = frame_named(mechanism, from);
  joint.to = frame_named(mechanism, to);
  joint.axis = axis.normalized();
  return mechanism.joints[mechanism.add_joint(std::move(joint))];
}

LineLoad& load_along(Mechanism& mechanism, const std::string& name, const std::string& link) {
  const int index = mechanism.find_frame(link, "origin").link;
  const double length = mechanism.links[index].axis.length;
  return load_along(mechanism, name, link, 0.0, length);
}

LineLoad& load_along(Mechanism& mechanism, const std::string& name, const std::string& link, double from, double to) {
  const int index = mechanism.find_frame(link, "origin").link;
  mechanism.line_loads.push_back({name, {{index, AxisStretch{from, to}}}, false});
  return mechanism.line_loads.back();
}

}  // namespace lithe
