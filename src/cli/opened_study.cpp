#include "opened_study.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/version.hpp"
#include "model_options.hpp"
#include "output_file.hpp"

namespace lithe::cli {
namespace {

/// A value that the model does not have is a fault of the study file, not of the model or the variant.
void blame_study(const StudyFile& file, const ModelError& error) {
  for (const Diagnostic& each : error.diagnostics())
    if (each.message.starts_with("the model has no") && file.places.contains(each.key))
      throw study_complaint(file, each.key, each.message);
}

}  // namespace

OpenedStudy::OpenedStudy(const std::string& path, For what) : file(load_study(path)) {
  if (file.move)
    throw study_complaint(file, "move", "a move has no variants of its own; 'lithe optimize' searches for it");
  std::vector<double> values;
  try {
    if (what == For::sweep) {
      samples.emplace(file.study.axes, file.study.sample);
      values = samples->at(0);
    } else {
      for (const StudyAxis& axis : file.study.axes) values.push_back(axis.spread.quantile(0.5));
    }
  } catch (const MechanismError& error) {
    const bool is_for_search = what == For::sweep && !file.study.objectives.empty() && !file.places.contains("sample");
    throw study_complaint(file, error.element(),
                          error.what() + std::string(is_for_search ? "; 'lithe optimize' needs no sample" : ""));
  }
  try {
    if (!file.model.empty()) models = std::make_unique<VariantModels>(file.model, file.set, file.axis_names());
  } catch (const ModelError& error) {
    blame_study(file, error);
    throw;
  }
  if (models) {
    try {
      models->at(values);
    } catch (const ModelError& error) {
      blame_study(file, error);
    } catch (const std::exception&) {
      // What this variant has against it stands in its row.
    }
  }
  try {
    evaluator = std::make_unique<StudyEvaluator>(
        file.study, [this](const std::vector<double>& point) { return models->at(point); });
    evaluator->first(values);
  } catch (const OutputError& error) {
    throw study_complaint(file, error.element(), error.what());
  }
}

std::vector<std::string> OpenedStudy::inputs() const {
  std::vector<std::string> files{file.path};
  if (models) files.insert(files.end(), models->base().files.begin(), models->base().files.end());
  return files;
}

std::string OpenedStudy::fingerprint() const {
  std::vector<std::string> texts{std::string(version()), file.text};
  if (models) {
    texts.push_back(models->base().flattened);
    for (const auto& [path, content] : models->base().attached) texts.insert(texts.end(), {path, content});
  }
  return fingerprint_of(texts);
}

StudyRecord OpenedStudy::record() const {
  StudyRecord record;
  record.name = study().name;
  record.path = file.path;
  record.text = file.text;
  record.method = name_of(study().sample.method);
  if (models) {
    record.model_path = models->base().path;
    record.model_text = models->base().flattened;
  }
  return record;
}

void require_outputs(const std::string& hdf5, const std::string& csv, const std::vector<std::string>& inputs) {
  require_results_name(hdf5);
  if (csv == "-") throw InputError("--csv -: the table of a study goes into a file; name one");
  require_study_files(hdf5, csv, inputs);
}

std::string duration_text(double seconds) {
  if (seconds < 1.0) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  const auto whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 48L * 3600) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{:.1f} days", seconds / 86400.0);
}

}  // namespace lithe::cli
