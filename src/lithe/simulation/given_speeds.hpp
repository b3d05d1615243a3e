#pragma once
// Speeds of a state from those that are given: of any joint, cut or not, of elastic coordinates and of links.

#include <string>
#include <vector>

#include "lithe/kinematics/wish.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::detail {

class GivenSpeeds {
 public:
  /// About the pose `state.q`. Everything must outlive this object.
  GivenSpeeds(const Plan& plan, Workspace& work, State& state) : plan_(plan), work_(work), state_(state) {}

  /// A speed by its index among [v; cut speeds]; what is given twice counts as given last.
  void add(int speed, double value);
  void add(const InitialTwist& twist);
  /// A frame on its path at the time of the state.
  void add(const PathDrive& path);

  /// Puts them into state.v and completes it by the closures. Given speeds of the tree are independent as far as that
  /// can be; the other independent ones are as small as given speeds of cut joints and links allow. Throws PhysicsError
  /// when they contradict each other.
  void solve();

 private:
  /// row v = value.
  struct Given {
    std::string name;  ///< for messages
    int speed = -1;    ///< index among [v; cut speeds]; -1: of a link
    VectorX row;       ///< empty for a speed of the tree
    double value = 0.0;
  };

  bool in_tree(const Given& each) const { return each.speed >= 0 && each.speed < plan_.nv(); }
  void add_vector(FrameRef frame, Wish::Kind kind, const std::string& name, const Vec3& values);
  void meet_the_others();
  void leave_along_the_given();
  double scale(const std::vector<Eigen::Index>& open, Eigen::Index j) const;
  void require(const Status& status) const;

  const Plan& plan_;
  Workspace& work_;
  State& state_;
  std::vector<Given> given_;
};

}  // namespace lithe::detail
