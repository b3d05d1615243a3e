#pragma once

#include <string>

namespace lithe::cli {

/// &, <, > and quotes made safe for HTML and SVG.
std::string escape_markup(const std::string& text);

}  // namespace lithe::cli
