#include "lithe/mechanism/elements/spring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

std::vector<Element::Switch> Spring::switches() const {
  std::vector<Switch> all;
  if (data_.force.side() == SpringSide::pull) all.push_back({"pulls", "lets go"});
  if (data_.force.side() == SpringSide::push) all.push_back({"pushes", "lets go"});
  for (const double kink : data_.force.kinks())
    all.push_back({fmt::format("stretched by more than {:.6g} m", kink), fmt::format("by less than {:.6g} m", kink)});
  return all;
}

void Spring::check(const Mechanism&) const {
  const auto fail = [&](const char* message) {
    throw MechanismError(name(), fmt::format("spring '{}': {}", name(), message));
  };
  if (!(data_.length >= 0.0) || !std::isfinite(data_.length)) fail("the length must not be negative");
  if (!(data_.damping >= 0.0) || !std::isfinite(data_.damping)) fail("the damping must not be negative");
  if (!std::isfinite(data_.force.force(0.0, 0.0))) fail("its force at rest is not a finite number");
}

void Spring::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const FrameMotion &a = motion.frames[0], &b = motion.frames[1];
  const Vec3 r = b.pose.position - a.pose.position;
  const double length = r.norm(), stretch = length - data_.length;
  const Vec3 direction = length > 0.0 ? Vec3(r / length) : Vec3::Zero();
  const double rate = direction.dot(b.velocity - a.velocity);

  const double force = data_.force.force(stretch, rate, data_.damping);
  answer.wrenches[0].force = force * direction;
  answer.wrenches[1].force = -force * direction;
  answer.stored = data_.force.energy(stretch);
  const double left = (force - data_.force.force(stretch, 0.0)) * rate;
  answer.lost = std::max(left, 0.0);
  answer.supplied = std::max(-left, 0.0);

  answer.values[0] = length;
  answer.values[1] = force;
  answer.values[2] = answer.stored;
  std::size_t next = 0;
  if (data_.force.side() == SpringSide::pull) answer.switches[next++] = stretch;
  if (data_.force.side() == SpringSide::push) answer.switches[next++] = -stretch;
  for (const double kink : data_.force.kinks()) answer.switches[next++] = stretch - kink;
}

}  // namespace lithe
