#pragma once
// Conditions of events in parts: they speak of quantities of results, which have other names and axes in the model that uses
// the part.

#include <functional>
#include <set>
#include <string>

#include "lithe/spatial/pose.hpp"

namespace lithe::io {

/// A quantity in a condition: "pos.ball.origin.x" has the head "pos", the name "ball" and the rest ".origin.x".
struct QuantityWord {
  std::string head, name, rest;

  std::string text() const { return head + "." + name + rest; }
};

/// The condition with every quantity replaced. `names`: of the links, joints and elements of the part, which may have hyphens.
std::string replace_quantities(const std::string& condition, const std::set<std::string>& names,
                               const std::function<std::string(const QuantityWord&)>& replacement);

/// Whether a quantity belongs to the whole mechanism: energies, momenta.
bool is_of_the_whole(const QuantityWord& quantity);

/// Whether a quantity is a component of a vector in ground axes.
bool is_in_ground_axes(const QuantityWord& quantity);

/// Such a component in the axes of a part that stands at `pose`, mirrored at the plane y = 0 of these axes or not, as an
/// expression of components in ground axes. Rotation vectors (`rot`) have none.
std::string seen_from_part(const QuantityWord& quantity, const Pose& pose, bool mirrored);

}  // namespace lithe::io
