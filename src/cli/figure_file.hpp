#pragma once
// Figures on disk: SVG as it is, PNG and PDF by rsvg-convert.

#include <string>
#include <vector>

namespace lithe::cli {

/// Before the work: the name ends in .svg, .png or .pdf and its folder exists. Throws InputError.
void require_figure_name(const std::string& path);

/// In the format that the name says; an earlier file stays whole when something fails. Refuses to replace one of
/// `inputs`. Throws.
void write_figure(const std::string& svg, const std::string& path, double dpi, const std::vector<std::string>& inputs);

}  // namespace lithe::cli
