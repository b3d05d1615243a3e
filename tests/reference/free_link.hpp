#pragma once
// One elastic link that nothing holds, made of mass points with random shape matrices: the uncoupled link of Fattah's
// chapter 3. Its equations are written here twice, from the points and from the constant matrices of LinkData.

#include <Eigen/Geometry>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/links/elastic_model.hpp"
#include "support/drawn_field.hpp"
#include "support/link_dice.hpp"

namespace lithe::testing {

struct FreeLink {
  std::vector<FieldPoint> points;
  LinkData link;
  Plan plan;
  Workspace work;
  State state;

  /// `coordinates` 0 makes a rigid body.
  FreeLink(std::uint32_t seed, int coordinates, const Vec3& gravity = Vec3::Zero())
      : FreeLink(LinkDice(seed), coordinates, gravity) {}

  /// Flexible twist in the order of the plan: velocity of the origin (ground axes), angular velocity (link axes),
  /// rates.
  Vec3 velocity() const { return state.v.head<3>(); }
  Vec3 spin() const { return state.v.segment<3>(3); }  ///< link axes
  VectorX eta() const { return state.q.tail(link.elastic.count()); }
  VectorX rate() const { return state.v.tail(link.elastic.count()); }
  Mat3 rotation() { return frame_pose(plan, work, state.q, {1, 0}).rotation; }

  /// d = x + Phi eta, link axes.
  Vec3 place(const FieldPoint& p) const { return p.position + p.shape * eta(); }
  /// Velocity of a point = way * flexible twist, ground axes: W of Fattah (3.3).
  MatrixX way(const FieldPoint& p) {
    MatrixX w(3, 6 + link.elastic.count());
    w << Mat3::Identity(), -rotation() * skew(place(p)), rotation() * p.shape;
    return w;
  }

  MatrixX inertia() {
    MatrixX m;
    tree_inertia(plan, work, state.q, m);
    return m;
  }
  /// What the engine needs along the speeds when all accelerations are zero: -(b^S + b^G).
  VectorX bias() {
    VectorX force(plan.nv());
    tree_inverse_dynamics(plan, work, state, VectorX::Zero(plan.nv()), Actions(plan), force);
    return force;
  }

 private:
  static std::vector<FieldPoint> random_points(LinkDice& dice, int n) {
    std::vector<FieldPoint> all(7);
    for (FieldPoint& p : all) {
      p.mass = dice.between(0.2, 1.5);
      p.position = dice.vector();
      p.shape = p.turn = Matrix3X::Zero(3, n);
      for (int j = 0; j < n; ++j) p.shape.col(j) = dice.vector();
    }
    return all;
  }

  static LinkData make(const std::vector<FieldPoint>& points, LinkDice& dice, int n) {
    ElasticModel model;
    MatrixX root = MatrixX::Zero(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) root(i, j) = dice.between(-3, 3);
    model.stiffness = root * root.transpose() + 5.0 * MatrixX::Identity(n, n);
    model.names.assign(n, "shape");
    std::vector<Frame> frames{{"origin", {}, Matrix3X::Zero(3, n), Matrix3X::Zero(3, n), {}}};
    model.field = std::make_shared<const DrawnField>(points, std::move(frames));
    return integrate_link("link", model, MatrixX::Identity(n, n), false);
  }

  static Mechanism floating(const LinkData& link, const Vec3& gravity) {
    Mechanism mechanism;
    mechanism.gravity = gravity;
    mechanism.add_link(link);
    Joint joint;
    joint.name = "float";
    joint.type = JointType::free;
    joint.to = {1, 0};
    mechanism.add_joint(joint);
    return mechanism;
  }

  FreeLink(LinkDice dice, int n, const Vec3& gravity)
      : points(random_points(dice, n)), link(make(points, dice, n)), plan(floating(link, gravity)), work(plan) {
    state.q = plan.neutral();
    state.q.head<3>() = dice.vector();
    const Quat turn(rotation_from_vector(2.0 * dice.vector()));
    state.q.segment<4>(3) << turn.w(), turn.x(), turn.y(), turn.z();
    for (int j = 0; j < n; ++j) state.q[7 + j] = dice.between(-0.3, 0.3);
    state.v.resize(plan.nv());
    for (double& v : state.v) v = dice.between(-2, 2);
    (void)select_independent(plan, work, state.q);
  }
};

/// Constant matrices of Fattah (3.11), (3.15) and what he builds from them, with the corrections of the reference.
struct ConstantMatrices {
  const LinkData& link;
  VectorX u, rate;
  Vec3 b;  ///< angular velocity in link axes

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int n() const { return link.elastic.count(); }
  Matrix3X C1() const { return link.elastic.translation; }
  MatrixX C3(int k, int j) const { return link.elastic.shape_shape[at(j)][at(k)]; }
  VectorX C5(int k, int j) const { return link.elastic.position_shape[at(k)][at(j)].transpose(); }  ///< times u^o
  /// u^oT C4 u^o: int x_k x_j from the inertia tensor.
  double C4(int k, int j) const {
    const Mat3 about_origin = link.inertia - link.mass * skew(link.centre) * skew(link.centre);
    return (k == j ? 0.5 * about_origin.trace() : 0.0) - about_origin(k, j);
  }

  Vec3 v_rd() const { return link.mass * link.centre + C1() * u; }  // (3.14b)
  static Mat3 assemble(const Mat3& products) {                      // (3.12)
    return products.trace() * Mat3::Identity() - products;
  }
  Mat3 V_rr() const {
    Mat3 products;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) products(a, c) = u.dot(C3(a, c) * u) + u.dot(C5(a, c) + C5(c, a)) + C4(a, c);
    return assemble(products);
  }
  Mat3 V_rr_rate() const {  // (3.65i), (3.65j)
    Mat3 products;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        products(a, c) = rate.dot((C3(a, c) + C3(a, c).transpose()) * u) + rate.dot(C5(a, c) + C5(c, a));
    return assemble(products);
  }
  /// Rows of (3.16d); the rate (3.65h) has eta' for eta and no undeformed part.
  MatrixX V_re(const VectorX& eta, bool undeformed) const {
    const int pairs[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    MatrixX rows(3, n());
    for (int c = 0; c < 3; ++c) {
      const int k = pairs[c][0], j = pairs[c][1];
      rows.row(c) = eta.transpose() * (C3(j, k) - C3(k, j));
      if (undeformed) rows.row(c) += (C5(k, j) - C5(j, k)).transpose();
    }
    return rows;
  }

  /// Closed form 2.9.4 of the reference without stiffness: b_T, b_R (both link axes), b_E.
  VectorX closed_form() const {
    Mat3 B;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) B(k, j) = rate.dot(C3(j, k) * u) + rate.dot(C5(j, k));
    const Mat3 cross = skew(b), square = cross * cross;
    VectorX all(6 + n());
    all.head<3>() = -(square * v_rd() + 2.0 * cross * C1() * rate);
    all.segment<3>(3) = -b.cross(V_rr() * b) - 2.0 * (B.trace() * Mat3::Identity() - B) * b;
    VectorX elastic = VectorX::Zero(n());
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        elastic -= square(k, j) * (C3(j, k) * u + C5(j, k)) + 2.0 * cross(k, j) * C3(j, k) * rate;
    all.tail(n()) = elastic;
    return all;
  }
};

}  // namespace lithe::testing
