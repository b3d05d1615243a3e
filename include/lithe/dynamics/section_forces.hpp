#pragma once
// Forces and moments in the sections of elastic links while they move.
//
// The elastic coordinates of a link are few, and the forces that they carry by themselves (stiffness times shapes)
// converge slowly: the moment at a clamped root, and the axial force of a beam that does not stretch, need more. What
// they leave out follows its loads without delay: the static coordinates of the link's twin (LinkData::statics) take
// the deflection that joint forces, loads, weight and inertia of the motion give them (mode acceleration method).
// Exact where the inertia forces are uniform or linear along a straight beam, as those of a rigid motion are.

#include <vector>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

/// N, Q_y, Q_z (N), M_x, M_y, M_z (N m) in section axes: what the outer part of the link exerts on the inner one.
using SectionForce = Eigen::Matrix<double, 6, 1>;

class SectionRecovery {
 public:
  /// For the mechanism of `plan`, which must outlive this object.
  explicit SectionRecovery(const Plan& plan);

  /// Forces at a motion: accelerations `a` of the tree speeds under `actions`, as forward dynamics gives them.
  void update(const State& state, const VectorX& a, const Actions& actions);
  /// From the elastic coordinates in q alone.
  void update(const VectorX& q);

  /// At place `place` of LinkData::elastic.section_forces of link `link`, after an update.
  SectionForce forces(int link, int place) const;
  /// Whether component c (in the order of SectionForce) can be other than zero there.
  bool has(int link, int place, int c) const;

 private:
  /// An elastic link and its twin.
  struct Link {
    int own = 0;        ///< elastic coordinates of the link; the static ones stand behind them
    ElasticPlace twin;  ///< both, in the twin
    ElasticPlace ours;  ///< in the plan
    MatrixX softness;   ///< inverse stiffness of the static coordinates
    VectorX amplitudes;
  };

  const Plan& plan_;
  bool is_complete_ = true;  ///< no link has static coordinates
  Plan twin_;
  Workspace work_;
  std::vector<int> q_places_, v_places_;  ///< of our coordinates and speeds in the twin
  State state_;
  VectorX a_;
  Actions actions_;
  std::vector<Link> links_;  ///< one per link of the mechanism
};

}  // namespace lithe
