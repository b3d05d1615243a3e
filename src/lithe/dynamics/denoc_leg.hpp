#pragma once
// One leg of a parallel mechanism: a serial chain from the ground to a section of the cut platform.
//
// All twists and wrenches of a leg are hybrid (ground axes) and referred to one point, the platform mass centre P.
// Since B_ik = B_iP B_Pk, the twist recursion t_i = B_i,i-1 t_i-1 + p_i rate (Khan (20)) becomes a plain sum of the
// generators at P, g_k = B_Pk p_k, and composite masses and wrenches add up without being moved. Angular components
// stand first.
//
// A leg knows nothing of the other legs: it sends N-vectors and N x N matrices to the centre (denoc.hpp) and receives
// the platform twist, the platform twist rate and the platform Jacobian.

#include <vector>

#include "lithe/dynamics/denoc_tables.hpp"

namespace lithe::detail {

template <class S>
class DenocLeg {
 public:
  static constexpr int N = twist_size<S>;

  /// `share` of the platform's mass and inertia belongs to this leg's section.
  DenocLeg(const Compiled& compiled, const std::vector<LegStep>& steps, double share);

  /// Divides the columns into active and passive; place[speed] is the position among the independent speeds or -1.
  void select(const std::vector<int>& place);

  // Each of the following needs the ones before it.

  /// Generators at P and the annihilator Phi of the passive ones (Khan (27)-(30)), with angular components scaled by
  /// `length`. Returns false when a passive generator depends on the others: |p~|^2 < 1e-12 |g|^2.
  bool update_geometry(const Kernel<S>& kernel, const typename S::Linear& P, double length);

  /// Sum of the active generators times their rates (or accelerations).
  TwistVector<S> active_twist(const VectorX& independent) const;

  /// Passive rates from the platform twist (Khan (33), (34)), twists of all bodies, and the twist rates that remain
  /// when all joint accelerations vanish; their sum at the tip is tip_bias.
  void update_velocity(const TwistVector<S>& platform_twist, const VectorX& independent_rates);

  /// Passive accelerations and twist rates of all bodies.
  void update_acceleration(const TwistVector<S>& platform_rate, const VectorX& independent_accelerations);

  /// Open-leg joint forces tau~ less the forces that act along the joints, by the Newton-Euler sweep from the tip; then
  /// the passive ones gathered as the wrench pbar at P (before (56)). `force`: along [tree; cut] speeds.
  void update_forces(const Kernel<S>& kernel, const VectorX& force);

  /// Joint-space inertia of the open leg by composite masses, and its reduction to platform and active coordinates.
  void update_inertia();

  std::vector<LegColumn<S>> columns;
  std::vector<LegBody<S>> bodies;
  std::vector<int> active, passive;  ///< columns, ascending

  TwistColumns<S> g;      ///< generators at P
  TwistColumns<S> swept;  ///< p~_k, scaled
  VectorX delta;          ///< |p~_k|^2
  TwistColumns<S> dual;   ///< a_k: passive rate k = a_k . (t_P - active twist); unscaled
  TwistMatrix<S> Phi;     ///< scaled: acts on D t, D = diag(length, 1)

  VectorX rate, acceleration;                                 ///< per column
  std::vector<TwistVector<S>> twist, twist_bias, twist_rate;  ///< per body, at P
  TwistVector<S> tip_bias = TwistVector<S>::Zero();

  VectorX tau;  ///< per column: tau~ less applied joint force
  TwistVector<S> pbar = TwistVector<S>::Zero();

  MatrixX inertia;                  ///< I^j, columns x columns
  TwistMatrix<S> platform_inertia;  ///< A_p I_pp A_p^T: what the platform feels of the leg with locked active joints
  TwistColumns<S> coupling;         ///< A_p I_pa - platform_inertia G_a
  MatrixX active_inertia;           ///< what the active joints feel with the platform at rest

 private:
  struct BodyWorld {
    typename S::Rotation rotation = S::identity();
    typename S::Linear arm = S::Linear::Zero();    ///< P to the mass centre
    typename S::Linear hinge = S::Linear::Zero();  ///< to-frame origin of the joint to P
  };
  std::vector<BodyWorld> world_;
  typename S::Linear gravity_;
  typename S::Linear P_ = S::Linear::Zero();
};

}  // namespace lithe::detail
