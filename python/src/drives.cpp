// Drives and controllers written in Python.

#include "drives.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "python_laws.hpp"

namespace lithe::python {
namespace {

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

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Leaves of the drives at a coordinate only the motion that they follow.
void take_forces_away(Model& model, const std::string& coordinate) {
  const auto require_free = [&](const auto& controllers) {
    for (const auto& controller : controllers)
      if (is_among(coordinate, controller.drives))
        throw py::value_error("'" + coordinate +
                              "' is driven by a controller together with others; use add=True, or take the controllers "
                              "away first: control(None)");
  };
  require_free(model.controllers);
  require_free(model.sampled_controllers);
  require_free(model.continuous_controllers);
  for (Drive& drive : model.drives) {
    if (coordinate_name(joint_named(model, drive.joint), drive.coordinate) != coordinate) continue;
    take_force_away(drive);
  }
  std::erase_if(model.drives, [](const Drive& drive) { return !drive.wants_motion() && !exerts_force(drive); });
}

/// With the sensors that were made for them.
template <class Test>
void erase_sampled(Model& model, const Test& test) {
  for (const SampledController& controller : model.sampled_controllers) {
    const auto* python = controller.begin.target<PythonSampledControl>();
    if (!test(controller) || python == nullptr || python->observed == 0) continue;
    for (const ControlInput& input : controller.inputs)
      std::erase_if(model.sensors, [&](const Sensor& sensor) { return sensor.name == input.signal; });
  }
  std::erase_if(model.sampled_controllers, test);
}

/// Controllers that drive nothing but these coordinates make room for their successor.
void take_controllers_away(Model& model, const std::vector<std::string>& coordinates) {
  const auto is_replaced = [&](const auto& controller) {
    return std::all_of(controller.drives.begin(), controller.drives.end(),
                       [&](const std::string& name) { return is_among(name, coordinates); });
  };
  std::erase_if(model.controllers, is_replaced);
  std::erase_if(model.continuous_controllers, is_replaced);
  erase_sampled(model, is_replaced);
}

/// "python-1", or the next one that is free.
std::string new_controller_name(const Model& model) {
  for (int k = 1;; ++k) {
    std::string name = "python-" + std::to_string(k);
    if (std::none_of(model.sampled_controllers.begin(), model.sampled_controllers.end(),
                     [&](const SampledController& each) { return each.name == name; }))
      return name;
  }
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
  added.law = PythonLaw{law_name(coordinate_name(joint, coordinate)), guarded(law)};
  model.drives.push_back(std::move(added));
}

/// A controller that acts at sample instants and may remember.
void control_sampled(Model& model, const py::object& law, const Controller& plan, double sample, double delay,
                     const std::optional<double>& limit, const std::optional<std::vector<std::string>>& sensors) {
  SampledController controller;
  controller.name = new_controller_name(model);
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
  controller.begin = PythonSampledControl{controller_name(plan.drives), guarded(law), sensors ? 0 : observed.size()};
  model.sampled_controllers.push_back(std::move(controller));
}

void control(Model& model, const py::object& law, const std::optional<std::vector<std::string>>& joints,
             const std::optional<std::vector<std::string>>& observe, bool add, const std::optional<double>& sample,
             double delay, const std::optional<double>& limit, const std::optional<std::vector<std::string>>& sensors) {
  if (law.is_none()) {
    model.controllers.clear();
    erase_sampled(model, [](const SampledController&) { return true; });
    model.continuous_controllers.clear();
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
  controller.law = PythonControl{controller_name(controller.drives), guarded(law)};
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

bool exerts_force(const Drive& drive) {
  return drive.prescribed || drive.feed_forward || drive.kp != 0.0 || drive.kd != 0.0 || drive.ki != 0.0 ||
         !drive.torque.empty() || drive.law;
}

void take_force_away(Drive& drive) {
  drive.prescribed = drive.feed_forward = false;
  drive.kp = drive.kd = drive.ki = 0.0;
  drive.torque = {};
  drive.law = nullptr;
}

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
