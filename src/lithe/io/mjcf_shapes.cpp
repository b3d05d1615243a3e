#include "lithe/io/mjcf_shapes.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <Eigen/Geometry>
#include <numbers>

namespace lithe::io {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double water = 1000.0;  ///< kg/m^3: the density of shapes that give none

/// Volume and moments per mass about the own centre, own axes; z is the long axis.
struct Solid {
  double volume = 0.0;
  Vec3 moments = Vec3::Zero();
};

Solid ball(double r) { return {4.0 / 3.0 * pi * r * r * r, Vec3::Constant(0.4 * r * r)}; }

Solid ellipsoid(const Vec3& a) {
  const Vec3 square = a.cwiseAbs2();
  return {4.0 / 3.0 * pi * a.prod(), 0.2 * (Vec3::Constant(square.sum()) - square)};
}

Solid box(const Vec3& half) {
  const Vec3 square = half.cwiseAbs2();
  return {8.0 * half.prod(), (Vec3::Constant(square.sum()) - square) / 3.0};
}

Solid cylinder(double r, double half) {
  const double across = r * r / 4.0 + half * half / 3.0;
  return {2.0 * pi * r * r * half, {across, across, 0.5 * r * r}};
}

/// A cylinder with a half ball at each end, whose mass centre is 3/8 r beyond the cylinder's end.
Solid capsule(double r, double half) {
  const Solid middle = cylinder(r, half), ends = ball(r);
  const double volume = middle.volume + ends.volume;
  const double own = 0.4 * r * r - 9.0 / 64.0 * r * r;  // of half a ball across its axis, about its mass centre
  const double distance = half + 0.375 * r;
  const double across = (middle.volume * middle.moments.x() + ends.volume * (own + distance * distance)) / volume;
  const double along = (middle.volume * middle.moments.z() + ends.volume * ends.moments.z()) / volume;
  return {volume, {across, across, along}};
}

}  // namespace

MjcfMass joined(const MjcfMass& a, const MjcfMass& b) {
  const auto moved = [](const MjcfMass& body, const Vec3& to) {
    const Vec3 r = body.centre - to;
    return Mat3(body.inertia + body.mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose()));
  };
  MjcfMass sum;
  sum.mass = a.mass + b.mass;
  if (sum.mass <= 0.0) return a;
  sum.centre = (a.mass * a.centre + b.mass * b.centre) / sum.mass;
  sum.inertia = moved(a, sum.centre) + moved(b, sum.centre);
  return sum;
}

std::optional<MjcfMass> mass_of_shape(const TiXmlElement& geom, const std::string& childclass, const std::string& where,
                                      MjcfValues& values, UrdfSource& source) {
  const std::string named = values.text(geom, "type", childclass);
  const std::string type =
      named.empty() ? (values.holder(geom, "mesh", childclass) == nullptr ? "sphere" : "mesh") : named;
  const std::optional<double> mass = values.number(geom, "mass", childclass, where);
  const double density = values.number(geom, "density", childclass, where).value_or(water);
  if (type == "plane" || type == "hfield" || mass == 0.0 || (!mass && density == 0.0)) return MjcfMass{};
  if (type == "mesh" || type == "sdf") {
    source.complain(geom, where,
                    "the inertia of a mesh is not computed; give the body an <inertial>, or the mesh mass=\"0\"");
    return std::nullopt;
  }
  Pose pose = values.pose(geom, childclass, where);
  const auto fromto = values.numbers(geom, "fromto", 6, childclass, where);
  const bool takes_ends = type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid";
  double half = 0.0;
  if (fromto && takes_ends) {
    const Vec3 a((*fromto)[0], (*fromto)[1], (*fromto)[2]), b((*fromto)[3], (*fromto)[4], (*fromto)[5]);
    half = 0.5 * (b - a).norm();
    pose.position = 0.5 * (a + b);
    if (half > 0.0) pose.rotation = turn_of_z(b - a);
  }
  std::vector<double> size = values.some_numbers(geom, "size", 1, 3, childclass, where);
  const bool has_half = fromto && takes_ends;
  const std::size_t needed = type == "sphere"                          ? 1
                             : type == "capsule" || type == "cylinder" ? (has_half ? 1 : 2)
                             : has_half                                ? 1
                                                                       : 3;
  if (size.size() < needed) {
    source.complain(geom, where, fmt::format("a {} needs size=\"...\" with {} numbers", type, needed));
    return std::nullopt;
  }
  size.resize(3, size[0]);
  if (has_half && (type == "capsule" || type == "cylinder")) size[1] = half;
  if (has_half && (type == "box" || type == "ellipsoid")) size = {size[0], size[0], half};
  Solid solid;
  if (type == "sphere")
    solid = ball(size[0]);
  else if (type == "capsule")
    solid = capsule(size[0], size[1]);
  else if (type == "cylinder")
    solid = cylinder(size[0], size[1]);
  else if (type == "box")
    solid = box({size[0], size[1], size[2]});
  else if (type == "ellipsoid")
    solid = ellipsoid({size[0], size[1], size[2]});
  else
    source.complain(geom, where, fmt::format("there is no shape '{}'", type));
  MjcfMass body;
  body.mass = mass.value_or(density * solid.volume);
  body.centre = pose.position;
  body.inertia = pose.rotation * Mat3((body.mass * solid.moments).asDiagonal()) * pose.rotation.transpose();
  return body;
}

}  // namespace lithe::io
