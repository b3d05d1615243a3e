// Two seconds of free motion without dampers keep the energy, whatever poses are passed and whichever independent sets
// are used on the way. A plain adaptive Dormand-Prince integrator on all tree coordinates; the state is put back onto
// the closures after every step.

#include <algorithm>
#include <array>

#include "lithe/kinematics/closure_conditions.hpp"
#include "properties/subject.hpp"

namespace lithe::testing {
namespace {

class FreeMotion {
 public:
  explicit FreeMotion(Subject& subject)
      : subject_(subject), nq_(subject.plan.nq()), nv_(subject.plan.nv()), rest_(subject.plan), stage_(subject.state) {
    x_.resize(nq_ + nv_);
    x_ << subject.state.q, subject.state.v;
    qdot_.resize(nq_);
    a_.resize(nv_);
  }

  /// One accepted step of at most `limit`; returns its length, or zero when a singular pose is too close.
  double step(double limit, double tolerance) {
    for (;;) {
      const double h = std::min(h_, limit);
      if (!slopes(h)) return 0.0;
      VectorX next = x_;
      VectorX error = VectorX::Zero(x_.size());
      for (int i = 0; i < 7; ++i) {
        next += h * fifth[i] * k_[i];
        error += h * (fifth[i] - fourth[i]) * k_[i];
      }
      const double size = (error.array() / (1.0 + x_.array().abs())).abs().maxCoeff() / tolerance;
      const double factor = std::clamp(0.9 * std::pow(std::max(size, 1e-10), -0.2), 0.2, 4.0);
      h_ = h * factor;
      if (size > 1.0) continue;
      x_ = next;
      return settle() ? h : 0.0;
    }
  }

  State state() const { return {0.0, x_.head(nq_), x_.tail(nv_)}; }

 private:
  static constexpr std::array<double, 7> fifth = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784,
                                                  11.0 / 84,  0};
  static constexpr std::array<double, 7> fourth = {
      5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};

  bool slopes(double h) {
    static constexpr double b[7][6] = {{},
                                       {1.0 / 5},
                                       {3.0 / 40, 9.0 / 40},
                                       {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    for (int i = 0; i < 7; ++i) {
      VectorX x = x_;
      for (int j = 0; j < i; ++j) x += h * b[i][j] * k_[j];
      stage_.q = x.head(nq_);
      stage_.v = x.tail(nv_);
      normalise_quaternions(subject_.plan, stage_.q);
      if (!forward_dynamics(subject_.plan, subject_.work, stage_, rest_, a_)) return false;
      coordinate_rates(subject_.plan, stage_.q, stage_.v, qdot_);
      k_[i].resize(nq_ + nv_);
      k_[i] << qdot_, a_;
    }
    return true;
  }

  bool settle() {
    VectorX q = x_.head(nq_), v = x_.tail(nv_);
    normalise_quaternions(subject_.plan, q);
    if (!project_positions(subject_.plan, subject_.work, q)) return false;
    const Singularity measure = detail::closure_conditions(subject_.work, q, false);
    if (measure.closure > 1e4) return false;
    if (measure.dependent > 100.0 && !select_independent(subject_.plan, subject_.work, q)) return false;
    if (!complete_speeds(subject_.plan, subject_.work, q, v)) return false;
    x_ << q, v;
    return true;
  }

  double h_ = 1e-3;  ///< next step
  Subject& subject_;
  int nq_, nv_;
  Actions rest_;
  State stage_;
  VectorX x_, qdot_, a_;
  std::array<VectorX, 7> k_;
};

}  // namespace

/// The angle of a cut joint is known only up to whole turns, so a spring there has no continuous energy. The spanning
/// tree avoids such cuts where the loop has another joint to open.
static bool cuts_a_spring(const Plan& plan) {
  for (int joint : plan.cut_joints())
    for (double stiffness : plan.mechanism().joints[joint].stiffness)
      if (stiffness != 0.0) return true;
  return false;
}

LITHE_PROPERTY(FreeMotionKeepsTheEnergy, coupled(conservative_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  RC_PRE(!cuts_a_spring(subject.plan));
  const Energy start = energy(subject.plan, subject.work, subject.state);
  double scale = start.kinetic + std::abs(start.potential), drift = 0.0;
  FreeMotion motion(subject);
  for (double t = 0.0; t < 2.0;) {
    const double taken = motion.step(2.0 - t, 3e-11);
    RC_PRE(taken > 0.0);
    t += taken;
    const Energy now = energy(subject.plan, subject.work, motion.state());
    scale = std::max(scale, now.kinetic + std::abs(now.potential));
    drift = std::max(drift, std::abs(now.kinetic + now.potential - start.kinetic - start.potential));
  }
  RC_ASSERT(drift < 1e-8 * scale);
}

LITHE_PROPERTY(SprungJointsAreCutOnlyWhenTheLoopHasNoOther, looped_shape()) {
  const Subject subject(shape);
  for (int cut = 0; cut < static_cast<int>(subject.plan.cut_joints().size()); ++cut) {
    const std::vector<Joint>& joints = subject.plan.mechanism().joints;
    const auto is_plain = [&](int j) {
      return joints[j].stiffness.empty() && !joints[j].is_actuated() && joints[j].type != JointType::fixed;
    };
    if (joints[subject.plan.cut_joints()[cut]].stiffness.empty()) continue;
    const std::vector<int>& loop = subject.plan.loop_joints(cut);
    RC_ASSERT(std::none_of(loop.begin(), loop.end(), is_plain));
  }
}

}  // namespace lithe::testing
