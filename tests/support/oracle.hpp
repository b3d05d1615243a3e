#pragma once
// Reads a mechanism and its reference answers from tests/oracles/NAME.json (written by tests/oracles/generate.py).

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lithe/dynamics/actions.hpp"
#include "support/coordinates.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::testing {

using Json = nlohmann::json;

inline Json read_oracle(const std::string& name) {
  return recorded_json("tests/oracles/" + name + ".json");
}

inline VectorX to_vector(const Json& array) {
  const auto values = array.get<std::vector<double>>();
  return Eigen::Map<const VectorX>(values.data(), values.size());
}

inline Vec3 to_vec3(const Json& array) { return to_vector(array); }

inline Wrench to_wrench(const Json& array) { return {to_vector(array).head<3>(), to_vector(array).tail<3>()}; }

inline Mechanism mechanism_of(const Json& oracle) {
  const Json& source = oracle.at("mechanism");
  Mechanism m;
  m.name = source.at("name");
  m.gravity = to_vec3(source.at("gravity"));
  const auto add_frames = [&m](int link, const Json& frames) {
    for (const auto& [name, frame] : frames.items()) {
      m.add_frame(link, name,
                  {rotation_from_vector(to_vec3(frame.at("rotation_vector"))), to_vec3(frame.at("position"))});
    }
  };
  add_frames(0, source.at("ground"));
  for (const Json& item : source.at("links")) {
    LinkData link;
    link.name = item.at("name");
    link.mass = item.at("mass");
    link.centre = to_vec3(item.at("centre"));
    for (int i = 0; i < 3; ++i) link.inertia.row(i) = to_vec3(item.at("inertia").at(i));
    add_frames(m.add_link(link), item.at("frames"));
  }
  const auto find = [&m](const std::string& place) {
    const auto slash = place.find('/');
    return m.find_frame(place.substr(0, slash), slash == std::string::npos ? "origin" : place.substr(slash + 1));
  };
  for (const Json& item : source.at("joints")) {
    Joint joint;
    joint.name = item.at("name");
    for (const JointFacts& facts : joint_table)
      if (facts.name == item.at("type").get<std::string>()) joint.type = facts.type;
    joint.from = find(item.at("from"));
    joint.to = find(item.at("to"));
    joint.axis = to_vec3(item.at("axis"));
    if (item.contains("axis2")) joint.axis2 = to_vec3(item.at("axis2"));
    joint.actuated = item.value("actuated", std::vector<bool>{});
    joint.stiffness = item.value("stiffness", std::vector<double>{});
    joint.rest = item.value("rest", std::vector<double>{});
    joint.damping = item.value("damping", std::vector<double>{});
    m.add_joint(joint);
  }
  for (const Json& item : source.at("springs")) {
    m.springs.push_back({item.at("name"), find(item.at("a")), find(item.at("b")), item.at("stiffness"),
                         item.at("damping"), item.at("rest")});
  }
  for (const Json& item : source.at("loads")) {
    m.loads.push_back({item.at("name"), find(item.at("at")), item.value("in_frame_axes", false)});
  }
  return m;
}

/// Coordinates and speeds of the tree joints in a state of the oracle.
inline State state_of(const Plan& plan, const Json& state) {
  State s;
  s.q = plan.neutral();
  s.v = VectorX::Zero(plan.nv());
  for (const auto& [joint, value] : state.at("q").items()) set_coordinates(plan, joint, to_vector(value), s.q);
  for (const auto& [joint, value] : state.at("v").items()) set_speeds(plan, joint, to_vector(value), s.v);
  return s;
}

/// Values per joint as one vector along [tree speeds; cut speeds].
inline VectorX along_speeds(const Plan& plan, const Json& per_joint) {
  VectorX out = VectorX::Zero(plan.nv() + plan.cut_nv());
  for (const auto& [joint, value] : per_joint.items()) {
    const VectorX x = to_vector(value);
    out.segment(speed_of(plan, joint), x.size()) = x;
  }
  return out;
}

/// Motor forces and loads of a state of the oracle.
inline Actions actions_of(const Plan& plan, const Json& state) {
  Actions actions(plan);
  actions.tau = along_speeds(plan, state.at("tau"));
  for (std::size_t i = 0; i < actions.loads.size(); ++i) {
    actions.loads[i] = to_wrench(state.at("loads").at(plan.mechanism().loads[i].name));
  }
  return actions;
}

/// Speeds (indices into [tree speeds; cut speeds]) whose forces drive the inverse problem of the oracle.
inline std::vector<int> driven_speeds(const Plan& plan, const Json& oracle) {
  std::vector<int> out;
  for (const Json& item : oracle.at("driven")) out.push_back(speed_of(plan, item.at(0)) + item.at(1).get<int>());
  return out;
}

}  // namespace lithe::testing
