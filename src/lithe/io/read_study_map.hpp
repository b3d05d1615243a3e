#pragma once
// Section `map` of a study file, and the outputs that are taken from it.

#include "lithe/io/load_study.hpp"
#include "lithe/io/reader.hpp"

namespace lithe::io {

/// Sets file.study.map, and remembers the places of coordinates.
void read_study_map(Reader& reader, const Item& item, StudyFile& file);

/// What stands beside `map` in an output, whose column is known already.
void read_map_output(Reader& reader, const Object& object, Output& output);

}  // namespace lithe::io
