#include "lithe/simulation/operating_point.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/asked_pose.hpp"
#include "lithe/simulation/drive_feedback.hpp"
#include "lithe/simulation/left_out.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr double far_away = 0.1;              ///< rad, or what compares with it: a pose this far off is another one
constexpr double not_supplied = 1e-7;         ///< of the motor forces: more than rounding
constexpr int most_bending_iterations = 40;   ///< of the elastic links along a motion
constexpr double settled_step = 1e-12;        ///< rad, or what compares with it
constexpr double longest_bending_step = 0.3;  ///< likewise

bool is_among(const std::vector<int>& list, int v) { return std::find(list.begin(), list.end(), v) != list.end(); }

std::vector<int> tree_part(const Plan& plan, const std::vector<int>& speeds) {
  std::vector<int> tree;
  std::copy_if(speeds.begin(), speeds.end(), std::back_inserter(tree), [&](int v) { return v < plan.nv(); });
  return tree;
}

/// The value of a coordinate with its unit: "0.3 rad".
std::string with_unit(const Plan& plan, int v, double value) {
  if (plan.is_bending(v)) return fmt::format("{:.6g}", value);
  return fmt::format("{:.6g} {}", value, plan.slides(v) ? "m" : "rad");
}

}  // namespace

OperatingPoint::~OperatingPoint() = default;
OperatingPoint::OperatingPoint(OperatingPoint&&) noexcept = default;

OperatingPoint::OperatingPoint(const Model& model, const OperatingOptions& options)
    : model_(model), motion_(model), motors_(options.motors), open_loop_(options.open_loop), actions_(motion_.plan()) {
  detail::go_to_asked_pose(motion_, options.at);
  remarks_ = model.remarks;
  remarks_.add(motion_.remarks());
  moving_ = options.at && !options.rest && motors_ != Motors::free;
  given_ = motion_.state();
  if (!moving_) given_.v.setZero();
  state_ = given_;
  accelerations_ = moving_ ? motion_.accelerations() : VectorX::Zero(plan().nv());
  actions_ = motion_.actions(VectorX::Zero(plan().nv() + plan().cut_nv()));

  if (motors_ == Motors::free)
    settle_free();
  else if (moving_)
    settle_along_motion();
  else
    settle_at_rest();
  measure_shift();
  if (motors_ != Motors::free) find_holding_forces();
  choose_coordinates();
  if (const std::string left_out = detail::what_is_left_out(plan(), work(), state_, locked_); !left_out.empty())
    remarks_.notes.push_back("small motions are those without " + left_out);
  linear_ = linearize(plan(), work(), state_, accelerations_, actions_, locked_, feedback_);
}

std::vector<std::pair<std::string, double>> OperatingPoint::pose_of(const State& state) {
  std::vector<std::pair<std::string, double>> pose;
  VectorX cut_q;
  cut_coordinates(plan(), work(), state.q, cut_q);
  const std::vector<Joint>& joints = plan().mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointPlace& place = plan().places()[j];
    const int scalars = place.nq == place.nv ? place.nv : place.nv - 3;
    for (int k = 0; k < scalars; ++k)
      pose.emplace_back(plan().speed_name((place.cut ? plan().nv() : 0) + place.v + k),
                        place.cut ? cut_q[place.q + k] : state.q[place.q + k]);
  }
  for (const ElasticPlace& place : plan().elastic_places())
    for (int k = 0; k < place.count; ++k) pose.emplace_back(plan().speed_name(place.v + k), state.q[place.q + k]);
  return pose;
}

std::vector<std::pair<std::string, double>> OperatingPoint::motor_forces() const {
  std::vector<std::pair<std::string, double>> forces;
  for (const int v : plan().actuated_speeds()) forces.emplace_back(plan().speed_name(v), actions_.tau[v]);
  return forces;
}

void OperatingPoint::settle_free() {
  try {
    const std::optional<State> low = descend_to_rest(plan(), work(), given_, actions_, {});
    const Equilibrium rest = find_equilibrium(plan(), work(), low.value_or(given_), actions_, {});
    state_ = rest.state;
    stable_ = rest.stable;
  } catch (const PhysicsError& error) {
    throw PhysicsError(
        fmt::format("with its motors free the mechanism has no rest that could be found from the given pose: {}. Leave "
                    "out --free (free=False): the motors then hold the pose that is given",
                    error.what()));
  }
  if (!stable_) remarks_.warnings.emplace_back("the equilibrium that was found is unstable: a small disturbance grows");
}

void OperatingPoint::settle_at_rest() {
  const HeldRest held = rest_with_motors_held(plan(), work(), given_, actions_, plan().actuated_speeds());
  state_ = held.rest.state;
  stable_ = held.rest.stable;
  if (!stable_)
    remarks_.warnings.emplace_back(
        "even with its motors locked the mechanism is unstable in this pose: a passive joint tips over or a link "
        "buckles");
}

// Newton's method on the elastic coordinates, with the joints, their speeds and accelerations as the laws want them.
void OperatingPoint::settle_along_motion() {
  std::vector<int> joints;
  for (const int v : work().independent())
    if (!plan().is_bending(v)) joints.push_back(v);
  for (int iteration = 0;; ++iteration) {
    motion_.require(complete_speeds(plan(), work(), state_.q, state_.v));
    motion_.require(complete_accelerations(plan(), work(), state_, accelerations_));
    const Linearization bending = linearize(plan(), work(), state_, accelerations_, actions_, joints);
    if (bending.speeds.empty()) return;
    const VectorX step = bending.K.fullPivLu().solve(-bending.residual);
    double largest = 0.0;
    VectorX all = VectorX::Zero(plan().nv());
    for (Eigen::Index i = 0; i < step.size(); ++i) {
      const int v = bending.speeds[i];
      largest = std::max(largest, std::abs(step[i]) / plan().speed_scale(v));
      all[v] = step[i];
    }
    if (largest <= settled_step) return;
    if (iteration == most_bending_iterations || !std::isfinite(largest))
      throw PhysicsError(
          fmt::format("the elastic links do not settle along the motion at t = {:.6g} s: they are too "
                      "soft for its forces, or buckle",
                      state_.t));
    move_coordinates(plan(), std::min(1.0, longest_bending_step / largest) * all, state_.q);
    motion_.require(project_positions(plan(), work(), state_.q, detail::tolerance::exact_closure));
  }
}

void OperatingPoint::find_holding_forces() {
  InverseResult inverse;
  inverse_dynamics(plan(), work(), state_, accelerations_, actions_, plan().actuated_speeds(), inverse);
  motion_.require(inverse.status);
  if (inverse.tau.size() > 0) actions_.tau = inverse.tau;
  const double size = actions_.tau.size() > 0 ? actions_.tau.cwiseAbs().maxCoeff() : 0.0;
  if (inverse.residual <= not_supplied * (1.0 + size)) return;
  if (moving_)
    throw PhysicsError(
        fmt::format("the motors cannot supply the forces of the motion at t = {:.6g} s: a generalised force of {:.3g} "
                    "remains. Actuate more joints, or ask for the pose at rest (--rest)",
                    state_.t, inverse.residual));
  // Passive joints without a rest nearby: the point is passed with an acceleration.
  motion_.require(forward_dynamics(plan(), work(), state_, actions_, accelerations_));
  int fastest = 0;
  for (int v = 0; v < plan().nv(); ++v) {
    if (std::abs(accelerations_[v]) / plan().speed_scale(v) >
        std::abs(accelerations_[fastest]) / plan().speed_scale(fastest))
      fastest = v;
  }
  remarks_.warnings.push_back(fmt::format(
      "no motor holds '{}', which accelerates with {}/s^2 in the given pose: the linear model is about that "
      "instant, not about rest",
      plan().speed_name(fastest), with_unit(plan(), fastest, accelerations_[fastest])));
}

void OperatingPoint::measure_shift() {
  double largest = 0.0;
  int moved = -1;
  for (int v = 0; v < plan().nv(); ++v) {
    const int q = position_of_speed(plan(), v);
    if (q < 0 || plan().is_bending(v)) continue;
    const double way = std::abs(state_.q[q] - given_.q[q]) / plan().speed_scale(v);
    if (way > largest) {
      largest = way;
      moved = v;
    }
  }
  const std::vector<LinkData>& links = plan().mechanism().links;
  for (std::size_t link = 1; link < links.size(); ++link) {
    for (std::size_t frame = 0; frame < links[link].frames.size(); ++frame) {
      const FrameRef ref{static_cast<int>(link), static_cast<int>(frame)};
      const Vec3 way =
          frame_pose(plan(), work(), state_.q, ref).position - frame_pose(plan(), work(), given_.q, ref).position;
      shift_.distance = std::max(shift_.distance, way.norm());
    }
  }
  if (moved < 0) return;
  const int q = position_of_speed(plan(), moved);
  shift_.coordinate = plan().speed_name(moved);
  shift_.from = given_.q[q];
  shift_.to = state_.q[q];
  if (largest <= far_away) return;
  remarks_.warnings.push_back(
      fmt::format("the point is far from the given pose: '{}' moved from {} to {}, a frame by {:.4g} m; {}",
                  shift_.coordinate, with_unit(plan(), moved, shift_.from), with_unit(plan(), moved, shift_.to),
                  shift_.distance, motors_ == Motors::free ? "the motors are free" : "no motor holds it there"));
}

void OperatingPoint::choose_coordinates() {
  const std::vector<int>& motors = plan().actuated_speeds();
  std::vector<int> answering;
  if ((motors_ == Motors::loaded || motors_ == Motors::servo) && !open_loop_) {
    const auto drives = std::make_shared<detail::DriveFeedback>(model_, plan(), work(), state_);
    answering = drives->speeds();
    if (!answering.empty())
      feedback_ = [drives](const State& state, Workspace& work, VectorX& tau) { drives->add_forces(state, work, tau); };
  }
  if (motors_ == Motors::locked || motors_ == Motors::servo) {
    for (const int v : motors) {
      if (is_among(answering, v)) continue;
      detail::require_lockable(plan(), v);
      locked_.push_back(v);
    }
  }
  std::vector<int> kept = locked_;
  for (const int v : tree_part(plan(), motors))
    if (!is_among(kept, v)) kept.push_back(v);
  motion_.require(select_independent(plan(), work(), state_.q, kept));
}

}  // namespace lithe
