#pragma once
// The materials of a model file, looked up by name.

#include <map>
#include <optional>
#include <string>

#include "lithe/io/reader.hpp"
#include "lithe/links/section.hpp"

namespace lithe::io {

class Materials {
 public:
  /// Reads `materials:`.
  void read(const Object& root, Reader& reader);

  /// Density (kg/m^3) of the material named by `item`; complains about an unknown name.
  std::optional<double> density(const Item& item, Reader& reader) const;
  /// The material with its elastic constants; complains when Young's modulus is missing.
  std::optional<Material> elastic(const Item& item, Reader& reader) const;
  /// What stress in the material named by `item` is held against; complains about an unknown name.
  std::optional<Strength> strength(const Item& item, Reader& reader) const;

 private:
  /// As written; nothing where a value is absent or could not be read.
  struct Entry {
    std::optional<double> density, young, poisson;
    Strength strength;
    bool is_broken = false;  ///< a value could not be read, and that has been complained about
  };
  const Entry* find(const Item& item, Reader& reader) const;

  std::map<std::string, Entry> entries_;
  bool known_ = true;  ///< false: any name may be right
};

}  // namespace lithe::io
