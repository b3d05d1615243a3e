#pragma once
// A model in a pose that is given, or passing through it along its motion, with what its motors apply there: the point
// about which a linear model is made.

#include <memory>
#include <optional>
#include <utility>

#include "lithe/analysis/held_rest.hpp"
#include "lithe/simulation/driven_motion.hpp"

namespace lithe {

/// What the motors do while the mechanism moves a little.
enum class Motors {
  loaded,  ///< they keep the force that holds the pose (or that the motion needs); feedback of the drives comes on top
  servo,   ///< those with feedback (PD, laws in code) likewise, the others are locked
  locked,  ///< all of them are locked
  free     ///< no motor exerts anything, and the pose is whatever equilibrium is found from the given one
};

struct OperatingOptions {
  std::optional<double> at;  ///< time of the motion laws (s); without: the initial pose, at rest
  bool rest = false;         ///< with `at`: stand still in that pose instead of passing through it
  Motors motors = Motors::loaded;
  bool open_loop = false;  ///< feedback (PD, laws in code, controllers in continuous time) is left out
};

class OperatingPoint {
 public:
  /// The motors hold the pose that is given; elastic links and, at rest, passive joints take the place that they then
  /// have. Along a motion (`at`) the state has the speeds and accelerations of the laws, elastic links bend as the
  /// motion and the loads make them bend at rest in it (elastic rates and accelerations zero). `model` must outlive
  /// this object. Throws PhysicsError when there is no such state and MechanismError when the options do not fit the
  /// model.
  explicit OperatingPoint(const Model& model, const OperatingOptions& options = {});
  ~OperatingPoint();
  OperatingPoint(OperatingPoint&&) noexcept;

  const Model& model() const { return model_; }
  const Plan& plan() const { return motion_.plan(); }
  Workspace& work() { return motion_.work(); }
  Motors motors() const { return motors_; }
  bool is_moving() const { return moving_; }
  bool is_open_loop() const { return open_loop_; }

  const State& given() const { return given_; }                    ///< before anything settled
  const State& state() const { return state_; }                    ///< the point itself
  const VectorX& accelerations() const { return accelerations_; }  ///< of all tree speeds there
  const Actions& actions() const { return actions_; }              ///< loads, and the forces of the motors
  const std::vector<int>& locked() const { return locked_; }       ///< tree speeds of the locked motors
  bool is_stable() const { return stable_; }                       ///< Motors::free: a disturbance does not grow
  const Linearization& linear() const { return linear_; }          ///< about the point, in second-order form
  const Remarks& remarks() const { return remarks_; }              ///< of the model, its start and the point
  /// What the drives add to actions().tau away from the point; empty without feedback.
  const StateForces& feedback() const { return feedback_; }

  /// The farthest way from the given pose to the point.
  struct Shift {
    std::string coordinate;       ///< empty: nothing moved
    double from = 0.0, to = 0.0;  ///< rad, m or elastic amplitude
    double distance = 0.0;        ///< of the frame that moved farthest, m
  };
  const Shift& shift() const { return shift_; }

  /// Scalar coordinates of all joints, those that close loops included, and of the elastic links (rad, m), by name.
  std::vector<std::pair<std::string, double>> pose() { return pose_of(state_); }
  std::vector<std::pair<std::string, double>> given_pose() { return pose_of(given_); }
  /// What the motors apply (N m or N), by name.
  std::vector<std::pair<std::string, double>> motor_forces() const;

  NaturalModes modes() { return natural_modes(plan(), work(), state_.q, linear_); }

 private:
  std::vector<std::pair<std::string, double>> pose_of(const State& state);
  void settle_free();
  void settle_at_rest();
  void settle_along_motion();
  void find_holding_forces();
  void measure_shift();
  void choose_coordinates();

  const Model& model_;
  DrivenMotion motion_;
  Motors motors_;
  bool open_loop_ = false, moving_ = false, stable_ = true;
  State given_, state_;
  VectorX accelerations_;
  Actions actions_;
  std::vector<int> locked_;
  StateForces feedback_;
  Linearization linear_;
  Remarks remarks_;
  Shift shift_;
};

}  // namespace lithe
