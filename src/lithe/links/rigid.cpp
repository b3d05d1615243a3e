#include "lithe/links/rigid.hpp"

namespace lithe {

LinkData slender_rod(const std::string& name, const Vec3& from, const Vec3& to, double mass) {
  const Vec3 span = to - from;
  LinkData rod;
  rod.name = name;
  rod.mass = mass;
  rod.centre = 0.5 * (from + to);
  rod.inertia = mass / 12.0 * (span.squaredNorm() * Mat3::Identity() - span * span.transpose());
  rod.frames.push_back({"root", {Mat3::Identity(), from}, {}, {}, {}});
  rod.frames.push_back({"tip", {Mat3::Identity(), to}, {}, {}, {}});
  return rod;
}

}  // namespace lithe
