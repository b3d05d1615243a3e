#include "lithe/io/mirror.hpp"

#include <algorithm>

#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

/// Bounded by the entries that are there.
void negate_at(Node& list, std::initializer_list<std::size_t> places) {
  for (const std::size_t at : places)
    if (at < list.items.size()) negate(list.items[at]);
}

/// Three, six or nine numbers: S J S has the opposite xy and yz.
void mirror_inertia(Node& inertia) {
  if (inertia.items.size() == 6) return negate_at(inertia, {3, 5});
  if (inertia.items.size() != 3 || inertia.items[0].kind != Node::Kind::list) return;
  negate_at(inertia.items[0], {1});
  negate_at(inertia.items[1], {0, 2});
  negate_at(inertia.items[2], {1});
}

Node* value_at(Node& map, const char* key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(), [&](Entry& e) { return e.key == key; });
  return found == map.entries.end() ? nullptr : &found->value;
}

/// One turn or a list of them.
void mirror_turns(Node& turns) {
  for (Node& each : turns.items) mirror_turns(each);
  if (Node* axis = value_at(turns, "axis")) mirror_vector(*axis, true);
}

/// Points of a map or list.
void mirror_points(Node& points) {
  for (Node& each : points.items) mirror_vector(each, false);
  for (Entry& each : points.entries) mirror_vector(each.value, false);
}

void mirror_frames(Node& frames, bool lists_are_nodes) {
  for (Entry& frame : frames.entries) {
    if (frame.value.kind == Node::Kind::map)
      mirror_pose(frame.value);
    else if (!lists_are_nodes)
      mirror_vector(frame.value, false);
  }
}

/// One visual or mesh, or a list of them: a mirrored mesh is the mesh itself with its y turned round.
void mirror_mesh(Node& mesh) {
  for (Node& each : mesh.items) mirror_mesh(each);
  if (mesh.kind != Node::Kind::map) return;
  mirror_pose(mesh);
  if (value_at(mesh, "file") == nullptr) return;  // shapes are their own mirror images
  Node* scale = value_at(mesh, "scale");
  if (scale == nullptr) {
    mesh.entries.push_back({"scale", mesh.place, scalar_node("1", mesh.place)});
    scale = &mesh.entries.back().value;
  }
  if (scale->kind == Node::Kind::scalar) *scale = list_node({*scale, *scale, *scale}, scale->place);
  negate_at(*scale, {1});
}

/// Keys below a link that have to do with directions; what has other names has none.
void mirror_body(Node& body) {
  for (Node& item : body.items) mirror_body(item);
  for (Entry& entry : body.entries) {
    Node& value = entry.value;
    const bool holds_points = !value.items.empty() && value.items[0].kind == Node::Kind::list;
    if (entry.key == "inertia")
      mirror_inertia(value);
    else if (entry.key == "rotate")
      mirror_turns(value);
    else if ((entry.key == "axis" && holds_points) || (entry.key == "nodes" && value.kind == Node::Kind::map))
      mirror_points(value);
    else if (entry.key == "centre" || entry.key == "at" || entry.key == "from" || entry.key == "to" ||
             entry.key == "offset" || entry.key == "axis" || entry.key == "section-y" || entry.key == "direction" ||
             entry.key == "hold" || entry.key == "slide")
      mirror_vector(value, false);
    else
      mirror_body(value);
  }
}

}  // namespace

void negate(Node& scalar) {
  if (scalar.kind != Node::Kind::scalar || scalar.text == "0") return;
  const bool is_number = scalar.text.find_first_not_of("0123456789.eE+-") == std::string::npos &&
                         scalar.text.find_first_of("+-", 1) == std::string::npos;
  if (is_number)
    scalar.text = scalar.text[0] == '-' ? scalar.text.substr(1) : "-" + scalar.text.substr(scalar.text[0] == '+');
  else
    scalar.text = "-(" + scalar.text + ")";
  scalar.is_rewritten = true;
}

void mirror_vector(Node& vector, bool axial) {
  if (vector.kind == Node::Kind::list) return axial ? negate_at(vector, {0, 2}) : negate_at(vector, {1});
  if (vector.kind != Node::Kind::scalar || vector.text.empty() || vector.text.size() > 2) return;
  const char letter = vector.text.back();
  if (letter < 'x' || letter > 'z' || (letter == 'y') == axial) return;
  vector.text = vector.text[0] == '-' ? std::string(1, letter) : std::string("-") + letter;
}

void mirror_quaternion(Node& quaternion) { negate_at(quaternion, {1, 3}); }

void mirror_pose(Node& pose) {
  for (const char* key : {"at", "position", "offset"})
    if (Node* place = value_at(pose, key)) mirror_vector(*place, false);
  if (Node* turns = value_at(pose, "rotate")) mirror_turns(*turns);
  if (Node* axis = value_at(pose, "axis")) mirror_vector(*axis, true);
  if (Node* quaternion = value_at(pose, "quaternion")) mirror_quaternion(*quaternion);
}

void mirror_link(Node& link) {
  const bool lists_are_nodes = link.find("truss") != nullptr;
  for (Entry& entry : link.entries) {
    if (entry.key == "frames")
      mirror_frames(entry.value, lists_are_nodes);
    else if (entry.key == "visual" || entry.key == "mesh")
      mirror_mesh(entry.value);
    else
      mirror_body(entry.value);
  }
}

void mirror_joint(Node& joint) {
  for (const char* type : {"revolute", "cylindrical"})
    if (Node* axis = value_at(joint, type)) mirror_vector(*axis, true);
  if (Node* axis = value_at(joint, "prismatic")) mirror_vector(*axis, false);
  if (Node* axes = value_at(joint, "universal"))
    for (Node& axis : axes->items) mirror_vector(axis, true);
  if (Node* motor = value_at(joint, "motor"))
    if (Node* rotor = value_at(*motor, "gyroscopic"))
      if (Node* axis = value_at(*rotor, "axis")) mirror_vector(*axis, true);
  Node* spring = value_at(joint, "spring");
  Node* rest = spring == nullptr ? nullptr : value_at(*spring, "rest");
  const std::vector<bool> opposite = opposite_coordinates(joint, false);
  if (rest == nullptr || opposite.empty()) return;
  if (rest->kind == Node::Kind::scalar) {
    // One number for all coordinates that have one: two of a cylindrical joint, three of a free one.
    Node all = *rest;
    all.kind = Node::Kind::list;
    all.items.assign(std::min<std::size_t>(opposite.size(), 3), *rest);
    *rest = std::move(all);
  }
  for (std::size_t i = 0; i < rest->items.size() && i < opposite.size(); ++i)
    if (opposite[i]) negate(rest->items[i]);
}

void mirror_bushing(Node& bushing) {
  if (Node* preload = value_at(bushing, "preload")) negate_at(*preload, {1, 3, 5});
}

void mirror_contact(Node& contact) {
  if (Node* normal = value_at(contact, "normal")) mirror_vector(*normal, false);
}

void mirror_cylinder(Node& cylinder) {
  if (Node* axis = value_at(cylinder, "pins")) mirror_vector(*axis, true);
}

std::vector<bool> opposite_coordinates(const Node& joint, bool speeds) {
  if (joint.find("cylindrical") != nullptr) return {false, true};
  // Rotations: the quaternion [w, x, y, z], or an angular velocity.
  const std::vector<bool> turn =
      speeds ? std::vector<bool>{true, false, true} : std::vector<bool>{false, true, false, true};
  if (joint.find("spherical") != nullptr) return turn;
  if (joint.find("free") == nullptr) return {};
  std::vector<bool> all{false, true, false};
  all.insert(all.end(), turn.begin(), turn.end());
  return all;
}

}  // namespace lithe::io
