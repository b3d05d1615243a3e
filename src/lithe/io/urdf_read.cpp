// Links and joints of a URDF. Every value is read here, strictly; what is wrong is complained about all at once.

#include <fmt/format.h>
#include <tinyxml.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "lithe/io/mjcf_read.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/io/urdf_dialects.hpp"
#include "lithe/io/urdf_source.hpp"
#include "lithe/io/urdf_tree.hpp"
#include "lithe/io/urdf_visuals.hpp"

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

std::string called(const std::string& tag, const std::string& name) { return fmt::format("{} '{}'", tag, name); }

class UrdfReader {
 public:
  UrdfReader(const std::string& file, Complaints& complaints)
      : source_(file, complaints), complaints_(complaints), file_(file) {}

  void read(const TiXmlElement& robot) {
    robot_.place = source_.place(robot);
    read_head(robot);
    for (const TiXmlElement* each = robot.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      const std::string tag = each->Value();
      if (tag.starts_with("xacro:"))
        return source_.complain(*each, tag,
                                "this is a xacro file, not yet a URDF; make one with: xacro FILE > robot.urdf");
      if (tag == "link")
        read_link(*each);
      else if (tag == "joint")
        read_joint(*each);
      else if (tag != "transmission")
        read_urdf_dialect(*each, source_, robot_);
    }
    for (const TiXmlElement* each = robot.FirstChildElement("transmission"); each != nullptr;
         each = each->NextSiblingElement("transmission"))
      read_transmission(*each);
    check_names();
    note_missing_limits();
    check_urdf_tree(robot_, complaints_);
    robot_.notes = source_.notes();
  }

  UrdfRobot take() { return std::move(robot_); }

 private:
  void read_head(const TiXmlElement& robot) {
    source_.check_words(robot, {"name", "version", "xsi:schemaLocation"}, children_of_robot(robot));
    robot_.name = UrdfSource::text(robot, "name");
    if (robot_.name.empty()) {
      robot_.name = std::filesystem::path(file_).stem().string();
      source_.note(robot, fmt::format("the robot has no name; it is called '{}' after its file", robot_.name));
    }
    const std::string version = UrdfSource::text(robot, "version");
    const std::vector<std::string> known{"", "1.0", "1.1", "1.2"};
    if (std::find(known.begin(), known.end(), version) == known.end())
      source_.complain(*UrdfSource::attribute(robot, "version"), "robot",
                       fmt::format("version {} of URDF is not known; known are 1.0, 1.1 and 1.2", version));
  }

  /// All of them: what they are is told one by one.
  static std::vector<std::string> children_of_robot(const TiXmlElement& robot) {
    std::vector<std::string> tags;
    for (const TiXmlElement* each = robot.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
      tags.emplace_back(each->Value());
    return tags;
  }

  /// The name of a link or joint; complains when it is missing or taken.
  template <class Elements>
  std::optional<std::string> name_of(const TiXmlElement& element, const Elements& others) {
    const std::string tag = element.Value(), name = UrdfSource::text(element, "name");
    if (name.empty()) {
      source_.complain(element, tag, fmt::format("this {} has no name", tag));
      return std::nullopt;
    }
    for (const auto& other : others) {
      if (other.name != name) continue;
      source_.complain(element, called(tag, name),
                       fmt::format("a {} of this name stands in line {} already", tag, other.place.line));
      return std::nullopt;
    }
    return name;
  }

  void read_link(const TiXmlElement& element) {
    const auto name = name_of(element, robot_.links);
    if (!name) return;
    UrdfLink link;
    link.name = *name;
    link.place = source_.place(element);
    source_.check_words(element, {"name", "type"}, {"inertial", "visual", "collision"});
    if (const TiXmlElement* inertial = source_.only(element, "inertial")) read_inertial(*inertial, link);
    link.visuals = read_urdf_visuals(element, file_, source_);
    robot_.links.push_back(std::move(link));
  }

  void read_inertial(const TiXmlElement& inertial, UrdfLink& link) {
    const std::string where = called("link", link.name);
    link.has_inertial = true;
    link.inertial_place = source_.place(inertial);
    source_.check_words(inertial, {}, {"origin", "mass", "inertia"});
    const UrdfOrigin origin = source_.origin_in(inertial, where);
    const TiXmlElement *mass = source_.only(inertial, "mass"), *inertia = source_.only(inertial, "inertia");
    if (mass == nullptr) source_.complain(inertial, where, "<inertial> needs <mass value=\"...\"/>");
    if (inertia == nullptr) source_.complain(inertial, where, "<inertial> needs <inertia ixx=... ixy=... .../>");
    link.centre = origin.position;
    if (mass != nullptr) {
      source_.check_words(*mass, {"value"}, {});
      link.mass = source_.needed_number(*mass, "value", where);
      if (link.mass < 0.0)
        source_.complain(*mass, where, fmt::format("the mass is negative: {} kg", UrdfSource::text(*mass, "value")));
    }
    if (inertia == nullptr) return;
    source_.check_words(*inertia, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
    Mat3 own;
    std::vector<std::string> missing;
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) {
        const std::string name{'i', "xyz"[i], "xyz"[k]};
        if (i == k)
          own(i, i) = source_.needed_number(*inertia, name, where);
        else
          own(i, k) = own(k, i) = source_.number(*inertia, name, where).value_or(0.0);
        if (i != k && UrdfSource::attribute(*inertia, name) == nullptr) missing.push_back(name);
        link.inertia_rounding += (i == k ? 1.0 : 2.0) * rounding_of(UrdfSource::text(*inertia, name));
      }
    }
    if (!missing.empty())
      source_.note(*inertia, fmt::format("{}: <inertia> has no {}; taken as zero", where, listed(missing)));
    link.inertia = origin.rotation * own * origin.rotation.transpose();
  }

  std::string end_of(const TiXmlElement& joint, const char* tag, const std::string& where) {
    const TiXmlElement* element = source_.only(joint, tag);
    const std::string link = element == nullptr ? "" : UrdfSource::text(*element, "link");
    if (link.empty())
      source_.complain(element == nullptr ? joint : *element, where, fmt::format("needs <{} link=\"...\"/>", tag));
    else
      robot_ends_.push_back({element, where, link});
    if (element != nullptr) source_.check_words(*element, {"link"}, {});
    return link;
  }

  void read_type(const TiXmlElement& element, const std::string& where, UrdfJoint& joint) {
    const TiXmlAttribute* attribute = UrdfSource::attribute(element, "type");
    const std::vector<std::string>& names = urdf_joint_types();
    if (attribute == nullptr)
      return source_.complain(element, where, fmt::format("needs type=\"...\": {}", listed(names)));
    const std::string type = UrdfSource::text(element, "type");
    const auto found = std::find(names.begin(), names.end(), type);
    if (found == names.end())
      source_.complain(element, where, fmt::format("there is no joint type '{}'{}", type, hint(type, names)));
    else
      joint.type = static_cast<UrdfJoint::Type>(found - names.begin());
  }

  void read_joint(const TiXmlElement& element) {
    const auto name = name_of(element, robot_.joints);
    if (!name) return;
    UrdfJoint joint;
    joint.name = *name;
    joint.place = source_.place(element);
    const std::string where = called("joint", *name);
    source_.check_words(
        element, {"name", "type", "independent"},
        {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration"});
    read_type(element, where, joint);
    joint.parent = end_of(element, "parent", where);
    joint.child = end_of(element, "child", where);
    if (!joint.parent.empty() && joint.parent == joint.child)
      source_.complain(element, where, fmt::format("parent and child are the same link '{}'", joint.parent));
    joint.origin = source_.origin_in(element, where);
    using Type = UrdfJoint::Type;
    const bool has_axis = joint.type != Type::fixed && joint.type != Type::floating && joint.type != Type::spherical;
    joint.axis = source_.axis_in(element, where, has_axis);
    read_limit(element, where, joint);
    read_dynamics(element, where, joint);
    read_mimic(element, where, joint);
    joint.has_controller =
        source_.only(element, "safety_controller") != nullptr || source_.only(element, "calibration") != nullptr;
    const std::string independent = UrdfSource::text(element, "independent");
    joint.is_dependent = independent == "false" || independent == "False" || independent == "0";
    if (!joint.is_dependent && !independent.empty() && independent != "true" && independent != "True" &&
        independent != "1")
      source_.complain(*UrdfSource::attribute(element, "independent"), where,
                       fmt::format("independent=\"{}\": expected true or false", independent));
    robot_.joints.push_back(std::move(joint));
  }

  void read_limit(const TiXmlElement& element, const std::string& where, UrdfJoint& joint) {
    const TiXmlElement* limit = source_.only(element, "limit");
    if (limit == nullptr) return;
    source_.check_words(*limit, {"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"}, {});
    UrdfJoint::Limits& limits = joint.limits.emplace();
    limits.lower = source_.number(*limit, "lower", where, true);
    limits.upper = source_.number(*limit, "upper", where, true);
    limits.effort = source_.number(*limit, "effort", where, true);
    limits.velocity = source_.number(*limit, "velocity", where, true);
  }

  void read_dynamics(const TiXmlElement& element, const std::string& where, UrdfJoint& joint) {
    const TiXmlElement* dynamics = source_.only(element, "dynamics");
    if (dynamics == nullptr) return;
    source_.check_words(*dynamics, {"damping", "friction"}, {});
    joint.damping = source_.number(*dynamics, "damping", where).value_or(0.0);
    joint.friction = source_.number(*dynamics, "friction", where).value_or(0.0);
    if (joint.damping < 0.0) source_.complain(*dynamics, where, "the damping is negative");
    if (joint.friction < 0.0) source_.complain(*dynamics, where, "the friction is negative");
  }

  void read_mimic(const TiXmlElement& element, const std::string& where, UrdfJoint& joint) {
    const TiXmlElement* mimic = source_.only(element, "mimic");
    if (mimic == nullptr) return;
    source_.check_words(*mimic, {"joint", "multiplier", "offset"}, {});
    joint.mimic_factor = source_.number(*mimic, "multiplier", where).value_or(1.0);
    joint.mimic_offset = source_.number(*mimic, "offset", where).value_or(0.0);
    const std::string other = UrdfSource::text(*mimic, "joint");
    if (other.empty()) return source_.complain(*mimic, where, "<mimic> needs the attribute joint");
    mimics_.push_back({mimic, where, other});
    joint.mimics = other;
  }

  void read_transmission(const TiXmlElement& element) {
    robot_.has_transmissions = true;
    const std::vector<std::string> names = names_of(robot_.joints);
    for (const TiXmlElement* joint = element.FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint")) {
      const std::string name = UrdfSource::text(*joint, "name");
      if (name.empty()) {
        source_.note(*joint, "<joint> of a <transmission> has no name; left out");
      } else if (std::find(names.begin(), names.end(), name) == names.end()) {
        source_.note(*joint, fmt::format("the transmission of joint '{}', which does not exist, is left out{}", name,
                                         hint(name, names)));
      } else {
        robot_.transmitted.insert(name);
      }
    }
    read_gear(element);
  }

  /// A motor for one joint: gear ratio and rotor. Of motors that share joints they would not say enough.
  void read_gear(const TiXmlElement& transmission) {
    const TiXmlElement* joint = transmission.FirstChildElement("joint");
    const bool is_simple = joint != nullptr && joint->NextSiblingElement("joint") == nullptr;
    UrdfGear gear;
    read_gear_parts(transmission, is_simple, gear);
    const std::string name = is_simple ? UrdfSource::text(*joint, "name") : "";
    if (robot_.transmitted.contains(name)) robot_.gears[name] = gear;
  }

  void read_gear_parts(const TiXmlElement& element, bool is_simple, UrdfGear& gear) {
    for (const TiXmlElement* each = element.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      const std::string tag = each->Value();
      const bool is_ratio = tag == "mechanicalReduction";
      const bool is_rotor = tag.ends_with("rotor_inertia") || tag == "motorInertia" || tag == "rotorInertia";
      if (is_rotor && !is_simple)
        source_.leave_out(*each, fmt::format("<{}>, the inertia of a rotor, is left out", tag));
      else if (is_ratio || is_rotor)
        read_gear_part(*each, tag, is_ratio, gear);
      read_gear_parts(*each, is_simple, gear);
    }
  }

  void read_gear_part(const TiXmlElement& element, const std::string& tag, bool is_ratio, UrdfGear& gear) {
    const char* text = element.GetText();
    char* end = nullptr;
    const double value = text == nullptr ? 0.0 : std::strtod(text, &end);
    const bool is_good =
        text != nullptr && end != text && std::isfinite(value) && (is_ratio ? value != 0.0 : value >= 0.0);
    if (is_good)
      (is_ratio ? gear.ratio : gear.rotor) = value;
    else
      source_.complain(
          element, "transmission",
          fmt::format("<{}> must be a number{}", tag, is_ratio ? " other than zero" : " that is not negative"));
  }

  void check_names() {
    const auto check = [&](const std::vector<Reference>& references, const std::vector<std::string>& names,
                           const char* kind) {
      for (const Reference& each : references)
        if (std::find(names.begin(), names.end(), each.name) == names.end())
          source_.complain(*each.element, each.where,
                           fmt::format("there is no {} '{}'{}", kind, each.name, hint(each.name, names)));
    };
    check(mimics_, names_of(robot_.joints), "joint");
    const std::vector<std::string> links = names_of(robot_.links), joints = names_of(robot_.joints);
    check(robot_ends_, links, "link");
    for (const UrdfRatio& ratio : robot_.ratios)
      for (const std::string& link : {ratio.predecessor, ratio.successor})
        if (!link.empty() && std::find(links.begin(), links.end(), link) == links.end())
          complaints_.add(ratio.place, called("coupling", ratio.name),
                          fmt::format("there is no link '{}'{}", link, hint(link, links)));
    for (UrdfLoop& loop : robot_.loops) {
      for (const UrdfLoop::End& end : loop.ends)
        if (!end.link.empty() && std::find(links.begin(), links.end(), end.link) == links.end())
          complaints_.add(loop.place, called("loop", loop.name),
                          fmt::format("there is no link '{}'{}", end.link, hint(end.link, links)));
      if (std::find(joints.begin(), joints.end(), loop.name) == joints.end()) continue;
      loop.name += "-loop";
      source_.note(loop.place.line, fmt::format("the loop is called '{}': a joint has its name", loop.name));
    }
  }

  /// Limits become comments: a joint without them moves all the same.
  void note_missing_limits() {
    std::vector<std::string> without;
    int first = 0;
    for (const UrdfJoint& joint : robot_.joints) {
      const bool is_bounded = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
      if (!is_bounded || (joint.limits && joint.limits->effort && joint.limits->velocity)) continue;
      if (without.empty()) first = joint.place.line;
      without.push_back(fmt::format("'{}'", joint.name));
    }
    constexpr std::size_t most = 6;
    const std::size_t count = without.size();
    if (count == 0) return;
    if (count > most) {
      without.resize(most);
      without.push_back(fmt::format("{} more", count - most));
    }
    source_.note(first, fmt::format("{} without <limit>, or without effort and velocity in it: {}",
                                    count == 1 ? "a joint" : "joints", listed(without, "and")));
  }

  /// An element that names a link or joint.
  struct Reference {
    const TiXmlElement* element;
    std::string where, name;
  };
  UrdfSource source_;
  Complaints& complaints_;
  const std::string& file_;
  UrdfRobot robot_;
  std::vector<Reference> robot_ends_, mimics_;
};

}  // namespace

const std::vector<std::string>& urdf_joint_types() {
  static const std::vector<std::string> names{"revolute", "continuous", "prismatic", "fixed",
                                              "floating", "planar",     "spherical"};
  return names;
}

Mat3 rotation_of_rpy(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

std::optional<UrdfRobot> read_robot(const std::string& text, const std::string& file, Complaints& complaints) {
  const auto refuse = [&](int line, int column, const std::string& message) -> std::optional<UrdfRobot> {
    complaints.add({&file, line, column}, {}, message);
    return std::nullopt;
  };
  if (is_nested_too_deeply(text)) return refuse(0, 0, "the elements are nested too deeply for a URDF");
  if (text.find('\0') != std::string::npos) return refuse(0, 0, "this is not a text file: it has a zero byte");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return refuse(0, 0, "the file is empty; a URDF has one element <robot>");
  TiXmlDocument document;
  document.SetTabSize(1);
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error()) {
    const int fault = document.ErrorId();
    const char* what = fault == TiXmlBase::TIXML_ERROR_READING_END_TAG
                           ? "an element is not closed, or in the wrong order"
                       : fault == TiXmlBase::TIXML_ERROR_PARSING_ELEMENT
                           ? "an element cannot be read; an attribute may stand twice or lack its quotes"
                           : document.ErrorDesc();
    return refuse(document.ErrorRow(), document.ErrorCol(), fmt::format("this is not well-formed XML: {}", what));
  }
  const TiXmlElement* root = document.RootElement();
  if (root == nullptr) return refuse(1, 1, "a URDF has one element <robot>, but there is none");
  const bool is_mjcf = root->ValueStr() == "mujoco";
  if (!is_mjcf && root->ValueStr() != "robot")
    return refuse(root->Row(), root->Column(),
                  fmt::format("a URDF has one element <robot>, an MJCF <mujoco>, but this is <{}>", root->Value()));
  if (const TiXmlElement* second = root->NextSiblingElement())
    return refuse(second->Row(), second->Column(),
                  fmt::format("{} has one element <{}>, but here is <{}> after it", is_mjcf ? "an MJCF" : "a URDF",
                              root->Value(), second->Value()));
  if (is_mjcf) return read_mjcf(*root, file, complaints);
  UrdfReader reader(file, complaints);
  reader.read(*root);
  if (!complaints.empty()) return std::nullopt;
  return reader.take();
}

}  // namespace lithe::io
