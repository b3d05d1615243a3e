#pragma once
// What the physics refuses.

#include <stdexcept>

namespace lithe {

/// No assembly, singular pose, divergence, infeasible motion, no equilibrium. Exit code 1 of the program.
class PhysicsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lithe
