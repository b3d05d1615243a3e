#pragma once
// From where a drawing of a mechanism sees it, and where its links are in the rows of a record.

#include <string>
#include <vector>

#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// Parallel rays; unit vectors in ground axes.
struct FigureView {
  Vec3 right, up, towards;  ///< the last one: to the eye

  Eigen::Vector2d project(const Vec3& place) const { return {right.dot(place), up.dot(place)}; }
  double depth(const Vec3& place) const { return towards.dot(place); }  ///< larger: nearer to the eye
};

/// A planar mechanism (unit normal of its plane) is seen from the front, another one (zero) from a raised corner; up is against gravity. As the
/// report page has it.
FigureView figure_view(const Mechanism& mechanism, const Vec3& normal);

/// By a rotation vector, rad.
Mat3 turned_by(const Vec3& vector);

/// Poses of the origin of a link, which the record must hold as pos and rot.
std::vector<Pose> recorded_poses(const std::string& link, const MemoryRecord& record);

}  // namespace lithe::cli
