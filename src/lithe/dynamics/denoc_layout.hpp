#pragma once
// Which link is the platform and which joints make up each leg: the modules into which `denoc` divides a mechanism.

#include <string>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// One joint of a leg and the link beyond it, counted from the ground towards the platform.
struct LegStep {
  int joint = 0;
  int link = 0;           ///< outboard link; the platform in the last step
  bool reversed = false;  ///< the joint points from the outboard to the inboard link
};

struct DenocLayout {
  int platform = -1;                       ///< link; -1 when there is none
  std::vector<std::vector<LegStep>> legs;  ///< each a serial chain from the ground to the platform
  std::string refusal;                     ///< why the mechanism cannot be divided so; empty when it can
};

/// Finds a platform such that every joint and link belongs to a serial chain from the ground to it. `platform` names
/// the link to take; without a name the link with the shortest longest leg is taken. One leg alone is an open serial
/// chain.
DenocLayout find_denoc_layout(const Mechanism& mechanism, const std::string& platform);

}  // namespace lithe::detail
