#pragma once
// What acts at an actuated joint.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lithe/laws/law.hpp"
#include "lithe/laws/path.hpp"

namespace lithe {

/// A force law written in code: force (N m or N) at time t (s) from the coordinate it drives and its speed (rad or m).
/// Integrators evaluate it at trial states as well, in any order: it must depend on its arguments alone. An exception
/// that it throws ends the run and reaches the caller of run_simulation().
using ForceLaw = std::function<double(double t, double q, double v)>;

/// The force at one speed is the sum of all parts that are switched on:
///   torque(t) + feed-forward(t) + kp (follow - q) + kd (follow' - v) + ki (sum of follow - q) + law(t, q, v).
/// With `prescribed`, the joint follows `follow` exactly and the force is whatever that needs.
/// Without a law of its own the wanted motion is the one that paths and the laws of other joints make of it, with
/// straight links (inverse kinematics).
struct Drive {
  std::string joint;
  int coordinate = 0;         ///< which scalar coordinate of the joint
  Law follow;                 ///< wanted motion of its own
  bool prescribed = false;    ///< by: motion
  bool feed_forward = false;  ///< by: inverse-dynamics (rigid-inverse-dynamics is the same for rigid links)
  double kp = 0.0, kd = 0.0;  ///< by: pd
  double ki = 0.0;            ///< by: pid; needs a law of its own
  bool controlled = false;    ///< by: controllers, which know the wanted motion from here
  Law torque;                 ///< extra force law
  ForceLaw law;               ///< the same, in code
  double clock = 0.0;         ///< when t is zero in follow and torque, s
  double shift = 0.0;         ///< is added to follow, rad or m
  Law voltage;                ///< of a motor with windings, V; alone: it becomes an element, see expand_motors()
  /// The joint behind an elastic gear, whose motion is wanted: its forces act on the rotor. Set by expand_motors().
  bool behind_gear = false;

  bool wants_motion() const { return !follow.empty(); }
  Jet motion_at(double t) const {
    Jet motion = follow.at(t - clock);
    motion.value += shift;
    return motion;
  }
  double torque_at(double t) const { return torque.at(t - clock).value; }
  /// Its wanted motion comes from paths and the laws of others.
  bool is_led() const { return follow.empty() && (prescribed || controlled || kp != 0.0 || kd != 0.0); }
};

/// A spring, a damper and a sum of the error between a frame and its place on a path, whose force and moment the motors supply.
struct TaskGains {
  double kp = 0.0, kd = 0.0;            ///< N/m, N s/m
  double turn_kp = 0.0, turn_kd = 0.0;  ///< N m/rad, N m s/rad
  double ki = 0.0, turn_ki = 0.0;       ///< N/(m s), N m/(rad s)

  bool is_integral() const { return ki != 0.0 || turn_ki != 0.0; }
  bool is_about_turns() const { return turn_kp != 0.0 || turn_kd != 0.0 || turn_ki != 0.0; }
  bool is_given() const { return kp != 0.0 || kd != 0.0 || is_integral() || is_about_turns(); }
};

/// The wanted motion of a frame. The drives of the motors say how it is made: those that have no law of their own are
/// led by it.
struct PathDrive {
  std::string link, frame = "origin";
  Path path;
  TaskGains task;
};

/// A controller written in code: forces at several coordinates from the values and speeds of these or of others. The
/// same holds for it as for a ForceLaw.
struct Controller {
  /// Coordinates that it drives, as Plan::speed_name() calls them: "motor-1", "wrist.2" of a joint with several. Empty:
  /// all actuated ones, in the order of the joints.
  std::vector<std::string> drives;
  /// Coordinates that it is told of, passive joints and elastic coordinates ("crank.e1") among them. Empty: those that
  /// it drives.
  std::vector<std::string> observes;
  /// Sets `force` (N m or N, zero before; in the order of `drives`) from q and v (in the order of `observes`).
  std::function<void(double t, std::span<const double> q, std::span<const double> v, std::span<double> force)> law;
};

/// Time laws of one LoadPort.
struct LoadLaws {
  std::string load;
  Law force[3], moment[3];
};

/// Time laws of one LineLoad, N/m.
struct LineLoadLaws {
  std::string load;
  Law force[3];         ///< at its start
  Law end[3];           ///< at its end
  bool uniform = true;  ///< `end` is not used: the same all along
};

}  // namespace lithe
