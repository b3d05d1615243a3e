#pragma once
// Where the gallery of examples and the published reference numbers are.

#include <string>

namespace lithe::cli {

/// The folder of examples: $LITHE_EXAMPLES, beside the installed program, or in the source tree. Throws InputError.
std::string examples_folder();

}  // namespace lithe::cli
