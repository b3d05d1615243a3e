#pragma once
// Small motions about a state: in the independent coordinates x of the workspace (joints, then elastic coordinates)
//
//   M dx'' + D dx' + K dx = B du
//
// with closures taken into account, K including gravity, springs, joint loads and geometric stiffness.

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

struct Linearisation {
  std::vector<int> speeds;         ///< indices into State::v of the coordinates x
  std::vector<std::string> names;  ///< of x
  std::vector<int> actuators;      ///< indices into [v; cut speeds] of the inputs u
  MatrixX M, D, K;
  MatrixX B;         ///< x forces per unit of each actuator
  VectorX residual;  ///< generalised force that is missing for equilibrium (or for the given accelerations)

  /// First-order form: d/dt [dx; dx'] = A [dx; dx'] + E du.
  MatrixX state_matrix() const;
  MatrixX input_matrix() const;
};

/// Joint forces that follow the state, such as those of PD drives: adds them to `tau`, [tree; cut] speeds.
using StateForces = std::function<void(const State& state, Workspace& work, VectorX& tau)>;

/// By central differences of fourth order of the exact equations; accurate to about 1e-9 of the largest entry. `a` are
/// the accelerations of the state (zero for an equilibrium); `actions` stay constant, and `feedback` adds what follows
/// the state. Speeds in `locked` are held: they must be independent (select_independent with them kept) and are left
/// out of x. Throws PhysicsError near a singular pose.
Linearisation linearize(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                        const std::vector<int>& locked = {}, const StateForces& feedback = {});

/// Eigenvalues of a state matrix (1/s), by rising size of their imaginary part. The matrix is balanced first, so that
/// slow poles beside fast ones keep their digits.
std::vector<std::complex<double>> poles(const MatrixX& state_matrix);
std::vector<std::complex<double>> poles(const Linearisation& linear);

/// Undamped natural frequencies and shapes of M, K.
struct NaturalModes {
  VectorX frequencies;  ///< Hz, ascending; a negative value -f marks an unstable direction with rate 2 pi f (1/s)
  MatrixX shapes;       ///< columns in x, mass-normalised; largest entry (scaled) positive
  MatrixX speeds;       ///< the same in all tree speeds (nv rows): for drawing
};
NaturalModes natural_modes(const Plan& plan, Workspace& work, const VectorX& q, const Linearisation& linear);

/// Damping ratio that each natural mode has in the damped motion: -Re(p)/|p| of the pole whose shape is most like that
/// of the mode. Of a mode that no oscillating pole belongs to: Phi^T D Phi / (2 omega), which is at least near one
/// then. Zero for directions without stiffness; negative: the vibration grows.
VectorX damping_ratios(const Linearisation& linear, const NaturalModes& modes);

}  // namespace lithe
