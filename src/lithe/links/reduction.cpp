#include "lithe/links/reduction.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "lithe/links/eigenproblem.hpp"
#include "lithe/links/elimination.hpp"
#include "lithe/links/link_error.hpp"
#include "lithe/links/mode_names.hpp"
#include "lithe/links/named_frame.hpp"

namespace lithe {

namespace {

/// Static shapes whose part outside the kept ones is smaller than this share bring nothing new.
constexpr double nothing_new = 1e-6;

bool is_empty(const ModeChoice& choice) { return choice.list.empty() && choice.count == 0 && choice.below == 0; }

/// Displacements and rotations of the frames per coordinate: six rows each.
MatrixX motions_of(const std::string& link, const ElasticModel& model, const std::vector<std::string>& names) {
  const Eigen::Index n = model.mass.rows();
  const std::vector<Frame> frames = model.field->frames(MatrixX::Identity(n, n), false);
  MatrixX rows(6 * std::ssize(names), n);
  Eigen::Index at = 0;
  for (const std::string& name : names) {
    const Frame& frame = detail::named_frame(link, frames, name);
    rows.middleRows(at, 3) = frame.shape;
    rows.middleRows(at + 3, 3) = frame.turn;
    at += 6;
  }
  return rows;
}

MatrixX beside(const MatrixX& left, const MatrixX& right) {
  MatrixX both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

/// Craig-Bampton: the shapes that the link takes when its interface coordinates move one by one, and the modes with the
/// interfaces held.
MatrixX interface_basis(const std::string& link, const ElasticModel& model, const ReductionChoice& choice) {
  const MatrixX rows = motions_of(link, model, choice.interfaces);
  const detail::Elimination held(rows);
  if (held.rank() == 0)
    detail::refuse_link(link, "its interface frames do not move with the deformation; name other frames");

  // Any motions of the interfaces, then the rest of the link follows statically: T^T K (u_0 + T y) = 0.
  const MatrixX moved =
      MatrixX(rows.transpose()).colPivHouseholderQr().householderQ() * MatrixX::Identity(rows.cols(), held.rank());
  MatrixX basis = moved;
  if (held.kept().empty()) return basis;
  const Eigen::LLT<MatrixX> inner(held.project(model.stiffness));
  if (inner.info() != Eigen::Success)
    detail::refuse_link(link, "with its interface frames held, a part of it can move without resistance");
  basis -= held.expand(inner.solve(held.gather(model.stiffness * moved)));
  if (is_empty(choice.modes)) return basis;
  const Reduction fixed = link_modes(link, detail::constrained(model, held), choice.modes);
  return beside(basis, held.expand(fixed.basis));
}

/// Static shapes under unit forces and moments at the loaded frames, less what `kept` already holds; mass-normalised.
MatrixX attachment_shapes(const std::string& link, const ElasticModel& model, const std::vector<std::string>& loaded,
                          const MatrixX& kept) {
  const Eigen::LLT<MatrixX> factor(model.stiffness);
  if (factor.info() != Eigen::Success)
    detail::refuse_link(link, "static shapes at loaded frames need a link that is held; give it a reference condition");
  MatrixX shapes = factor.solve(motions_of(link, model, loaded).transpose());
  Eigen::Index count = 0;
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const double square = shapes.col(j).dot(model.mass * shapes.col(j));
    if (square > 0) shapes.col(count++) = shapes.col(j) / std::sqrt(square);
  }
  shapes.conservativeResize(Eigen::NoChange, count);
  if (count == 0) return shapes;
  for (int pass = 0; pass < 2; ++pass) shapes -= (kept * (kept.transpose() * (model.mass * shapes))).eval();
  const Eigen::SelfAdjointEigenSolver<MatrixX> sizes{MatrixX(shapes.transpose() * model.mass * shapes)};
  MatrixX fresh(shapes.rows(), count);
  Eigen::Index used = 0;
  for (Eigen::Index j = 0; j < count; ++j)
    if (sizes.eigenvalues()[j] > nothing_new * nothing_new)
      fresh.col(used++) = shapes * sizes.eigenvectors().col(j) / std::sqrt(sizes.eigenvalues()[j]);
  return fresh.leftCols(used);
}

/// The modes of the link within the space of `basis`.
Reduction modes_within(const ElasticModel& model, const MatrixX& basis) {
  detail::EigenPairs pairs = detail::modes_within(model.stiffness, model.mass, basis);
  detail::separate_equal_frequencies(model, pairs.squares, pairs.shapes);
  detail::fix_signs(model, pairs.shapes);
  return {pairs.shapes, pairs.squares.cwiseMax(0.0).cwiseSqrt(), detail::name_modes(model, pairs.shapes)};
}

}  // namespace

Reduction reduce(const std::string& link, const ElasticModel& model, const ReductionChoice& choice) {
  const bool with_shapes = !choice.interfaces.empty() || !choice.loaded.empty();
  if (choice.all) {
    if (with_shapes || !is_empty(choice.modes))
      detail::refuse_link(link,
                          "all coordinates are kept, so there is nothing to choose; leave out the modes or 'all'");
    return all_coordinates(model);
  }
  if (!with_shapes) return link_modes(link, model, choice.modes);

  Reduction kept;
  kept.basis.resize(model.mass.rows(), 0);
  if (!choice.interfaces.empty())
    kept = modes_within(model, interface_basis(link, model, choice));
  else if (!is_empty(choice.modes))
    kept = link_modes(link, model, choice.modes);
  if (choice.loaded.empty()) return kept;

  const MatrixX fresh = attachment_shapes(link, model, choice.loaded, kept.basis);
  if (fresh.cols() == 0) {
    if (kept.basis.cols() == 0)
      detail::refuse_link(link, "its loaded frames do not move with the deformation; name other frames");
    return kept;
  }
  if (!choice.interfaces.empty()) return modes_within(model, beside(kept.basis, fresh));
  // Natural modes do not couple with what is orthogonal to them, so they stay as they are.
  const Reduction extra = modes_within(model, fresh);
  VectorX frequencies(kept.frequencies.size() + extra.frequencies.size());
  frequencies << kept.frequencies, extra.frequencies;
  kept.basis = beside(kept.basis, extra.basis);
  kept.frequencies = frequencies;
  for (Eigen::Index i = 0; i < extra.frequencies.size(); ++i) kept.names.push_back(fmt::format("static {}", i + 1));
  return kept;
}

}  // namespace lithe
