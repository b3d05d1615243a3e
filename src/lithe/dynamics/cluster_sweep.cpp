#include "lithe/dynamics/cluster_sweep.hpp"

#include <algorithm>

#include "lithe/dynamics/articulated_node.hpp"
#include "lithe/dynamics/cholesky.hpp"
#include "lithe/dynamics/composite_sweep.hpp"
#include "lithe/dynamics/elastic_body.hpp"

namespace lithe::detail {

namespace {

/// The freedoms of an elastic link or of loops, eliminated.
template <class S>
struct Release {
  static constexpr int size = S::angular_size + S::linear_size;
  RowMatrix G;                                                     ///< inertia, then its factor L
  Eigen::Matrix<double, size, Eigen::Dynamic> W;                   ///< wrench on the carrier, per freedom
  Eigen::Matrix<double, Eigen::Dynamic, size, Eigen::RowMajor> Z;  ///< L^-1 W^T
  VectorX drive;                                                   ///< L^-1 force
  VectorX y;                                                       ///< accelerations

  void resize(int count) {
    G.setZero(count, count);
    W.setZero(size, count);
    Z.setZero(count, size);
    drive.setZero(count);
    y.setZero(count);
  }

  void put_column(int j, const NodeWrench<S>& wrench) {
    W.col(j).template head<S::angular_size>() = S::column(wrench.moment);
    W.col(j).template tail<S::linear_size>() = wrench.force;
  }

  /// A freedom that does not give way.
  void hold(int p) {
    for (Eigen::Index i = 0; i < G.rows(); ++i) G(std::max<Eigen::Index>(i, p), std::min<Eigen::Index>(i, p)) = 0.0;
    G(p, p) = 1.0;
    W.col(p).setZero();
    drive[p] = 0.0;
  }

  /// Takes what the freedoms give way off the inertia, and what their forces do onto the wrench. Returns the freedom
  /// without inertia, or -1.
  int eliminate(ArticulatedInertia<S>& inertia, NodeWrench<S>& wrench) {
    constexpr int A = S::angular_size, L = S::linear_size;
    if (const int failed = factor_positive(G); failed >= 0) return failed;
    solve_lower(G, drive.data());
    const Eigen::Index n = G.rows();
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::Matrix<double, 1, size> row = W.col(i).transpose();
      for (Eigen::Index j = 0; j < i; ++j) row -= G(i, j) * Z.row(j);
      Z.row(i) = row / G(i, i);
      const Eigen::Matrix<double, size, 1> z = Z.row(i).transpose();
      const Eigen::Matrix<double, A, 1> n_part = z.template head<A>();
      const Eigen::Matrix<double, L, 1> f_part = z.template tail<L>();
      inertia.nn.noalias() -= n_part * n_part.transpose();
      inertia.nf.noalias() -= n_part * f_part.transpose();
      inertia.ff.noalias() -= f_part * f_part.transpose();
      wrench.moment += S::from_column(Eigen::Matrix<double, A, 1>(n_part * drive[i]));
      wrench.force += f_part * drive[i];
    }
    return -1;
  }

  /// The accelerations y'' when the carrier accelerates as given.
  void solve(const NodeAcceleration<S>& carrier) {
    Eigen::Matrix<double, size, 1> motion;
    motion.template head<S::angular_size>() = S::column(carrier.alpha);
    motion.template tail<S::linear_size>() = carrier.linear;
    for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = drive[i] - Z.row(i).dot(motion);
    solve_transposed(G, y.data());
  }
};

/// Tree inertia of one cluster, by the speeds of the whole.
struct LocalMatrix {
  RowMatrix& values;
  const int* column;
  double& operator()(int row, int other) { return values(column[row], column[other]); }
};

template <class S>
struct LoopMemory {
  RowMatrix H;                                                ///< inertia of the tree speeds of the cluster
  Eigen::Matrix<double, Release<S>::size, Eigen::Dynamic> F;  ///< wrench on the base, per tree speed
  RowMatrix HN;
};

template <class S>
struct ClusterMemory {
  explicit ClusterMemory(const Kernel<S>& k)
      : all(k),
        wrenches(k.nodes.size()),
        accelerations(k.nodes.size()),
        force(VectorX::Zero(k.nv)),
        releases(k.bodies.size()) {
    if (!k.compiled.quaternions.empty()) spheres.resize(k.nodes.size());
    for (std::size_t i = 0; i < k.bodies.size(); ++i) releases[i].resize(k.tables.bodies[i].count);
    loops.resize(k.loops.size());
    loop_releases.resize(k.loops.size());
    int next = 0;
    for (const Cluster& cluster : k.tables.clusters) loop_of_cluster.push_back(cluster.cuts.empty() ? -1 : next++);
  }

  /// Makes the matrices fit the independent speeds of the kernel.
  void fit(const Kernel<S>& k) {
    for (std::size_t b = 0; b < loops.size(); ++b) {
      const auto speeds = static_cast<Eigen::Index>(k.loops[b].cluster->speeds.size());
      const int f = static_cast<int>(k.loops[b].independent.size());
      if (loops[b].H.rows() == speeds && loops[b].HN.cols() == f) continue;
      loops[b].H.setZero(speeds, speeds);
      loops[b].F.setZero(Release<S>::size, speeds);
      loops[b].HN.setZero(speeds, f);
      loop_releases[b].resize(f);
    }
  }

  Composites<S, Articulated<S>> all;
  std::vector<ArticulatedSphere> spheres;
  std::vector<NodeWrench<S>> wrenches;  ///< on each node by what it carries
  std::vector<NodeAcceleration<S>> accelerations;
  VectorX force;                     ///< what is left of the forces for the freedoms
  std::vector<Release<S>> releases;  ///< per elastic link that is a cluster of its own
  std::vector<LoopMemory<S>> loops;  ///< per block of loops
  std::vector<Release<S>> loop_releases;
  std::vector<int> loop_of_cluster;
};

/// What a node has become acts on `parent` through place `mount`, given about the parent's origin in its axes.
template <class S>
void load_parent(const Kernel<S>& k, ClusterMemory<S>& memory, int parent, int mount,
                 const ArticulatedInertia<S>& inertia, const NodeWrench<S>& wrench) {
  if (parent < 0) return;
  if (mount >= 0) {
    load_mount(k, mount, inertia, memory.all.bodies[k.tables.nodes[parent].body]);
    add_mount_force(k, mount, wrench.force, wrench.moment, -1.0, memory.force);
  }
  memory.all.nodes[parent] += inertia;
  memory.wrenches[parent] += wrench;
}

/// Takes the wrench on a node off the forces along its speeds.
template <class S>
void resist(const Kernel<S>& k, std::size_t i, const NodeWrench<S>& wrench, VectorX& force) {
  const Node<S>& node = k.tables.nodes[i];
  switch (node.kind) {
    case NodeKind::revolute:
      force[node.v] -= S::along_turn(wrench.moment, node.sign);
      break;
    case NodeKind::prismatic:
      force[node.v] -= S::along_slide(wrench.force);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) force.segment<3>(node.v) -= k.spherical_axes[i].transpose() * wrench.moment;
      break;
    case NodeKind::elastic:
      if (node.inboard >= 0) add_mount_force(k, node.inboard, wrench.force, wrench.moment, 1.0, force);
      break;
    case NodeKind::fixed:
      break;
  }
}

/// An elastic link by itself gives way. Returns the speed without inertia, or -1.
template <class S>
int release_elastic(const Kernel<S>& k, ClusterMemory<S>& memory, std::size_t i) {
  const Node<S>& node = k.tables.nodes[i];
  CompositeBody<S>& body = memory.all.bodies[node.body];
  Release<S>& release = memory.releases[node.body];
  if (node.inboard >= 0) release_inboard(k, i, memory.all.nodes[i], body);
  resist(k, i, memory.wrenches[i], memory.force);
  release.G = body.inertia;
  for (int j = 0; j < node.nv; ++j) {
    release.put_column(j, body.column(j));
    release.drive[j] = memory.force[node.v + j];
  }
  for (int j = 0; j < node.nv; ++j)
    if (k.prescribed[node.v + j]) release.hold(j);
  const int failed = release.eliminate(memory.all.nodes[i], memory.wrenches[i]);
  return failed < 0 ? -1 : node.v + failed;
}

/// A single node gives way. Returns the speed without inertia, or -1.
template <class S>
int release_node(const Kernel<S>& k, ClusterMemory<S>& memory, std::size_t i) {
  const Node<S>& node = k.tables.nodes[i];
  if (node.kind == NodeKind::elastic) return release_elastic(k, memory, i);
  if (node.kind == NodeKind::fixed || k.prescribed[node.v]) return -1;
  Articulated<S>& x = memory.all.nodes[i];
  NodeWrench<S>& wrench = memory.wrenches[i];
  x.bias_moment = S::column(wrench.moment);
  x.bias_force = wrench.force;
  bool released = true;
  if (node.kind != NodeKind::spherical)
    released = release_axis(node, x, memory.force[node.v]);
  else if constexpr (!S::planar)
    released = release_sphere(k, i, memory.force, x, memory.spheres[i]);
  if (!released) return node.v;
  wrench.moment = S::from_column(x.bias_moment);
  wrench.force = x.bias_force;
  return -1;
}

/// Inertia of a cluster with all it carries: of its speeds into H, between them and the base into F, and of the base
/// itself, with the wrench on it, about the origin of the base node in its axes.
template <class S>
void gather_loops(const Kernel<S>& k, ClusterMemory<S>& memory, const LoopBlock& loop, LoopMemory<S>& m,
                  ArticulatedInertia<S>& base_inertia, NodeWrench<S>& base_wrench) {
  const Cluster& cluster = *loop.cluster;
  base_inertia.clear();
  base_wrench = {};
  m.H.setZero();
  LocalMatrix H{m.H, k.column.data()};
  for (std::size_t at = cluster.nodes.size(); at-- > 0;) {
    const auto i = static_cast<std::size_t>(cluster.nodes[at]);
    const Node<S>& node = k.tables.nodes[i];
    const NodeState<S>& s = k.nodes[i];
    // The forces of the node, then the node itself onto what carries it.
    resist(k, i, memory.wrenches[i], memory.force);
    const ArticulatedInertia<S> inertia = memory.all.nodes[i].seen_from(s.rotation, s.position);
    const NodeWrench<S> wrench = memory.wrenches[i].seen_from(s.rotation, s.position);
    if (node.parent != cluster.base) {
      load_parent(k, memory, node.parent, node.mount, inertia, wrench);
    } else {
      base_inertia += inertia;
      base_wrench += wrench;
    }
    if (node.kind == NodeKind::elastic) {
      CompositeBody<S>& body = memory.all.bodies[node.body];
      if (node.inboard >= 0) release_inboard(k, i, memory.all.nodes[i], body);
      write_elastic_block(node, body.inertia, H);
    }
    for (int index = 0; index < node.nv; ++index) {
      const int speed = node.v + index;
      NodeWrench<S> column = own_column(k, memory.all, i, index);
      if (node.kind != NodeKind::elastic) project_column(k, i, column, speed, H);
      const int root = project_inwards(k, i, cluster.base, column, speed, H);
      column = column.seen_from(k.nodes[root].rotation, k.nodes[root].position);
      m.F.col(k.column[speed]).template head<S::angular_size>() = S::column(column.moment);
      m.F.col(k.column[speed]).template tail<S::linear_size>() = column.force;
    }
  }
}

/// Loops give way: what they carry is projected onto their independent speeds and eliminated.
template <class S>
int release_loops(const Kernel<S>& k, ClusterMemory<S>& memory, std::size_t block) {
  const LoopBlock& loop = k.loops[block];
  const RowMatrix& K = k.K[block];
  LoopMemory<S>& m = memory.loops[block];
  Release<S>& release = memory.loop_releases[block];
  ArticulatedInertia<S> inertia;
  NodeWrench<S> wrench;
  gather_loops(k, memory, loop, m, inertia, wrench);

  const Eigen::Index n = m.H.rows(), f = K.cols(), d = K.rows();
  // H N, then G = N^T H N, W = F N and N^T force.
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < f; ++j) {
      double sum = m.H(i, loop.independent[j]);
      for (Eigen::Index r = 0; r < d; ++r) sum += m.H(i, loop.dependent[r]) * K(r, j);
      m.HN(i, j) = sum;
    }
  for (Eigen::Index i = 0; i < f; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double sum = m.HN(loop.independent[i], j);
      for (Eigen::Index r = 0; r < d; ++r) sum += K(r, i) * m.HN(loop.dependent[r], j);
      release.G(i, j) = sum;
    }
    release.W.col(i) = m.F.col(loop.independent[i]);
    release.drive[i] = memory.force[loop.independent_speeds[i]];
    for (Eigen::Index r = 0; r < d; ++r) {
      release.W.col(i) += m.F.col(loop.dependent[r]) * K(r, i);
      release.drive[i] += memory.force[loop.dependent_speeds[r]] * K(r, i);
    }
  }
  for (Eigen::Index i = 0; i < f; ++i)
    if (k.prescribed[loop.independent_speeds[i]]) release.hold(static_cast<int>(i));
  const int failed = release.eliminate(inertia, wrench);
  if (failed >= 0) return loop.independent_speeds[failed];
  load_parent(k, memory, loop.cluster->base, loop.cluster->mount, inertia, wrench);
  return -1;
}

/// How a place on a node accelerates, seen at the node origin in its axes; at rest for the ground.
template <class S>
NodeAcceleration<S> carrier_acceleration(const Kernel<S>& k, const ClusterMemory<S>& memory, int node, int mount,
                                         const VectorX& a) {
  if (node < 0) return {};
  NodeAcceleration<S> motion = memory.accelerations[node];
  if (mount < 0) return motion;
  for (int j = 0; j < k.tables.nodes[node].nv; ++j) {
    const NodeAcceleration<S> column = mount_column(k.mounts[mount], j);
    motion.alpha += a[k.tables.nodes[node].v + j] * column.alpha;
    motion.linear += a[k.tables.nodes[node].v + j] * column.linear;
  }
  return motion;
}

/// Adds what the node's own speeds do.
template <class S>
void add_own(const Kernel<S>& k, std::size_t i, const VectorX& a, NodeAcceleration<S>& motion) {
  const Node<S>& node = k.tables.nodes[i];
  switch (node.kind) {
    case NodeKind::revolute:
      S::add_turn(motion.alpha, a[node.v], node.sign);
      break;
    case NodeKind::prismatic:
      S::add_slide(motion.linear, a[node.v]);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) motion.alpha += k.spherical_axes[i] * a.template segment<3>(node.v);
      break;
    case NodeKind::elastic:
      for (int j = 0; j < node.nv && node.inboard >= 0; ++j) {
        const NodeAcceleration<S> column = mount_column(k.mounts[node.inboard], j);
        motion.alpha -= a[node.v + j] * column.alpha;
        motion.linear -= a[node.v + j] * column.linear;
      }
      break;
    case NodeKind::fixed:
      break;
  }
}

/// Accelerations of one node that is in no loop, when its carrier accelerates.
template <class S>
void move_node(const Kernel<S>& k, ClusterMemory<S>& memory, std::size_t i, VectorX& a) {
  const Node<S>& node = k.tables.nodes[i];
  NodeAcceleration<S> motion =
      carrier_acceleration(k, memory, node.parent, node.mount, a).carried_to(k.nodes[i].rotation, k.nodes[i].position);
  if (node.kind == NodeKind::elastic) {
    Release<S>& release = memory.releases[node.body];
    release.solve(motion);
    for (int j = 0; j < node.nv; ++j) a[node.v + j] = release.y[j];
    add_own(k, i, a, motion);
  } else if (node.kind != NodeKind::fixed && !k.prescribed[node.v]) {
    const Articulated<S>& x = memory.all.nodes[i];
    Eigen::Matrix<double, S::angular_size, 1> turning = S::column(motion.alpha);
    if (node.kind != NodeKind::spherical)
      a[node.v] = release_acceleration(node, x, turning, motion.linear);
    else if constexpr (!S::planar)
      a.template segment<3>(node.v) =
          release_acceleration(memory.spheres[i], k.spherical_axes[i], turning, motion.linear);
    motion.alpha = S::from_column(turning);
  }
  memory.accelerations[i] = motion;
}

/// The same of loops.
template <class S>
void move_loops(const Kernel<S>& k, ClusterMemory<S>& memory, std::size_t block, VectorX& a) {
  const LoopBlock& loop = k.loops[block];
  const RowMatrix& K = k.K[block];
  Release<S>& release = memory.loop_releases[block];
  const Cluster& cluster = *loop.cluster;
  release.solve(carrier_acceleration(k, memory, cluster.base, cluster.mount, a));
  for (std::size_t i = 0; i < loop.independent.size(); ++i) a[loop.independent_speeds[i]] = release.y[i];
  for (Eigen::Index r = 0; r < K.rows(); ++r) {
    double sum = 0.0;
    for (Eigen::Index j = 0; j < K.cols(); ++j) sum += K(r, j) * release.y[j];
    a[loop.dependent_speeds[r]] = sum;
  }
  for (const int node : cluster.nodes) {
    const auto i = static_cast<std::size_t>(node);
    const Node<S>& table = k.tables.nodes[i];
    NodeAcceleration<S> motion = carrier_acceleration(k, memory, table.parent, table.mount, a)
                                     .carried_to(k.nodes[i].rotation, k.nodes[i].position);
    add_own(k, i, a, motion);
    memory.accelerations[i] = motion;
  }
}

}  // namespace

template <class S>
Status cluster_accelerations(Kernel<S>& k, const VectorX& force, VectorX& a) {
  ClusterMemory<S>& memory = k.memory.template of<ClusterMemory<S>>(k);
  memory.fit(k);
  update_bodies(k);
  start_composites(k, memory.all);
  std::fill(memory.wrenches.begin(), memory.wrenches.end(), NodeWrench<S>{});
  memory.force = force;
  a.setZero();
  const std::vector<Cluster>& clusters = k.tables.clusters;
  // Inwards: each cluster gives way, and what carries it feels what is left.
  for (std::size_t c = clusters.size(); c-- > 0;) {
    int failed = -1;
    if (const int block = memory.loop_of_cluster[c]; block >= 0) {
      failed = release_loops(k, memory, static_cast<std::size_t>(block));
    } else {
      const auto i = static_cast<std::size_t>(clusters[c].nodes.front());
      const Node<S>& node = k.tables.nodes[i];
      const NodeState<S>& s = k.nodes[i];
      failed = release_node(k, memory, i);
      if (failed < 0 && node.parent >= 0)
        load_parent(k, memory, node.parent, node.mount, memory.all.nodes[i].seen_from(s.rotation, s.position),
                    memory.wrenches[i].seen_from(s.rotation, s.position));
    }
    if (failed >= 0) return {Status::Code::singular_inertia, failed, 0.0};
  }
  // Outwards: with the acceleration of its carrier known, a cluster knows its own.
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (const int block = memory.loop_of_cluster[c]; block >= 0)
      move_loops(k, memory, static_cast<std::size_t>(block), a);
    else
      move_node(k, memory, static_cast<std::size_t>(clusters[c].nodes.front()), a);
  }
  return {};
}

template <class S>
bool prefers_clusters(const Kernel<S>& k) {
  // Measured (bench): the recursion wins from about nine freedoms on, unless most of them are in the same loops or link.
  constexpr int many = 9;
  int largest = 0;
  for (const LoopBlock& loop : k.loops) largest = std::max(largest, static_cast<int>(loop.independent.size()));
  for (const ElasticBody<S>& body : k.tables.bodies) largest = std::max(largest, body.count);
  return k.independents() >= std::max(many, 2 * largest);
}

#define LITHE_INSTANTIATE(S)                                                   \
  template Status cluster_accelerations(Kernel<S>&, const VectorX&, VectorX&); \
  template bool prefers_clusters(const Kernel<S>&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
