#include "lithe/io/stored_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/io/json_text.hpp"
#include "lithe/io/link_tree.hpp"
#include "lithe/io/report_meshes.hpp"
#include "lithe/io/stored_elements.hpp"

namespace lithe::detail {
namespace {

using nlohmann::json;

constexpr const char* where = "the stored mechanism";

json place_tree(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
json place_tree(FrameRef frame) { return {frame.link, frame.frame}; }

json joint_tree(const Joint& joint) {
  return {{"name", joint.name},         {"type", name_of(joint.type)},    {"from", place_tree(joint.from)},
          {"to", place_tree(joint.to)}, {"axis", place_tree(joint.axis)}, {"axis2", place_tree(joint.axis2)},
          {"cut", joint.cut},           {"actuated", joint.actuated},     {"stiffness", joint.stiffness},
          {"rest", joint.rest},         {"damping", joint.damping},       {"armature", joint.armature}};
}

json coupling_tree(const Coupling& coupling) {
  json terms = json::array();
  for (const Coupling::Term& term : coupling.terms)
    terms.push_back({term.coordinate.joint, term.coordinate.coordinate, term.factor});
  return {{"name", coupling.name}, {"terms", std::move(terms)}, {"offset", coupling.offset}};
}

Vec3 vector_of(const json& tree) {
  return {tree.at(0).get<double>(), tree.at(1).get<double>(), tree.at(2).get<double>()};
}

/// Only frames that are there.
FrameRef frame_of(const json& tree, const Mechanism& mechanism) {
  const FrameRef frame{tree.at(0).get<int>(), tree.at(1).get<int>()};
  const auto link = static_cast<std::size_t>(frame.link), index = static_cast<std::size_t>(frame.frame);
  if (frame.link < 0 || link >= mechanism.links.size() || frame.frame < 0 ||
      index >= mechanism.links[link].frames.size())
    throw std::runtime_error(fmt::format("{} names a frame that is not there", where));
  return frame;
}

Joint joint_of(const json& tree, const Mechanism& mechanism) {
  Joint joint;
  joint.name = tree.at("name").get<std::string>();
  const auto type = tree.at("type").get<std::string>();
  const auto known = std::find_if(joint_table.begin(), joint_table.end(), [&](auto& row) { return row.name == type; });
  if (known == joint_table.end())
    throw std::runtime_error(fmt::format("{} has a joint of the unknown type '{}'", where, type));
  joint.type = known->type;
  joint.from = frame_of(tree.at("from"), mechanism);
  joint.to = frame_of(tree.at("to"), mechanism);
  joint.axis = vector_of(tree.at("axis"));
  joint.axis2 = vector_of(tree.at("axis2"));
  joint.cut = tree.at("cut").get<bool>();
  joint.actuated = tree.at("actuated").get<std::vector<bool>>();
  joint.stiffness = tree.at("stiffness").get<std::vector<double>>();
  joint.rest = tree.at("rest").get<std::vector<double>>();
  joint.damping = tree.at("damping").get<std::vector<double>>();
  joint.armature = tree.value("armature", std::vector<double>{});
  return joint;
}

/// Only joints that are there.
Coupling coupling_of(const json& tree, const Mechanism& mechanism) {
  Coupling coupling{tree.at("name").get<std::string>(), {}, tree.at("offset").get<double>()};
  for (const json& term : tree.at("terms")) {
    const CoordinateRef coordinate{term.at(0).get<int>(), term.at(1).get<int>()};
    if (coordinate.joint < 0 || coordinate.joint >= static_cast<int>(mechanism.joints.size()))
      throw std::runtime_error(fmt::format("{} names a joint that is not there", where));
    coupling.terms.push_back({coordinate, term.at(2).get<double>()});
  }
  return coupling;
}

}  // namespace

std::string stored_mechanism(const Model& model) {
  const Mechanism& mechanism = model.mechanism;
  json links = json::array(), joints = json::array(), couplings = json::array(), springs = json::array(),
       driven = json::array(), recorded = json::array();
  for (const LinkData& link : mechanism.links) links.push_back(link_tree(link));
  for (const Joint& joint : mechanism.joints) joints.push_back(joint_tree(joint));
  for (const Coupling& coupling : mechanism.couplings) couplings.push_back(coupling_tree(coupling));
  for (const PointSpring& spring : mechanism.springs)
    springs.push_back({{"name", spring.name},
                       {"a", place_tree(spring.a)},
                       {"b", place_tree(spring.b)},
                       {"stiffness", spring.stiffness},
                       {"damping", spring.damping},
                       {"rest", spring.rest}});
  for (const Drive& drive : model.drives) driven.push_back({{"joint", drive.joint}, {"coordinate", drive.coordinate}});
  for (const FrameRef& frame : model.record.frames) recorded.push_back(place_tree(frame));
  json tree{{"name", model.name},
            {"gravity", place_tree(mechanism.gravity)},
            {"coordinates", static_cast<int>(model.plan.coordinates)},
            {"platform", model.plan.platform},
            {"planar_if_possible", model.plan.planar_if_possible},
            {"links", std::move(links)},
            {"joints", std::move(joints)},
            {"couplings", std::move(couplings)},
            {"springs", std::move(springs)},
            {"elements", element_trees(mechanism)},
            {"driven", std::move(driven)},
            {"recorded", std::move(recorded)}};
  if (!model.visuals.empty()) tree["visuals"] = json(visuals_tree(model));
  return json_text(tree);
}

Model model_of_stored(const std::string& text) {
  try {
    const json tree = json_of(text);
    Model model;
    Mechanism& mechanism = model.mechanism;
    model.name = mechanism.name = tree.at("name").get<std::string>();
    mechanism.gravity = vector_of(tree.at("gravity"));
    const int coordinates = tree.at("coordinates").get<int>();
    if (coordinates < 0 || coordinates > static_cast<int>(Coordinates::cartesian))
      throw std::runtime_error(fmt::format("{} has coordinates of the unknown kind {}", where, coordinates));
    model.plan.coordinates = static_cast<Coordinates>(coordinates);
    model.plan.platform = tree.at("platform").get<std::string>();
    model.plan.planar_if_possible = tree.at("planar_if_possible").get<bool>();
    mechanism.links.clear();
    for (const json& link : tree.at("links")) mechanism.links.push_back(link_of_tree(link, where));
    for (const json& joint : tree.at("joints")) mechanism.joints.push_back(joint_of(joint, mechanism));
    // Results of earlier versions have none.
    for (const json& coupling : tree.value("couplings", json::array()))
      mechanism.couplings.push_back(coupling_of(coupling, mechanism));
    for (const json& spring : tree.at("springs"))
      mechanism.springs.push_back({spring.at("name").get<std::string>(), frame_of(spring.at("a"), mechanism),
                                   frame_of(spring.at("b"), mechanism), spring.at("stiffness").get<double>(),
                                   spring.at("damping").get<double>(), spring.at("rest").get<double>()});
    add_stored_elements(tree.at("elements"), mechanism);
    for (const json& drive : tree.at("driven")) {
      Drive driven;
      driven.joint = drive.at("joint").get<std::string>();
      driven.coordinate = drive.at("coordinate").get<int>();
      model.drives.push_back(std::move(driven));
    }
    for (const json& frame : tree.at("recorded")) model.record.frames.push_back(frame_of(frame, mechanism));
    if (tree.contains("visuals")) model.visuals = visuals_of_tree(tree.at("visuals"));
    return model;
  } catch (const json::exception& error) {
    throw std::runtime_error(fmt::format("{} cannot be read: {}", where, error.what()));
  }
}

}  // namespace lithe::detail
