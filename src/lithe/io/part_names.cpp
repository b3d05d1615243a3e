#include "lithe/io/part_names.hpp"

#include <algorithm>
#include <string_view>

#include "lithe/io/part_conditions.hpp"
#include "lithe/io/tied_joints.hpp"

namespace lithe::io {
namespace {

Node* find(Node& map, std::string_view key) {
  for (Entry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

}  // namespace

std::set<std::string> names_in_quantities(const Node& part) {
  std::vector<std::string> sections{"links", "joints", "couplings", "cylinders", "springs"};
  for (const ElementKind& kind : element_kinds()) sections.push_back(kind.section);
  std::set<std::string> names;
  for (const std::string& section : sections)
    if (const Entry* found = part.find(section))
      for (const Entry& entry : found->value.entries) names.insert(entry.key);
  return names;
}

PartNames::PartNames(const std::string& part, const Node& tree)
    : part_(part), in_quantities_(names_in_quantities(tree)) {
  const Entry* materials = tree.find("materials");
  if (materials == nullptr) return;
  for (const Entry& entry : materials->value.entries) materials_.insert(entry.key);
}

void PartNames::rename(const std::string& section, Node& value) const {
  for (Entry& entry : value.entries) {
    entry.key = of(entry.key);
    if (section == "joints" || section == "springs" || section == "cylinders") {
      rename_frames(entry.value, {"from", "to"});
      if (Node* motor = find(entry.value, "motor"))
        if (Node* rotor = find(*motor, "gyroscopic")) rename_frames(*rotor, {"carrier"});
    } else if (section == "loads") {
      rename_frames(entry.value, {"at", "along"});
    } else if (section == "links") {
      rename_materials(entry.value);
    } else if (section == "couplings") {
      for (std::string* joint : tied_joints(entry.value)) *joint = of(*joint);
    } else if (section == "drives") {
      rename_drive(entry.value);
    } else if (section == "sensors") {
      rename_sensor(entry.value);
    } else if (section == "controllers") {
      rename_controller(entry.value);
    } else if (section == "events") {
      rename_event(entry.value);
    }
    for (const ElementKind& kind : element_kinds())
      if (kind.section == section) rename_element(kind, entry.value);
  }
}

void PartNames::rename_frames(Node& element, std::initializer_list<const char*> keys) const {
  for (Entry& entry : element.entries) {
    if (entry.value.kind != Node::Kind::scalar ||
        std::find(keys.begin(), keys.end(), std::string_view(entry.key)) == keys.end())
      continue;
    rename_frame(entry.value.text);
  }
}

void PartNames::rename_frame(std::string& text) const {
  const std::size_t slash = text.find('/');
  if (text.substr(0, slash) != "ground")
    text = of(text);
  else if (slash == std::string::npos || text.substr(slash + 1) == "origin")
    text = "ground/" + part_;
  else
    text = "ground/" + of(text.substr(slash + 1));
}

/// Frames, joints and materials of a machine element, given one by one or in lists.
void PartNames::rename_element(const ElementKind& kind, Node& element) const {
  const auto each = [](Node& value, auto&& rename) {
    if (value.kind == Node::Kind::scalar) rename(value.text);
    for (Node& item : value.items)
      if (item.kind == Node::Kind::scalar) rename(item.text);
  };
  const auto has = [](const std::vector<std::string>& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  rename_materials(element);
  for (Entry& entry : element.entries) {
    if (has(kind.frames, entry.key)) each(entry.value, [&](std::string& text) { rename_frame(text); });
    if (has(kind.joints, entry.key)) each(entry.value, [&](std::string& text) { text = of(text); });
  }
}

/// Materials that the part does not have are those of the model.
void PartNames::rename_materials(Node& node) const {
  for (Node& item : node.items) rename_materials(item);
  for (Entry& entry : node.entries) {
    if (entry.key == "material" && materials_.contains(entry.value.text)) entry.value.text = of(entry.value.text);
    rename_materials(entry.value);
  }
}

void PartNames::prefix(Node& names) const {
  if (names.kind == Node::Kind::scalar) names.text = of(names.text);
  for (Node& item : names.items) prefix(item);
}

void PartNames::rename_drive(Node& drive) const {
  if (Node* motors = find(drive, "motors")) prefix(*motors);
  if (Node* path = find(drive, "path")) rename_frames(*path, {"base"});
}

void PartNames::rename_sensor(Node& sensor) const {
  for (const char* key : {"encoder", "tachometer", "force-torque", "strain-gauge"})
    if (Node* measured = find(sensor, key)) prefix(*measured);
  rename_frames(sensor, {"tracker", "gyro", "accelerometer", "base"});
}

/// Signals are called by their sensors, "hand.x", and are renamed as these are.
void PartNames::rename_controller(Node& controller) const {
  if (Node* drives = find(controller, "drives")) prefix(*drives);
  for (const char* law : {"pid", "computed-torque", "gravity-compensation", "passivity"})
    if (Node* found = find(controller, law))
      for (const char* key : {"measure", "rate"})
        if (Node* signals = find(*found, key)) prefix(*signals);
  Node* inputs = find(controller, "inputs");
  if (inputs == nullptr) return;
  for (Node& input : inputs->items) {
    if (input.kind == Node::Kind::scalar) prefix(input);
    for (const char* key : {"of", "wanted"})
      if (Node* name = find(input, key)) prefix(*name);
  }
}

void PartNames::rename_event(Node& event) const {
  if (Node* when = find(event, "when")) {
    if (Node* after = find(*when, "after")) prefix(*after);
    for (const char* key : {"rises", "falls", "crosses"}) {
      Node* condition = find(*when, key);
      if (condition == nullptr || condition->kind != Node::Kind::scalar) continue;
      condition->text = replace_quantities(condition->text, in_quantities_, [&](const QuantityWord& quantity) {
        return quantity.head + "." + of(quantity.name) + quantity.rest;
      });
      condition->is_rewritten = true;
    }
  }
  Node* actions = find(event, "do");
  if (actions == nullptr) return;
  for (const char* key : {"lock", "release"})
    if (Node* joints = find(*actions, key)) prefix(*joints);
  if (Node* drives = find(*actions, "drives"))
    for (Entry& drive : drives->entries) drive.key = of(drive.key);
}

}  // namespace lithe::io
