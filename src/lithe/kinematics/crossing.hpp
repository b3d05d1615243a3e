#pragma once
// Through singular poses on a smooth branch.
//
// At a singular pose (a parallelogram that lies flat) the closures lose rank, although the branch on which the
// mechanism moves goes straight through: dependent coordinates are a smooth function phi of the independent ones, only
// the closures no longer tell it. At distance s from the pose an error e of the closures is an error e / s of phi, e /
// s^2 of its slope K and e / s^3 of its curvature, the bias. So near the pose phi, K and bias are not taken from there:
// they are interpolated from eight poses beside it on the same branch,
//
//   phi(x) = sum_m w_m phi(x + tau_m n),   K = sum_m w_m K(x + tau_m n),   bias likewise,
//
// where n is a direction of the independent speeds that leads away from the singular pose and the offsets tau_m stay
// the same all the way through. What comes out is as smooth as phi, K is its slope exactly, and nothing depends on how
// the pose was reached, except that the poses beside it lie on the branch on which the mechanism came (or, for a start
// in the singular pose, on the one along which its speeds lead).
//
// How near a pose is, is seen from the pivots of the factorisation that makes K anyway: Kernel::weakness.

#include <utility>
#include <vector>

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

template <class S>
struct Crossing {
  static constexpr int side_count = 8;
  explicit Crossing(const Kernel<S>& k);

  std::vector<Kernel<S>> sides;                 ///< poses beside the singular one, in pairs outwards: +, -, +, -, ...
  Kernel<S> centre;                             ///< the interpolated pose, to look at its closures
  bool known = false;                           ///< the sides belong to `at`
  VectorX at;                                   ///< coordinates that were asked for last
  VectorX direction;                            ///< n, over all speeds: zero at dependent ones
  double spacing = 0.0;                         ///< of the first pair
  std::vector<int> dependent_q, independent_q;  ///< places in q; quaternions of which both is true stand in both
  std::vector<std::pair<int, int>> leading;     ///< scalar coordinates that lead: place in q, speed
  VectorX q;                                    ///< interpolated coordinates at `at`
  LoopMatrices K;                               ///< and complement
  bool bias_known = false;
  VectorX bias_speeds, bias;  ///< independent speeds and the interpolated bias

  LoopMatrices guess_K;  ///< complement from which the first sides are guessed
  VectorX step, move, guess;
};

/// Makes the interpolated coordinates and complement for the independent coordinates in `q`, in k.crossing. False: no
/// smooth branch through a singular pose is found here; k.armed is lowered, so that the next try waits.
template <class S>
bool cross(Kernel<S>& k, const VectorX& q);

/// The interpolated bias for the independent speeds in v; cross() has succeeded.
template <class S>
void cross_bias(Kernel<S>& k, const VectorX& v);

/// Have the closures themselves, not only the dependent block, lost rank at the stored positions?
template <class S>
bool closures_lose_rank(Kernel<S>& k);

}  // namespace lithe::detail
