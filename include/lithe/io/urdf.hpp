#pragma once
// From URDF to a model file. URDF knows trees of rigid links only; a side file adds loops and elastic links.

#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"

namespace lithe {

/// A model file made from a URDF.
struct UrdfConversion {
  std::string text;                ///< the model file; comments say where things came from
  std::vector<std::string> notes;  ///< what could not be carried over or was assumed; also comments of the text
  int links = 0, joints = 0;       ///< of the model, without the ground
};

/// Converts the URDF file, together with a side file (docs/urdf.md; empty: none). `output` is where the text will
/// stand: names of files in it are made relative to that. The model has been checked as load_model does. Throws
/// ModelError with the places in the URDF and in the side file.
UrdfConversion convert_urdf(const std::string& urdf, const std::string& side_file = {}, const std::string& output = {});

/// JSON Schema of the side file.
std::string urdf_side_schema();

}  // namespace lithe
