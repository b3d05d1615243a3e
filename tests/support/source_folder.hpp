// Where the sources of Lithe are: examples, data and oracles are read from there. In a file of its own, because only one object
// then depends on where a copy of the repository lies; the others can come from a compiler cache.
#pragma once

#include <string>

namespace lithe {

[[nodiscard]] std::string source_folder();

}  // namespace lithe
