// Bodies, joints, loops and motors of an MJCF, the model file of MuJoCo, as the robot that a URDF would describe.
//
// A body of an MJCF has its own frame and any number of joints, each with an anchor of its own. A link of the robot stands at the
// anchor of its joint; a body with several joints becomes a chain of links, all but the last without mass.

#include "lithe/io/mjcf_read.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>

#include "lithe/io/mjcf_shapes.hpp"
#include "lithe/io/reader.hpp"

namespace lithe::io {
namespace {

UrdfOrigin origin_of(const Pose& pose) {
  UrdfOrigin origin;
  origin.position = pose.position;
  origin.rotation = pose.rotation;
  if (!pose.rotation.isIdentity(0.0)) origin.rpy.reset();
  return origin;
}

Pose moved(const Vec3& by) { return {Mat3::Identity(), by}; }

class MjcfReader {
 public:
  MjcfReader(const std::string& file, Complaints& complaints)
      : source_(file, complaints, "MJCF"), values_(source_), file_(file) {}

  void read(const TiXmlElement& mujoco) {
    robot_.format = "MJCF";
    robot_.place = source_.place(mujoco);
    robot_.name = UrdfSource::text(mujoco, "model");
    if (robot_.name.empty()) robot_.name = std::filesystem::path(file_).stem().string();
    robot_.has_transmissions = true;  // what has no actuator has no motor
    values_.read_head(mujoco);
    read_world(mujoco);
    for (const TiXmlElement* each = mujoco.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
      read_section(*each);
    robot_.notes = source_.notes();
  }

  UrdfRobot take() { return std::move(robot_); }

 private:
  /// Where a body is: its link, the origin of the link in body axes, the body in the world when all joints are zero.
  struct Body {
    std::string link;
    Vec3 anchor = Vec3::Zero();
    Pose world;
  };

  void read_world(const TiXmlElement& mujoco) {
    UrdfLink ground;
    ground.name = robot_.root = "world";
    ground.place = robot_.place;
    robot_.links.push_back(ground);
    bodies_["world"] = {"world", Vec3::Zero(), Pose{}};
    const TiXmlElement* world = source_.only(mujoco, "worldbody");
    if (world == nullptr) return source_.complain(mujoco, "mujoco", "there is no <worldbody>, which holds the bodies");
    read_children(*world, bodies_["world"], Pose{}, {});
    if (robot_.links.size() == 1) source_.complain(*world, "worldbody", "there are no bodies in it");
  }

  /// Bodies and sites of an element; a <frame> only moves what is in it.
  void read_children(const TiXmlElement& owner, const Body& parent, const Pose& frame, const std::string& childclass) {
    for (const TiXmlElement* each = owner.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      const std::string tag = each->Value();
      if (tag == "body") {
        read_body(*each, parent, frame, childclass);
      } else if (tag == "site") {
        read_site(*each, parent, frame, childclass);
      } else if (tag == "frame") {
        const std::string own = UrdfSource::text(*each, "childclass");
        const std::string& inner = own.empty() ? childclass : own;
        read_children(*each, parent, frame * values_.pose(*each, childclass, "frame"), inner);
      } else if (tag == "replicate" || tag == "composite" || tag == "flexcomp" || tag == "attach" || tag == "include") {
        source_.complain(
            *each, tag,
            fmt::format("<{}> is not written out; let MuJoCo do it first: compile model.xml whole.xml", tag));
      }
    }
  }

  std::string name_of(const TiXmlElement& element, const std::string& otherwise) {
    const std::string name = UrdfSource::text(element, "name");
    return name.empty() ? otherwise : name;
  }

  void read_site(const TiXmlElement& site, const Body& parent, const Pose& frame, const std::string& childclass) {
    const std::string name = UrdfSource::text(site, "name");
    if (name.empty()) return;
    const Pose pose = frame * values_.pose(site, childclass, fmt::format("site '{}'", name));
    sites_[name] = {parent.link, moved(-parent.anchor) * pose, parent.world * pose};
  }

  void read_body(const TiXmlElement& element, const Body& parent, const Pose& frame, const std::string& around) {
    const std::string name = name_of(element, fmt::format("body-{}", bodies_.size()));
    const std::string where = fmt::format("body '{}'", name);
    if (bodies_.contains(name)) return source_.complain(element, where, "another body has this name");
    const std::string own = UrdfSource::text(element, "childclass");
    const std::string childclass = own.empty() ? around : own;
    const Pose pose = frame * values_.pose(element, around, where);
    Body body{name, Vec3::Zero(), parent.world * pose};

    std::vector<const TiXmlElement*> joints;
    for (const TiXmlElement* each = element.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
      if (each->ValueStr() == "joint" || each->ValueStr() == "freejoint") joints.push_back(each);
    // Each joint carries a link that stands at its anchor; the body is the last of them.
    std::string carrier = parent.link;
    Pose to_next = moved(-parent.anchor) * pose;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      UrdfJoint joint = read_joint(*joints[k], name, childclass);
      const Vec3 anchor = anchor_of(*joints[k], childclass);
      joint.parent = carrier;
      joint.child = k + 1 == joints.size() ? name : fmt::format("{}-{}", name, joint.name);
      joint.origin = origin_of(to_next * moved(anchor));
      if (k + 1 < joints.size()) add_link(joint.child, *joints[k], {});
      carrier = joint.child;
      to_next = moved(-anchor);
      body.anchor = anchor;
      robot_.joints.push_back(std::move(joint));
    }
    if (joints.empty()) {
      UrdfJoint weld;
      weld.name = name + "-weld";
      weld.place = source_.place(element);
      weld.parent = parent.link;
      weld.child = name;
      weld.origin = origin_of(to_next);
      robot_.joints.push_back(std::move(weld));
    }
    MjcfMass mass = read_mass(element, childclass, where);
    mass.centre -= body.anchor;
    add_link(name, element, mass);
    if (element.FirstChildElement("inertial") == nullptr && mass.mass == 0.0 && !joints.empty())
      source_.note(element, fmt::format("{} has no mass", where));
    bodies_[name] = body;
    read_children(element, body, Pose{}, childclass);
  }

  void add_link(const std::string& name, const TiXmlElement& element, const MjcfMass& mass) {
    UrdfLink link;
    link.name = name;
    link.place = link.inertial_place = source_.place(element);
    link.mass = mass.mass;
    link.centre = mass.centre;
    link.inertia = mass.inertia;
    link.has_inertial = true;
    robot_.links.push_back(std::move(link));
  }

  MjcfMass read_mass(const TiXmlElement& body, const std::string& childclass, const std::string& where) {
    const TiXmlElement* inertial = source_.only(body, "inertial");
    if (inertial != nullptr && !values_.takes_inertia_of_shapes()) return read_inertial(*inertial, where);
    MjcfMass sum;
    if (values_.needs_inertial()) {
      source_.complain(body, where, "needs an <inertial>: <compiler inertiafromgeom=\"false\"> takes none from shapes");
      return sum;
    }
    add_shapes(body, Pose{}, childclass, where, sum);
    return sum;
  }

  void add_shapes(const TiXmlElement& owner, const Pose& frame, const std::string& childclass, const std::string& where,
                  MjcfMass& sum) {
    for (const TiXmlElement* each = owner.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      if (each->ValueStr() == "frame")
        add_shapes(*each, frame * values_.pose(*each, childclass, where), childclass, where, sum);
      if (each->ValueStr() != "geom") continue;
      std::optional<MjcfMass> shape = mass_of_shape(*each, childclass, where, values_, source_);
      if (!shape) continue;
      shape->centre = frame.rotation * shape->centre + frame.position;
      shape->inertia = frame.rotation * shape->inertia * frame.rotation.transpose();
      sum = joined(sum, *shape);
    }
  }

  MjcfMass read_inertial(const TiXmlElement& inertial, const std::string& where) {
    MjcfMass mass;
    mass.mass = source_.needed_number(inertial, "mass", where);
    if (mass.mass < 0.0) source_.complain(inertial, where, "the mass is negative");
    const Pose pose = values_.pose(inertial, {}, where);
    mass.centre = pose.position;
    if (const auto full = source_.numbers(inertial, "fullinertia", 6, where)) {
      const std::vector<double>& f = *full;
      mass.inertia << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
    } else if (const auto diagonal = source_.vector(inertial, "diaginertia", where)) {
      mass.inertia = diagonal->asDiagonal();
    }
    mass.inertia = pose.rotation * mass.inertia * pose.rotation.transpose();
    return mass;
  }

  Vec3 anchor_of(const TiXmlElement& joint, const std::string& childclass) {
    const std::string type = values_.text(joint, "type", childclass);
    if (joint.ValueStr() == "freejoint" || type == "free") return Vec3::Zero();
    return values_.vector(joint, "pos", childclass, "joint").value_or(Vec3::Zero());
  }

  UrdfJoint read_joint(const TiXmlElement& element, const std::string& body, const std::string& childclass) {
    UrdfJoint joint;
    std::string otherwise = body + "-joint";
    for (int k = 2; has_joint(otherwise); ++k) otherwise = fmt::format("{}-joint-{}", body, k);
    joint.name = name_of(element, otherwise);
    joint.place = source_.place(element);
    const std::string where = fmt::format("joint '{}'", joint.name);
    if (has_joint(joint.name)) source_.complain(element, where, "another joint has this name");
    const std::string type = element.ValueStr() == "freejoint" ? "free" : values_.text(element, "type", childclass);
    using Type = UrdfJoint::Type;
    static const std::map<std::string, Type> types{{"", Type::revolute},
                                                   {"hinge", Type::revolute},
                                                   {"slide", Type::prismatic},
                                                   {"ball", Type::spherical},
                                                   {"free", Type::floating}};
    const auto found = types.find(type);
    if (found == types.end())
      source_.complain(element, where,
                       fmt::format("there is no joint type '{}'; known: hinge, slide, ball, free", type));
    else
      joint.type = found->second;
    if (element.ValueStr() == "freejoint") return joint;
    joint.axis = values_.vector(element, "axis", childclass, where).value_or(Vec3::UnitZ());
    if (joint.axis.stableNorm() < 1e-12) source_.complain(element, where, "the axis has no direction");
    read_joint_forces(element, childclass, where, joint);
    return joint;
  }

  bool has_joint(const std::string& name) const {
    return std::any_of(robot_.joints.begin(), robot_.joints.end(), [&](const UrdfJoint& j) { return j.name == name; });
  }

  void read_joint_forces(const TiXmlElement& element, const std::string& childclass, const std::string& where,
                         UrdfJoint& joint) {
    const bool turns = joint.type == UrdfJoint::Type::revolute;
    const auto value = [&](const char* name) { return values_.number(element, name, childclass, where).value_or(0.0); };
    joint.damping = value("damping");
    joint.friction = value("frictionloss");
    joint.stiffness = value("stiffness");
    for (const auto& [amount, name] :
         {std::pair{joint.damping, "damping"}, std::pair{joint.friction, "frictionloss"},
          std::pair{joint.stiffness, "stiffness"}, std::pair{value("armature"), "armature"}})
      if (amount < 0.0) source_.complain(element, where, fmt::format("{} is negative", name));
    // Coordinates count from the pose in which the file draws the robot; there they have the value `ref`.
    const double ref = value("ref");
    joint.rest = value("springref") - ref;
    if (turns) joint.rest = values_.angle(joint.rest);
    if (ref != 0.0)
      source_.note(element,
                   fmt::format("{}: coordinates count from the pose of the file, not from ref={}", where, ref));
    const double armature = value("armature");
    if (armature != 0.0 && joint.type == UrdfJoint::Type::spherical)
      source_.note(element, fmt::format("{}: armature of {} is left out; a ball has none", where, armature));
    else
      joint.armature = armature;
    const auto range = values_.numbers(element, "range", 2, childclass, where);
    if (!range || values_.text(element, "limited", childclass) == "false") return;
    joint.limits.emplace();
    joint.limits->lower = turns ? values_.angle((*range)[0]) : (*range)[0];
    joint.limits->upper = turns ? values_.angle((*range)[1]) : (*range)[1];
  }

  void read_section(const TiXmlElement& section) {
    const std::string tag = section.Value();
    if (tag == "option") {
      robot_.gravity = source_.vector(section, "gravity", "option").value_or(robot_.gravity);
    } else if (tag == "equality") {
      for (const TiXmlElement* each = section.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
        read_equality(*each);
    } else if (tag == "actuator") {
      for (const TiXmlElement* each = section.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
        read_actuator(*each);
    } else if (tag == "tendon") {
      for (const TiXmlElement* each = section.FirstChildElement(); each != nullptr; each = each->NextSiblingElement())
        couple(*each, fmt::format("tendon '{}'", name_of(*each, each->ValueStr())), "there are no tendons");
    } else if (tag == "include") {
      source_.complain(section, tag, "files are not put together; let MuJoCo do it first: compile model.xml whole.xml");
    } else if (tag == "deformable") {
      source_.complain(section, tag, "flexible bodies of MuJoCo are not read; make the link elastic in the side file");
    } else if (tag == "contact") {
      source_.leave_out(section, "<contact> is left out: there are no contacts");
    } else if (tag == "keyframe") {
      source_.leave_out(section, "<keyframe> is left out; give 'initial' in the side file");
    }
  }

  void couple(const TiXmlElement& element, const std::string& what, const std::string& why) {
    robot_.couplings.push_back({source_.place(element), what,
                                why + "; --ignore-couplings converts without it, and the robot moves differently"});
  }

  void read_actuator(const TiXmlElement& actuator) {
    const std::string kind = actuator.Value(), joint = UrdfSource::text(actuator, "joint");
    if (joint.empty())
      return source_.leave_out(actuator, fmt::format("a <{}> that acts on no joint is left out", kind));
    if (!has_joint(joint))
      return source_.complain(actuator, kind,
                              fmt::format("there is no joint '{}'{}", joint, hint(joint, names_of(robot_.joints))));
    robot_.transmitted.insert(joint);
    if (kind != "motor")
      source_.leave_out(actuator,
                        fmt::format("the servo of a <{}> is left out: its joint has a motor; give it a drive", kind));
  }

  /// An end of a closure: a place on a link, and in the world at zero joints.
  struct Place3 {
    std::string link;
    Pose in_link, in_world;
  };

  std::optional<Place3> body_end(const TiXmlElement& element, const char* attribute, const std::string& where) {
    std::string name = UrdfSource::text(element, attribute);
    if (name.empty() && std::string_view(attribute) == "body2") name = "world";
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) return Place3{found->second.link, moved(-found->second.anchor), found->second.world};
    std::vector<std::string> known;
    for (const auto& [body, value] : bodies_) known.push_back(body);
    source_.complain(element, where,
                     name.empty() ? fmt::format("needs {}=\"...\"", attribute)
                                  : fmt::format("there is no body '{}'{}", name, hint(name, known)));
    return std::nullopt;
  }

  std::optional<Place3> site_end(const TiXmlElement& element, const char* attribute, const std::string& where) {
    const std::string name = UrdfSource::text(element, attribute);
    const auto found = sites_.find(name);
    if (found != sites_.end()) return found->second;
    source_.complain(
        element, where,
        name.empty() ? fmt::format("needs {}=\"...\"", attribute) : fmt::format("there is no site '{}'", name));
    return std::nullopt;
  }

  void read_equality(const TiXmlElement& element) {
    const std::string kind = element.Value();
    const std::string name = name_of(element, fmt::format("{}-{}", kind, robot_.loops.size() + robot_.ties.size() + 1));
    const std::string where = fmt::format("{} '{}'", kind, name);
    if (values_.text(element, "active", {}) == "false")
      return source_.note(element, fmt::format("{} is not active and left out", where));
    if (kind == "joint") return read_joint_equality(element, name, where);
    if (kind != "connect" && kind != "weld")
      return couple(element, where, fmt::format("an equality of kind {} is not known", kind));
    const bool by_sites = UrdfSource::attribute(element, "site1") != nullptr;
    auto first = by_sites ? site_end(element, "site1", where) : body_end(element, "body1", where);
    auto second = by_sites ? site_end(element, "site2", where) : body_end(element, "body2", where);
    if (!first || !second) return;
    if (!by_sites && kind == "connect") {
      const auto anchor = source_.vector(element, "anchor", where);
      if (!anchor) return source_.complain(element, where, "needs anchor=\"x y z\", in the axes of body1");
      // The bodies touch there in the pose of the file.
      const Pose at_anchor = first->in_world * moved(*anchor);
      second->in_link = second->in_link * (second->in_world.inverse() * at_anchor);
      first->in_link = first->in_link * moved(*anchor);
    } else if (!by_sites) {
      first->in_link = first->in_link * weld_pose(element, *first, *second, where);
    }
    UrdfLoop loop;
    loop.name = name;
    while (has_joint(loop.name)) loop.name += "-loop";
    loop.place = source_.place(element);
    loop.type = kind == "connect" ? UrdfJoint::Type::spherical : UrdfJoint::Type::fixed;
    loop.ends[0] = {first->link, origin_of(first->in_link)};
    loop.ends[1] = {second->link, origin_of(second->in_link)};
    robot_.loops.push_back(std::move(loop));
  }

  /// joint1 as a polynomial of joint2. Both count from the pose of the file, as coordinates here do.
  void read_joint_equality(const TiXmlElement& element, const std::string& name, const std::string& where) {
    UrdfTie tie;
    tie.name = name;
    tie.place = source_.place(element);
    tie.joint = UrdfSource::text(element, "joint1");
    tie.of = UrdfSource::text(element, "joint2");
    if (tie.joint.empty()) return source_.complain(element, where, "needs joint1=\"...\"");
    for (const std::string& joint : {tie.joint, tie.of})
      if (!joint.empty() && !has_joint(joint))
        return source_.complain(element, where,
                                fmt::format("there is no joint '{}'{}", joint, hint(joint, names_of(robot_.joints))));
    std::vector<double> polynomial{0.0, 1.0, 0.0, 0.0, 0.0};
    if (UrdfSource::attribute(element, "polycoef") != nullptr) {
      const auto given = source_.numbers(element, "polycoef", 5, where);
      if (!given) return;
      polynomial = *given;
    }
    const bool bends = std::any_of(polynomial.begin() + 2, polynomial.end(), [](double c) { return c != 0.0; });
    if (bends && !tie.of.empty())
      return couple(element, where, "polycoef has more than a factor and an offset, and couplings are linear");
    tie.offset = polynomial[0];
    tie.factor = polynomial[1];
    while (std::any_of(robot_.ties.begin(), robot_.ties.end(), [&](const UrdfTie& t) { return t.name == tie.name; }))
      tie.name += "-again";
    robot_.ties.push_back(std::move(tie));
  }

  /// Body 2 in body 1: as `relpose` says, or as the file draws them.
  Pose weld_pose(const TiXmlElement& element, const Place3& first, const Place3& second, const std::string& where) {
    const auto given = source_.numbers(element, "relpose", 7, where);
    if (given) {
      const Quat turn((*given)[3], (*given)[4], (*given)[5], (*given)[6]);
      if (turn.norm() > 1e-12)
        return {turn.normalized().toRotationMatrix(), Vec3((*given)[0], (*given)[1], (*given)[2])};
    }
    return first.in_world.inverse() * second.in_world;
  }

  UrdfSource source_;
  MjcfValues values_;
  const std::string& file_;
  UrdfRobot robot_;
  std::map<std::string, Body> bodies_;
  std::map<std::string, Place3> sites_;
};

}  // namespace

std::optional<UrdfRobot> read_mjcf(const TiXmlElement& mujoco, const std::string& file, Complaints& complaints) {
  MjcfReader reader(file, complaints);
  reader.read(mujoco);
  if (!complaints.empty()) return std::nullopt;
  return reader.take();
}

}  // namespace lithe::io
