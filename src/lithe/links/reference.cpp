#include "lithe/links/reference.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <memory>

#include "lithe/links/elimination.hpp"
#include "lithe/links/link_error.hpp"
#include "lithe/links/named_frame.hpp"
#include "lithe/links/rigid_motions.hpp"

namespace lithe {

namespace {

MatrixX stacked(const Matrix3X& upper, const MatrixX& lower) {
  MatrixX rows(3 + lower.rows(), upper.cols());
  rows << upper, lower;
  return rows;
}

/// The end of the chord moves only along it: two rows across, and one that stops turning about it.
MatrixX chord_rows(const std::string& link, const Frame& root, const Frame& tip) {
  const Vec3 way = tip.pose.position - root.pose.position;
  if (!(way.norm() > 0))
    detail::refuse_link(link, fmt::format("the chord needs two places, but frames '{}' and '{}' stand at the same one",
                                          root.name, tip.name));
  const Vec3 along = way.normalized(), across = along.unitOrthogonal();
  MatrixX rows(3, root.shape.cols());
  rows << across.transpose() * tip.shape, along.cross(across).transpose() * tip.shape, along.transpose() * root.turn;
  return stacked(root.shape, rows);
}

MatrixX reference_rows(const std::string& link, const ElasticModel& model, Reference reference, const std::string& root,
                       const std::string& tip) {
  const Eigen::Index n = model.mass.rows();
  if (reference == Reference::supported) return MatrixX(0, n);
  if (reference == Reference::free) {
    // Momentum of the elastic motion in every rigid motion the model has.
    const MatrixX motions = detail::rigid_motions(model);
    if (motions.cols() == 0)
      detail::refuse_link(link, "mean axes need a link that is free, but its supports hold it; take the supports away");
    return motions.transpose() * model.mass;
  }
  const std::vector<Frame> frames = model.field->frames(MatrixX::Identity(n, n), false);
  const Frame& start = detail::named_frame(link, frames, root);
  if (reference == Reference::clamped) return stacked(start.shape, start.turn);
  return chord_rows(link, start, detail::named_frame(link, frames, tip));
}

const char* how_held(Reference reference) {
  switch (reference) {
    case Reference::clamped:
      return "clamped at its root";
    case Reference::chord:
      return "held by its chord";
    case Reference::free:
      return "in mean axes";
    default:
      return "on its supports";
  }
}

/// The whole of `model` on the same reference. Shapes of the model may move it as a whole against that (a lump beside
/// the axis that bending swings along it, in mean axes); such a motion is taken away.
void put_whole_on_reference(const ElasticModel& whole, const MatrixX& rows, ElasticModel& result) {
  const detail::Elimination held(rows);
  result.whole = std::make_shared<const ElasticModel>(detail::constrained(whole, held));
  const MatrixX rigid = detail::rigid_motions(whole);
  const MatrixX back = rigid * (rows * rigid).completeOrthogonalDecomposition().solve(rows * result.in_whole);
  result.in_whole = MatrixX(result.in_whole - back)(held.kept(), Eigen::all);
}

/// Dimensions can be finite and their fourth powers not.
void require_finite(const std::string& link, const ElasticModel& model) {
  if (!model.mass.allFinite() || !model.stiffness.allFinite())
    detail::refuse_link(link, "its mass or stiffness is no finite number; check its dimensions and their units");
  if (model.whole) require_finite(link, *model.whole);
}

}  // namespace

const char* name_of(Reference reference) {
  switch (reference) {
    case Reference::supported:
      return "supported";
    case Reference::clamped:
      return "clamped";
    case Reference::chord:
      return "chord";
    case Reference::free:
      return "free";
  }
  return "";
}

ElasticModel with_reference(const std::string& link, const ElasticModel& model, Reference reference,
                            const std::string& root, const std::string& tip) {
  require_finite(link, model);
  detail::require_positive_mass(link, model);
  const detail::Elimination held(reference_rows(link, model, reference, root, tip));
  if (held.kept().empty())
    detail::refuse_link(link, fmt::format("{} it has no coordinate left; use more elements", how_held(reference)));
  ElasticModel result = detail::constrained(model, held);
  const Eigen::Index loose = detail::rigid_motions(result).cols();
  if (loose > 0)
    detail::refuse_link(
        link,
        fmt::format("{} it can still move as a rigid body ({} {}); use another reference condition or more supports",
                    how_held(reference), loose, loose == 1 ? "motion" : "motions"));
  if (model.whole)
    put_whole_on_reference(*model.whole, reference_rows(link, *model.whole, reference, root, tip), result);
  return result;
}

}  // namespace lithe
