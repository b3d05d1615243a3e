// What a rich link could keep: its natural modes, and the shapes that loads at its frames give it.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "lithe/analysis/shape_choice.hpp"

namespace lithe {

namespace {

constexpr double equal_values = 1e-6;  ///< relative: frequencies or compliances of the same shape in two directions
constexpr double no_motion = 1e-12;    ///< of the largest compliance: nothing deforms that way

/// Static shapes under three loads, whose work per coordinate is `rows`: forces at a frame, moments, accelerations of
/// the link.
void add_static_shapes(const Matrix3X& rows, const VectorX& stiffness, const std::string& frame,
                       std::vector<ShapeCandidate>& candidates) {
  const MatrixX shapes = stiffness.cwiseInverse().asDiagonal() * rows.transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> principal{Mat3(rows * shapes)};
  const Vec3 compliance = principal.eigenvalues();
  for (int a = 0; a < 3;) {
    int next = a + 1;
    while (next < 3 && compliance[next] < compliance[a] * (1 + equal_values)) ++next;
    if (compliance[a] > no_motion * compliance[2] && compliance[2] > 0) {
      ShapeCandidate candidate;
      candidate.columns = shapes * principal.eigenvectors().middleCols(a, next - a);
      candidate.columns.colwise().normalize();
      candidate.frame = frame;
      const VectorX first = candidate.columns.col(0);
      candidate.frequency = std::sqrt(first.dot(stiffness.cwiseProduct(first)));
      candidates.push_back(std::move(candidate));
    }
    a = next;
  }
}

}  // namespace

std::vector<ShapeCandidate> shape_candidates(const LinkData& rich, int modes, const std::vector<std::string>& loaded) {
  std::vector<ShapeCandidate> candidates;
  const int count = rich.elastic.count();
  const VectorX stiffness = rich.elastic.stiffness.diagonal();
  for (int k = 0; k < modes;) {
    int next = k + 1;
    while (next < modes && stiffness[next] < stiffness[k] * (1 + 2 * equal_values)) ++next;
    ShapeCandidate candidate;
    candidate.columns = MatrixX::Identity(count, count).middleCols(k, next - k);
    candidate.mode = k;
    candidate.frequency = std::sqrt(std::max(0.0, stiffness[k]));
    candidates.push_back(std::move(candidate));
    k = next;
  }
  for (const std::string& name : loaded) {
    const int at = rich.find_frame(name);
    if (at < 0) continue;
    const Frame& frame = rich.frames[at];
    if (frame.shape.cols() == count && !frame.shape.isZero(0.0))
      add_static_shapes(frame.shape, stiffness, name, candidates);
    if (frame.turn.cols() == count && !frame.turn.isZero(0.0))
      add_static_shapes(frame.turn, stiffness, name, candidates);
  }
  // Accelerated as a whole, the link bends under its own inertia.
  if (!rich.elastic.translation.isZero(0.0))
    add_static_shapes(rich.elastic.translation, stiffness, own_inertia, candidates);
  if (!rich.elastic.rotation.isZero(0.0)) add_static_shapes(rich.elastic.rotation, stiffness, own_inertia, candidates);
  return candidates;
}

}  // namespace lithe
