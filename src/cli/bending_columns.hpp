#pragma once
// Columns that follow from recorded ones: how far frames of elastic links move in the axes of their link.

#include <functional>

#include "lithe/io/read_results.hpp"

namespace lithe::cli {

/// Appends bending.LINK.FRAME.x|y|z (m) and bending-rate.LINK.FRAME.x|y|z (m/s) where wanted(name), for links
/// whose elastic coordinates were recorded. Throws ModelError when the model of the results cannot be read any more.
void add_bending(const std::function<bool(const std::string& name)>& wanted, Results& results);

}  // namespace lithe::cli
