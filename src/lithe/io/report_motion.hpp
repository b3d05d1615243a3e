#pragma once
// Where the links are at the recorded instants, from the recorded coordinates.

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/read_results.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

/// Columns of the elastic coordinates of a link, "q.LINK.e1" and so on; none for a rigid link.
std::vector<std::string> elastic_columns(const Plan& plan, int link);

/// Poses of all links (ground first) at one instant.
using LinkPoses = std::vector<Pose>;

class RecordedMotion {
 public:
  /// Throws std::runtime_error with the missing column when the coordinates were not recorded.
  RecordedMotion(const Model& model, const Results& results);

  const Plan& plan() const { return plan_; }
  Workspace& work() { return work_; }
  double start() const { return results_.at(0, 0); }  ///< time of the first row, s
  /// State::q of the row that was asked for last.
  const VectorX& coordinates() const { return q_; }
  /// Body frames of all links in a row of the results.
  LinkPoses poses(std::size_t row);
  /// The same for the mechanism without elastic coordinates, its loops closed again with the actuated joints where they
  /// are; what the deformation is drawn against. Rows must be asked for in ascending order (branches by continuity).
  LinkPoses rigid_poses(std::size_t row);

 private:
  struct Source {
    int column, coordinate;  ///< results column and index in State::q
  };
  static std::vector<Source> sources_of(const Plan& plan, const Results& results);

  const Results& results_;
  Plan plan_;
  Workspace work_;
  std::vector<Source> sources_;
  VectorX q_;
  std::optional<Plan> rigid_plan_;
  std::optional<Workspace> rigid_work_;
  std::vector<Source> rigid_sources_;
  VectorX rigid_q_;
};

}  // namespace lithe::detail
