#pragma once
// The free independent coordinates of a mechanism as a second-order system: scalars count from the start of a step,
// rotations in space are rotation vectors since then. Prescribed joints follow their laws, dependent coordinates the
// closures.

#include <vector>

#include "lithe/kinematics/loop_block.hpp"
#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/second_order_system.hpp"

namespace lithe::detail {

class MechanismMotion : public SecondOrderSystem {
 public:
  MechanismMotion(const Plan& plan, Workspace& work, DriveSet& drives, Equations& equations);

  int count() const override { return static_cast<int>(free_.size()); }
  RunStatus begin(double t, const VectorX& y, MotionPoint& point) override;
  void advance(const MotionPoint& start) override;
  void express(const MotionPoint& start, MotionPoint& point) const override;
  RunStatus evaluate(MotionPoint& point) override;
  Status inertia(MatrixX& inertia) override;
  Status matrices(OscillatorMatrices& matrices) override;
  const VectorX& scales() const override { return scales_; }
  double largest_deflection() const override { return largest_; }
  void state(const MotionPoint& point, double work, double dissipated, VectorX& y) override;
  void accelerations(const MotionPoint& point, VectorX& a) const override;

 private:
  /// How far the dependent coordinates are from moving along the complement of the start, at one time of the step.
  struct Remainder {
    double t = 0.0;
    VectorX values;
  };

  RunStatus choose_free();
  void place(const MotionPoint& point, State& state);
  void guess_remainder(double t);
  void keep_remainder(double t);
  void look_at_deflection();
  Status make_held_heavy(MatrixX& inertia);
  double lost_power();

  const Plan& plan_;
  Workspace& work_;
  DriveSet& drives_;
  Equations& equations_;
  std::vector<int> independent_;  ///< of the workspace when the motion began
  std::vector<int> free_;         ///< tree speeds behind x
  std::vector<int> free_place_;   ///< their places among the independent speeds
  std::vector<int> turns_;        ///< places in x at which three coordinates of a rotation in space begin
  VectorX scales_;
  State state_;              ///< of the last evaluation
  State base_;               ///< at the start of the step; its dependent coordinates may be guesses
  State placed_;             ///< a state beside it
  LoopMatrices complement_;  ///< of the loops, at the last evaluation
  LoopMatrices slope_;       ///< the same at the start of the step
  VectorX curvature_;        ///< second rate of the remainder in the step before
  Remainder near_, far_;     ///< remainders met in this step, in the order of time
  int remainders_ = 0;
  VectorX step_, remainder_, along_slope_;
  std::vector<int> held_;  ///< speeds that stand still by friction, stops and locks
  /// Forces of dry friction and places of its joints when the motion began, and what they are now; see lost_power().
  VectorX rubbing_, rubbing_from_, rubbing_now_;
  bool knows_rubbing_ = false;
  VectorX origin_;  ///< coordinates at the start of the run
  double largest_ = 0.0;
};

}  // namespace lithe::detail
