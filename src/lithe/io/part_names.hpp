#pragma once
// Names of a part as the model that uses it knows them: "thigh" of "leg-1" is "leg-1-thigh", its ground the ground of the
// model.

#include <initializer_list>
#include <set>
#include <string>

#include "lithe/io/element_kinds.hpp"
#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// Of the links, joints and elements of a part, by which conditions of events call their quantities.
std::set<std::string> names_in_quantities(const Node& part);

class PartNames {
 public:
  PartNames(const std::string& part, const Node& tree);

  std::string of(const std::string& name) const { return part_ + "-" + name; }

  /// Renames the entries of a section, and what they speak of.
  void rename(const std::string& section, Node& value) const;

 private:
  void rename_frames(Node& element, std::initializer_list<const char*> keys) const;
  void rename_frame(std::string& text) const;
  void rename_element(const ElementKind& kind, Node& element) const;
  void rename_materials(Node& node) const;
  void rename_drive(Node& drive) const;
  void rename_sensor(Node& sensor) const;
  void rename_controller(Node& controller) const;
  void rename_event(Node& event) const;
  /// One name, or a list of them.
  void prefix(Node& names) const;

  std::string part_;
  std::set<std::string> materials_, in_quantities_;
};

}  // namespace lithe::io
