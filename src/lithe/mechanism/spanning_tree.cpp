#include "lithe/mechanism/spanning_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace lithe::detail {

namespace {

/// The tree as a set of joints; everything else is derived from it.
class TreeSearch {
 public:
  TreeSearch(const Mechanism& mechanism, int root_joint)
      : mechanism_(mechanism),
        root_joint_(root_joint),
        in_tree_(mechanism.joints.size()),
        is_bound_(mechanism.joints.size()),
        joints_at_(mechanism.links.size()) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& joint = mechanism.joints[j];
      joints_at_[joint.from.link].push_back(static_cast<int>(j));
      if (joint.to.link != joint.from.link) joints_at_[joint.to.link].push_back(static_cast<int>(j));
    }
    find_bound_joints();
    grow();
    bring_in_joints_that_must_stay();
    bring_in_bound_joints();
    prefer_cutting_joints_with_many_freedoms();
  }

  SpanningTree result() const {
    SpanningTree tree;
    visit(0, tree.edges);
    for (std::size_t j = 0; j < in_tree_.size(); ++j) {
      if (in_tree_[j]) continue;
      tree.cuts.push_back(static_cast<int>(j));
      std::vector<int> loop = cycle(static_cast<int>(j));
      loop.push_back(static_cast<int>(j));
      tree.loops.push_back(std::move(loop));
    }
    return tree;
  }

 private:
  bool must_stay(int joint) const {
    if (joint == root_joint_) return true;
    const Joint& j = mechanism_.joints[joint];
    return is_bound_[joint] || (!j.cut && (j.is_actuated() || j.type == JointType::fixed || has_spring(j)));
  }

  // Couplings and armatures work on coordinates and speeds of the tree.
  void find_bound_joints() {
    for (const Coupling& coupling : mechanism_.couplings)
      for (const Coupling::Term& term : coupling.terms) is_bound_[term.coordinate.joint] = true;
    for (std::size_t j = 0; j < is_bound_.size(); ++j) {
      const std::vector<double>& armature = mechanism_.joints[j].armature;
      if (std::any_of(armature.begin(), armature.end(), [](double inertia) { return inertia > 0.0; }))
        is_bound_[j] = true;
      if (is_bound_[j] && mechanism_.joints[j].cut)
        throw MechanismError(mechanism_.joints[j].name,
                             fmt::format("joint '{}' cannot be cut: {}; mark another joint of its loop",
                                         mechanism_.joints[j].name, why_bound(static_cast<int>(j))));
    }
  }

  std::string why_bound(int joint) const {
    for (const Coupling& coupling : mechanism_.couplings)
      for (const Coupling::Term& term : coupling.terms)
        if (term.coordinate.joint == joint) return fmt::format("coupling '{}' ties it", coupling.name);
    return "it has an armature";
  }

  // The angle of a cut joint is known only up to whole turns; a spring there would jump after half a turn.
  static bool has_spring(const Joint& joint) {
    return std::any_of(joint.stiffness.begin(), joint.stiffness.end(), [](double k) { return k != 0.0; });
  }

  // Breadth first from the ground; the root joint, if any, is taken first.
  void grow() {
    std::vector<bool> reached(mechanism_.links.size(), false);
    std::deque<int> front{0};
    reached[0] = true;
    const auto take = [&](int joint, int link) {
      in_tree_[joint] = reached[link] = true;
      front.push_back(link);
    };
    if (root_joint_ >= 0) take(root_joint_, mechanism_.joints[root_joint_].to.link);
    for (; !front.empty(); front.pop_front()) {
      const int link = front.front();
      for (const int j : joints_at_[link]) {
        const Joint& joint = mechanism_.joints[j];
        if (joint.cut || in_tree_[j]) continue;
        if (joint.from.link == link && !reached[joint.to.link]) take(j, joint.to.link);
        if (joint.to.link == link && !reached[joint.from.link]) take(j, joint.from.link);
      }
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i]) continue;
      for (const Joint& joint : mechanism_.joints)
        if (joint.cut && (joint.to.link == static_cast<int>(i) || joint.from.link == static_cast<int>(i)))
          throw MechanismError(
              joint.name, fmt::format("joint '{}' cannot be cut: without it link '{}' hangs on nothing", joint.name,
                                      mechanism_.links[i].name));
      throw MechanismError(mechanism_.links[i].name, fmt::format("link '{}' is only reached through joints marked cut",
                                                                 mechanism_.links[i].name));
    }
    find_parents();
  }

  // Walks the tree from the ground.
  void find_parents() {
    parent_.assign(mechanism_.links.size(), TreeEdge{-1, -1, -1, false});
    std::deque<int> front{0};
    for (; !front.empty(); front.pop_front())
      for (const int j : joints_at_[front.front()]) {
        if (!in_tree_[j]) continue;
        const int a = mechanism_.joints[j].from.link, b = mechanism_.joints[j].to.link;
        for (const bool reversed : {false, true}) {
          const int from = reversed ? b : a, to = reversed ? a : b;
          if (from != front.front() || to == 0 || parent_[to].joint >= 0) continue;
          if (parent_[from].joint == j) continue;
          parent_[to] = {j, from, to, reversed};
          front.push_back(to);
        }
      }
  }

  void exchange(int leaves, int enters) {
    in_tree_[leaves] = false;
    in_tree_[enters] = true;
    find_parents();
  }

  void visit(int link, std::vector<TreeEdge>& edges) const {
    std::vector<std::vector<int>> children_of(parent_.size());
    for (const TreeEdge& edge : parent_)
      if (edge.joint >= 0) children_of[edge.parent].push_back(edge.child);
    std::vector<int> stack{link};
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      if (at != 0) edges.push_back(parent_[at]);
      std::vector<int>& children = children_of[at];
      std::sort(children.begin(), children.end(), [&](int x, int y) { return parent_[x].joint > parent_[y].joint; });
      stack.insert(stack.end(), children.begin(), children.end());
    }
  }

  // Tree joints of the loop that `cut` closes, from its from-link up and down to its to-link.
  std::vector<int> cycle(int cut) const {
    const auto path_to_ground = [&](int link) {
      std::vector<int> path;
      for (; link != 0; link = parent_[link].parent) path.push_back(parent_[link].joint);
      return path;
    };
    std::vector<int> up = path_to_ground(mechanism_.joints[cut].from.link);
    std::vector<int> down = path_to_ground(mechanism_.joints[cut].to.link);
    while (!up.empty() && !down.empty() && up.back() == down.back()) {
      up.pop_back();
      down.pop_back();
    }
    std::reverse(up.begin(), up.end());
    up.insert(up.begin(), down.begin(), down.end());
    std::rotate(up.begin(), up.begin() + std::ssize(down), up.end());
    // Now: ground side ... from-link, then to-link ... ground side.
    return up;
  }

  // A joint that has to stay but is cut takes the place of one on its loop that need not stay; the one nearest to the
  // cut, so that the tree keeps its balance.
  void bring_in_joints_that_must_stay() {
    for (std::size_t j = 0; j < in_tree_.size(); ++j) {
      if (in_tree_[j] || !must_stay(static_cast<int>(j))) continue;
      int best = -1;
      for (int candidate : cycle(static_cast<int>(j)))
        if (!must_stay(candidate) && (best < 0 || freedoms(candidate) >= freedoms(best))) best = candidate;
      if (best >= 0) exchange(best, static_cast<int>(j));
    }
  }

  // One that is bound and still cut takes the place of any other that is not.
  void bring_in_bound_joints() {
    for (std::size_t j = 0; j < in_tree_.size(); ++j) {
      if (in_tree_[j] || !is_bound_[j]) continue;
      const std::vector<int> loop = cycle(static_cast<int>(j));
      const auto other =
          std::find_if(loop.begin(), loop.end(), [&](int joint) { return !is_bound_[joint] && joint != root_joint_; });
      if (other != loop.end()) {
        exchange(*other, static_cast<int>(j));
        continue;
      }
      std::string names;
      for (const int joint : loop) names += mechanism_.joints[joint].name + ", ";
      throw MechanismError(
          mechanism_.joints[j].name,
          fmt::format(
              "joint '{}' cannot be cut to open the loop '{}{}': every joint in it is tied by a coupling or has an "
              "armature; leave one of them free",
              mechanism_.joints[j].name, names, mechanism_.joints[j].name));
    }
  }

  // Cutting a spherical joint instead of a revolute one saves two coordinates and two closures.
  void prefer_cutting_joints_with_many_freedoms() {
    for (std::size_t j = 0; j < in_tree_.size(); ++j) {
      if (in_tree_[j] || mechanism_.joints[j].cut) continue;
      int best = static_cast<int>(j);
      for (int candidate : cycle(static_cast<int>(j)))
        if (!must_stay(candidate) && freedoms(candidate) > freedoms(best)) best = candidate;
      if (best != static_cast<int>(j)) exchange(best, static_cast<int>(j));
    }
  }

  int freedoms(int joint) const { return speed_count(mechanism_.joints[joint].type); }

  const Mechanism& mechanism_;
  int root_joint_;
  std::vector<bool> in_tree_;
  std::vector<bool> is_bound_;               ///< cannot be cut
  std::vector<std::vector<int>> joints_at_;  ///< per link, ascending
  std::vector<TreeEdge> parent_;             ///< per link the edge to its parent
};

}  // namespace

SpanningTree build_spanning_tree(const Mechanism& mechanism, int root_joint) {
  return TreeSearch(mechanism, root_joint).result();
}

}  // namespace lithe::detail
