#include "lithe/kinematics/motion.hpp"

#include <algorithm>
#include <cstddef>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/lift.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

const std::vector<ClosureRow>& closure_rows(const Plan& plan, const Workspace& work) {
  return work.uses_planar_arithmetic() ? plan.compiled().planar->rows : plan.compiled().spatial.rows;
}

Status select_independent(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<int>& keep,
                          bool insist) {
  const Compiled& c = plan.compiled();
  SelectionRequest request;
  request.reluctance.assign(c.nv, Reluctance::none);
  const bool required = c.options.coordinates != Coordinates::automatic;
  for (int v : c.preferred) request.reluctance[v] = required ? Reluctance::required : Reluctance::preferred;
  for (int v = c.joint_nv; v < c.nv; ++v) request.reluctance[v] = Reluctance::elastic;
  for (int v : keep) request.reluctance[v] = Reluctance::kept;
  // A required set may be badly conditioned; it is given up only where it fails altogether.
  if (required) request.good_pivot = tolerance::rank;
  return with_kernel(work, [&](auto& k) -> Status {
    update_positions(k, q);
    const bool forced = detail::select(k, request);
    if (!forced || !(insist || required)) return {};
    // More motors than freedoms: some of them are dependent in every pose. A failure is a kept speed that is dependent
    // although fewer speeds are kept than there are freedoms; elastic coordinates that nobody asked for do not count.
    const auto freedoms = std::count_if(k.selection.independent.begin(), k.selection.independent.end(),
                                        [&](int v) { return request.reluctance[v] != Reluctance::elastic; });
    for (const Reluctance least : {Reluctance::kept, Reluctance::required}) {
      const auto counts = [&](int v) {
        return request.reluctance[v] >= least && request.reluctance[v] != Reluctance::elastic;
      };
      int wanted = 0;
      for (int v = 0; v < c.nv; ++v) wanted += counts(v);
      const auto& independent = k.selection.independent;
      const auto kept = std::count_if(independent.begin(), independent.end(), counts);
      if (kept == std::min<std::ptrdiff_t>(wanted, freedoms)) continue;
      for (int i = 0; i < k.dependents(); ++i)
        if (counts(k.selection.dependent[i]))
          return {Status::Code::singular_closure, closure_of_row(k, k.selection.rows[i]), 1.0 / tolerance::rank};
    }
    return {};
  });
}

Status project_positions(const Plan&, Workspace& work, VectorX& q, double tolerance) {
  return with_kernel(work, [&](auto& k) { return project(k, q, tolerance); });
}

Status complete_speeds(const Plan&, Workspace& work, const VectorX& q, VectorX& v) {
  return with_kernel(work, [&](auto& k) -> Status {
    if (k.row_count == 0) return {};
    update_positions(k, q);
    if (Status status = update_complement(k); !status) return status;
    complete_dependent(k, k.K, v, v);
    return {};
  });
}

Status complete_accelerations(const Plan&, Workspace& work, const State& state, VectorX& a) {
  return with_kernel(work, [&](auto& k) -> Status {
    if (k.row_count == 0) return {};
    update_positions(k, state.q);
    if (Status status = update_complement(k); !status) return status;
    update_motion(k, state.v, nullptr);
    update_closure_bias(k);
    update_dependent_bias(k, state.v);
    complete_dependent(k, k.K, a, a);
    add_dependent_bias(k, a);
    return {};
  });
}

void closure_jacobian(const Plan&, Workspace& work, const VectorX& q, MatrixX& A) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    update_closures(k);
    A.setZero(k.row_count, k.nv);
    for (const LoopBlock& loop : k.loops) A(loop.cluster->rows, loop.cluster->speeds) = loop.A;
  });
}

void closure_bias(const Plan&, Workspace& work, const State& state, VectorX& gamma) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, state.q);
    update_closures(k);
    update_motion(k, state.v, nullptr);
    update_closure_bias(k);
    gamma = k.gamma;
  });
}

void closure_values(const Plan&, Workspace& work, const VectorX& q, VectorX& c) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    update_closure_values(k);
    c = k.c;
  });
}

Status loop_complement(const Plan&, Workspace& work, const VectorX& q, MatrixX& N) {
  return with_kernel(work, [&](auto& k) -> Status {
    update_positions(k, q);
    if (Status status = update_complement(k); !status) return status;
    N.setZero(k.nv, k.independents());
    for (int j = 0; j < k.independents(); ++j) N(k.selection.independent[j], j) = 1.0;
    for (std::size_t b = 0; b < k.loops.size(); ++b)
      for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
        const int speed = k.loops[b].dependent_speeds[r];
        for_each_slope(k.loops[b], k.K[b], r, [&](Eigen::Index j, double slope) { N(speed, j) = slope; });
      }
    return {};
  });
}

Pose frame_pose(const Plan&, Workspace& work, const VectorX& q, FrameRef frame) {
  return with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    update_world(k);
    return detail::frame_pose(k, frame);
  });
}

namespace {

NodeMotion moved_frame(Workspace& work, const State& state, const VectorX* a, FrameRef frame) {
  return with_kernel(work, [&](auto& k) {
    update_positions(k, state.q);
    update_world(k);
    a != nullptr ? update_motion(k, state.v, a) : update_velocities(k, state.v);
    return frame_motion(k, frame);
  });
}

}  // namespace

Twist frame_velocity(const Plan&, Workspace& work, const State& state, FrameRef frame) {
  const NodeMotion m = moved_frame(work, state, nullptr, frame);
  return {m.omega, m.velocity};
}

Twist frame_acceleration(const Plan&, Workspace& work, const State& state, const VectorX& a, FrameRef frame) {
  const NodeMotion m = moved_frame(work, state, &a, frame);
  return {m.alpha, m.acceleration};
}

namespace {

/// Columns of the velocity (angular; linear at `point`) of everything carried by `node`, ground axes, rows from `row`
/// on.
void add_node_columns(const Kernel<Spatial>& k, int node, const Vec3& point, int row, MatrixX& J) {
  const auto add_mount = [&](int mount, double sign) {
    if (mount < 0) return;
    const ElasticBody<Spatial>& body = k.tables.bodies[k.tables.mounts[mount].body];
    const Pose at = node_pose(k, body.node);
    const MountState<Spatial>& m = k.mounts[mount];
    const Vec3 arm = at.rotation.transpose() * (point - at * m.position);
    J.block(row, body.v, 3, body.count) += sign * at.rotation * m.turn;
    J.block(row + 3, body.v, 3, body.count) += sign * at.rotation * (m.shape - skew(arm) * m.turn);
  };
  for (; node >= 0; node = k.tables.nodes[node].parent) {
    const Node<Spatial>& table = k.tables.nodes[node];
    const NodeState<Spatial>& s = k.nodes[node];
    add_mount(table.mount, 1.0);
    if (table.kind == NodeKind::elastic) {
      add_mount(table.inboard, -1.0);
      continue;
    }
    const Mat3 axes =
        table.kind == NodeKind::spherical ? Mat3(s.world_rotation * k.spherical_axes[node]) : s.world_rotation;
    for (int i = 0; i < table.nv; ++i) {
      const Vec3 axis = table.nv == 1 ? axes.col(2) : axes.col(i);
      if (table.kind == NodeKind::prismatic) {
        J.block<3, 1>(row + 3, table.v) = axis;
      } else {
        J.block<3, 1>(row, table.v + i) = axis;
        J.block<3, 1>(row + 3, table.v + i) = axis.cross(point - s.world_position);
      }
    }
  }
}

Kernel<Spatial>& placed_spatial(const Plan& plan, Workspace& work, const VectorX& q) {
  Kernel<Spatial>& k = work.scratch().spatial(plan.compiled());
  update_positions(k, q);
  update_world(k);
  return k;
}

}  // namespace

void frame_jacobian(const Plan& plan, Workspace& work, const VectorX& q, FrameRef frame, MatrixX& J) {
  const Kernel<Spatial>& k = placed_spatial(plan, work, q);
  J.setZero(6, plan.nv());
  const LinkPlace& place = plan.compiled().links[frame.link];
  add_node_columns(k, place.node, detail::frame_pose(k, frame).position, 0, J);
  const LinkData& link = plan.mechanism().links[frame.link];
  const ElasticPlace& elastic = plan.elastic_places()[frame.link];
  if (elastic.count == 0 || place.node < 0) return;
  const Mat3 axes = (node_pose(k, place.node) * place.pose).rotation;
  const Eigen::Ref<const VectorX> eta = elastic_part(k, frame.link);
  const FrameDeformation<double> d(link, frame.frame, eta);
  for (int j = 0; j < elastic.count; ++j) {
    J.block<3, 1>(0, elastic.v + j) += axes * d.turn(j);
    J.block<3, 1>(3, elastic.v + j) += axes * d.shape(j);
  }
}

void link_jacobian(const Plan& plan, Workspace& work, const VectorX& q, int link, MatrixX& J) {
  const Kernel<Spatial>& k = placed_spatial(plan, work, q);
  const LinkPlace& place = plan.compiled().links[link];
  J.setZero(6, plan.nv());
  add_node_columns(k, place.node, node_pose(k, place.node) * place.pose.position, 0, J);
}

void tree_complement(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& T) {
  const Kernel<Spatial>& k = placed_spatial(plan, work, q);
  const Compiled& c = plan.compiled();
  const int links = static_cast<int>(c.links.size());
  T.setZero(6 * (links - 1), plan.nv());
  for (int i = 1; i < links; ++i) {
    const Vec3 centre = node_pose(k, c.links[i].node) * (c.links[i].pose * c.mechanism.links[i].centre);
    add_node_columns(k, c.links[i].node, centre, 6 * (i - 1), T);
  }
}

void cut_coordinates(const Plan& plan, Workspace& work, const VectorX& q, VectorX& cut_q) {
  cut_q.resize(plan.cut_nq());
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    update_world(k);
    cut_coordinates_from_world(k, cut_q);
  });
}

void cut_speeds(const Plan& plan, Workspace& work, const State& state, VectorX& cut_v) {
  cut_v.resize(plan.cut_nv());
  with_kernel(work, [&](auto& k) {
    update_positions(k, state.q);
    update_world(k);
    update_velocities(k, state.v);
    cut_speeds_from_motion(k, cut_v);
  });
}

void cut_accelerations(const Plan& plan, Workspace& work, const State& state, const VectorX& a, VectorX& cut_a) {
  cut_a.resize(plan.cut_nv());
  with_kernel(work, [&](auto& k) {
    update_positions(k, state.q);
    update_world(k);
    update_motion(k, state.v, &a);
    cut_accelerations_from_motion(k, cut_a);
  });
}

void cut_jacobian(const Plan&, Workspace& work, const VectorX& q, MatrixX& J) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    RowMatrix rows;
    cut_speed_jacobian(k, rows);
    J = rows;
  });
}

MatrixX speed_jacobian(const Plan& plan, Workspace& work, const VectorX& q, std::span<const int> speeds) {
  MatrixX cut, rows = MatrixX::Zero(std::ssize(speeds), plan.nv());
  const auto is_cut = [&](int speed) { return speed >= plan.nv(); };
  if (std::any_of(speeds.begin(), speeds.end(), is_cut)) cut_jacobian(plan, work, q, cut);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const int speed = speeds[i];
    if (is_cut(speed))
      rows.row(i) = cut.row(speed - plan.nv());
    else
      rows(i, speed) = 1.0;
  }
  return rows;
}

}  // namespace lithe
