#pragma once
// The chains of tests/oracles/korayem.json as model files, and as chains of the printed recursion.

#include <fmt/format.h>

#include "lithe/io/load_model.hpp"
#include "reproduce/printed_recursion.hpp"
#include "support/oracle.hpp"

namespace lithe::testing {

inline const Json& korayem() {
  static const Json oracle = read_oracle("korayem");
  return oracle;
}

inline const Json& korayem_chain(const std::string& name) {
  for (const Json& chain : korayem().at("chains"))
    if (chain.at("name") == name) return chain;
  throw std::runtime_error("no chain " + name);
}

/// A slender link with polynomial shapes, in the format of model files. Twists have no inertia of their own; the reader
/// wants some, and gets what rounding swallows.
inline std::string korayem_link(const Json& link, double next_twist) {
  const double length = link.at("length"), mass = length * link.at("mu").get<double>();
  std::map<std::string, std::string> shapes;
  for (const Json& shape : link.at("shapes")) {
    std::string& list = shapes[shape.at(0).get<std::string>()];
    list += (list.empty() ? "" : ", ") + fmt::format("[{}]", fmt::join(shape.at(1).get<std::vector<double>>(), ", "));
  }
  const std::string end = fmt::format("rotate: {{axis: x, angle: {}}}", next_twist);
  if (shapes.empty())
    return fmt::format(
        "{{rigid: {{mass: {0}, centre: [{1}, 0, 0], inertia: [0, {2}, {2}]}}, frames: {{end: {{at: [{3}, 0, 0], "
        "{4}}}}}}}",
        mass, 0.5 * length, mass * length * length / 12, length, end);
  std::string ways;
  for (const auto& [kind, list] : shapes)
    ways += fmt::format(", {}: {{polynomials: [{}]}}", kind == "torsion" ? kind : "along-" + kind, list);
  if (shapes.contains("torsion")) ways += fmt::format(", GJ: {}, polar-inertia: 1e-30", link.at("GJ").get<double>());
  return fmt::format(
      "{{assumed-modes: {{length: {0}, EI_y: {1}, EI_z: {1}, mass-per-length: {2}{3}}}, modes: {{all: true}}, "
      "stiffening: off, frames: {{end: {{along: {0}, {4}}}}}}}",
      length, link.at("EI").get<double>(), link.at("mu").get<double>(), ways, end);
}

inline Model korayem_model(const Json& chain) {
  const Json& links = chain.at("links");
  const Vec3 gravity = -to_vec3(chain.at("up"));
  std::string text = fmt::format(
      "lithe: 1\nname: chain\ngravity: [{}, {}, {}]\nground: {{base: {{at: [0, 0, 0], "
      "rotate: {{axis: x, angle: {}}}}}}}\n",
      gravity.x(), gravity.y(), gravity.z(), links[0].at("twist").get<double>());
  std::string bodies = "links:\n", joints = "joints:\n";
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double next = i + 1 < links.size() ? links[i + 1].at("twist").get<double>() : 0.0;
    bodies += fmt::format("  link-{}: {}\n", i, korayem_link(links[i], next));
    joints += fmt::format("  joint-{0}: {{revolute: z, from: {1}, to: link-{0}, actuated: true}}\n", i,
                          i == 0 ? "ground/base" : fmt::format("link-{}/end", i - 1));
  }
  return load_model_text(text + bodies + joints, "chain.yaml");
}

inline reproduce::ChainState korayem_state(const Json& chain) {
  const Json& state = chain.at("state");
  return {to_vector(state.at("theta")), to_vector(state.at("rate")), to_vector(state.at("tau"))};
}

inline MatrixX to_matrix(const Json& rows) {
  MatrixX matrix(std::ssize(rows), std::ssize(rows));
  for (int i = 0; i < std::ssize(rows); ++i) matrix.row(i) = to_vector(rows[i]).transpose();
  return matrix;
}

/// I and Re of the equations I Theta'' = Re.
struct ChainEquations {
  MatrixX inertia;
  VectorX right;
};

inline ChainEquations expected_equations(const Json& chain, const std::string& variant) {
  const Json& answer = chain.at("answers").at(variant);
  return {to_matrix(answer.at("inertia")), to_vector(answer.at("right"))};
}

inline ChainEquations recursion_equations(const reproduce::BeamChain& chain, const reproduce::ChainState& state,
                                          const reproduce::RecursionOptions& options) {
  reproduce::PrintedRecursion<double> recursion(chain, options);
  recursion.evaluate(state);
  return {recursion.inertia, recursion.right};
}

/// Largest difference, relative to the largest entry.
inline double difference(const MatrixX& ours, const MatrixX& expected) {
  return (ours - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

}  // namespace lithe::testing
