#include "lithe/links/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>
#include <unordered_map>

namespace lithe {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 1469598103934665603U;
    for (const std::int64_t each : cell) hash = (hash ^ static_cast<std::uint64_t>(each)) * 1099511628211U;
    return hash ^ (hash >> 29U);
  }
};

/// Cells of a grid that starts at the lowest corner of a mesh: counted from the origin, those of a small mesh far away would not fit into
/// whole numbers.
class Grid {
 public:
  Grid(const TriangleMesh& mesh, double width) : width_(width) {
    if (!mesh.points.empty()) low_ = mesh.points[0];
    for (const Vec3& point : mesh.points) low_ = low_.cwiseMin(point);
  }
  Cell cell_of(const Vec3& point) const {
    Cell cell{};
    for (int a = 0; a < 3; ++a) cell[a] = static_cast<std::int64_t>(std::floor((point[a] - low_[a]) / width_));
    return cell;
  }

 private:
  Vec3 low_ = Vec3::Zero();
  double width_;
};

/// The mesh with point `of[k]` in place of point k; what collapses or is there already is left out.
TriangleMesh merged(const TriangleMesh& mesh, const std::vector<Vec3>& points, const std::vector<int>& of,
                    bool drops_repeated) {
  TriangleMesh result;
  std::vector<int> number(points.size(), -1);
  std::set<std::array<int, 3>> known;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    std::array<int, 3> corners{of[triangle[0]], of[triangle[1]], of[triangle[2]]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    std::array<int, 3> sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    if (drops_repeated && !known.insert(sorted).second) continue;
    for (int& corner : corners) {
      if (number[corner] < 0) {
        number[corner] = static_cast<int>(result.points.size());
        result.points.push_back(points[corner]);
      }
      corner = number[corner];
    }
    result.triangles.push_back(corners);
  }
  return result;
}

}  // namespace

double extent_of(const TriangleMesh& mesh) {
  if (mesh.points.empty()) return 0.0;
  Vec3 low = mesh.points[0], high = mesh.points[0];
  for (const Vec3& point : mesh.points) low = low.cwiseMin(point), high = high.cwiseMax(point);
  return (high - low).maxCoeff();
}

TriangleMesh welded(const TriangleMesh& mesh, double tolerance) {
  if (!(tolerance > 0.0)) return mesh;
  const Grid grid(mesh, tolerance);
  std::unordered_map<Cell, std::vector<int>, CellHash> kept_in;
  std::vector<Vec3> kept;
  std::vector<int> of;
  of.reserve(mesh.points.size());
  for (const Vec3& point : mesh.points) {
    const Cell home = grid.cell_of(point);
    int found = -1;
    for (int k = 0; k < 27 && found < 0; ++k) {
      const auto near = kept_in.find({home[0] + k % 3 - 1, home[1] + k / 3 % 3 - 1, home[2] + k / 9 - 1});
      if (near == kept_in.end()) continue;
      for (const int each : near->second)
        if ((kept[each] - point).norm() <= tolerance) found = each;
    }
    if (found < 0) {
      found = static_cast<int>(kept.size());
      kept.push_back(point);
      kept_in[home].push_back(found);
    }
    of.push_back(found);
  }
  return merged(mesh, kept, of, false);
}

TriangleMesh clustered(const TriangleMesh& mesh, double cell) {
  const Grid grid(mesh, cell);
  std::unordered_map<Cell, int, CellHash> numbers;
  std::vector<Vec3> sums;
  std::vector<int> counts, of;
  for (const Vec3& point : mesh.points) {
    const auto [entry, is_new] = numbers.emplace(grid.cell_of(point), static_cast<int>(sums.size()));
    if (is_new) {
      sums.emplace_back(Vec3::Zero());
      counts.push_back(0);
    }
    sums[entry->second] += point;
    ++counts[entry->second];
    of.push_back(entry->second);
  }
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] /= counts[k];
  return merged(mesh, sums, of, true);
}

MeshGaps gaps_of(const TriangleMesh& mesh) {
  std::map<std::array<int, 2>, std::array<int, 2>> uses;  // edge: there, back
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int from = triangle[k], to = triangle[(k + 1) % 3];
      ++uses[{std::min(from, to), std::max(from, to)}][from < to ? 0 : 1];
    }
  MeshGaps gaps;
  for (const auto& [edge, count] : uses) {
    if ((count[0] + count[1]) % 2 == 1)
      ++gaps.open;
    else if (count[0] != count[1])
      ++gaps.turned;
  }
  return gaps;
}

EnclosedVolume enclosed_volume(const TriangleMesh& mesh) {
  // Sum over the tetrahedra from a point to the triangles, by the divergence theorem: with det = a . (b x c) and s = a + b + c
  // int dV = det / 6, int x dV = det s / 24, int x x^T dV = det (a a^T + b b^T + c c^T + s s^T) / 120.
  EnclosedVolume body;
  if (mesh.points.empty()) return body;
  Vec3 middle = Vec3::Zero();  // near the body, so that little is lost in differences
  for (const Vec3& point : mesh.points) middle += point / static_cast<double>(mesh.points.size());
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    const Vec3 a = mesh.points[triangle[0]] - middle, b = mesh.points[triangle[1]] - middle,
               c = mesh.points[triangle[2]] - middle, s = a + b + c;
    const double det = a.dot(b.cross(c));
    body.volume += det / 6.0;
    first += det / 24.0 * s;
    second += det / 120.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  if (body.volume == 0.0) return body;
  const Vec3 off = first / body.volume;
  second -= body.volume * off * off.transpose();
  body.centre = middle + off;
  body.inertia = second.trace() * Mat3::Identity() - second;
  if (body.volume < 0.0) {
    body.volume = -body.volume;
    body.inertia = -body.inertia;
  }
  return body;
}

TriangleMesh placed(TriangleMesh mesh, const Vec3& scale, const Pose& pose) {
  for (Vec3& point : mesh.points) point = pose.rotation * scale.cwiseProduct(point) + pose.position;
  if (scale.prod() < 0.0)
    for (std::array<int, 3>& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

TriangleMesh box_mesh(const Vec3& edges) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.points.emplace_back(Vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).cwiseProduct(edges));
  for (const auto& face : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                           std::array{2, 6, 7, 3}, std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    mesh.triangles.push_back({face[0], face[1], face[2]});
    mesh.triangles.push_back({face[0], face[2], face[3]});
  }
  return mesh;
}

TriangleMesh cylinder_mesh(double radius, double length, int sides) {
  TriangleMesh mesh;
  mesh.points = {Vec3(0, 0, -0.5 * length), Vec3(0, 0, 0.5 * length)};
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / sides;
    for (const double end : {-0.5, 0.5})
      mesh.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), end * length);
  }
  for (int k = 0; k < sides; ++k) {
    const int low = 2 + 2 * k, next = 2 + 2 * ((k + 1) % sides);
    mesh.triangles.push_back({low, next, next + 1});
    mesh.triangles.push_back({low, next + 1, low + 1});
    mesh.triangles.push_back({0, next, low});
    mesh.triangles.push_back({1, low + 1, next + 1});
  }
  return mesh;
}

TriangleMesh sphere_mesh(double radius, int around, int rings) {
  TriangleMesh mesh;
  mesh.points = {Vec3(0, 0, -radius), Vec3(0, 0, radius)};
  const auto point = [&](int ring, int k) {  // rings 0 and `rings` are the poles
    return ring == 0 ? 0 : ring == rings ? 1 : 2 + (ring - 1) * around + k % around;
  };
  for (int ring = 1; ring < rings; ++ring)
    for (int k = 0; k < around; ++k) {
      const double up = std::numbers::pi * (static_cast<double>(ring) / rings - 0.5),
                   turn = 2.0 * std::numbers::pi * k / around;
      mesh.points.emplace_back(radius *
                               Vec3(std::cos(up) * std::cos(turn), std::cos(up) * std::sin(turn), std::sin(up)));
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int k = 0; k < around; ++k) {
      const int a = point(ring, k), b = point(ring, k + 1), c = point(ring + 1, k + 1), d = point(ring + 1, k);
      if (a != b) mesh.triangles.push_back({a, b, c});
      if (c != d) mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace lithe
