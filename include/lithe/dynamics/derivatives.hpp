#pragma once
// Exact derivatives of forward and inverse dynamics: by the coordinates, the speeds and the forces, loops and elastic
// links included (docs/theory/derivatives.md).
//
// A change of an independent coordinate carries the dependent ones along, and with them the dependent speeds, so that the
// changed state satisfies the closures too; independent speeds stay as they are. Rotations change by a small turn about
// the axes of their speeds.

#include <span>

#include "lithe/dynamics/forward.hpp"

namespace lithe {

/// Columns are independent coordinates and speeds in the order of Workspace::independent(), or forces.
struct ForwardDerivatives {
  MatrixX by_position;   ///< nv x independents: accelerations of all tree speeds
  MatrixX by_speed;      ///< the same, by the independent speeds
  MatrixX by_force;      ///< nv x forces
  MatrixX by_parameter;  ///< nv x parameters of a model file; filled by lithe/io/parameter_derivatives.hpp only
  MatrixX carried;       ///< nv x independents: how speeds of the tree change with the independent coordinates
};

struct DerivativeOptions {
  /// Joint forces by which to derive: indices into [tree speeds; cut speeds].
  std::span<const int> forces = {};
  /// Tree speeds whose accelerations stay as they are (as in ForwardOptions).
  std::span<const int> prescribed = {};
};

/// Derivatives of forward_dynamics() at `state`, where it gave the accelerations `a`. Status::not_applicable with
/// stiffening 'stress', whose forces hang on the accelerations; singular_closure in and beside singular poses. No
/// allocation after the first call.
Status forward_derivatives(const Plan& plan, Workspace& work, const State& state, const Actions& actions,
                           const VectorX& a, ForwardDerivatives& result, const DerivativeOptions& options = {});

struct InverseDerivatives {
  MatrixX by_position;      ///< independents x independents: forces that the motion needs, on the independent speeds
  MatrixX by_speed;         ///< the same, by the independent speeds
  MatrixX by_acceleration;  ///< the generalised inertia matrix
  MatrixX by_parameter;     ///< independents x parameters, as in ForwardDerivatives
};

/// Derivatives of what the motion (state and accelerations `a` of all tree speeds, on the closures) needs along the
/// independent speeds, less what `actions` do; independent accelerations stay as they are.
Status inverse_derivatives(const Plan& plan, Workspace& work, const State& state, const Actions& actions,
                           const VectorX& a, InverseDerivatives& result);

}  // namespace lithe
