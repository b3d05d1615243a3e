#include "lithe/mechanism/elements/bushing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {
namespace {

/// Transposed inverse of the matrix H in w = H(p) p', w in the axes from which the rotation vector p turns:
/// H^-1 = 1 - [p]/2 + f [p]^2, f = (1 - (a/2) cot(a/2))/a^2, a = |p|.
Mat3 moment_map(const Vec3& p) {
  const double a2 = p.squaredNorm(), a = std::sqrt(a2);
  // Below, the next term of the series, a^4/30240, is rounding in the whole map.
  const double f = a < 1e-2 ? 1.0 / 12.0 + a2 / 720.0 : (1.0 - 0.5 * a / std::tan(0.5 * a)) / a2;
  const Mat3 across = skew(p);
  return Mat3::Identity() + 0.5 * across + f * across * across;
}

using Three = Eigen::Map<const Vec3>;

}  // namespace

std::vector<std::string> Bushing::columns() const {
  return {"x", "y", "z", "rx", "ry", "rz", "fx", "fy", "fz", "mx", "my", "mz"};
}

void Bushing::check(const Mechanism& mechanism) const {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(name(), fmt::format("bushing '{}': {}", name(), message));
  };
  if (data_.from.link == data_.to.link)
    fail(fmt::format("holds link '{}' at itself; name two different links", mechanism.links[data_.to.link].name));
  for (int i = 0; i < 6; ++i) {
    if (!(data_.stiffness[i] >= 0.0) || !std::isfinite(data_.stiffness[i])) fail("a stiffness is negative");
    if (!(data_.damping[i] >= 0.0) || !std::isfinite(data_.damping[i])) fail("a damping is negative");
    if (!std::isfinite(data_.preload[i])) fail("the preload is not finite");
  }
}

void Bushing::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const FrameMotion &a = motion.frames[0], &b = motion.frames[1];
  const Mat3 axes = a.pose.rotation;
  const Vec3 r = b.pose.position - a.pose.position;
  const Three k(data_.stiffness.data()), c(data_.damping.data()), f0(data_.preload.data());
  const Three kr(data_.stiffness.data() + 3), cr(data_.damping.data() + 3), m0(data_.preload.data() + 3);

  const Vec3 x = axes.transpose() * r;
  const Vec3 rate = axes.transpose() * (b.velocity - a.velocity - a.omega.cross(r));
  const Vec3 viscous_force = c.cwiseProduct(rate);
  const Vec3 force = -(k.cwiseProduct(x) + f0 + viscous_force);

  const Vec3 p = vector_from_rotation(axes.transpose() * b.pose.rotation);
  const Vec3 omega = axes.transpose() * (b.omega - a.omega);
  const Vec3 viscous_moment = cr.cwiseProduct(omega);
  const Vec3 moment = -(moment_map(p) * (kr.cwiseProduct(p) + m0) + viscous_moment);

  const Vec3 on_b = axes * force, turning_b = axes * moment;
  answer.wrenches[1] = {turning_b, on_b};
  answer.wrenches[0] = {-turning_b - r.cross(on_b), -on_b};  // the force acts at b
  answer.stored = 0.5 * (k.dot(x.cwiseAbs2()) + kr.dot(p.cwiseAbs2())) + f0.dot(x) + m0.dot(p);
  answer.lost = viscous_force.dot(rate) + viscous_moment.dot(omega);

  Eigen::Map<Eigen::Matrix<double, 12, 1>>(answer.values.data()) << x, p, force, moment;
}

}  // namespace lithe
