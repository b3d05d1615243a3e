#pragma once
// Turns states into rows of results.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/section_forces.hpp"
#include "lithe/simulation/motor_duties.hpp"
#include "lithe/simulation/rigid_twin.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/stress_record.hpp"

namespace lithe::detail {

/// What a run knows besides the motion.
enum class RecordedForces {
  none,
  of_rigid_links,  ///< all but those inside the links: elastic coordinates stand still
  all
};

class SampledControl;
class ContinuousControl;

class Recorder {
 public:
  /// Calls sink.begin(). `control`: sensors and controllers of the run, if it has any. `path_condition`: of a run along
  /// paths, recorded in every row.
  Recorder(const Model& model, const Plan& plan, Workspace& work, RecordedForces forces, RecordSink& sink,
           SampledControl* control = nullptr, ContinuousControl* continuous = nullptr,
           std::function<double()> path_condition = {});

  /// One row. `actions` and the energies exchanged so far are used only when forces are recorded. `held` are the joint
  /// forces among them that friction and stops exert; null: none.
  void row(const State& state, const VectorX& a, const Actions& actions, double work_done, double dissipated,
           const VectorX* held = nullptr);

  /// Adds what speaks against the rows so far to the audit: no trust in values that are not numbers.
  void judge(Audit& audit) const;

  /// Runs along the laws know no twist of elastic gears; their losses are counted as those of rigid ones.
  void take_gears_as_rigid(const Model& model) { motors_ = MotorDuties(model, plan_, true); }

  long rows() const { return rows_; }
  double seconds = 0.0;  ///< time spent here, the sink included

 private:
  /// One component of the force in one section.
  struct SectionColumn {
    int link = 0, place = 0, component = 0;
  };

  bool knows_forces() const { return forces_ != RecordedForces::none; }
  void add_joint_columns(const std::string& quantity, bool positions);
  void add_elastic_columns(const std::string& quantity);
  void add_axes(const std::string& prefix);
  void add_section_columns();
  void add_element_columns();
  void add_frame_columns();
  void add_hold_columns();
  void add_energy_columns();
  void put_frames(const State& state, const VectorX& a);
  void put_quaternions(const VectorX& q);
  void put_deflections(const VectorX& q);
  void put_sections(const State& state, const VectorX& a, const Actions& actions);
  void put_springs(const State& state);
  void put_motors(const State& state, const VectorX& tau);
  void put_energy(const State& state, double work_done, double dissipated);
  void put_joint_values(const VectorX& tree, const VectorX& cut, bool positions);
  void put(const Eigen::Ref<const VectorX>& values);
  void unwrap_cut_angles();

  const RecordOptions& options_;
  const Plan& plan_;
  Workspace& work_;
  RecordedForces forces_;
  RecordSink& sink_;
  SampledControl* control_;
  ContinuousControl* continuous_;
  std::function<double()> path_condition_;
  std::vector<std::string> columns_;
  std::optional<SectionRecovery> recovery_;  ///< where section forces or stress are recorded
  std::vector<SectionColumn> section_columns_;
  std::optional<StressRecord> stress_;
  std::vector<int> held_speeds_;  ///< joints with dry friction or hard stops, [tree; cut] speeds
  bool records_spring_energy_ = false;
  std::vector<int> element_values_;  ///< that are recorded, of ElementActivity::values
  MotorDuties motors_;
  std::vector<Quat> last_quaternions_;
  std::optional<RigidTwin> twin_;
  long without_twin_ = 0;            ///< rows
  double first_without_twin_ = 0.0;  ///< s
  std::vector<double> values_;
  VectorX cut_q_, cut_v_, cut_a_, last_cut_q_;
  long rows_ = 0;
  std::string not_finite_;  ///< the first value that is infinite or not a number
};

}  // namespace lithe::detail
