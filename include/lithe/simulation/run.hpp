#pragma once
// How a run is done and what it leaves.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/dynamics/forward.hpp"

namespace lithe {

/// `automatic` chooses for a mechanism: `exponential` where links bend, `dopri` where all is rigid, `bdf` where that is
/// stiff.
enum class Integrator { automatic, exponential, bdf, adams, dopri, rk4, dopri5_fixed, ode45, generalized_alpha, ida };
inline constexpr Integrator all_integrators[] = {
    Integrator::automatic,    Integrator::exponential, Integrator::bdf,
    Integrator::adams,        Integrator::dopri,       Integrator::rk4,
    Integrator::dopri5_fixed, Integrator::ode45,       Integrator::generalized_alpha,
    Integrator::ida};
std::string_view name_of(Integrator integrator);  ///< as written in model files: auto exponential bdf ...

/// When the coordinates are put back onto the closures: before every evaluation (default; the dynamics never see an
/// error), after every accepted step, or never (to show drift).
enum class Projection { evaluation, step, never };
inline constexpr Projection all_projections[] = {Projection::evaluation, Projection::step, Projection::never};
std::string_view name_of(Projection projection);

/// Tolerances of a run that asks for none.
inline constexpr double default_tolerance = 1e-5, default_rtol = 1e-8, default_atol = 1e-10;

struct RunOptions {
  double from = 0.0;   ///< s
  double until = 1.0;  ///< s
  Integrator integrator = Integrator::automatic;
  /// Of `automatic` and `exponential`: error of a step against the largest deflection so far (where nothing bends, the
  /// largest motion).
  double tolerance = default_tolerance;
  double rtol = default_rtol, atol = default_atol;  ///< of the other adaptive integrators
  double step = 1e-3;                               ///< fixed-step integrators, s
  double max_step = 0.0;                            ///< adaptive integrators; 0: none
  double every = 1e-2;                              ///< recording interval, s
  Formulation formulation = Formulation::noc;
  Stabilisation stabilisation;
  Projection projection = Projection::evaluation;
  double condition_limit = 1e8;  ///< of the closures; beyond it a run stops, unless momentum leads through
  double spectral_radius = 0.9;  ///< of generalized-alpha, at infinite frequency
};

/// What is recorded; the columns are those of docs/results.md. Vectors have components in ground axes.
struct RecordOptions {
  bool coordinates = true;            ///< q, v, a and tau of all joints
  bool energy = true;                 ///< energy.kinetic|potential|gravity|strain|springs|elements|work|dissipated
  bool reactions = false;             ///< force.JOINT.x|y|z, moment.JOINT.x|y|z
  bool sections = false;              ///< section.LINK.PLACE.N|Qy|Qz|Mx|My|Mz of elastic links (N, N m)
  bool stress = false;                ///< stress.LINK.PLACE of elastic links: von Mises, largest over the section (Pa)
  bool stress_parts = false;          ///< stress.LINK.PLACE.axial|bending|shear|torsion (Pa)
  bool springs = false;               ///< spring.NAME.length|force|energy of the springs between frames
  bool elements = true;               ///< KIND.NAME.WHAT of machine elements
  bool control = true;                ///< KIND.SENSOR and control.CONTROLLER.JOINT
  bool control_states = false;        ///< control.CONTROLLER.state.K
  bool motors = false;                ///< motor.JOINT.torque|speed|power|loss|current|voltage|electrical, motor side
  bool momentum = false;              ///< momentum.x|y|z, angular-momentum.x|y|z of all links, about the ground origin
  std::vector<FrameRef> frames;       ///< pos.LINK.FRAME.x|y|z and rot.LINK.FRAME.x|y|z (rotation vector)
  std::vector<FrameRef> quaternions;  ///< quat.LINK.FRAME.w|x|y|z
  std::vector<FrameRef> velocities;   ///< vel.LINK.FRAME.x|y|z and omega.LINK.FRAME.x|y|z
  std::vector<FrameRef> accelerations;  ///< acc.LINK.FRAME.x|y|z and alpha.LINK.FRAME.x|y|z
  /// deflection.LINK.FRAME.x|y|z|norm: position minus that on the rigid twin, whose motors stand where ours stand.
  std::vector<FrameRef> deflections;
};

}  // namespace lithe
