#include "lithe/links/elastic_model.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "lithe/errors.hpp"

namespace lithe {

namespace {

/// Adds the contribution of one lump to the elastic integrals; sizes are set by the first.
class Integrals {
 public:
  Integrals(ElasticData& data, int count, bool stiffening, bool squares)
      : data_(data), stiffening_(stiffening), squares_(stiffening && squares && count <= ElasticData::most_squared) {
    if (squares_) pairs_.setZero(count * count, count * count);
    data.mass.setZero(count, count);
    data.translation.setZero(3, count);
    data.rotation.setZero(3, count);
    for (int a = 0; a < 3; ++a) {
      if (stiffening) data.foreshortening[a].setZero(count, count);
      for (int b = 0; b < 3; ++b) {
        data.position_shape[a][b].setZero(count);
        data.shape_shape[a][b].setZero(count, count);
        if (stiffening) data.position_foreshortening[a][b].setZero(count, count);
      }
    }
  }

  void add(const FieldPoint& p) {
    data_.translation += p.mass * p.shape;
    data_.rotation += p.mass * skew(p.position) * p.shape + p.rotary * p.turn;
    data_.mass += p.mass * p.shape.transpose() * p.shape + p.turn.transpose() * p.rotary * p.turn;
    for (int a = 0; a < 3; ++a) {
      if (stiffening_) data_.foreshortening[a] += p.mass * p.foreshortening[a];
      if (squares_) {
        const auto pair = p.foreshortening[a].reshaped();
        pairs_.selfadjointView<Eigen::Lower>().rankUpdate(VectorX(pair), p.mass);
      }
      for (int b = 0; b < 3; ++b) {
        data_.position_shape[a][b] += p.mass * p.position[a] * p.shape.row(b);
        data_.shape_shape[a][b] += p.mass * p.shape.row(a).transpose() * p.shape.row(b);
        if (stiffening_) data_.position_foreshortening[a][b] += p.mass * p.position[a] * p.foreshortening[b];
      }
    }
  }

  /// After the last lump: int S_ij S_kl as a sum of few products.
  void finish() {
    if (!squares_ || pairs_.rows() == 0) return;
    const int count = static_cast<int>(data_.mass.rows());
    const Eigen::SelfAdjointEigenSolver<MatrixX> solver(pairs_);
    // A term of fourth order need not be known better than this; what is left out costs time.
    const double enough = 1e-4 * solver.eigenvalues().cwiseAbs().maxCoeff();
    for (Eigen::Index r = 0; r < pairs_.rows(); ++r)
      if (solver.eigenvalues()[r] > enough)
        data_.foreshortening_squares.push_back(std::sqrt(solver.eigenvalues()[r]) *
                                               solver.eigenvectors().col(r).reshaped(count, count));
  }

 private:
  ElasticData& data_;
  bool stiffening_, squares_;
  MatrixX pairs_;  ///< int S_ij S_kl, summed over the axes
};

void integrate_points(const ElasticModel& model, const MatrixX& basis, bool stiffening, bool squares, LinkData& link) {
  Integrals integrals(link.elastic, static_cast<int>(basis.cols()), stiffening, squares);
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const FieldPoint& p : model.field->points(basis, stiffening)) {
    link.mass += p.mass;
    first += p.mass * p.position;
    second += p.rotary - p.mass * skew(p.position) * skew(p.position);
    integrals.add(p);
  }
  integrals.finish();
  if (link.mass > 0) link.centre = first / link.mass;
  link.inertia = second + link.mass * skew(link.centre) * skew(link.centre);
}

}  // namespace

LinkData integrate_link(const std::string& name, const ElasticModel& model, const MatrixX& basis, bool stiffening,
                        bool squares) {
  LinkData link;
  link.name = name;
  link.frames = model.field->frames(basis, stiffening);
  const int count = static_cast<int>(basis.cols());
  const bool by_matrix = model.field->integrate(basis, link);
  if (by_matrix && stiffening)
    throw MechanismError(name, fmt::format("link '{}': the foreshortening of an imported link is not known; switch its "
                                           "stiffening off",
                                           name));
  if (!by_matrix) integrate_points(model, basis, stiffening, squares, link);
  link.elastic.stiffness = basis.transpose() * model.stiffness * basis;
  link.elastic.damping.setZero(count, count);
  link.elastic.frequencies.setZero(count);
  link.elastic.stiffening = stiffening ? Stiffening::consistent : Stiffening::off;
  link.elastic.section_forces = model.field->section_forces(basis);
  link.outline = model.field->outline(basis);
  link.axis = model.field->axis(basis);
  return link;
}

}  // namespace lithe
