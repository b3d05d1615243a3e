#include "lithe/links/mode_table.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

/// Whether the coordinates are the modes themselves: unit mass, diagonal stiffness.
bool are_modes(const ElasticData& e) {
  const Eigen::Index n = e.count();
  const MatrixX diagonal = e.stiffness.diagonal().asDiagonal();
  return (e.mass - MatrixX::Identity(n, n)).cwiseAbs().maxCoeff() < detail::tolerance::diagonal &&
         (e.stiffness - diagonal).cwiseAbs().maxCoeff() <= detail::tolerance::diagonal * diagonal.cwiseAbs().maxCoeff();
}

/// What a shape mostly does, by kinetic energy; what is not translation is rotary, which only torsion lives by.
std::string kind_of(const ElasticData& e, const VectorX& shape) {
  static constexpr const char* kinds[4] = {"stretching", "bending y", "bending z", "torsion"};
  Eigen::Vector4d share;
  for (int a = 0; a < 3; ++a) share[a] = shape.dot(e.shape_shape[a][a] * shape);
  share[3] = shape.dot(e.mass * shape) - share.head<3>().sum();
  int kind = 0;
  share.maxCoeff(&kind);
  return kinds[kind];
}

/// Part of `whole` per component; zero where there is nothing to be part of.
Vec3 fraction(const Vec3& part, const Vec3& whole) {
  Vec3 fractions = Vec3::Zero();
  for (int a = 0; a < 3; ++a)
    if (whole[a] > detail::tolerance::computed * whole.maxCoeff()) fractions[a] = part[a] / whole[a];
  return fractions;
}

}  // namespace

std::vector<LinkMode> mode_table(const LinkData& link) {
  const ElasticData& e = link.elastic;
  std::vector<LinkMode> modes;
  if (e.count() == 0) return modes;
  const bool named = are_modes(e) && static_cast<int>(e.names.size()) == e.count();
  MatrixX shapes = MatrixX::Identity(e.count(), e.count());
  VectorX squares = e.stiffness.diagonal();
  if (!named) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(e.stiffness, e.mass);
    if (solver.info() != Eigen::Success) return modes;
    shapes = solver.eigenvectors();
    squares = solver.eigenvalues();
  }
  const Mat3 about_origin = link.inertia - link.mass * skew(link.centre) * skew(link.centre);
  std::map<std::string, int> counts;
  for (Eigen::Index i = 0; i < shapes.cols(); ++i) {
    LinkMode mode;
    mode.shape = shapes.col(i);
    const double rate = std::sqrt(std::max(0.0, squares[i]));
    mode.frequency = rate / (2 * std::numbers::pi);
    if (rate > 0 && e.damping.size() > 0) mode.damping = mode.shape.dot(e.damping * mode.shape) / (2 * rate);
    mode.mass_fraction = fraction((e.translation * mode.shape).cwiseAbs2(), Vec3::Constant(link.mass));
    mode.inertia_fraction = fraction((e.rotation * mode.shape).cwiseAbs2(), about_origin.diagonal());
    const std::string kind = named ? std::string{} : kind_of(e, mode.shape);
    mode.name = named ? e.names[i] : fmt::format("{} {}", kind, ++counts[kind]);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const LinkMode& a, const LinkMode& b) { return a.frequency < b.frequency; });
  return modes;
}

}  // namespace lithe
