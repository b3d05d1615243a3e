#pragma once
// Watches how well the independent speeds determine the others, and changes the set in time.

#include <Eigen/LU>
#include <Eigen/QR>
#include <string>
#include <vector>

#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

/// Sentence about the singularity near `state`, or empty when the independent speeds of `work` determine the others
/// well there.
std::string singular_diagnosis(const Plan& plan, Workspace& work, const State& state);

class ConditionMonitor {
 public:
  enum class Verdict {
    fine,
    change_set,  ///< another selection is much better; the state is good
    passed,      ///< the selection became singular somewhere inside the last step; the state after it is in doubt
    singular     ///< the mechanism itself (or the set that was asked for) is singular; message() says where
  };

  /// `keep` are speeds that must stay independent (prescribed motions).
  ConditionMonitor(const RunOptions& options, const Plan& plan, Workspace& work, std::vector<int> keep);

  Verdict check(const State& state, Audit& audit);
  /// Chooses independent speeds and closure rows anew at q; false when the same ones come out.
  bool change_set(const VectorX& q);
  std::string diagnosis(const State& state) { return singular_diagnosis(plan_, work_, state); }

  const std::string& message() const { return message_; }

 private:
  /// Sign of the determinant of the dependent block; also notes the ratio of its pivots.
  int orientation(const VectorX& q);
  /// Selects in probe_; whether it differs from the current selection.
  bool probe_better_selection(const VectorX& q);

  const RunOptions& options_;
  const Plan& plan_;
  Workspace& work_;
  Workspace probe_;
  std::vector<int> keep_;
  bool may_change_;
  double reference_ = 0.0;  ///< condition when the set was chosen
  int orientation_ = 0;     ///< of the last good state; a change means a singular pose between
  double pivot_ratio_ = 0.0, examined_ratio_ = 0.0;
  int steps_unexamined_ = 0;
  VectorX speed_scale_;  ///< 1 for angles, characteristic length for distances
  MatrixX A_, block_;
  Eigen::PartialPivLU<MatrixX> factor_;
  std::string message_;
};

}  // namespace lithe::detail
