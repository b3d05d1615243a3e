#include "lithe/simulation/sensor.hpp"

namespace lithe {

const std::vector<SensorFacts>& sensor_table() {
  static const std::vector<SensorFacts> table{
      {SensorKind::encoder, "encoder", {""}, false},
      {SensorKind::tachometer, "tachometer", {""}, false},
      {SensorKind::tracker, "tracker", {".x", ".y", ".z"}, false},
      {SensorKind::gyro, "gyro", {".x", ".y", ".z"}, false},
      {SensorKind::accelerometer, "accelerometer", {".x", ".y", ".z"}, true},
      {SensorKind::strain_gauge, "strain-gauge", {""}, true},
      {SensorKind::force_torque,
       "force-torque",
       {".force.x", ".force.y", ".force.z", ".moment.x", ".moment.y", ".moment.z"},
       true},
  };
  return table;
}

const SensorFacts& facts_of(SensorKind kind) { return sensor_table()[static_cast<std::size_t>(kind)]; }

std::vector<std::string> Sensor::signals() const {
  std::vector<std::string> names;
  for (const std::string_view part : facts_of(kind).signals) names.push_back(name + std::string(part));
  return names;
}

}  // namespace lithe
