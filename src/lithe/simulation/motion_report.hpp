#pragma once
// What is told about a motion along laws and paths: where its motors go, which joints leave their range, how near it comes
// to singular poses.

#include <limits>
#include <string>
#include <vector>

#include "lithe/simulation/driven_motion.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class MotionReport {
 public:
  MotionReport(const Model& model, const Plan& plan);

  /// Takes the present pose of a motion into account.
  void look(DrivenMotion& motion);

  /// Ranges of the motors and the worst condition number as notes, where there are paths; joints beyond their stops as
  /// warnings.
  void judge(Audit& audit) const;

 private:
  /// One scalar coordinate of a joint: of a motor, or with stops.
  struct Watched {
    std::string name;
    int position;  ///< in q, or in the cut coordinates
    bool cut, is_motor, slides;
    JointStop stop;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    double beyond = 0.0, value = 0.0, t = 0.0;  ///< farthest beyond a stop, and where and when that was
  };
  bool has_paths_, uses_cut_ = false;
  std::vector<Watched> watched_;
  double worst_condition_ = 0.0, worst_time_ = 0.0;
  VectorX cut_q_;
};

}  // namespace lithe::detail
