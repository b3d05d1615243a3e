#pragma once
// The drives and loads of a model, resolved to coordinates: what acts on the mechanism at a given time and state.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/controller_set.hpp"
#include "lithe/simulation/driven_motion.hpp"
#include "lithe/simulation/loads.hpp"
#include "lithe/simulation/motor_set.hpp"
#include "lithe/simulation/polynomial_table.hpp"

namespace lithe::detail {

/// Times inside (from, until) at which a law of the model has a kink, ascending and distinct.
std::vector<double> law_breakpoints(const Model& model, double from, double until);

class SampledControl;
class ContinuousControl;

class DriveSet {
 public:
  /// Throws MechanismError for names and coordinates that make no sense and for feed-forward without a complete motion.
  /// `start` is the assembled state at the beginning.
  /// `locked` are tree speeds that stand still, whatever law their joint has.
  DriveSet(const Model& model, const Plan& plan, Arithmetic arithmetic, const State& start,
           const std::vector<int>& locked = {});

  /// Tree speeds whose motion is prescribed.
  const std::vector<int>& prescribed() const { return prescribed_; }
  /// Their places in q, in the same order.
  const std::vector<int>& prescribed_positions() const { return prescribed_positions_; }
  /// Overwrites prescribed coordinates and speeds with those of their laws at state.t, or of the paths that lead them;
  /// refused when the mechanism cannot follow these.
  RunStatus impose(State& state);
  /// The same for accelerations, after impose() or evaluate() at that time.
  void impose_accelerations(double t, VectorX& a);

  /// Joint forces and loads at state.t; entries of prescribed speeds stay zero.
  RunStatus evaluate(const State& state, Workspace& work, Actions& actions);
  /// The motion that the drives want of a speed of [v; cut speeds]; false: none of them follows one there.
  /// Of an elastic speed: the joints of the machine follow a motion, in which its links bend.
  bool wants_motion_of(int speed) const;
  /// That motion at time t.
  RunStatus wanted_motion(int speed, double t, Jet& motion);
  /// That motion of the whole mechanism, its links bent as it bends them at rest in it; `work` keeps the independent speeds. For controllers
  /// with inputs that are `expected`.
  RunStatus wanted_state(double t, Workspace& work, State& state, VectorX& a, Actions& actions);
  /// From now on these forces act too.
  void take_held_forces(const SampledControl* control) { held_ = control; }
  /// And those of controllers in continuous time.
  void take_controllers(ContinuousControl* control) { continuous_ = control; }
  ContinuousControl* continuous() const { return continuous_; }
  /// Adds N^T kp N and N^T kd N of the PD parts, for tree speeds v = N x'; of those in the space of a path, what acts on
  /// joints.
  void add_gains(Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness, MatrixX& damping) const;
  /// From now on laws see times inside (begin, end) only: a jump at `end` is not felt before it, one at `begin` is
  /// over.
  void set_window(double begin, double end);
  /// The time that laws see at time t: the same but for a hair's breadth at the ends of the window.
  double law_time(double t) const;
  /// From now on feed-forward forces between kinks of the laws come from polynomials in time, up to `accuracy` of the
  /// largest ones.
  void tabulate_feed_forward(double accuracy);
  /// From now on motors give what is asked for: small motions stay within the limits.
  void ignore_limits() { limited_ = false; }

  /// Sentence about a singular pose that the motion behind the feed-forward forces is near at time t: they grow without
  /// bound there. Empty when there is none.
  std::string feed_forward_diagnosis(double t);
  /// What a law in code threw; nothing is evaluated after that.
  std::exception_ptr thrown() const { return controllers_.thrown(); }

 private:
  struct Entry {
    const Drive* drive;
    int speed;     ///< in [v; cut speeds]
    int position;  ///< in q, or in the cut coordinates; -1 when the drive needs no coordinate
    bool cut;
    bool turns;
    int motor;     ///< speed on which its forces act: `speed`, or that of the rotor of an elastic gear
    int integral;  ///< of its error, in State::x; -1: none
  };

  /// PD in the space of a path.
  struct Task {
    const PathDrive* drive;
    FrameRef frame;
    int integral;  ///< of its errors, in State::x; -1: none
  };

  RunStatus lead(double t);
  RunStatus bend_wanted_motion(double t);
  RunStatus wanted_bending(int speed, double t, Jet& motion);
  Jet wanted(const Entry& entry, double t) const;
  RunStatus add_task_forces(double t, const State& state, Workspace& work, Actions& actions);
  RunStatus add_feed_forward(double t, Actions& actions);
  RunStatus evaluate_feed_forward(double t);
  void open_forward_table();
  double follow_error(const Entry& entry, const State& state, double wanted) const;

  const Model& model_;
  const Plan& plan_;
  std::vector<Entry> entries_;
  std::vector<Task> tasks_;
  ControllerSet controllers_;
  const SampledControl* held_ = nullptr;
  ContinuousControl* continuous_ = nullptr;
  MotorSet motors_;
  std::vector<int> prescribed_, prescribed_positions_, locked_, feed_forward_;
  std::unique_ptr<DrivenMotion> nominal_;  ///< behind feed-forward, and what leads drives without a law of their own
  bool any_led_ = false, any_led_prescribed_ = false, any_led_cut_ = false;
  VectorX nominal_cut_q_, nominal_cut_v_, task_force_;
  MatrixX task_jacobian_;
  InverseResult task_;
  /// How the nominal motion bends the links: stiffness of all elastic coordinates, amounts at a time.
  Eigen::LDLT<MatrixX> bending_stiffness_;
  InverseResult bending_;
  VectorX bent_;
  double bent_time_ = std::numeric_limits<double>::quiet_NaN();
  Actions nominal_actions_;
  InverseResult inverse_;
  VectorX forward_;  ///< forces of the feed-forward entries, then their speeds in the nominal motion
  std::optional<PolynomialTable> forward_table_;
  double forward_time_ = 0.0;
  bool forward_known_ = false, uses_cut_coordinates_, limited_ = true;
  double window_begin_, window_end_;
  VectorX cut_q_, cut_v_;
};

}  // namespace lithe::detail
