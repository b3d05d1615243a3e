#pragma once
// From a model to something that can be evaluated: plan, workspace, assembled initial state.

#include <stdexcept>
#include <string>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/kinematics/physics_error.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {

struct Prepared {
  Plan plan;
  Workspace work;
  State state;              ///< assembled at model.run.from; independent speeds selected
  AssemblyReport assembly;  ///< how far the guess was from closing
  Remarks remarks;          ///< what was chosen or had to give way at the start
};

/// Compiles, applies the initial values (motion laws at the start time override the guesses of driven joints),
/// assembles with driven and given independent coordinates held (elastic coordinates too, unless that cannot be),
/// selects the independent set and completes the speeds.
/// Throws MechanismError for a mechanism or a name that makes no sense and PhysicsError when it does not assemble.
Prepared prepare(const Model& model, Arithmetic arithmetic = Arithmetic::automatic);

/// Index among [v; cut speeds] of the speed called `name` (see Plan::speed_name()), elastic ones included; throws
/// MechanismError.
int speed_named(const Plan& plan, const std::string& name);

/// Index in State::q of the scalar coordinate whose rate is tree speed `speed`; -1 for a part of a rotation in space,
/// which has no scalar coordinate.
int position_of_speed(const Plan& plan, int speed);

/// Index of a joint coordinate among [v; cut speeds]; throws MechanismError.
int speed_index(const Plan& plan, const std::string& joint, int coordinate);

/// Index in State::q of the scalar coordinate whose rate is that speed; -1 for a cut joint. Throws MechanismError for
/// rotations in space, which have no scalar coordinates.
int position_of_speed(const Plan& plan, const std::string& joint, int coordinate);

}  // namespace lithe
