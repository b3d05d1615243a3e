#pragma once
// Columns that follow from recorded ones, by the names that the report page has for them.

#include <functional>

#include "lithe/io/read_results.hpp"

namespace lithe::cli {

/// Whether a pattern of names asks for such columns.
bool asks_for_derived(const std::string& pattern);

/// Appends where wanted(name): bending.LINK.FRAME.x|y|z (m) and bending-rate.LINK.FRAME.x|y|z (m/s), how far a frame of an elastic link moves in
/// its link; deflection-at.LINK.FRAME (m), error.JOINT (rad or m) and power.JOINT (W), see derived_columns(). Throws ModelError when the
/// model of the results cannot be read any more.
void add_derived(const std::function<bool(const std::string& name)>& wanted, Results& results);

}  // namespace lithe::cli
