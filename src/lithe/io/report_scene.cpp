#include "lithe/io/report_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lithe/io/report_elements.hpp"
#include "lithe/io/report_geometry.hpp"
#include "lithe/io/report_meshes.hpp"
#include "lithe/io/report_modes.hpp"
#include "lithe/io/report_motion.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/simulation/stress_record.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;

Json triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

std::vector<float> flat_shapes(const Drawing& drawing, int count) {
  std::vector<float> shapes;
  for (const Drawing::Point& point : drawing.points) {
    for (int k = 0; k < count; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        shapes.push_back(point.shape.cols() == count ? static_cast<float>(point.shape(axis, k)) : 0.0F);
      }
    }
  }
  return shapes;
}

/// Between which two places of known section forces a point of the drawing lies, and how far on the way to the second.
struct PlaceShare {
  int first = -1, second = -1;
  double share = 0.0;
};

/// On a beam, forces vary between the place that a line belongs to and its neighbours; a bar has one force all along.
PlaceShare place_share(const LinkData& link, int place, const Vec3& point) {
  const std::vector<SectionForces>& places = link.elastic.section_forces;
  if (place < 0) return {};
  const SectionForces& here = places[place];
  const Vec3 along = here.axes.col(0);
  const double way = along.dot(point - here.position);
  const int next = place + (way < 0 ? -1 : 1);
  if (link.axis.length <= 0 || next < 0 || next >= static_cast<int>(places.size())) return {place, place, 0.0};
  const Vec3 between = places[next].position - here.position;
  const double distance = along.dot(between);
  const bool is_on_line = std::abs(distance) > tolerance::written * link.axis.length &&
                          (between - distance * along).norm() <= tolerance::written * link.axis.length;
  if (!is_on_line) return {place, place, 0.0};
  return {place, next, std::clamp(way / distance, 0.0, 1.0)};
}

/// Where section forces are known along the link, how its lines stand to these places, and the forces per unit of the
/// elastic coordinates.
void add_section_places(const LinkData& link, const Drawing& drawing, Json& block) {
  const ElasticData& elastic = link.elastic;
  if (elastic.section_forces.empty()) return;
  Json names = Json::array();
  std::vector<float> section, ends;
  for (const SectionForces& place : elastic.section_forces) {
    names.push_back(place_name(place));
    for (const int component : {0, 4, 5})
      for (int k = 0; k < elastic.count(); ++k) section.push_back(static_cast<float>(place.rows(component, k)));
  }
  for (const Outline::Line& line : drawing.lines)
    for (const int point : {line.from, line.to}) {
      const PlaceShare at = place_share(link, line.section_forces, drawing.points[point].position);
      for (const double value : {double(at.first), double(at.second), at.share})
        ends.push_back(static_cast<float>(value));
    }
  block["places"] = std::move(names);
  block["ends"] = packed(ends);
  block["section"] = packed(section);
}

/// Sections of the lines that have one, each once: kind, dimensions, y axis. `of_line`: which one, or -1.
Json profiles_of(const Drawing& drawing, std::vector<int>& of_line) {
  static constexpr std::array names{"unknown", "rectangle", "circle", "tube", "i"};
  Json profiles = Json::array();
  for (const Outline::Line& line : drawing.lines) {
    of_line.push_back(-1);
    if (line.profile.kind == Profile::Kind::unknown) continue;
    Json profile{{"kind", names[static_cast<std::size_t>(line.profile.kind)]},
                 {"size", line.profile.dimensions},
                 {"across", triple(line.across)}};
    const auto known = std::find(profiles.begin(), profiles.end(), profile);
    of_line.back() = static_cast<int>(known - profiles.begin());
    if (known == profiles.end()) profiles.push_back(std::move(profile));
  }
  return profiles;
}

Json solids_of(const LinkData& link) {
  static constexpr std::array names{"box", "cylinder", "sphere"};
  Json solids = Json::array();
  for (const Solid& solid : link.solids) {
    const Quat turn(solid.axes);
    solids.push_back({{"kind", names[static_cast<std::size_t>(solid.kind)]},
                      {"centre", triple(solid.centre)},
                      {"turn", {turn.w(), turn.x(), turn.y(), turn.z()}},
                      {"size", triple(solid.size)}});
  }
  return solids;
}

Json link_block(const Plan& plan, int index, const Drawing& drawing) {
  const LinkData& link = plan.mechanism().links[index];
  Json points = Json::array(), lines = Json::array(), frames = Json::array();
  for (const Drawing::Point& point : drawing.points) points.push_back(triple(point.position));
  std::vector<int> of_line;
  Json profiles = profiles_of(drawing, of_line);
  for (std::size_t k = 0; k < drawing.lines.size(); ++k) {
    const Outline::Line& line = drawing.lines[k];
    lines.push_back({line.from, line.to, line.radius});
    if (of_line[k] >= 0) lines.back().push_back(of_line[k]);
  }
  for (std::size_t f = 0; f < link.frames.size(); ++f) {
    frames.push_back({{"name", link.frames[f].name}, {"point", drawing.frame_points[f]}});
    const Mat3& axes = link.frames[f].pose.rotation;
    if (const Quat turn(axes); !axes.isIdentity(0.0)) frames.back()["turn"] = {turn.w(), turn.x(), turn.y(), turn.z()};
  }
  Json block{{"name", link.name},         {"mass", link.mass},      {"points", std::move(points)},
             {"lines", std::move(lines)}, {"faces", drawing.faces}, {"frames", std::move(frames)}};
  if (!profiles.empty()) block["profiles"] = std::move(profiles);
  if (!link.solids.empty()) block["solids"] = solids_of(link);
  const ElasticData& elastic = link.elastic;
  if (elastic.count() == 0) return block;

  Json coordinates = Json::array();
  const std::vector<std::string> columns = elastic_columns(plan, index);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto number = static_cast<Eigen::Index>(k);
    const double omega = number < elastic.frequencies.size() ? elastic.frequencies[number] : 0.0;
    coordinates.push_back({{"name", k < elastic.names.size() ? elastic.names[k] : ""},
                           {"series", columns[k]},
                           {"frequency", omega / (2.0 * std::numbers::pi)}});
  }
  block["coordinates"] = std::move(coordinates);
  block["shapes"] = packed(flat_shapes(drawing, elastic.count()));
  add_section_places(link, drawing, block);
  return block;
}

Json joint_block(const Joint& joint, const Mechanism& mechanism, const std::vector<Drawing>& drawings) {
  const auto place = [&](FrameRef frame) {
    const Drawing& drawing = drawings[frame.link];
    return Json{{"link", frame.link}, {"point", drawing.frame_points[frame.frame]}};
  };
  const Frame& from = mechanism.links[joint.from.link].frames[joint.from.frame];
  const Frame& to = mechanism.links[joint.to.link].frames[joint.to.frame];
  Json block{
      {"name", joint.name},        {"type", name_of(joint.type)}, {"actuated", joint.is_actuated()},
      {"from", place(joint.from)}, {"to", place(joint.to)},       {"axis", triple(from.pose.rotation * joint.axis)}};
  if (joint.type == JointType::universal) block["axis2"] = triple(to.pose.rotation * joint.axis2);
  return block;
}

/// Which way is up in the picture: against gravity, else y in the plane x, y and z in space.
Vec3 up_direction(const Plan& plan) {
  const Vec3 gravity = plan.mechanism().gravity;
  const bool lies_flat = plan.is_planar() && std::abs(plan.plane_normal().dot(gravity)) > 0.5 * gravity.norm();
  if (gravity.norm() > 0.0 && !lies_flat) return -gravity.normalized();
  if (plan.is_planar() && std::abs(plan.plane_normal().z()) > 0.5) return Vec3::UnitY();
  return Vec3::UnitZ();
}

class Extent {
 public:
  void include(const Vec3& place) {
    low_ = low_.cwiseMin(place);
    high_ = high_.cwiseMax(place);
  }
  Vec3 centre() const { return 0.5 * (low_ + high_); }
  double radius() const { return std::max(0.5 * (high_ - low_).norm(), 1e-6); }

 private:
  Vec3 low_ = Vec3::Constant(1e300), high_ = Vec3::Constant(-1e300);
};

/// Per link the corners of the boxes around its meshes, link axes.
std::vector<std::vector<Vec3>> mesh_corners(const Model& model) {
  std::vector<std::vector<Vec3>> corners(model.mechanism.links.size());
  for (const Visual& visual : model.visuals) {
    const int link = model.mechanism.find_link(visual.link);
    if (link < 0 || visual.mesh.points.empty()) continue;
    Vec3 low = visual.mesh.points[0], high = low;
    for (const Vec3& point : visual.mesh.points) low = low.cwiseMin(point), high = high.cwiseMax(point);
    for (int k = 0; k < 8; ++k)
      corners[link].emplace_back(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(), k & 4 ? high.z() : low.z());
  }
  return corners;
}

void append(const LinkPoses& poses, std::vector<float>& numbers) {
  for (std::size_t l = 1; l < poses.size(); ++l) {
    const Quat turn(poses[l].rotation);
    for (const double value : {poses[l].position.x(), poses[l].position.y(), poses[l].position.z(), turn.w(), turn.x(),
                               turn.y(), turn.z()}) {
      numbers.push_back(static_cast<float>(value));
    }
  }
}

}  // namespace

Json scene_of(const Model& model, const Results& results, const std::vector<std::size_t>& rows) {
  RecordedMotion motion(model, results);
  const Mechanism& mechanism = model.mechanism;
  std::vector<Drawing> drawings;
  for (std::size_t l = 0; l < mechanism.links.size(); ++l)
    drawings.push_back(
        drawing_of(mechanism, static_cast<int>(l), has_visual(model, mechanism.links[l].name), model.record.frames));

  Json links = Json::array(), joints = Json::array(), springs = Json::array(), traced = Json::array();
  const bool elastic = motion.plan().is_elastic();
  for (std::size_t l = 0; l < drawings.size(); ++l) {
    links.push_back(link_block(motion.plan(), static_cast<int>(l), drawings[l]));
    const std::string& name = mechanism.links[l].name;
    if (has_visual(model, name)) links.back()["meshes"] = mesh_blocks(model, name);
    if (replaces_drawing(model, name)) links.back().erase("solids");
  }
  for (const Joint& joint : mechanism.joints) joints.push_back(joint_block(joint, mechanism, drawings));
  const auto end = [&](FrameRef frame) -> Json { return {frame.link, drawings[frame.link].frame_points[frame.frame]}; };
  for (const PointSpring& spring : mechanism.springs) {
    springs.push_back({{"name", spring.name}, {"a", end(spring.a)}, {"b", end(spring.b)}});
    if (spring.stiffness == 0.0) springs.back()["damper"] = true;
  }
  for (const FrameRef& frame : model.record.frames) {
    if (frame.link != 0) traced.push_back({frame.link, frame.frame});
  }

  std::vector<float> poses, rigid;
  Extent extent;
  for (const Joint& joint : mechanism.joints) {
    for (const FrameRef& frame : {joint.from, joint.to}) {
      if (frame.link == 0 && joint.type != JointType::free) {
        extent.include(mechanism.links[0].frames[frame.frame].pose.position);
      }
    }
  }
  const std::vector<std::vector<Vec3>> corners = mesh_corners(model);
  for (const Vec3& corner : corners[0]) extent.include(corner);
  for (const std::size_t row : rows) {
    const LinkPoses now = motion.poses(row);
    append(now, poses);
    if (elastic) append(motion.rigid_poses(row), rigid);
    for (std::size_t l = 1; l < now.size(); ++l) {
      for (const Drawing::Point& point : drawings[l].points) extent.include(now[l] * point.position);
      for (const Vec3& corner : corners[l]) extent.include(now[l] * corner);
      for (const Solid& solid : mechanism.links[l].solids) {
        for (const double side : {-0.5, 0.5})
          extent.include(now[l] * Vec3(solid.centre + solid.axes * (side * solid.size)));
      }
    }
  }
  const Plan& plan = motion.plan();
  Json scene{{"planar", plan.is_planar()},
             {"normal", triple(plan.is_planar() ? plan.plane_normal() : Vec3::UnitZ())},
             {"up", triple(up_direction(plan))},
             {"gravity", triple(mechanism.gravity)},
             {"centre", triple(extent.centre())},
             {"radius", extent.radius()},
             {"links", std::move(links)},
             {"joints", std::move(joints)},
             {"springs", std::move(springs)},
             {"traced", std::move(traced)},
             {"poses", packed(poses)}};
  draw_elements(mechanism, drawings, scene);
  if (elastic) {
    scene["rigid"] = packed(rigid);
    scene["modes"] = modes_of(model, motion);
  }
  return scene;
}

}  // namespace lithe::detail
