#include "solid_outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace lithe::cli {
namespace {

constexpr int directions = 16;  ///< of the drawing in which an outline has a corner: hits all six of a box
constexpr int around = 12;      ///< points on a circle
constexpr int shades = 3;

double angle_of(int k, int count) { return 2.0 * std::numbers::pi * k / count; }

/// Points whose hull is the solid, about its centre, link axes. Those of a sphere lie on the circle that the eye sees.
std::vector<Vec3> hull_points(const Solid& solid, double thin, const Mat3& rotation, const FigureView& view) {
  const Vec3 half = 0.5 * solid.size.cwiseMax(thin);
  std::vector<Vec3> points;
  switch (solid.kind) {
    case Solid::Kind::box:
      for (int k = 0; k < 8; ++k)
        points.emplace_back(solid.axes * half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
      break;
    case Solid::Kind::cylinder:
      for (const double end : {-1.0, 1.0})
        for (int k = 0; k < around; ++k)
          points.emplace_back(solid.axes * Vec3(half.x() * std::cos(angle_of(k, around)),
                                                half.x() * std::sin(angle_of(k, around)), 0.5 * end * solid.size.z()));
      break;
    case Solid::Kind::sphere:
      for (int k = 0; k < directions; ++k)
        points.emplace_back(rotation.transpose() * (half.x() * (std::cos(angle_of(k, directions)) * view.right +
                                                                std::sin(angle_of(k, directions)) * view.up)));
      break;
  }
  return points;
}

/// The outermost point in each direction: a convex outline.
std::vector<Eigen::Vector2d> outline_of(const std::vector<Eigen::Vector2d>& points) {
  std::vector<Eigen::Vector2d> corners;
  for (int k = 0; k < directions; ++k) {
    const Eigen::Vector2d way(std::cos(angle_of(k, directions) + 0.1), std::sin(angle_of(k, directions) + 0.1));
    corners.push_back(*std::max_element(points.begin(), points.end(),
                                        [&](const auto& a, const auto& b) { return way.dot(a) < way.dot(b); }));
  }
  return corners;
}

}  // namespace

std::vector<SolidOutline> solid_outlines(const LinkData& link, const std::vector<Pose>& poses,
                                         const std::vector<std::size_t>& rows, const FigureView& view, double thin) {
  std::vector<SolidOutline> outlines;
  for (const Solid& solid : link.solids) {
    SolidOutline outline;
    outline.rod = solid.kind == Solid::Kind::cylinder && solid.size.x() < thin;
    for (const std::size_t row : rows) {
      if (outline.rod) {
        const Vec3 half = 0.5 * solid.size.z() * solid.axes.col(2);
        outline.corners.push_back({view.project(poses[row] * Vec3(solid.centre - half)),
                                   view.project(poses[row] * Vec3(solid.centre + half))});
        continue;
      }
      std::vector<Eigen::Vector2d> points;
      for (const Vec3& point : hull_points(solid, thin, poses[row].rotation, view))
        points.push_back(view.project(poses[row] * Vec3(solid.centre + point)));
      outline.corners.push_back(outline_of(points));
    }
    outline.depth = view.depth(poses[rows[0]] * solid.centre);
    outlines.push_back(std::move(outline));
  }
  return outlines;
}

Vec3 held_from(const LinkData& link, const Vec3& frame) {
  Vec3 best = frame;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Solid& solid : link.solids) {
    const Vec3 local = solid.axes.transpose() * (frame - solid.centre), half = 0.5 * solid.size;
    const Vec3 inside = solid.centre + solid.axes * Vec3(local.cwiseMin(half).cwiseMax(-half));
    if ((inside - frame).norm() >= nearest) continue;
    nearest = (inside - frame).norm();
    best = inside;
  }
  return best;
}

std::vector<int> shades_of(const Mechanism& mechanism) {
  const std::size_t count = mechanism.links.size();
  std::vector<int> found(count, -1);
  for (std::size_t link = 1; link < count; ++link) {
    std::array<bool, shades> taken{};
    bool held = false;
    for (const Joint& joint : mechanism.joints) {
      const int self = static_cast<int>(link);
      if (joint.from.link != self && joint.to.link != self) continue;
      const int other = joint.from.link == self ? joint.to.link : joint.from.link;
      if (joint.type == JointType::free || (joint.type == JointType::planar && other == 0)) continue;
      held = true;
      if (other > 0 && found[other] >= 0) taken[found[other]] = true;
    }
    if (held) found[link] = static_cast<int>(std::find(taken.begin(), taken.end(), false) - taken.begin()) % shades;
  }
  // A body alone, or two that only touch, are the machine.
  if (std::all_of(found.begin(), found.end(), [](int shade) { return shade < 0; }))
    for (std::size_t link = 1; link < count; ++link) found[link] = static_cast<int>(link + 1) % shades;
  return found;
}

}  // namespace lithe::cli
