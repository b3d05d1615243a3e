#include "support/source_folder.hpp"

namespace lithe {

std::string source_folder() { return LITHE_SOURCE_DIR; }

}  // namespace lithe
