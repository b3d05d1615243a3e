#include "lithe/kinematics/kernel.hpp"

#include <cassert>
#include <cstring>
#include <numeric>

#include "lithe/kinematics/crossing.hpp"

namespace lithe::detail {

namespace {

/// Are these the values that are stored, to the last bit?
bool holds(const VectorX& stored, const VectorX& wanted) {
  // Fixed joints only: there is nothing to compare, not even an address.
  return wanted.size() == 0 ||
         std::memcmp(stored.data(), wanted.data(), sizeof(double) * static_cast<std::size_t>(wanted.size())) == 0;
}

template <class S>
void size_elastic_states(Kernel<S>& k) {
  for (std::size_t i = 0; i < k.bodies.size(); ++i) {
    const int n = k.tables.bodies[i].count;
    BodyState<S>& b = k.bodies[i];
    b.translation = k.tables.bodies[i].translation;
    b.rotation = k.tables.bodies[i].rotation;
    b.second_slope = k.tables.bodies[i].second_linear;
    b.square.setZero(k.tables.bodies[i].count, static_cast<Eigen::Index>(k.tables.bodies[i].squares.size()));
    for (VectorX* x : {&b.rate, &b.acceleration, &b.load}) x->setZero(n);
  }
  for (std::size_t i = 0; i < k.mounts.size(); ++i) {
    k.mounts[i].shape = k.tables.mounts[i].shape;
    k.mounts[i].turn = k.tables.mounts[i].turn;
  }
}

}  // namespace

template <class S>
Kernel<S>::Kernel(const Compiled& plan, const Tables<S>& arithmetic_tables)
    : compiled(plan),
      tables(arithmetic_tables),
      nv(plan.nv),
      row_count(static_cast<int>(arithmetic_tables.rows.size())),
      nodes(arithmetic_tables.nodes.size()),
      cuts(arithmetic_tables.cuts.size()),
      mounts(arithmetic_tables.mounts.size()),
      bodies(arithmetic_tables.bodies.size()),
      q(VectorX::Zero(plan.nq)),
      v(VectorX::Zero(plan.nv)),
      c(VectorX::Zero(row_count)),
      gamma(VectorX::Zero(row_count)),
      cut_size(arithmetic_tables.cuts.size()),
      anchor(VectorX::Zero(plan.nq)),
      scratch_v(VectorX::Zero(nv)),
      scratch_c(VectorX::Zero(row_count)),
      prescribed(plan.nv, 0) {
  if constexpr (!S::planar) spherical_axes.assign(nodes.size(), Mat3::Identity());
  size_elastic_states(*this);
  cut_places.resize(cuts.size());
  column.assign(plan.nv, -1);
  for (const Cluster& cluster : tables.clusters) {
    if (cluster.cuts.empty()) continue;
    int row = 0;
    for (const int cut : cluster.cuts) {
      cut_places[cut] = {static_cast<int>(loops.size()), row};
      row += static_cast<int>(tables.cuts[cut].rows.size());
    }
    for (std::size_t j = 0; j < cluster.speeds.size(); ++j) column[cluster.speeds[j]] = static_cast<int>(j);
    loops.emplace_back(cluster);
  }
  K.resize(loops.size());
  // Without closures there is nothing to choose.
  if (row_count == 0) {
    selection.independent.resize(nv);
    std::iota(selection.independent.begin(), selection.independent.end(), 0);
    selection.independent_position = selection.independent;
  }
}

template <class S>
void Kernel<S>::resize_for_selection() {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i].take(selection, compiled.speed_scale);
    K[i].setZero(static_cast<Eigen::Index>(loops[i].dependent.size()),
                 static_cast<Eigen::Index>(loops[i].independent.size()));
  }
  dependent_bias.setZero(dependents());
  complement_valid = bias_valid = crosses = false;
  if (crossing) crossing->known = false;
}

namespace {

/// Rotation of a spherical node, and its turning axes in node axes.
void update_spherical(Kernel<Spatial>& k, std::size_t i, const Mat3& base) {
  const Node<Spatial>& node = k.tables.nodes[i];
  NodeState<Spatial>& s = k.nodes[i];
  const double* x = k.q.data() + node.q;
  const Mat3 turn = Quat(x[0], x[1], x[2], x[3]).normalized().toRotationMatrix();
  if (node.reversed) {
    s.rotation = base * turn.transpose();
    k.spherical_axes[i] = -turn;
  } else {
    s.rotation = base * turn;
  }
}

/// One component of what moves by shape x - x^T F x / 2: its value, and its slope into row `a` of `slope`.
template <class Rows, class Vector>
double foreshortened(const Rows& shape, int a, const MatrixX& F, const Vector& x, Rows& slope) {
  double sum = 0.0;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double bent = column_product(F, j, x);
    slope(a, j) = shape(a, j) - bent;
    sum += (shape(a, j) - 0.5 * bent) * x[j];
  }
  return sum;
}

/// Where the mounts of an elastic link are, and how they move with its coordinates.
template <class S>
void update_mounts(Kernel<S>& k, const ElasticBody<S>& body) {
  const auto eta = k.q.segment(body.q, body.count);
  for (int index : body.mounts) {
    const Mount<S>& table = k.tables.mounts[index];
    MountState<S>& m = k.mounts[index];
    const Eigen::Matrix<double, S::angular_size, 1> angle = combine(table.turn, eta);
    m.rotation = S::rotation(angle);
    if constexpr (!S::planar) m.turn = S::turn_jacobian(angle).lazyProduct(table.turn);
    m.position = table.position;
    if (table.foreshortening[0].size() == 0) {
      m.position += combine(table.shape, eta);
    } else {
      for (int a = 0; a < S::linear_size; ++a)
        m.position[a] += foreshortened(table.shape, a, table.foreshortening[a], eta, m.shape);
    }
  }
}

}  // namespace

template <class S>
void update_positions(Kernel<S>& k, const VectorX& q) {
  if (k.positions_valid && holds(k.q, q)) return;
  k.q = q;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    typename S::Rotation base = node.base_rotation;
    s.position = node.base_position;
    if (node.mount >= 0) {
      const MountState<S>& mount = k.mounts[node.mount];
      base = S::compose(mount.rotation, base);
      s.position = mount.position + S::turn(mount.rotation, s.position);
    }
    switch (node.kind) {
      case NodeKind::revolute:
        s.rotation = S::turned(base, q[node.q], node.sign);
        break;
      case NodeKind::prismatic:
        s.rotation = base;
        s.position += S::slide_axis(base) * q[node.q];
        break;
      case NodeKind::spherical:
        if constexpr (!S::planar) update_spherical(k, i, base);
        break;
      case NodeKind::elastic:
        update_mounts(k, k.tables.bodies[node.body]);
        s.rotation = base;
        if (node.inboard >= 0) {
          const MountState<S>& held = k.mounts[node.inboard];
          s.rotation = S::compose(base, S::inverse(held.rotation));
          s.position -= S::turn(s.rotation, held.position);
        }
        break;
      case NodeKind::fixed:
        s.rotation = base;
        break;
    }
  }
  k.positions_valid = true;
  k.stage = MotionStage::nothing;
  k.world_valid = k.closures_valid = k.complement_valid = k.bias_valid = k.bodies_valid = k.crosses = false;
}

template <class S>
void update_bodies(Kernel<S>& k) {
  if (k.bodies_valid) return;
  for (std::size_t i = 0; i < k.bodies.size(); ++i) {
    const ElasticBody<S>& body = k.tables.bodies[i];
    const Node<S>& node = k.tables.nodes[body.node];
    BodyState<S>& b = k.bodies[i];
    const auto eta = k.q.segment(body.q, body.count);
    b.first = node.first;
    if (body.foreshortening[0].size() == 0) {
      b.first += combine(body.translation, eta);
    } else {
      for (int a = 0; a < S::linear_size; ++a)
        b.first[a] += foreshortened(body.translation, a, body.foreshortening[a], eta, b.translation);
    }
    for (std::size_t r = 0; r < body.squares.size(); ++r)
      b.square.col(static_cast<Eigen::Index>(r)) = body.squares[r].lazyProduct(eta);
    for (int c = 0; c < S::angular_size; ++c)
      for (int j = 0; j < body.count; ++j)
        b.rotation(c, j) = body.rotation(c, j) + column_product(body.coupling[c], j, eta);
    Eigen::Matrix<double, ElasticBody<S>::moments, 1> growth;
    growth.setZero();
    for (int c = 0; c < ElasticBody<S>::moments; ++c)
      for (int j = 0; j < body.count; ++j) {
        const double slope = column_product(body.second_quadratic[c], j, eta);
        growth[c] += (slope + body.second_linear(c, j)) * eta[j];
        b.second_slope(c, j) = 2.0 * slope + body.second_linear(c, j);
      }
    b.second = node.second + S::moment2(growth);
  }
  k.bodies_valid = true;
}

template <class S>
void update_world(Kernel<S>& k) {
  if (k.world_valid) return;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    NodeState<S>& s = k.nodes[i];
    const int parent = k.tables.nodes[i].parent;
    if (parent < 0) {
      s.world_rotation = s.rotation;
      s.world_position = s.position;
      continue;
    }
    const NodeState<S>& p = k.nodes[parent];
    s.world_rotation = S::compose(p.world_rotation, s.rotation);
    s.world_position = p.world_position + S::turn(p.world_rotation, s.position);
  }
  k.world_valid = true;
}

namespace {

/// Motion of a node whose frame would be carried along rigidly by `p` (a node or a mount), `offset` away from it.
template <class S, class Carrier>
void carry(const Carrier& p, const typename S::Linear& offset, NodeState<S>& s) {
  s.omega = S::turn_back_angular(s.rotation, p.omega);
  s.alpha = S::turn_back_angular(s.rotation, p.alpha);
  const typename S::Linear swing = S::spin(p.omega, offset);
  s.velocity = S::turn_back(s.rotation, p.velocity + swing);
  s.acceleration = S::turn_back(s.rotation, p.acceleration + S::spin(p.alpha, offset) + S::spin(p.omega, swing));
}

/// Motion of an elastic link: its own frame, given that of the place where it is held, then its mounts.
template <class S>
void move_elastic(Kernel<S>& k, std::size_t i, const VectorX& v, const VectorX* a) {
  const Node<S>& node = k.tables.nodes[i];
  const ElasticBody<S>& body = k.tables.bodies[node.body];
  BodyState<S>& b = k.bodies[node.body];
  NodeState<S>& s = k.nodes[i];
  b.rate = v.segment(node.v, node.nv);
  if (a)
    b.acceleration = a->segment(node.v, node.nv);
  else
    b.acceleration.setZero();
  for (int index : body.mounts) {
    const Mount<S>& table = k.tables.mounts[index];
    MountState<S>& m = k.mounts[index];
    m.slide = combine(m.shape, b.rate);
    m.slide_rate = combine(m.shape, b.acceleration);
    if (table.foreshortening[0].size() > 0)
      for (int c = 0; c < S::linear_size; ++c) m.slide_rate[c] -= quadratic_form(table.foreshortening[c], b.rate);
    const Eigen::Matrix<double, S::angular_size, 1> spin = combine(m.turn, b.rate);
    Eigen::Matrix<double, S::angular_size, 1> spin_rate = combine(m.turn, b.acceleration);
    if constexpr (!S::planar)
      spin_rate += S::turn_bias(combine(table.turn, k.q.segment(body.q, body.count)), combine(table.turn, b.rate));
    m.spin = S::from_column(spin);
    m.spin_rate = S::from_column(spin_rate);
  }
  if (node.inboard >= 0) {
    // What has been carried along is the held frame; the link frame moves against it.
    const MountState<S>& held = k.mounts[node.inboard];
    const typename S::Angular outer = s.omega, outer_alpha = s.alpha;
    const typename S::Linear& p = held.position;
    s.omega -= held.spin;
    s.alpha -= S::cross(s.omega, held.spin) + held.spin_rate;
    s.velocity += S::spin(held.spin, p) - held.slide;
    s.acceleration += S::spin(typename S::Angular(outer_alpha - s.alpha), p) + S::spin(outer, S::spin(outer, p)) -
                      S::spin(s.omega, S::spin(s.omega, p)) - 2.0 * S::spin(s.omega, held.slide) - held.slide_rate;
  }
  for (int index : body.mounts) {
    MountState<S>& m = k.mounts[index];
    m.omega = s.omega + m.spin;
    m.alpha = s.alpha + m.spin_rate + S::cross(s.omega, m.spin);
    const typename S::Linear swing = S::spin(s.omega, m.position);
    m.velocity = s.velocity + swing + m.slide;
    m.acceleration = s.acceleration + S::spin(s.alpha, m.position) + S::spin(s.omega, swing) +
                     2.0 * S::spin(s.omega, m.slide) + m.slide_rate;
  }
}

}  // namespace

template <class S>
void update_motion(Kernel<S>& k, const VectorX& v, const VectorX* a) {
  assert(k.positions_valid);
  if (a == nullptr && k.stage == MotionStage::bias && holds(k.v, v)) return;
  NodeState<S> ground;
  ground.omega = ground.alpha = S::zero_angular();
  ground.acceleration = -k.tables.gravity;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    if (node.mount >= 0) {
      const MountState<S>& mount = k.mounts[node.mount];
      carry(mount, typename S::Linear(s.position - mount.position), s);
    } else {
      carry(node.parent < 0 ? ground : k.nodes[node.parent], s.position, s);
    }
    const typename S::Angular carried = s.omega;
    switch (node.kind) {
      case NodeKind::revolute: {
        const double rate = v[node.v];
        S::add_turn(s.omega, rate, node.sign);
        s.alpha += S::cross_turn(carried, rate, node.sign);
        if (a) S::add_turn(s.alpha, (*a)[node.v], node.sign);
        break;
      }
      case NodeKind::prismatic: {
        const double rate = v[node.v];
        S::add_slide(s.velocity, rate);
        s.acceleration += S::spin_slide(carried, 2.0 * rate);
        if (a) S::add_slide(s.acceleration, (*a)[node.v]);
        break;
      }
      case NodeKind::spherical:
        if constexpr (!S::planar) {
          const Mat3& axes = k.spherical_axes[i];
          const Vec3 rate = axes * v.template segment<3>(node.v);
          s.omega += rate;
          s.alpha += carried.cross(rate);
          if (a) s.alpha += axes * a->template segment<3>(node.v);
        }
        break;
      case NodeKind::elastic:
        move_elastic(k, i, v, a);
        break;
      case NodeKind::fixed:
        break;
    }
  }
  k.v = v;
  k.stage = a != nullptr ? MotionStage::acceleration : MotionStage::bias;
}

template <class S>
void update_velocities(Kernel<S>& k, const VectorX& v) {
  if (k.stage == MotionStage::nothing || !holds(k.v, v)) update_motion(k, v, nullptr);
}

template struct Kernel<Spatial>;
template struct Kernel<Planar>;
template void update_positions(Kernel<Spatial>&, const VectorX&);
template void update_positions(Kernel<Planar>&, const VectorX&);
template void update_world(Kernel<Spatial>&);
template void update_world(Kernel<Planar>&);
template void update_bodies(Kernel<Spatial>&);
template void update_bodies(Kernel<Planar>&);
template void update_motion(Kernel<Spatial>&, const VectorX&, const VectorX*);
template void update_motion(Kernel<Planar>&, const VectorX&, const VectorX*);
template void update_velocities(Kernel<Spatial>&, const VectorX&);
template void update_velocities(Kernel<Planar>&, const VectorX&);

Scratch::Scratch(const Compiled& plan, Arithmetic arithmetic)
    : planar(plan.planar.has_value() && arithmetic == Arithmetic::automatic),
      cut_q(VectorX::Zero(plan.cut_nq)),
      cut_v(VectorX::Zero(plan.cut_nv)),
      cut_force(VectorX::Zero(plan.cut_nv)) {
  if (planar)
    flat.emplace(plan, *plan.planar);
  else
    full.emplace(plan, plan.spatial);
}

Kernel<Spatial>& Scratch::spatial(const Compiled& plan) {
  if (!full) full.emplace(plan, plan.spatial);
  return *full;
}

}  // namespace lithe::detail
