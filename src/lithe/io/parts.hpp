#pragma once
// `parts:` of a model file: other model files, placed, with names and parameters of their own.

#include "lithe/io/reader.hpp"
#include "lithe/io/source_files.hpp"

namespace lithe::io {

/// Writes the repetitions and the parts of a tree out, parts inside parts too. False after complaints.
bool expand_model(Node& tree, SourceFiles& files, Reader& reader);

}  // namespace lithe::io
