#pragma once
// The same state of a mechanism on another spanning tree: joint coordinates against Cartesian ones.

#include "random_states.hpp"

namespace lithe::cli {

class OtherCoordinates {
 public:
  /// Cartesian coordinates of the platform where `plan` has joint coordinates, and the other way round. `plan` must
  /// have a platform and outlive this object. Throws MechanismError when the mechanism cannot be described that way.
  explicit OtherCoordinates(const Plan& plan);

  const char* name() const;
  const Plan& plan() const { return other_; }

  /// Accelerations of the speeds of the first plan, computed on the other one. Status singular_closure: close to a pose
  /// at which these coordinates do not work, a straight leg for example.
  Status accelerate(const RandomState& drawn, VectorX& a);

 private:
  Status transfer(const RandomState& drawn);

  const Plan& plan_;
  Plan other_;
  Workspace work_, other_work_;
  State state_;
  Actions actions_;
};

}  // namespace lithe::cli
