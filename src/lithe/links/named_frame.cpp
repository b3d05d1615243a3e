#include "lithe/links/named_frame.hpp"

#include <fmt/format.h>

#include "lithe/errors.hpp"

namespace lithe::detail {

const Frame& named_frame(const std::string& link, const std::vector<Frame>& frames, const std::string& name) {
  std::string known;
  for (const Frame& frame : frames) {
    if (frame.name == name) return frame;
    known += (known.empty() ? "" : ", ") + frame.name;
  }
  throw MechanismError(link, fmt::format("link '{}' has no frame '{}'; its frames are {}", link, name, known));
}

}  // namespace lithe::detail
