#pragma once
// A mechanism divided into platform and legs, opened up so that tests can look at every intermediate quantity.

#include <gtest/gtest.h>

#include <random>

#include "lithe/dynamics/denoc.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"
#include "support/khan_6ups.hpp"
#include "support/oracle.hpp"

namespace lithe::testing {

template <class S>
class Modular {
 public:
  static constexpr int N = detail::twist_size<S>;
  using Column = detail::TwistVector<S>;
  using Square = detail::TwistMatrix<S>;

  explicit Modular(Mechanism mechanism, const std::string& platform = "platform")
      : plan(std::move(mechanism), PlanOptions{Coordinates::joint, platform, true}),
        work(plan, S::planar ? Arithmetic::automatic : Arithmetic::spatial),
        denoc(plan.compiled(), detail::find_denoc_layout(plan.mechanism(), platform)) {
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
  }

  detail::Kernel<S>& kernel() {
    if constexpr (S::planar) {
      return *work.scratch().flat;
    } else {
      return *work.scratch().full;
    }
  }

  /// Selects the independent speeds at q and evaluates geometry.
  void place(const VectorX& q) {
    state.q = q;
    ASSERT_TRUE(select_independent(plan, work, q));
    denoc.select(work.independent());
    refresh();
  }
  void refresh() {
    update_positions(kernel(), state.q);
    update_world(kernel());
    ASSERT_TRUE(denoc.update_geometry(kernel()));
  }
  /// Moves the independent coordinates by `step` and closes the loops again.
  void shift(const VectorX& step) {
    VectorX full = VectorX::Zero(plan.nv());
    for (int i = 0; i < count(); ++i) full[work.independent()[i]] = step[i];
    move_coordinates(plan, full, state.q);
    ASSERT_TRUE(project_positions(plan, work, state.q, 1e-14));
    refresh();
  }
  /// Speeds of the state from independent rates; also those of the modules.
  void drive(const VectorX& rates) {
    state.v.setZero();
    for (int i = 0; i < count(); ++i) state.v[work.independent()[i]] = rates[i];
    ASSERT_TRUE(complete_speeds(plan, work, state.q, state.v));
    denoc.update_velocity(rates);
  }

  int count() const { return static_cast<int>(work.independent().size()); }

  /// J^j: rates of all columns of a leg per independent rate, from the velocity recursion.
  std::vector<MatrixX> leg_complements() {
    std::vector<MatrixX> J;
    for (const auto& leg : denoc.legs) J.emplace_back(MatrixX::Zero(leg.rate.size(), count()));
    for (int i = 0; i < count(); ++i) {
      denoc.update_velocity(VectorX::Unit(count(), i));
      for (std::size_t j = 0; j < J.size(); ++j) J[j].col(i) = denoc.legs[j].rate;
    }
    return J;
  }

  /// Forces along [tree; cut] speeds are zero unless given; loads none.
  void forces(const VectorX& accelerations, const VectorX& joint_force) {
    denoc.update_acceleration(accelerations);
    denoc.update_forces(kernel(), joint_force);
  }
  VectorX no_force() const { return VectorX::Zero(plan.nv() + plan.cut_nv()); }

  /// Wrench at P that the other sections exert on the section of leg j: pbar^j - (S^j)^T sum pbar.
  Column cut_wrench(std::size_t j) {
    const auto& leg = denoc.legs[j];
    const Square S_unscaled =
        denoc.scale.cwiseInverse().asDiagonal() * denoc.K_factor.solve(leg.Phi) * denoc.scale.asDiagonal();
    return leg.pbar - S_unscaled.transpose() * denoc.sum_pbar;
  }

  Plan plan;
  Workspace work;
  detail::Denoc<S> denoc;
  State state;
};

inline VectorX random_vector(std::mt19937& generator, int size) {
  std::normal_distribution<double> normal;
  VectorX x(size);
  for (int i = 0; i < size; ++i) x[i] = normal(generator);
  return x;
}

}  // namespace lithe::testing
