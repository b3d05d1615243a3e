// Runs of a model. They go on without the interpreter's lock; Ctrl-C and exceptions of Python functions end them.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "bindings.hpp"
#include "lithe/io/recorded_results.hpp"
#include "lithe/io/results.hpp"

namespace lithe::python {
namespace {

using RunFunction = RunOutcome (*)(const Model&, RecordSink&, const RunControl&);
using OptionalPath = std::optional<std::filesystem::path>;

/// Looks for Ctrl-C and calls the user's progress function, ten times a second at most.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {
    control_.stop = &stop_;
    control_.progress = [this](double fraction) { report(fraction); };
  }
  const RunControl& control() const { return control_; }
  std::exception_ptr thrown() const { return thrown_; }

 private:
  void report(double fraction) {
    const py::gil_scoped_acquire locked;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(fraction);
    } catch (...) {
      thrown_ = std::current_exception();
      stop_ = true;
    }
  }

  py::object progress_;
  RunControl control_;
  std::atomic<bool> stop_ = false;
  std::exception_ptr thrown_;
};

/// Sets attributes of the options; Python's own message names what does not exist.
void apply(const py::kwargs& keywords, RunOptions& run) {
  const py::object options = py::cast(&run, py::return_value_policy::reference);
  for (const auto& [name, value] : keywords) {
    if (!py::hasattr(options, name))
      throw py::type_error("there is no option '" + name.cast<std::string>() + "'; see help(lithe.RunOptions)");
    py::setattr(options, name, value);
  }
}

std::string in_existing_folder(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    PyErr_SetString(PyExc_FileNotFoundError, ("there is no folder '" + folder.string() + "'").c_str());
    throw py::error_already_set();
  }
  return path.string();
}

/// Gives a Python exception the rows recorded so far.
[[noreturn]] void rethrow_with(const std::exception_ptr& thrown, const py::object& result) {
  try {
    std::rethrow_exception(thrown);
  } catch (py::error_already_set& error) {
    py::setattr(error.value(), "result", result);
    throw;
  }
}

py::object run(const Model& given, RunFunction function, const OptionalPath& output, const OptionalPath& csv,
               const py::object& progress, const py::kwargs& keywords) {
  Model model = given;  // the caller may go on changing its own from another thread
  apply(keywords, model.run);
  const auto results = std::make_shared<Results>();
  std::unique_ptr<RecordSink> sink = std::make_unique<ResultsRecord>(*results);
  if (output) sink = tee_sink(std::move(sink), hdf5_sink(in_existing_folder(*output)));
  if (csv) sink = tee_sink(std::move(sink), csv_sink(in_existing_folder(*csv)));
  Watch watch(progress);
  RunOutcome outcome;
  std::exception_ptr thrown;
  {
    const py::gil_scoped_release unlocked;
    try {
      outcome = function(model, *sink, watch.control());
    } catch (...) {
      thrown = std::current_exception();
    }
    sink.reset();
  }
  const py::object result = py::cast(results);
  if (watch.thrown()) rethrow_with(watch.thrown(), result);
  if (thrown) rethrow_with(thrown, result);
  if (outcome.ending == RunOutcome::Ending::complete) {
    warn_of(outcome.audit, model.remarks);
    return result;
  }
  const py::object type = error_class("PhysicsError");
  PyErr_SetObject(type.ptr(), type(outcome.message, outcome.audit.t_end, result).ptr());
  throw py::error_already_set();
}

}  // namespace

void bind_runs(py::class_<Model, std::shared_ptr<Model>>& model) {
  using Progress = const py::object&;
  model.def(
      "simulate",
      [](const Model& self, const OptionalPath& output, const OptionalPath& csv, Progress progress,
         const py::kwargs& options) { return run(self, run_simulation, output, csv, progress, options); },
      py::kw_only(), py::arg("output") = py::none(), py::arg("csv") = py::none(), py::arg("progress") = py::none(),
      R"(The motion under drives, controllers and loads, as a Result.

output, csv: files (HDF5, CSV) that are written while the run goes on
progress: called with the part that is done (0 to 1), ten times a second at most
options: any attribute of RunOptions, in place of that of the model: until=2.0, integrator="dopri", rtol=1e-6, ...

Raises PhysicsError with the time and the rows up to there when the physics refuses. An exception of a Python drive or
controller, and KeyboardInterrupt, end the run and come through; their attribute `result` holds the rows so far.
Warns (lithe.ResultWarning) of what speaks against a complete run; Result.trusted is False when that is too much.
Other Python threads run meanwhile.)");
  model.def(
      "inverse_dynamics",
      [](const Model& self, bool flexible, const OptionalPath& output, const OptionalPath& csv, Progress progress,
         const py::kwargs& options) {
        return run(self, flexible ? run_flexible_inverse : run_inverse, output, csv, progress, options);
      },
      py::kw_only(), py::arg("flexible") = false, py::arg("output") = py::none(), py::arg("csv") = py::none(),
      py::arg("progress") = py::none(),
      R"(Motor forces along the motion laws of the drives, as a Result (columns tau.JOINT).

flexible: with the elastic motion that belongs to the laws; otherwise elastic links count as rigid
The other arguments as of simulate(). Raises PhysicsError when the motors cannot make the motion.)");
  model.def(
      "kinematics",
      [](const Model& self, const OptionalPath& output, const OptionalPath& csv, Progress progress,
         const py::kwargs& options) { return run(self, run_kinematics, output, csv, progress, options); },
      py::kw_only(), py::arg("output") = py::none(), py::arg("csv") = py::none(), py::arg("progress") = py::none(),
      R"(Positions, speeds and accelerations along the motion laws of the drives.

Arguments as of simulate().)");
}

}  // namespace lithe::python
