#include "lithe/kinematics/closures.hpp"

#include <algorithm>
#include <cassert>

namespace lithe::detail {

namespace {

/// An anchor in ground axes.
template <class S>
void place_anchor(const Kernel<S>& k, const Anchor<S>& anchor, typename S::Rotation& rotation,
                  typename S::Linear& position) {
  rotation = anchor.rotation;
  position = anchor.position;
  if (anchor.node < 0) return;
  const NodeState<S>& node = k.nodes[anchor.node];
  if (anchor.mount >= 0) {
    rotation = S::compose(k.mounts[anchor.mount].rotation, rotation);
    position = k.mounts[anchor.mount].position;
  }
  rotation = S::compose(node.world_rotation, rotation);
  position = node.world_position + S::turn(node.world_rotation, position);
}

template <class S>
void place_cut(Kernel<S>& k, std::size_t i) {
  const Cut<S>& cut = k.tables.cuts[i];
  CutState<S>& s = k.cuts[i];
  typename S::Linear position1;
  place_anchor(k, cut.from, s.rotation1, position1);
  place_anchor(k, cut.to, s.rotation2, s.position2);
  s.gap = s.position2 - position1;
}

template <class S>
double row_value(const CutState<S>& s, const RowSpec& row) {
  const typename S::Linear a = S::axis(s.rotation1, row.i);
  return row.kind == RowSpec::Kind::distance ? a.dot(s.gap) : a.dot(S::axis(s.rotation2, row.j));
}

/// Calls visit(speed, angular, linear): the relative angular velocity of the cut frames and the velocity of origin 2
/// relative to frame 1, in ground axes, per unit of each speed on the path.
template <class S, class Visit>
void for_each_path_speed(const Kernel<S>& k, const Cut<S>& cut, const CutState<S>& s, Visit&& visit) {
  for (const PathNode& step : cut.path) {
    const Node<S>& node = k.tables.nodes[step.node];
    const NodeState<S>& state = k.nodes[step.node];
    switch (node.kind) {
      case NodeKind::revolute: {
        const typename S::Angular axis = step.sign * S::turn_angular(state.world_rotation, S::turn_axis(node.sign));
        visit(node.v, axis, S::spin(axis, s.position2 - state.world_position));
        break;
      }
      case NodeKind::prismatic:
        visit(node.v, S::zero_angular(), typename S::Linear(step.sign * S::slide_axis(state.world_rotation)));
        break;
      case NodeKind::spherical:
        if constexpr (!S::planar) {
          const Mat3 axes = step.sign * state.world_rotation * k.spherical_axes[step.node];
          const Vec3 arm = s.position2 - state.world_position;
          for (int j = 0; j < 3; ++j) visit(node.v + j, Vec3(axes.col(j)), Vec3(axes.col(j).cross(arm)));
        }
        break;
      case NodeKind::elastic: {
        // What the exit does against the entry, seen at origin 2.
        const typename S::Linear point = S::turn_back(state.world_rotation, s.position2 - state.world_position);
        for (int j = 0; j < node.nv; ++j) {
          typename S::Angular angular = S::zero_angular();
          typename S::Linear linear = S::Linear::Zero();
          const auto add = [&](int mount, double sign) {
            if (mount < 0) return;
            const MountState<S>& m = k.mounts[mount];
            const typename S::Angular turn = S::from_column(m.turn.col(j));
            angular += sign * turn;
            linear += sign * (m.shape.col(j) + S::spin(turn, point - m.position));
          };
          add(step.exit, step.sign);
          add(step.entry, -step.sign);
          visit(node.v + j, S::turn_angular(state.world_rotation, angular), S::turn(state.world_rotation, linear));
        }
        break;
      }
      case NodeKind::fixed:
        break;
    }
  }
}

/// A closure row or a cut speed as the pair (n, f): its rate is n . angular + f . linear of the relative motion.
template <class S>
struct Direction {
  typename S::Angular n = S::zero_angular();
  typename S::Linear f = S::Linear::Zero();
};

template <class S>
Direction<S> row_direction(const CutState<S>& s, const RowSpec& row) {
  Direction<S> d;
  const typename S::Linear a = S::axis(s.rotation1, row.i);
  if (row.kind == RowSpec::Kind::distance)
    d.f = a;
  else
    d.n = S::moment(S::axis(s.rotation2, row.j), a);
  return d;
}

template <class S>
Direction<S> free_direction(const CutState<S>& s, const FreeSpec& free) {
  Direction<S> d;
  if (free.kind == FreeSpec::Kind::distance) {
    d.f = free.sign * S::axis(s.rotation1, free.i);
  } else if constexpr (S::planar) {
    d.n = free.sign;
  } else {
    d.n = S::axis(free.kind == FreeSpec::Kind::turn1 ? s.rotation1 : s.rotation2, free.i);
  }
  return d;
}

/// Velocity and acceleration of a frame fixed to a node, ground axes.
template <class S>
struct AnchorMotion {
  typename S::Angular omega{}, alpha{};
  typename S::Linear velocity = S::Linear::Zero(), acceleration = S::Linear::Zero();
};

template <class S>
AnchorMotion<S> anchor_motion(const Kernel<S>& k, const Anchor<S>& anchor) {
  AnchorMotion<S> m;
  m.omega = m.alpha = S::zero_angular();
  if (anchor.node < 0) {
    m.acceleration = -k.tables.gravity;
    return m;
  }
  const NodeState<S>& node = k.nodes[anchor.node];
  if (anchor.mount >= 0) {
    const MountState<S>& mount = k.mounts[anchor.mount];
    m.omega = S::turn_angular(node.world_rotation, mount.omega);
    m.alpha = S::turn_angular(node.world_rotation, mount.alpha);
    m.velocity = S::turn(node.world_rotation, mount.velocity);
    m.acceleration = S::turn(node.world_rotation, mount.acceleration);
    return m;
  }
  const typename S::Linear swing = S::spin(node.omega, anchor.position);
  m.omega = S::turn_angular(node.world_rotation, node.omega);
  m.alpha = S::turn_angular(node.world_rotation, node.alpha);
  m.velocity = S::turn(node.world_rotation, node.velocity + swing);
  m.acceleration = S::turn(node.world_rotation,
                           node.acceleration + S::spin(node.alpha, anchor.position) + S::spin(node.omega, swing));
  return m;
}

/// Relative motion of the two frames of a cut joint as needed for rates of rows.
template <class S>
struct RelativeMotion {
  AnchorMotion<S> one, two;
  typename S::Angular omega{};  ///< of 2 relative to 1
  typename S::Angular alpha{};
  typename S::Linear velocity;      ///< of origin 2 as seen from frame 1
  typename S::Linear acceleration;  ///< second rate of the gap as seen from frame 1, ground axes
};

template <class S>
RelativeMotion<S> relative_motion(const Kernel<S>& k, const Cut<S>& cut, const CutState<S>& s) {
  RelativeMotion<S> m;
  m.one = anchor_motion(k, cut.from);
  m.two = anchor_motion(k, cut.to);
  m.omega = m.two.omega - m.one.omega;
  m.alpha = m.two.alpha - m.one.alpha;
  const typename S::Linear rate = m.two.velocity - m.one.velocity;
  const typename S::Linear swing = S::spin(m.one.omega, s.gap);
  m.velocity = rate - swing;
  // d2/dt2 (R1^T r) = R1^T (r'' - alpha1 x r - 2 omega1 x r' + omega1 x (omega1 x r))
  m.acceleration = m.two.acceleration - m.one.acceleration - S::spin(m.one.alpha, s.gap) -
                   2.0 * S::spin(m.one.omega, rate) + S::spin(m.one.omega, swing);
  return m;
}

/// Second rate of a closure row.
template <class S>
double row_acceleration(const CutState<S>& s, const RowSpec& row, const RelativeMotion<S>& m) {
  const typename S::Linear a = S::axis(s.rotation1, row.i);
  if (row.kind == RowSpec::Kind::distance) return a.dot(m.acceleration);
  const typename S::Linear b = S::axis(s.rotation2, row.j);
  const typename S::Angular turned = S::moment(b, a);
  const typename S::Angular rate = S::moment(S::spin(m.two.omega, b), a) + S::moment(b, S::spin(m.one.omega, a));
  return S::dot(m.alpha, turned) + S::dot(m.omega, rate);
}

template <class S>
double free_speed(const CutState<S>& s, const FreeSpec& free, const RelativeMotion<S>& m) {
  const Direction<S> d = free_direction<S>(s, free);
  return S::dot(d.n, m.omega) + d.f.dot(m.velocity);
}

template <class S>
double free_acceleration(const CutState<S>& s, const FreeSpec& free, const RelativeMotion<S>& m) {
  const Direction<S> d = free_direction<S>(s, free);
  if (free.kind == FreeSpec::Kind::distance) return d.f.dot(m.acceleration);
  // The turning axis itself turns with its frame.
  const AnchorMotion<S>& owner = free.kind == FreeSpec::Kind::turn1 ? m.one : m.two;
  return S::dot(d.n, m.alpha) + S::dot(S::cross(owner.omega, d.n), m.omega);
}

}  // namespace

template <class S>
void update_closure_values(Kernel<S>& k) {
  update_world(k);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    place_cut(k, i);
    const Cut<S>& cut = k.tables.cuts[i];
    for (std::size_t r = 0; r < cut.rows.size(); ++r)
      k.c[cut.first_row + static_cast<int>(r)] = row_value<S>(k.cuts[i], cut.rows[r]);
  }
}

template <class S>
void update_closures(Kernel<S>& k) {
  if (k.closures_valid) return;
  update_closure_values(k);
  Direction<S> directions[6];
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    const int count = static_cast<int>(cut.rows.size());
    const CutPlace place = k.cut_places[i];
    if (place.loop < 0) continue;
    LoopBlock& loop = k.loops[place.loop];
    for (int r = 0; r < count; ++r) directions[r] = row_direction<S>(k.cuts[i], cut.rows[r]);
    const Eigen::Index width = loop.A.cols();
    double* first = loop.A.data() + place.row * width;
    for_each_path_speed(k, cut, k.cuts[i],
                        [&](int speed, const typename S::Angular& angular, const typename S::Linear& linear) {
                          double* column = first + k.column[speed];
                          for (int r = 0; r < count; ++r, column += width)
                            *column = cut.rows[r].kind == RowSpec::Kind::distance ? directions[r].f.dot(linear)
                                                                                  : S::dot(directions[r].n, angular);
                        });
  }
  k.closures_valid = true;
}

template <class S>
void update_closure_bias(Kernel<S>& k) {
  assert(k.stage == MotionStage::bias);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    const RelativeMotion<S> m = relative_motion(k, cut, k.cuts[i]);
    for (std::size_t r = 0; r < cut.rows.size(); ++r)
      k.gamma[cut.first_row + static_cast<int>(r)] = -row_acceleration<S>(k.cuts[i], cut.rows[r], m);
  }
}

template <class S>
void cut_speed_jacobian(Kernel<S>& k, RowMatrix& J) {
  update_closures(k);
  J.setZero(k.compiled.cut_nv, k.nv);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    for (std::size_t r = 0; r < cut.frees.size(); ++r) {
      const Direction<S> d = free_direction<S>(k.cuts[i], cut.frees[r]);
      const int row = cut.first_free + static_cast<int>(r);
      for_each_path_speed(k, cut, k.cuts[i],
                          [&](int speed, const typename S::Angular& angular, const typename S::Linear& linear) {
                            J(row, speed) = S::dot(d.n, angular) + d.f.dot(linear);
                          });
    }
  }
}

template <class S>
void add_cut_forces(Kernel<S>& k, const double* tau, VectorX& force) {
  update_closures(k);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    for (std::size_t r = 0; r < cut.frees.size(); ++r) {
      const double strength = tau[cut.first_free + static_cast<int>(r)];
      if (strength == 0.0) continue;
      const Direction<S> d = free_direction<S>(k.cuts[i], cut.frees[r]);
      for_each_path_speed(k, cut, k.cuts[i],
                          [&](int speed, const typename S::Angular& angular, const typename S::Linear& linear) {
                            force[speed] += strength * (S::dot(d.n, angular) + d.f.dot(linear));
                          });
    }
  }
}

template <class S>
void cut_speeds_from_motion(Kernel<S>& k, VectorX& speeds) {
  assert(k.stage >= MotionStage::velocity);
  update_closures(k);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    const RelativeMotion<S> m = relative_motion(k, cut, k.cuts[i]);
    for (std::size_t r = 0; r < cut.frees.size(); ++r)
      speeds[cut.first_free + static_cast<int>(r)] = free_speed<S>(k.cuts[i], cut.frees[r], m);
  }
}

template <class S>
void cut_accelerations_from_motion(Kernel<S>& k, VectorX& accelerations) {
  assert(k.stage == MotionStage::acceleration);
  update_closures(k);
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<S>& cut = k.tables.cuts[i];
    const RelativeMotion<S> m = relative_motion(k, cut, k.cuts[i]);
    for (std::size_t r = 0; r < cut.frees.size(); ++r)
      accelerations[cut.first_free + static_cast<int>(r)] = free_acceleration<S>(k.cuts[i], cut.frees[r], m);
  }
}

Wrench closure_wrench(const Kernel<Spatial>& k, std::size_t cut, const RowSpec& row) {
  const Direction<Spatial> d = row_direction<Spatial>(k.cuts[cut], row);
  return {d.n, d.f};
}

Wrench free_wrench(const Kernel<Spatial>& k, std::size_t cut, const FreeSpec& free) {
  const Direction<Spatial> d = free_direction<Spatial>(k.cuts[cut], free);
  return {d.n, d.f};
}

template <class S>
int cut_of_row(const Kernel<S>& k, int row) {
  int cut = 0;
  while (cut + 1 < static_cast<int>(k.tables.cuts.size()) && k.tables.cuts[cut + 1].first_row <= row) ++cut;
  return cut;
}

#define LITHE_INSTANTIATE(S)                                         \
  template void update_closure_values(Kernel<S>&);                   \
  template void update_closures(Kernel<S>&);                         \
  template void update_closure_bias(Kernel<S>&);                     \
  template void cut_speed_jacobian(Kernel<S>&, RowMatrix&);          \
  template void add_cut_forces(Kernel<S>&, const double*, VectorX&); \
  template void cut_speeds_from_motion(Kernel<S>&, VectorX&);        \
  template void cut_accelerations_from_motion(Kernel<S>&, VectorX&); \
  template int cut_of_row(const Kernel<S>&, int);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
