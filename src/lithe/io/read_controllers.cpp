// controllers: when they act, on which motors, with what.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/control/linear_controller.hpp"
#include "lithe/io/control_items.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/model_based_control.hpp"

namespace lithe::io {

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

}  // namespace lithe::io
