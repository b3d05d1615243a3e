// What is wrong with a URDF, with line and column. urdfdom gives no places, stops at the first fault and lets some
// through.

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lithe/io/reader.hpp"
#include "lithe/io/urdf_robot.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe::io {
namespace {

/// The parser of XML recurses; so deep a nesting is no robot.
bool is_nested_too_deeply(const std::string& text) {
  constexpr int deepest = 200;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '<')
      depth += text[i + 1] == '/' ? -1 : std::isalpha(static_cast<unsigned char>(text[i + 1])) ? 1 : 0;
    if (text[i] == '/' && text[i + 1] == '>') --depth;
    if (depth > deepest) return true;
  }
  return false;
}

const std::vector<std::string> joint_type_names{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};

class UrdfChecker {
 public:
  UrdfChecker(const std::string& file, Complaints& complaints) : file_(file), complaints_(complaints) {}

  void check(const TiXmlElement& robot) {
    robot_.place = place(robot);
    if (const char* name = robot.Attribute("name"); name != nullptr && *name != '\0')
      robot_.name = name;
    else
      complain(robot, "robot", "the robot has no name; write <robot name=\"...\">");
    for (const TiXmlElement* each = robot.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      const std::string tag = each->Value();
      if (tag.starts_with("xacro:")) {
        complain(*each, tag, "this is a xacro file, not yet a URDF; make one with: xacro FILE > robot.urdf");
        return;
      }
      if (tag == "link") check_link(*each);
      if (tag == "joint") check_joint(*each);
    }
    for (const TiXmlElement* each = robot.FirstChildElement("transmission"); each != nullptr;
         each = each->NextSiblingElement("transmission"))
      check_transmission(*each);
    check_joint_names();
    check_tree(robot);
  }

  UrdfRobot take() { return std::move(robot_); }

 private:
  Place place(const TiXmlBase& node) const { return {&file_, node.Row(), node.Column()}; }
  void complain(const TiXmlBase& node, const std::string& what, const std::string& message) {
    complaints_.add(place(node), what, message);
  }

  /// The name of a link or joint; complains when it is missing or taken.
  template <class Elements>
  std::optional<std::string> name_of(const TiXmlElement& element, const Elements& others) {
    const std::string tag = element.Value();
    const char* name = element.Attribute("name");
    if (name == nullptr || *name == '\0') {
      complain(element, tag, fmt::format("this {} has no name", tag));
      return std::nullopt;
    }
    for (const auto& other : others) {
      if (other.name != name) continue;
      complain(element, path(tag, name),
               fmt::format("a {} of this name stands in line {} already", tag, other.place.line));
      return std::nullopt;
    }
    return name;
  }

  static std::string path(const std::string& tag, const std::string& name) { return fmt::format("{} '{}'", tag, name); }

  /// `count` numbers of an attribute, or nothing after a complaint. An absent attribute is no complaint.
  std::optional<std::vector<double>> numbers(const TiXmlElement& element, const char* attribute, std::size_t count,
                                             const std::string& where) {
    const char* text = element.Attribute(attribute);
    if (text == nullptr) return std::nullopt;
    std::vector<double> values;
    const char *at = text, *end = text + std::string_view(text).size();
    bool good = true;
    while (good) {
      while (at != end && std::isspace(static_cast<unsigned char>(*at))) ++at;
      if (at == end) break;
      if (*at == '+') ++at;
      double value = 0.0;
      const auto [next, fault] = std::from_chars(at, end, value);
      good = fault == std::errc() && std::isfinite(value) &&
             (next == end || std::isspace(static_cast<unsigned char>(*next)));
      at = next;
      values.push_back(value);
    }
    if (good && values.size() == count) return values;
    complain(element, where,
             fmt::format("{}=\"{}\" of <{}>: expected {}", attribute, text, element.Value(),
                         count == 1 ? "a number" : fmt::format("{} numbers", count)));
    return std::nullopt;
  }

  /// A number that must be there.
  double needed(const TiXmlElement& element, const char* attribute, const std::string& where) {
    if (element.Attribute(attribute) == nullptr) {
      complain(element, where, fmt::format("<{}> needs the attribute {}", element.Value(), attribute));
      return 0.0;
    }
    return numbers(element, attribute, 1, where).value_or(std::vector<double>{0.0})[0];
  }

  void check_origin(const TiXmlElement& owner, const std::string& where, Vec3* rpy = nullptr) {
    const TiXmlElement* origin = owner.FirstChildElement("origin");
    if (origin == nullptr) return;
    numbers(*origin, "xyz", 3, where);
    const auto angles = numbers(*origin, "rpy", 3, where);
    if (angles && rpy != nullptr) *rpy = Vec3((*angles)[0], (*angles)[1], (*angles)[2]);
  }

  void check_link(const TiXmlElement& element) {
    const auto name = name_of(element, robot_.links);
    if (!name) return;
    UrdfLink link;
    link.name = *name;
    link.place = place(element);
    const std::string where = path("link", *name);
    if (const TiXmlElement* inertial = element.FirstChildElement("inertial")) {
      link.has_inertial = true;
      link.inertial_place = place(*inertial);
      check_origin(*inertial, where);
      const TiXmlElement *mass = inertial->FirstChildElement("mass"), *inertia = inertial->FirstChildElement("inertia");
      if (mass == nullptr) complain(*inertial, where, "<inertial> needs <mass value=\"...\"/>");
      if (inertia == nullptr) complain(*inertial, where, "<inertial> needs <inertia ixx=... ixy=... .../>");
      if (mass != nullptr && needed(*mass, "value", where) < 0.0)
        complain(*mass, where, fmt::format("the mass is negative: {} kg", mass->Attribute("value")));
      if (inertia != nullptr)
        for (const char* each : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) needed(*inertia, each, where);
    }
    robot_.links.push_back(std::move(link));
  }

  std::string end_of(const TiXmlElement& joint, const char* tag, const std::string& where) {
    const TiXmlElement* element = joint.FirstChildElement(tag);
    const char* link = element == nullptr ? nullptr : element->Attribute("link");
    if (link == nullptr || *link == '\0') {
      complain(element == nullptr ? joint : *element, where, fmt::format("needs <{} link=\"...\"/>", tag));
      return {};
    }
    ends_.push_back({element, where, link});
    return link;
  }

  void check_type(const TiXmlElement& element, const std::string& where, UrdfJoint& joint) {
    const char* type = element.Attribute("type");
    if (type == nullptr) {
      complain(element, where, fmt::format("needs type=\"...\": {}", listed(joint_type_names)));
      return;
    }
    const auto found = std::find(joint_type_names.begin(), joint_type_names.end(), type);
    if (found == joint_type_names.end())
      complain(element, where, fmt::format("there is no joint type '{}'{}", type, hint(type, joint_type_names)));
    else
      joint.type = static_cast<UrdfJoint::Type>(found - joint_type_names.begin());
  }

  void check_joint(const TiXmlElement& element) {
    const auto name = name_of(element, robot_.joints);
    if (!name) return;
    UrdfJoint joint;
    joint.name = *name;
    joint.place = place(element);
    const std::string where = path("joint", *name);
    check_type(element, where, joint);
    joint.parent = end_of(element, "parent", where);
    joint.child = end_of(element, "child", where);
    if (!joint.parent.empty() && joint.parent == joint.child)
      complain(element, where, fmt::format("parent and child are the same link '{}'", joint.parent));
    check_origin(element, where, &joint.rpy);
    if (const TiXmlElement* axis = element.FirstChildElement("axis")) {
      if (axis->Attribute("xyz") == nullptr) complain(*axis, where, "<axis> needs the attribute xyz");
      const auto direction = numbers(*axis, "xyz", 3, where);
      if (direction && std::hypot((*direction)[0], (*direction)[1], (*direction)[2]) < 1e-12)
        complain(*axis, where, "the axis has no direction: all three numbers are zero");
    }
    const TiXmlElement* limit = element.FirstChildElement("limit");
    const bool is_bounded = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
    if (limit == nullptr && is_bounded)
      complain(element, where,
               joint.type == UrdfJoint::Type::revolute
                   ? "a revolute joint needs <limit>; one without limits is of type continuous"
                   : "a prismatic joint needs <limit>");
    if (limit != nullptr) {
      for (const char* each : {"lower", "upper"}) numbers(*limit, each, 1, where);
      for (const char* each : {"effort", "velocity"}) needed(*limit, each, where);
    }
    if (const TiXmlElement* dynamics = element.FirstChildElement("dynamics")) {
      for (const char* each : {"damping", "friction"}) {
        const auto value = numbers(*dynamics, each, 1, where);
        if (value && (*value)[0] < 0.0) complain(*dynamics, where, fmt::format("the {} is negative", each));
      }
    }
    if (const TiXmlElement* mimic = element.FirstChildElement("mimic")) {
      const char* other = mimic->Attribute("joint");
      if (other == nullptr) complain(*mimic, where, "<mimic> needs the attribute joint");
      if (other != nullptr) mimics_.push_back({mimic, where, other});
    }
    robot_.joints.push_back(std::move(joint));
  }

  void check_joint_names() {
    const std::vector<std::string> names = names_of(robot_.joints);
    for (const Reference& mimic : mimics_)
      if (std::find(names.begin(), names.end(), mimic.name) == names.end())
        complain(*mimic.element, mimic.where,
                 fmt::format("there is no joint '{}'{}", mimic.name, hint(mimic.name, names)));
  }

  void check_transmission(const TiXmlElement& element) {
    robot_.has_transmissions = true;
    const std::vector<std::string> names = names_of(robot_.joints);
    for (const TiXmlElement* joint = element.FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint")) {
      const char* name = joint->Attribute("name");
      if (name == nullptr) continue;
      if (std::find(names.begin(), names.end(), name) == names.end())
        complain(*joint, "transmission", fmt::format("there is no joint '{}'{}", name, hint(name, names)));
      robot_.transmitted.insert(name);
    }
  }

  /// URDF is a tree: every link but one has exactly one parent, and all hang together.
  void check_tree(const TiXmlElement& robot) {
    const std::vector<std::string> names = names_of(robot_.links);
    if (names.empty()) return complain(robot, "robot", "the robot has no links");
    bool good = true;
    for (const Reference& end : ends_) {
      if (std::find(names.begin(), names.end(), end.name) != names.end()) continue;
      complain(*end.element, end.where, fmt::format("there is no link '{}'{}", end.name, hint(end.name, names)));
      good = false;
    }
    std::map<std::string, const UrdfJoint*> parent;
    for (const UrdfJoint& joint : robot_.joints) {
      const auto [first, is_new] = parent.emplace(joint.child, &joint);
      if (is_new || joint.child.empty() || joint.parent.empty() || joint.parent == joint.child) continue;
      complaints_.add(
          joint.place, path("joint", joint.name),
          fmt::format("link '{}' has a parent already, by joint '{}'; URDF knows trees only: leave one of the "
                      "two out and close the loop with a joint in the side file",
                      joint.child, first->second->name));
      good = false;
    }
    if (!good || !complaints_.empty()) return;
    std::vector<std::string> roots;
    for (const std::string& name : names)
      if (!parent.contains(name)) roots.push_back(name);
    if (roots.size() == 1) robot_.root = roots[0];
    if (roots.size() > 1)
      complain(robot, "robot",
               fmt::format("the links {} have no parent, but only the base may have none; join the others "
                           "to it with joints",
                           listed(roots, "and")));
    for (const UrdfLink& link : robot_.links) {
      // A link from which no way leads to a root stands in a circle of joints.
      std::string at = link.name;
      std::size_t steps = 0;
      while (parent.contains(at) && steps++ <= names.size()) at = parent.at(at)->parent;
      if (!parent.contains(at)) continue;
      const UrdfJoint& joint = *parent.at(at);
      complaints_.add(
          joint.place, path("joint", joint.name),
          fmt::format("link '{}' is its own ancestor; URDF knows trees only: leave a joint of this circle out "
                      "and close the loop with a joint in the side file",
                      at));
      return;
    }
  }

  /// An element that names a link or joint.
  struct Reference {
    const TiXmlElement* element;
    std::string where, name;
  };
  const std::string& file_;
  Complaints& complaints_;
  UrdfRobot robot_;
  std::vector<Reference> ends_, mimics_;
};

}  // namespace

std::optional<UrdfRobot> check_urdf(const std::string& text, const std::string& file, Complaints& complaints) {
  if (is_nested_too_deeply(text)) {
    complaints.add({&file, 0, 0}, {}, "the elements are nested too deeply for a URDF");
    return std::nullopt;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    complaints.add({&file, 0, 0}, {}, "the file is empty; a URDF has one element <robot>");
    return std::nullopt;
  }
  TiXmlDocument document;
  document.SetTabSize(1);
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  const TiXmlElement* root = document.RootElement();
  if (document.Error()) {
    const bool is_unclosed = document.ErrorId() == TiXmlBase::TIXML_ERROR_READING_END_TAG;
    complaints.add({&file, document.ErrorRow(), document.ErrorCol()}, {},
                   is_unclosed ? "this is not well-formed XML: an element is not closed, or in the wrong order"
                               : fmt::format("this is not well-formed XML: {}", document.ErrorDesc()));
    return std::nullopt;
  }
  if (root == nullptr || std::string(root->Value()) != "robot") {
    const std::string found = root == nullptr ? "there is none" : fmt::format("this is <{}>", root->Value());
    complaints.add({&file, root == nullptr ? 1 : root->Row(), root == nullptr ? 1 : root->Column()}, {},
                   fmt::format("a URDF has one element <robot>, but {}", found));
    return std::nullopt;
  }
  UrdfChecker checker(file, complaints);
  checker.check(*root);
  if (!complaints.empty()) return std::nullopt;
  return checker.take();
}

}  // namespace lithe::io
