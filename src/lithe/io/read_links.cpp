// links, ground: rigid bodies and frames; elastic links are read by their kind.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>

#include "lithe/io/model_builder.hpp"
#include "lithe/io/places.hpp"
#include "lithe/io/read_visuals.hpp"

namespace lithe::io {

namespace {

/// A rigid body in link axes, inertia about its own mass centre.
struct Body {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  bool accepts_inertia = false;  ///< not checked
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
  sum.accepts_inertia = a.accepts_inertia || b.accepts_inertia;
  sum.inertia = a.inertia + point_inertia(a.mass, a.centre - sum.centre) + b.inertia +
                point_inertia(b.mass, b.centre - sum.centre);
  return sum;
}

/// The rigid parts of a link, joined as they are read.
class RigidParts {
 public:
  RigidParts(const Materials& materials, Reader& reader) : materials_(materials), reader_(reader) {}

  Body whole;
  std::vector<Solid> solids;
  int count = 0;  ///< with those that could not be read

  void add(const Body& part) { whole = joined(whole, part); }
  void read_rigid(const Object& rigid);
  void read_box(const Object& box);
  void read_cylinder(const Object& cylinder);
  void read_sphere(const Object& sphere);
  void read_rod(const Object& rod);

 private:
  Vec3 at_of(const Object& solid) {
    const auto at = solid.get("at");
    return at ? reader_.point(*at).value_or(Vec3::Zero()) : Vec3(Vec3::Zero());
  }
  double number_of(const Object& solid, const char* key) {
    const auto item = solid.get(key);
    return item ? reader_.number(*item).value_or(1.0) : 1.0;
  }
  /// Zero where it cannot be read.
  double mass_of(const Object& solid, double volume) {
    if (const auto mass = solid.get("mass")) return reader_.number(*mass).value_or(0.0);
    const auto material = solid.get("material");
    const auto density = material ? materials_.density(*material, reader_) : std::nullopt;
    return density ? *density * volume : 0.0;
  }

  const Materials& materials_;
  Reader& reader_;
};

void RigidParts::read_rigid(const Object& rigid) {
  const auto mass = rigid.get("mass"), centre = rigid.get("centre"), inertia = rigid.get("inertia");
  Body body;
  if (mass) body.mass = reader_.number(*mass).value_or(0.0);
  if (centre) body.centre = reader_.point(*centre).value_or(Vec3::Zero());
  if (inertia) body.inertia = read_inertia(*inertia, reader_).value_or(Mat3::Zero());
  if (const auto accept = rigid.get("accept-inertia")) body.accepts_inertia = reader_.flag(*accept).value_or(false);
  add(body);
}

void RigidParts::read_box(const Object& box) {
  const auto size = box.get("size");
  const std::vector<double> edges =
      size ? reader_.numbers(*size, 3, 3).value_or(std::vector<double>(3, 1.0)) : std::vector<double>(3, 1.0);
  const Vec3 square = Vec3(edges[0], edges[1], edges[2]).cwiseAbs2();
  const double mass = mass_of(box, edges[0] * edges[1] * edges[2]);
  const Vec3 moments = mass / 12.0 * (Vec3::Constant(square.sum()) - square);
  const Vec3 at = at_of(box);
  add({mass, at, moments.asDiagonal()});
  solids.push_back({Solid::Kind::box, at, Mat3::Identity(), Vec3(edges[0], edges[1], edges[2])});
}

void RigidParts::read_cylinder(const Object& cylinder) {
  const double radius = number_of(cylinder, "radius"), length = number_of(cylinder, "length");
  const auto axis_item = cylinder.get("axis");
  const Vec3 axis = axis_item ? reader_.axis(*axis_item).value_or(Vec3::UnitZ()) : Vec3(Vec3::UnitZ());
  const double mass = mass_of(cylinder, std::numbers::pi * radius * radius * length);
  const double along = mass * radius * radius / 2.0;
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  const Vec3 at = at_of(cylinder);
  add({mass, at, across * Mat3::Identity() + (along - across) * axis * axis.transpose()});
  solids.push_back({Solid::Kind::cylinder, at, frame_with_z(axis), Vec3(2 * radius, 2 * radius, length)});
}

void RigidParts::read_sphere(const Object& sphere) {
  const double radius = number_of(sphere, "radius");
  const double mass = mass_of(sphere, 4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
  const Vec3 at = at_of(sphere);
  add({mass, at, 0.4 * mass * radius * radius * Mat3::Identity()});
  solids.push_back({Solid::Kind::sphere, at, Mat3::Identity(), Vec3::Constant(2 * radius)});
}

void RigidParts::read_rod(const Object& rod) {
  const auto from = rod.get("from"), to = rod.get("to"), area = rod.get("area");
  const auto a = from ? reader_.point(*from) : std::nullopt, b = to ? reader_.point(*to) : std::nullopt;
  if (rod.has("material") && !area && !rod.has("mass"))
    reader_.complain(*rod.get("material"), "a rod of a material needs its cross-section: 'area'");
  if (rod.has("mass") && area) reader_.complain_key(*area, "the mass is given; 'area' goes with 'material'");
  const Vec3 span = a && b ? Vec3(*b - *a) : Vec3(Vec3::UnitX());
  const double section = area ? reader_.number(*area).value_or(1.0) : 0.0;
  const double mass = mass_of(rod, span.norm() * (area ? section : 1.0));
  if (!a || !b) return;
  if (*a == *b) reader_.complain(*to, "the two ends of a rod must differ");
  add({mass, 0.5 * (*a + *b), point_inertia(mass / 12.0, span)});
  if (*a == *b) return;
  const double thick = 2.0 * std::sqrt(section / std::numbers::pi);
  solids.push_back(
      {Solid::Kind::cylinder, 0.5 * (*a + *b), frame_with_z(span.normalized()), Vec3(thick, thick, span.norm())});
}

std::vector<std::string> kind_names(const std::vector<ElasticKind>& kinds) {
  std::vector<std::string> names;
  for (const ElasticKind& kind : kinds) names.push_back(kind.key);
  return names;
}

}  // namespace

void ModelBuilder::check_name(const NamedItem& named, const std::string& reserved) {
  const std::string fault = named.name == reserved ? fmt::format("'{}' exists already; choose another name", reserved)
                                                   : why_not_an_element_name(named.name);
  if (!fault.empty()) reader_.complain_key(named.item, fault);
}

void ModelBuilder::check_rigid_keys(const Object& link, int parts) {
  if (parts == 0 && !link.incomplete) {
    std::vector<std::string> bodies{"rigid", "box", "cylinder", "sphere", "rod", "mesh"};
    for (const std::string& kind : kind_names(elastic_kinds())) bodies.push_back(kind);
    reader_.complain_key(link.item(), fmt::format("a link needs a body: {}", listed(bodies)));
  }
  for (const char* key : {"modes", "damping", "stiffening", "tip-rotation"})
    if (const auto item = link.get(key); item && parts > 0)
      reader_.complain_key(*item, fmt::format("a rigid link has no {}; it belongs to an elastic link ({})", key,
                                              listed(kind_names(elastic_kinds()))));
}

LinkData ModelBuilder::read_rigid_link(const std::string& name, const Object& link) {
  RigidParts parts(materials_, reader_);
  const auto read = [&](const char* key, void (RigidParts::*read_part)(const Object&)) {
    const auto item = link.get(key);
    if (!item) return;
    ++parts.count;
    if (const auto part = reader_.object(*item, key)) (parts.*read_part)(*part);
  };
  read("rigid", &RigidParts::read_rigid);
  read("box", &RigidParts::read_box);
  read("cylinder", &RigidParts::read_cylinder);
  read("sphere", &RigidParts::read_sphere);
  read("rod", &RigidParts::read_rod);
  if (const auto item = link.get("mesh")) {
    ++parts.count;
    if (auto mesh = read_mesh_body(*item, name, materials_, reader_)) {
      parts.add({mesh->mass, mesh->centre, mesh->inertia});
      add_visuals(std::move(mesh->visuals));
    }
  }
  check_rigid_keys(link, parts.count);

  LinkData data;
  data.name = name;
  data.mass = parts.whole.mass;
  data.centre = parts.whole.centre;
  data.inertia = parts.whole.inertia;
  data.accepts_inertia = parts.whole.accepts_inertia;
  data.solids = std::move(parts.solids);
  return data;
}

const ElasticKind* ModelBuilder::elastic_kind_of(const Object& link) {
  const ElasticKind* found = nullptr;
  for (const ElasticKind& kind : elastic_kinds()) {
    const auto item = link.get(kind.key);
    if (!item) continue;
    if (found != nullptr)
      reader_.complain_key(*item, fmt::format("a link takes only one of {} and {}", found->key, kind.key));
    found = &kind;
  }
  if (found == nullptr) return nullptr;
  for (const char* key : {"rigid", "box", "cylinder", "sphere", "rod", "mesh"})
    if (const auto item = link.get(key))
      reader_.complain_key(
          *item, fmt::format("a link is either rigid or a {}; join a rigid link to it with a fixed joint", found->key));
  return found;
}

void ModelBuilder::read_links(const Object& root) {
  model_.origins.assign(1, LinkOrigin{});
  const auto item = root.get("links");
  if (!item) return;
  const auto links = reader_.map(*item);
  links_known_ = links.has_value();
  if (!links) return;
  for (const NamedItem& named : *links) {
    check_name(named, "ground");
    links_.emplace(named.name, named.item);
    const auto object = reader_.object(named.item, "link");
    const ElasticKind* kind = object ? elastic_kind_of(*object) : nullptr;
    const auto visual = object ? object->get("visual") : std::nullopt;
    if (visual) add_visuals(read_visuals(*visual, named.name, reader_));
    if (kind != nullptr) {
      add_elastic_link(named, *object, *kind);
      if (visual && segmented_.contains(named.name))
        reader_.complain_key(*visual, "a beam in segments is several links; a visual goes with a link in one piece");
      continue;
    }
    std::optional<LinkData> data;
    if (object) data = read_rigid_link(named.name, *object);
    add_link(named, data, LinkOrigin{});
    const auto frames = object ? object->get("frames") : std::nullopt;
    if (frames) read_frames(*frames, static_cast<int>(model_.mechanism.links.size()) - 1);
    check_last_link();
  }
}

void ModelBuilder::add_visuals(std::vector<Visual> visuals) {
  for (Visual& visual : visuals) model_.visuals.push_back(std::move(visual));
}

void ModelBuilder::add_link(const NamedItem& named, std::optional<LinkData> data, const LinkOrigin& origin) {
  frames_known_.push_back(data.has_value());
  if (!data) data.emplace().name = named.name;
  model_.mechanism.add_link(std::move(*data));
  model_.origins.push_back(origin);
}

void ModelBuilder::add_elastic_link(const NamedItem& named, const Object& link, const ElasticKind& kind) {
  std::vector<ElasticLink> pieces = read_elastic_link(named.name, link, kind);
  if (pieces.empty()) return add_link(named, std::nullopt, LinkOrigin{});
  const int first = static_cast<int>(model_.mechanism.links.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    links_.emplace(pieces[i].data.name, named.item);
    add_link(named, std::move(pieces[i].data), pieces[i].origin);
    check_last_link();
    if (i == 0) continue;
    Joint weld;
    weld.name = fmt::format("{}.weld-{}", named.name, i);
    weld.type = JointType::fixed;
    weld.to.link = first + static_cast<int>(i);
    weld.from.link = weld.to.link - 1;
    weld.from.frame = model_.mechanism.links[weld.from.link].find_frame("tip");
    weld.to.frame = model_.mechanism.links[weld.to.link].find_frame("root");
    joints_.emplace(weld.name, named.item);
    model_.mechanism.add_joint(weld);
  }
  if (pieces.size() > 1) segmented_[named.name] = {first, static_cast<int>(pieces.size())};
}

void ModelBuilder::check_last_link() {
  // The mechanism's own check, one link at a time, so that every bad one is named.
  const LinkData& link = model_.mechanism.links.back();
  if (link.name == "ground") return;
  Mechanism alone;
  Joint weld;
  weld.type = JointType::fixed;
  weld.to.link = alone.add_link(link);
  alone.add_joint(weld);
  try {
    alone.validate();
  } catch (const MechanismError& error) {
    complain_mechanism(error);
  }
}

void ModelBuilder::read_ground(const Object& root) {
  frames_known_.assign(1, true);
  if (const auto item = root.get("ground")) read_frames(*item, 0);
  if (const auto item = root.get("scenery")) add_visuals(read_visuals(*item, "ground", reader_));
}

void ModelBuilder::read_frames(const Item& item, int link) {
  const auto frames = reader_.map(item);
  if (!frames) {
    frames_known_[link] = false;
    return;
  }
  for (const NamedItem& named : *frames) {
    if (named.name == "origin") {
      reader_.complain_key(named.item, "the frame 'origin' is always there, at the link's origin; choose another name");
      continue;
    }
    check_name(named);
    Item place = named.item;
    place.type = "rigid-frame";
    model_.mechanism.add_frame(link, named.name, read_pose(place, reader_).value_or(Pose{}));
  }
}

std::vector<std::string> ModelBuilder::link_names() const {
  std::vector<std::string> names;
  for (const LinkData& link : model_.mechanism.links) {
    // The pieces of a segmented link are called by the name of the whole.
    const std::string whole = link.name.substr(0, link.name.rfind('.'));
    const std::string& name = segmented_.contains(whole) ? whole : link.name;
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

}  // namespace lithe::io
