#pragma once
// From the name of a recorded quantity to the options with which a run records it.

#include <string>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"
#include "lithe/simulation/run.hpp"

namespace lithe::detail {

RecordOptions nothing_recorded();

/// Lets a run record the column `quantity` (docs/results.md), as far as the name tells how.
void record_quantity(const std::string& quantity, const Mechanism& mechanism, RecordOptions& record);

/// The name among `columns` that is meant: pos.LINK.x is that of the origin.
std::string full_name(const std::string& quantity, const std::vector<std::string>& columns);

/// Of all frames, for messages.
std::vector<std::string> quantities_of_frames(const Mechanism& mechanism);

}  // namespace lithe::detail
