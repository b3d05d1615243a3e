#pragma once
// The joints that a coupling of a model file names.

#include <vector>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// "wrist" or, for a coordinate, "wrist.1", where they stand in the tree.
std::vector<std::string*> tied_joints(Node& coupling);

}  // namespace lithe::io
