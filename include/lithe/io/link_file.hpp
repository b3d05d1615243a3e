#pragma once
// Links in files: finished LinkData (JSON or HDF5), and matrices of other finite-element programs (MatrixMarket with a
// node file). The formats are described in docs/link-file.md.

#include <string>

#include "lithe/links/imported.hpp"
#include "lithe/links/link_data.hpp"

namespace lithe {

/// Everything that the engine knows of the link; numbers come back bit by bit. The ending of `path` chooses the format:
/// .json, or .h5 and .hdf5. Throws std::runtime_error naming the file.
void write_link_data(const LinkData& link, const std::string& path);

/// Throws std::runtime_error naming the file and the key for anything missing, of the wrong size, or impossible (mass
/// matrix not positive definite, stiffness not symmetric).
LinkData read_link_data(const std::string& path);

/// Matrices of a free part in MatrixMarket coordinate format and the file of its nodes. Throws std::runtime_error
/// naming file and line.
ImportedMatrices read_imported_matrices(const std::string& mass, const std::string& stiffness,
                                        const std::string& nodes);

}  // namespace lithe
