#pragma once
// Reading study files.

#include <map>
#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"
#include "lithe/study/fastest_move.hpp"
#include "lithe/study/optimize.hpp"
#include "lithe/study/study.hpp"

namespace lithe {

/// A study and where its models come from.
struct StudyFile {
  std::string path, text;
  Study study;
  OptimizeOptions optimize;
  std::optional<MoveProblem> move;         ///< in place of axes and objectives
  std::string model;                       ///< path of the model file; empty: no output needs one
  std::map<std::string, std::string> set;  ///< values that all variants share
  /// Where values, axes, outputs, coordinates of the map, the map (study_map_place) and `sample` stand.
  std::map<std::string, Diagnostic> places;

  /// Names of the axes, in their order.
  std::vector<std::string> axis_names() const;
};

/// Throws ModelError.
StudyFile load_study(const std::string& path);
StudyFile load_study_text(const std::string& text, const std::string& path);

/// A fault that shows only with the model, as a complaint about the place where the axis, the output or `sample` stands.
ModelError study_complaint(const StudyFile& file, const std::string& element, const std::string& message);

/// Whether the file is a study: its first level has a key `study`. False for a file that cannot be read.
bool is_study_file(const std::string& path);

/// JSON Schema of the study file.
std::string study_schema();

}  // namespace lithe
