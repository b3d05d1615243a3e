#include "lithe/mechanism/elastic_tables.hpp"

#include <cmath>

#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Matrices per pair of link axes, seen in other axes: M'_ab = sum_cd axes_ca axes_db M_cd.
template <class Entry>
Entry pair_in_axes(const std::array<std::array<Entry, 3>, 3>& m, const Mat3& axes, int a, int b) {
  Entry sum = Entry::Zero(m[0][0].rows(), m[0][0].cols());
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) {
      const double weight = axes(c, a) * axes(d, b);
      if (weight != 0.0) sum += weight * m[c][d];
    }
  return sum;
}

MatrixX axis_in_axes(const std::array<MatrixX, 3>& m, const Mat3& axes, int a) {
  MatrixX sum = MatrixX::Zero(m[0].rows(), m[0].cols());
  for (int c = 0; c < 3; ++c) sum += axes(c, a) * m[c];
  return sum;
}

bool shortens(const ElasticData& e) { return e.stiffening == Stiffening::consistent; }

/// A second moment as linear and quadratic function of eta: int r_a r_b with r = x + Phi eta - 1/2 eta^T S eta.
struct Growth {
  Eigen::RowVectorXd linear;
  MatrixX quadratic;
};

Growth product_growth(const ElasticData& e, const Mat3& axes, int a, int b) {
  Growth g;
  g.linear = pair_in_axes(e.position_shape, axes, a, b) + pair_in_axes(e.position_shape, axes, b, a);
  const MatrixX squares = pair_in_axes(e.shape_shape, axes, a, b);
  g.quadratic = 0.5 * (squares + squares.transpose());
  if (shortens(e))
    g.quadratic -= 0.5 * (pair_in_axes(e.position_foreshortening, axes, a, b) +
                          pair_in_axes(e.position_foreshortening, axes, b, a));
  return g;
}

}  // namespace

template <class S>
ElasticBody<S> elastic_body(const LinkData& link, const Mat3& axes) {
  constexpr int L = S::linear_size;
  const ElasticData& e = link.elastic;
  ElasticBody<S> body;
  body.count = e.count();
  body.translation = (axes.transpose() * e.translation).template topRows<L>();
  body.rotation = (axes.transpose() * e.rotation).template bottomRows<S::angular_size>();
  body.mass = e.mass;
  body.stiffness = e.stiffness;
  body.damping = e.damping.size() > 0 ? e.damping : MatrixX::Zero(body.count, body.count);
  if (shortens(e)) {
    for (int a = 0; a < L; ++a) body.foreshortening[a] = axis_in_axes(e.foreshortening, axes, a);
    body.squares = e.foreshortening_squares;
  }
  // int r x dr/deta, component c: r_a dr_b - r_b dr_a with (a, b, c) cyclic.
  for (int c = 3 - S::angular_size; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    MatrixX& m = body.coupling[c - (3 - S::angular_size)];
    m = pair_in_axes(e.shape_shape, axes, a, b) - pair_in_axes(e.shape_shape, axes, b, a);
    if (shortens(e))
      m -= pair_in_axes(e.position_foreshortening, axes, a, b) - pair_in_axes(e.position_foreshortening, axes, b, a);
  }
  const Growth xx = product_growth(e, axes, 0, 0), yy = product_growth(e, axes, 1, 1);
  body.second_linear.resize(ElasticBody<S>::moments, body.count);
  if constexpr (S::planar) {
    body.second_linear.row(0) = xx.linear + yy.linear;
    body.second_quadratic[0] = xx.quadratic + yy.quadratic;
  } else {
    const Growth zz = product_growth(e, axes, 2, 2);
    body.second_linear.row(0) = yy.linear + zz.linear;
    body.second_linear.row(1) = xx.linear + zz.linear;
    body.second_linear.row(2) = xx.linear + yy.linear;
    body.second_quadratic[0] = yy.quadratic + zz.quadratic;
    body.second_quadratic[1] = xx.quadratic + zz.quadratic;
    body.second_quadratic[2] = xx.quadratic + yy.quadratic;
    constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; ++k) {
      const Growth off = product_growth(e, axes, pairs[k][0], pairs[k][1]);
      body.second_linear.row(3 + k) = -off.linear;
      body.second_quadratic[3 + k] = -off.quadratic;
    }
  }
  return body;
}

template <class S>
Mount<S> elastic_mount(const LinkData& link, int frame, const Mat3& axes) {
  const Frame& f = link.frames[frame];
  Mount<S> mount;
  mount.frame = frame;
  mount.position = (axes.transpose() * f.pose.position).template head<S::linear_size>();
  mount.shape = (axes.transpose() * f.shape).template topRows<S::linear_size>();
  mount.turn = (axes.transpose() * f.turn).template bottomRows<S::angular_size>();
  if (shortens(link.elastic) && f.foreshortening[0].size() > 0)
    for (int a = 0; a < S::linear_size; ++a) mount.foreshortening[a] = axis_in_axes(f.foreshortening, axes, a);
  return mount;
}

bool deforms_in_plane(const LinkData& link, const Vec3& normal) {
  const auto small = [](double out, double all) { return out <= tolerance::written * all; };
  const ElasticData& e = link.elastic;
  const Mat3 axes = frame_with_z(normal);
  double across = 0.0, all = 0.0;
  for (int a = 0; a < 3; ++a) {
    const double trace = pair_in_axes(e.shape_shape, axes, a, a).trace();
    all += trace;
    if (a == 2) across = trace;
  }
  // Squares of displacements: the limit is that of the displacement, squared.
  if (!(across <= tolerance::written * tolerance::written * all)) return false;
  for (const Frame& f : link.frames) {
    if (!small((normal.transpose() * f.shape).norm(), f.shape.norm())) return false;
    if (!small((f.turn - normal * (normal.transpose() * f.turn)).norm(), f.turn.norm())) return false;
  }
  return true;
}

template ElasticBody<Spatial> elastic_body(const LinkData&, const Mat3&);
template ElasticBody<Planar> elastic_body(const LinkData&, const Mat3&);
template Mount<Spatial> elastic_mount(const LinkData&, int, const Mat3&);
template Mount<Planar> elastic_mount(const LinkData&, int, const Mat3&);

}  // namespace lithe::detail
