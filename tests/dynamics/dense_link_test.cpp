#include "lithe/dynamics/dense_link.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/source_folder.hpp"

namespace lithe::detail {
namespace {

/// A point of mass m at (L, eta) on a massless arm that turns about z, held by a spring k along y.
LinkData point_on_a_leaf(double m, double length, double k, double d) {
  LinkData link;
  link.mass = m;
  link.centre = Vec3(length, 0, 0);
  ElasticData& e = link.elastic;
  e.mass = MatrixX::Constant(1, 1, m);
  e.stiffness = MatrixX::Constant(1, 1, k);
  e.damping = MatrixX::Constant(1, 1, d);
  e.translation = m * Vec3::UnitY();
  e.rotation = m * length * Vec3::UnitZ();
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      e.position_shape[a][b] = Eigen::RowVectorXd::Zero(1);
      e.shape_shape[a][b] = MatrixX::Zero(1, 1);
    }
  e.position_shape[0][1][0] = m * length;
  e.shape_shape[1][1](0, 0) = m;
  return link;
}

// Newton's second law for the point in polar form: r = (L, eta) in axes that turn with omega and alpha, eta'' = 0.
TEST(DenseLink, PointOnATurningLeaf) {
  const double m = 0.7, length = 1.3, k = 40, d = 0.6, eta = 0.2, rate = -0.9, omega = 2.5, alpha = 4.0;
  const LinkData link = point_on_a_leaf(m, length, k, d);
  const LinkMotion motion{Vec3(0, 0, omega), Vec3(0, 0, alpha), Vec3(0, 9.81, 0)};
  const VectorX force =
      flexible_force(link, motion, VectorX::Constant(1, eta), VectorX::Constant(1, rate), VectorX::Constant(1, 1.0));
  const Vec3 r(length, eta, 0), w = motion.omega, slide(0, rate, 0);
  const Vec3 inertia = m * (motion.acceleration + motion.alpha.cross(r) + w.cross(w.cross(r)) + 2 * w.cross(slide));
  EXPECT_LT((force.head<3>() - r.cross(inertia)).norm(), 1e-13);
  EXPECT_LT((force.segment<3>(3) - inertia).norm(), 1e-13);
  EXPECT_NEAR(force[6], inertia.y() + k * eta + d * rate, 1e-13);
}

// forward.hpp promises that the dense formulations share no force and no inertia of a link with the recursions.
TEST(DenseLink, SharesNothingWithTheRecursions) {
  for (const char* name : {"dense_link.cpp", "dense_tree.cpp", "partitioning.cpp", "noc_dense.cpp"}) {
    std::ifstream file(source_folder() + "/src/lithe/dynamics/" + name);
    ASSERT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    for (const char* used : {"elastic_body.hpp", "elastic_inertia_forces", "add_elastic_forces", "update_bodies",
                             "newton_euler(", "composite.hpp", "articulated.hpp"})
      EXPECT_EQ(text.str().find(used), std::string::npos) << name << " uses " << used;
  }
}

}  // namespace
}  // namespace lithe::detail
