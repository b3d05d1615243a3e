#pragma once
// --set with the path of a key: links.crank.stiffening=off, links.*.damping.ratio=0, run.until=2.

#include <map>
#include <string>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// Replaces scalars of the tree and moves their entries out of `overrides` into the answer; what remains are
/// parameters. A path has dots, or is the name of a scalar key of the file that is no parameter; `*` stands for every
/// entry. Only values that stand in the tree are replaced: a path that leads nowhere is a complaint.
std::map<std::string, std::string> replace_keys(Node& tree, std::map<std::string, std::string>& overrides,
                                                Complaints& complaints);

}  // namespace lithe::io
