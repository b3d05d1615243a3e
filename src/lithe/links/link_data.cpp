#include "lithe/links/link_data.hpp"

namespace lithe {

int LinkData::find_frame(const std::string& frame) const {
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (frames[i].name == frame) return static_cast<int>(i);
  return -1;
}

}  // namespace lithe
