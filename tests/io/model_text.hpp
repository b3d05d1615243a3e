#pragma once
// Small models as text, for the tests of the loader.

#include <map>
#include <numbers>
#include <string>

#include "lithe/io/load_model.hpp"

namespace lithe {

inline constexpr double pi = std::numbers::pi;

inline Model load(const std::string& text, const std::map<std::string, std::string>& overrides = {}) {
  return load_model_text("lithe: 1\n" + text, "model.yaml", overrides);
}

/// A link called `body` with the given keys, on a joint to the ground. An elastic one without `modes` keeps its lowest
/// modes: what the mechanism would choose is the subject of automatic_modes_test.cpp.
inline Model one_link(const std::string& body, const std::string& rest = {}) {
  const bool chooses = (body.find("beam:") != std::string::npos || body.find("bezier:") != std::string::npos ||
                        body.find("truss:") != std::string::npos) &&
                       body.find("modes:") == std::string::npos;
  return load("links:\n  body: {" + body + (chooses ? ", modes: {auto: false}" : "") +
              "}\njoints:\n  j: {revolute: z, from: ground, to: body, actuated: true}\n" + rest);
}

inline std::string complaint(const std::string& text, const std::map<std::string, std::string>& overrides = {}) {
  try {
    load(text, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace lithe
