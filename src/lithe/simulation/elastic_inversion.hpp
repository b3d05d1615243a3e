#pragma once
// The internal dynamics of flexible inverse dynamics: with the followed joints on their laws, the elastic coordinates
// must move so that the motors supply what the motion needs. The residual below is what is missing for that.

#include "lithe/dynamics/derivatives.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/driven_motion.hpp"

namespace lithe::detail {

/// Values, speeds and accelerations of all elastic coordinates.
struct ElasticMotion {
  VectorX eta, rate, acceleration;
};

/// Slopes of the residual in accelerations, speeds and values: M eta'' + D eta' + K eta near a motion.
struct InternalDynamics {
  MatrixX M, D, K;
};

/// Real part of a pole over its size: above it the motion grows, below it swings or dies out.
inline constexpr double unstable_share = 1e-3;

class ElasticInversion {
 public:
  /// `start` is the state of prepare(). Throws MechanismError when the laws do not determine the joints,
  /// PhysicsError when the elastic coordinates are not free.
  ElasticInversion(const Model& model, const Plan& plan, const State& start);

  int count() const { return count_; }
  /// Force that is missing on the elastic coordinates at time t; refused when the mechanism cannot be there.
  RunStatus residual(double t, const ElasticMotion& motion, VectorX& missing);
  /// Exact where derivatives of inverse dynamics exist and the motors are as many as the followed joints; otherwise by
  /// differences.
  RunStatus linearize(double t, const ElasticMotion& motion, InternalDynamics& dynamics);
  /// Elastic coordinates at rest under the loads and accelerations of time t, from a guess.
  RunStatus rest(double t, VectorX& eta);
  /// Accelerations of the elastic coordinates, from their values and speeds.
  RunStatus accelerate(double t, ElasticMotion& motion);
  /// Of the internal dynamics about rest `eta` at time t: d/dt [eta; eta'] = A [eta; eta'].
  RunStatus state_matrix(double t, const VectorX& eta, MatrixX& A);
  /// Largest real part of its poles, each divided by its size.
  RunStatus instability(double t, const VectorX& eta, double& worst);

  /// Before times that lie far back: the mechanism is taken from its start again.
  void rewind() { nominal_.rewind(); }

  // The motion of the last residual().
  const State& state() const { return nominal_.state(); }
  const VectorX& accelerations() const { return nominal_.accelerations(); }
  const Actions& actions() const { return actions_; }
  Workspace& work() { return nominal_.work(); }
  /// Part of the generalised force on the followed joints that the motors cannot give.
  double not_supplied() const { return inverse_.residual; }

  long evaluations = 0;

 private:
  /// At the motion of the last residual(); false where it cannot be had.
  bool linearize_exactly(InternalDynamics& dynamics);

  const Model& model_;
  const Plan& plan_;
  DrivenMotion nominal_;
  Actions actions_;
  InverseResult inverse_;
  InverseDerivatives slopes_;
  int count_ = 0;
};

}  // namespace lithe::detail
