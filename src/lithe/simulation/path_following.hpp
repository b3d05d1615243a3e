#pragma once
// Inverse kinematics along paths: the independent speeds of joints that bring frames onto their paths, through the
// closures.
//
// With the loop complement N and the Jacobian J of the frames, J N x = wanted twist; coordinates by Newton's method
// with the same matrix, from where the mechanism is, so that the branch is kept. Rows may be more than unknowns (a platform
// that moves in a plane has six, and three freedoms): the path must then be one that the mechanism can follow.

#include <string>
#include <vector>

#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/model.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

class PathFollowing {
 public:
  /// At the assembled pose q, with the independent set of `work`. `known` are independent speeds that follow laws. The
  /// paths must outlive this object. Throws MechanismError for frames that make no sense.
  PathFollowing(const std::vector<PathDrive>& paths, const Plan& plan, Workspace& work, const VectorX& q,
                const std::vector<int>& known);

  /// Independent speeds that follow from the paths.
  const std::vector<int>& led() const { return led_; }
  /// Scalar equations of the paths.
  int rows() const { return static_cast<int>(error_.size()); }

  /// How far the frames are from where they shall be at time t, in rad and characteristic lengths.
  double distance(const Plan& plan, Workspace& work, const VectorX& q, double t);

  /// Coordinates, speeds and accelerations of a state whose other independent values stand there already; t is the
  /// time at which the paths are asked. No allocation after the first call.
  RunStatus follow(const Plan& plan, Workspace& work, double t, State& state, VectorX& a);

  /// Condition number of the map from the twists of the frames to the speeds of the motors at the last place, distances
  /// over the characteristic length: infinite where frames or motors can move without the others.
  double condition(const Plan& plan, Workspace& work, const VectorX& q) const;

 private:
  struct Followed {
    const Path* path;
    FrameRef frame;
    std::string name;
    int row;  ///< of the position; those of the rotation come after it
  };

  void take_error(const Plan& plan, Workspace& work, const VectorX& q);
  Status factorise(const Plan& plan, Workspace& work, const VectorX& q);
  void solve();
  RunStatus reach(const Plan& plan, Workspace& work, State& state);
  RunStatus miss(double t) const;

  std::vector<Followed> followed_;
  std::vector<PathPoint> wanted_;   ///< per path, at the time of the last call
  std::vector<int> led_, columns_;  ///< speeds, and their columns of N
  MatrixX N_, J_, Q_, R_;           ///< J N of the led columns = Q R
  VectorX error_, x_, step_;
  double length_ = 1.0;
  double spread_ = 0.0;  ///< largest over smallest pivot of R: infinite where the mechanism can move without its frames
};

}  // namespace lithe::detail
