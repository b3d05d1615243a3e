#include "lithe/control/linear_controller.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/errors.hpp"

namespace lithe {

LinearController::LinearController(StateSpace system)
    : LinearController(std::vector<ScheduledSystem>{{0.0, std::move(system)}}) {}

LinearController::LinearController(std::vector<ScheduledSystem> points) : points_(std::move(points)) {
  const auto refuse = [](const std::string& why) { throw MechanismError("controller", why); };
  if (points_.empty()) refuse("a controller over time needs at least one point");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const StateSpace &system = points_[i].system, &first = points_[0].system;
    require_consistent(system);
    if (i > 0 && !(points_[i].t > points_[i - 1].t))
      refuse(fmt::format("the times of a controller must rise, but {} s is followed by {} s", points_[i - 1].t,
                         points_[i].t));
    if (system.A.rows() != first.A.rows() || system.D.rows() != first.D.rows() || system.D.cols() != first.D.cols())
      refuse(fmt::format("the controller at {} s has other numbers of states, inputs or outputs than that at {} s",
                         points_[i].t, points_[0].t));
  }
  x_ = VectorX::Zero(points_[0].system.A.rows());
  next_ = x_;
}

void LinearController::sample(double t, std::span<const double> inputs, std::span<double> outputs) {
  const Eigen::Map<const VectorX> u(inputs.data(), std::ssize(inputs));
  Eigen::Map<VectorX> y(outputs.data(), std::ssize(outputs));
  const auto after = std::upper_bound(points_.begin() + 1, points_.end(), t,
                                      [](double time, const ScheduledSystem& point) { return time < point.t; });
  const ScheduledSystem& now = *(after - 1);
  const double share =
      after == points_.end() ? 0.0 : std::clamp((t - now.t) / (after->t - now.t), 0.0, 1.0);  // of the next point
  y.setZero();
  next_.setZero();
  const auto add = [&](const StateSpace& m, double weight) {
    if (weight == 0.0) return;
    y.noalias() += weight * m.C * x_;
    y.noalias() += weight * m.D * u;
    next_.noalias() += weight * m.A * x_;
    next_.noalias() += weight * m.B * u;
  };
  add(now.system, 1.0 - share);
  if (share > 0.0) add(after->system, share);
  x_.swap(next_);
}

}  // namespace lithe
