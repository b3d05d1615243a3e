#pragma once
// An element asked by itself: frames that move as the test says.

#include <vector>

#include "lithe/mechanism/element.hpp"

namespace lithe::testing {

/// An answer with the memory behind it.
struct OwnAnswer {
  std::vector<Wrench> wrenches;
  std::vector<double> forces, rates, values, switches;
  double stored = 0.0, lost = 0.0, supplied = 0.0;
};

inline OwnAnswer ask(const Element& element, double t, const std::vector<FrameMotion>& frames) {
  OwnAnswer own;
  own.wrenches.resize(element.frames().size());
  own.values.resize(element.columns().size());
  own.switches.resize(element.switches().size());
  ElementAnswer answer;
  answer.wrenches = own.wrenches;
  answer.values = own.values;
  answer.switches = own.switches;
  ElementMotion motion;
  motion.t = t;
  motion.frames = frames;
  element.act(motion, answer);
  own.stored = answer.stored;
  own.lost = answer.lost;
  own.supplied = answer.supplied;
  return own;
}

/// The frames `h` seconds later at constant velocities.
inline std::vector<FrameMotion> later(std::vector<FrameMotion> frames, double h) {
  for (FrameMotion& frame : frames) {
    frame.pose.position += h * frame.velocity;
    frame.pose.rotation = rotation_from_vector(h * frame.omega) * frame.pose.rotation;
  }
  return frames;
}

/// Power of the forces, plus what is lost and stored, less what is supplied: zero. The rate of the stored energy is taken
/// by central differences of fourth order.
inline double unbalanced_power(const Element& element, double t, const std::vector<FrameMotion>& frames,
                               double h = 1e-3) {
  const OwnAnswer now = ask(element, t, frames);
  double power = now.lost - now.supplied;
  for (std::size_t i = 0; i < frames.size(); ++i)
    power += now.wrenches[i].force.dot(frames[i].velocity) + now.wrenches[i].moment.dot(frames[i].omega);
  const auto stored = [&](double step) { return ask(element, t + step, later(frames, step)).stored; };
  return power + (8.0 * (stored(h) - stored(-h)) - (stored(2 * h) - stored(-2 * h))) / (12.0 * h);
}

}  // namespace lithe::testing
