#pragma once
// Turns states into rows of results.

#include <string>
#include <vector>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

/// What a run knows besides the motion.
enum class RecordedForces { none, all };

class Recorder {
 public:
  /// Calls sink.begin().
  Recorder(const Model& model, const Plan& plan, Workspace& work, RecordedForces forces, RecordSink& sink);

  /// One row. `actions` and the energies exchanged so far are used only when forces are recorded.
  void row(const State& state, const VectorX& a, const Actions& actions, double work_done, double dissipated);

  long rows() const { return rows_; }
  /// No trust in a run with a value that is not a number.
  void judge(Audit& audit) const {
    if (!not_finite_.empty()) audit.distrust.push_back(not_finite_);
  }
  double seconds = 0.0;  ///< time spent here, the sink included

 private:
  /// One component of the force in one section, per unit of the elastic coordinates of its link.
  struct Section {
    int link = 0;
    Eigen::RowVectorXd row;
  };

  void add_joint_columns(const std::string& quantity, bool positions);
  void add_elastic_columns(const std::string& quantity);
  void add_axes(const std::string& prefix);
  void add_section_columns();
  void put_joint_values(const VectorX& tree, const VectorX& cut, bool positions);
  void put(const Eigen::Ref<const VectorX>& values);
  void unwrap_cut_angles();

  const RecordOptions& options_;
  const Plan& plan_;
  Workspace& work_;
  RecordedForces forces_;
  RecordSink& sink_;
  std::vector<std::string> columns_;
  std::vector<Section> sections_;
  std::vector<double> values_;
  VectorX cut_q_, cut_v_, cut_a_, last_cut_q_;
  long rows_ = 0;
  std::string not_finite_;  ///< the first value that is infinite or not a number
};

}  // namespace lithe::detail
