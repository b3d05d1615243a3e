#pragma once
// Where controllers, in continuous time or sampled, meet a machine during a run: the signals they read, less what is wanted of
// them, and the speeds they drive.

#include "lithe/simulation/drive_set.hpp"
#include "lithe/simulation/sensor_set.hpp"

namespace lithe::detail {

/// An input whose names have been found.
struct FoundInput {
  int signal = -1;    ///< -1: none
  int wanted = -1;    ///< speed; -1: none
  bool late = false;  ///< it needs accelerations, and so the forces
  const ControlInput* data = nullptr;
};

class ControllerPorts {
 public:
  /// Throws MechanismError for sensors that make no sense. The arguments must outlive this object.
  ControllerPorts(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives, const State& start);

  SensorSet& sensors() { return sensors_; }
  const SensorSet& sensors() const { return sensors_; }
  DriveSet& drives() { return *drives_; }
  /// From now on these drives say what motion is wanted.
  void take_drives(DriveSet& drives) { drives_ = &drives; }

  /// The inputs of a controller. This and the next throw MechanismError for names that make no sense.
  std::vector<FoundInput> find(const std::vector<ControlInput>& inputs, const std::string& controller) const;
  /// The speeds at which it acts, in [v; cut speeds].
  std::vector<int> driven_speeds(const std::vector<std::string>& names, const std::string& controller) const;

  /// Takes from what sensors gave at time t what is wanted of it, and gives it the sign that the controller asks for. Late
  /// inputs that are not `known` yet are compared with nothing that a sensor is expected to give.
  RunStatus compare(const std::vector<FoundInput>& inputs, double t, bool late_ones_known, std::vector<double>& given);

 private:
  const Plan& plan_;
  Workspace& work_;
  DriveSet* drives_;
  SensorSet sensors_;
  State wanted_;  ///< what sensors are expected to see
  VectorX wanted_a_;
  Actions wanted_actions_;
};

/// Why a run ends with a controller.
RunStatus controller_failed(const std::string& controller, double t, const std::string& why);

}  // namespace lithe::detail
