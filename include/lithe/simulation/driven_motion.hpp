#pragma once
// The motion that the `follow` laws and the paths of a model describe: all coordinates, speeds and accelerations at any time, the
// branch kept by continuity from the last time asked for.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe {

namespace detail {
class PathFollowing;
}

/// Elastic coordinates of one link and their rates.
struct Bending {
  VectorX amounts, rates;
};

class DrivenMotion {
 public:
  /// Prepares the model at its start time and bends its links as they are then; the laws may leave coordinates free
  /// (see is_complete()), which stay where they are. `model` must outlive this object. Throws as prepare() does.
  explicit DrivenMotion(const Model& model);

  /// The motion of the rigid twin from the assembled state `start` of `plan`: links are straight. Throws MechanismError
  /// when the laws leave coordinates free, naming these; tree speeds in `still` stay where they are.
  DrivenMotion(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start,
               std::vector<int> still = {});

  ~DrivenMotion();
  DrivenMotion(DrivenMotion&&) noexcept;

  /// True when laws and paths determine all independent speeds.
  bool is_complete() const { return free_.empty(); }

  /// Follows the laws to time t, forwards or backwards, in small strides; refused when the mechanism cannot
  /// follow.
  RunStatus move_to(double t) { return move_to(t, t); }
  /// The same with the laws evaluated at `law_time` (a kink belongs to the interval that is being integrated).
  RunStatus move_to(double t, double law_time);
  /// The same; throws PhysicsError.
  void go_to(double t);

  /// Bends all links from the next move on: values, speeds and accelerations in the order of the elastic speeds.
  void bend(const VectorX& eta, const VectorX& rate, const VectorX& acceleration);
  /// Bends links (by index) to the given elastic coordinates and rates, in small steps, at the present time.
  void bend(const std::map<int, Bending>& links);

  /// Back to the state it was made with: far jumps backwards could lose the branch.
  void rewind();

  /// Forces of the motors of the model for the present motion, [tree; cut] speeds.
  VectorX motor_forces();

  /// The loads of the model at the present time, with the given joint forces.
  Actions actions(const VectorX& tau) const;

  /// Condition number of the map from the twists of the frames on paths to the speeds of the motors at the present pose,
  /// distances over the characteristic length: infinite in singular poses, 1 without paths.
  double path_condition();
  bool follows_paths() const { return paths_ != nullptr; }

  /// Throws PhysicsError with the present time when something went wrong.
  void require(const Status& status) const;

  const Plan& plan() const { return plan_; }
  Workspace& work() { return work_; }
  const Workspace& work() const { return work_; }
  const State& state() const { return state_; }
  const VectorX& accelerations() const { return a_; }
  const Remarks& remarks() const;  ///< of the start; those of a prepared model

 private:
  struct Followed {
    const Drive* drive;
    int speed;     ///< in [v; cut speeds]
    int position;  ///< in q, or in the cut coordinates
    bool cut;
    bool turns;  ///< an angle, known modulo 2 pi when cut
    std::string name;
  };

  /// A rotor behind an elastic gear without a law of its own moves as its joint does: the gear is taken as rigid.
  struct Rotor {
    int speed, position;  ///< of the rotor
    int joint, place;     ///< of the joint: in [v; cut speeds], in q or in the cut coordinates
    bool cut, turns;
  };

  DrivenMotion(const Model& model, std::unique_ptr<Prepared> prepared);
  void find_rotors(std::vector<int>& keep);
  void turn_rotors();
  void follow_laws();
  void take_links_as_they_start();
  [[noreturn]] void refuse_free() const;
  RunStatus step_to(double t, double law_time);
  void place_elastic();
  RunStatus check_agreement(const Followed& followed) const;

  const Model& model_;
  std::unique_ptr<Prepared> prepared_;  ///< null for the twin of somebody else's plan
  const Plan& plan_;
  Workspace work_;
  State state_, start_;
  VectorX a_, step_, cut_q_, cut_v_, cut_a_;
  VectorX eta_, eta_rate_, eta_acceleration_;
  double law_time_ = 0.0;
  bool started_ = false, is_bent_anew_ = false;
  std::vector<Followed> leading_;                 ///< independent: they make the motion
  std::unique_ptr<detail::PathFollowing> paths_;  ///< likewise; null without paths
  std::vector<Followed> redundant_;               ///< implied by the others; they must agree
  std::vector<Rotor> rotors_;                     ///< of elastic gears, led by their joints
  std::vector<int> still_;                        ///< tree speeds that are zero
  std::vector<int> free_;                         ///< independent speeds of joints that follow no law and no path
};

}  // namespace lithe
