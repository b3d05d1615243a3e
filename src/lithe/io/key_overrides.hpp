#pragma once
// --set with the path of a key: links.crank.stiffening=off, links.*.damping.ratio=0, run.until=2.

#include <map>
#include <string>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// Moves the entries of `overrides` that name values by path into the answer; what remains are parameters. A path has
/// dots, or is the name of a scalar key of the file that is no parameter.
std::map<std::string, std::string> take_key_overrides(const Node& tree, std::map<std::string, std::string>& overrides);

/// What is replaced when: values of parameters and of parts before repetitions and parts are written out, everything else
/// after it.
enum class OverrideStage : unsigned char { before_expansion, after_expansion };

/// Replaces scalars of the tree; `*` in a path stands for every entry. Only values that stand in the tree are replaced: a
/// path that leads nowhere is a complaint.
void replace_keys(Node& tree, const std::map<std::string, std::string>& replaced, OverrideStage stage,
                  Complaints& complaints);

/// Gives every drive with a motion of its own this shape (LoadOptions::shape).
void shape_all_drives(Node& tree, const std::string& shape);

}  // namespace lithe::io
