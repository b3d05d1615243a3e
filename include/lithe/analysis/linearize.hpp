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

struct Linearization {
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

/// By exact derivatives of the equations of motion (dynamics/derivatives.hpp). What `feedback` does, mechanisms with
/// stiffening 'stress' and singular poses are left to central differences of fourth order, accurate to about 1e-9 of the
/// largest entry. `a` are the accelerations of the state (zero for an equilibrium); `actions` stay constant, and `feedback` adds what follows
/// the state. Speeds in `locked` are held: they must be independent (select_independent with them kept) and are left
/// out of x. Throws PhysicsError near a singular pose.
Linearization linearize(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                        const std::vector<int>& locked = {}, const StateForces& feedback = {});

/// Eigenvalues of a state matrix (1/s), by rising size of their imaginary part. The matrix is balanced first, so that
/// slow poles beside fast ones keep their digits.
std::vector<std::complex<double>> poles(const MatrixX& state_matrix);
std::vector<std::complex<double>> poles(const Linearization& linear);

/// Undamped natural frequencies and shapes of M, K.
struct NaturalModes {
  VectorX frequencies;  ///< Hz, ascending; a negative value -f marks an unstable direction with rate 2 pi f (1/s)
  MatrixX shapes;       ///< columns in x, mass-normalised; largest entry (scaled) positive
  MatrixX speeds;       ///< the same in all tree speeds (nv rows): for drawing
};
NaturalModes natural_modes(const Plan& plan, Workspace& work, const VectorX& q, const Linearization& linear);

/// What becomes of a natural mode in the damped motion, from the two poles whose shapes are most like that of the mode.
struct DampedMode {
  /// -(p1 + p2)/(2 sqrt(p1 p2)) of its poles. Below one the mode oscillates; above one it does not, and both poles are
  /// real; negative: it grows; zero: rounding is all that damps it. Of a mode without such a pair: Phi^T D Phi/(2
  /// omega), zero for directions without stiffness.
  double ratio = 0.0;
  /// 1/s; a conjugate pair, positive imaginary part first, or two real ones, the slower first; empty: no such pair.
  std::vector<std::complex<double>> poles;

  bool oscillates() const;
  /// s; of the two parts of a mode that decays without oscillating, the slower first (negative: it grows); else empty.
  std::vector<double> time_constants() const;
};
std::vector<DampedMode> damped_modes(const Linearization& linear, const NaturalModes& modes);

/// Their ratios.
VectorX damping_ratios(const Linearization& linear, const NaturalModes& modes);

}  // namespace lithe
