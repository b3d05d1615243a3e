#pragma once
// The modular formulation of Khan, Krovi, Saha and Angeles (2005): the platform is cut into one section per leg,
// passive joints are removed leg by leg with twist annihilators, and the legs meet in the sum K of their annihilators.
//
// Class Denoc is the centre. It exchanges only platform twists, wrenches and matrices of their size with the legs
// (denoc_leg.hpp); the legs do not know each other. The speeds that are independent are those of the workspace: the
// actuated joints when they determine the motion, else whatever the pivoted selection chose, wherever they stand in a
// leg. Passive freedoms that the platform does not determine (the spin of an S-P-S leg) are independent speeds as well.

#include <Eigen/Cholesky>

#include "lithe/dynamics/denoc_leg.hpp"

namespace lithe::detail {

/// G x = b by G = U D U^T, eliminated from the last speed to the first (Khan (62)-(64)); b becomes x, G is destroyed
/// and holds the pivots alpha on its diagonal. Returns -1, or the place of a pivot that is not positive.
int udu_solve(Eigen::Ref<MatrixX> G, Eigen::Ref<VectorX> b);

template <class S>
class Denoc {
 public:
  static constexpr int N = twist_size<S>;

  Denoc(const Compiled& compiled, const DenocLayout& layout);

  /// Takes over the independent speeds; cheap when they are the same as before, allocates when they are not.
  void select(const std::vector<int>& independent);

  // Each of the following needs the ones before it; the kernel holds node poses in ground axes.

  /// Annihilators of all legs, K and the platform Jacobian J_P. When these are singular, the status names no loop: legs
  /// do not know to which loops they belong.
  Status update_geometry(const Kernel<S>& kernel);
  /// Platform twist (Khan (32)), all joint rates and body twists from the rates of the independent speeds.
  void update_velocity(const VectorX& rates);
  /// Platform twist rate (Khan (46) in bias form) and all joint accelerations.
  void update_acceleration(const VectorX& accelerations);
  /// Forces along the independent speeds that the motion needs beyond `force` (Khan (56)). `force`: what acts along
  /// [tree; cut] speeds. Loads are those stored on the nodes.
  void update_forces(const Kernel<S>& kernel, const VectorX& force);
  /// Generalised inertia matrix in the independent speeds (Khan (58), (61)).
  void update_inertia();

  /// The five steps above from zero acceleration, then (57). `a`: tree accelerations; those of speeds that the kernel
  /// marks as prescribed are given and stay.
  Status forward(const Kernel<S>& kernel, const VectorX& v, const VectorX& force, VectorX& a);

  std::vector<DenocLeg<S>> legs;
  std::vector<int> independent;  ///< speeds
  TwistMatrix<S> K;              ///< sum of Phi over the legs, scaled twists
  TwistColumns<S> J_P;           ///< platform twist per independent speed
  typename S::Linear P;          ///< platform mass centre
  TwistVector<S> platform_twist, platform_rate;
  TwistVector<S> sum_pbar;
  VectorX required;  ///< per independent speed, of update_forces
  MatrixX G;
  Eigen::LLT<TwistMatrix<S>> K_factor;
  TwistVector<S> scale;  ///< D

 private:
  TwistVector<S> solve_platform(const TwistVector<S>& scaled_sum) const {
    return K_factor.solve(scaled_sum).cwiseQuotient(scale);
  }
  Status solve_accelerations(const Kernel<S>& kernel);
  void scatter(VectorX& a) const;

  int nv_ = 0;
  int platform_node_ = -1;
  typename S::Linear platform_centre_;
  std::vector<int> place_;         ///< per tree speed: place in `independent` or -1
  VectorX rates_, accelerations_;  ///< of the independent speeds
  std::vector<int> free_;          ///< places that are not prescribed
  MatrixX reduced_;
  VectorX right_;
};

}  // namespace lithe::detail
