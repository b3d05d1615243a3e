#pragma once
// Brillarelli's robots from their model files, and the closed forms of the thesis for the five-bar robot (chapter 4, with what is
// wrong in print put right).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "lithe/io/load_model.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {

using Sets = std::map<std::string, std::string>;

inline Model brillarelli_model(const std::string& name, const Sets& sets = {}) {
  return load_model(source_folder() + "/examples/" + name + ".yaml", sets);
}

inline MemoryRecord complete_run(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

/// Tool minus its place on the line of the 2-PRR robot.
inline Vec3 off_the_line(const MemoryRecord& record, std::size_t row) {
  const double t = record.at(row, "t"), s = t * t * t * (10 - 15 * t + 6 * t * t);
  return Vec3(record.at(row, "pos.strip-1.tip.x") - 0.05 - 0.1 * s,
              record.at(row, "pos.strip-1.tip.y") - 0.05 - 0.05 * s, 0);
}

namespace five_bar {

inline constexpr double a = 0.13, b = 0.13, c = 0.3;  // m
using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

inline Vec2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline Vec2 across(double angle) { return {-std::sin(angle), std::cos(angle)}; }

/// Absolute angles of arms and strips and deflections of the tips.
struct Legs {
  std::array<double, 2> q{}, theta{}, v{};
};

/// (4.5), (4.6): the leg with its tip deflected by v that reaches a place; `sign` chooses one of two.
inline bool reach(const Vec2& tool, int leg, int sign, double v, Legs& legs) {
  const double X = tool.x() - (leg == 0 ? a : -a), Y = tool.y();
  const double A = -2 * X * c - 2 * Y * v, B = 2 * X * v - 2 * Y * c, C = X * X + Y * Y + c * c + v * v - b * b;
  const double size = std::hypot(A, B);
  if (std::abs(C) > size) return false;
  const double theta = std::atan2(B, A) + sign * std::acos(-C / size);
  legs.theta[leg] = theta;
  legs.v[leg] = v;
  legs.q[leg] =
      std::atan2(Y - c * std::sin(theta) - v * std::cos(theta), X - c * std::cos(theta) + v * std::sin(theta));
  return true;
}

/// Elbows outwards, the working mode of the thesis.
inline bool reach(const Vec2& tool, Legs& legs) {
  return reach(tool, 0, -1, 0.0, legs) && reach(tool, 1, +1, 0.0, legs);
}

// (4.7)-(4.12): J_x p' = J_q q' + J_v v'.
inline Mat2 J_x(const Legs& l) {
  Mat2 J;
  for (int i = 0; i < 2; ++i) J.row(i) = (c * unit(l.theta[i]) + l.v[i] * across(l.theta[i])).transpose();
  return J;
}
inline Mat2 J_q(const Legs& l) {
  Mat2 J = Mat2::Zero();
  for (int i = 0; i < 2; ++i)
    J(i, i) = b * (c * std::sin(l.theta[i] - l.q[i]) + l.v[i] * std::cos(l.theta[i] - l.q[i]));
  return J;
}
inline Mat2 J_v(const Legs& l) { return Vec2(l.v[0], l.v[1]).asDiagonal(); }
/// Closure by the strip angles: f_theta.
inline Mat2 closure_by_theta(const Legs& l) {
  Mat2 A;
  for (int i = 0; i < 2; ++i) A.col(i) = (i == 0 ? 1.0 : -1.0) * (c * across(l.theta[i]) - l.v[i] * unit(l.theta[i]));
  return A;
}

/// The robot of the model file in a pose, with elastic coordinates in thesis order.
class Robot {
 public:
  explicit Robot(const Sets& sets = {})
      : model_(brillarelli_model("brillarelli-five-bar", sets)), prepared_(prepare(model_)) {}

  const Plan& plan() const { return prepared_.plan; }
  Workspace& work() { return prepared_.work; }
  State& state() { return prepared_.state; }
  const Model& model() const { return model_; }
  /// Its place among coordinates and speeds alike: there are no quaternions here.
  int speed(const std::string& name) const {
    for (int v = 0; v < plan().nv(); ++v)
      if (plan().speed_name(v) == name) return v;
    throw std::invalid_argument("no speed " + name);
  }

  /// Puts the joints where the closed forms have them; the first shape of each strip makes the deflection (its tip moves by 2).
  void place(const Legs& legs) {
    State& s = state();
    s.q.setZero();
    s.v.setZero();
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i + 1);
      s.q[speed("motor-" + number)] = legs.q[i];
      s.q[speed("elbow-" + number)] = legs.theta[i] - legs.q[i];
      s.q[speed("strip-" + number + ".e1")] = legs.v[i] / 2;
    }
  }
  /// The same angles and deflections from coordinates, or their rates from speeds or accelerations.
  Legs legs(const VectorX& x) const {
    Legs found;
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i + 1);
      found.q[i] = x[speed("motor-" + number)];
      found.theta[i] = found.q[i] + x[speed("elbow-" + number)];
      const LinkData& strip = plan().mechanism().links[plan().mechanism().find_link("strip-" + number)];
      const Frame& tip = strip.frames[strip.find_frame("tip")];
      for (int j = 0; j < strip.elastic.count(); ++j)
        found.v[i] += tip.shape(1, j) * x[speed("strip-" + number + ".e" + std::to_string(j + 1))];
    }
    return found;
  }
  FrameRef tip(int leg) const { return plan().mechanism().find_frame("strip-" + std::to_string(leg + 1), "tip"); }
  Vec2 tool(int leg = 0) { return frame_pose(plan(), work(), state().q, tip(leg)).position.head<2>(); }

 private:
  Model model_;
  Prepared prepared_;
};

}  // namespace five_bar
}  // namespace lithe::testing
