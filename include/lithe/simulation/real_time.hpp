#pragma once
// Fixed steps with bounded work, for controllers, observers and hardware in the loop that have to keep up with a clock.
//
// Every step does the same: a fixed number of evaluations of the equations of motion, one factorisation, a fixed number
// of corrections of the loops. Nothing is iterated until it is good enough, nothing allocates, nothing throws. Steps may
// be much longer than the periods of elastic links: their stiffness is treated implicitly. What a step is too long for
// is not resolved; for a motion with a known error use run_simulation().

#include <Eigen/Cholesky>
#include <string_view>
#include <vector>

#include "lithe/dynamics/forward.hpp"

namespace lithe {

/// Linearly implicit methods: with J, an approximation of the Jacobian of y' = f(y),
///   (1 - gamma h J) k1 = f(y),   (1 - gamma h J) k2 = f(y + h k1) - 2 k1,   y + h (3 k1 + k2)/2,
/// is of second order whatever J is (ROS2: Verwer, Spee, Blom, Hundsdorfer 1999).
enum class RealTimeMethod {
  damped,       ///< gamma = 1 - 1/sqrt(2): second order; takes away what is faster than the step
  trapezoidal,  ///< gamma = 1/2: second order; linear vibration neither grows nor fades by itself
  euler         ///< y + h k1 with gamma = 1: first order, half the work, strong damping
};
inline constexpr RealTimeMethod all_real_time_methods[] = {RealTimeMethod::damped, RealTimeMethod::trapezoidal,
                                                           RealTimeMethod::euler};
std::string_view name_of(RealTimeMethod method);  ///< damped trapezoidal euler

struct RealTimeOptions {
  double step = 1e-3;  ///< s
  RealTimeMethod method = RealTimeMethod::damped;
  int corrections =
      1;  ///< Newton steps on the loops whenever the mechanism is moved; an error of h^2 becomes one of h^4
};

class RealTimeStepper {
 public:
  /// For states near `state`, which satisfies the closures; select_independent() must have run, and the set must stay.
  /// `plan` must outlive this object. Throws MechanismError for a step that is not positive, fewer than one correction,
  /// and links with stiffening 'stress', whose forces are found by iteration; PhysicsError in a singular pose.
  RealTimeStepper(const Plan& plan, Workspace& work, const State& state, const RealTimeOptions& options = {});

  /// Moves `state` by one step under constant `actions`. When that fails, it stays as it was. No allocation after the
  /// first call.
  Status step(Workspace& work, State& state, const Actions& actions);

  /// Stiffness and damping anew at another pose. Those of elastic links are the same in all poses, as long as elastic
  /// coordinates are independent; springs at passive joints and between frames change. Allocates.
  Status renew(Workspace& work, const State& state);

  const RealTimeOptions& options() const { return options_; }
  int evaluations_per_step() const { return options_.method == RealTimeMethod::euler ? 1 : 2; }
  long evaluations() const { return evaluations_; }  ///< of the equations of motion, since the beginning

 private:
  /// Rates of the independent coordinates and speeds.
  struct Rates {
    VectorX x, v;
  };

  Status prepare(Workspace& work, const State& state);
  Status rates(Workspace& work, const State& state, const Actions& actions, Rates& rates);
  /// rates <- (1 - gamma h J)^-1 rates.
  void solve(Rates& rates);
  /// stage_: `state` moved by h times the rates in move_, on the closures.
  Status place(Workspace& work, const State& state);
  Status correct_loops(Workspace& work);
  Status second_stage(Workspace& work, const State& state, const Actions& actions);

  const Plan& plan_;
  RealTimeOptions options_;
  double implicit_ = 0.0;  ///< gamma h
  std::vector<int> independent_;
  MatrixX inertia_, stiffness_, damping_, system_;
  Eigen::LLT<MatrixX> factor_;
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> slope_;  ///< of the loops
  State stage_;
  Rates first_, second_, move_;
  VectorX a_, step_, force_;
  long evaluations_ = 0;
};

}  // namespace lithe
