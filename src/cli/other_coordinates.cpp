#include "other_coordinates.hpp"

#include <Eigen/QR>

#include "lithe/dynamics/forward.hpp"

namespace lithe::cli {
namespace {

PlanOptions other_options(const Plan& plan) {
  PlanOptions options = plan.options();
  options.coordinates = options.coordinates == Coordinates::cartesian ? Coordinates::joint : Coordinates::cartesian;
  return options;
}

/// Without the joint on which Cartesian coordinates hang the platform.
Mechanism original(const Plan& plan) {
  Mechanism mechanism = plan.mechanism();
  if (plan.options().coordinates == Coordinates::cartesian) mechanism.joints.pop_back();
  return mechanism;
}

}  // namespace

OtherCoordinates::OtherCoordinates(const Plan& plan)
    : plan_(plan),
      other_(original(plan), other_options(plan)),
      work_(plan),
      other_work_(other_),
      state_{0.0, other_.neutral(), VectorX::Zero(other_.nv()), {}},
      actions_(other_) {}

const char* OtherCoordinates::name() const {
  return other_.options().coordinates == Coordinates::cartesian ? "noc, Cartesian coordinates"
                                                                : "noc, joint coordinates";
}

Status OtherCoordinates::transfer(const RandomState& drawn) {
  state_.t = drawn.state.t;
  state_.q = transfer_coordinates(plan_, work_, drawn.state.q, other_);
  if (Status status = project_positions(other_, other_work_, state_.q, 1e-13); !status) return status;
  if (Status status = select_independent(other_, other_work_, state_.q); !status) return status;
  const Singularity s = singularity(other_, other_work_, state_.q);
  if (std::max(s.closure, s.dependent) > most_condition)
    return {Status::Code::singular_closure, s.worst_loop, std::max(s.closure, s.dependent)};

  // Joints that both have keep their speeds and forces, in the tree or in a cut.
  VectorX cut_v;
  cut_speeds(plan_, work_, drawn.state, cut_v);
  actions_.tau.setZero();
  const std::size_t shared = std::min(plan_.places().size(), other_.places().size());
  for (std::size_t j = 0; j < shared; ++j) {
    const JointPlace &from = plan_.places()[j], &to = other_.places()[j];
    for (int k = 0; k < from.nv; ++k) {
      const double speed = from.cut ? cut_v[from.v + k] : drawn.state.v[from.v + k];
      if (!to.cut) state_.v[to.v + k] = speed;
      actions_.tau[(to.cut ? other_.nv() : 0) + to.v + k] = drawn.actions.tau[(from.cut ? plan_.nv() : 0) + from.v + k];
    }
  }
  actions_.loads = drawn.actions.loads;
  actions_.line_loads = drawn.actions.line_loads;
  for (std::size_t i = 0; i < plan_.elastic_places().size(); ++i) {
    const ElasticPlace &from = plan_.elastic_places()[i], &to = other_.elastic_places()[i];
    state_.v.segment(to.v, to.count) = drawn.state.v.segment(from.v, from.count);
    actions_.tau.segment(to.v, to.count) = drawn.actions.tau.segment(from.v, from.count);
  }
  if (other_.places().size() > plan_.places().size()) {
    const FrameRef platform{other_.mechanism().find_link(other_.options().platform), 0};
    const Twist twist = frame_velocity(plan_, work_, drawn.state, platform);
    VectorX wanted(6);
    wanted << twist.angular, twist.linear;
    MatrixX J;
    frame_jacobian(other_, other_work_, state_.q, platform, J);
    const JointPlace& place = other_.places().back();
    state_.v.segment(place.v, place.nv) = J.middleCols(place.v, place.nv).colPivHouseholderQr().solve(wanted);
  }
  return complete_speeds(other_, other_work_, state_.q, state_.v);
}

Status OtherCoordinates::accelerate(const RandomState& drawn, VectorX& a) {
  if (Status status = transfer(drawn); !status) return status;
  VectorX other_a = VectorX::Zero(other_.nv()), cut_a;
  if (Status status = forward_dynamics(other_, other_work_, state_, actions_, other_a); !status) return status;
  cut_accelerations(other_, other_work_, state_, other_a, cut_a);
  a.setZero(plan_.nv());
  for (std::size_t j = 0; j < plan_.places().size(); ++j) {
    const JointPlace& to = plan_.places()[j];
    if (to.cut) continue;
    if (j >= other_.places().size()) {  // the platform itself
      const FrameRef platform{plan_.mechanism().find_link(plan_.options().platform), 0};
      const Twist at_rest = frame_acceleration(plan_, work_, drawn.state, a, platform);
      const Twist twist = frame_acceleration(other_, other_work_, state_, other_a, platform);
      VectorX wanted(6);
      wanted << twist.angular - at_rest.angular, twist.linear - at_rest.linear;
      MatrixX J;
      frame_jacobian(plan_, work_, drawn.state.q, platform, J);
      a.segment(to.v, to.nv) = J.middleCols(to.v, to.nv).colPivHouseholderQr().solve(wanted);
      continue;
    }
    const JointPlace& from = other_.places()[j];
    for (int k = 0; k < to.nv; ++k) a[to.v + k] = from.cut ? cut_a[from.v + k] : other_a[from.v + k];
  }
  for (std::size_t i = 0; i < plan_.elastic_places().size(); ++i) {
    const ElasticPlace &to = plan_.elastic_places()[i], &from = other_.elastic_places()[i];
    a.segment(to.v, to.count) = other_a.segment(from.v, from.count);
  }
  return {};
}

}  // namespace lithe::cli
