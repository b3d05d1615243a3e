#pragma once
// Matrices of other finite-element programs, from files that have been read already.

#include <string>

#include "lithe/links/imported.hpp"

namespace lithe::io {

/// A file in memory; complaints name its path.
struct DataFile {
  std::string path, bytes;
};

/// See read_imported_matrices().
ImportedMatrices matrices_of(const DataFile& mass, const DataFile& stiffness, const DataFile& nodes);

}  // namespace lithe::io
