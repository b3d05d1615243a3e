#pragma once
// Cross sections of beams as they are written: a shape of a material, or the stiffnesses themselves.

#include <array>
#include <optional>

#include "lithe/io/materials.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/links/section.hpp"

namespace lithe::io {

/// A shape of a material, kept so that tapered beams vary in their dimensions.
struct SectionShape {
  enum class Kind { rectangle, circle, tube, i };
  Kind kind = Kind::rectangle;
  std::array<double, 4> dimensions{};  ///< m, in the order of the arguments of lithe::rectangle, ...
  Material material;

  Section section() const;
};

/// A cross section with what was said about it.
struct SectionText {
  std::optional<SectionShape> shape;  ///< nothing for explicit stiffnesses
  Section section;                    ///< a single EI or kGA stands for both planes
  bool has_EI = false, has_EI_y = false, has_EI_z = false, has_GJ = false, has_EA = false;
  bool has_shear = false, has_rotary = false, has_mass = false;
};

/// Keys that describe a cross section; part of the sections "beam" and "station".
std::vector<KeyRule> cross_section_keys();
/// Sections below those keys.
std::vector<MapRules> cross_section_rules();

/// Reads those keys; `material` is what a section without material is made of. Nothing when something is wrong, after
/// complaining.
std::optional<SectionText> read_cross_section(const Object& object, const std::optional<Item>& material,
                                              const Materials& materials, Reader& reader);

}  // namespace lithe::io
