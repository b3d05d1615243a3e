#pragma once
// Controllers in continuous time during a run. Their states stand behind those of machine elements in State::x and are integrated
// with the motion: for each controller its own, then one for each output that lags behind.

#include <exception>

#include "lithe/simulation/controller_ports.hpp"
#include "lithe/simulation/integrator.hpp"

namespace lithe::detail {

class ContinuousControl {
 public:
  /// Throws MechanismError for names that make no sense. The arguments must outlive this object.
  ContinuousControl(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives, const State& start);

  /// From now on these drives say what motion is wanted.
  void take_drives(DriveSet& drives) { ports_.take_drives(drives); }

  bool any() const { return !controllers_.empty(); }
  int states() const { return states_; }
  /// Appends the states to those of the elements.
  void make_room(State& state) const;
  /// The next time after t at which one is switched, s; infinity: none.
  double next(double t) const;
  /// Switches those on whose time has come at state.t, and others off; `changed`: any of them.
  RunStatus switch_by_time(State& state, bool& changed);
  /// Switches one on or off; false: there is none of this name.
  bool switch_on(const std::string& name, State& state, RunStatus& status);
  bool switch_off(const std::string& name, State& state);

  /// Adds the forces at a state to `tau`, [tree; cut] speeds.
  RunStatus add_forces(const State& state, VectorX& tau);
  /// The rates of the states; `a` are the accelerations and `actions` what acts, for sensors that need them.
  RunStatus rates(const State& state, const VectorX& a, const Actions& actions, VectorOut rates);

  /// Recorded quantities: forces, states when wanted.
  std::vector<std::string> columns(const RecordOptions& record) const;
  void put(const State& state, const RecordOptions& record, std::vector<double>& values);

  std::exception_ptr thrown() const { return thrown_; }

 private:
  struct Entry {
    const ContinuousController* data;
    std::unique_ptr<ContinuousSystem> system;
    std::vector<FoundInput> inputs;
    std::vector<int> driven;  ///< in [v; cut speeds]
    std::vector<double> given, asked, own_rates;
    int first = 0;       ///< of its states, among those of all controllers
    int own = 0;         ///< states of the system; those of lags follow
    int states = 0;      ///< all of them
    double until = 0.0;  ///< s
    bool is_on = false;
    bool waits = false;  ///< only an event switches it on
  };

  void add(const ContinuousController& controller, const Model& model, const State& start);
  /// The part of State::x that belongs to an entry.
  std::span<double> memory(const Entry& entry, VectorX& x) const;
  std::span<const double> memory(const Entry& entry, const VectorX& x) const;
  /// Inputs at a state; those that need accelerations stay zero without.
  RunStatus gather(Entry& entry, const State& state, const VectorX* a, const Actions* actions);
  RunStatus ask(Entry& entry, const State& state, const VectorX* a, const Actions* actions);
  RunStatus begin(Entry& entry, State& state);
  double force(const Entry& entry, std::size_t output, std::span<const double> x) const;

  const Plan& plan_;
  ControllerPorts ports_;
  std::vector<Entry> controllers_;
  int states_ = 0;
  VectorX none_;
  Actions still_;
  std::exception_ptr thrown_;
};

/// Kinks of what is wanted of the inputs of controllers in continuous time.
std::vector<double> controller_breakpoints(const Model& model);

/// Controllers that some event starts.
bool is_started_by_event(const Model& model, const std::string& controller);

}  // namespace lithe::detail
