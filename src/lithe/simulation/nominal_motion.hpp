#pragma once
// The motion that the `follow` laws describe: all coordinates, speeds and accelerations at any time, the branch kept by
// continuity from the last time asked for.

#include <string>
#include <vector>

#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {

class NominalMotion {
 public:
  /// `start` is an assembled state. Throws MechanismError when the laws leave coordinates free, naming these.
  NominalMotion(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start);

  /// Goes to time t; false when the mechanism cannot follow, failure() says why.
  bool move_to(double t);
  /// The same with the laws evaluated at `law_time` (a kink belongs to the interval that is being integrated).
  bool move_to(double t, double law_time);

  /// Bends the links from now on: elastic coordinates, speeds and accelerations in the order of the elastic speeds.
  /// Straight links, those of the rigid twin, are the beginning.
  void bend(const VectorX& eta, const VectorX& rate, const VectorX& acceleration);

  /// Back to the state it was made with: far jumps backwards could lose the branch.
  void rewind();

  const State& state() const { return state_; }
  const VectorX& accelerations() const { return a_; }
  Workspace& work() { return work_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Followed {
    const Law* law;
    int speed;     ///< in [v; cut speeds]
    int position;  ///< in q, or in the cut coordinates
    bool cut;
    bool turns;  ///< an angle, known modulo 2 pi when cut
    std::string name;
  };

  bool step_to(double t, double law_time);
  void place_elastic();
  bool refuse(const Status& status, double t);
  bool contradicts(const Followed& followed, double value, double wanted, double t);

  const Plan& plan_;
  Workspace work_;
  State state_, start_;
  VectorX a_, step_, cut_q_;
  VectorX eta_, eta_rate_, eta_acceleration_;
  double law_time_ = 0.0;
  bool started_ = false, is_bent_anew_ = false;
  std::vector<Followed> leading_;    ///< independent: they make the motion
  std::vector<Followed> redundant_;  ///< implied by the others; they must agree
  std::string failure_;
};

}  // namespace lithe::detail
