#include "lithe/version.hpp"

namespace lithe {

std::string_view version() { return LITHE_VERSION; }

}  // namespace lithe
