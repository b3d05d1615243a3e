#include "gains_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "lithe/simulation/driven_motion.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "output_file.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

/// A measured output as a signal of a sensor.
struct MeasuredSignal {
  std::string signal;  ///< of the sensor
  std::string sensor;  ///< its entry, when the model has none: "q-motor: {encoder: motor}"
  std::string joint;   ///< whose coordinate or speed it is; empty: none
  bool rate = false;
};

std::string plain_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '.' || c == '/'; }, '-');
  return text;
}

/// LINK.e1
bool is_elastic(const Model& model, const std::string& coordinate) {
  const std::size_t dot = coordinate.rfind(".e");
  if (dot == std::string::npos || model.mechanism.find_joint(coordinate) >= 0) return false;
  const int link = model.mechanism.find_link(coordinate.substr(0, dot));
  return link > 0 && model.mechanism.links[link].elastic.count() > 0;
}

/// "q.JOINT", "v.JOINT", the same with LINK.e1, and "pos.LINK.FRAME.x" get sensors of their own; "encoder.NAME" and the like are sensors of the model.
MeasuredSignal signal_of(const Model& model, const std::string& output) {
  for (const Sensor& sensor : model.sensors)
    for (const std::string& signal : sensor.signals())
      if (output == fmt::format("{}.{}", facts_of(sensor.kind).name, signal)) {
        const bool rate = sensor.kind == SensorKind::tachometer;
        return {signal, "", rate || sensor.kind == SensorKind::encoder ? sensor.joint : "", rate};
      }
  const std::size_t dot = output.find('.');
  const std::string kind = output.substr(0, dot), rest = output.substr(dot + 1), name = plain_name(output);
  const std::size_t last = rest.rfind('.');
  const auto is_joint = [&] {
    if (is_elastic(model, rest)) return true;
    return model.mechanism.find_joint(rest) >= 0 ||
           (last != std::string::npos && model.mechanism.find_joint(rest.substr(0, last)) >= 0);
  };
  if ((kind == "q" || kind == "v") && is_joint())
    return {name, fmt::format("{}: {{{}: {}}}", name, kind == "q" ? "encoder" : "tachometer", rest), rest, kind == "v"};
  if (kind == "pos" && last != std::string::npos) {
    const std::string frame = rest.substr(0, last);
    const std::string sensor = plain_name("pos-" + frame);
    std::string place = frame;
    place[place.rfind('.')] = '/';
    return {sensor + rest.substr(last), fmt::format("{}: {{tracker: {}}}", sensor, place), "", false};
  }
  throw InputError(fmt::format(
      "--write: no sensor measures '{}'; there are those for q.JOINT, v.JOINT and pos.LINK.FRAME.x, and those "
      "that the model has under 'sensors'",
      output));
}

const Drive* drive_of(const Model& model, const std::string& joint) {
  for (const Drive& drive : model.drives)
    if (joint == drive.joint || joint == fmt::format("{}.{}", drive.joint, drive.coordinate)) return &drive;
  return nullptr;
}

/// The value at each point, as a constant or as a table over time.
std::string reference_law(const std::vector<ControllerPoint>& points, std::size_t signal) {
  if (points.size() == 1) return fmt::format("{}", points[0].measured[signal].value);
  std::vector<double> t, y;
  for (const ControllerPoint& point : points) {
    t.push_back(point.t);
    y.push_back(point.measured[signal].value);
  }
  return fmt::format("{{table: {{t: [{}], y: [{}]}}}}", fmt::join(t, ", "), fmt::join(y, ", "));
}

/// Whether drives say how the whole mechanism moves.
bool is_motion_known(const Model& model) {
  const bool any = std::any_of(model.drives.begin(), model.drives.end(),
                               [](const Drive& each) { return each.wants_motion() || each.is_led(); });
  return any && DrivenMotion(model).is_complete();
}

std::string input_text(const Model& model, const std::vector<ControllerPoint>& points, std::size_t i,
                       const MeasuredSignal& signal, bool motion_is_known) {
  if (is_elastic(model, signal.joint)) {
    if (signal.rate) return signal.signal;
    if (motion_is_known) return fmt::format("{{of: {}, wanted: {}}}", signal.signal, signal.joint);
  }
  const Drive* drive = signal.joint.empty() ? nullptr : drive_of(model, signal.joint);
  if (drive != nullptr && (drive->wants_motion() || drive->is_led()))
    return fmt::format("{{of: {}, wanted: {}{}}}", signal.signal, signal.joint, signal.rate ? ", rate: true" : "");
  if (motion_is_known) return fmt::format("{{of: {}, expected: true}}", signal.signal);
  return fmt::format("{{of: {}, minus: {}}}", signal.signal, reference_law(points, i));
}

/// Whether an input counts from what the drives want.
bool counts_from_motion(const std::string& text) {
  return text.find("wanted:") != std::string::npos || text.find("expected:") != std::string::npos;
}

/// The signal of the encoder of a joint; `sensors` gets one where the model has none.
std::string encoder_of(const Model& model, const std::string& joint, std::string& sensors) {
  for (const Sensor& sensor : model.sensors)
    if (sensor.kind == SensorKind::encoder && sensor.joint == joint) return sensor.name;
  const std::string name = plain_name("q-" + joint), entry = fmt::format("  {}: {{encoder: {}}}\n", name, joint);
  if (sensors.find(entry) == std::string::npos) sensors += entry;
  return name;
}

/// Of motors without a drive: what holds the point.
std::string holding_drives(const Model& model, const ControllerPoint& point) {
  std::string text;
  for (const LinearModel::Signal& motor : point.motors) {
    const std::string joint = motor.name.substr(4);  // tau.JOINT
    const Drive* drive = drive_of(model, joint);
    if (drive != nullptr && drive->prescribed)
      throw InputError(
          fmt::format("--write: the motion of '{}' is prescribed, so no force can act there; drive it 'by: "
                      "inverse-dynamics'",
                      joint));
    if (drive == nullptr) text += fmt::format("  {}: {{torque: {}}}\n", joint, motor.value);
  }
  return text.empty() ? text : "drives:  # what holds the pose\n" + text;
}

nlohmann::json matrices(const StateSpace& system) {
  return {{"A", rows_of(system.A)}, {"B", rows_of(system.B)}, {"C", rows_of(system.C)}, {"D", rows_of(system.D)}};
}

/// Controllers on a grid, with the values from which their inputs and outputs count; `inputs` as in the model file.
std::string grid_text(const Model& model, const std::vector<ControllerPoint>& points, const std::vector<GridAxis>& axes,
                      const std::vector<std::string>& inputs) {
  nlohmann::json answer;
  for (const GridAxis& axis : axes) answer["axes"].push_back(axis.values);
  for (const ControllerPoint& point : points) {
    nlohmann::json one = matrices(point.controller);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      one["inputs_at"].push_back(counts_from_motion(inputs[i]) ? 0.0 : point.measured[i].value);
    for (const LinearModel::Signal& motor : point.motors)
      one["outputs_at"].push_back(drive_of(model, motor.name.substr(4)) == nullptr ? motor.value : 0.0);
    answer["points"].push_back(one);
  }
  return detail::json_text(answer, -1) + "\n";
}

std::string matrices_text(const std::vector<ControllerPoint>& points) {
  nlohmann::json answer;
  if (points.size() == 1) {
    answer = matrices(points[0].controller);
  } else {
    for (const ControllerPoint& point : points) {
      nlohmann::json one = matrices(point.controller);
      one["t"] = point.t;
      answer["points"].push_back(one);
    }
  }
  answer["states"] = points[0].controller.states;
  answer["inputs"] = points[0].controller.inputs;
  answer["outputs"] = points[0].controller.outputs;
  return detail::json_text(answer, -1) + "\n";
}

void check_points(const GainsOptions& options, const Model& model, const std::vector<ControllerPoint>& points) {
  if (!model.replaced.empty())
    throw InputError(
        "--write: values that --set replaces by their path cannot be part of the new file; write them into the model");
  if (points.size() > 1 && !options.reduce.empty())
    throw InputError(
        "--write: the states of smaller models mean something else at each time and cannot be interpolated; leave out "
        "--reduce, or give one time");
  for (const ControllerPoint& point : points) {
    if (point.controller.states != points[0].controller.states ||
        point.controller.inputs != points[0].controller.inputs)
      throw InputError(fmt::format(
          "--write: at t = {} s other coordinates are independent than at t = {} s; controllers of both cannot be "
          "interpolated",
          point.t, points[0].t));
  }
  for (const LinearModel::Signal& motor : points[0].motors)
    if (!motor.name.starts_with("tau."))
      throw InputError(fmt::format("--write: '{}' is a load; only motors can be controlled in a run", motor.name));
  const bool has_feedback = std::any_of(model.drives.begin(), model.drives.end(),
                                        [](const Drive& drive) { return drive.kp != 0.0 || drive.kd != 0.0; });
  if (options.open && has_feedback)
    throw InputError(
        "--write: --open leaves out the feedback of drives, which the model would still have; take it out there");
}

}  // namespace

void check_controller_file(const GainsOptions& options) {
  if (options.write.empty()) return;
  if (!options.write.ends_with(".yaml"))
    throw InputError(fmt::format("{}: the name of a model file ends in .yaml", options.write));
  require_folder(options.write);
  if (options.sensors.empty() && !options.integral.empty())
    throw InputError("--write with --integral needs --sensors, which measure what is integrated");
  if ((options.at.size() > 1 || !options.over.empty()) && !(options.sample > 0.0))
    throw InputError("--write of gains at several times or poses needs --sample: controllers that change are sampled");
}

void write_controller_file(const GainsOptions& options, const Model& model, const std::vector<ControllerPoint>& points,
                           const std::vector<GridAxis>& axes) {
  check_points(options, model, points);
  const fs::path file(options.write);
  const fs::path beside = fs::path(file).replace_extension(".json");
  std::string sensors, inputs, schedule;
  std::vector<std::string> given;
  const bool known = is_motion_known(model);
  for (std::size_t i = 0; i < points[0].measured.size(); ++i) {
    const MeasuredSignal signal = signal_of(model, points[0].measured[i].name);
    if (!signal.sensor.empty() && sensors.find("  " + signal.sensor + "\n") == std::string::npos)
      sensors += "  " + signal.sensor + "\n";
    given.push_back(input_text(model, points, i, signal, known));
    if (!axes.empty() && !counts_from_motion(given.back())) given.back() = signal.signal;
    inputs += "      - " + given.back() + "\n";
  }
  for (const GridAxis& axis : axes) {
    schedule += schedule.empty() ? ", schedule: [" : ", ";
    schedule += encoder_of(model, axis.joint, sensors);
  }
  if (!schedule.empty()) schedule += "]";
  std::vector<std::string> motors;
  for (const LinearModel::Signal& motor : points[0].motors) motors.push_back(motor.name.substr(4));
  std::string text = fmt::format("# State feedback{}, by lithe gains; matrices in {}.\nlithe: 1\n",
                                 options.sensors.empty() ? "" : " with an observer", beside.filename().string());
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  text += fmt::format("name: {}\ninclude: {}\n", detail::json_text(nlohmann::json(model.name + ", controlled")),
                      detail::json_text(nlohmann::json(fs::proximate(model.path, folder).string())));
  std::string parameters;
  for (const auto& [name, value] : parse_sets(options.model.sets))
    parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", name, value);
  if (!parameters.empty()) text += fmt::format("parameters: {{{}}}\n", parameters);
  if (!sensors.empty()) text += "sensors:\n" + sensors;
  const std::string holding = holding_drives(model, points[0]);
  if (axes.empty()) text += holding;  // else the controllers know what holds each pose
  text += "controllers:\n  gains:\n";
  if (options.sample > 0.0) text += fmt::format("    sample: {}\n", options.sample);
  if (options.delay > 0.0) text += fmt::format("    delay: {}\n", options.delay);
  text += fmt::format("    drives: [{}]\n    inputs:\n{}    state-space: {{file: {}{}}}\n", fmt::join(motors, ", "),
                      inputs, detail::json_text(nlohmann::json(beside.filename().string())), schedule);
  write_file(beside.string(), axes.empty() ? matrices_text(points) : grid_text(model, points, axes, given),
             model.files);
  write_file(file.string(), text, model.files);
}

}  // namespace lithe::cli
