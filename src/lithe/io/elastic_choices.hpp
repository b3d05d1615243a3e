#pragma once
// modes, damping, stiffening and tip rotation of elastic links as they are written.

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/reader.hpp"
#include "lithe/links/damping.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/links/tip_rotation.hpp"

namespace lithe::io {

/// `modes:` as written.
struct ModesText {
  ReductionChoice choice;
  std::optional<Reference> reference;
  bool is_chosen = false;  ///< count, below, list or all was given

  bool refuses_automatic = false;  ///< auto: false

  bool automatic =
      false;           ///< auto was given: shapes and, without `reference`, the reference are chosen from the mechanism
  double up_to = 0.0;  ///< Hz: automatic for the frequencies of the mechanism up to this one; 0: its first few
  double within = 0.01;  ///< automatic: how exact these shall be
};

/// Nothing when something was wrong, after complaining. `frames`: what the link has.
std::optional<ModesText> read_modes(const Item& item, const std::vector<std::string>& frames, Reader& reader);
std::optional<Damping> read_damping(const Item& item, Reader& reader);
std::optional<Stiffening> read_stiffening(const Item& item, Reader& reader);
std::optional<TipRotation> read_tip_rotation(const Item& item, Reader& reader);

}  // namespace lithe::io
