#pragma once
// An elastic link by its momentum, straight from its LinkData: flexible twist (angular, linear, elastic rates; link
// axes, at the link origin) -> momentum -> forces. Shares nothing with the recursions of elastic_body.hpp; allocates.

#include "lithe/links/link_data.hpp"

namespace lithe::detail {

/// Inertia matrix of the flexible twist at elastic coordinates eta (Fattah (3.19) with the terms that his table lacks).
MatrixX flexible_inertia(const LinkData& link, const VectorX& eta);

/// Motion of the link frame in link axes; the acceleration carries minus gravity.
struct LinkMotion {
  Vec3 omega = Vec3::Zero(), alpha = Vec3::Zero(), acceleration = Vec3::Zero();
};

/// Moment, force (link axes, at the link origin) and elastic forces that the motion needs with elastic rates `rate` and
/// no elastic accelerations: inertia, weight, stiffness and damping. `reach`: amplitudes of the size at which the link
/// looks bent, one per coordinate.
VectorX flexible_force(const LinkData& link, const LinkMotion& motion, const VectorX& eta, const VectorX& rate,
                       const VectorX& reach);

}  // namespace lithe::detail
