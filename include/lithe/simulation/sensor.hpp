#pragma once
// Sensors: what a controller is told of the motion, at sample instants, late and not quite right.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

enum class SensorKind {
  encoder,        ///< coordinate of a joint, rad or m
  tachometer,     ///< its speed
  tracker,        ///< position of a frame, ground axes, m
  gyro,           ///< angular velocity of a frame in its own axes, rad/s
  accelerometer,  ///< acceleration of a frame minus gravity, in its own axes, m/s^2
  strain_gauge,   ///< strain at a place of an elastic link, along its axis
  force_torque    ///< what the from-side of a joint exerts on its to-frame, in the axes of that frame, N and N m
};

struct SensorFacts {
  SensorKind kind;
  std::string_view name;                  ///< as in model files and in the names of columns
  std::vector<std::string_view> signals;  ///< ".x", ...; one without a name: ""
  bool needs_accelerations;               ///< the forces that act matter
};
const std::vector<SensorFacts>& sensor_table();
const SensorFacts& facts_of(SensorKind kind);

struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::encoder;
  std::string joint;                         ///< of encoder, tachometer ("wrist.1": one of several) and force-torque
  FrameRef frame;                            ///< of tracker, gyro and accelerometer
  std::string link;                          ///< of a strain gauge
  double at = 0.0;                           ///< distance along the axis of that link, m
  std::array<double, 6> strain_per_force{};  ///< of it, per N, Q_y, Q_z, M_x, M_y, M_z there

  Pose base;  ///< of a tracker: its positions are those in these axes (given in ground axes)
  bool mirrored =
      false;  ///< frames and links are mirror images (y of their own axes): it reads what the originals would

  /// Period, s; 0: that of the fastest controller which reads it, or the interval of recording.
  double sample = 0.0;
  double delay = 0.0;       ///< until a sample can be read, s
  double noise = 0.0;       ///< standard deviation of each sample, normal and independent
  double bias = 0.0;        ///< added to each sample
  double resolution = 0.0;  ///< samples are multiples of it; 0: exact
  std::uint64_t seed = 1;   ///< of the noise

  /// "NAME", or "NAME.x" and so on, as controllers call them.
  std::vector<std::string> signals() const;
};

}  // namespace lithe
