#pragma once
// The fastest move of a model from rest to rest: motion laws of its motors that take as little time as limits of force,
// speed and vibration allow. The model itself is run, with its drives and controllers, and sequential quadratic
// programming (NLopt) moves the accelerations of the laws (single shooting).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/study/optimize.hpp"

namespace lithe {

/// One motor. Limits are of its joint, without: none.
struct MotorMove {
  std::string joint;           ///< as Plan::speed_name() calls it: "motor-1", "wrist.2"
  std::optional<double> from;  ///< rad or m; without: where the model has it at the start of its run
  double to = 0.0;             ///< rad or m
  std::optional<double> force, speed, acceleration;  ///< largest size; N m or N, rad/s or m/s, rad/s^2 or m/s^2
};

/// A frame that is to be still after the move.
struct QuietFrame {
  std::string frame;  ///< LINK/FRAME
  double most = 0.0;  ///< m, largest amplitude along each ground axis: half the range after the end
};

struct MoveProblem {
  std::vector<MotorMove> motors;
  std::vector<QuietFrame> quiet;
  double start = 0.0;  ///< s, that the first guess takes; 0: as long as the laws of the model
  double watch = 0.0;  ///< s after the end in which vibration and forces count; 0: two periods of the lowest mode
  int pieces = 12;     ///< of a law: its acceleration is linear in each
};

/// Where the motors are at equal times from the start of the run to the end of the move: a natural cubic spline through
/// them (TableLaw) is at rest, without acceleration, at both ends.
struct MoveLaw {
  std::string joint;
  std::vector<double> t, y;
};

/// A model and a problem as a study: the axes are the duration and what shapes the laws, the outputs those that are
/// given and the peaks that the problem limits, the constraints likewise, and the objective is the duration.
class MoveSearch {
 public:
  /// `wanted`: outputs and constraints in addition; their windows may use the axis `duration`. Throws MechanismError with
  /// the motor or frame as its element, and PhysicsError when the model does not run.
  MoveSearch(Model model, MoveProblem problem, const Study& wanted);
  ~MoveSearch();

  const Study& study() const;
  const MoveProblem& problem() const;  ///< with what was left open put in

  /// Searches from `options.starts` guesses; `options.method` and `points` do not matter. What comes out does not depend
  /// on the number of threads. Its variants have the outputs of the study, and behind them all limits row by row.
  OptimizeAnswer run(const OptimizeOptions& options, const OptimizeControl& control) const;

  std::vector<MoveLaw> laws(const std::vector<double>& values) const;
  /// The model with these laws, which starts at rest and runs until `watch` after the end; the rows are `every` apart.
  Model model(const std::vector<double>& values, double every) const;
  /// The outputs again, with ten times finer rows and the tolerances of a hundredth: what the answer is trusted by.
  Variant check(const std::vector<double>& values) const;

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace lithe
