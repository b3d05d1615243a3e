#include "lithe/links/link_data.hpp"

namespace lithe {

int LinkData::find_frame(const std::string& frame) const {
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].name == frame) return static_cast<int>(i);
  return -1;
}

LinkData rigid_twin(const LinkData& link) {
  LinkData twin = link;
  twin.elastic = {};
  for (Frame& frame : twin.frames) frame = {frame.name, frame.pose, {}, {}, {}};
  for (Outline::Point& point : twin.outline.points) point.shape.resize(3, 0);
  return twin;
}

}  // namespace lithe
