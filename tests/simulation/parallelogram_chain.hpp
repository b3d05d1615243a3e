#pragma once
// A chain of parallelograms and the one pendulum that it is.
//
// count + 1 cranks of 1 m and 1 kg stand in a row, 1 m apart; count rods of 1 m and 2 kg couple their tips. All cranks
// turn alike by an angle theta against the row, the rods only move along. With L = 1 m the kinetic energy is
// I theta'^2 / 2, I = (count + 1) / 3 + 2 count, and the potential energy m g sin theta, m = (count + 1) / 2 + 2 count:
//
//   theta'' = -(m / I) g cos theta.
//
// Whenever the cranks lie in the row (sin theta = 0) all loops are singular at once.

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "simulation/models.hpp"

namespace lithe::testing {

/// Adds such a chain to a model; `tag` ends all its names.
inline void add_parallelogram_chain(Model& model, int count, double theta, double speed, const std::string& tag = "") {
  Mechanism& m = model.mechanism;
  int before = -1;
  for (int i = 0; i <= count; ++i) {
    const std::string number = std::to_string(i) + tag;
    const int crank = add_rod(m, "crank-" + number, 1.0, 1.0);
    const FrameRef foot = m.add_frame(0, "foot-" + number, at(i, 0));
    add_revolute(m, "pivot-" + number, foot, {crank, 0}, false);
    model.initial.push_back({"pivot-" + number, 0, theta});
    if (i > 0) {
      const int rod = add_rod(m, "rod-" + number, 1.0, 2.0);
      add_revolute(m, "root-" + number, {before, 1}, {rod, 0});
      add_revolute(m, "tip-" + number, {rod, 1}, {crank, 1});
      model.initial.push_back({"root-" + number, 0, -theta});
      model.initial.push_back({"tip-" + number, 0, theta});
    }
    before = crank;
  }
  model.initial_speeds.push_back({"pivot-0" + tag, 0, speed});
}

inline Model parallelogram_chain(int count, double theta, double speed) {
  Model model;
  model.mechanism.gravity = Vec3(0, -9.81, 0);
  add_parallelogram_chain(model, count, theta, speed);
  return model;
}

/// Solution of theta'' = slope cos theta at time t by the classical Runge-Kutta method; with steps of 0.1 ms its error
/// is below 1e-13.
inline double pendulum_angle(double slope, double theta, double speed, double t, double step = 1e-4) {
  // Many runs ask for the same few angles.
  static std::map<std::array<double, 5>, double> known;
  const auto [place, is_new] = known.try_emplace({slope, theta, speed, t, step});
  if (!is_new) return place->second;
  const int steps = static_cast<int>(std::ceil(t / step - 1e-6));
  const double h = t / steps;
  double a = theta, w = speed;
  for (int i = 0; i < steps; ++i) {
    const double k1 = slope * std::cos(a), k2 = slope * std::cos(a + h / 2 * w);
    const double k3 = slope * std::cos(a + h / 2 * (w + h / 2 * k1)), k4 = slope * std::cos(a + h * (w + h / 2 * k2));
    a += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return place->second = a;
}

/// The angle of the cranks at time t; `step` as above.
inline double chain_angle(int count, double theta, double speed, double t, double step = 1e-4) {
  const double slope = -9.81 * ((count + 1) / 2.0 + 2.0 * count) / ((count + 1) / 3.0 + 2.0 * count);
  return pendulum_angle(slope, theta, speed, t, step);
}

}  // namespace lithe::testing
