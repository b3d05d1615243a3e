#pragma once
// Sensors and sampled controllers of a model during a run. At each instant the sensors that are due are read, then the
// controllers that are due act; their forces are held, as functions of time alone, until something happens again. A run
// ends its steps at these instants.

#include <deque>
#include <exception>

#include "lithe/simulation/controller_ports.hpp"

namespace lithe::detail {

class SampledControl {
 public:
  /// Throws MechanismError for names that make no sense. The arguments must outlive this object.
  SampledControl(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives, const State& start);

  /// From now on these drives say what motion is wanted.
  void take_drives(DriveSet& drives) { ports_.take_drives(drives); }

  bool any() const { return ports_.sensors().count() > 0 || !controllers_.empty(); }
  bool needs_accelerations() const { return ports_.sensors().needs_accelerations(); }
  /// The next instant at which something happens, s; infinity: none.
  double next() const { return next_; }
  /// Does what is due at state.t: `a` are the accelerations there and `actions` what acts, for sensors that need them.
  RunStatus act(const State& state, const VectorX& a, const Actions& actions);

  /// Adds the forces that are held at time t to `tau`, [tree; cut] speeds.
  void add_forces(double t, VectorX& tau) const;

  /// Recorded quantities: sensors, forces, states when wanted.
  std::vector<std::string> columns(const RecordOptions& record);
  void put(const State& state, const VectorX& a, const Actions& actions, const RecordOptions& record,
           std::vector<double>& values);

  /// Switches a controller on, from state.t on and anew, or off; false: there is none of this name.
  bool switch_on(const std::string& name, const State& state);
  bool switch_off(const std::string& name, double t);

  /// What a controller in code threw.
  std::exception_ptr thrown() const { return thrown_; }

 private:
  /// Instants start + k period.
  struct Clock {
    double start, period, end;
    long k = 0;
    double next() const;
    bool is_due(double t) const { return next() <= t + 1e-9 * period; }
  };
  struct Waiting {
    double due;
    std::vector<double> forces;
  };
  struct Entry {
    const SampledController* data;
    Clock clock;
    std::unique_ptr<SampledSystem> system;
    std::vector<FoundInput> inputs;
    std::vector<int> driven;  ///< in [v; cut speeds]
    std::vector<HeldOutput> outputs;
    std::deque<Waiting> waiting;  ///< forces on their way
    std::vector<double> given, asked, low, high;
    double until = 0.0;  ///< s
    bool is_off = false;
  };

  void add(const SampledController& controller, const Model& model, const State& start);
  void begin(Entry& entry, const State& state);
  RunStatus act(Entry& entry, double t);
  bool is_asked(int sensor, double t) const;
  RunStatus gather(Entry& entry, double t);
  void find_next(double t);

  const Plan& plan_;
  ControllerPorts ports_;
  std::vector<Clock> sensor_clocks_;
  std::vector<bool> follows_controllers_;
  std::vector<long> samples_;  ///< taken so far
  std::vector<bool>
      is_live_;  ///< sensors that controllers in continuous time alone read: always, so they have no samples
  std::vector<Entry> controllers_;
  double next_ = 0.0;
  std::exception_ptr thrown_;
};

}  // namespace lithe::detail
