#include "lithe/io/part_placement.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "lithe/io/mirror.hpp"
#include "lithe/io/part_conditions.hpp"
#include "lithe/io/part_names.hpp"
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
    each("drives", [&](Entry& e, const std::string&) { place_path(e.value); });
    each("sensors", [&](Entry& e, const std::string& path) { place_sensor(e.value, path); });
    each("events", [&](Entry& e, const std::string& path) { place_event(e.value, path); });
    if (placement_.mirrored) {
      each("drives", [&](Entry& e, const std::string& path) { mirror_drive(e, path); });
      each("couplings", [&](Entry& e, const std::string& path) { check_mirrored_coupling(e, path); });
      each("controllers", [&](Entry& e, const std::string& path) { check_mirrored_controller(e.value, path); });
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
  Node* value_of(const char* section) { return value_in(part_, section); }

  static Node* value_in(Node& map, const char* key) {
    const auto found =
        std::find_if(map.entries.begin(), map.entries.end(), [&](const Entry& e) { return e.key == key; });
    return found == map.entries.end() ? nullptr : &found->value;
  }

  const Node* find(const char* section, const std::string& name) {
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

  bool is_moved() const { return turned_ || placement_.mirrored || !placement_.pose.position.isZero(0.0); }

  /// Says in which axes something is given: those of the ground of the part, if nothing is said yet.
  void give_base(Node& node) {
    if (is_moved() && node.kind == Node::Kind::map && node.find("base") == nullptr)
      node.entries.push_back({"base", node.place, scalar_node("ground", node.place)});
    if (placement_.mirrored) toggle_mirrored(node);
  }

  void toggle_mirrored(Node& node) {
    const auto found =
        std::find_if(node.entries.begin(), node.entries.end(), [](const Entry& e) { return e.key == "mirrored"; });
    if (found == node.entries.end())
      node.entries.push_back({"mirrored", node.place, scalar_node("true", node.place)});
    else
      found->value.text = found->value.text == "true" ? "false" : "true";
  }

  /// The path of a part is followed by the motors of the part, whatever else the model has.
  void place_path(Node& drive) {
    Node* path = value_in(drive, "path");
    if (path == nullptr) return;
    give_base(*path);
    const Entry* by = drive.find("by");
    const bool leads = by == nullptr ? drive.find("task-pd") == nullptr : by->value.text != "motors";
    if (!leads || drive.find("motors") != nullptr) return;
    std::vector<Node> motors;
    for (const std::string& name : motors_without_drive()) motors.push_back(scalar_node(name, drive.place));
    if (!motors.empty()) drive.entries.push_back({"motors", drive.place, list_node(std::move(motors), drive.place)});
  }

  std::vector<std::string> motors_without_drive() {
    std::vector<std::string> names;
    const auto entries = [&](const char* section) {
      const Node* map = value_of(section);
      return map == nullptr ? std::vector<Entry>{} : map->entries;
    };
    for (const Entry& joint : entries("joints")) {
      const Entry* actuated = joint.value.find("actuated");
      bool has_motor = joint.value.find("motor") != nullptr || (actuated != nullptr && actuated->value.text == "true");
      if (actuated != nullptr)
        for (const Node& each : actuated->value.items) has_motor = has_motor || each.text == "true";
      if (has_motor && find("drives", joint.key) == nullptr) names.push_back(joint.key);
    }
    for (const Entry& cylinder : entries("cylinders"))
      if (cylinder.value.find("oil") == nullptr && find("drives", cylinder.key) == nullptr)
        names.push_back(cylinder.key);
    return names;
  }

  void place_sensor(Node& sensor, const std::string& path) {
    if (sensor.find("tracker") != nullptr) return give_base(sensor);
    if (!placement_.mirrored) return;
    for (const char* key : {"encoder", "tachometer"})
      if (const Entry* measured = sensor.find(key)) refuse_opposite(*measured, path, "the sensor");
    for (const char* key : {"gyro", "accelerometer", "force-torque"})
      if (sensor.find(key) != nullptr) toggle_mirrored(sensor);
    if (Node* side = value_in(sensor, "side"); side != nullptr && !side->items.empty()) negate(side->items[0]);
  }

  void check_mirrored_controller(const Node& controller, const std::string& path) {
    const Entry* drives = controller.find("drives");
    if (drives == nullptr) return;
    refuse_opposite(*drives, path, "the controller");
  }

  /// One joint, or a list of them.
  void refuse_opposite(const Entry& joints, const std::string& path, const char* what) {
    std::vector<Node> names = joints.value.items;
    if (joints.value.kind == Node::Kind::scalar) names = {joints.value};
    for (const Node& name : names)
      if (counts_the_other_way(name.text, true))
        refuse(joints.place, path + "." + joints.key,
               fmt::format("'{}' counts the other way in a mirrored part; put {} into the model that uses the part",
                           name.text, what));
  }

  bool counts_the_other_way(const std::string& coordinate, bool speeds) {
    const Coordinate at = coordinate_of(coordinate);
    if (at.joint == nullptr) return false;
    const std::vector<bool> opposite = opposite_coordinates(*at.joint, speeds);
    return at.number < opposite.size() && opposite[at.number];
  }

  /// What an event does belongs to the part; that it ends the run does not.
  void place_event(Node& event, const std::string& path) {
    Node* when = value_in(event, "when");
    for (const char* key : {"rises", "falls", "crosses"}) {
      Node* condition = when == nullptr ? nullptr : value_in(*when, key);
      if (condition != nullptr && condition->kind == Node::Kind::scalar)
        place_condition(*condition, fmt::format("{}.when.{}", path, key));
    }
    Node* actions = value_in(event, "do");
    if (actions == nullptr) return;
    std::erase_if(actions->entries, [](const Entry& e) { return e.key == "end"; });
    Node* drives = value_in(*actions, "drives");
    if (drives == nullptr || !placement_.mirrored) return;
    for (Entry& drive : drives->entries) mirror_drive(drive, fmt::format("{}.do.drives.{}", path, drive.key));
  }

  void place_condition(Node& condition, const std::string& path) {
    std::string fault;
    const std::string text =
        replace_quantities(condition.text, names_in_quantities(part_), [&](const QuantityWord& quantity) {
          if (is_of_the_whole(quantity))
            fault = fmt::format("'{}' is that of the whole model", quantity.text());
          else if (quantity.head == "rot" && (turned_ || placement_.mirrored))
            fault = fmt::format("'{}' does not turn with its part", quantity.text());
          if (is_in_ground_axes(quantity) && quantity.head != "rot" && is_moved())
            return seen_from_part(quantity, placement_.pose, placement_.mirrored);
          return placement_.mirrored ? of_mirrored_coordinate(quantity) : quantity.text();
        });
    if (!fault.empty())
      return refuse(condition.place, path, fault + "; put the event into the model that uses the part");
    condition.is_rewritten = condition.is_rewritten || text != condition.text;
    condition.text = text;
  }

  std::string of_mirrored_coordinate(const QuantityWord& quantity) {
    static constexpr std::string_view opposite_of_bushing[] = {".y", ".rx", ".rz", ".fy", ".mx", ".mz"};
    const bool of_joint =
        quantity.head == "q" || quantity.head == "v" || quantity.head == "a" || quantity.head == "tau";
    const bool opposite =
        (of_joint && counts_the_other_way(quantity.name + quantity.rest, quantity.head != "q")) ||
        (quantity.head == "bushing" && std::find(std::begin(opposite_of_bushing), std::end(opposite_of_bushing),
                                                 quantity.rest) != std::end(opposite_of_bushing));
    return opposite ? "(-" + quantity.text() + ")" : quantity.text();
  }

  void mirror_drive(Entry& drive, const std::string& path) {
    if (!counts_the_other_way(drive.key, true)) return;
    for (Entry& entry : drive.value.entries)
      if (entry.key == "follow" || entry.key == "torque" || entry.key == "force")
        negate_law(entry.value, path + "." + entry.key);
  }

  void check_mirrored_coupling(Entry& coupling, const std::string& path) {
    for (const std::string* name : tied_joints(coupling.value)) {
      if (counts_the_other_way(*name, false))
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
