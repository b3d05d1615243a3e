// Studies: sweeps and searches over the values of a model, with outputs of the study or Python functions.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "bindings.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/recorded_results.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/study_results.hpp"
#include "lithe/io/variant_models.hpp"
#include "lithe/study/optimize.hpp"
#include "lithe/study/sweep.hpp"
#include "lithe/version.hpp"
#include "model_state.hpp"
#include "python_laws.hpp"

namespace lithe::python {
namespace {

/// An output that a Python function computes.
struct FunctionOutput {
  std::string name;
  std::shared_ptr<py::object> function;
  std::string of;  ///< what it is called with: "result", "model" or "values"
};

/// The evaluator of the study, and after it the functions. In the study they stand as outputs of another kind, so that
/// limits and objectives may name them.
class PythonEvaluator : public StudyEvaluator {
 public:
  PythonEvaluator(const Study& study, ModelOfValues model_of, std::vector<FunctionOutput> functions)
      : StudyEvaluator(study, keeping(std::move(model_of))), functions_(std::move(functions)) {
    for (const FunctionOutput& each : functions_) needs_result_ = needs_result_ || each.of == "result";
  }

  Variant evaluate(const std::vector<double>& values, RecordSink* record,
                   const std::atomic<bool>* stop) const override {
    if (functions_.empty()) return StudyEvaluator::evaluate(values, record, stop);
    const auto results = std::make_shared<Results>();
    ResultsRecord rows(*results);
    std::optional<Model> model;
    std::optional<Model>* const before = kept_model();
    kept_model() = &model;
    Variant variant = StudyEvaluator::evaluate(values, needs_result_ ? &rows : record, stop);
    kept_model() = before;
    if (stop != nullptr && stop->load()) return variant;
    const py::gil_scoped_acquire locked;
    for (const FunctionOutput& each : functions_) {
      double& output = variant.outputs[study().output_named(each.name)];
      output = std::numeric_limits<double>::quiet_NaN();
      if (variant.error.empty()) output = answer(each, values, results, model, variant);
    }
    return variant;
  }

  /// Not of functions, whose places in the study say nothing about them.
  std::vector<char> with_slopes() const override {
    std::vector<char> known = StudyEvaluator::with_slopes();
    for (const FunctionOutput& each : functions_) known[study().output_named(each.name)] = 0;
    return known;
  }

 private:
  /// The model that the variant under way on this thread has been given.
  static std::optional<Model>*& kept_model() {
    thread_local std::optional<Model>* place = nullptr;
    return place;
  }
  static ModelOfValues keeping(ModelOfValues model_of) {
    return [model_of = std::move(model_of)](const std::vector<double>& values) {
      Model model = model_of(values);
      if (kept_model() != nullptr) *kept_model() = model;
      return model;
    };
  }

  double answer(const FunctionOutput& output, const std::vector<double>& values,
                const std::shared_ptr<Results>& results, const std::optional<Model>& model, Variant& variant) const {
    try {
      py::object argument;
      if (output.of == "values") {
        py::dict named;
        for (std::size_t a = 0; a < values.size(); ++a) named[py::str(study().axes[a].name)] = values[a];
        argument = named;
      } else if (output.of == "model") {
        argument = py::cast(std::make_shared<Model>(model.value()));
      } else {
        argument = py::cast(results);
      }
      const py::object number = (*output.function)(argument);
      const double value = PyFloat_AsDouble(number.ptr());
      if (PyErr_Occurred() == nullptr) return value;
      PyErr_Clear();
      variant.error =
          "output '" + output.name + "' returned " + py::repr(number).cast<std::string>() + "; expected a number";
    } catch (py::error_already_set& error) {
      variant.error = "output '" + output.name + "': " + py::str(error.type().attr("__name__")).cast<std::string>() +
                      ": " + py::str(error.value()).cast<std::string>();
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::vector<FunctionOutput> functions_;
  bool needs_result_ = false;
};

/// A study with its models, from a file, from text, or with a model that Python holds.
class PythonStudy {
 public:
  PythonStudy(StudyFile read, const std::shared_ptr<Model>& model, const py::list& functions, bool search)
      : file(std::move(read)) {
    std::vector<FunctionOutput> coded;
    for (const py::handle entry : functions) {
      const auto [name, function, of] = entry.cast<std::tuple<std::string, py::object, std::string>>();
      coded.push_back({name, guarded(function), of});
      code_ += py::str(py::module_::import("lithe._studies").attr("code_of")(function)).cast<std::string>();
    }
    if (model != nullptr) changes_.emplace(*model);
    const py::gil_scoped_release unlocked;
    const std::vector<double> first = first_values(search);
    try {
      if (model != nullptr) {
        models_ = std::make_unique<VariantModels>(*model, file.axis_names(), !bends(*model));
      } else if (!file.model.empty()) {
        models_ = std::make_unique<VariantModels>(file.model, file.set, file.axis_names());
      }
      if (models_) models_->at(first);
    } catch (const ModelError& error) {
      blame_study(error);
      if (!models_) throw;  // what one variant has against it stands in its row
    } catch (const std::exception&) {
      if (!models_) throw;
    }
    try {
      evaluator = std::make_unique<PythonEvaluator>(
          file.study, [this](const std::vector<double>& values) { return model_at(values); }, std::move(coded));
      evaluator->first(first);
    } catch (const OutputError& error) {
      throw study_complaint(file, error.element(), error.what());
    }
  }

  StudyFile file;
  std::optional<Samples> samples;
  std::unique_ptr<PythonEvaluator> evaluator;

  std::vector<std::string> inputs() const {
    std::vector<std::string> files{file.path};
    if (models_) files.insert(files.end(), models_->base().files.begin(), models_->base().files.end());
    return files;
  }

  /// Of everything that results depend on; of a study file the same as that of the program.
  std::string fingerprint() const {
    std::vector<std::string> texts{std::string(version()), file.text};
    if (models_) {
      texts.push_back(models_->base().flattened);
      for (const auto& [path, content] : models_->base().attached) texts.insert(texts.end(), {path, content});
    }
    if (changes_ && !changes_->empty()) texts.push_back(changes_->text());
    if (!code_.empty()) texts.push_back(code_);
    return fingerprint_of(texts);
  }

  StudyRecord record(const std::string& method) const {
    StudyRecord record;
    record.name = file.study.name;
    record.path = file.path;
    record.text = file.text;
    record.method = method;
    record.outcome = "complete";
    if (models_) {
      record.model_path = models_->base().path;
      record.model_text = models_->base().flattened;
    }
    return record;
  }

 private:
  std::vector<double> first_values(bool search) {
    try {
      if (!search) {
        samples.emplace(file.study.axes, file.study.sample);
        require_sweep_memory(file.study, samples->size());
        return samples->at(0);
      }
      std::vector<double> middle;
      for (const StudyAxis& axis : file.study.axes) middle.push_back(axis.spread.quantile(0.5));
      return middle;
    } catch (const MechanismError& error) {
      throw study_complaint(file, error.element(), error.what());
    }
  }

  /// A value that the model does not have is a fault of the study, not of the model.
  void blame_study(const ModelError& error) const {
    for (const Diagnostic& each : error.diagnostics())
      if (each.message.starts_with("the model has no") && file.places.contains(each.key))
        throw study_complaint(file, each.key, each.message);
  }

  Model model_at(const std::vector<double>& values) const {
    Model model = models_->at(values);
    if (!changes_ || changes_->empty()) return model;
    const py::gil_scoped_acquire locked;
    changes_->apply(model, file.axis_names());
    return model;
  }

  std::unique_ptr<VariantModels> models_;
  std::optional<PythonChanges> changes_;
  std::string code_;
};

/// Runs `work` on a thread of its own; this one looks for Ctrl-C and calls `progress` with `part()` ten times a second.
/// Needs the lock of the interpreter. What was thrown here or there comes through, after `stop` has ended the work.
void watch(const std::function<void()>& work, const std::function<double()>& part, const py::object& progress,
           std::atomic<bool>& stop) {
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::exception_ptr failed, interrupted;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    over = true;
    ended.notify_all();
  });
  for (bool done = false; !done;) {
    {
      const py::gil_scoped_release unlocked;
      std::unique_lock lock(mutex);
      done = ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return over; });
    }
    if (interrupted) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(done && !failed ? 1.0 : part());
    } catch (...) {
      interrupted = std::current_exception();
      stop = true;
    }
  }
  {
    const py::gil_scoped_release unlocked;
    worker.join();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  if (failed) std::rethrow_exception(failed);
}

py::array_t<double> rows_of(const std::vector<double>& values, std::size_t columns) {
  const auto width = static_cast<py::ssize_t>(columns);
  const auto rows = width == 0 ? 0 : static_cast<py::ssize_t>(values.size()) / width;
  py::array_t<double> table({rows, width});
  std::copy(values.begin(), values.end(), table.mutable_data());
  return table;
}

py::dict table_as_dict(const StudyTable& table) {
  py::dict answer;
  answer["axes"] = table.axes;
  answer["outputs"] = table.outputs;
  answer["values"] = rows_of(table.values, table.axes.size());
  answer["results"] = rows_of(table.results, table.outputs.size());
  answer["errors"] = table.errors;
  return answer;
}

/// Where results and the journal of the work go, when they go anywhere.
struct StudyOutput {
  std::string hdf5, csv;
  bool resume = false;

  std::unique_ptr<StudyJournal> journal(const PythonStudy& study) const {
    require_study_files(hdf5, csv, study.inputs());
    if (hdf5.empty()) return nullptr;
    return std::make_unique<StudyJournal>(hdf5 + ".journal", study.fingerprint(), resume);
  }
  void write(const StudyRecord& record, const StudyTable& table, const std::vector<std::string>& inputs) const {
    if (!hdf5.empty()) write_study_hdf5(hdf5, record, table, inputs);
    if (!csv.empty()) write_study_csv(csv, table, inputs);
  }
};

StudyFile read_study(const std::string& text, const std::string& path) {
  const py::gil_scoped_release unlocked;
  StudyFile file = text.empty() ? load_study(path) : load_study_text(text, path);
  if (file.move)
    throw study_complaint(file, "move",
                          "moves are searched for by the program: lithe optimize STUDY; Python loads the "
                          "model file that it writes");
  return file;
}

py::dict sweep_study(const std::string& text, const std::string& path, const std::shared_ptr<Model>& model,
                     const py::list& functions, int threads, const py::object& progress, const std::string& hdf5,
                     const std::string& csv, bool resume) {
  PythonStudy study(read_study(text, path), model, functions, false);
  StudyTable table(study.file.study, *study.samples);
  const StudyOutput output{hdf5, csv, resume};
  const auto journal = output.journal(study);
  if (journal)
    for (const StudyJournal::Record& record : journal->records())
      if (record.number >= 0 && record.number < table.rows) table.put(record.number, record.variant);
  std::atomic<bool> stop = false;
  std::atomic<long> done = table.computed();
  SweepControl control;
  control.threads = threads;
  control.stop = &stop;
  control.finished = [&](long row, const Variant& variant) {
    if (journal) journal->add(row, variant);
    table.put(row, variant);
    ++done;
  };
  watch([&] { run_variants(*study.evaluator, *study.samples, table.missing(), control); },
        [&] { return static_cast<double>(done) / static_cast<double>(std::max(1L, table.rows)); }, progress, stop);
  {
    const py::gil_scoped_release unlocked;
    output.write(study.record(name_of(study.file.study.sample.method)), table, study.inputs());
  }
  if (journal) journal->remove();
  py::dict answer = table_as_dict(table);
  answer["name"] = study.file.study.name;
  return answer;
}

py::dict optimum_as_dict(const Study& study, const Optimum& found) {
  py::dict values, outputs;
  for (std::size_t a = 0; a < found.values.size(); ++a) values[py::str(study.axes[a].name)] = found.values[a];
  for (std::size_t i = 0; i < found.outputs.size(); ++i) outputs[py::str(study.outputs[i].name)] = found.outputs[i];
  py::dict answer;
  answer["values"] = values;
  answer["outputs"] = outputs;
  answer["feasible"] = found.feasible;
  answer["ending"] = found.ending;
  answer["evaluations"] = found.evaluations;
  return answer;
}

py::list optima_as_list(const Study& study, const std::vector<Optimum>& optima) {
  py::list answer;
  for (const Optimum& each : optima) answer.append(optimum_as_dict(study, each));
  return answer;
}

/// Every variant that was computed, in the order of searches and steps.
class SearchHistory {
 public:
  explicit SearchHistory(const Study& study) {
    for (const StudyAxis& axis : study.axes) table_.axes.push_back(axis.name);
    for (const Output& output : study.outputs) table_.outputs.push_back(output.name);
  }
  void put(long step, const std::vector<double>& values, const Variant& variant) { steps_[step] = {values, variant}; }
  StudyTable table() const {
    StudyTable table = table_;
    for (const auto& [number, step] : steps_) {
      table.values.insert(table.values.end(), step.first.begin(), step.first.end());
      std::vector<double> outputs = step.second.outputs;
      outputs.resize(table.outputs.size(), std::numeric_limits<double>::quiet_NaN());
      table.results.insert(table.results.end(), outputs.begin(), outputs.end());
      table.errors.push_back(step.second.error);
      table.known.push_back(1);
      ++table.rows;
    }
    return table;
  }

 private:
  StudyTable table_;
  std::map<long, std::pair<std::vector<double>, Variant>> steps_;
};

py::dict search_study(const std::string& text, const std::string& path, const std::shared_ptr<Model>& model,
                      const py::list& functions, int threads, const py::object& progress, const std::string& hdf5,
                      const std::string& csv, bool resume) {
  PythonStudy opened(read_study(text, path), model, functions, true);
  const Study& study = opened.file.study;
  const OptimizeOptions& options = opened.file.optimize;
  const StudyOutput output{hdf5, csv, resume};
  const auto journal = output.journal(opened);
  std::map<long, Variant> known;
  if (journal)
    for (const StudyJournal::Record& record : journal->records()) known[record.number] = record.variant;
  SearchHistory history(study);
  std::atomic<bool> stop = false;
  std::atomic<long> done = 0;
  OptimizeControl control;
  control.threads = threads;
  control.stop = &stop;
  control.known = [&](long step) {
    const auto found = known.find(step);
    return found == known.end() ? nullptr : &found->second;
  };
  control.finished = [&](long step, const std::vector<double>&, const Variant& variant) {
    if (journal) journal->add(step, variant);
  };
  control.passed = [&](long step, const std::vector<double>& values, const Variant& variant) {
    history.put(step, values, variant);
    ++done;
  };
  const double most =
      static_cast<double>(options.starts) * options.evaluations * (study.objectives.size() == 2 ? options.points : 1);
  OptimizeAnswer answer;
  try {
    watch([&] { answer = optimize(*opened.evaluator, options, control); },
          [&] { return std::min(1.0, static_cast<double>(done) / most); }, progress, stop);
  } catch (const MechanismError& error) {
    throw study_complaint(opened.file, error.element(), error.what());
  }
  const StudyTable table = history.table();
  {
    const py::gil_scoped_release unlocked;
    StudyRecord record = opened.record(name_of(options.method));
    if (answer.best < 0 && answer.front.empty()) record.outcome = "no variant keeps the limits";
    output.write(record, table, opened.inputs());
  }
  if (journal) journal->remove();
  py::dict found = table_as_dict(table);
  found["name"] = study.name;
  found["searches"] = optima_as_list(study, answer.searches);
  found["front"] = optima_as_list(study, answer.front);
  found["best"] = answer.best;
  return found;
}

}  // namespace

void bind_studies(py::module_& m) {
  m.def("_sweep", &sweep_study, py::arg("text"), py::arg("path"), py::arg("model").none(true), py::arg("functions"),
        py::arg("threads"), py::arg("progress"), py::arg("hdf5"), py::arg("csv"), py::arg("resume"),
        "Of lithe.sweep().");
  m.def("_optimize", &search_study, py::arg("text"), py::arg("path"), py::arg("model").none(true), py::arg("functions"),
        py::arg("threads"), py::arg("progress"), py::arg("hdf5"), py::arg("csv"), py::arg("resume"),
        "Of lithe.optimize().");
}

}  // namespace lithe::python
