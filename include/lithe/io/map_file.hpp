#pragma once
// Maps on disk: HDF5 that can be read back and gone on with, CSV, JSON. docs/results.md describes the formats.

#include "lithe/io/read_results.hpp"
#include "lithe/simulation/workspace_map.hpp"

namespace lithe {

/// What a map was made from, as text: model and options but for the number of threads. Maps with the same request have the
/// same numbers.
std::string map_request(const Model& model, const MapOptions& options);

/// Writes the map, whole or not at all. Throws ResultsError.
void write_map(const std::string& path, const WorkspaceMap& map, const Model& model, const MapOptions& options);

struct StoredMap {
  WorkspaceMap map;
  std::string model_name, model_path, request;
};
bool is_map_file(const std::string& path);
/// Throws ResultsError.
StoredMap read_map(const std::string& path);

/// One line per point: axes, what became of it, columns; what is no number is left empty.
std::string map_csv(const WorkspaceMap& map);
std::string_view name_of(MapPoint point);

}  // namespace lithe
