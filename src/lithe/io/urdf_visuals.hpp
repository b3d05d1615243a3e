#pragma once
// <visual> of a URDF: shapes and meshes with colour and place.

#include <string>
#include <vector>

#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/yaml_tree.hpp"

class TiXmlElement;

namespace lithe::io {

class UrdfSource;

/// The visuals of a link. A picture is no reason to refuse a robot: what cannot be drawn is noted and left out.
std::vector<UrdfVisual> read_urdf_visuals(const TiXmlElement& link, const std::string& file, UrdfSource& source);

/// As a value of `visual:`; `carrier`: the link of the URDF in the one that carries it.
Node visual_node(const UrdfVisual& visual, const Pose& carrier);

}  // namespace lithe::io
