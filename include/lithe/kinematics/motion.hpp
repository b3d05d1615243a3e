#pragma once
// Velocity and acceleration analysis: independent sets, complements, frames, cut joints, singularity measures.

#include <span>

#include "lithe/kinematics/state.hpp"

namespace lithe {

/// Chooses the independent speeds at q by pivoted elimination of the closure Jacobian. Speeds in `keep` become
/// independent whenever the closures allow it; after them the preference of Plan::options() holds.
/// Fails (singular_closure) when `insist` and a kept or required speed has to be dependent.
Status select_independent(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<int>& keep = {},
                          bool insist = false);

/// Puts q onto the closures by Newton's method on the dependent coordinates (few, warm-started iterations; no
/// allocation), as exactly as rounding lets it; closure errors up to `tolerance` (m, 1) are left as they are.
/// Independent coordinates keep their value. Fails (not_assembled) rather than going to another branch.
Status project_positions(const Plan& plan, Workspace& work, VectorX& q, double tolerance = 0.0);

/// v = N v_independent: completes the dependent entries of v from its independent entries.
Status complete_speeds(const Plan& plan, Workspace& work, const VectorX& q, VectorX& v);

/// Speeds in a singular pose, where N is not determined, from `rows` v = `values`: they have to leave nothing open and
/// to belong to a branch that goes through the pose. The workspace follows this branch from then on. Fails
/// (singular_closure) when they do not decide. Values that are all zero are rest, which decides nothing.
Status leave_singular_pose(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& rows,
                           const VectorX& values, VectorX& v);

/// a = N a_independent + bias: completes the dependent entries of a.
Status complete_accelerations(const Plan& plan, Workspace& work, const State& state, VectorX& a);

/// The scalar closure equations as this workspace evaluates them; Plan::closure_rows() unless spatial arithmetic was
/// asked for on a planar mechanism.
const std::vector<ClosureRow>& closure_rows(const Plan& plan, const Workspace& work);

/// Closure Jacobian A (closure rows x nv), its product with accelerations satisfies A a = gamma.
void closure_jacobian(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& A);
void closure_bias(const Plan& plan, Workspace& work, const State& state, VectorX& gamma);
/// Values of the closure equations at q.
void closure_values(const Plan& plan, Workspace& work, const VectorX& q, VectorX& c);

/// Loop complement N (nv x independent count) of the current independent set; A N = 0, unit rows at the independent.
Status loop_complement(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& N);

/// Tree complement: stacked twists of all links at their mass centres in ground axes (angular, linear; 6 rows a link,
/// ground excluded) = T v; of an elastic link the body frame, at its undeformed mass centre. The literal product of the
/// DeNOC factors N_l N_d, dense; for tests and textbook forms.
void tree_complement(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& T);

/// Pose of a frame in ground axes.
Pose frame_pose(const Plan& plan, Workspace& work, const VectorX& q, FrameRef frame);
/// Velocity of a frame origin and angular velocity, ground axes.
Twist frame_velocity(const Plan& plan, Workspace& work, const State& state, FrameRef frame);
/// Acceleration of a frame origin and angular acceleration, ground axes, for tree accelerations a.
Twist frame_acceleration(const Plan& plan, Workspace& work, const State& state, const VectorX& a, FrameRef frame);
/// 6 x nv: frame_velocity = J v (angular rows first).
void frame_jacobian(const Plan& plan, Workspace& work, const VectorX& q, FrameRef frame, MatrixX& J);
/// The same for the body frame of a link: on an elastic link that is not a material point.
void link_jacobian(const Plan& plan, Workspace& work, const VectorX& q, int link, MatrixX& J);

/// Coordinates (length cut_nq, angles in (-pi, pi]) and speeds (cut_nv) of the cut joints.
void cut_coordinates(const Plan& plan, Workspace& work, const VectorX& q, VectorX& cut_q);
void cut_speeds(const Plan& plan, Workspace& work, const State& state, VectorX& cut_v);
void cut_accelerations(const Plan& plan, Workspace& work, const State& state, const VectorX& a, VectorX& cut_a);
/// cut_v = J v (cut_nv x nv).
void cut_jacobian(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& J);
/// `speeds`, indices into [v; cut speeds], per tree speed: one row each. Transposed, forces along them on the tree.
MatrixX speed_jacobian(const Plan& plan, Workspace& work, const VectorX& q, std::span<const int> speeds);

struct Mobility {
  int mobility = 0;  ///< freedoms at a generic assembled pose near q, elastic coordinates not counted
  int elastic = 0;   ///< independent elastic coordinates, which come on top
  int rank = 0;
  int local_mobility = 0;      ///< at q itself; larger than `mobility` in a singular pose
  std::vector<int> redundant;  ///< closure rows implied by the others
  int actuators = 0;
  int actuation_rank = 0;          ///< independent directions that the actuators drive; < mobility: under-actuated
  double closure_condition = 0;    ///< of the non-redundant scaled closure Jacobian
  double actuation_condition = 0;  ///< of N^T B; infinite when under-actuated or in an actuation singularity
};
/// The independent set of the workspace stays as it is; one that has none gets that of select_independent().
Mobility analyse_mobility(const Plan& plan, Workspace& work, const VectorX& q);

/// Condition numbers at q, per loop for messages: scaled with the characteristic length.
struct Singularity {
  double closure = 0.0;    ///< smallest retained over largest singular value, inverted, of the closure Jacobian
  double dependent = 0.0;  ///< condition of the block that is inverted for the dependent speeds
  double actuation = 0.0;  ///< condition of N^T B
  int worst_loop = -1;     ///< closure (Plan::closure_name) with the largest share in the weakest direction
};
Singularity singularity(const Plan& plan, Workspace& work, const VectorX& q);

/// The same without the actuators: `actuation` stays infinite.
Singularity closure_singularity(const Plan& plan, Workspace& work, const VectorX& q);

}  // namespace lithe
