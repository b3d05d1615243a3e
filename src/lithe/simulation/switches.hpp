#pragma once
// Functions of the state whose change of sign is an instant that counts: a rope becomes taut, a joint reaches its stop.
// Integrators must not step over it, since forces have a kink or jump there.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

class SwitchWatch {
 public:
  /// Values of all functions at a time inside the last step; refused when there is no state there.
  using Values = std::function<RunStatus(double t, VectorX& values)>;

  /// From now on these are the sides on which the functions are. Zero counts as above, and so do all from number
  /// `always_above` on: they say whether something may stay as it is.
  void begin(const VectorX& values, int always_above);

  /// A function has gone over to the other side.
  struct Change {
    double t = 0.0;  ///< the first instant at which it is there, s
    std::vector<int> functions;
  };
  /// The first change in a step from `from` to `to`, found by looking at the end and at instants between: a few, and
  /// several in each period of an oscillation of angular frequency `ripple` (rad/s) that the step contains. Where three
  /// looks bend towards the other side, a fourth goes to the bottom of the bend: what dips less than 0.3 percent of its
  /// swing may be missed. `refused` says why no state could be had somewhere.
  std::optional<Change> first_change(double from, double to, double ripple, const Values& values, RunStatus& refused);

  /// The function is on the other side now.
  void flip(int function) { above_[function] = !above_[function]; }
  bool is_above(int function) const { return above_[function]; }

 private:
  bool changed(const VectorX& values) const;
  double deepest(double interval) const;

  std::vector<char> above_;
  VectorX before_, low_, high_, middle_;  ///< three looks, one after the other; one between them
};

}  // namespace lithe::detail
