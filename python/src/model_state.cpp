// What a model is beside its text, as plain Python data. A model is pickled as the text and the data files that it
// carries, and as what was changed in it from Python since it was read; both together make it again.

#include "model_state.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "drives.hpp"
#include "lithe/io/reread_model.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/run_entries.hpp"
#include "pickling.hpp"
#include "python_laws.hpp"

namespace lithe::python {
namespace {

using Texts = std::vector<std::string>;

struct RecordSwitch {
  const char* name;
  bool RecordOptions::*field;
};
constexpr RecordSwitch record_switches[] = {
    {"coordinates", &RecordOptions::coordinates}, {"energy", &RecordOptions::energy},
    {"reactions", &RecordOptions::reactions},     {"sections", &RecordOptions::sections},
    {"stress", &RecordOptions::stress},           {"stress_parts", &RecordOptions::stress_parts},
    {"springs", &RecordOptions::springs},         {"elements", &RecordOptions::elements},
    {"control", &RecordOptions::control},         {"control_states", &RecordOptions::control_states},
    {"motors", &RecordOptions::motors},           {"momentum", &RecordOptions::momentum}};
struct RecordFrames {
  const char* name;
  std::vector<FrameRef> RecordOptions::*field;
};
constexpr RecordFrames record_frames[] = {{"frames", &RecordOptions::frames},
                                          {"quaternions", &RecordOptions::quaternions},
                                          {"velocities", &RecordOptions::velocities},
                                          {"accelerations", &RecordOptions::accelerations},
                                          {"deflections", &RecordOptions::deflections}};

std::string recorded_frame(const Mechanism& mechanism, const FrameRef& frame) {
  const LinkData& link = mechanism.links[frame.link];
  return link.name + "/" + link.frames[frame.frame].name;
}

/// Numbers, words and frames that may be changed from Python, by name. All values can be compared.
py::dict settings_of(const Model& model) {
  py::dict state;
  state["name"] = model.name;
  state["start_at_equilibrium"] = model.start_at_equilibrium;
  state["damping"] = py::make_tuple(model.damping.ratio, model.damping.ratios);
  const Vec3& gravity = model.mechanism.gravity;
  state["gravity"] = py::make_tuple(gravity.x(), gravity.y(), gravity.z());
  RunOptions run = model.run;
  for (const RunNumber& number : run_numbers()) state[("run." + std::string(number.name)).c_str()] = number.field(run);
  for (const RunChoice& choice : run_choices()) state[("run." + std::string(choice.name)).c_str()] = choice.get(run);
  for (const RecordSwitch& each : record_switches)
    state[(std::string("record.") + each.name).c_str()] = model.record.*each.field;
  for (const RecordFrames& each : record_frames) {
    Texts frames;
    for (const FrameRef& frame : model.record.*each.field) frames.push_back(recorded_frame(model.mechanism, frame));
    state[(std::string("record.") + each.name).c_str()] = frames;
  }
  return state;
}

void apply_settings(Model& model, const py::dict& state) {
  const auto given = [&](const std::string& name) -> py::object {
    return state.contains(name) ? py::object(state[name.c_str()]) : py::none();
  };
  if (const py::object name = given("name"); !name.is_none()) model.name = name.cast<std::string>();
  if (const py::object start = given("start_at_equilibrium"); !start.is_none())
    model.start_at_equilibrium = start.cast<bool>();
  if (const py::object damping = given("damping"); !damping.is_none()) {
    const auto [ratio, ratios] = damping.cast<std::pair<double, std::vector<double>>>();
    model.damping = {ratio, ratios};
  }
  if (const py::object gravity = given("gravity"); !gravity.is_none()) model.mechanism.gravity = gravity.cast<Vec3>();
  for (const RunNumber& number : run_numbers())
    if (const py::object value = given("run." + std::string(number.name)); !value.is_none())
      number.field(model.run) = value.cast<double>();
  for (const RunChoice& choice : run_choices())
    if (const py::object value = given("run." + std::string(choice.name)); !value.is_none())
      choice.set(model.run, value.cast<std::string>());
  for (const RecordSwitch& each : record_switches)
    if (const py::object value = given(std::string("record.") + each.name); !value.is_none())
      model.record.*each.field = value.cast<bool>();
  for (const RecordFrames& each : record_frames) {
    const py::object names = given(std::string("record.") + each.name);
    if (names.is_none()) continue;
    (model.record.*each.field).clear();
    for (const std::string& name : names.cast<Texts>())
      (model.record.*each.field).push_back(frame_named(model.mechanism, name));
  }
}

/// Those settings of `model` that differ from what reading gave.
py::dict changed_settings(const Model& model, const Model& as_read) {
  const py::dict now = settings_of(model), before = settings_of(as_read);
  py::dict changed;
  for (const auto& [name, value] : now)
    if (!value.equal(py::object(before[name]))) changed[name] = value;
  return changed;
}

py::object python_law(const Drive& drive) {
  const auto* law = drive.law.target<PythonLaw>();
  return law == nullptr ? py::none() : *law->function;
}

/// Who pushes which joint: the drives of the text that are left, with or without their forces, and those in Python.
py::dict drives_of(const Model& model) {
  py::list drives, paths, controllers, sampled, sensors;
  for (const Drive& drive : model.drives)
    drives.append(py::make_tuple(drive.joint, drive.coordinate, exerts_force(drive), python_law(drive),
                                 drive.law ? drive.law.target<PythonLaw>()->who : std::string{}));
  for (const PathDrive& path : model.paths) paths.append(path.task.is_given());
  for (const Controller& each : model.controllers) {
    const auto* law = each.law.target<PythonControl>();
    controllers.append(py::make_tuple(each.drives, each.observes, *law->function, law->who));
  }
  for (const SampledController& each : model.sampled_controllers) {
    const auto* law = each.begin.target<PythonSampledControl>();
    if (law == nullptr) {
      sampled.append(py::str(each.name));
      continue;
    }
    Texts signals;
    for (const ControlInput& input : each.inputs) signals.push_back(input.signal);
    std::vector<std::pair<double, double>> limits;
    for (const OutputLimits& limit : each.limits) limits.emplace_back(limit.low, limit.high);
    sampled.append(py::make_tuple(each.name, each.sample, each.delay, each.drives, limits, signals, law->observed,
                                  *law->function, law->who));
  }
  Texts continuous;  // those of the file that are still there
  for (const ContinuousController& each : model.continuous_controllers) continuous.push_back(each.name);
  for (const Sensor& sensor : model.sensors)
    sensors.append(py::make_tuple(sensor.name, static_cast<int>(sensor.kind), sensor.joint));
  py::dict state;
  state["drives"] = drives;
  state["paths"] = paths;
  state["controllers"] = controllers;
  state["sampled"] = sampled;
  state["continuous"] = continuous;
  state["sensors"] = sensors;
  return state;
}

void restore_drives(Model& model, const py::dict& state) {
  std::vector<Drive> drives;
  auto next = model.drives.begin();
  for (const py::handle entry : state["drives"].cast<py::list>()) {
    const auto [joint, coordinate, exerts, law, who] =
        entry.cast<std::tuple<std::string, int, bool, py::object, std::string>>();
    if (!law.is_none()) {
      Drive added;
      added.joint = joint;
      added.coordinate = coordinate;
      added.law = PythonLaw{who, guarded(law)};
      drives.push_back(std::move(added));
      continue;
    }
    next = std::find_if(next, model.drives.end(), [&, &joint = joint, &coordinate = coordinate](const Drive& each) {
      return each.joint == joint && each.coordinate == coordinate;
    });
    if (next == model.drives.end()) refuse_pickle("model");
    drives.push_back(*next++);
    if (!exerts) take_force_away(drives.back());
  }
  model.drives = std::move(drives);
  const py::list paths = state["paths"];
  for (std::size_t k = 0; k < std::min(model.paths.size(), paths.size()); ++k)
    if (!paths[k].cast<bool>()) model.paths[k].task = {};
  for (const py::handle entry : state["controllers"].cast<py::list>()) {
    const auto [driven, observed, law, who] = entry.cast<std::tuple<Texts, Texts, py::object, std::string>>();
    model.controllers.push_back({driven, observed, PythonControl{who, guarded(law)}});
  }
}

void restore_sampled(Model& model, const py::dict& state) {
  std::vector<SampledController> controllers;
  for (const py::handle entry : state["sampled"].cast<py::list>()) {
    if (py::isinstance<py::str>(entry)) {
      const auto found =
          std::find_if(model.sampled_controllers.begin(), model.sampled_controllers.end(),
                       [name = entry.cast<std::string>()](const auto& each) { return each.name == name; });
      if (found == model.sampled_controllers.end()) refuse_pickle("model");
      controllers.push_back(*found);
      continue;
    }
    using Entry = std::tuple<std::string, double, double, Texts, std::vector<std::pair<double, double>>, Texts,
                             std::size_t, py::object, std::string>;
    const auto [name, sample, delay, driven, limits, signals, observed, law, who] = entry.cast<Entry>();
    SampledController made;
    made.name = name;
    made.sample = sample;
    made.delay = delay;
    made.drives = driven;
    for (const auto& [low, high] : limits) {
      made.limits.emplace_back();
      made.limits.back().low = low;
      made.limits.back().high = high;
    }
    for (const std::string& signal : signals) {
      made.inputs.emplace_back();
      made.inputs.back().signal = signal;
    }
    made.begin = PythonSampledControl{who, guarded(law), observed};
    controllers.push_back(std::move(made));
  }
  model.sampled_controllers = std::move(controllers);
  std::erase_if(model.continuous_controllers,
                [names = state["continuous"].cast<Texts>()](const ContinuousController& each) {
                  return std::find(names.begin(), names.end(), each.name) == names.end();
                });
  for (const py::handle entry : state["sensors"].cast<py::list>()) {
    const auto [name, kind, joint] = entry.cast<std::tuple<std::string, int, std::string>>();
    if (std::any_of(model.sensors.begin(), model.sensors.end(),
                    [&, &name = name](const Sensor& each) { return each.name == name; }))
      continue;
    Sensor sensor;
    sensor.name = name;
    sensor.kind = static_cast<SensorKind>(kind);
    sensor.joint = joint;
    model.sensors.push_back(std::move(sensor));
  }
}

/// Calls `visit(who, function)` for every Python object that the model holds; the function may be replaced.
template <class Visit>
void visit_laws(Model& model, const Visit& visit) {
  const auto replace = [&](auto* law) {
    if (law != nullptr) law->function = visit(law->who, law->function);
  };
  for (Drive& drive : model.drives) replace(drive.law.target<PythonLaw>());
  for (Controller& controller : model.controllers) replace(controller.law.target<PythonControl>());
  for (SampledController& controller : model.sampled_controllers)
    replace(controller.begin.target<PythonSampledControl>());
}

/// Python's own message does not say which of them it means, nor what to do.
void require_picklable_laws(const Model& model) {
  const py::object dumps = py::module_::import("pickle").attr("dumps");
  Model copy = model;
  visit_laws(copy, [&](const std::string& who, const std::shared_ptr<py::object>& function) {
    try {
      dumps(*function);
    } catch (py::error_already_set& error) {
      throw py::type_error(
          who + " cannot be pickled: " + py::str(error.value()).cast<std::string>() +
          "; use a function at the top level of a module, or an object of a class there, in place of a "
          "lambda or a function within a function, or give it to the model in the other process");
    }
    return function;
  });
}

py::tuple model_as_state(const Model& model) {
  require_picklable_laws(model);
  py::dict attached;  // link files are bytes
  for (const auto& [path, content] : model.attached) attached[py::str(path)] = py::bytes(content);
  return py::make_tuple(std::string(version()), model.path, model.text, model.flattened, attached, model.files,
                        model.parameters, model.replaced, !bends(model), settings_of(model), drives_of(model));
}

std::shared_ptr<Model> model_from_state(const py::tuple& state) {
  if (state.size() != 11 || state[0].cast<std::string>() != version()) refuse_pickle("model");
  Model carried;
  carried.path = state[1].cast<std::string>();
  carried.text = state[2].cast<std::string>();
  carried.flattened = state[3].cast<std::string>();
  for (const auto& [path, content] : state[4].cast<py::dict>())
    carried.attached[path.cast<std::string>()] = content.cast<py::bytes>();
  carried.files = state[5].cast<Texts>();
  const auto parameters = state[6].cast<std::map<std::string, double>>();
  const auto replaced = state[7].cast<std::map<std::string, std::string>>();
  LoadOptions options;
  options.rigid = state[8].cast<bool>();
  auto model = std::make_shared<Model>();
  {
    const py::gil_scoped_release unlocked;
    *model = reread_model(carried, {}, options);
  }
  model->parameters = parameters;
  model->replaced = replaced;
  apply_settings(*model, state[9]);
  restore_drives(*model, state[10]);
  restore_sampled(*model, state[10]);
  return model;
}

/// The text that the model carries, read again with other values of parameters.
Model reread(const Model& model, const std::map<std::string, std::string>& overrides) {
  LoadOptions options;
  options.rigid = !bends(model);
  const py::gil_scoped_release unlocked;
  return reread_model(model, overrides, options);
}

/// Reads the model again with these values; what was changed in Python stays as it is, the rest follows the text.
void set_parameters(Model& model, const py::dict& values) {
  Texts known;
  for (const auto& [name, value] : model.parameters) known.push_back(name);
  const auto overrides = texts_of(values);
  for (const auto& [name, text] : overrides)
    if (!model.parameters.contains(name)) refuse_name("parameter", name, known);
  if (overrides.empty()) return;
  const PythonChanges changes(model);
  Model changed = reread(model, overrides);
  changed.replaced = model.replaced;
  changes.apply(changed);
  model = std::move(changed);
}

}  // namespace

bool bends(const Model& model) {
  return std::any_of(model.mechanism.links.begin(), model.mechanism.links.end(),
                     [](const LinkData& link) { return link.elastic.count() > 0; });
}

PythonChanges::PythonChanges(const Model& model) {
  const Model as_read = reread(model, {});
  settings_ = changed_settings(model, as_read);
  drives_ = drives_of(model);
  same_drives_ = drives_.equal(drives_of(as_read));
}

void PythonChanges::apply(Model& model, const std::vector<std::string>& except) const {
  py::dict settings = settings_.attr("copy")();
  for (const std::string& name : except) settings.attr("pop")(name, py::none());
  apply_settings(model, settings);
  if (same_drives_) return;
  restore_drives(model, drives_);
  restore_sampled(model, drives_);
}

std::string PythonChanges::text() const {
  const auto described = py::repr(settings_).cast<std::string>();
  return same_drives_ ? described : described + py::repr(drives_).cast<std::string>();
}

std::map<std::string, std::string> texts_of(const py::dict& values) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : values) {
    const auto key = py::str(name).cast<std::string>();
    if (py::isinstance<py::str>(value)) {
      texts[key] = value.cast<std::string>();
      continue;
    }
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error("parameter '" + key + "' is a number, or an expression as text, not " +
                           py::repr(value).cast<std::string>());
    }
    texts[key] = py::repr(py::float_(number));
  }
  return texts;
}

void bind_model_state(py::class_<Model, std::shared_ptr<Model>>& model) {
  model
      .def_property(
          "parameters",
          [](const py::object& self) {
            const py::object values = py::cast(self.cast<const Model&>().parameters);
            return py::module_::import("lithe._parameters").attr("Parameters")(self, values);
          },
          [](Model& self, const py::dict& values) { set_parameters(self, values); },
          R"(Values of 'parameters' by name, as a dict. Setting one reads the model again with it.

model.parameters["payload"] = 5 (a number, or an expression as text) raises ModelError, and changes nothing, when the
model makes no sense with it. What was changed in Python (run, record, drives, gravity, ...) stays as it is.)")
      .def("_set_parameters", &set_parameters, py::arg("values"), "Of Parameters.")
      .def("__copy__", [](const Model& self) { return std::make_shared<Model>(self); })
      .def(
          "__deepcopy__",
          [](const Model& self, const py::dict& memo) {
            auto copy = std::make_shared<Model>(self);
            const py::object deepcopy = py::module_::import("copy").attr("deepcopy");
            visit_laws(*copy, [&](const std::string&, const std::shared_ptr<py::object>& function) {
              return guarded(deepcopy(*function, memo));
            });
            return copy;
          },
          py::arg("memo"))
      .def(py::pickle(&model_as_state, &model_from_state));
}

}  // namespace lithe::python
