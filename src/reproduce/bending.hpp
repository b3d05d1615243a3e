#pragma once
// Deflections of elastic links, by name: LINK.FRAME.AXIS, the displacement of a frame in the axes of its link (m).

#include <map>
#include <string>
#include <utility>

#include "lithe/simulation/driven_motion.hpp"

namespace lithe::reproduce {

/// A frame of an elastic link and one of its axes.
struct DeflectionPlace {
  int link = 0;
  Eigen::RowVectorXd shape;  ///< displacement per elastic coordinate
};

/// Reads LINK.FRAME.AXIS; throws CaseError for a link, frame or axis that is not there, or a rigid link.
DeflectionPlace deflection_place(const Mechanism& mechanism, const std::string& name);

/// Per link: the coordinates of least strain energy that give the wanted (deflection, rate). A name may start with `*.`
/// for all elastic links. Throws CaseError when the modes of a link cannot take such a shape.
std::map<int, Bending> bend_links(const Mechanism& mechanism,
                                  const std::map<std::string, std::pair<double, double>>& wanted);

}  // namespace lithe::reproduce
