#pragma once
// `denoc` as one of the formulations: what it keeps in the workspace.

#include <optional>

#include "lithe/dynamics/denoc.hpp"
#include "lithe/dynamics/denoc_tree.hpp"

namespace lithe::detail {

/// Made on first use, kept in the kernel. Exactly one of `tree` and `modules` is there, or neither when the mechanism
/// cannot be divided into a platform and legs.
template <class S>
struct DenocMemory {
  explicit DenocMemory(const Kernel<S>& k);

  std::optional<DenocTree<S>> tree;  ///< no loops
  std::optional<Denoc<S>> modules;
  VectorX force;  ///< along [tree; cut] speeds: motors, springs, dampers
  VectorX cut_force;
};

}  // namespace lithe::detail
