#include "lithe/mechanism/clusters.hpp"

#include <algorithm>
#include <numeric>

namespace lithe::detail {

namespace {

/// Sets of nodes that are united one after the other; a set is known by its first node.
class NodeSets {
 public:
  explicit NodeSets(std::size_t count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), 0); }

  int leader(int node) {
    while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
    return node;
  }

  void unite(int a, int b) {
    const auto [first, second] = std::minmax({leader(a), leader(b)});
    leader_[second] = first;
  }

 private:
  std::vector<int> leader_;
};

/// Unites what lies on the way of a loop: both sides up to the node that carries both, and that one too where it bends
/// between them.
template <class S>
void unite_loop(const Tables<S>& tables, const Cut<S>& cut, NodeSets& sets) {
  if (cut.rows.empty() || cut.path.empty()) return;
  const int first = cut.path.front().node;
  for (const PathNode& step : cut.path) sets.unite(first, step.node);
  // Nodes without a speed are not on the path, but stand between nodes that are. Parents come before their children.
  int from = cut.from.node, to = cut.to.node;
  while (from != to) {
    int& outer = from > to ? from : to;
    sets.unite(first, outer);
    outer = tables.nodes[outer].parent;
  }
}

/// Unites the nodes that a coupling ties with all that stand between them.
template <class S>
void unite_tied(const Tables<S>& tables, const Tie& tie, NodeSets& sets) {
  const int first = tie.terms.front().node;
  for (const Tie::Term& term : tie.terms) {
    int a = first, b = term.node, mount_a = -1, mount_b = -1;
    while (a != b) {
      int& outer = a > b ? a : b;
      (a > b ? mount_a : mount_b) = tables.nodes[outer].mount;
      sets.unite(first, outer);
      outer = tables.nodes[outer].parent;
    }
    sets.unite(first, term.node);
    // The node that carries both belongs to them where it bends between them.
    const bool carries = a >= 0 && a != first && a != term.node;
    if (carries && mount_a != mount_b) sets.unite(first, a);
  }
}

}  // namespace

template <class S>
void find_clusters(Tables<S>& tables) {
  const int count = static_cast<int>(tables.nodes.size());
  NodeSets sets(tables.nodes.size());
  for (const Cut<S>& cut : tables.cuts) unite_loop(tables, cut, sets);
  for (const Tie& tie : tables.ties) unite_tied(tables, tie, sets);

  tables.clusters.clear();
  std::vector<int> cluster_of(tables.nodes.size(), -1);
  for (int node = 0; node < count; ++node) {
    // The leader is the first node of its set, so clusters come in the order of their first nodes: those that carry
    // others before them.
    const int leader = sets.leader(node);
    if (leader == node) {
      cluster_of[node] = static_cast<int>(tables.clusters.size());
      tables.clusters.push_back({tables.nodes[node].parent, tables.nodes[node].mount, {}, {}, {}, {}, {}});
    }
    cluster_of[node] = cluster_of[leader];
    Cluster& cluster = tables.clusters[cluster_of[node]];
    cluster.nodes.push_back(node);
    for (int j = 0; j < tables.nodes[node].nv; ++j) cluster.speeds.push_back(tables.nodes[node].v + j);
  }
  for (std::size_t i = 0; i < tables.cuts.size(); ++i) {
    const Cut<S>& cut = tables.cuts[i];
    if (cut.rows.empty() || cut.path.empty()) continue;
    Cluster& cluster = tables.clusters[cluster_of[cut.path.front().node]];
    cluster.cuts.push_back(static_cast<int>(i));
    for (std::size_t r = 0; r < cut.rows.size(); ++r) cluster.rows.push_back(cut.first_row + static_cast<int>(r));
  }
  for (std::size_t i = 0; i < tables.ties.size(); ++i) {
    Cluster& cluster = tables.clusters[cluster_of[tables.ties[i].terms.front().node]];
    cluster.ties.push_back(static_cast<int>(i));
    cluster.rows.push_back(tables.ties[i].row);
  }
  for (Cluster& cluster : tables.clusters) std::sort(cluster.speeds.begin(), cluster.speeds.end());
}

template void find_clusters(Tables<Spatial>&);
template void find_clusters(Tables<Planar>&);

}  // namespace lithe::detail
