#include "lithe/links/mode_names.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <map>

namespace lithe::detail {

namespace {

/// Squares that differ by less than this share are the same frequency.
constexpr double equal_squares = 1e-8;

const Frame& far_frame(const std::vector<Frame>& frames) {
  for (const Frame& frame : frames)
    if (frame.name == "tip") return frame;
  return frames.back();
}

/// Kinetic energy of the shapes with the displacement along x, y, z counted once, twice, three times and turning about
/// them counted four, five, six times: any fixed unequal weights separate the directions.
MatrixX weighted_mass(const ElasticModel& model, const MatrixX& shapes) {
  const Vec3 displacement(1, 2, 3), turning(4, 5, 6);
  MatrixX sum = MatrixX::Zero(shapes.cols(), shapes.cols());
  for (const FieldPoint& p : model.field->points(shapes, false)) {
    sum += p.mass * p.shape.transpose() * displacement.asDiagonal() * p.shape;
    if (p.turn.size() == 0) continue;
    const Vec3 weight = turning.cwiseProduct(p.rotary.diagonal());
    sum += p.turn.transpose() * weight.asDiagonal() * p.turn;
  }
  return sum;
}

/// Largest entry of a column, with its sign; zero if it is small against `scale`.
double largest_entry(const Matrix3X& motion, Eigen::Index column, double scale) {
  Eigen::Index at = 0;
  if (motion.cols() == 0 || !(motion.col(column).cwiseAbs().maxCoeff(&at) > 1e-6 * scale)) return 0.0;
  return motion(at, column);
}

}  // namespace

void separate_equal_frequencies(const ElasticModel& model, const VectorX& squares, MatrixX& shapes) {
  for (Eigen::Index first = 0; first < squares.size();) {
    Eigen::Index next = first + 1;
    while (next < squares.size() && squares[next] - squares[next - 1] <= equal_squares * squares[next]) ++next;
    if (next - first > 1) {
      const MatrixX mixed = shapes.middleCols(first, next - first);
      const Eigen::SelfAdjointEigenSolver<MatrixX> apart(weighted_mass(model, mixed));
      shapes.middleCols(first, next - first) = mixed * apart.eigenvectors();
    }
    first = next;
  }
}

void fix_signs(const ElasticModel& model, MatrixX& shapes) {
  if (shapes.cols() == 0) return;
  const std::vector<Frame> frames = model.field->frames(shapes, false);
  const Frame& tip = far_frame(frames);
  const double scale = shapes.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    double sign = largest_entry(tip.shape, j, scale);
    if (sign == 0.0) sign = largest_entry(tip.turn, j, scale);
    if (sign == 0.0) {
      Eigen::Index at = 0;
      shapes.col(j).cwiseAbs().maxCoeff(&at);
      sign = shapes(at, j);
    }
    if (sign < 0) shapes.col(j) *= -1;
  }
}

std::vector<std::string> name_modes(const ElasticModel& model, const MatrixX& shapes) {
  if (shapes.cols() == 0) return {};
  int along = 0;
  far_frame(model.field->frames(shapes, false)).pose.position.cwiseAbs().maxCoeff(&along);
  MatrixX share = MatrixX::Zero(4, shapes.cols());
  for (const FieldPoint& p : model.field->points(shapes, false)) {
    share.topRows<3>() += p.mass * p.shape.cwiseAbs2();
    if (p.turn.size() > 0) share.row(3) += p.rotary(along, along) * p.turn.row(along).cwiseAbs2();
  }
  std::map<int, int> counts;
  std::vector<std::string> names;
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    int kind = 0;
    share.col(j).maxCoeff(&kind);
    const int number = ++counts[kind];
    if (kind == 3)
      names.push_back(fmt::format("torsion {}", number));
    else if (kind == along)
      names.push_back(fmt::format("stretching {}", number));
    else
      names.push_back(fmt::format("bending {} {}", "xyz"[kind], number));
  }
  return names;
}

}  // namespace lithe::detail
