#pragma once
// Coordinates of a pose: joints, and places and orientations of frames, as functions of the coordinates of a mechanism.

#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

struct PoseCoordinate {
  enum class Kind : unsigned char {
    joint,     ///< q.JOINT
    position,  ///< pos.LINK.FRAME.x|y|z, ground axes
    rotation,  ///< rot.LINK.FRAME.x|y|z, a part of the rotation vector
    still      ///< a tree speed without a coordinate of its own, which shall not move
  };
  std::string name;  ///< as in results
  Kind kind = Kind::joint;
  int speed = -1;     ///< joint: of [v; cut speeds]
  int place = 0;      ///< joint: in q, or in the cut coordinates
  bool cut = false;   ///< joint
  bool turns = true;  ///< an angle (rad), else a distance (m)
  FrameRef frame;
  int axis = 0;  ///< of a frame

  std::string unit() const { return turns ? "rad" : "m"; }
  bool operator==(const PoseCoordinate& other) const;
};

/// The coordinate that results call `name`; throws MechanismError.
PoseCoordinate pose_coordinate(const Plan& plan, const std::string& name);
PoseCoordinate joint_coordinate_of_speed(const Plan& plan, int speed);
/// The six coordinates of a frame, positions first.
std::vector<PoseCoordinate> frame_coordinates(const Plan& plan, FrameRef frame);

/// Values of some coordinates at a pose and their rates per tree speed. Allocates only at first.
class PoseRows {
 public:
  PoseRows(const Plan& plan, std::vector<PoseCoordinate> coordinates);

  const std::vector<PoseCoordinate>& coordinates() const { return coordinates_; }
  int count() const { return static_cast<int>(coordinates_.size()); }

  void evaluate(Workspace& work, const VectorX& q);
  const VectorX& values() const { return values_; }
  const MatrixX& rates() const { return rates_; }  ///< rows of coordinates, columns of tree speeds
  /// What is there minus what is wanted; angles by the shorter way.
  double error(int row, double wanted) const;

 private:
  struct FrameRows {
    FrameRef frame;
    std::vector<int> rows;
  };
  void evaluate_frame(Workspace& work, const VectorX& q, const FrameRows& frame);

  const Plan& plan_;
  std::vector<PoseCoordinate> coordinates_;
  std::vector<FrameRows> frames_;
  bool any_cut_ = false;
  VectorX values_, cut_q_;
  MatrixX rates_, J_, cut_J_;
};

}  // namespace lithe::detail
