// materials, links, ground: mass properties and frames.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// A rigid body in link axes, inertia about its own mass centre.
struct Body {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// Inertia of a point mass at r: m (r.r 1 - r r^T).
Mat3 point_inertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

/// Two bodies rigidly joined; Steiner's theorem takes both inertias to the common mass centre.
Body joined(const Body& a, const Body& b) {
  Body sum;
  sum.mass = a.mass + b.mass;
  sum.centre = sum.mass > 0.0 ? Vec3((a.mass * a.centre + b.mass * b.centre) / sum.mass) : a.centre;
  sum.inertia = a.inertia + point_inertia(a.mass, a.centre - sum.centre) + b.inertia +
                point_inertia(b.mass, b.centre - sum.centre);
  return sum;
}

/// From 3, 6 or 3 x 3 numbers.
std::optional<Mat3> read_inertia(const Item& item, Reader& reader) {
  const bool has_rows =
      item.node->kind == Node::Kind::list && !item.node->items.empty() && item.node->items[0].kind == Node::Kind::list;
  if (has_rows) {
    Item rows = item;
    rows.type = "list of list of number";
    const auto list = reader.list(rows, 3, 3);
    if (!list) return std::nullopt;
    Mat3 inertia;
    for (int i = 0; i < 3; ++i) {
      const auto row = reader.numbers((*list)[static_cast<std::size_t>(i)], 3, 3);
      if (!row) return std::nullopt;
      for (int j = 0; j < 3; ++j) inertia(i, j) = (*row)[static_cast<std::size_t>(j)];
    }
    return inertia;
  }
  const std::size_t size = item.node->items.size();
  if (item.node->kind != Node::Kind::list || (size != 3 && size != 6)) {
    reader.complain(item, fmt::format("expected [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows, but {}",
                                      item.node->kind == Node::Kind::list ? fmt::format("the list has {} entries", size)
                                                                          : "this is " + describe(*item.node)));
    return std::nullopt;
  }
  const auto n = reader.numbers(item, size, size);
  if (!n) return std::nullopt;
  Mat3 inertia = Vec3((*n)[0], (*n)[1], (*n)[2]).asDiagonal();
  if (size == 6) {
    inertia(0, 1) = inertia(1, 0) = (*n)[3];
    inertia(0, 2) = inertia(2, 0) = (*n)[4];
    inertia(1, 2) = inertia(2, 1) = (*n)[5];
  }
  return inertia;
}

std::optional<Body> read_rigid(const Item& item, Reader& reader) {
  const auto object = reader.object(item, "rigid");
  if (!object) return std::nullopt;
  const auto mass = object->get("mass"), centre = object->get("centre"), inertia = object->get("inertia");
  Body body;
  if (mass) body.mass = reader.number(*mass).value_or(0.0);
  if (centre) body.centre = reader.point(*centre).value_or(Vec3::Zero());
  if (inertia) body.inertia = read_inertia(*inertia, reader).value_or(Mat3::Zero());
  return body;
}

}  // namespace

void ModelBuilder::check_name(const NamedItem& named, const std::string& reserved) {
  const std::string fault = named.name == reserved ? fmt::format("'{}' exists already; choose another name", reserved)
                                                   : why_not_an_element_name(named.name);
  if (!fault.empty()) reader_.complain_key(named.item, fault);
}

void ModelBuilder::read_materials(const Object& root) {
  const auto item = root.get("materials");
  if (!item) return;
  const auto materials = reader_.map(*item);
  materials_known_ = materials.has_value();
  if (!materials) return;
  for (const NamedItem& named : *materials) {
    check_name(named);
    densities_[named.name] = std::nullopt;
    const auto object = reader_.object(named.item, "material");
    if (!object) continue;
    if (const auto density = object->get("density")) densities_[named.name] = reader_.number(*density);
    if (const auto young = object->get("young")) reader_.number(*young);
    if (const auto poisson = object->get("poisson")) {
      const auto value = reader_.number(*poisson);
      if (value && !(*value > -1.0 && *value <= 0.5))
        reader_.complain(*poisson, fmt::format("expected a number above -1 and up to 0.5, but this is {}", *value));
    }
  }
}

std::optional<double> ModelBuilder::mass_of(const Object& solid, double volume) {
  if (const auto mass = solid.get("mass")) return reader_.number(*mass);
  const auto material = solid.get("material");
  if (!material) return std::nullopt;
  const auto name = reader_.text(*material);
  if (!name || !materials_known_) return std::nullopt;
  const auto density = densities_.find(*name);
  if (density == densities_.end()) {
    std::vector<std::string> known;
    for (const auto& entry : densities_) known.push_back(entry.first);
    reader_.complain(*material, fmt::format("unknown material '{}'{}", *name, hint(*name, known)));
    return std::nullopt;
  }
  if (!density->second) return std::nullopt;
  return *density->second * volume;
}

LinkData ModelBuilder::read_link(const std::string& name, const Object& link) {
  Body whole;
  const auto add = [&](const Body& part) { whole = joined(whole, part); };
  const auto at_of = [&](const Object& solid) {
    const auto at = solid.get("at");
    return at ? reader_.point(*at).value_or(Vec3::Zero()) : Vec3(Vec3::Zero());
  };
  const auto number_of = [&](const Object& solid, const char* key) {
    const auto item = solid.get(key);
    return item ? reader_.number(*item).value_or(1.0) : 1.0;
  };
  int parts = 0;
  if (const auto item = link.get("rigid")) {
    ++parts;
    if (const auto body = read_rigid(*item, reader_)) add(*body);
  }
  if (const auto item = link.get("box")) {
    ++parts;
    if (const auto box = reader_.object(*item, "box")) {
      const auto size = box->get("size");
      const std::vector<double> edges =
          size ? reader_.numbers(*size, 3, 3).value_or(std::vector<double>(3, 1.0)) : std::vector<double>(3, 1.0);
      const Vec3 square = Vec3(edges[0], edges[1], edges[2]).cwiseAbs2();
      const double mass = mass_of(*box, edges[0] * edges[1] * edges[2]).value_or(0.0);
      const Vec3 moments = mass / 12.0 * (Vec3::Constant(square.sum()) - square);
      add({mass, at_of(*box), moments.asDiagonal()});
    }
  }
  if (const auto item = link.get("cylinder")) {
    ++parts;
    if (const auto cylinder = reader_.object(*item, "cylinder")) {
      const double radius = number_of(*cylinder, "radius"), length = number_of(*cylinder, "length");
      const auto axis_item = cylinder->get("axis");
      const Vec3 axis = axis_item ? reader_.axis(*axis_item).value_or(Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
      const double mass = mass_of(*cylinder, std::numbers::pi * radius * radius * length).value_or(0.0);
      const double along = mass * radius * radius / 2.0;
      const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
      add({mass, at_of(*cylinder), across * Mat3::Identity() + (along - across) * axis * axis.transpose()});
    }
  }
  if (const auto item = link.get("sphere")) {
    ++parts;
    if (const auto sphere = reader_.object(*item, "sphere")) {
      const double radius = number_of(*sphere, "radius");
      const double mass = mass_of(*sphere, 4.0 / 3.0 * std::numbers::pi * radius * radius * radius).value_or(0.0);
      add({mass, at_of(*sphere), 0.4 * mass * radius * radius * Mat3::Identity()});
    }
  }
  if (const auto item = link.get("rod")) {
    ++parts;
    if (const auto rod = reader_.object(*item, "rod")) {
      const auto from = rod->get("from"), to = rod->get("to"), area = rod->get("area");
      const auto a = from ? reader_.point(*from) : std::nullopt, b = to ? reader_.point(*to) : std::nullopt;
      if (rod->has("material") && !area && !rod->has("mass"))
        reader_.complain(*rod->get("material"), "a rod of a material needs its cross-section: 'area'");
      if (rod->has("mass") && area) reader_.complain_key(*area, "the mass is given; 'area' goes with 'material'");
      const Vec3 span = a && b ? Vec3(*b - *a) : Vec3(Vec3::UnitX());
      const double mass = mass_of(*rod, span.norm() * (area ? reader_.number(*area).value_or(1.0) : 1.0)).value_or(0.0);
      if (a && b && *a == *b) reader_.complain(*to, "the two ends of a rod must differ");
      if (a && b) add({mass, 0.5 * (*a + *b), point_inertia(mass / 12.0, span)});
    }
  }
  if (parts == 0 && !link.incomplete)
    reader_.complain_key(link.item(), "a link needs a body: rigid, box, cylinder, sphere or rod");

  LinkData data;
  data.name = name;
  data.mass = whole.mass;
  data.centre = whole.centre;
  data.inertia = whole.inertia;
  return data;
}

void ModelBuilder::read_links(const Object& root) {
  const auto item = root.get("links");
  if (!item) return;
  const auto links = reader_.map(*item);
  links_known_ = links.has_value();
  if (!links) return;
  for (const NamedItem& named : *links) {
    check_name(named, "ground");
    links_.emplace(named.name, named.item);
    const auto object = reader_.object(named.item, "link");
    const int index = model_.mechanism.add_link(object ? read_link(named.name, *object) : LinkData{});
    model_.mechanism.links.back().name = named.name;
    frames_known_.push_back(object.has_value());
    if (!object) continue;
    if (const auto frames = object->get("frames")) read_frames(*frames, index);
    if (named.name == "ground") continue;

    // The mechanism's own check, one link at a time, so that every bad one is named.
    Mechanism alone;
    Joint weld;
    weld.type = JointType::fixed;
    weld.to.link = alone.add_link(model_.mechanism.links.back());
    alone.add_joint(weld);
    try {
      alone.validate();
    } catch (const MechanismError& error) {
      complain_mechanism(error);
    }
  }
}

void ModelBuilder::read_ground(const Object& root) {
  frames_known_.assign(1, true);
  if (const auto item = root.get("ground")) read_frames(*item, 0);
}

void ModelBuilder::read_frames(const Item& item, int link) {
  const auto frames = reader_.map(item);
  if (!frames) {
    frames_known_[static_cast<std::size_t>(link)] = false;
    return;
  }
  for (const NamedItem& named : *frames) {
    if (named.name == "origin") {
      reader_.complain_key(named.item, "the frame 'origin' is always there, at the link's origin; choose another name");
      continue;
    }
    check_name(named);
    model_.mechanism.add_frame(link, named.name, read_frame(named.item).value_or(Pose{}));
  }
}

std::optional<Pose> ModelBuilder::read_frame(const Item& item) {
  Pose pose;
  if (item.node->kind != Node::Kind::map) {
    const auto position = reader_.point(item);
    if (!position) return std::nullopt;
    pose.position = *position;
    return pose;
  }
  const auto object = reader_.object(item, "frame-pose");
  if (!object) return std::nullopt;
  if (const auto at = object->get("at")) pose.position = reader_.point(*at).value_or(Vec3::Zero());
  const auto rotate = object->get("rotate"), quaternion = object->get("quaternion");
  if (rotate && quaternion) reader_.complain_key(*quaternion, "give either rotate or quaternion");
  if (quaternion) pose.rotation = reader_.quaternion(*quaternion).value_or(Quat::Identity()).toRotationMatrix();
  if (!rotate) return pose;
  std::vector<Item> turns{*rotate};
  if (rotate->node->kind == Node::Kind::list) turns = reader_.list(*rotate).value_or(std::vector<Item>{});
  for (const Item& each : turns) {
    const auto turn = reader_.object(each, "turn");
    if (!turn) continue;
    const auto axis_item = turn->get("axis"), angle_item = turn->get("angle");
    const auto axis = axis_item ? reader_.axis(*axis_item) : std::nullopt;
    const auto angle = angle_item ? reader_.number(*angle_item) : std::nullopt;
    if (axis && angle) pose.rotation = pose.rotation * Eigen::AngleAxisd(*angle, *axis).toRotationMatrix();
  }
  return pose;
}

std::vector<std::string> ModelBuilder::link_names() const {
  std::vector<std::string> names;
  for (const LinkData& link : model_.mechanism.links) names.push_back(link.name);
  return names;
}

}  // namespace lithe::io
