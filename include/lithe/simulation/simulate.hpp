#pragma once
// Runs: kinematics along the drives, inverse dynamics along the drives, simulation.

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"
#include "lithe/simulation/remarks.hpp"

namespace lithe {

/// Something that happened at an instant: a rope became taut, a joint met its stop.
struct RunEvent {
  double t = 0.0;    ///< s
  std::string what;  ///< "rope 'hoist': taut"
};

/// What the stress in an elastic link came to, over the recorded rows; with RecordOptions::stress.
struct LinkStress {
  double peak = 0.0;             ///< von Mises, the largest along the link, Pa
  std::string place;             ///< of the peak, as SectionForces::name has it
  double time = 0.0;             ///< of the peak, s
  std::optional<double> safety;  ///< least ratio of yield stress to stress; where the material has a yield stress
  std::optional<double> damage;  ///< Miner's sum of the run in the worst fibre; where the material has an S-N line
  std::string damaged;           ///< place of that fibre; empty while there is no damage
  std::optional<double> life;    ///< s of this motion, over and over, until the sum is 1; infinite without damage
};

/// What a motor had to do during a run, for its choice: from the recorded rows. Motor side of a gear; of a joint without
/// motor data the force at the joint (N m or N; rad/s or m/s).
struct MotorDuty {
  double peak_torque = 0.0, rms_torque = 0.0;  ///< N m; the rms heats the windings
  double peak_speed = 0.0;                     ///< rad/s
  double peak_power = 0.0, mean_power = 0.0,
         energy = 0.0;  ///< of the shaft: largest size, mean and sum with sign; W, J
  double loss = 0.0;    ///< of windings and gear, J
};

/// What a run tells about itself at the end; its remarks include those of the model and of the assembly.
struct Audit : Remarks {
  std::string integrator;  ///< what stepped through time, with which tolerances, and why when it was chosen by `auto`
  double t_end = 0.0;
  long steps = 0, rejected = 0, evaluations = 0, jacobians = 0, records = 0;
  long projections = 0, set_changes = 0;  ///< position projections; changes of the independent set
  double worst_closure = 0.0;             ///< after accepted steps
  double energy_error = 0.0;              ///< |change of energy - work + dissipation|, worst, J
  double energy_scale = 0.0;              ///< largest energy that was exchanged, J
  double worst_condition = 0.0;           ///< of the closures
  double worst_residual = 0.0;            ///< inverse dynamics: what the actuators cannot supply
  double wall_seconds = 0.0;
  std::vector<RunEvent> events;              ///< in the order of time
  std::map<std::string, MotorDuty> motors;   ///< by joint; actuated joints, where forces are known
  std::map<std::string, double> bending;     ///< per elastic link: largest LinkBending::measure()
  std::map<std::string, LinkStress> stress;  ///< per elastic link with known sections, where stress is recorded
  std::map<std::string, double> time_split;  ///< "dynamics", "drives", "integrator", "recording": s
};

/// Takes the rows of a run as they come.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void begin(const Model& model, const std::vector<std::string>& columns) = 0;
  virtual void row(std::span<const double> values) = 0;
  virtual void finish(const Audit& audit, const std::string& outcome) = 0;
};

/// Keeps the rows in memory.
class MemoryRecord : public RecordSink {
 public:
  void begin(const Model& model, const std::vector<std::string>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Audit& audit, const std::string& outcome) override;

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return columns_.empty() ? 0 : data_.size() / columns_.size(); }
  double at(std::size_t row, const std::string& column) const;  ///< throws std::out_of_range
  std::vector<double> column(const std::string& column) const;
  const Audit& audit() const { return audit_; }

 private:
  std::vector<std::string> columns_;
  std::vector<double> data_;
  Audit audit_;
};

/// Throws MechanismError when the rows of a run do not fit into memory.
void require_memory_of_rows(const RunOptions& run, std::size_t columns);

struct RunControl {
  std::function<void(double fraction)> progress;  ///< called at most ten times a second; may be empty
  const std::atomic<bool>* stop = nullptr;        ///< set by Ctrl-C; the run ends after the current step
  /// Along motion laws: false leaves work, dissipation and the balance of energies out, which are zero then.
  bool energy_balance = true;
};

struct RunOutcome {
  enum class Ending { complete, physics_failed, interrupted };
  Ending ending = Ending::complete;
  std::string message;  ///< one sentence, names joint or loop and time, when not complete
  Audit audit;
};

/// Columns: t, q.JOINT, v.JOINT, a.JOINT, tau.JOINT, pos.LINK.FRAME.x|y|z, rot.LINK.FRAME.x|y|z,
/// energy.kinetic|potential|work|dissipated, closure. Joints with several coordinates: q.JOINT.0 ...
/// An exception of a law in code (Drive::law, Controller) comes out of run_simulation() after the sink has its finish.
RunOutcome run_simulation(const Model& model, RecordSink& sink, const RunControl& control = {});
RunOutcome run_inverse(const Model& model, RecordSink& sink, const RunControl& control = {});
RunOutcome run_kinematics(const Model& model, RecordSink& sink, const RunControl& control = {});

/// Actuator forces and elastic motion such that the joints with motion laws follow them exactly, elastic links and all.
/// Laws on the actuated joints: the elastic motion is integrated from the initial state. Laws on other joints (a
/// platform): it is integrated when the internal dynamics are stable; else the bounded motion is found as a two-point
/// problem between rest at the start and at the end of the run, on a grid of run.step. The audit notes the choice.
/// Whatever else drives the motors (feed-forward, PD, force laws, controllers) is silent, as in run_inverse().
RunOutcome run_flexible_inverse(const Model& model, RecordSink& sink, const RunControl& control = {});

}  // namespace lithe
