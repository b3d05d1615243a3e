// Surfaces of triangles against closed forms of boxes, cylinders, spheres and tetrahedra.

#include "lithe/links/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace lithe {
namespace {

/// Every triangle with corners of its own, as STL files have them.
TriangleMesh loosened(const TriangleMesh& mesh) {
  TriangleMesh loose;
  for (const auto& triangle : mesh.triangles) {
    const int first = static_cast<int>(loose.points.size());
    for (const int corner : triangle) loose.points.push_back(mesh.points[corner]);
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  return loose;
}

TEST(TriangleMesh, BoxHasItsVolumeAndInertia) {
  const Vec3 edges(0.2, 0.3, 0.5), at(3, -2, 1);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const EnclosedVolume body = enclosed_volume(placed(box_mesh(edges), Vec3::Ones(), {turn, at}));
  const double volume = 0.03;
  const Vec3 square = edges.cwiseAbs2();
  const Mat3 moments = (volume / 12.0 * (Vec3::Constant(square.sum()) - square)).asDiagonal();
  EXPECT_NEAR(body.volume, volume, 1e-15);
  EXPECT_LT((body.centre - at).norm(), 1e-13);
  // Differences of numbers of size |at|^2 volume: ten roundings of 1e-16 of them.
  EXPECT_LT((body.inertia - turn * moments * turn.transpose()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(TriangleMesh, TetrahedronHasItsCentreAndInertia) {
  // Corners 0, e1, e2, e3: volume 1/6, centre 1/4, int x^2 = 1/60, int x y = 1/120.
  TriangleMesh mesh;
  mesh.points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const EnclosedVolume body = enclosed_volume(mesh);
  EXPECT_NEAR(body.volume, 1.0 / 6.0, 1e-16);
  EXPECT_LT((body.centre - Vec3::Constant(0.25)).norm(), 1e-15);
  const Mat3 second = Mat3::Constant(1.0 / 120.0) + Mat3::Identity() / 120.0 - Mat3::Constant(1.0 / 96.0);
  EXPECT_LT((body.inertia - (second.trace() * Mat3::Identity() - second)).cwiseAbs().maxCoeff(), 1e-16);
}

TEST(TriangleMesh, PrismOfManySidesNearsTheCylinder) {
  using std::numbers::pi;
  // A regular prism of n sides has n/2 sin(2 pi / n) / pi of the area of its circle.
  const int n = 48;
  const EnclosedVolume body = enclosed_volume(cylinder_mesh(0.1, 0.4, n));
  const double area = 0.5 * n * std::sin(2 * pi / n) * 0.01;
  EXPECT_NEAR(body.volume, 0.4 * area, 1e-16);
  // Polar second moment of a regular polygon: area r^2 (2 + cos(2 pi / n)) / 6.
  EXPECT_NEAR(body.inertia(2, 2), 0.4 * area * 0.01 * (2 + std::cos(2 * pi / n)) / 6, 1e-17);
  EXPECT_EQ(gaps_of(cylinder_mesh(0.1, 0.4, n)).open, 0);
}

TEST(TriangleMesh, SphereConvergesWithTheSquareOfItsFacets) {
  using std::numbers::pi;
  const double r = 0.3, volume = 4.0 / 3.0 * pi * r * r * r;
  double before = 0.0;
  for (const int n : {16, 32, 64}) {
    const TriangleMesh mesh = sphere_mesh(r, 2 * n, n);
    EXPECT_EQ(gaps_of(mesh).open + gaps_of(mesh).turned, 0);
    const EnclosedVolume body = enclosed_volume(mesh);
    const double error = 1 - body.volume / volume;
    EXPECT_GT(error, 0.0);  // inside the sphere
    if (before > 0.0) EXPECT_NEAR(before / error, 4.0, 0.1);
    before = error;
    EXPECT_LT(body.centre.norm(), 1e-15);
    EXPECT_NEAR(body.inertia(0, 0) / (0.4 * volume * r * r), 1.0, 2.0 * error);  // fifth power of a length: 5/3 of it
  }
}

TEST(TriangleMesh, MirroredAndInwardFacingBodiesAreBodies) {
  const EnclosedVolume body = enclosed_volume(placed(box_mesh({1, 2, 3}), {2, -1, 1}, {}));
  EXPECT_NEAR(body.volume, 12.0, 1e-12);
  TriangleMesh inward = box_mesh({1, 2, 3});
  for (auto& triangle : inward.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NEAR(enclosed_volume(inward).volume, 6.0, 1e-13);
  EXPECT_NEAR(enclosed_volume(inward).inertia(0, 0), 6.0 * 13.0 / 12.0, 1e-13);
}

TEST(TriangleMesh, WeldingClosesWhatFilesLeaveLoose) {
  TriangleMesh loose = loosened(box_mesh({1, 1, 1}));
  EXPECT_EQ(gaps_of(loose).open, 36);
  for (std::size_t k = 0; k < loose.points.size(); ++k) loose.points[k].x() += 4e-7 * (k % 2 == 0 ? 1 : -1);
  const TriangleMesh closed = welded(loose, 1e-6);
  EXPECT_EQ(closed.points.size(), 8U);
  EXPECT_EQ(closed.triangles.size(), 12U);
  EXPECT_EQ(gaps_of(closed).open, 0);
}

TEST(TriangleMesh, GapsAreCounted) {
  TriangleMesh open = box_mesh({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_EQ(gaps_of(open).open, 3);
  TriangleMesh turned = box_mesh({1, 1, 1});
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_EQ(gaps_of(turned).open, 0);
  EXPECT_EQ(gaps_of(turned).turned, 3);
}

TEST(TriangleMesh, ClustersKeepTheShape) {
  const TriangleMesh fine = sphere_mesh(1.0, 200, 100), coarse = clustered(fine, 0.1);
  EXPECT_LT(coarse.triangles.size(), fine.triangles.size() / 8);
  for (const Vec3& point : coarse.points) {
    EXPECT_LT(point.norm(), 1.0 + 1e-12);
    EXPECT_GT(point.norm(), 1.0 - 0.01);  // the mean over a cell of 0.1: sagitta 0.1^2 (1 + 1 + 1) / 8, and less
  }
}

}  // namespace
}  // namespace lithe
