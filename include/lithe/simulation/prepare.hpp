#pragma once
// From a model to something that can be evaluated: plan, workspace, assembled initial state.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/errors.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
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

/// Where prepare() ends: at the assembled values of the start, or at the equilibrium nearby when the model asks for it
/// (Model::start_at_equilibrium); or at the assembly next to the guesses, without a search for a better one.
enum class Start { of_the_model, assembled, nearest };

/// Compiles, assembles with regard to what the model gives of its start (motion laws at the start time first, then
/// values of actuated joints, poses of links, other joints; see assemble_wishes()), selects the independent set and
/// completes the speeds. Elastic coordinates keep their initial values unless the joints cannot close the loops.
/// Throws MechanismError for a mechanism or a name that makes no sense and PhysicsError when it does not assemble.
Prepared prepare(const Model& model, Arithmetic arithmetic = Arithmetic::automatic, Start start = Start::of_the_model);

/// What is wanted of a state. Names are those of Plan::speed_name().
struct StateValues {
  std::map<std::string, double> coordinates;  ///< "motor-1", "wrist.1", "boom.e1": rad, m
  std::map<std::string, double> speeds;       ///< rad/s, m/s
  std::vector<InitialPose> poses;
  std::vector<InitialTwist> twists;
};

/// Moves a prepared mechanism to another state: closes the loops from the present coordinates with the wanted ones
/// held, and sets the speeds; independent ones that nobody wants are zero. Throws PhysicsError and changes nothing when
/// that cannot be, MechanismError for a name that makes no sense.
AssemblyReport set_state(Prepared& prepared, const StateValues& wanted);

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
int position_for_law(const Plan& plan, const std::string& joint, int coordinate);

}  // namespace lithe
