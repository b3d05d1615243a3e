#pragma once
// Whether a path is that of a model file, as far as one can tell without reading it.

#include <string>

namespace lithe::cli {

/// Throws InputError when there is no such file, or one of another kind.
void require_model_file(const std::string& path);

}  // namespace lithe::cli
