#include "lithe/io/part_placement.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "lithe/io/mirror.hpp"
#include "lithe/io/places.hpp"
#include "lithe/io/tied_joints.hpp"
#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

Node point_node(const Vec3& point, const Place& place) {
  return list_node({number_node(point.x(), place), number_node(point.y(), place), number_node(point.z(), place)},
                   place);
}

Node quaternion_node(const Mat3& rotation, const Place& place) {
  const Quat q(rotation);
  std::vector<Node> parts;
  for (const double part : {q.w(), q.x(), q.y(), q.z()}) parts.push_back(number_node(part, place));
  return list_node(std::move(parts), place);
}

class PartPlacement {
 public:
  PartPlacement(Node& part, const Placement& placement, Reader& reader)
      : part_(part), placement_(placement), reader_(reader), turned_(!placement.pose.rotation.isIdentity(0.0)) {}

  bool run() {
    const auto each = [&](const char* section, auto change) {
      Node* map = value_of(section);
      if (map == nullptr || map->kind != Node::Kind::map) return;
      for (Entry& entry : map->entries) change(entry, fmt::format("{}.{}", section, entry.key));
    };
    each("loads", [&](Entry& e, const std::string& path) { place_load(e, path); });
    each("initial", [&](Entry& e, const std::string& path) { place_start(e, path, false); });
    each("speeds", [&](Entry& e, const std::string& path) { place_start(e, path, true); });
    each("drives", [&](Entry& e, const std::string& path) { keep_paths_away(e, path); });
    if (placement_.mirrored) {
      each("drives", [&](Entry& e, const std::string& path) { mirror_drive(e, path); });
      each("couplings", [&](Entry& e, const std::string& path) { check_mirrored_coupling(e, path); });
      each("links", [&](Entry& e, const std::string& path) { mirror_link_of_part(e, path); });
      each("joints", [&](Entry& e, const std::string& path) { mirror_joint_of_part(e, path); });
      each("bushings", [](Entry& e, const std::string&) { mirror_bushing(e.value); });
      each("contacts", [](Entry& e, const std::string&) { mirror_contact(e.value); });
      each("cylinders", [&](Entry& e, const std::string&) { mirror_cylinder(e.value); });
    }
    each("ground", [&](Entry& e, const std::string& path) { place_ground_frame(e, path); });
    return good_;
  }

 private:
  Node* value_of(const std::string& section) {
    const auto found =
        std::find_if(part_.entries.begin(), part_.entries.end(), [&](const Entry& e) { return e.key == section; });
    return found == part_.entries.end() ? nullptr : &found->value;
  }

  const Node* find(const std::string& section, const std::string& name) {
    const Node* map = value_of(section);
    const Entry* entry = map == nullptr ? nullptr : map->find(name);
    return entry == nullptr ? nullptr : &entry->value;
  }

  void refuse(const Place& place, const std::string& path, const std::string& message) {
    good_ = false;
    reader_.complaints().add(place, path, message);
  }

  void place_ground_frame(Entry& frame, const std::string& path) {
    if (placement_.mirrored) {
      if (frame.value.kind == Node::Kind::map)
        mirror_pose(frame.value);
      else
        mirror_vector(frame.value, false);
    }
    const auto own = read_pose({&frame.value, frame.place, path, "rigid-frame"}, reader_);
    if (!own) {
      good_ = false;
      return;
    }
    frame.value = pose_node(placement_.pose * *own, frame.value.place);
  }

  void mirror_link_of_part(Entry& link, const std::string& path) {
    for (const char* kind : {"imported", "matrices"})
      if (const Entry* given = link.value.find(kind))
        refuse(given->place, path + "." + kind,
               "a link from a file cannot be mirrored; make a file of its mirror image and a part without 'mirror'");
    mirror_link(link.value);
  }

  void mirror_joint_of_part(Entry& joint, const std::string& path) {
    if (const Entry* planar = joint.value.find("planar"))
      refuse(planar->place, path + ".planar",
             "a planar joint cannot be mirrored: its two directions in the plane are chosen by the program; "
             "use two prismatic joints and a revolute one");
    mirror_joint(joint.value);
  }

  /// The opposite of a law, where a component or coordinate counts the other way.
  void negate_law(Node& law, const std::string& path) {
    if (law.kind == Node::Kind::scalar) return negate(law);
    if (law.kind == Node::Kind::list) {
      for (Node& term : law.items) negate_law(term, path);
      return;
    }
    refuse(law.place, path, "this law counts the other way in a mirrored part; write it as an expression of t");
  }

  void mirror_components(Node& load, const char* key, bool axial, const std::string& path) {
    const auto found =
        std::find_if(load.entries.begin(), load.entries.end(), [&](const Entry& e) { return e.key == key; });
    if (found == load.entries.end() || found->value.kind != Node::Kind::list) return;
    std::vector<Node>& items = found->value.items;
    for (std::size_t i = 0; i < items.size(); ++i)
      if ((i == 1) != axial) negate_law(items[i], path + "." + key);
  }

  void place_load(Entry& load, const std::string& path) {
    const Entry* axes = load.value.find("axes");
    const bool in_ground_axes = axes == nullptr || axes->value.text == "ground";
    if (in_ground_axes && (turned_ || placement_.mirrored))
      return refuse(load.place, path,
                    "a load in ground axes does not turn with its part; give it 'axes: frame' (along a link: 'axes: "
                    "link'), or put it into the model that uses the part");
    if (!placement_.mirrored) return;
    mirror_components(load.value, "force", false, path);
    mirror_components(load.value, "end", false, path);
    mirror_components(load.value, "moment", true, path);
  }

  /// The joint that an entry of initial, speeds or drives means, and its coordinate: "wrist.1". No joint: nothing.
  struct Coordinate {
    const Node* joint = nullptr;
    std::size_t number = 0;
    bool is_given = false;
  };
  Coordinate coordinate_of(const std::string& name) {
    if (const Node* joint = find("joints", name)) return {joint, 0, false};
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size() ||
        name.find_first_not_of("0123456789", dot + 1) != std::string::npos || name.size() - dot > 4)
      return {};
    return {find("joints", name.substr(0, dot)), static_cast<std::size_t>(std::stoi(name.substr(dot + 1))), true};
  }

  void keep_paths_away(const Entry& drive, const std::string& path) {
    const Entry* given = drive.value.find("path");
    const bool moved = turned_ || placement_.mirrored || !placement_.pose.position.isZero(0.0);
    if (given != nullptr && moved)
      refuse(given->place, path + ".path",
             "a path in ground axes does not move with its part; put it into the model that uses the part");
  }

  void mirror_drive(Entry& drive, const std::string& path) {
    const Coordinate at = coordinate_of(drive.key);
    const std::vector<bool> opposite =
        at.joint == nullptr ? std::vector<bool>{} : opposite_coordinates(*at.joint, true);
    if (at.number >= opposite.size() || !opposite[at.number]) return;
    for (Entry& entry : drive.value.entries)
      if (entry.key == "follow" || entry.key == "torque" || entry.key == "force")
        negate_law(entry.value, path + "." + entry.key);
  }

  void check_mirrored_coupling(Entry& coupling, const std::string& path) {
    for (const std::string* name : tied_joints(coupling.value)) {
      const Coordinate at = coordinate_of(*name);
      const std::vector<bool> opposite =
          at.joint == nullptr ? std::vector<bool>{} : opposite_coordinates(*at.joint, false);
      if (at.number < opposite.size() && opposite[at.number])
        refuse(coupling.place, path,
               fmt::format("'{}' counts the other way in a mirrored part; put the coupling into the model that uses "
                           "the part",
                           *name));
    }
  }

  void place_start(Entry& start, const std::string& path, bool speeds) {
    if (find("links", start.key) != nullptr) return speeds ? place_twist(start, path) : place_link(start, path);
    if (!placement_.mirrored) return;
    const Coordinate at = coordinate_of(start.key);
    if (at.joint == nullptr && start.key.find(".e") != std::string::npos)
      return refuse(start.place, path,
                    "elastic coordinates of a mirrored part are not known before its shapes; give them in the model "
                    "that uses the part");
    if (at.joint == nullptr) return;
    const std::vector<bool> opposite = opposite_coordinates(*at.joint, speeds);
    Node& value = start.value;
    if (value.kind == Node::Kind::map) mirror_pose(value);
    if (value.kind == Node::Kind::scalar && at.number < opposite.size() && opposite[at.number]) negate(value);
    for (std::size_t i = 0; i < value.items.size() && i < opposite.size(); ++i)
      if (opposite[i]) negate(value.items[i]);
  }

  /// The pose of a link at the start, in ground axes. What it leaves out stays out.
  void place_link(Entry& start, const std::string& path) {
    Node& value = start.value;
    if (placement_.mirrored) {
      if (value.kind == Node::Kind::map)
        mirror_pose(value);
      else
        mirror_vector(value, false);
    }
    if (value.kind == Node::Kind::list) return place_point(value, path);
    if (value.kind != Node::Kind::map) return;
    const auto object = reader_.object({&value, start.place, path, "pose"}, "pose");
    if (!object) {
      good_ = false;
      return;
    }
    if (turned_) turn_link(value, *object);
    for (Entry& entry : value.entries)
      if (entry.key == "at" || entry.key == "position") place_point(entry.value, path + "." + entry.key);
  }

  void turn_link(Node& value, const Object& pose) {
    const auto axis_item = pose.get("axis"), angle_item = pose.get("angle");
    if (!axis_item && !pose.has("rotate") && !pose.has("quaternion")) return;
    Mat3 rotation = read_rotation(pose, reader_);
    if (axis_item && angle_item) {
      const auto axis = reader_.axis(*axis_item);
      const auto angle = reader_.number(*angle_item);
      if (axis && angle) rotation = Eigen::AngleAxisd(*angle, *axis).toRotationMatrix();
    }
    std::erase_if(value.entries, [](const Entry& e) {
      return e.key == "axis" || e.key == "angle" || e.key == "rotate" || e.key == "quaternion";
    });
    value.entries.push_back(
        {"quaternion", value.place, quaternion_node(placement_.pose.rotation * rotation, value.place)});
  }

  void place_point(Node& point, const std::string& path) {
    const auto own = reader_.point({&point, point.place, path, "point"});
    good_ = good_ && own.has_value();
    if (own) point = point_node(placement_.pose.rotation * *own + placement_.pose.position, point.place);
  }

  void place_twist(Entry& start, const std::string& path) {
    for (Entry& entry : start.value.entries) {
      if (entry.key != "velocity" && entry.key != "angular") continue;
      if (placement_.mirrored) mirror_vector(entry.value, entry.key == "angular");
      const std::string type = entry.key == "angular" ? "rates" : "point";
      const auto own = reader_.point({&entry.value, entry.place, path + "." + entry.key, type});
      good_ = good_ && own.has_value();
      if (own) entry.value = point_node(placement_.pose.rotation * *own, entry.value.place);
    }
  }

  Node& part_;
  const Placement& placement_;
  Reader& reader_;
  bool turned_, good_ = true;
};

}  // namespace

Node pose_node(const Pose& pose, const Place& place) {
  Node position = point_node(pose.position, place);
  if (pose.rotation.isIdentity(0.0)) return position;
  return map_node({{"at", place, std::move(position)}, {"quaternion", place, quaternion_node(pose.rotation, place)}},
                  place);
}

bool place_part(Node& part, const Placement& placement, Reader& reader) {
  return PartPlacement(part, placement, reader).run();
}

}  // namespace lithe::io
