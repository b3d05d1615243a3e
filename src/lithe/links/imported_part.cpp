#include "lithe/links/imported_part.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Motion of a node in one direction by unit translations and rotations about `centre`.
Eigen::Matrix<double, 1, 6> rigid_row(const Vec3& position, const Vec3& centre, int direction) {
  Eigen::Matrix<double, 1, 6> row = Eigen::Matrix<double, 1, 6>::Zero();
  if (direction >= 3) {
    row[direction] = 1.0;
    return row;
  }
  row[direction] = 1.0;
  row.tail<3>() = -skew(position - centre).row(direction);
  return row;
}

MatrixX rigid_rows(const ImportedMatrices& part, const Vec3& centre) {
  MatrixX rows(std::ssize(part.rows), 6);
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    const ImportedMatrices::Row& row = part.rows[i];
    rows.row(static_cast<Eigen::Index>(i)) = rigid_row(part.nodes[row.node].position, centre, row.direction);
  }
  return rows;
}

std::size_t node_place(const ImportedMatrices& part, int number) {
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    if (part.nodes[i].number == number) return i;
  throw std::out_of_range("node");
}

}  // namespace

void check_part(const std::string& link, const ImportedMatrices& part) {
  const auto refuse = [&](const std::string& message) {
    throw MechanismError(link, fmt::format("link '{}': {}", link, message));
  };
  const auto n = std::ssize(part.rows);
  for (const auto& [name, matrix] : {std::pair{"mass", &part.mass}, std::pair{"stiffness", &part.stiffness}}) {
    if (matrix->rows() != n || matrix->cols() != n)
      refuse(fmt::format("its {} matrix is {} x {}, but the node file describes {} rows", name, matrix->rows(),
                         matrix->cols(), n));
    const SparseMatrix turned = matrix->transpose();
    if ((*matrix - turned).norm() > tolerance::written * matrix->norm())
      refuse(fmt::format("its {} matrix is not symmetric; export both halves or mark the file as symmetric", name));
  }
  const MatrixX rigid = rigid_rows(part, Vec3::Zero());
  // A row of K times a rigid motion is a sum of large entries that must cancel.
  const double entry = part.stiffness.coeffs().size() > 0 ? part.stiffness.coeffs().cwiseAbs().maxCoeff() : 0.0;
  const double reach = std::max(1.0, rigid.cwiseAbs().maxCoeff());
  if ((part.stiffness * rigid).cwiseAbs().maxCoeff() > 1e-6 * entry * reach)
    refuse(
        "its stiffness matrix resists rigid motion: take supports and springs to ground out before exporting, and "
        "check "
        "the unit and axes of the node positions");
  const Eigen::Matrix<double, 6, 6> mass = rigid.transpose() * (part.mass * rigid);
  const double spread = std::abs(mass(0, 0) - mass(1, 1)) + std::abs(mass(0, 0) - mass(2, 2));
  if (!(mass(0, 0) > 0) || spread > 1e-6 * mass(0, 0))
    refuse(fmt::format(
        "its mass matrix gives {:.6g} kg along x, {:.6g} kg along y and {:.6g} kg along z; export all rows of "
        "a free part",
        mass(0, 0), mass(1, 1), mass(2, 2)));
}

ImportedPart::ImportedPart(ImportedMatrices part, std::vector<ImportedFrame> frames, MatrixX shapes)
    : part_(std::move(part)), frames_(std::move(frames)), shapes_(std::move(shapes)) {
  rigid_ = rigid_rows(part_, Vec3::Zero());
  const auto nodes = std::ssize(part_.nodes);
  std::array<std::vector<Eigen::Triplet<double>>, 3> entries;
  lump_masses_.setZero(nodes);
  for (int column = 0; column < part_.mass.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(part_.mass, column); entry; ++entry) {
      const ImportedMatrices::Row &a = part_.rows[entry.row()], &b = part_.rows[entry.col()];
      if (a.direction > 2 || a.direction != b.direction) continue;
      entries[a.direction].emplace_back(a.node, b.node, entry.value());
      if (entry.row() == entry.col()) lump_masses_[a.node] += entry.value();
    }
  for (std::size_t d = 0; d < 3; ++d) {
    node_mass_[d].resize(nodes, nodes);
    node_mass_[d].setFromTriplets(entries[d].begin(), entries[d].end());
  }
  const double mass = rigid_.col(0).dot(part_.mass * rigid_.col(0));
  lump_masses_ *= mass / lump_masses_.sum();
}

MatrixX ImportedPart::expand(const MatrixX& basis) const {
  return shapes_.size() == 0 ? basis : MatrixX(shapes_ * basis);
}

MatrixX ImportedPart::project(const SparseMatrix& matrix) const {
  if (shapes_.size() == 0) return matrix;
  const MatrixX projected = shapes_.transpose() * (matrix * shapes_);
  return 0.5 * (projected + projected.transpose());
}

MatrixX ImportedPart::along(const MatrixX& full, int direction) const {
  MatrixX result = MatrixX::Zero(std::ssize(part_.nodes), full.cols());
  for (std::size_t i = 0; i < part_.rows.size(); ++i)
    if (part_.rows[i].direction == direction) result.row(part_.rows[i].node) = full.row(static_cast<Eigen::Index>(i));
  return result;
}

bool ImportedPart::integrate(const MatrixX& basis, LinkData& link) const {
  const MatrixX full = expand(basis);
  const MatrixX momentum = part_.mass * full, rigid_momentum = part_.mass * rigid_;
  const Eigen::Matrix<double, 6, 6> whole = rigid_.transpose() * rigid_momentum;
  link.mass = whole.topLeftCorner<3, 3>().trace() / 3.0;
  // The upper right block is minus the cross-product matrix of the first moment.
  const Mat3 first = -whole.topRightCorner<3, 3>();
  link.centre = Vec3(first(2, 1) - first(1, 2), first(0, 2) - first(2, 0), first(1, 0) - first(0, 1)) / (2 * link.mass);
  link.inertia = whole.bottomRightCorner<3, 3>() + link.mass * skew(link.centre) * skew(link.centre);

  ElasticData& e = link.elastic;
  e.mass = full.transpose() * momentum;
  e.mass = (0.5 * (e.mass + e.mass.transpose())).eval();
  e.translation = rigid_.leftCols<3>().transpose() * momentum;
  e.rotation = rigid_.rightCols<3>().transpose() * momentum;

  std::array<MatrixX, 3> field, weighted;
  VectorX position[3];
  for (int a = 0; a < 3; ++a) {
    field[a] = along(full, a);
    position[a].resize(std::ssize(part_.nodes));
    for (std::size_t i = 0; i < part_.nodes.size(); ++i) position[a][i] = part_.nodes[i].position[a];
  }
  for (std::size_t b = 0; b < 3; ++b) weighted[b] = along(momentum, static_cast<int>(b));
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      // x_a is itself a field of the elements, with the nodes' positions as values.
      e.position_shape[a][b] = position[a].transpose() * weighted[b];
      // Solid elements weigh all directions alike; the mean keeps the (b, a) integral the transpose of (a, b).
      const MatrixX mean = 0.5 * (node_mass_[a] * field[b] + node_mass_[b] * field[b]);
      e.shape_shape[a][b] = field[a].transpose() * mean;
    }
  return true;
}

std::vector<FieldPoint> ImportedPart::points(const MatrixX& basis, bool /*stiffening*/) const {
  const MatrixX full = expand(basis);
  std::vector<FieldPoint> points(part_.nodes.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].mass = lump_masses_[i];
    points[i].position = part_.nodes[i].position;
    points[i].shape.setZero(3, basis.cols());
    points[i].turn.setZero(3, basis.cols());
  }
  for (std::size_t i = 0; i < part_.rows.size(); ++i) {
    const ImportedMatrices::Row& row = part_.rows[i];
    FieldPoint& p = points[row.node];
    (row.direction < 3 ? p.shape : p.turn).row(row.direction % 3) = full.row(static_cast<Eigen::Index>(i));
  }
  return points;
}

Frame ImportedPart::frame(const ImportedFrame& wanted, const MatrixX& basis) const {
  Vec3 centre = Vec3::Zero();
  std::vector<bool> belongs(part_.nodes.size(), false);
  for (const int number : wanted.nodes) {
    const std::size_t place = node_place(part_, number);
    belongs[place] = true;
    centre += part_.nodes[place].position / static_cast<double>(wanted.nodes.size());
  }
  std::vector<Eigen::Index> rows;
  double reach = 0.0;
  for (std::size_t i = 0; i < part_.rows.size(); ++i) {
    const auto node = static_cast<std::size_t>(part_.rows[i].node);
    if (!belongs[node]) continue;
    rows.push_back(static_cast<Eigen::Index>(i));
    reach = std::max(reach, (part_.nodes[node].position - centre).norm());
  }
  // Rigid motion from the nodes by least squares; rotations count as displacements at the reach of the group.
  const double arm = reach > 0 ? reach : 1.0;
  MatrixX fit(std::ssize(rows), 6);
  VectorX weight(fit.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ImportedMatrices::Row& row = part_.rows[rows[i]];
    const auto at = static_cast<Eigen::Index>(i);
    weight[at] = row.direction < 3 ? 1.0 : arm;
    fit.row(at) = weight[at] * rigid_row(part_.nodes[row.node].position, centre, row.direction);
    fit.row(at).tail<3>() /= arm;
  }
  Eigen::CompleteOrthogonalDecomposition<MatrixX> solver;
  solver.setThreshold(tolerance::written);
  solver.compute(fit);
  const MatrixX full = expand(basis)(rows, Eigen::all);
  MatrixX motion(6, full.cols());  // of a part taken as rigid there is none, and Eigen would look at its first entry
  if (full.cols() > 0) motion = solver.solve(MatrixX(weight.asDiagonal() * full));
  return {wanted.name, Pose{wanted.rotation, centre}, motion.topRows<3>(), motion.bottomRows<3>() / arm, {}};
}

MatrixX ImportedPart::momenta() const {
  const Eigen::Index n = shapes_.size() > 0 ? shapes_.cols() : part_.mass.rows();
  return (part_.mass * rigid_).transpose() * expand(MatrixX::Identity(n, n));
}

std::vector<Frame> ImportedPart::frames(const MatrixX& basis, bool /*stiffening*/) const {
  // The origin belongs to the body frame, not to a node: it does not move with the deformation.
  const Matrix3X still = Matrix3X::Zero(3, basis.cols());
  std::vector<Frame> all{{"origin", Pose{}, still, still, {}}};
  for (const ImportedFrame& each : frames_) all.push_back(frame(each, basis));
  return all;
}

Outline ImportedPart::outline(const MatrixX& basis) const {
  Outline outline;
  if (part_.lines.empty()) return outline;
  for (FieldPoint& p : points(basis, false)) outline.points.push_back({p.position, std::move(p.shape)});
  for (const auto& line : part_.lines) outline.lines.push_back({line[0], line[1], 0.0, -1, {}, Vec3::Zero()});
  return outline;
}

}  // namespace lithe::detail
