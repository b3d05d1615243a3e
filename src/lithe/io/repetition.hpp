#pragma once
// `repeat:` of a model file: its sections are written once for every value of an index.

#include "lithe/io/reader.hpp"

namespace lithe::io {

/// Puts the entries of `repeat:` into the sections of the tree and takes the key out. The parameters in `scope`
/// have been read: ranges may use them. False after complaints.
bool expand_repetition(Node& tree, const Scope& scope, Reader& reader);

}  // namespace lithe::io
