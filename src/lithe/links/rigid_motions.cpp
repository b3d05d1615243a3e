#include "lithe/links/rigid_motions.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "lithe/errors.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

using Six = Eigen::Matrix<double, 6, 6>;
using Motion = Eigen::Matrix<double, 3, 6>;

/// Mean square of the misfit below which a field is rigid; a mesh of n elements that holds one node misses by about
/// 1/n.
constexpr double rigid_misfit = 1e-10;

/// Displacement of a point by the unit translations and rotations about the origin.
Motion rigid_displacement(const Vec3& position) {
  Motion motion;
  motion << Mat3::Identity(), -skew(position);
  return motion;
}

Motion rigid_turn() {
  Motion motion;
  motion << Mat3::Zero(), Mat3::Identity();
  return motion;
}

double extent(const std::vector<FieldPoint>& points) {
  double square = 0.0;
  for (const FieldPoint& p : points) square = std::max(square, p.position.squaredNorm());
  return square > 0 ? std::sqrt(square) : 1.0;
}

/// Linear and angular momentum per coordinate.
MatrixX momenta(const ElasticModel& model) {
  if (const MatrixX known = model.field->momenta(); known.size() > 0) return known;
  const Eigen::Index n = model.mass.rows();
  MatrixX sum = MatrixX::Zero(6, n);
  for (const FieldPoint& p : model.field->points(MatrixX::Identity(n, n), false)) {
    sum += p.mass * rigid_displacement(p.position).transpose() * p.shape;
    if (p.turn.size() > 0) sum.bottomRows<3>() += p.rotary * p.turn;
  }
  return sum;
}

}  // namespace

MatrixX rigid_motions(const ElasticModel& model) {
  // The nearest coordinates to each rigid motion, in the sense of kinetic energy.
  const MatrixX nearest = model.mass.ldlt().solve(MatrixX(momenta(model).transpose()));

  // How far each stays from the rigid motion, every point counting the same so that a heavy payload hides nothing.
  const std::vector<FieldPoint> points = model.field->points(nearest, false);
  const double length = extent(points);
  bool turns = false;
  for (const FieldPoint& p : points) turns = turns || !p.turn.isZero(0.0);
  Six misfit = Six::Zero(), motion = Six::Zero();
  const auto add = [&](const Motion& rigid, const Matrix3X& field, double weight) {
    const Motion off = field - rigid;
    misfit += weight * off.transpose() * off;
    motion += weight * rigid.transpose() * rigid;
  };
  for (const FieldPoint& p : points) {
    add(rigid_displacement(p.position), p.shape, 1.0);
    if (turns && p.turn.size() > 0) add(rigid_turn(), p.turn, length * length);
  }
  const Eigen::SelfAdjointEigenSolver<MatrixX> sizes{MatrixX(motion)};
  MatrixX directions(6, 6);
  Eigen::Index count = 0;
  for (int i = 0; i < 6; ++i)
    if (sizes.eigenvalues()[i] > tolerance::computed * sizes.eigenvalues()[5])
      directions.col(count++) = sizes.eigenvectors().col(i) / std::sqrt(sizes.eigenvalues()[i]);
  const MatrixX visible = directions.leftCols(count);
  const Eigen::SelfAdjointEigenSolver<MatrixX> fit{MatrixX(visible.transpose() * misfit * visible)};
  Eigen::Index rigid = 0;
  while (rigid < count && fit.eigenvalues()[rigid] < rigid_misfit) ++rigid;
  return nearest * visible * fit.eigenvectors().leftCols(rigid);
}

void require_positive_mass(const std::string& link, const ElasticModel& model) {
  if (Eigen::LLT<MatrixX>(model.mass).info() != Eigen::Success)
    throw MechanismError(link, fmt::format("link '{}': its mass matrix is not positive definite; give every part that "
                                           "moves some mass",
                                           link));
}

}  // namespace lithe::detail
