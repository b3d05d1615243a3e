#pragma once
// A study file with its model, ready to be computed.

#include <memory>
#include <optional>

#include "lithe/io/load_study.hpp"
#include "lithe/io/study_results.hpp"
#include "lithe/io/variant_models.hpp"
#include "lithe/study/sweep.hpp"

namespace lithe::cli {

struct OpenedStudy {
  /// Reads study and model, and computes one variant, so that what the study asks for and the model does not have is
  /// found before the work. Throws ModelError with the place in the study file.
  enum class For { sweep, search };  ///< a search needs no sample, only the ends of the axes
  explicit OpenedStudy(const std::string& path, For what = For::sweep);

  StudyFile file;
  std::optional<Samples> samples;         ///< of a sweep
  std::unique_ptr<VariantModels> models;  ///< null: no output needs a model
  std::unique_ptr<StudyEvaluator> evaluator;

  const Study& study() const { return file.study; }
  /// Study and model: they are not replaced by results.
  std::vector<std::string> inputs() const;
  /// Of everything that results depend on.
  std::string fingerprint() const;
  StudyRecord record() const;
};

/// Before the work: what is to be written after it can be written. Throws InputError or ResultsError.
void require_outputs(const std::string& hdf5, const std::string& csv, const std::vector<std::string>& inputs);

/// "3 min 20 s".
std::string duration_text(double seconds);

}  // namespace lithe::cli
