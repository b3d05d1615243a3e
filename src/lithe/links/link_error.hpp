#pragma once
// The one way in which links are refused.

#include <fmt/format.h>

#include "lithe/errors.hpp"

namespace lithe::detail {

/// Throws MechanismError: "link 'NAME': message".
[[noreturn]] inline void refuse_link(const std::string& link, const std::string& message) {
  throw MechanismError(link, fmt::format("link '{}': {}", link, message));
}

}  // namespace lithe::detail
