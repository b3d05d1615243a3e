// Identification: parameters of models from measured records.

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <variant>

#include "bindings.hpp"
#include "lithe/errors.hpp"
#include "lithe/io/identification_file.hpp"

namespace lithe::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Record = std::map<std::string, Numbers>;

/// An experiment with the start values of its parameters.
struct GivenExperiment {
  Experiment experiment;
  std::map<std::string, double> parameters;
};

std::vector<double> numbers_of(const std::string& name, const Numbers& array) {
  if (array.ndim() != 1) throw py::value_error("record['" + name + "']: expected one dimension");
  return {array.data(), array.data() + array.size()};
}

template <class Value>
Value taken(std::map<std::string, Value>& from, const std::string& name, Value otherwise) {
  const auto found = from.find(name);
  if (found == from.end()) return otherwise;
  Value value = found->second;
  from.erase(found);
  return value;
}

template <class Value>
void refuse_rest(const char* what, const std::map<std::string, Value>& rest, const std::vector<std::string>& columns) {
  if (!rest.empty()) refuse_name(what, rest.begin()->first, columns);
}

ExperimentRun run_named(const std::string& name) {
  if (name == "simulate") return ExperimentRun::simulate;
  if (name == "inverse") return ExperimentRun::inverse;
  if (name == "kinematics") return ExperimentRun::kinematics;
  throw py::value_error("run: expected 'simulate', 'inverse' or 'kinematics', not '" + name + "'");
}

GivenExperiment make_experiment(const Model& model, const Record& record, const std::string& name,
                                const std::string& time, std::map<std::string, std::string> quantities,
                                std::map<std::string, double> noise, std::map<std::string, std::string> factor,
                                std::map<std::string, std::string> offset, const std::vector<std::string>& fixed,
                                const std::string& run, bool held_back) {
  GivenExperiment given;
  Model free = model;
  for (const std::string& each : fixed) {
    if (free.parameters.erase(each) > 0) continue;
    std::vector<std::string> known;
    for (const auto& [parameter, value] : free.parameters) known.push_back(parameter);
    refuse_name("parameter", each, known);
  }
  given.parameters = free.parameters;
  given.experiment.fixed = fixed;
  given.experiment.name = name;
  given.experiment.run = run_named(run);
  given.experiment.held_back = held_back;
  given.experiment.model = [of_text = model_of_parameters(free), options = model.run](const auto& values) {
    Model made = of_text(values);
    made.run = options;
    return made;
  };
  std::vector<std::string> columns;
  for (const auto& [column, values] : record) columns.push_back(column);
  if (!record.contains(time)) refuse_name("column", time, columns);
  given.experiment.times = numbers_of(time, record.at(time));
  const bool by_name = quantities.empty();
  for (const auto& [column, values] : record) {
    if (column == time || (!by_name && !quantities.contains(column))) continue;
    Measurement measurement;
    measurement.name = column;
    measurement.quantity = taken(quantities, column, column);
    measurement.factor = taken<std::string>(factor, column, "1");
    measurement.offset = taken<std::string>(offset, column, "0");
    if (const double deviation = taken(noise, column, 0.0); deviation > 0.0) measurement.noise = deviation;
    measurement.values = numbers_of(column, values);
    given.experiment.measurements.push_back(measurement);
  }
  refuse_rest("column", quantities, columns);
  refuse_rest("column", noise, columns);
  refuse_rest("column", factor, columns);
  refuse_rest("column", offset, columns);
  return given;
}

/// "EI", or the value to start from, or {"start": ..., "lower": ..., "upper": ..., "scale": ...}.
SoughtParameter sought_parameter(const std::string& name, const py::handle& value,
                                 const std::vector<GivenExperiment>& experiments) {
  SoughtParameter sought;
  sought.name = name;
  bool has_start = false;
  for (const GivenExperiment& each : experiments) {
    const auto found = each.parameters.find(name);
    if (found == each.parameters.end() || has_start) continue;
    sought.start = found->second;
    has_start = true;
  }
  if (py::isinstance<py::dict>(value)) {
    for (const auto& [entry, number] : value.cast<std::map<std::string, double>>()) {
      if (entry == "start") {
        sought.start = number;
        has_start = true;
      } else if (entry == "lower") {
        sought.lower = number;
      } else if (entry == "upper") {
        sought.upper = number;
      } else if (entry == "scale") {
        sought.scale = number;
      } else {
        refuse_name("entry", entry, {"start", "lower", "upper", "scale"});
      }
    }
  } else if (!value.is_none()) {
    sought.start = value.cast<double>();
    has_start = true;
  }
  if (has_start) return sought;
  std::vector<std::string> known;
  for (const GivenExperiment& each : experiments)
    for (const auto& [parameter, start] : each.parameters) known.push_back(parameter);
  refuse_name("free parameter", name, known);
}

std::vector<SoughtParameter> sought_parameters(const py::object& parameters,
                                               const std::vector<GivenExperiment>& given) {
  if (parameters.is_none()) throw py::type_error("parameters: say what is sought, e.g. ['EI', 'damping']");
  std::vector<SoughtParameter> sought;
  if (py::isinstance<py::dict>(parameters)) {
    for (const auto& [name, value] : parameters.cast<py::dict>())
      sought.push_back(sought_parameter(name.cast<std::string>(), value, given));
  } else {
    for (const std::string& name : parameters.cast<std::vector<std::string>>())
      sought.push_back(sought_parameter(name, py::none(), given));
  }
  return sought;
}

Identification find(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought,
                    IdentificationOptions options) {
  std::atomic<bool> stop = false;
  std::exception_ptr thrown;
  options.stop = &stop;
  options.progress = [&](int, double) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return;
    thrown = std::make_exception_ptr(py::error_already_set());
    stop = true;
  };
  Identification found;
  try {
    const py::gil_scoped_release unlocked;
    found = identify(experiments, sought, options);
  } catch (...) {
    if (thrown) std::rethrow_exception(thrown);
    throw;
  }
  warn_of(found.remarks);
  return found;
}

Identification identify_study(const py::object& study, const py::object& parameters, std::optional<double> confidence,
                              std::optional<double> widest, int threads) {
  if (confidence && !(*confidence > 0.0 && *confidence < 1.0))
    throw py::value_error("confidence: expected a number between 0 and 1");
  if (widest && !(*widest > 0.0)) throw py::value_error("widest: expected a positive number");
  std::vector<Experiment> experiments;
  std::vector<SoughtParameter> sought;
  IdentificationOptions options;
  if (py::isinstance<py::str>(study) || py::hasattr(study, "__fspath__")) {
    if (!parameters.is_none()) throw py::type_error("parameters: an identification file says by itself what is sought");
    IdentificationStudy read = load_identification(study.cast<std::filesystem::path>().string());
    warn_of(read.remarks);
    experiments = std::move(read.experiments);
    sought = std::move(read.sought);
    options = read.options;
  } else {
    const auto given = study.cast<std::vector<GivenExperiment>>();
    for (const GivenExperiment& each : given) experiments.push_back(each.experiment);
    sought = sought_parameters(parameters, given);
  }
  options.confidence = confidence.value_or(options.confidence);
  options.widest = widest.value_or(options.widest);
  options.threads = threads;
  return find(experiments, sought, options);
}

/// Something of every parameter that has it.
template <class Get>
py::dict of_estimates(const Identification& self, bool needs_interval, Get get) {
  py::dict result;
  for (const Estimate& each : self.estimates)
    if (each.is_determined && !(needs_interval && each.is_at_bound)) result[py::str(each.name)] = get(each);
  return result;
}

py::array_t<double> array_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void bind_identification(py::module_& m) {
  py::class_<MeasurementFit>(m, "MeasurementFit", "How well a measured column is met.")
      .def_readonly("experiment", &MeasurementFit::experiment, "Name of the experiment.")
      .def_readonly("name", &MeasurementFit::name, "Of the column.")
      .def_readonly("quantity", &MeasurementFit::quantity, "What was measured, as results call it.")
      .def_readonly("held_back", &MeasurementFit::held_back, "Not fitted, only predicted.")
      .def_readonly("samples", &MeasurementFit::samples, "Number of values.")
      .def_readonly("noise", &MeasurementFit::noise, "Standard deviation of a sample: given, or estimated.")
      .def_readonly("noise_given", &MeasurementFit::noise_given, "Otherwise the noise is an estimate.")
      .def_readonly("rms", &MeasurementFit::rms, "Of the residuals.")
      .def_readonly("explained", &MeasurementFit::explained, "1 - |residual| / |measurement - its mean|.")
      .def_readonly("correlation", &MeasurementFit::correlation, "Of neighbouring residuals; near zero for noise.")
      .def_property_readonly(
          "t", [](const MeasurementFit& self) { return array_of(self.times); }, "Of the samples (s).")
      .def_property_readonly(
          "measured", [](const MeasurementFit& self) { return array_of(self.measured); }, "Values of the record.")
      .def_property_readonly(
          "predicted", [](const MeasurementFit& self) { return array_of(self.predicted); },
          "Values of the model with what was found.");

  py::class_<Identification>(m, "Identification",
                             "What records say about parameters. Those that they do not determine have no numbers.")
      .def_property_readonly(
          "values",
          [](const Identification& self) {
            return of_estimates(self, false, [](const Estimate& e) { return e.value; });
          },
          "By name; as `set` of load().")
      .def_property_readonly(
          "deviations",
          [](const Identification& self) {
            return of_estimates(self, true, [](const Estimate& e) { return e.deviation; });
          },
          "Standard deviations, by name.")
      .def_property_readonly(
          "intervals",
          [](const Identification& self) {
            return of_estimates(self, true, [](const Estimate& e) { return std::pair(e.lower, e.upper); });
          },
          "(lower, upper) of the confidence intervals, by name.")
      .def_property_readonly(
          "undetermined",
          [](const Identification& self) {
            std::vector<std::string> names;
            for (const Estimate& each : self.estimates)
              if (!each.is_determined) names.push_back(each.name);
            return names;
          },
          "Parameters that the records do not determine.")
      .def_property_readonly(
          "at_bounds",
          [](const Identification& self) {
            std::vector<std::string> names;
            for (const Estimate& each : self.estimates)
              if (each.is_at_bound) names.push_back(each.name);
            return names;
          },
          "Parameters that ended at a bound; they have no interval.")
      .def_property_readonly(
          "not_told_apart",
          [](const Identification& self) {
            std::vector<std::map<std::string, double>> directions;
            for (const BlindDirection& each : self.blind) directions.emplace_back(each.parts.begin(), each.parts.end());
            return directions;
          },
          "Changes of parameters that go together and that the records do not see, in multiples of their scales.")
      .def_readonly("covariance", &Identification::covariance, "In the order of covariance_names.")
      .def_readonly("covariance_names", &Identification::covariance_names, "Of the rows of covariance.")
      .def_readonly("singular_values", &Identification::singular_values,
                    "Of the Jacobian, parameters in scales and residuals in deviations of noise.")
      .def_readonly("confidence", &Identification::confidence, "Of the intervals, e.g. 0.95.")
      .def_readonly("fits", &Identification::fits, "One per measured column.")
      .def_readonly("remarks", &Identification::remarks, "What speaks for and against the values.")
      .def_readonly("converged", &Identification::converged, "Whether the search came to an end by itself.")
      .def_readonly("iterations", &Identification::iterations, "Steps of the search.")
      .def_readonly("runs", &Identification::runs, "Runs of the models that it took.");

  py::class_<GivenExperiment>(m, "Experiment", "A record, and the model of what was done; made by experiment().")
      .def_property_readonly(
          "name", [](const GivenExperiment& self) { return self.experiment.name; }, "For messages and fits.");
  m.def("experiment", &make_experiment, py::arg("model"), py::arg("record"), py::kw_only(), py::arg("name") = "record",
        py::arg("time") = "t", py::arg("quantities") = std::map<std::string, std::string>{},
        py::arg("noise") = std::map<std::string, double>{}, py::arg("factor") = std::map<std::string, std::string>{},
        py::arg("offset") = std::map<std::string, std::string>{}, py::arg("fixed") = std::vector<std::string>{},
        py::arg("run") = "simulate", py::arg("held_back") = false,
        R"(A record and the model of what was done, for identify().

record: {"t": times, "q.motor": values, ...}; nan where there is no sample
quantities: {"tip": "pos.arm.tip.y"}: which columns are what; without: all, by their names
noise: {"tip": 1e-4}: standard deviations of samples; without: estimated
factor, offset: {"tip": "gain"}, expressions of the parameters: column = offset + factor * quantity
fixed: parameters that are not sought in this experiment
held_back: not used to find the parameters, but predicted with them

The model counts as it was read, with its options of runs as they are now; changes in code are not part of it.)");
  m.def("identify", &identify_study, py::arg("study"), py::arg("parameters") = py::none(), py::kw_only(),
        py::arg("confidence") = py::none(), py::arg("widest") = py::none(), py::arg("threads") = 0,
        R"(Parameters of models from measured records.

study: an identification file, which says all the rest; or a list of experiments
parameters: ["EI", "damping"], or {"EI": None, "damping": 0.01, "payload": {"start": 0.1, "lower": 0, "scale": 0.05}}
confidence: of the intervals; default 0.95
widest: a parameter whose interval reaches further than so many scales to either side is not determined; default 1

Warns of parameters that the records do not determine; they have no numbers in the answer.)");
}

}  // namespace lithe::python
