#include "lithe/mechanism/cylinder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "lithe/mechanism/oil_cylinder.hpp"

namespace lithe {
namespace {

constexpr double steel = 7850.0;          ///< kg/m^3
constexpr double across_pins = 1e-6;      ///< rad: how exactly the ends lie in the plane of the pins
constexpr double shortest_length = 1e-9;  ///< m, between the pins

double disc(double diameter) { return 0.25 * std::numbers::pi * diameter * diameter; }

/// A round bar along x from `start` to start + length, hollow up to the inner diameter.
LinkData bar(const std::string& name, double start, double length, double outer, double inner, double mass) {
  LinkData link;
  link.name = name;
  link.mass = mass;
  link.centre = Vec3(start + 0.5 * length, 0, 0);
  const double square = (outer * outer + inner * inner) / 4.0;  // sum of both radii squared
  const double across = mass * (square / 4.0 + length * length / 12.0);
  link.inertia = Vec3(0.5 * mass * square, across, across).asDiagonal();
  Solid solid;
  solid.kind = Solid::Kind::cylinder;
  solid.centre = link.centre;
  solid.axes << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  solid.size = Vec3(outer, outer, length);
  link.solids.push_back(solid);
  return link;
}

FrameRef frame_of(const Mechanism& mechanism, const Cylinder& cylinder, const char* link, const char* frame) {
  return mechanism.find_frame(cylinder.name + link, frame);
}

Joint& joint_of(Mechanism& mechanism, const std::string& name) { return mechanism.joints[mechanism.find_joint(name)]; }

}  // namespace

double Cylinder::bore_area() const { return disc(bore); }
double Cylinder::rod_area() const { return disc(bore) - disc(rod); }
double steel_tube_mass(const Cylinder& cylinder) {
  return steel * (disc(cylinder.tube) - disc(cylinder.bore)) * cylinder.closed;
}
double steel_rod_mass(const Cylinder& cylinder) { return steel * disc(cylinder.rod) * cylinder.closed; }

int add_cylinder(Mechanism& mechanism, const Cylinder& cylinder) {
  const double length = cylinder.closed;
  const int tube =
      mechanism.add_link(bar(cylinder.name + ".tube", 0.0, length, cylinder.tube, cylinder.bore, cylinder.tube_mass));
  const FrameRef base = mechanism.add_frame(tube, "base", {}),
                 gland = mechanism.add_frame(tube, "gland", {Mat3::Identity(), Vec3(length, 0, 0)});
  const int rod =
      mechanism.add_link(bar(cylinder.name + ".rod", -length, length, cylinder.rod, 0.0, cylinder.rod_mass));
  const FrameRef head = mechanism.add_frame(rod, "head", {});

  Joint slide;
  slide.name = cylinder.name;
  slide.type = JointType::prismatic;
  slide.from = gland;
  slide.to = {rod, 0};
  slide.axis = Vec3::UnitX();
  slide.actuated = {!cylinder.oil.has_value()};
  slide.damping = {cylinder.damping};
  slide.stops = {{0.0, cylinder.stroke, cylinder.stop_stiffness, cylinder.stop_damping, 0.0}};
  const int index = mechanism.add_joint(slide);

  Joint pin;
  pin.name = cylinder.name + ".base";
  pin.type = cylinder.pins ? JointType::revolute : JointType::universal;
  pin.from = cylinder.from;
  pin.to = base;
  mechanism.add_joint(pin);
  pin.name = cylinder.name + ".head";
  pin.type = cylinder.pins ? JointType::revolute : JointType::spherical;
  pin.from = head;
  pin.to = cylinder.to;
  mechanism.add_joint(pin);
  if (cylinder.oil) mechanism.elements.push_back(std::make_shared<OilCylinder>(cylinder, CoordinateRef{index, 0}));
  return index;
}

double place_cylinder(Mechanism& mechanism, const Cylinder& cylinder, const Pose& from, const Pose& to) {
  const auto fail = [&](const std::string& why) {
    throw MechanismError(cylinder.name, fmt::format("cylinder '{}': {}", cylinder.name, why));
  };
  const Vec3 between = to.position - from.position;
  const double length = between.norm();
  if (length < shortest_length) fail("its two ends are at the same place at the start");
  const Vec3 along = from.rotation.transpose() * between / length;
  // Axes of the tube in those of the frame that it is pinned to: x along the cylinder, z along the pins.
  Vec3 z = cylinder.pins ? *cylinder.pins : Vec3(along.unitOrthogonal());
  if (std::abs(z.dot(along)) > across_pins)
    fail(
        fmt::format("its ends lie {:.3g} deg out of the plane across its pins at the start; turn the axis of the "
                    "pins, or leave it out for joints that turn every way",
                    std::asin(std::abs(z.dot(along))) * 180.0 / std::numbers::pi));
  Mat3 axes;
  axes << along, z.cross(along), z;

  const FrameRef base = frame_of(mechanism, cylinder, ".tube", "base"),
                 head = frame_of(mechanism, cylinder, ".rod", "head");
  mechanism.links[base.link].frames[base.frame].pose.rotation = axes.transpose();
  const Mat3 turn = (from.rotation * axes).transpose() * to.rotation;
  mechanism.links[head.link].frames[head.frame].pose.rotation = turn;
  Joint& at_base = joint_of(mechanism, cylinder.name + ".base");
  at_base.axis = z;
  at_base.axis2 = axes.col(1);
  if (cylinder.pins) joint_of(mechanism, cylinder.name + ".head").axis = turn.transpose() * Vec3::UnitZ();
  return length - cylinder.closed;
}

}  // namespace lithe
