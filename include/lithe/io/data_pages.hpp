#pragma once
// The data of the interactive pages of maps and of studies. docs/report.md describes the formats.

#include <map>
#include <string>
#include <vector>

#include "lithe/io/map_file.hpp"
#include "lithe/io/report.hpp"
#include "lithe/io/study_results.hpp"

namespace lithe {

struct MapPageOptions {
  std::string title;                      ///< empty: the name of the model
  std::string file;                       ///< that the map was read from
  std::size_t values_budget = 2'200'000;  ///< bytes of values; a finer grid is thinned to fit
  std::size_t poses_budget = 1'600'000;   ///< bytes of poses and modes; they are given at fewer points to fit
  std::size_t most_poses = 4000;          ///< points with pose and modes
};

/// Values and lines of a map, and pose and natural modes at points evenly over the grid. Poses come from the coordinates in the
/// map, modes are computed anew from the model that the map carries. What cannot be drawn is a warning.
Report make_map_page(const StoredMap& map, const MapPageOptions& options = {});

struct StudyPageOptions {
  std::string title;                  ///< empty: the name of the study
  std::size_t budget = 4'000'000;     ///< bytes of values and results; variants are thinned to fit
  std::map<long, std::string> pages;  ///< of runs that were kept, by variant: addresses of their report pages
};

/// All variants of a study with their outputs, limits, failures and analysis, and how a variant is computed again.
Report make_study_page(const StoredStudy& study, const StudyPageOptions& options = {});

}  // namespace lithe
