// The laws of controllers, and the signals that they are given.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/control/linear_controller.hpp"
#include "lithe/control/pid.hpp"
#include "lithe/io/control_items.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/model_based_control.hpp"

namespace lithe::io {

bool ModelBuilder::read_pid(const Item& item, SampledController& controller) {
  const auto pid = reader_.object(item, "pid");
  if (!pid || pid->incomplete) return false;
  const std::size_t count = controller.drives.size();
  bool good = true;
  const auto each = [&](const char* key, const std::string& type) {
    const auto given = pid->get(key);
    std::vector<Item> items = given ? one_or_more(*given, type, reader_) : std::vector<Item>{};
    if (given && items.size() != count) {
      good = false;
      if (!items.empty())
        reader_.complain(*given, fmt::format("the controller has {} outputs and needs as many here, but these are {}",
                                             count, items.size()));
    }
    return items;
  };
  const std::vector<Item> measured = each("measure", "text"), rates = each("rate", "text"),
                          follow = each("follow", "law");
  std::vector<PidGains> gains(count);
  const auto take = [&](const char* key, double PidGains::*gain) {
    const auto given = pid->get(key);
    const auto values = given ? for_each_output(*given, count) : std::nullopt;
    good = good && (!given || values);
    for (std::size_t i = 0; i < count && values; ++i) gains[i].*gain = (*values)[i];
  };
  take("kp", &PidGains::kp);
  take("ki", &PidGains::ki);
  take("kd", &PidGains::kd);
  if (!pid->has("kp") && !pid->has("ki") && !pid->has("kd")) {
    reader_.complain_key(item, "'pid' needs gains: kp, ki or kd");
    return false;
  }
  if (const auto given = pid->get("filter")) {
    const auto bandwidth = reader_.number(*given);
    good = good && bandwidth;
    for (PidGains& gain : gains) gain.filter = bandwidth.value_or(0.0) * hertz;
  }
  if (!good) return false;
  for (std::size_t i = 0; i < count; ++i) {
    auto input = control_signal(measured[i]);
    auto rate = rates.empty() ? std::nullopt : control_signal(rates[i]);
    if (!input || (!rates.empty() && !rate)) return false;
    gains[i].measures_rate = rate.has_value();
    if (!follow.empty()) {
      if (rate) {
        reader_.complain_key(*pid->get("rate"),
                             "with 'follow' the rate is found by differences; leave 'rate' out, or give "
                             "the joint a drive with 'follow', by: controllers");
        return false;
      }
      auto wanted = law(follow[i]);
      if (!wanted) return false;
      input->minus = std::move(*wanted);
    } else if (!take_wanted_motion(measured[i], *input)) {
      return false;
    }
    input->reversed = true;
    if (rate) {
      rate->wanted = input->wanted;
      rate->derivative = 1;
      rate->reversed = true;
    }
    controller.inputs.push_back(std::move(*input));
    if (rate) controller.inputs.push_back(std::move(*rate));
  }
  controller.begin = [gains, sample = controller.sample](const ControlSite&) {
    return std::make_unique<Pid>(gains, sample);
  };
  if (controller.sample > 0.0) return true;
  try {
    const ContinuousPid trial(gains);
  } catch (const MechanismError& error) {
    reader_.complain_key(item, error.what());
    return false;
  }
  continuous_law_ = [gains](const ControlSite&) { return std::make_unique<ContinuousPid>(gains); };
  return true;
}

bool ModelBuilder::read_model_based_law(const Object& object, SampledController& controller) {
  using Kind = ModelBasedGains::Kind;
  ModelBasedGains gains;
  std::optional<Item> item;
  for (const auto& [key, kind] :
       {std::pair{"computed-torque", Kind::computed_torque}, std::pair{"gravity-compensation", Kind::gravity},
        std::pair{"passivity", Kind::passivity}})
    if (const auto given = object.get(key)) {
      item = given;
      gains.kind = kind;
    }
  const auto law = reader_.object(*item, item->type);
  if (!law || law->incomplete) return false;
  const std::size_t count = controller.drives.size();
  const auto kp = for_each_output(*law->get("kp"), count), kd = for_each_output(*law->get("kd"), count);
  if (!kp || !kd) return false;
  gains.kp = *kp;
  gains.kd = *kd;
  std::vector<Item> measured, rates;
  for (const auto& [key, list] : {std::pair{"measure", &measured}, std::pair{"rate", &rates}}) {
    const auto given = law->get(key);
    *list = one_or_more(*given, "text", reader_);
    if (list->size() == count) continue;
    if (!list->empty())
      reader_.complain(*given, fmt::format("the controller has {} outputs and needs as many here, but these are {}",
                                           count, list->size()));
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    auto place = control_signal(measured[i]), rate = control_signal(rates[i]);
    ControlInput wanted;
    wanted.reversed = true;
    if (!place || !rate) return false;
    wanted.signal = place->signal;  // to find out what is wanted of it
    if (!take_wanted_motion(measured[i], wanted)) return false;
    wanted.signal.clear();
    controller.inputs.push_back(std::move(*place));
    controller.inputs.push_back(std::move(*rate));
    for (wanted.derivative = 0; wanted.derivative < 3; ++wanted.derivative) controller.inputs.push_back(wanted);
  }
  controller.begin = [gains, drives = controller.drives](const ControlSite& site) {
    return std::make_unique<ModelBasedControl>(site, drives, gains);
  };
  return true;
}

/// What the drives want of the joint that an encoder measures.
bool ModelBuilder::take_wanted_motion(const Item& item, ControlInput& input) {
  const auto sensor = std::find_if(model_.sensors.begin(), model_.sensors.end(),
                                   [&](const Sensor& each) { return each.name == input.signal; });
  const bool is_encoder = sensor != model_.sensors.end() && sensor->kind == SensorKind::encoder;
  const auto wants = [&](const Drive& drive) {
    const bool several = speed_count(model_.mechanism.joints[model_.mechanism.find_joint(drive.joint)].type) > 1;
    const std::string name = several ? fmt::format("{}.{}", drive.joint, drive.coordinate) : drive.joint;
    return is_encoder && (name == sensor->joint || name + std::string(rotor_suffix) == sensor->joint) &&
           (drive.wants_motion() || drive.is_led());
  };
  if (is_encoder && std::any_of(model_.drives.begin(), model_.drives.end(), wants)) {
    input.wanted = sensor->joint;
    return true;
  }
  reader_.complain(item, is_encoder
                             ? fmt::format("nothing is wanted of joint '{}'; add 'follow' here, or give the joint a "
                                           "drive with 'follow', by: controllers",
                                           sensor->joint)
                             : "nothing is wanted of this signal; add 'follow'");
  return false;
}

/// Signals of the motors: their places and speeds, one after the other.
bool ModelBuilder::read_motor_signals(const Object& law, SampledController& controller) {
  const std::size_t count = controller.drives.size();
  std::vector<ControlInput> signals[2];
  int part = 0;
  for (const char* key : {"measure", "rate"}) {
    const auto given = law.get(key);
    const std::vector<Item> items = one_or_more(*given, "text", reader_);
    if (items.size() != count) {
      if (!items.empty())
        reader_.complain(*given, fmt::format("the controller has {} outputs and needs as many here, but these are {}",
                                             count, items.size()));
      return false;
    }
    for (const Item& item : items) {
      auto signal = control_signal(item);
      if (!signal) return false;
      signals[part].push_back(std::move(*signal));
    }
    ++part;
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::vector<ControlInput>& list : signals) controller.inputs.push_back(std::move(list[i]));
  return true;
}

bool ModelBuilder::read_task_law(const Item& item, SampledController& controller) {
  const auto law = reader_.object(item, "task-law");
  if (!law || law->incomplete) return false;
  ModelBasedGains gains;
  gains.kind = ModelBasedGains::Kind::task;
  const auto place = frame(*law->get("frame"));
  if (!place) return false;
  const LinkData& link = model_.mechanism.links[place->link];
  const std::string& name = link.frames[place->frame].name;
  const auto path = std::find_if(model_.paths.begin(), model_.paths.end(),
                                 [&](const PathDrive& each) { return each.link == link.name && each.frame == name; });
  if (path == model_.paths.end()) {
    reader_.complain(
        *law->get("frame"),
        fmt::format("no path is wanted of '{}/{}'; give it one under 'drives', by: controllers", link.name, name));
    return false;
  }
  gains.path = *path;
  gains.path.task = {};
  bool good = true;
  for (const auto& [key, target] :
       {std::pair{"kp", &gains.path.task.kp}, std::pair{"kd", &gains.path.task.kd},
        std::pair{"turn-kp", &gains.path.task.turn_kp}, std::pair{"turn-kd", &gains.path.task.turn_kd}}) {
    const auto given = law->get(key);
    const auto value = given ? reader_.number(*given) : std::nullopt;
    good = good && (!given || value);
    if (value) *target = *value;
  }
  if (!good || !read_motor_signals(*law, controller)) return false;
  controller.begin = [gains, drives = controller.drives](const ControlSite& site) {
    return std::make_unique<ModelBasedControl>(site, drives, gains);
  };
  return true;
}

bool ModelBuilder::read_linear_law(const Object& object, SampledController& controller) {
  const auto inputs = object.get("inputs");
  const auto gain = object.get("gain"), system = object.get("state-space");
  if (!inputs) {
    reader_.complain_key(gain ? *gain : *system, "what shall it be given? Add 'inputs'");
    return false;
  }
  const auto list = reader_.list(*inputs, 1);
  bool good = list.has_value();
  for (const Item& each : list.value_or(std::vector<Item>{})) {
    auto input = control_input(each);
    good = good && input;
    if (input) controller.inputs.push_back(std::move(*input));
  }
  std::vector<ScheduledSystem> points(1);
  const auto rows = std::ssize(controller.drives),
             columns = std::ssize(controller.inputs);
  if (gain) {
    const auto given = matrix(*gain, reader_);
    if (!given || !good) return false;
    points[0].system = {MatrixX(0, 0), MatrixX(0, columns), MatrixX(rows, 0), -*given, controller.sample, {}, {}, {}};
  } else if (!read_control_matrices(*system, rows, columns, points) || !good) {
    return false;
  }
  const Item& place = gain ? *gain : *system;
  if (grid_law_) return take_grid_law(*system, controller);
  for (const ScheduledSystem& point : points) {
    const StateSpace& each = point.system;
    std::string why;
    const auto expect = [&](const char* name, const MatrixX& given, Eigen::Index height, Eigen::Index width) {
      if (why.empty() && (given.rows() != height || given.cols() != width))
        why = fmt::format("{} is {} x {}, but must be {} x {}", name, given.rows(), given.cols(), height, width);
    };
    if (each.D.rows() != rows || each.D.cols() != columns)
      why = fmt::format("{} is {} x {}, but there are {} outputs and {} inputs", gain ? "gain" : "D", each.D.rows(),
                        each.D.cols(), rows, columns);
    expect("A", each.A, each.A.rows(), each.A.rows());
    expect("B", each.B, each.A.rows(), columns);
    expect("C", each.C, rows, each.A.rows());
    if (why.empty()) continue;
    reader_.complain_key(place, why);
    return false;
  }
  try {
    const LinearController trial(points);
  } catch (const MechanismError& error) {
    reader_.complain_key(place, error.what());
    return false;
  }
  controller.begin = [points](const ControlSite&) { return std::make_unique<LinearController>(points); };
  if (controller.sample > 0.0 || gain) return true;
  if (points.size() > 1) {
    reader_.complain_key(place, "matrices that change over time belong to controllers with a 'sample' time");
    return false;
  }
  continuous_law_ = [system = points[0].system](const ControlSite&) {
    return std::make_unique<ContinuousLinear>(system);
  };
  return true;
}

/// A law on a grid, with the signals that say where the machine is behind its other inputs.
bool ModelBuilder::take_grid_law(const Item& item, SampledController& controller) {
  const auto object = reader_.object(item, "control-matrices");
  const auto schedule = object ? object->get("schedule") : std::nullopt;
  if (!schedule) {
    reader_.complain_key(item, "which signals say where on the grid of the file the machine is? Add 'schedule'");
    return false;
  }
  const auto list = reader_.list(*schedule, 1);
  if (!list) return false;
  if (list->size() != grid_axes_) {
    reader_.complain(
        *schedule, fmt::format("the grid of the file has {} axes, but these are {} signals", grid_axes_, list->size()));
    return false;
  }
  for (const Item& each : *list) {
    auto signal = control_signal(each);
    if (!signal) return false;
    controller.inputs.push_back(std::move(*signal));
  }
  if (controller.sample == 0.0) {
    reader_.complain_key(item, "matrices on a grid belong to controllers with a 'sample' time");
    return false;
  }
  controller.begin = grid_law_;
  return true;
}

std::optional<ControlInput> ModelBuilder::control_input(const Item& item) {
  if (item.node->kind != Node::Kind::map) return control_signal(item);
  const auto object = reader_.object(item, "control-input");
  if (!object || object->incomplete) return std::nullopt;
  auto input = control_signal(*object->get("of"));
  if (!input) return std::nullopt;
  if (const auto minus = object->get("minus")) {
    auto given = law(*minus);
    if (!given) return std::nullopt;
    input->minus = std::move(*given);
  }
  if (const auto wanted = object->get("wanted")) {
    const auto name = reader_.text(*wanted);
    if (!name) return std::nullopt;
    const bool bends = is_elastic_coordinate({*name, *wanted});
    if (!bends && !joint_coordinate({*name, *wanted}, speed_count)) return std::nullopt;
    if (!bends || !options_.rigid) input->wanted = *name;
  }
  if (const auto expected = object->get("expected")) {
    const auto flag = reader_.flag(*expected);
    if (!flag) return std::nullopt;
    input->expected = *flag;
    if (*flag && (object->has("minus") || object->has("wanted"))) {
      reader_.complain_key(*expected,
                           "what the sensor is expected to read is all that is subtracted; leave the other out");
      return std::nullopt;
    }
  }
  if (const auto rate = object->get("rate")) {
    const auto flag = reader_.flag(*rate);
    if (!flag) return std::nullopt;
    input->derivative = *flag ? 1 : 0;
  }
  return input;
}

}  // namespace lithe::io
