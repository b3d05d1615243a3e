#pragma once
// Figures as files: SVG as it is, PDF and PNG made from it.

#include <string>
#include <vector>

namespace lithe::cli {

/// Throws InputError for a name that does not end in .svg, .pdf or .png, and for a folder that does not exist.
void require_picture_name(const std::string& path);

/// Writes the figure, whole or not at all; `dpi` is that of a PNG. Refuses to replace one of `inputs`. Throws.
void write_picture(const std::string& path, const std::string& svg, double dpi, const std::vector<std::string>& inputs);

}  // namespace lithe::cli
