#pragma once
// From URDF to a model file. URDF knows trees of rigid links only; a side file adds loops and elastic links.

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"

namespace lithe {

/// What to do with an inertia that no body can have (a principal moment above the sum of the other two). One that is
/// within the rounding of its printed digits is always repaired.
enum class ImpossibleInertia : unsigned char {
  refuse,  ///< an error with the numbers
  repair,  ///< the nearest inertia of a body (negative second moments of mass become zero)
  accept   ///< as it stands
};

struct UrdfOptions {
  std::optional<ImpossibleInertia> inertia;  ///< nothing: as the side file says, else refuse
  /// Couplings, force elements and constraints that a model file cannot say are left out with a note, and joints that
  /// mimic others move by themselves unless the side file says otherwise. Without it they are errors.
  bool ignore_couplings = false;
  bool stops = false;  ///< limits of joints become hard stops; without it they are comments
};

/// A model file made from a URDF.
struct UrdfConversion {
  std::string text;                ///< the model file; comments say where things came from
  std::vector<std::string> notes;  ///< what could not be carried over or was assumed; also comments of the text
  int links = 0, joints = 0;       ///< of the model, without the ground
};

/// Converts the URDF file, together with a side file (docs/urdf.md; empty: none). `output` is where the text will
/// stand: names of files in it are made relative to that. The model has been checked as load_model does. Throws
/// ModelError with the places in the URDF and in the side file.
UrdfConversion convert_urdf(const std::string& urdf, const std::string& side_file = {}, const std::string& output = {},
                            const UrdfOptions& options = {});

/// JSON Schema of the side file.
std::string urdf_side_schema();

}  // namespace lithe
