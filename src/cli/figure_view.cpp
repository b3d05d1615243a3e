#include "figure_view.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace lithe::cli {
namespace {

Vec3 up_direction(const Mechanism& mechanism, const Vec3& normal) {
  const Vec3& gravity = mechanism.gravity;
  if (gravity.norm() > 0.0 && std::abs(normal.dot(gravity)) <= 0.5 * gravity.norm()) return -gravity.normalized();
  return std::abs(normal.z()) > 0.5 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
}

}  // namespace

Mat3 turned_by(const Vec3& vector) {
  const double angle = vector.norm();
  return angle > 0.0 ? Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

FigureView figure_view(const Mechanism& mechanism, const Vec3& normal) {
  const Vec3 up = up_direction(mechanism, normal);
  Vec3 towards = normal;
  if (normal.isZero()) {
    // For a mechanism with y upwards the eye stays before the plane x, y.
    const Vec3 front = std::abs(up.y()) > 0.9 ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitY()), side = up.cross(front);
    towards = (1.3 * front + 0.85 * side + 0.75 * up).normalized();
  }
  const Vec3 right = up.cross(towards).normalized();
  return {right, towards.cross(right), towards};
}

std::vector<Pose> recorded_poses(const std::string& link, const MemoryRecord& record) {
  std::vector<Pose> poses;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const auto vector = [&](const char* what) {
      const std::string name = what + link + ".origin.";
      return Vec3(record.at(row, name + "x"), record.at(row, name + "y"), record.at(row, name + "z"));
    };
    poses.push_back({turned_by(vector("rot.")), vector("pos.")});
  }
  return poses;
}

}  // namespace lithe::cli
