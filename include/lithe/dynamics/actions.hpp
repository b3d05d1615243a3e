#pragma once
// What acts on a mechanism at one instant, besides gravity, springs and dampers (these are part of the mechanism).

#include <vector>

#include "lithe/mechanism/plan.hpp"

namespace lithe {

struct Actions {
  VectorX tau;                ///< joint forces along [tree speeds; cut speeds]: nv + cut_nv, N m or N
  std::vector<Wrench> loads;  ///< one per LoadPort: on the link at the frame origin; axes as the port says

  explicit Actions(const Plan& plan)
      : tau(VectorX::Zero(plan.nv() + plan.cut_nv())), loads(plan.mechanism().loads.size()) {}
};

}  // namespace lithe
