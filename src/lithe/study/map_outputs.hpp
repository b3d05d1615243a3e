#pragma once
// Numbers of a variant that are taken from a map of it.

#include <atomic>

#include "lithe/study/study.hpp"

namespace lithe::detail {

/// One number from a map: the largest, least or mean value of a column over the points that have one (equal parts of
/// the grid count alike), or the part of all points of the grid where it is within bounds; or the part that is reached.
/// Throws OutputError when the map has no such column.
double reduce_map(const Output& output, const WorkspaceMap& map);

/// Makes the map of the study with what its outputs ask for. Points that are reached without rest have no numbers: then
/// the variant has an error beside its outputs. Throws OutputError for a map that the model cannot have.
void add_map(const Study& study, const Model& model, const std::atomic<bool>* stop, Variant& variant);

}  // namespace lithe::detail
