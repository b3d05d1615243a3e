#pragma once
// Controllers that know the machine: forces from the equations of motion of the rigid links at what the motors measure.
//
//   computed torque        tau = M (w'' + kd (w' - v) + kp (w - q)) + c(q, v) + g(q)
//   gravity compensation   tau = g(q) + kp (w - q) + kd (w' - v)
//   passivity (Slotine, Li)  tau = M a_r + C(q, v) v_r + g(q) + kd (v_r - v),   v_r = w' + kp (w - q),  a_r = w'' + kp (w' - v)
//
//   task space             tau = g(q) + J^T F,  F = kp (p_w - p) + kd (p_w' - p') at a frame that shall stay on a path, and likewise
//                          a moment by the rotation vector from the frame to its wanted orientation
//
// q, v: measured at the motors, w: wanted there; M, c, g in motor coordinates, loops and all. C(q, v) v_r is the bilinear
// form that belongs to c: c(x) = C(q, x) x, so 4 C(q, v) v_r = c(v + v_r) - c(v - v_r).

#include "lithe/control/sampled_system.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/drive.hpp"
#include "lithe/simulation/sampled_controller.hpp"

namespace lithe {

struct ModelBasedGains {
  enum class Kind { computed_torque, gravity, passivity, task };
  Kind kind = Kind::computed_torque;
  std::vector<double> kp,
      kd;          ///< one for each motor; see above: 1/s^2 and 1/s, N m/rad and N m s/rad, 1/s and N m s/rad
  PathDrive path;  ///< of `task`: frame, what is wanted of it, and its gains
};

/// Inputs, for each motor in the order of `drives`: q, v, w, w', w''; of `task` q and v.
class ModelBasedControl : public SampledSystem {
 public:
  /// Throws MechanismError when the motors do not determine the motion of the rigid links, or close a loop.
  ModelBasedControl(const ControlSite& site, const std::vector<std::string>& drives, ModelBasedGains gains);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;

 private:
  /// Motor forces for accelerations of the motors at the present coordinates, with speeds of the motors.
  const VectorX& needed(const VectorX& speeds, const VectorX& accelerations);
  void require(const Status& status) const;
  /// Motor forces for springs and dampers between the frame and its place on the path at time t.
  const VectorX& task_forces(double t);

  const Plan& plan_;
  Workspace work_;
  State state_;
  ModelBasedGains gains_;
  std::vector<int> driven_, positions_;
  VectorX a_, rest_, q_, v_, wanted_, wanted_rate_, wanted_second_;
  Actions actions_;
  InverseResult inverse_;
  FrameRef frame_;
  MatrixX jacobian_;
  VectorX force_;
};

}  // namespace lithe
