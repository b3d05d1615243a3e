#pragma once
// The quantities of a map at one pose, in one thread.

#include <optional>

#include "lithe/analysis/statics.hpp"
#include "lithe/simulation/map_setup.hpp"

namespace lithe::detail {

/// A natural mode of one of the frequency columns.
struct MapMode {
  std::string column;      ///< "frequency.1"
  double frequency = 0.0;  ///< Hz
  VectorX speeds;          ///< of the tree of the elastic mechanism: its shape
};

class MapValues {
 public:
  explicit MapValues(const MapSetup& setup);

  /// Fills the columns of the setup at the pose q of the rigid twin. False when no rest is found; `why` then says so and what
  /// needs it is not a number. The numbers depend on q alone.
  bool evaluate(const VectorX& q, double* values, std::string& why);

  /// The modes behind the frequencies of evaluate(), with their shapes, about the rest near q. Throws PhysicsError where there is none.
  std::vector<MapMode> modes(const VectorX& q);
  /// The rest that modes() found: coordinates of the elastic mechanism.
  const VectorX& rest() const { return rest_q_; }
  /// For evaluations at that rest.
  Workspace& elastic_work() { return own_->work; }

 private:
  /// One of the elastic mechanisms.
  struct Elastic {
    explicit Elastic(const Plan& of) : plan(of), work(of), actions(of) {
      state.q = of.neutral();
      state.v = VectorX::Zero(of.nv());
    }
    const Plan& plan;
    Workspace work;
    Actions actions;
    State state;
  };
  void put(double value) { *next_++ = value; }
  void find_speeds(const VectorX& q);
  void put_rigid(const VectorX& q);
  void put_torques(const VectorX& q);
  void put_statics(const VectorX& q);
  void put_frequencies(const VectorX& q);
  void put_matrix(const MatrixX& matrix);
  VectorX turns_by(double factor) const;
  MatrixX compliance_at(const Equilibrium& rest);
  void put_modes(const Linearization& linear);
  /// Calls `use(kind, linearization)` for every kind of frequency that is wanted, at the rest near q.
  template <class Use>
  void each_linearization(const VectorX& q, const Use& use);
  Equilibrium rest_of(Elastic& elastic, const VectorX& q);
  double largest_payload(const VectorX& q);
  bool is_stable_with(double mass, State& state);

  const MapSetup& setup_;
  Workspace work_;
  PoseSystem system_;
  PoseRows motors_, task_;
  std::vector<int> locked_;
  std::optional<Elastic> own_, twin_;
  Actions rigid_actions_;
  double* next_ = nullptr;
  VectorX zero_, rest_q_;
  MatrixX speeds_;         ///< tree speeds per speed of the pose coordinates
  MatrixX frame_, motor_;  ///< speeds of the frame (turns by the characteristic length) and of the motors, likewise
};

}  // namespace lithe::detail
