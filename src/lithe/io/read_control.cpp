// sensors, controllers.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>

#include "lithe/control/filters.hpp"
#include "lithe/control/grid_controller.hpp"
#include "lithe/control/linear_controller.hpp"
#include "lithe/control/pid.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/simulation/model_based_control.hpp"

namespace lithe::io {
namespace {

constexpr double hertz = 2.0 * std::numbers::pi;
constexpr std::string_view rotor_suffix = ".rotor";  ///< of the joint of a rotor behind an elastic gear

/// The items of a value that is one or a list of them.
std::vector<Item> one_or_more(const Item& item, const std::string& type, Reader& reader) {
  Item single = item;
  single.type = type;
  if (item.node->kind != Node::Kind::list) return {single};
  Item several = item;
  several.type = "list of " + type;
  return reader.list(several, 1).value_or(std::vector<Item>{});
}

std::optional<MatrixX> matrix(const Item& item, Reader& reader) {
  const auto rows = reader.list(item, 1);
  if (!rows) return std::nullopt;
  MatrixX result;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto row = reader.numbers((*rows)[i], 1, SIZE_MAX);
    if (!row) return std::nullopt;
    const auto columns = static_cast<Eigen::Index>(row->size());
    if (i == 0) result.resize(static_cast<Eigen::Index>(rows->size()), columns);
    if (columns != result.cols()) {
      reader.complain((*rows)[i], fmt::format("the rows of a matrix are equally long, but the first has {} numbers and "
                                              "this one {}",
                                              result.cols(), columns));
      return std::nullopt;
    }
    for (Eigen::Index k = 0; k < columns; ++k) result(static_cast<Eigen::Index>(i), k) = (*row)[k];
  }
  return result;
}

/// A matrix of a JSON file: a list of rows, or of numbers for a single row.
MatrixX matrix_of(const nlohmann::json& json) {
  const auto rows = json.get<std::vector<std::vector<double>>>();
  MatrixX result(static_cast<Eigen::Index>(rows.size()), rows.empty() ? 0 : static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<Eigen::Index>(rows[i].size()) != result.cols())
      throw std::invalid_argument("rows differ in length");
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = rows[i][k];
  }
  return result;
}

/// A, B, C, D of a JSON object; without D that one.
StateSpace system_of(const nlohmann::json& json, const MatrixX& no_feedthrough) {
  StateSpace system;
  system.D = no_feedthrough;
  for (const auto& [key, target] :
       {std::pair{"A", &system.A}, std::pair{"B", &system.B}, std::pair{"C", &system.C}, std::pair{"D", &system.D}})
    if (json.contains(key)) *target = matrix_of(json.at(key));
  if (system.A.size() == 0) {  // no states: empty matrices have lost their sizes
    system.B.resize(0, system.D.cols());
    system.C.resize(system.D.rows(), 0);
  }
  return system;
}

}  // namespace

void ModelBuilder::read_sensors(const Object& root) {
  const auto item = root.get("sensors");
  const auto entries = item ? reader_.map(*item) : std::nullopt;
  if (!entries) return;
  for (const NamedItem& named : *entries) {
    check_name(named);
    sensor_items_.emplace(named.name, named.item);
    const auto object = reader_.object(named.item, "sensor");
    if (!object || object->incomplete) {
      sensors_known_ = false;
      continue;
    }
    Sensor sensor;
    sensor.name = named.name;
    if (read_sensor(*object, sensor))
      model_.sensors.push_back(std::move(sensor));
    else
      sensors_known_ = false;
  }
}

bool ModelBuilder::read_sensor(const Object& object, Sensor& sensor) {
  for (const SensorFacts& facts : sensor_table()) {
    const auto given = object.get(std::string(facts.name));
    if (!given) continue;
    sensor.kind = facts.kind;
    switch (facts.kind) {
      case SensorKind::encoder:
      case SensorKind::tachometer:
        if (!read_measured_coordinate(*given, sensor)) return false;
        break;
      case SensorKind::force_torque: {
        const auto name = reader_.text(*given);
        if (!name) return false;
        if (model_.mechanism.find_joint(*name) < 0) {
          if (joints_known_)
            reader_.complain(*given, fmt::format("unknown joint '{}'{}", *name, hint(*name, joint_names())));
          return false;
        }
        sensor.joint = *name;
        break;
      }
      case SensorKind::strain_gauge:
        if (!read_strain_gauge(object, *given, sensor)) return false;
        break;
      case SensorKind::tracker:
      case SensorKind::gyro:
      case SensorKind::accelerometer: {
        const auto place = frame(*given);
        if (!place) return false;
        sensor.frame = *place;
      }
    }
  }
  if (sensor.kind != SensorKind::strain_gauge)
    for (const char* key : {"at", "side"})
      if (const auto given = object.get(key)) {
        reader_.complain_key(*given, fmt::format("'{}' goes with 'strain-gauge'", key));
        return false;
      }
  if (const auto base = object.get("base")) {
    if (sensor.kind != SensorKind::tracker) {
      reader_.complain_key(*base, "'base' goes with 'tracker': the others measure in axes of their own");
      return false;
    }
    const auto axes = ground_frame(*base);
    if (!axes) return false;
    sensor.base = *axes;
  }
  bool good = true;
  if (const auto given = object.get("mirrored")) {
    const auto mirrored = reader_.flag(*given);
    good = mirrored.has_value();
    sensor.mirrored = mirrored.value_or(false);
  }
  for (const auto& [key, value] :
       {std::pair{"sample", &sensor.sample}, std::pair{"delay", &sensor.delay}, std::pair{"noise", &sensor.noise},
        std::pair{"bias", &sensor.bias}, std::pair{"resolution", &sensor.resolution}}) {
    const auto given = object.get(key);
    const auto number = given ? reader_.number(*given) : std::nullopt;
    good = good && (!given || number);
    if (number) *value = *number;
    const bool is_size = std::string_view(key) == "noise" || std::string_view(key) == "resolution";
    if (number && is_size && *number < 0.0) {
      reader_.complain(*given, fmt::format("expected a number that is not negative, but this is {}", *number));
      good = false;
    }
  }
  if (const auto given = object.get("seed")) {
    const auto seed = reader_.integer(*given);
    good = good && seed;
    if (seed) sensor.seed = static_cast<std::uint64_t>(*seed);
  }
  return good;
}

bool ModelBuilder::read_measured_coordinate(const Item& item, Sensor& sensor) {
  const auto name = reader_.text(item);
  if (!name) return false;
  if (is_elastic_coordinate({*name, item})) {
    sensor.joint = *name;
    return true;
  }
  if (name->ends_with(rotor_suffix)) {
    const std::string joint = name->substr(0, name->size() - rotor_suffix.size());
    if (const int index = model_.mechanism.find_joint(joint); index >= 0) {
      const auto& motor = model_.mechanism.joints[index].motor;
      const bool is_elastic = motor && motor->is_elastic();
      if (!is_elastic && !options_.rigid) {
        reader_.complain(item, fmt::format("joint '{}' has no elastic gear behind which a rotor could turn otherwise; "
                                           "measure '{}'",
                                           joint, joint));
        return false;
      }
      sensor.joint = is_elastic ? *name : joint;
      return true;
    }
  }
  const auto target = joint_coordinate({*name, item}, speed_count);
  if (!target) return false;
  const int speeds = speed_count(target->joint->type);
  if (!target->coordinate && speeds > 1) {
    reader_.complain(item, fmt::format("the {} joint '{}' has {} speeds; name one of them, e.g. {}.0",
                                       name_of(target->joint->type), *name, speeds, *name));
    return false;
  }
  sensor.joint = *name;
  return true;
}

bool ModelBuilder::read_strain_gauge(const Object& object, const Item& item, Sensor& sensor) {
  const auto name = reader_.text(item);
  if (!name) return false;
  int link = model_.mechanism.find_link(*name), pieces = 1;
  if (const auto found = segmented_.find(*name); found != segmented_.end()) std::tie(link, pieces) = found->second;
  if (link < 0) {
    if (links_known_) reader_.complain(item, fmt::format("unknown link '{}'{}", *name, hint(*name, link_names())));
    return false;
  }
  if (!stations_.contains(model_.mechanism.links[link].name)) {
    if (frames_known_[link])
      reader_.complain(item, fmt::format("link '{}' is no beam, on which a strain gauge could sit", *name));
    return false;
  }
  const auto at = object.get("at");
  if (!at) {
    reader_.complain_key(item, "say how far along the link the gauge sits; add 'at' (m)");
    return false;
  }
  auto along = place_on_axis(*at, link, pieces);
  if (!along) return false;
  for (; pieces > 1 && *along > model_.mechanism.links[link].axis.length; --pieces)
    *along -= model_.mechanism.links[link++].axis.length;
  sensor.link = model_.mechanism.links[link].name;
  sensor.at = *along;
  const auto side = object.get("side");
  const auto place = side ? reader_.numbers(*side, 2, 2) : std::vector<double>{0.0, 0.0};
  if (!place) return false;
  // Strain of a fibre: N/EA + M_y z/EI_z - M_z y/EI_y; ways of deforming that are not part of the link have none.
  const Section section = detail::section_at(stations_.at(sensor.link), *along);
  if (section.axial > 0.0) sensor.strain_per_force[0] = 1.0 / section.axial;
  if (section.bending_z > 0.0) sensor.strain_per_force[4] = (*place)[1] / section.bending_z;
  if (section.bending_y > 0.0) sensor.strain_per_force[5] = -(*place)[0] / section.bending_y;
  if (options_.rigid)
    model_.remarks.notes.push_back(fmt::format("sensor '{}' reads nothing: the links are rigid", sensor.name));
  return true;
}

void ModelBuilder::read_controllers(const Object& root) {
  const auto item = root.get("controllers");
  const auto entries = item ? reader_.map(*item) : std::nullopt;
  if (!entries) return;
  for (const NamedItem& named : *entries) {
    check_name(named);
    controller_items_.emplace(named.name, named.item);
    const auto object = reader_.object(named.item, "controller");
    if (!object || object->incomplete || !sensors_known_) continue;
    SampledController controller;
    controller.name = named.name;
    if (read_controller(*object, controller) && controller.sample > 0.0)
      model_.sampled_controllers.push_back(std::move(controller));
  }
}

bool ModelBuilder::read_controller(const Object& object, SampledController& controller) {
  bool good = true;
  const auto number = [&](const char* key, double& value) {
    const auto given = object.get(key);
    const auto read = given ? reader_.number(*given) : std::nullopt;
    good = good && (!given || read);
    if (read) value = *read;
  };
  controller.sample = 0.0;
  continuous_law_ = nullptr;
  grid_law_ = nullptr;
  number("sample", controller.sample);
  number("delay", controller.delay);
  number("from", controller.from);
  number("until", controller.until);
  const bool continuous = !object.has("sample");
  for (const char* key : {"delay", "rate-limit"})
    if (continuous && object.has(key)) {
      reader_.complain_key(*object.get(key),
                           fmt::format("'{}' belongs to controllers that act at sample instants; add 'sample'", key));
      return false;
    }
  if (const auto given = object.get("state")) {
    const auto memory = reader_.numbers(*given, 1, SIZE_MAX);
    good = good && memory;
    controller.memory = memory.value_or(std::vector<double>{});
  }
  if (good && !(controller.from < controller.until)) {
    reader_.complain(*object.get("until"), "the controller is switched off before it is switched on");
    return false;
  }
  for (const Item& each : one_or_more(*object.get("drives"), "text", reader_)) {
    const auto name = driven_motor(each);
    good = good && name;
    if (name) controller.drives.push_back(*name);
  }
  if (!good) return false;
  const std::size_t count = controller.drives.size();
  controller.limits.resize(count);
  const auto limits = [&](const char* key, auto set) {
    const auto given = object.get(key);
    const auto values = given ? for_each_output(*given, count) : std::nullopt;
    good = good && (!given || values);
    for (std::size_t i = 0; i < count && values; ++i) set(controller.limits[i], (*values)[i]);
  };
  limits("limit", [](OutputLimits& output, double value) {
    output.low = -value;
    output.high = value;
  });
  limits("rate-limit", [](OutputLimits& output, double value) { output.rate = value; });
  limits("lag", [](OutputLimits& output, double value) { output.lag = value; });
  std::vector<TransferFunction> filters;
  if (const auto given = object.get("filters")) good = read_filters(*given, controller.sample, filters) && good;
  if (const auto pid = object.get("pid"))
    good = read_pid(*pid, controller) && good;
  else if (object.has("task-pd"))
    good = read_task_law(*object.get("task-pd"), controller) && good;
  else if (object.has("computed-torque") || object.has("gravity-compensation") || object.has("passivity"))
    good = read_model_based_law(object, controller) && good;
  else
    good = read_linear_law(object, controller) && good;
  if (!good) return false;
  if (continuous) add_continuous(object, controller, filters);
  if (filters.empty() || continuous) return true;
  controller.begin = [law = controller.begin, filters, sample = controller.sample, count](const ControlSite& site) {
    std::vector<std::unique_ptr<SampledSystem>> then;
    for (const TransferFunction& filter : filters)
      then.push_back(std::make_unique<DigitalFilter>(filter, sample, static_cast<int>(count)));
    return std::make_unique<SampledChain>(law(site), std::move(then), static_cast<int>(count));
  };
  return true;
}

/// The same without samples. Model-based laws and gains have no memory: they are as they are.
void ModelBuilder::add_continuous(const Object& object, SampledController controller,
                                  const std::vector<TransferFunction>& filters) {
  ContinuousController result;
  result.name = controller.name;
  result.from = controller.from;
  result.until = controller.until;
  result.inputs = std::move(controller.inputs);
  result.drives = std::move(controller.drives);
  result.limits = std::move(controller.limits);
  result.memory = std::move(controller.memory);
  const int count = static_cast<int>(result.drives.size());
  std::vector<StateSpace> banks;
  try {
    for (const TransferFunction& filter : filters) banks.push_back(filter_bank(filter, count));
  } catch (const MechanismError& error) {
    return reader_.complain_key(*object.get("filters"), error.what());
  }
  if (continuous_law_)
    result.begin = continuous_law_;
  else
    result.begin = [law = controller.begin](const ControlSite& site) {
      return std::make_unique<ContinuousLaw>(law(site));
    };
  if (!banks.empty())
    result.begin = [law = result.begin, banks, count](const ControlSite& site) {
      std::vector<std::unique_ptr<ContinuousSystem>> then;
      for (const StateSpace& bank : banks) then.push_back(std::make_unique<ContinuousLinear>(bank));
      return std::make_unique<ContinuousChain>(law(site), std::move(then), count);
    };
  model_.continuous_controllers.push_back(std::move(result));
}

/// A joint with a motor, by name or as JOINT.k.
std::optional<std::string> ModelBuilder::driven_motor(const Item& item) {
  const auto name = reader_.text(item);
  if (!name) return std::nullopt;
  const auto target = joint_coordinate({*name, item}, speed_count);
  if (!target) return std::nullopt;
  const Joint& joint = *target->joint;
  if (!target->coordinate && speed_count(joint.type) > 1) {
    reader_.complain(item, fmt::format("the {} joint '{}' has {} speeds; name the driven ones: {}.0, {}.1, ...",
                                       lithe::name_of(joint.type), *name, speed_count(joint.type), *name, *name));
    return std::nullopt;
  }
  const auto speed = static_cast<std::size_t>(target->coordinate.value_or(0));
  if (speed >= joint.actuated.size() || !joint.actuated[speed]) {
    reader_.complain(
        item,
        fmt::format("the joint '{}' has no motor for this controller; add 'actuated: true' to the joint", joint.name));
    return std::nullopt;
  }
  return name;
}

/// One number for all outputs, or one for each.
std::optional<std::vector<double>> ModelBuilder::for_each_output(const Item& item, std::size_t count) {
  if (item.node->kind == Node::Kind::list) {
    const auto values = reader_.numbers(item, 1, SIZE_MAX);
    if (!values || values->size() == count) return values;
    reader_.complain(item, fmt::format("expected one number, or one for each of the {} outputs, but these are {}",
                                       count, values->size()));
    return std::nullopt;
  }
  const auto value = reader_.number(item);
  if (!value) return std::nullopt;
  return std::vector<double>(count, *value);
}

std::optional<ControlInput> ModelBuilder::control_signal(const Item& item) {
  const auto name = reader_.text(item);
  if (!name) return std::nullopt;
  std::vector<std::string> known;
  for (const Sensor& sensor : model_.sensors)
    for (std::string& each : sensor.signals()) known.push_back(std::move(each));
  if (std::find(known.begin(), known.end(), *name) == known.end()) {
    reader_.complain(item, known.empty() ? "there are no sensors; measure with 'sensors:'"
                                         : fmt::format("no sensor gives the signal '{}'{}", *name, hint(*name, known)));
    return std::nullopt;
  }
  ControlInput input;
  input.signal = *name;
  return input;
}

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
  const auto rows = static_cast<Eigen::Index>(controller.drives.size()),
             columns = static_cast<Eigen::Index>(controller.inputs.size());
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

bool ModelBuilder::read_control_matrices(const Item& item, Eigen::Index outputs, Eigen::Index inputs,
                                         std::vector<ScheduledSystem>& points) {
  const auto object = reader_.object(item, "control-matrices");
  if (!object || object->incomplete) return false;
  StateSpace& system = points[0].system;
  system.D = MatrixX::Zero(outputs, inputs);
  const std::pair<const char*, MatrixX*> parts[] = {
      {"A", &system.A}, {"B", &system.B}, {"C", &system.C}, {"D", &system.D}};
  if (const auto file = object->get("file")) {
    for (const auto& [key, target] : parts)
      if (const auto given = object->get(key)) {
        reader_.complain_key(*given, fmt::format("the matrices come from a file; leave '{}' or the file out", key));
        return false;
      }
    return read_control_file(*file, system.D, points);
  }
  for (const auto& [key, target] : parts) {
    const auto given = object->get(key);
    if (!given) {
      if (target == &system.D) continue;
      reader_.complain_key(item, fmt::format("a linear law with states needs A, B and C; '{}' is missing", key));
      return false;
    }
    const auto values = matrix(*given, reader_);
    if (!values) return false;
    *target = *values;
  }
  return true;
}

/// A JSON file with 'axes' and 'points': A, B, C, D, and the inputs and outputs at which they were computed.
bool ModelBuilder::read_control_grid(const Item& file, const nlohmann::json& json, const MatrixX& no_feedthrough) {
  std::vector<std::vector<double>> axes;
  std::vector<GridPoint> points;
  try {
    axes = json.at("axes").get<std::vector<std::vector<double>>>();
    for (const auto& each : json.at("points")) {
      const auto vector = [&](const char* key, Eigen::Index size) {
        if (!each.contains(key)) return VectorX(VectorX::Zero(size));
        const auto values = each.at(key).get<std::vector<double>>();
        return VectorX(Eigen::Map<const VectorX>(values.data(), std::ssize(values)));
      };
      points.push_back({system_of(each, no_feedthrough), vector("inputs_at", no_feedthrough.cols()),
                        vector("outputs_at", no_feedthrough.rows())});
    }
    const GridController trial(axes, points);
    const StateSpace& first = points[0].system;
    if (first.D.rows() != no_feedthrough.rows() || first.D.cols() != no_feedthrough.cols())
      throw MechanismError("controller",
                           fmt::format("D is {} x {}, but there are {} outputs and {} inputs", first.D.rows(),
                                       first.D.cols(), no_feedthrough.rows(), no_feedthrough.cols()));
  } catch (const std::exception& error) {
    reader_.complain(file, fmt::format("this is no file of controllers on a grid: {}", error.what()));
    return false;
  }
  grid_axes_ = axes.size();
  grid_law_ = [axes, points](const ControlSite&) { return std::make_unique<GridController>(axes, points); };
  return true;
}

/// A JSON file: A, B, C, D, or 'points', a list of these with their time t.
bool ModelBuilder::read_control_file(const Item& file, const MatrixX& no_feedthrough,
                                     std::vector<ScheduledSystem>& points) {
  const auto name = reader_.text(file);
  if (!name) return false;
  const FileText text = reader_.files.read(*file.node, beside(file.node->place, *name));
  if (!text.fault.empty()) {
    reader_.complain(file, text.fault);
    return false;
  }
  try {
    const auto json = nlohmann::json::parse(text.text);
    if (json.contains("axes")) return read_control_grid(file, json, no_feedthrough);
    if (!json.contains("points")) {
      points = {{0.0, system_of(json, no_feedthrough)}};
      return true;
    }
    points.clear();
    for (const auto& each : json.at("points"))
      points.push_back({each.at("t").get<double>(), system_of(each, no_feedthrough)});
  } catch (const std::exception& error) {
    reader_.complain(file, fmt::format("'{}' is no file of matrices A, B, C, D: {}", *name, error.what()));
    return false;
  }
  return true;
}

bool ModelBuilder::read_filters(const Item& item, double sample, std::vector<TransferFunction>& filters) {
  const auto list = reader_.list(item, 1);
  if (!list) return false;
  for (const Item& each : *list) {
    const auto filter = reader_.object(each, "control-filter");
    if (!filter || filter->incomplete) return false;
    bool good = true;
    const auto number = [&](const Object& object, const char* key, double otherwise) {
      const auto given = object.get(key);
      const auto value = given ? reader_.number(*given) : otherwise;
      good = good && value;
      return value.value_or(otherwise);
    };
    for (const char* kind : {"notch", "low-pass", "lead-lag"}) {
      const auto given = filter->get(kind);
      const auto object = given ? reader_.object(*given, kind) : std::nullopt;
      if (given && (!object || object->incomplete)) return false;
      if (!object) continue;
      TransferFunction function;
      if (std::string_view(kind) == "notch")
        function = notch(hertz * number(*object, "frequency", 1.0), number(*object, "width", 0.5),
                         number(*object, "depth", 0.0));
      else if (std::string_view(kind) == "low-pass")
        function = low_pass(hertz * number(*object, "frequency", 1.0));
      else
        function = lead_lag(hertz * number(*object, "zero", 1.0), hertz * number(*object, "pole", 1.0),
                            number(*object, "gain", 1.0));
      if (!good) return false;
      try {
        if (sample > 0.0) DigitalFilter(function, sample, 1);
      } catch (const std::invalid_argument& error) {
        reader_.complain_key(*given, fmt::format("{} ({:.6g} Hz)", error.what(), 0.5 / sample));
        return false;
      }
      filters.push_back(function);
    }
  }
  return true;
}

}  // namespace lithe::io
