#include "lithe/links/imported.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <memory>

#include "lithe/links/eigenproblem.hpp"
#include "lithe/links/imported_part.hpp"
#include "lithe/links/link_error.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

constexpr const char* directions[6] = {"x", "y", "z", "about x", "about y", "about z"};

std::string row_name(const ImportedMatrices& part, std::size_t row) {
  const ImportedMatrices::Row& r = part.rows[row];
  return fmt::format("node {} {}", part.nodes[r.node].number, directions[r.direction]);
}

void check_frames(const std::string& link, const ImportedMatrices& part, const std::vector<ImportedFrame>& frames) {
  for (const ImportedFrame& frame : frames) {
    if (frame.nodes.empty()) detail::refuse_link(link, fmt::format("frame '{}' names no node", frame.name));
    for (const int number : frame.nodes)
      if (std::none_of(part.nodes.begin(), part.nodes.end(), [&](const auto& node) { return node.number == number; }))
        detail::refuse_link(
            link, fmt::format("frame '{}' names node {}, which the node file does not have", frame.name, number));
  }
}

SparseMatrix block(const SparseMatrix& matrix, const std::vector<Eigen::Index>& place_of_row,
                   const std::vector<Eigen::Index>& place_of_column, Eigen::Index rows, Eigen::Index columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < matrix.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
      const Eigen::Index i = place_of_row[entry.row()], j = place_of_column[entry.col()];
      if (i >= 0 && j >= 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), entry.value());
    }
  SparseMatrix result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

MatrixX detail::condensation(const std::string& link, const ImportedMatrices& part,
                             const std::vector<ImportedFrame>& frames, int inner_modes,
                             std::vector<std::string>& names) {
  // Rows of the frames' nodes are the boundary; the rest is inside.
  const std::size_t n = part.rows.size();
  std::vector<Eigen::Index> boundary(n, -1), inside(n, -1);
  Eigen::Index boundary_count = 0, inside_count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int number = part.nodes[part.rows[i].node].number;
    const bool held = std::any_of(frames.begin(), frames.end(), [&](const ImportedFrame& frame) {
      return std::find(frame.nodes.begin(), frame.nodes.end(), number) != frame.nodes.end();
    });
    if (held) {
      boundary[i] = boundary_count++;
      names.push_back(row_name(part, i));
    } else {
      inside[i] = inside_count++;
    }
  }
  const SparseMatrix k = block(part.stiffness, inside, inside, inside_count, inside_count);
  const SparseMatrix m = block(part.mass, inside, inside, inside_count, inside_count);
  const SparseMatrix link_k = block(part.stiffness, inside, boundary, inside_count, boundary_count);
  const Eigen::SimplicialLDLT<SparseMatrix> factor(k);
  const bool held = factor.info() == Eigen::Success &&
                    factor.vectorD().minCoeff() > detail::tolerance::computed * factor.vectorD().maxCoeff();
  if (!held)
    detail::refuse_link(
        link,
        "the nodes of its frames do not hold it against rigid motion, which condensing it needs; give a frame at "
        "least three nodes that are not in a line");
  const MatrixX follows = -factor.solve(MatrixX(link_k));
  const Eigen::Index modes = std::min<Eigen::Index>(inner_modes, inside_count / 3);
  const MatrixX inner = modes > 0 ? lowest_modes(k, m, modes).shapes : MatrixX(inside_count, 0);
  MatrixX shapes = MatrixX::Zero(static_cast<Eigen::Index>(n), boundary_count + modes);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (boundary[i] >= 0)
      shapes(row, boundary[i]) = 1.0;
    else
      shapes.row(row) << follows.row(inside[i]), inner.row(inside[i]);
  }
  for (Eigen::Index j = 0; j < modes; ++j) names.push_back(fmt::format("inner mode {}", j + 1));
  return shapes;
}

ElasticModel imported_model(const std::string& link, const ImportedMatrices& part,
                            const std::vector<ImportedFrame>& frames, const ImportOptions& options) {
  detail::check_part(link, part);
  check_frames(link, part, frames);
  ElasticModel model;
  MatrixX shapes;
  if (static_cast<int>(part.rows.size()) > options.condense_above)
    shapes = detail::condensation(link, part, frames, options.inner_modes, model.names);
  else
    for (std::size_t i = 0; i < part.rows.size(); ++i) model.names.push_back(row_name(part, i));

  const auto body = std::make_shared<const detail::ImportedPart>(part, frames, std::move(shapes));
  model.mass = body->project(part.mass);
  model.stiffness = body->project(part.stiffness);
  model.field = body;
  return model;
}

}  // namespace lithe
