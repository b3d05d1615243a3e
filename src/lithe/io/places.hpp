#pragma once
// Places and inertias as they are written on links of every kind.

#include <optional>

#include "lithe/io/reader.hpp"

namespace lithe::io {

/// `rotate` or `quaternion` of a frame; the identity without them.
Mat3 read_rotation(const Object& frame, Reader& reader);

/// A frame that is fixed in link axes: a point, or a map of the section "frame-pose".
std::optional<Pose> read_pose(const Item& item, Reader& reader);

/// From 3, 6 or 3 x 3 numbers (kg m^2).
std::optional<Mat3> read_inertia(const Item& item, Reader& reader);

}  // namespace lithe::io
