#pragma once
// From pose to pose along one assembly branch: the loops stay closed while pose coordinates go to wanted values.

#include <Eigen/LU>

#include "lithe/simulation/pose_coordinates.hpp"

namespace lithe::detail {

/// Which closures and which pose coordinates determine a mechanism; found once, at a pose that is not singular. As many
/// as there are tree speeds.
struct PoseEquations {
  std::vector<int> closures;  ///< closure rows that are not implied by others
  std::vector<PoseCoordinate> coordinates;
  VectorX row_scale;     ///< makes the rows of closures and coordinates of order one, for speeds in radians
  VectorX column_scale;  ///< Plan::speed_scale
};

/// The closures that count at q, and out of `wanted`, in their order, those coordinates that closures and coordinates before
/// them leave free. The first `firm` must be among them; `refused` is the first that is not, or -1.
PoseEquations choose_equations(const Plan& plan, Workspace& work, const VectorX& q,
                               const std::vector<PoseCoordinate>& wanted, int firm, int& refused);

/// The same closures with other coordinates, whatever they determine; empty `coordinates` where their number does not fit.
PoseEquations with_coordinates(const PoseEquations& equations, const Plan& plan,
                               const std::vector<PoseCoordinate>& coordinates);

/// Closures and coordinates at a pose, in one thread.
class PoseSystem {
 public:
  PoseSystem(const Plan& plan, Workspace& work, const PoseEquations& equations);

  /// Scaled values and rates at q: closures, then coordinates minus `wanted`.
  void evaluate(const VectorX& q, const VectorX& wanted);
  const VectorX& residual() const { return residual_; }
  const MatrixX& matrix() const { return matrix_; }  ///< square where the equations determine the mechanism
  const PoseRows& rows() const { return rows_; }
  int closures() const { return static_cast<int>(equations_.closures.size()); }
  const PoseEquations& equations() const { return equations_; }
  const Plan& plan() const { return plan_; }
  Workspace& work() { return work_; }

  /// q moved by a scaled step.
  void move(const VectorX& step, VectorX& q);

 private:
  const Plan& plan_;
  Workspace& work_;
  const PoseEquations& equations_;
  PoseRows rows_;
  VectorX values_, residual_, step_;
  MatrixX closures_, matrix_;
};

/// Follows a branch by Newton's method in steps that are halved until each converges at once and on the same side of the
/// singular poses.
class PoseFollower {
 public:
  PoseFollower(const Plan& plan, Workspace& work, const PoseEquations& equations);

  /// From q, where the coordinates have the values `from`, to `to`. False: the branch does not get there; q is then the
  /// last pose on the way.
  bool follow(const VectorX& from, const VectorX& to, VectorX& q);

  /// At a pose of the branch: the equations there; rates of all tree speeds per unit of each coordinate are its inverse.
  PoseSystem& system() { return system_; }
  /// Side of the singular poses on which q lies: 1 or -1.
  int side(const VectorX& q);

 private:
  bool correct(const VectorX& wanted, VectorX& q);

  PoseSystem system_;
  Eigen::PartialPivLU<MatrixX> factors_;
  VectorX step_, trial_, wanted_;
  int side_ = 0;
};

}  // namespace lithe::detail
