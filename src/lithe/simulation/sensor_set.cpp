#include "lithe/simulation/sensor_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/controller_set.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

/// Part of a delay after which a sample can be read: who asks just then, rounding aside, gets it.
constexpr double in_time = 1.0 - 1e-9;

/// Well mixed bits of a number (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// In (0, 1).
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53; }

/// Normal deviate that belongs to a seed, a sample and a part: the same whatever else a run does.
double normal(std::uint64_t seed, std::uint64_t k, std::uint64_t part) {
  const std::uint64_t source = mixed(mixed(seed) + mixed(8 * k + part));
  return std::sqrt(-2.0 * std::log(uniform(mixed(source)))) *
         std::cos(2.0 * std::numbers::pi * uniform(mixed(source + 1)));
}

/// "boom.e1", where the boom is rigid.
bool is_bending_of_rigid_link(const Mechanism& mechanism, const std::string& name) {
  const std::size_t dot = name.rfind(".e");
  if (dot == std::string::npos || joint_coordinate(mechanism, name).first >= 0) return false;
  const int link = mechanism.find_link(name.substr(0, dot));
  return link > 0 && mechanism.links[link].elastic.count() == 0;
}

}  // namespace

SensorSet::SensorSet(const Model& model, const Plan& plan, Workspace& work) : plan_(plan), work_(work) {
  for (const Sensor& sensor : model.sensors) {
    Station station;
    station.sensor = &sensor;
    if (!sensor.joint.empty()) find_joint(station);
    if (sensor.kind == SensorKind::strain_gauge) find_place(station);
    const std::vector<std::string> names = sensor.signals();
    for (std::size_t i = 0; i < names.size(); ++i)
      signals_.push_back({names[i], static_cast<int>(stations_.size()), static_cast<int>(i)});
    needs_accelerations_ = needs_accelerations_ || facts_of(sensor.kind).needs_accelerations;
    stations_.push_back(std::move(station));
  }
}

void SensorSet::find_joint(Station& station) {
  const Sensor& sensor = *station.sensor;
  if (sensor.kind == SensorKind::force_torque) {
    station.joint = plan_.mechanism().find_joint(sensor.joint);
    if (station.joint < 0)
      throw MechanismError(sensor.name, fmt::format("sensor '{}': there is no joint '{}'", sensor.name, sensor.joint));
    return;
  }
  if (is_bending_of_rigid_link(plan_.mechanism(), sensor.joint)) return;  // it reads zero
  station.speed = speed_named(plan_, sensor.joint);
  station.position = coordinate_place(plan_, station.speed);
  const auto [joint, coordinate] = joint_coordinate(plan_.mechanism(), sensor.joint);
  station.turns = joint >= 0 && plan_.mechanism().joints[joint].facts().is_angle(coordinate);
  if (station.position < 0 && sensor.kind == SensorKind::encoder)
    throw MechanismError(sensor.name,
                         fmt::format("sensor '{}': '{}' is part of a rotation in space, which has no scalar "
                                     "coordinate to measure",
                                     sensor.name, sensor.joint));
}

/// The sections on both sides of the gauge.
void SensorSet::find_place(Station& station) {
  const Sensor& sensor = *station.sensor;
  station.link = plan_.mechanism().find_link(sensor.link);
  const std::vector<SectionForces>* places =
      station.link < 0 ? nullptr : &plan_.mechanism().links[station.link].elastic.section_forces;
  if (places == nullptr)
    throw MechanismError(sensor.name, fmt::format("sensor '{}': there is no link '{}'", sensor.name, sensor.link));
  if (places->empty()) return;  // of a rigid link the gauge says nothing
  // Sections stand one after the other along the axis, from its root on.
  const int count = static_cast<int>(places->size());
  double along = 0.0;
  station.place = station.next_place = 0;
  for (int k = 0; k + 1 < count; ++k) {
    const double step = ((*places)[k + 1].position - (*places)[k].position).norm();
    if (step == 0.0) continue;
    station.place = k;
    station.next_place = k + 1;
    station.next_share = (sensor.at - along) / step;
    along += step;
    if (along >= sensor.at) break;
  }
  if (!recovery_) recovery_.emplace(plan_);
}

int SensorSet::signal(const std::string& name, const std::string& reader) const {
  const auto found =
      std::find_if(signals_.begin(), signals_.end(), [&](const Signal& each) { return each.name == name; });
  if (found != signals_.end()) return static_cast<int>(found - signals_.begin());
  std::vector<std::string> known;
  for (const Signal& each : signals_) known.push_back(each.name);
  throw MechanismError(reader, fmt::format("controller '{}': no sensor gives the signal '{}'{}", reader, name,
                                           did_you_mean(name, known)));
}

void SensorSet::read(const Station& station, const State& state, const VectorX& a, const Actions& actions,
                     std::vector<double>& values) {
  const Sensor& sensor = *station.sensor;
  // In the mirror S = diag(1, -1, 1) vectors become S v, those of a rotation -S v.
  const auto put = [&](Vec3 vector, bool axial = false) {
    if (sensor.mirrored) vector = (axial ? Vec3(-1, 1, -1) : Vec3(1, -1, 1)).cwiseProduct(vector);
    values.insert(values.end(), vector.data(), vector.data() + 3);
  };
  const auto own_axes = [&](FrameRef frame) -> Mat3 {
    return frame_pose(plan_, work_, state.q, frame).rotation.transpose();
  };
  const bool cut = station.speed >= plan_.nv();
  switch (sensor.kind) {
    case SensorKind::encoder: {
      if (station.speed < 0) return values.push_back(0.0);
      if (cut) cut_coordinates(plan_, work_, state.q, cut_q_);
      double value = cut ? cut_q_[station.position] : state.q[station.position];
      // The coordinate of a cut joint comes from poses: an angle goes on from the last sample.
      if (cut && station.turns && !station.samples.empty())
        value = station.samples.back().values[0] +
                std::remainder(value - station.samples.back().values[0], 2.0 * std::numbers::pi);
      values.push_back(value);
      return;
    }
    case SensorKind::tachometer:
      if (station.speed < 0) return values.push_back(0.0);
      if (cut) cut_speeds(plan_, work_, state, cut_v_);
      values.push_back(cut ? cut_v_[station.speed - plan_.nv()] : state.v[station.speed]);
      return;
    case SensorKind::tracker:
      return put(sensor.base.rotation.transpose() *
                 (frame_pose(plan_, work_, state.q, sensor.frame).position - sensor.base.position));
    case SensorKind::gyro:
      return put(own_axes(sensor.frame) * frame_velocity(plan_, work_, state, sensor.frame).angular, true);
    case SensorKind::accelerometer:
      return put(own_axes(sensor.frame) *
                 (frame_acceleration(plan_, work_, state, a, sensor.frame).linear - plan_.mechanism().gravity));
    case SensorKind::strain_gauge: {
      if (station.place < 0) return values.push_back(0.0);
      recovery_->update(state, a, actions);
      const SectionForce here = recovery_->forces(station.link, station.place),
                         next = recovery_->forces(station.link, station.next_place);
      double strain = 0.0;
      for (int c = 0; c < 6; ++c)
        strain += sensor.strain_per_force[c] * (here[c] + station.next_share * (next[c] - here[c]));
      values.push_back(strain);
      return;
    }
    case SensorKind::force_torque: {
      const Wrench wrench = joint_reactions(plan_, work_, state, a, actions)[station.joint];
      const Mat3 axes = own_axes(plan_.mechanism().joints[station.joint].to);
      put(axes * wrench.force);
      return put(axes * wrench.moment, true);
    }
  }
}

void SensorSet::measure(const State& state, const VectorX& a, const Actions& actions, std::vector<double>& values) {
  for (const Station& station : stations_) read(station, state, a, actions, values);
}

bool SensorSet::turns(int signal) const {
  const Station& station = stations_[sensor_of(signal)];
  return station.turns && station.speed >= plan_.nv() && station.sensor->kind == SensorKind::encoder;
}

double SensorSet::exact(int number, const State& state, const VectorX& a, const Actions& actions) {
  const Signal& signal = signals_[number];
  const Station& station = stations_[signal.sensor];
  one_.clear();
  read(station, state, a, actions, one_);
  return one_[signal.part] + station.sensor->bias;
}

void SensorSet::sample(int number, long k, const State& state, const VectorX& a, const Actions& actions) {
  Station& station = stations_[number];
  const Sensor& sensor = *station.sensor;
  // What nobody can read any more gives its memory to the new sample.
  Sample fresh{state.t + in_time * sensor.delay, {}};
  while (station.samples.size() > 1 && station.samples[1].readable <= state.t) {
    fresh.values.swap(station.samples.front().values);
    station.samples.pop_front();
  }
  fresh.values.clear();
  read(station, state, a, actions, fresh.values);
  for (std::size_t i = 0; i < fresh.values.size(); ++i) {
    double& value = fresh.values[i];
    value += sensor.bias;
    if (sensor.noise > 0.0) value += sensor.noise * normal(sensor.seed, static_cast<std::uint64_t>(k), i);
    if (sensor.resolution > 0.0) value = sensor.resolution * std::round(value / sensor.resolution);
  }
  station.samples.push_back(std::move(fresh));
}

double SensorSet::value(int number, double t) const {
  const Signal& signal = signals_[number];
  const std::deque<Sample>& samples = stations_[signal.sensor].samples;
  std::size_t newest = 0;
  while (newest + 1 < samples.size() && samples[newest + 1].readable <= t) ++newest;
  return samples[newest].values[signal.part];
}

std::vector<std::string> SensorSet::columns() const {
  std::vector<std::string> names;
  for (const Signal& signal : signals_)
    names.push_back(fmt::format("{}.{}", facts_of(stations_[signal.sensor].sensor->kind).name, signal.name));
  return names;
}

}  // namespace lithe::detail
