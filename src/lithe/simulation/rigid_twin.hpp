#pragma once
// The rigid twin of a mechanism, standing where the elastic one would stand if its links did not bend.
//
// The motors of the twin have the coordinates of ours. Where the motors do not determine the pose, further joints have:
// those that the selection of independent speeds takes at the start, and they stay the same. All other joints follow
// from the closures, on the branch of the elastic mechanism: its own joint coordinates are the guess.

#include <string>
#include <vector>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

class RigidTwin {
 public:
  /// Of the mechanism of `elastic`, which must outlive this object.
  explicit RigidTwin(const Plan& elastic);

  /// Moves to coordinates q of the elastic mechanism, `cut_q` being those of its cut joints. False when the rigid links
  /// cannot be put together there.
  bool follow(const VectorX& q, const VectorX& cut_q);

  /// Of a frame origin at the place of the last follow(), ground axes.
  Vec3 position(FrameRef frame) { return frame_pose(plan_, work_, q_, frame).position; }

 private:
  /// Coordinates of one joint: `count` of them from `from` in the elastic mechanism (tree or cut) to `to` here.
  struct Source {
    bool cut = false;
    int from = 0, to = 0, count = 0;
    bool independent = false;  ///< with all its speeds
  };

  void choose_independent();
  void take(const VectorX& q, const VectorX& cut_q, bool only_independent, VectorX& ours) const;
  bool close(VectorX& ours);

  Plan plan_;
  Workspace work_;
  std::vector<Source> sources_;
  std::vector<int> held_;
  VectorX q_, guess_;
  bool started_ = false, usable_ = true;
};

}  // namespace lithe::detail
