#include "lithe/mechanism/elements/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/mechanism/mechanism.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

/// The place of the plane nearest to the centre, the direction from there, and the distance along it.
struct Nearest {
  Vec3 place, normal;
  double distance = 0.0;
};

Nearest nearest_place(const ContactData& data, const Pose& plane, const Vec3& centre) {
  Nearest found;
  found.normal = plane.rotation * data.normal;
  const Vec3 r = centre - plane.position;
  found.distance = found.normal.dot(r);
  found.place = centre - found.distance * found.normal;
  if (!data.is_bounded()) return found;
  const Mat3 axes = plane.rotation * frame_with_z(data.normal);
  const Vec3 own = axes.transpose() * r;
  const Vec3 inside(std::clamp(own.x(), -0.5 * data.length, 0.5 * data.length),
                    std::clamp(own.y(), -0.5 * data.width, 0.5 * data.width), 0.0);
  found.place = plane.position + axes * inside;
  const Vec3 away = centre - found.place;
  found.distance = away.norm();
  if (found.distance > 0.0) found.normal = away / found.distance;
  return found;
}

/// Part of the full friction: one at u = 1, with a slope that does not jump there.
double friction_part(double u) { return u < 1.0 ? 0.5 * u * (3.0 - u * u) : 1.0; }

}  // namespace

void Contact::check(const Mechanism& mechanism) const {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(name(), fmt::format("contact '{}': {}", name(), message));
  };
  if (data_.point.link == data_.plane.link)
    fail(fmt::format("both sides are on link '{}'; name two different links", mechanism.links[data_.plane.link].name));
  if (!(std::abs(data_.normal.norm() - 1.0) < detail::tolerance::written)) fail("the normal is not a unit vector");
  if (!(data_.radius >= 0.0) || !std::isfinite(data_.radius)) fail("the radius must not be negative");
  if (!(data_.stiffness > 0.0) || !std::isfinite(data_.stiffness)) fail("the stiffness must be positive");
  if (!(data_.exponent >= 1.0) || !std::isfinite(data_.exponent)) fail("the exponent must be 1 or more");
  if (!(data_.damping >= 0.0) || !std::isfinite(data_.damping)) fail("the damping must not be negative");
  if (!(data_.friction >= 0.0) || !std::isfinite(data_.friction)) fail("the friction must not be negative");
  if (!(data_.creep > 0.0) || !std::isfinite(data_.creep)) fail("the creep speed must be positive");
  if (!(data_.length >= 0.0 && data_.width >= 0.0) || (data_.length > 0.0) != (data_.width > 0.0))
    fail("a rectangle has two positive sides");
  if (data_.is_bounded() && data_.radius == 0.0) fail("a rectangle meets spheres only; give a radius");
}

void Contact::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const FrameMotion &body = motion.frames[0], &plane = motion.frames[1];
  const Nearest at = nearest_place(data_, plane.pose, body.pose.position);
  const double depth = data_.radius - at.distance;
  answer.values[0] = -depth;
  answer.switches[0] = depth;
  if (depth <= 0.0) return;

  const Vec3 arm = at.place - body.pose.position, plane_arm = at.place - plane.pose.position;
  const Vec3 speed = body.velocity + body.omega.cross(arm) - plane.velocity - plane.omega.cross(plane_arm);
  const double leaving = speed.dot(at.normal);
  const Vec3 slip = speed - leaving * at.normal;
  const double slip_speed = slip.norm();

  const double elastic = data_.stiffness * std::pow(depth, data_.exponent);
  const double push = elastic * std::max(1.0 - data_.damping * leaving, 0.0);
  const double friction = data_.friction * push * friction_part(slip_speed / data_.creep);
  Vec3 force = push * at.normal;
  if (slip_speed > 0.0) force -= friction / slip_speed * slip;

  answer.wrenches[0] = {arm.cross(force), force};
  answer.wrenches[1] = {-plane_arm.cross(force), -force};
  answer.stored = elastic * depth / (data_.exponent + 1.0);
  answer.lost = (elastic - push) * leaving + friction * slip_speed;
  answer.values[1] = push;
  answer.values[2] = friction;
  answer.values[3] = slip_speed;
}

}  // namespace lithe
