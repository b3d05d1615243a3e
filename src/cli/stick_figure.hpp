#pragma once
// A moving drawing of a mechanism from the recorded poses of its frames: an SVG that animates itself.

#include <string>

#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// All frames of all links (ground excluded), to be recorded for a drawing.
std::vector<FrameRef> frames_to_draw(const Mechanism& mechanism);

/// `record` must hold pos.LINK.FRAME.x|y|z and rot of frames_to_draw(); with the amplitudes of elastic links these are
/// drawn bent, enlarged where that would not be seen; `traced` frames leave a trail. Planar mechanisms (`normal` of their plane) are
/// seen from the front, others (zero) from a raised corner. Rigid links are their solids, else bars and plates between joints.
std::string stick_figure(const Mechanism& mechanism, const Vec3& normal, const MemoryRecord& record,
                         const std::vector<FrameRef>& traced);

}  // namespace lithe::cli
