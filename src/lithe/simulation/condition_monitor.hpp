#pragma once
// Watches how well the independent speeds determine the others, and changes the set in time.

#include <Eigen/LU>
#include <Eigen/QR>
#include <limits>
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
    passed,      ///< the tangent space has jumped inside the last step; the state after it is in doubt
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
  /// The closures of the dependent speeds and the complement at a pose, loops by loops.
  struct Look {
    std::vector<MatrixX> blocks, complements;  ///< the complements in radians and characteristic lengths
    double weakness = 1.0;                     ///< Kernel::weakness
    bool crosses = false;                      ///< on a smooth branch through a singular pose
    Status status;
  };

  void look_at(const VectorX& q, Look& look);
  /// Has a singular value of a dependent block gone through zero since the last good state? Each counts for itself: a
  /// determinant would let two of them cancel.
  bool has_crossed() const;
  /// Has the complement changed by about its own size since the last good state? Then this is another branch, or the
  /// independent speeds have stopped and turned round on the way.
  bool has_jumped() const;
  Verdict judge(const State& state, Audit& audit);
  Verdict stop(const State& state, double condition);
  /// Selects in probe_; whether it differs from the current selection.
  bool probe_better_selection(const VectorX& q);

  const RunOptions& options_;
  const Plan& plan_;
  Workspace& work_;
  Workspace probe_;
  std::vector<int> keep_;
  bool may_change_;
  bool is_driven_ = false;  ///< all joints that are not dependent follow motion laws
  double reference_ = 0.0;  ///< condition when the set was chosen
  bool is_known_ = false;   ///< there is a last good state
  Look now_, last_;         ///< at the present state, and at the last good one
  double examined_weakness_ = 0.0;
  int steps_unexamined_ = 0;
  double in_pose_since_ = std::numeric_limits<double>::infinity();  ///< s: all good states since then were singular
  VectorX speed_scale_;  ///< 1 for angles, characteristic length for distances
  MatrixX A_;
  std::string message_;
};

}  // namespace lithe::detail
