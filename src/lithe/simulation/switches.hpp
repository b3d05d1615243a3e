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
  /// The first change in a step from `from` to `to`, found by looking at the end and at a few instants between.
  /// `refused` says why no state could be had there.
  std::optional<Change> first_change(double from, double to, const Values& values, RunStatus& refused);

  /// The function is on the other side now.
  void flip(int function) { above_[function] = !above_[function]; }
  bool is_above(int function) const { return above_[function]; }

 private:
  bool changed(const VectorX& values) const;

  std::vector<char> above_;
  VectorX low_, high_, middle_;
};

}  // namespace lithe::detail
