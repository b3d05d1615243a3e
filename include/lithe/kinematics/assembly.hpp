#pragma once
// Closing the loops: from a guess to coordinates that satisfy the closures, and all the ways in which that is possible.

#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe {

struct AssemblyOptions {
  double tolerance = 1e-13;  ///< on the closure error, relative to the characteristic length
  int max_iterations = 100;
  std::vector<int> held;  ///< speeds (indices into State::v) whose coordinates must keep their value
  /// Loops that the joints alone cannot close may bend elastic links.
  bool links_may_bend = true;
};

struct AssemblyReport {
  Status status;
  int iterations = 0;
  double initial_error = 0.0;  ///< largest closure equation at the guess (m or 1)
  double error = 0.0;          ///< and at the end
  bool bends_links = false;    ///< no assembly was found without moving elastic coordinates
};

/// Moves the coordinates in `q` onto the closures with `held` fixed: damped Gauss-Newton with line search, from the
/// guess and then from ever wider random guesses (the same at every call). Elastic coordinates keep the value that they
/// have in `q` unless all of that fails. Without success status is not_assembled and q holds the best attempt.
AssemblyReport assemble(const Plan& plan, Workspace& work, VectorX& q, const AssemblyOptions& options = {});

/// Distinct assemblies with the held coordinates fixed, found from `tries` deterministic random guesses; the branch of
/// `q` comes first when it assembles. Assemblies in which all frames and mass centres stand at the same places count as
/// one: quaternions q and -q, angles with other turns, a rod turned by half a turn about its own axis.
std::vector<VectorX> assembly_branches(const Plan& plan, Workspace& work, const VectorX& q,
                                       const AssemblyOptions& options = {}, int tries = 200);

/// Largest closure equation at q (m for distances, 1 for rotations).
double closure_error(const Plan& plan, Workspace& work, const VectorX& q);

/// q <- q (+) step, where `step` has length nv: scalars add, quaternions turn by the body-fixed rotation vector.
void move_coordinates(const Plan& plan, const VectorX& step, VectorX& q);

/// Rates of the coordinates (quaternions included) for speeds v: qdot, length nq.
void coordinate_rates(const Plan& plan, const VectorX& q, const VectorX& v, VectorX& qdot);

/// The same configuration in another plan of the same mechanism: coordinates of the target's tree joints from the link
/// poses that `q` gives in `source`. Angles come out in (-pi, pi].
VectorX transfer_coordinates(const Plan& source, Workspace& source_work, const VectorX& q, const Plan& target);

void normalise_quaternions(const Plan& plan, VectorX& q);

}  // namespace lithe
