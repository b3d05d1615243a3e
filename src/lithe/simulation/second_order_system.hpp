#pragma once
// Equations of motion as second-order equations in free coordinates x that are counted from the start of a step, for
// methods that treat stiffness and damping apart from the rest.

#include "lithe/simulation/modal_basis.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

/// The motion at an instant: x since the start of the step, x', x'', and the powers that go in and are lost, W.
struct MotionPoint {
  double t = 0.0;
  VectorX x, rate, second;
  double supplied = 0.0, dissipated = 0.0;

  void resize(int count) {
    for (VectorX* vector : {&x, &rate, &second}) vector->setZero(count);
  }
};

class SecondOrderSystem {
 public:
  virtual ~SecondOrderSystem() = default;

  virtual int count() const = 0;
  /// From now on x counts from the state y at time t, whose last two entries are work and dissipation so far; point.rate
  /// becomes x' there. Refused when these coordinates do not fit.
  virtual RunStatus begin(double t, const VectorX& y, MotionPoint& point) = 0;
  /// From now on x counts from `start`, a point of the step before; `point` is expressed anew by express().
  virtual void advance(const MotionPoint& start) = 0;
  /// A point of the step before the last advance(start), seen from the new start.
  virtual void express(const MotionPoint& start, MotionPoint& point) const = 0;

  /// Fills point.second and the powers. Refused: there is no such state, or its equations cannot be solved.
  virtual RunStatus evaluate(MotionPoint& point) = 0;
  /// Inertia at the pose of the last evaluation; its stiffness and damping too, on the side of a kink of the forces to
  /// which the motion goes.
  virtual Status inertia(MatrixX& inertia) = 0;
  virtual Status matrices(OscillatorMatrices& matrices) = 0;

  /// What makes coordinate x_i comparable with a radian.
  virtual const VectorX& scales() const = 0;
  /// Largest deflection of the run so far in these scales; where nothing bends, the largest motion.
  virtual double largest_deflection() const = 0;

  /// The state as the run sees it, with the energies exchanged.
  virtual void state(const MotionPoint& point, double work, double dissipated, VectorX& y) = 0;

  /// x'' of a point as accelerations of tree speeds, written into `a`.
  virtual void accelerations(const MotionPoint& point, VectorX& a) const = 0;
};

}  // namespace lithe::detail
