#include "lithe/dynamics/dense_link.hpp"

namespace lithe::detail {

// Integrals over the mass with r = x + Phi eta - 1/2 eta^T S eta, up to second order in eta.
MatrixX flexible_inertia(const LinkData& link, const VectorX& eta) {
  const ElasticData& e = link.elastic;
  const bool shortens = e.stiffening == Stiffening::consistent;
  const Eigen::Index n = eta.size();
  Vec3 first = link.mass * link.centre + e.translation * eta;
  Matrix3X translation = e.translation, rotation = e.rotation;
  Mat3 products = Mat3::Zero();  // growth of int r r^T
  for (int a = 0; a < 3; ++a) {
    if (shortens) {
      first[a] -= 0.5 * eta.dot(e.foreshortening[a] * eta);
      translation.row(a) -= eta.transpose() * e.foreshortening[a];
    }
    for (int b = 0; b < 3; ++b) {
      products(a, b) =
          e.position_shape[a][b].dot(eta) + e.position_shape[b][a].dot(eta) + eta.dot(e.shape_shape[a][b] * eta);
      if (shortens)
        products(a, b) -= 0.5 * eta.dot((e.position_foreshortening[a][b] + e.position_foreshortening[b][a]) * eta);
    }
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    rotation.row(a) += eta.transpose() * (e.shape_shape[b][c] - e.shape_shape[c][b]);
    if (shortens)
      rotation.row(a) -= eta.transpose() * (e.position_foreshortening[b][c] - e.position_foreshortening[c][b]);
  }
  const Mat3 arm = skew(link.centre);
  MatrixX M(6 + n, 6 + n);
  M.topLeftCorner<3, 3>() = link.inertia - link.mass * arm * arm + products.trace() * Mat3::Identity() -
                            0.5 * (products + products.transpose());
  M.block<3, 3>(0, 3) = skew(first);
  M.block<3, 3>(3, 0) = skew(first).transpose();
  M.block<3, 3>(3, 3) = link.mass * Mat3::Identity();
  M.block(0, 6, 3, n) = rotation;
  M.block(6, 0, n, 3) = rotation.transpose();
  M.block(3, 6, 3, n) = translation;
  M.block(6, 3, n, 3) = translation.transpose();
  M.bottomRightCorner(n, n) = e.mass;
  if (shortens)
    for (const MatrixX& square : e.foreshortening_squares) {
      const VectorX moved = square * eta;
      M.bottomRightCorner(n, n) += moved * moved.transpose();
    }
  return M;
}

// Lagrange's equations in the axes of the link, momentum p = M nu of the twist nu:
//   moment  = p_omega' + omega x p_omega,  force = p_v' + omega x p_v,  elastic = p_eta' - 1/2 nu^T dM/deta nu + K eta
//   + D eta'
// They do not depend on the velocity of the origin, which is taken as zero: its rate is the acceleration.
VectorX flexible_force(const LinkData& link, const LinkMotion& motion, const VectorX& eta, const VectorX& rate,
                       const VectorX& reach) {
  const ElasticData& e = link.elastic;
  const Eigen::Index n = eta.size();
  VectorX twist = VectorX::Zero(6 + n), twist_rate = VectorX::Zero(6 + n);
  twist.head<3>() = motion.omega;
  twist.tail(n) = rate;
  twist_rate.head<3>() = motion.alpha;
  twist_rate.segment<3>(3) = motion.acceleration;

  const MatrixX M = flexible_inertia(link, eta);
  const VectorX p = M * twist;
  VectorX force = M * twist_rate;
  for (Eigen::Index j = 0; j < n; ++j) {
    // M is quadratic in eta: a central difference is its derivative, whatever the step.
    VectorX shifted = eta;
    shifted[j] = eta[j] + reach[j];
    MatrixX slope = flexible_inertia(link, shifted);
    shifted[j] = eta[j] - reach[j];
    slope -= flexible_inertia(link, shifted);
    slope /= 2.0 * reach[j];
    force += rate[j] * (slope * twist);
    force[6 + j] -= 0.5 * twist.dot(slope * twist);
  }
  force.head<3>() += motion.omega.cross(p.head<3>());
  force.segment<3>(3) += motion.omega.cross(p.segment<3>(3));
  force.tail(n) += e.stiffness * eta;
  if (e.damping.size() > 0) force.tail(n) += e.damping * rate;
  return force;
}

}  // namespace lithe::detail
