#pragma once
// What acts on a mechanism at one instant, besides gravity, springs and dampers (these are part of the mechanism).

#include <vector>

#include "lithe/mechanism/plan.hpp"

namespace lithe {

/// A line load at one instant: force per length at its start and its end (N/m), axes as the LineLoad says.
struct LineForce {
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
};

struct Actions {
  VectorX tau;                        ///< joint forces along [tree speeds; cut speeds]: nv + cut_nv, N m or N
  std::vector<Wrench> loads;          ///< one per LoadPort: on the link at the frame origin; axes as the port says
  std::vector<LineForce> line_loads;  ///< one per LineLoad

  explicit Actions(const Plan& plan)
      : tau(VectorX::Zero(plan.nv() + plan.cut_nv())),
        loads(plan.mechanism().loads.size()),
        line_loads(plan.mechanism().line_loads.size()) {}
};

}  // namespace lithe
