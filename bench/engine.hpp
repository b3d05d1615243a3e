#pragma once
// What every timed engine offers. C++17, as case.hpp.

#include <memory>
#include <string>
#include <vector>

#include "case.hpp"

namespace bench {

/// Holds one case and a pool of states in its own format. Every call takes another state, so nothing can be cached.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Keeps the pool, converted; not timed.
  virtual void take(const std::vector<Motion>& pool) = 0;

  /// Accelerations of state `index` of the pool under its forces.
  virtual void forward(int index) = 0;
  /// Forces for the accelerations of state `index`.
  virtual void inverse(int index) = 0;

  /// Result of the last call, converted; not timed. Accelerations of all joints; forces at all joints.
  virtual Eigen::VectorXd accelerations() const = 0;
  virtual Eigen::VectorXd forces() const = 0;
};

std::unique_ptr<Engine> make_mujoco(const Case& mechanism);
std::unique_ptr<Engine> make_simbody(const Case& mechanism);

}  // namespace bench
