#pragma once
// The two ways in which a mechanism is refused. Evaluations throw nothing: they return a Status (kinematics/state.hpp).

#include <stdexcept>
#include <string>
#include <utility>

namespace lithe {

/// Something in the description makes no sense; `element` names the link, joint, spring or load to blame. Exit code 2
/// of the program.
class MechanismError : public std::runtime_error {
 public:
  MechanismError(std::string element, const std::string& message)
      : std::runtime_error(message), element_(std::move(element)) {}
  const std::string& element() const { return element_; }

 private:
  std::string element_;
};

/// The description is fine, but the physics refuses: no assembly, singular pose, divergence, infeasible motion, no
/// equilibrium. Exit code 1 of the program.
class PhysicsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lithe
