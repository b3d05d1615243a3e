#pragma once
// Elements that a Plan adds for the joints of its mechanism: stops with a stiffness, and friction with a creep speed.

#include <memory>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// Takes away those that another plan has added, and adds those of these joints.
void add_joint_elements(Mechanism& mechanism);

}  // namespace lithe::detail
