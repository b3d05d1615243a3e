#pragma once
// The sensors of a model during a run: what each reads at a state, and what of it can be read when.

#include <deque>
#include <optional>

#include "lithe/dynamics/section_forces.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::detail {

class SensorSet {
 public:
  /// Throws MechanismError for names that make no sense. The arguments must outlive this object.
  SensorSet(const Model& model, const Plan& plan, Workspace& work);

  bool needs_accelerations() const { return needs_accelerations_; }
  int count() const { return static_cast<int>(stations_.size()); }
  /// Number of a signal ("tip.x"); throws MechanismError with `reader`, who asks for it.
  int signal(const std::string& name, const std::string& reader) const;
  int signals() const { return static_cast<int>(signals_.size()); }
  int sensor_of(int signal) const { return signals_[signal].sensor; }
  const Sensor& sensor(int signal) const { return *stations_[sensor_of(signal)].sensor; }
  /// It is the angle of a joint that closes a loop, known up to whole turns.
  bool turns(int signal) const;

  /// Takes sample number k of a sensor at a state; `a` and `actions` matter to those that need them.
  void sample(int sensor, long k, const State& state, const VectorX& a, const Actions& actions);
  /// What can be read of a signal at time t: the newest sample that is old enough, or the first one.
  double value(int signal, double t) const;

  /// What all signals are at a state, exactly and at once: no noise, no delay.
  void measure(const State& state, const VectorX& a, const Actions& actions, std::vector<double>& values);

  /// What one signal is at a state, at once and without noise, with the bias.
  double exact(int signal, const State& state, const VectorX& a, const Actions& actions);
  /// The same without the bias, which nobody expects.
  double expected(int signal, const State& state, const VectorX& a, const Actions& actions) {
    return exact(signal, state, a, actions) - sensor(signal).bias;
  }

  std::vector<std::string> columns() const;

 private:
  struct Sample {
    double readable;  ///< from this time on, s
    std::vector<double> values;
  };
  struct Station {
    const Sensor* sensor = nullptr;
    bool turns = false;             ///< the coordinate is an angle
    int speed = -1, position = -1;  ///< in [v; cut speeds]; in q or the cut coordinates
    int joint = -1, link = -1, place = -1, next_place = -1;
    double next_share = 0.0;  ///< of the next place, between both
    std::deque<Sample> samples;
  };
  struct Signal {
    std::string name;
    int sensor, part;
  };

  void find_joint(Station& station);
  void find_place(Station& station);
  void read(const Station& station, const State& state, const VectorX& a, const Actions& actions,
            std::vector<double>& values);

  const Plan& plan_;
  Workspace& work_;
  std::vector<Station> stations_;
  std::vector<Signal> signals_;
  std::optional<SectionRecovery> recovery_;
  bool needs_accelerations_ = false;
  std::vector<double> one_;
  VectorX cut_q_, cut_v_;
};

}  // namespace lithe::detail
