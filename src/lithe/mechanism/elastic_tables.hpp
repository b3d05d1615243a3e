#pragma once
// Constants of elastic links in the axes of their nodes, in either arithmetic.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// The body of an elastic link seen in axes whose columns stand in `axes` (planar: x, y and the plane normal).
template <class S>
ElasticBody<S> elastic_body(const LinkData& link, const Mat3& axes);

/// The place of a frame of an elastic link, in the same axes.
template <class S>
Mount<S> elastic_mount(const LinkData& link, int frame, const Mat3& axes);

/// Do all elastic motions of the link stay in the plane with this normal (link axes)?
bool deforms_in_plane(const LinkData& link, const Vec3& normal);

}  // namespace lithe::detail
