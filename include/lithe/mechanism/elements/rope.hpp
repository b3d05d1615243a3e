#pragma once
// A rope: pulls, never pushes.

#include "lithe/laws/law.hpp"
#include "lithe/mechanism/element.hpp"

namespace lithe {

struct RopeData {
  /// From one end, where a winch would be, over pulleys to the other end: points over which the rope runs. A frame may
  /// come more than once, so that a tackle has several falls.
  std::vector<FrameRef> through;
  Law free_length;         ///< without force, m; of a winch a law of time
  double stiffness = 0.0;  ///< EA: force by strain, N
  double damping = 0.0;    ///< force by rate of strain, N s
  double friction = 0.0;   ///< coefficient between the rope and its pulleys, which stand still in their frames
  double creep = 0.01;     ///< speed over a pulley at which that friction is full but for 24 %, m/s
};

/// A massless elastic rope over points, whose free length L may change with time. With its length l and its strain
/// e = l/L - 1 the tension is EA e + D e' while e > 0, and never negative. Its winch carries strain away with what it
/// winds up: the power that it supplies is net of that.
///
/// With friction that is the mean over the length, and the falls have tensions of their own: behind a pulley around
/// which the rope turns by the angle b and over which it runs at speed v the tension is exp(friction b tanh(v/creep))
/// times that before it. The strain is taken as even, so that the friction has to be small against the stiffness.
class Rope : public Element {
 public:
  Rope(std::string name, RopeData data) : Element("rope", std::move(name)), data_(std::move(data)) {}

  const RopeData& data() const { return data_; }
  bool has_winch() const;

  std::vector<FrameRef> frames() const override { return data_.through; }
  /// Tension (N; at the first end), length and free length (m); with friction the tension at the other end; with a winch
  /// its power (W).
  std::vector<std::string> columns() const override;
  std::vector<Switch> switches() const override { return {{"taut", "slack"}}; }
  std::vector<double> breakpoints() const override { return data_.free_length.breakpoints(); }
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  struct Falls;

  RopeData data_;
};

}  // namespace lithe
