#pragma once
// Contact of a point or a sphere with a plane.

#include "lithe/mechanism/element.hpp"

namespace lithe {

struct ContactData {
  FrameRef point;               ///< the point, or the centre of the sphere
  FrameRef plane;               ///< on the plane
  double radius = 0.0;          ///< of the sphere, m; 0: a point
  Vec3 normal = Vec3::UnitZ();  ///< of the plane, out of the solid; unit vector in axes of its frame
  /// Lengths along the first two columns of frame_with_z(normal), m: the plane is a rectangle about its frame, over whose
  /// edges a sphere rolls. 0: without bounds.
  double length = 0.0, width = 0.0;

  double stiffness = 0.0;  ///< N/m^exponent
  double exponent = 1.0;   ///< of the depth; 1.5: a sphere by Hertz
  double damping = 0.0;    ///< part by which the force grows per speed of approach, s/m
  double friction = 0.0;   ///< coefficient
  double creep = 1e-3;     ///< slip at which friction is full, m/s

  bool is_bounded() const { return length > 0.0; }
};

/// Where the body lies deeper than the plane by d, it is pushed out with N = k d^n (1 + c d'), which never pulls: the
/// force comes and goes without a jump. Friction against the slip s is mu N f(s/creep), f(u) = u (3 - u^2)/2 up to u = 1
/// and 1 beyond: what would rest creeps by up to `creep`, without chatter.
class Contact : public Element {
 public:
  Contact(std::string name, const ContactData& data) : Element("contact", std::move(name)), data_(data) {}

  const ContactData& data() const { return data_; }

  std::vector<FrameRef> frames() const override { return {data_.point, data_.plane}; }
  /// Gap (m, negative: depth), normal force and friction (N), slip (m/s; 0 while they are apart).
  std::vector<std::string> columns() const override { return {"gap", "force", "friction", "slip"}; }
  std::vector<Switch> switches() const override { return {{"touches", "leaves"}}; }
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  ContactData data_;
};

}  // namespace lithe
