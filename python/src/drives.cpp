// Drives and controllers written in Python.

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"

namespace lithe::python {
namespace {

/// A Python object that C++ code may copy and drop without holding the interpreter's lock.
std::shared_ptr<py::object> guarded(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire locked;
            delete held;
          }};
}

/// Tells with the exception where it comes from.
[[noreturn]] void rethrow_with_note(py::error_already_set& error, const std::string& who, double t) {
  const py::object value = error.value();
  if (py::hasattr(value, "add_note")) {
    char time[32];
    std::snprintf(time, sizeof time, "%.6g", t);
    value.attr("add_note")("in " + who + ", at t = " + time + " s");
  }
  throw;  // NOLINT: called inside the handler of this error
}

[[noreturn]] void refuse_answer(const std::string& who, const py::object& answer, const std::string& expected) {
  const std::string message = who + " returned " + py::repr(answer).cast<std::string>() + "; expected " + expected;
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw py::error_already_set();
}

ForceLaw law_of(const std::string& joint, py::object function) {
  const std::string who = "the law of joint '" + joint + "'";
  return [who, function = guarded(std::move(function))](double t, double q, double v) {
    const py::gil_scoped_acquire locked;
    try {
      const py::object force = (*function)(t, q, v);
      const double value = PyFloat_AsDouble(force.ptr());
      if (!PyErr_Occurred()) return value;
      PyErr_Clear();
      refuse_answer(who, force, "a number (N m or N)");
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, who, t);
    }
  };
}

py::array_t<double> copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// What messages call the controller of these coordinates.
std::string controller_name(const std::vector<std::string>& driven) {
  std::string who = "the controller of ";
  for (std::size_t i = 0; i < driven.size(); ++i) who += (i > 0 ? ", '" : "'") + driven[i] + "'";
  return who;
}

/// The forces that a controller answers with, one for each coordinate that it drives.
void take_forces(const std::string& who, const py::object& answer, std::span<double> force) {
  const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(answer);
  if (!values) PyErr_Clear();
  if (!values || values.size() != static_cast<py::ssize_t>(force.size()))
    refuse_answer(who, answer, std::to_string(force.size()) + " numbers (N m or N)");
  std::copy_n(values.data(), force.size(), force.begin());
}

decltype(Controller::law) controller_of(const std::vector<std::string>& driven, py::object function) {
  return [who = controller_name(driven), function = guarded(std::move(function))](
             double t, std::span<const double> q, std::span<const double> v, std::span<double> force) {
    const py::gil_scoped_acquire locked;
    try {
      take_forces(who, (*function)(t, copy_of(q), copy_of(v)), force);
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, who, t);
    }
  };
}

/// A Python object that is asked at sample instants: law(t, q, v), or law(t, y) with signals of sensors.
class SampledPython : public SampledSystem {
 public:
  SampledPython(std::string who, std::shared_ptr<py::object> law, std::size_t observed)
      : who_(std::move(who)), law_(std::move(law)), observed_(observed) {
    const py::gil_scoped_acquire locked;
    if (py::hasattr(*law_, "reset")) law_->attr("reset")();
  }

  void sample(double t, std::span<const double> inputs, std::span<double> force) override {
    const py::gil_scoped_acquire locked;
    try {
      const py::object answer = observed_ > 0
                                    ? (*law_)(t, copy_of(inputs.first(observed_)), copy_of(inputs.subspan(observed_)))
                                    : (*law_)(t, copy_of(inputs));
      take_forces(who_, answer, force);
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, who_, t);
    }
  }

 private:
  std::string who_;
  std::shared_ptr<py::object> law_;
  std::size_t observed_;  ///< coordinates, followed by their speeds; 0: signals of sensors
};

bool exerts_force(const Drive& drive) {
  return drive.prescribed || drive.feed_forward || drive.kp != 0.0 || drive.kd != 0.0 || !drive.torque.empty() ||
         drive.law;
}

std::string coordinate_name(const Joint& joint, int coordinate) {
  return speed_count(joint.type) == 1 ? joint.name : joint.name + "." + std::to_string(coordinate);
}

const Joint& joint_named(const Model& model, const std::string& name) {
  const int index = model.mechanism.find_joint(name);
  if (index >= 0) return model.mechanism.joints[index];
  std::vector<std::string> known;
  for (const Joint& joint : model.mechanism.joints) known.push_back(joint.name);
  refuse_name("joint", name, known);
}

/// Leaves of the drives at a coordinate only the motion that they follow.
void take_forces_away(Model& model, const std::string& coordinate) {
  for (const Controller& controller : model.controllers) {
    if (std::find(controller.drives.begin(), controller.drives.end(), coordinate) == controller.drives.end()) continue;
    throw py::value_error("'" + coordinate +
                          "' is driven by a controller together with others; use add=True, or take the controllers "
                          "away first: control(None)");
  }
  for (Drive& drive : model.drives) {
    if (coordinate_name(joint_named(model, drive.joint), drive.coordinate) != coordinate) continue;
    drive.prescribed = drive.feed_forward = false;
    drive.kp = drive.kd = 0.0;
    drive.torque = {};
    drive.law = nullptr;
  }
  std::erase_if(model.drives, [](const Drive& drive) { return !drive.wants_motion() && !exerts_force(drive); });
}

/// Controllers that drive nothing but these coordinates make room for their successor.
void take_controllers_away(Model& model, const std::vector<std::string>& coordinates) {
  std::erase_if(model.controllers, [&](const Controller& controller) {
    return std::all_of(controller.drives.begin(), controller.drives.end(), [&](const std::string& name) {
      return std::find(coordinates.begin(), coordinates.end(), name) != coordinates.end();
    });
  });
}

/// What a path supplies by all motors ends when one of them gets a law in its place.
void take_task_forces_away(Model& model) {
  for (PathDrive& path : model.paths) path.task = {};
}

void drive(Model& model, const std::string& name, const py::object& law, int coordinate, bool add) {
  const Joint& joint = joint_named(model, name);
  if (coordinate < 0 || coordinate >= speed_count(joint.type)) {
    throw py::value_error("joint '" + name + "' has " + std::to_string(speed_count(joint.type)) +
                          " speeds, counted from 0; there is no " + std::to_string(coordinate));
  }
  if (!law.is_none() && PyCallable_Check(law.ptr()) == 0)
    throw py::type_error("the law of joint '" + name + "' must be a function f(t, q, v), or None");
  if (!add) {
    take_controllers_away(model, {coordinate_name(joint, coordinate)});
    take_forces_away(model, coordinate_name(joint, coordinate));
    take_task_forces_away(model);
  }
  if (law.is_none()) return;
  Drive added;
  added.joint = name;
  added.coordinate = coordinate;
  added.law = law_of(coordinate_name(joint, coordinate), law);
  model.drives.push_back(std::move(added));
}

/// A controller that acts at sample instants and may remember.
void control_sampled(Model& model, const py::object& law, const Controller& plan, double sample, double delay,
                     const std::optional<double>& limit, const std::optional<std::vector<std::string>>& sensors) {
  SampledController controller;
  controller.name = "python-" + std::to_string(model.sampled_controllers.size() + 1);
  controller.sample = sample;
  controller.delay = delay;
  controller.drives = plan.drives;
  controller.limits.resize(plan.drives.size());
  if (limit)
    for (OutputLimits& output : controller.limits) output.low = -(output.high = *limit);
  const std::vector<std::string>& observed = plan.observes.empty() ? plan.drives : plan.observes;
  const auto read = [&](const std::string& signal) {
    ControlInput input;
    input.signal = signal;
    controller.inputs.push_back(std::move(input));
  };
  if (sensors) {
    for (const std::string& signal : *sensors) read(signal);
  } else {
    for (const SensorKind kind : {SensorKind::encoder, SensorKind::tachometer})
      for (const std::string& name : observed) {
        Sensor sensor;
        sensor.name = controller.name + "-" + name;
        if (kind == SensorKind::tachometer) sensor.name += "-rate";
        sensor.kind = kind;
        sensor.joint = name;
        read(sensor.name);
        model.sensors.push_back(std::move(sensor));
      }
  }
  controller.begin = [who = controller_name(plan.drives), law = guarded(law), count = sensors ? 0 : observed.size()](
                         const ControlSite&) { return std::make_unique<SampledPython>(who, law, count); };
  model.sampled_controllers.push_back(std::move(controller));
}

void control(Model& model, const py::object& law, const std::optional<std::vector<std::string>>& joints,
             const std::optional<std::vector<std::string>>& observe, bool add, const std::optional<double>& sample,
             double delay, const std::optional<double>& limit, const std::optional<std::vector<std::string>>& sensors) {
  if (law.is_none()) {
    model.controllers.clear();
    model.sampled_controllers.clear();
    return;
  }
  if (!sample && (sensors || limit || delay != 0.0))
    throw py::value_error("sensors, delay and limit belong to a sampled controller; give sample (s)");
  if (sample && !(*sample > 0.0)) throw py::value_error("sample must be a positive time, s");
  if (sensors && observe) throw py::value_error("a controller reads either coordinates (observe) or sensors");
  if (PyCallable_Check(law.ptr()) == 0) throw py::type_error("a controller must be a function f(t, q, v), or None");
  Controller controller;
  controller.drives = joints ? *joints : actuated_names(model);
  controller.observes = observe.value_or(std::vector<std::string>{});
  if (controller.drives.empty()) throw py::value_error("a controller has nothing to drive: no joint is actuated");
  if (!add) {
    take_controllers_away(model, controller.drives);
    for (const std::string& name : controller.drives) take_forces_away(model, name);
    take_task_forces_away(model);
  }
  if (sample) return control_sampled(model, law, controller, *sample, delay, limit, sensors);
  controller.law = controller_of(controller.drives, law);
  model.controllers.push_back(std::move(controller));
}

py::tuple motion_law(const Model& model, const std::string& name, double t, int coordinate) {
  joint_named(model, name);
  for (const Drive& drive : model.drives) {
    if (drive.joint != name || drive.coordinate != coordinate || !drive.wants_motion()) continue;
    const Jet jet = drive.follow.at(t);
    return py::make_tuple(jet.value, jet.rate, jet.second);
  }
  throw py::value_error("joint '" + name + "' follows no motion law");
}

py::dict path_at(const Model& model, const std::string& name, double t) {
  for (const PathDrive& drive : model.paths) {
    if (name != drive.link + "/" + drive.frame && (name != drive.link || drive.frame != "origin")) continue;
    const PathPoint point = drive.path.at(t);
    py::dict answer;
    answer["position"] = point.position;
    answer["velocity"] = point.velocity;
    answer["acceleration"] = point.acceleration;
    if (!drive.path.turns()) return answer;
    answer["rotation"] = point.turning.rotation;
    answer["angular_velocity"] = point.turning.velocity;
    answer["angular_acceleration"] = point.turning.acceleration;
    return answer;
  }
  throw py::value_error("frame '" + name + "' follows no path");
}

}  // namespace

std::vector<std::string> actuated_names(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.mechanism.joints) {
    for (int k = 0; k < speed_count(joint.type); ++k) {
      const auto drives_it = [&](const Drive& drive) {
        return drive.joint == joint.name && drive.coordinate == k && exerts_force(drive);
      };
      const bool has_motor = static_cast<std::size_t>(k) < joint.actuated.size() && joint.actuated[k];
      if (has_motor || std::any_of(model.drives.begin(), model.drives.end(), drives_it))
        names.push_back(coordinate_name(joint, k));
    }
  }
  return names;
}

void bind_drives(py::class_<Model, std::shared_ptr<Model>>& model) {
  model
      .def("drive", &drive, py::arg("joint"), py::arg("law"), py::kw_only(), py::arg("coordinate") = 0,
           py::arg("add") = false,
           R"(Drives a joint by a Python function: tau = law(t, q, v).

t in s; q and v are the coordinate of the joint (rad or m) and its speed; tau in N m or N, positive along the speed.
The law replaces what drives the joint so far; a motion law of the model file ('follow') stays as reference for the
start and for motion_law(). add=True adds to the forces that are there. None takes them away.
Integrators call the law at trial states too, in any order: it must depend on its arguments alone.)")
      .def("control", &control, py::arg("law"), py::kw_only(), py::arg("joints") = py::none(),
           py::arg("observe") = py::none(), py::arg("add") = false, py::arg("sample") = py::none(),
           py::arg("delay") = 0.0, py::arg("limit") = py::none(), py::arg("sensors") = py::none(),
           R"(Drives several joints by one Python function: tau = law(t, q, v), all but t numpy arrays.

joints: what it drives, in the order of tau: "motor-1", or "wrist.2" of a joint with several coordinates; default all
    actuated joints (Model.actuated)
observe: what q and v hold, passive joints and elastic coordinates ("crank-1.e1") included; default: the same as joints
sample: period in s. The law is then called at sample instants only, in order, and may remember; its forces are held in
    between, from `delay` s after the instant on, within +-limit. An object with a method reset() is reset at the
    start of every run.
sensors: signals of the model's sensors ("angle", "tip.x"); a sampled law is then law(t, y)
None takes all controllers away. Otherwise as drive().)")
      .def("motion_law", &motion_law, py::arg("joint"), py::arg("t"), py::kw_only(), py::arg("coordinate") = 0,
           "The motion law ('follow') of a joint at time t (s): (coordinate, speed, acceleration), rad or m.")
      .def("path_at", &path_at, py::arg("frame"), py::arg("t"),
           R"(Where the path of a frame ("platform", "arm/tip") is at time t (s), in ground axes.

Arrays by name: position (m), velocity, acceleration; with an orientation also rotation (3 x 3), angular_velocity (rad/s)
and angular_acceleration.)");
}

}  // namespace lithe::python
