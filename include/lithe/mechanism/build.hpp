#pragma once
// Building a mechanism in code, with frames written as in model files.

#include <string>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

/// The frame called "LINK/FRAME", or "LINK" for its origin. Throws MechanismError.
FrameRef frame_named(const Mechanism& mechanism, const std::string& text);

/// Adds a joint between two named frames; `axis` in axes of the from-frame, any length but zero. The joint is returned
/// for further settings, e.g. connect(...).actuated = {true}; the reference holds until the next joint is added.
Joint& connect(Mechanism& mechanism, JointType type, const std::string& name, const std::string& from,
               const std::string& to, const Vec3& axis = Vec3::UnitZ());

/// Adds a load along the axis of a link, from root to tip or over a part of it (m from the root). The load is returned
/// for further settings; the reference holds until the next one is added. Throws MechanismError when there is no such
/// link.
LineLoad& load_along(Mechanism& mechanism, const std::string& name, const std::string& link);
LineLoad& load_along(Mechanism& mechanism, const std::string& name, const std::string& link, double from, double to);

}  // namespace lithe
