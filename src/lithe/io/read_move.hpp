#pragma once
// Section `move` of a study file.

#include "lithe/io/load_study.hpp"
#include "lithe/io/reader.hpp"

namespace lithe::io {

/// Sets file.move, and remembers the places of motors and frames.
void read_move(Reader& reader, const Item& item, StudyFile& file);

}  // namespace lithe::io
