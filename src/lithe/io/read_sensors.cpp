// sensors.

#include <fmt/format.h>

#include "lithe/io/control_items.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/links/beam_parts.hpp"

namespace lithe::io {

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
        if (!name || joint_named(*name, *given) < 0) return false;
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

}  // namespace lithe::io
