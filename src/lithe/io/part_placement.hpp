#pragma once
// Where a part stands: its ground frames and start are moved there, and a mirrored part is turned into its mirror image.

#include "lithe/io/reader.hpp"

namespace lithe::io {

/// How a part stands in the model that uses it.
struct Placement {
  Pose pose;              ///< of the part's ground
  bool mirrored = false;  ///< every link, the ground too, is reflected at the plane y = 0 of its own axes before
};

/// A place as frames are written, with numbers.
Node pose_node(const Pose& pose, const Place& place);

/// Changes the sections of a part, whose names are still its own. False after complaints.
bool place_part(Node& part, const Placement& placement, Reader& reader);

}  // namespace lithe::io
