#pragma once
// The version of the compiled library.

#include <string_view>

namespace lithe {

/// "major.minor.patch", as in CHANGELOG.md.
std::string_view version();

}  // namespace lithe
