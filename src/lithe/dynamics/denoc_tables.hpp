#pragma once
// The bodies of a leg (or of an open tree) and the freedoms of the joints before them, as constants on the nodes of the
// kernel; twists as vectors with the angular components first.

#include <Eigen/Core>
#include <vector>

#include "lithe/dynamics/denoc_layout.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

template <class S>
inline constexpr int twist_size = S::angular_size + S::linear_size;
template <class S>
using TwistVector = Eigen::Matrix<double, twist_size<S>, 1>;
template <class S>
using TwistMatrix = Eigen::Matrix<double, twist_size<S>, twist_size<S>>;
template <class S>
using TwistColumns = Eigen::Matrix<double, twist_size<S>, Eigen::Dynamic>;

/// One freedom of a joint of the leg.
template <class S>
struct LegColumn {
  int speed = 0;                     ///< in [tree speeds; cut speeds]
  bool turning = true;               ///< a rotation, else a translation
  bool turns_with_outboard = false;  ///< the axis is fixed in the outboard link, else in the inboard one
  int node = -1;                     ///< that link's node
  double sense = 1.0;                ///< -1 when the joint points against the leg
  typename S::Angular turn{};        ///< axis in node axes
  typename S::Linear slide = S::Linear::Zero();
  double armature = 0.0;  ///< inertia of a rotor along it
  int independent = -1;   ///< place among the independent speeds; -1: dependent
};

/// A joint of the leg and the link beyond it.
template <class S>
struct LegBody {
  int first = 0, count = 0;  ///< columns of the joint
  int to_node = -1;          ///< node of the joint's to-frame, about whose origin the joint turns
  typename S::Linear to_origin = S::Linear::Zero();  ///< node axes
  bool to_outboard = true;

  int node = -1;  ///< of the link
  double mass = 0.0;
  typename S::Linear centre = S::Linear::Zero();  ///< mass centre, node axes
  typename S::Moment2 inertia{};                  ///< about the mass centre, node axes
  bool takes_load = true;                         ///< the applied wrench of the node is this body's
};

template <class S>
typename S::Angular angular(const TwistVector<S>& t) {
  if constexpr (S::planar) {
    return t[0];
  } else {
    return t.template head<3>();
  }
}

template <class S>
typename S::Linear linear(const TwistVector<S>& t) {
  return t.template tail<S::linear_size>();
}

template <class S>
TwistVector<S> stacked(const typename S::Angular& turning, const typename S::Linear& moving) {
  TwistVector<S> t;
  if constexpr (S::planar) {
    t[0] = turning;
  } else {
    t.template head<3>() = turning;
  }
  t.template tail<S::linear_size>() = moving;
  return t;
}

template <class S>
typename S::Rotation world_rotation(const Kernel<S>& kernel, int node) {
  return node < 0 ? S::identity() : kernel.nodes[node].world_rotation;
}

template <class S>
typename S::Linear world_point(const Kernel<S>& kernel, int node, const typename S::Linear& x) {
  if (node < 0) return x;
  const NodeState<S>& s = kernel.nodes[node];
  return s.world_position + S::turn(s.world_rotation, x);
}

/// Inertia of one or several bodies about a point, ground axes.
template <class S>
struct CompositeMass {
  double mass = 0.0;
  typename S::Linear first = S::Linear::Zero();
  typename S::Moment2 second{};

  /// Momentum for a twist at the point.
  TwistVector<S> times(const TwistVector<S>& twist) const {
    const typename S::Angular w = angular<S>(twist);
    const typename S::Linear v = linear<S>(twist);
    return stacked<S>(S::times(second, w) + S::moment(first, v), mass * v + S::spin(w, first));
  }
};

/// A vector given in the spatial axes of a node (-1: the ground), in the axes of the arithmetic.
template <class S>
typename S::Linear linear_on_node(const Compiled& compiled, int node, const Vec3& x);

/// Mass centre of a link in the axes of its node, in either arithmetic.
template <class S>
typename S::Linear centre_on_node(const Compiled& compiled, int link);

/// Adds the joint and the outboard link of a step, with the given part of the link's mass and inertia.
template <class S>
void append_body(const Compiled& compiled, const LegStep& step, double part, std::vector<LegColumn<S>>& columns,
                 std::vector<LegBody<S>>& bodies);

/// Generator of a column at a point of the outboard link, ground axes; `hinge` leads from the to-frame origin to it.
template <class S>
TwistVector<S> generator_at(const Kernel<S>& kernel, const LegColumn<S>& column, const typename S::Linear& hinge) {
  const typename S::Rotation turned = world_rotation(kernel, column.node);
  if (!column.turning) return stacked<S>(S::zero_angular(), column.sense * S::turn(turned, column.slide));
  const typename S::Angular axis = column.sense * S::turn_angular(turned, column.turn);
  return stacked<S>(axis, S::spin(axis, hinge));
}

/// Rate of that generator at fixed hinge: its axis turns with `owner`.
template <class S>
TwistVector<S> generator_rate(const LegColumn<S>& column, const TwistVector<S>& generator,
                              const typename S::Angular& owner, const typename S::Linear& hinge) {
  if (!column.turning) return stacked<S>(S::zero_angular(), S::spin(owner, linear<S>(generator)));
  const typename S::Angular axis_rate = S::cross(owner, angular<S>(generator));
  return stacked<S>(axis_rate, S::spin(axis_rate, hinge));
}

/// Applied wrench on a node (loads, point springs), ground axes, about `point`.
template <class S>
TwistVector<S> load_about(const Kernel<S>& kernel, int node, const typename S::Linear& point) {
  const NodeState<S>& s = kernel.nodes[node];
  const typename S::Linear force = S::turn(s.world_rotation, s.load_force);
  return stacked<S>(S::turn_angular(s.world_rotation, s.load_moment) + S::moment(s.world_position - point, force),
                    force);
}

/// What a body needs to move so (Newton, Euler; Khan (12)), ground axes, about its mass centre.
template <class S>
TwistVector<S> body_wrench(const LegBody<S>& body, const typename S::Rotation& turned, const typename S::Angular& w,
                           const typename S::Angular& wd, const typename S::Linear& acceleration) {
  const auto momentum_of = [&](const typename S::Angular& x) {
    return S::turn_angular(turned, S::times(body.inertia, S::turn_back_angular(turned, x)));
  };
  return stacked<S>(momentum_of(wd) + S::cross(w, momentum_of(w)), body.mass * acceleration);
}

}  // namespace lithe::detail
