#pragma once
// Values that can be read but look like another unit: densities in g/cm^3, moduli in GPa or MPa, lengths in mm, angles
// in degrees, gravity in mm/s^2.

#include <string>
#include <vector>

#include "lithe/io/reader.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

/// One sentence for each, "file:line:column: key: message", with the value that was probably meant. For a tree that has
/// been read without complaints into `model`.
std::vector<std::string> unit_hints(const Object& root, const Model& model, Reader& reader);

}  // namespace lithe::io
