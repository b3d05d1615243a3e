#include "lithe/links/static_twin.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "lithe/links/beam_parts.hpp"
#include "lithe/links/link_error.hpp"
#include "lithe/links/named_frame.hpp"
#include "lithe/spatial/gauss_rule.hpp"

namespace lithe {

namespace {

// Shapes are compared in the norm of their strain energy, each before its known part is taken away.
constexpr double nothing_new_at_frames = 1e-7;  ///< of the shape under a load on a frame: 1e-14 of the flexibility
constexpr double nothing_new_along = 1e-5;  ///< of the shape under a load along the link, which no longer moves a frame

/// Unit moments and forces on a frame: six columns.
MatrixX frame_loads(const Frame& frame) {
  MatrixX loads(frame.shape.cols(), 6);
  loads << frame.turn.transpose(), frame.shape.transpose();
  return loads;
}

/// Forces on the mass along the three link axes: uniform (weight) and growing with each coordinate of the place, as the inertia of
/// a link that turns does; twelve columns. Of an imported link only those of weight and of a growing turn are known: six.
MatrixX mass_loads(const ElasticModel& model) {
  const Eigen::Index n = model.mass.rows();
  if (const MatrixX momenta = model.field->momenta(); momenta.size() > 0) return momenta.transpose();
  MatrixX loads = MatrixX::Zero(n, 12);
  for (const FieldPoint& point : model.field->points(MatrixX::Identity(n, n), false)) {
    const MatrixX force = point.mass * point.shape.transpose();
    loads.leftCols(3) += force;
    for (int axis = 0; axis < 3; ++axis) loads.middleCols(3 + 3 * axis, 3) += point.position[axis] * force;
  }
  return loads;
}

/// Forces per length along the three link axes, uniform and growing linearly: six columns.
MatrixX line_loads(const Axis& axis, Eigen::Index count, const std::array<double, 2>& stretch) {
  const detail::GaussRule rule = detail::gauss_rule(axis.gauss_points);
  MatrixX loads = MatrixX::Zero(count, 6);
  for (std::size_t i = 0; i + 1 < axis.ends.size(); ++i) {
    const double start = std::max(stretch[0], axis.ends[i]), length = std::min(stretch[1], axis.ends[i + 1]) - start;
    if (!(length > 0)) continue;
    for (Eigen::Index g = 0; g < rule.at.size(); ++g) {
      const double s = start + rule.at[g] * length, way = (s - stretch[0]) / (stretch[1] - stretch[0]);
      const MatrixX shape = rule.weight[g] * length * axis.at(s).shape.transpose();
      loads.leftCols(3) += shape;
      loads.rightCols(3) += way * shape;
    }
  }
  return loads;
}

/// An orthonormal set of directions that grows. With the factor L of the stiffness K = L L^T, a shape u is the
/// direction L^T u and a load f the direction L^-1 f of its static shape: the norm is that of the strain energy.
class Directions {
 public:
  explicit Directions(Eigen::Index size) : known_(size, 0) {}

  /// Adds what `columns` hold beyond the known ones, where that is more than `least` of a column.
  void add(MatrixX columns, double least) {
    Eigen::Index count = 0;
    for (Eigen::Index j = 0; j < columns.cols(); ++j)
      if (const double norm = columns.col(j).norm(); norm > 0) columns.col(count++) = columns.col(j) / norm;
    if (count == 0) return;  // a link without a loaded frame
    columns.conservativeResize(Eigen::NoChange, count);
    columns = beyond(columns);
    const Eigen::ColPivHouseholderQR<MatrixX> qr(columns);
    Eigen::Index rank = 0;
    while (rank < std::min(columns.rows(), count) && std::abs(qr.matrixR()(rank, rank)) > least) ++rank;
    if (rank == 0) return;
    // Small remainders carry the rounding of what was taken away: once more.
    MatrixX fresh = beyond(qr.householderQ() * MatrixX::Identity(columns.rows(), rank));
    fresh = Eigen::HouseholderQR<MatrixX>(fresh).householderQ() * MatrixX::Identity(columns.rows(), rank);
    MatrixX both(known_.rows(), known_.cols() + rank);
    both << known_, fresh;
    known_ = std::move(both);
  }

  MatrixX beyond(MatrixX columns) const {
    for (int pass = 0; pass < 2; ++pass) columns -= (known_ * (known_.transpose() * columns)).eval();
    return columns;
  }

  Eigen::Index count() const { return known_.cols(); }
  MatrixX from(Eigen::Index first) const { return known_.rightCols(known_.cols() - first); }

 private:
  MatrixX known_;
};

bool is_loaded(const StaticChoice& choice, const Frame& frame) {
  return choice.frames.empty() ||
         std::find(choice.frames.begin(), choice.frames.end(), frame.name) != choice.frames.end();
}

/// Largest displacement (m) or turn (rad) per column.
VectorX largest_motion(const ElasticModel& model, const MatrixX& shapes) {
  VectorX largest = VectorX::Zero(shapes.cols());
  const auto look = [&](const Matrix3X& motion) { largest = largest.cwiseMax(motion.colwise().norm().transpose()); };
  for (const FieldPoint& point : model.field->points(shapes, false)) look(point.shape), look(point.turn);
  for (const Frame& frame : model.field->frames(shapes, false)) look(frame.shape), look(frame.turn);
  return largest;
}

}  // namespace

void add_static_twin(LinkData& link, const ElasticModel& model, const MatrixX& basis, const StaticChoice& choice) {
  const ElasticModel& whole = model.whole ? *model.whole : model;
  const MatrixX kept = model.whole ? MatrixX(model.in_whole * basis) : basis;
  const Eigen::Index n = whole.stiffness.rows();
  const Eigen::LLT<MatrixX> factor(whole.stiffness);
  if (factor.info() != Eigen::Success)
    detail::refuse_link(link.name, "its static shapes need a link that is held; give it a reference condition");
  const auto direction_of = [&](const MatrixX& loads) -> MatrixX { return factor.matrixL().solve(loads); };

  const MatrixX each = MatrixX::Identity(n, n);
  const std::vector<Frame> frames = whole.field->frames(each, false);
  for (const std::string& name : choice.frames) detail::named_frame(link.name, frames, name);

  // The kept shapes, then what loads on frames need, then loads along the link: those no longer move a frame that
  // carries loads, because the work of its forces on them is zero.
  Directions directions(n);
  directions.add(factor.matrixU() * kept, 0.0);
  const Eigen::Index known = directions.count();
  MatrixX loads(n, 0);
  const auto gather = [&](const MatrixX& more) {
    loads.conservativeResize(Eigen::NoChange, loads.cols() + more.cols());
    loads.rightCols(more.cols()) = more;
  };
  for (const Frame& frame : frames)
    if (is_loaded(choice, frame)) gather(frame_loads(frame));
  directions.add(direction_of(loads), nothing_new_at_frames);
  loads = mass_loads(whole);
  if (const Axis axis = whole.field->axis(each); axis.length > 0) {
    gather(line_loads(axis, n, {0.0, axis.length}));
    for (const std::array<double, 2>& stretch : choice.stretches) gather(line_loads(axis, n, stretch));
  }
  directions.add(direction_of(loads), nothing_new_along);

  // Frames without shapes of their own.
  std::vector<MatrixX> residuals(frames.size());
  bool is_needed = directions.count() > known;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (is_loaded(choice, frames[i])) continue;
    const MatrixX all = direction_of(frame_loads(frames[i])), rest = directions.beyond(all);
    if (rest.norm() <= nothing_new_at_frames * all.norm()) continue;
    residuals[i] = rest.transpose() * rest;
    is_needed = true;
  }
  if (!is_needed) return;

  MatrixX fresh = factor.matrixU().solve(directions.from(known));
  const VectorX largest = largest_motion(whole, fresh);
  for (Eigen::Index j = 0; j < fresh.cols(); ++j)
    if (largest[j] > 0) fresh.col(j) /= largest[j];
  MatrixX shapes(n, kept.cols() + fresh.cols());
  shapes << kept, fresh;

  const Stiffening stiffening = link.elastic.stiffening;
  LinkData twin = integrate_link(link.name, whole, shapes, stiffening != Stiffening::off, false);
  if (stiffening == Stiffening::stress) whole.field->take_element_stress(shapes, twin);
  twin.elastic.stiffening = stiffening;
  twin.elastic.frequencies.head(kept.cols()) = link.elastic.frequencies;
  twin.elastic.names = link.elastic.names;
  for (Eigen::Index j = 1; j <= fresh.cols(); ++j) twin.elastic.names.push_back(fmt::format("residual {}", j));
  for (std::size_t i = 0; i < frames.size(); ++i) twin.frames[i].residual = residuals[i];
  link.statics = std::make_shared<const LinkData>(std::move(twin));
}

}  // namespace lithe
