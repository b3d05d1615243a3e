// Maps against closed forms and themselves: threads, going on, symmetry.

#include "lithe/simulation/workspace_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "simulation/map_five_bar.hpp"

namespace lithe {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

Model rigid_five_bar(const std::string& more = "") {
  return load_model_text(five_bar_text(rigid_rod(0.2, 0.06), rigid_rod(0.28, 0.08), more), "five-bar.yaml");
}

MapOptions tool_map(int nx, int ny, std::vector<std::string> quantities = {}) {
  MapOptions options;
  options.axes = {{tool_x, -0.4, 0.4, nx}, {tool_y, -0.1, 0.5, ny}};
  options.quantities = std::move(quantities);
  return options;
}

// A point is reached where both legs are: between 0.08 m and 0.48 m from both motors.
TEST(WorkspaceMap, ReachOfAFiveBarIsBetweenCircles) {
  const WorkspaceMap map = make_map(rigid_five_bar(), tool_map(41, 31));
  ASSERT_TRUE(map.finished);
  int reached = 0;
  for (std::size_t point = 0; point < map.size(); ++point) {
    const std::vector<double> at = map.place(point);
    double margin = 1.0;
    for (const double base : {-0.08, 0.08}) {
      const double far = std::hypot(at[0] - base, at[1]);
      margin = std::min({margin, 0.48 - far, far - 0.08});
    }
    if (std::abs(margin) < 1e-4) continue;  // on the line itself
    EXPECT_EQ(map.points[point] == MapPoint::reached, margin > 0) << at[0] << ' ' << at[1];
    reached += margin > 0 ? 1 : 0;
  }
  EXPECT_GT(reached, 500);
}

// Every place of the line is on one of the four circles; the two outer ones meet on the axis of symmetry.
TEST(WorkspaceMap, BoundaryIsTracedToItsTolerance) {
  const WorkspaceMap map = make_map(rigid_five_bar(), tool_map(41, 31));
  double length = 0.0, highest = 0.0;
  for (const MapCurve& curve : map.curves) {
    if (curve.kind != MapCurve::Kind::reach) continue;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      double off = 1.0;
      for (const double base : {-0.08, 0.08})
        for (const double radius : {0.08, 0.48})
          off = std::min(off, std::abs(std::hypot(curve.x[k] - base, curve.y[k]) - radius));
      EXPECT_LT(off, MapCurve::tolerance) << curve.x[k] << ' ' << curve.y[k];
      highest = std::max(highest, curve.y[k]);
      if (k > 0) length += std::hypot(curve.x[k] - curve.x[k - 1], curve.y[k] - curve.y[k - 1]);
    }
  }
  const double corner = std::sqrt(0.48 * 0.48 - 0.08 * 0.08);
  EXPECT_NEAR(highest, corner, 1e-5);
  // Two arcs of the outer circles from the corner to y = -0.1, and two whole inner circles.
  const double arc = 0.48 * (std::acos(0.08 / 0.48) + std::asin(0.1 / 0.48));
  EXPECT_NEAR(length, 2 * arc + 2 * full_turn * 0.08, 1e-3);
}

// Where the forearms are parallel the motors do not hold.
TEST(WorkspaceMap, ActuationLineHasForearmsInOneLine) {
  const WorkspaceMap map = make_map(rigid_five_bar(), tool_map(81, 61));
  int places = 0;
  for (const MapCurve& curve : map.curves) {
    if (curve.kind != MapCurve::Kind::actuation) continue;
    for (std::size_t k = 0; k < curve.x.size(); ++k, ++places) {
      // Elbows from the law of cosines, outside.
      double elbow[2][2];
      for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? -1.0 : 1.0, dx = curve.x[k] - sign * 0.08, dy = curve.y[k],
                     far = std::hypot(dx, dy);
        const double opening = std::acos((far * far + 0.04 - 0.0784) / (0.4 * far)),
                     way = std::atan2(dy, dx) - sign * opening;
        elbow[side][0] = sign * 0.08 + 0.2 * std::cos(way);
        elbow[side][1] = 0.2 * std::sin(way);
      }
      const double across = (curve.x[k] - elbow[0][0]) * (curve.y[k] - elbow[1][1]) -
                            (curve.x[k] - elbow[1][0]) * (curve.y[k] - elbow[0][1]);
      EXPECT_NEAR(across / (0.28 * 0.28), 0.0, 1e-8) << curve.x[k] << ' ' << curve.y[k];
    }
  }
  EXPECT_GT(places, 10);
}

// brillarelli-five-bar.md, 3.7: 1/kappa of the stiffness of the forearms and of the motion, elbows outside; 1 where the forearms
// are perpendicular, at y = b sqrt(1 - ((c/sqrt 2 - a)/b)^2) + c/sqrt 2 on the axis of symmetry.
TEST(WorkspaceMap, StiffnessIndexOfBrillarelli) {
  const double a = 0.13, b = 0.13, c = 0.3;
  const auto rod = [](double l) { return rigid_rod(l, 0.1); };
  std::string text = five_bar_text(rod(b), rod(c));
  for (const char* side : {"[-0.08, 0, 0]", "[0.08, 0, 0]"}) {
    const std::size_t at = text.find(side);
    text.replace(at, std::string(side).size(), side[1] == '-' ? "[-0.13, 0, 0]" : "[0.13, 0, 0]");
  }
  const Model model = load_model_text(text, "brillarelli.yaml");
  const auto indices = [&](double x, double y) {
    MapOptions options;
    options.axes = {{tool_x, x - 1e-3, x + 1e-3, 3}, {tool_y, y - 1e-3, y + 1e-3, 3}};
    options.quantities = {"condition", "stiffness-index"};
    const WorkspaceMap map = make_map(model, options);
    return std::pair{map.at(4, map.find("stiffness-index")), map.at(4, map.find("dexterity"))};
  };
  const double rows[][4] = {{0, 0.15, 0.597161, 0.864741},    {0, 0.20, 0.687261, 0.902578},
                            {0, 0.25, 0.857122, 0.960763},    {0, 0.35, 0.912622, 0.976890},
                            {0.05, 0.25, 0.892774, 0.963902}, {0.10, 0.25, 0.969143, 0.976224},
                            {0.15, 0.30, 0.881195, 0.872647}};
  for (const auto& row : rows) {
    const auto [index, dexterity] = indices(row[0], row[1]);
    EXPECT_NEAR(index, row[2], 1e-6) << row[0] << ' ' << row[1];
    EXPECT_NEAR(dexterity, row[3], 1e-6) << row[0] << ' ' << row[1];
  }
  const double side = c / std::sqrt(2.0), best = b * std::sqrt(1 - std::pow((side - a) / b, 2)) + side;
  EXPECT_NEAR(best, 0.3129, 1e-5);
  EXPECT_NEAR(indices(0, best).first, 1.0, 1e-12);
  EXPECT_LT(indices(0, best + 0.002).first, 1.0 - 1e-6);
  EXPECT_LT(indices(0, best - 0.002).first, 1.0 - 1e-6);
}

Model strip_five_bar() {
  return load_model_text(
      five_bar_text(rigid_rod(0.2, 0.06),
                    "{beam: {length: 0.28, material: aluminium, section: {rectangle: {height: 0.002, width: 0.02}}, "
                    "bending: y, torsion: false}}",
                    "gravity: [0, -9.81, 0]\n"),
      "strips.yaml");
}

// The robot is its own mirror image, and so is its map: displacements along x and turns change their signs.
TEST(WorkspaceMap, SymmetricRobotHasASymmetricMap) {
  const WorkspaceMap map =
      make_map(strip_five_bar(), tool_map(24, 15, {"condition", "compliance", "sag", "frequency"}));
  for (const char* name : {"dexterity", "compliance", "compliance.x.x", "compliance.x.y", "compliance.y.y", "sag",
                           "sag.x", "sag.y", "frequency.1", "frequency.2", "frequency.3"}) {
    const int column = map.find(name);
    ASSERT_GE(column, 0) << name;
    const double sign = std::string(name) == "compliance.x.y" || std::string(name) == "sag.x" ? -1.0 : 1.0;
    const bool of_matrix = std::string(name).starts_with("compliance.");
    for (std::size_t point = 0; point < map.size(); ++point) {
      const std::size_t mirrored = point / 24 * 24 + (23 - point % 24);
      ASSERT_EQ(map.points[point], map.points[mirrored]);
      if (map.points[point] != MapPoint::reached) continue;
      // Entries of a matrix beside its largest one, parts of a way beside the way.
      const double size = of_matrix                              ? map.at(point, map.find("compliance"))
                          : std::string(name).starts_with("sag") ? map.at(point, map.find("sag"))
                                                                 : std::abs(map.at(point, column));
      // A sag is the difference of two places some 0.5 m from the origin, which round by 1e-16 m.
      const double rounding = std::string(name).starts_with("sag") ? 1e-15 : 0.0;
      EXPECT_NEAR(map.at(point, column), sign * map.at(mirrored, column), 1e-9 * size + rounding)
          << name << ' ' << point;
    }
  }
}

void expect_same(const WorkspaceMap& a, const WorkspaceMap& b) {
  ASSERT_EQ(a.points, b.points);
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
    return true;
  };
  EXPECT_TRUE(same(a.values, b.values));
  EXPECT_TRUE(same(a.poses, b.poses));
  ASSERT_EQ(a.curves.size(), b.curves.size());
  for (std::size_t k = 0; k < a.curves.size(); ++k) EXPECT_TRUE(same(a.curves[k].x, b.curves[k].x));
}

TEST(WorkspaceMap, NumbersDoNotDependOnThreads) {
  MapOptions options = tool_map(16, 12, {"condition", "torque", "compliance", "sag", "frequency"});
  const Model model = strip_five_bar();
  const WorkspaceMap one = make_map(model, options);
  for (const int threads : {2, 3, 7}) {
    options.threads = threads;
    expect_same(one, make_map(model, options));
  }
}

TEST(WorkspaceMap, AnInterruptedMapGoesOn) {
  const MapOptions options = tool_map(16, 12, {"compliance"});
  const Model model = strip_five_bar();
  const WorkspaceMap whole = make_map(model, options);
  std::atomic<bool> stop{false};
  MapProgress progress;
  progress.stop = &stop;
  progress.report = [&](const WorkspaceMap&, double fraction) {
    if (fraction > 0.3) stop = true;
  };
  const WorkspaceMap part = make_map(model, options, progress);
  EXPECT_FALSE(part.finished);
  EXPECT_TRUE(part.curves.empty());
  const auto decided = std::count(part.points.begin(), part.points.end(), MapPoint::reached);
  EXPECT_GT(decided, 0);
  EXPECT_LT(decided, std::count(whole.points.begin(), whole.points.end(), MapPoint::reached));
  MapProgress rest;
  rest.known = &part;
  expect_same(whole, make_map(model, options, rest));
}

/// Bridge of 3 kg along x, carriage of 2 kg along y, a tool of 1 kg on a spring of 500 N/m along y.
std::string gantry_text(const std::string& stops = "") {
  return "lithe: 1\nname: gantry\ngravity: [0, -9.81, 0]\nlinks: {bridge: {rigid: {mass: 3}}, carriage: {rigid: {mass: "
         "2}}, "
         "tool: {rigid: {mass: 1}}}\njoints:\n"
         "  x: {prismatic: x, from: ground, to: bridge, actuated: true" +
         stops +
         "}\n"
         "  y: {prismatic: y, from: bridge, to: carriage, actuated: true}\n"
         "  spring: {prismatic: y, from: carriage, to: tool, spring: {stiffness: 500}}\n"
         "drives: {x: {follow: 0, by: pd, kp: 2400, kd: 1}, y: {follow: 0, by: pd, kp: 2400, kd: 1}}\n";
}

// What holds 3 kg, and 6 kg (x) or 3 kg (y) times the acceleration; the spring gives m g/k and 1/k. With the motors held by
// 2400 N/m: x 20 rad/s; y and spring: eigenvalues of [[2400, 0], [0, 500]] against masses [[3, 1], [1, 1]].
TEST(WorkspaceMap, GantryInClosedForm) {
  MapOptions options;
  options.axes = {{"q.x", -0.5, 0.5, 3}, {"q.y", 0.0, 1.0, 3}};
  options.frame = "tool/origin";
  options.quantities = {"condition", "manipulability", "stiffness-index", "torque",        "compliance", "stiffness",
                        "sag",       "frequency",      "frequency-held",  "frequency-free"};
  options.acceleration = 5.0;
  const WorkspaceMap map = make_map(load_model_text(gantry_text(), "gantry.yaml"), options);
  EXPECT_EQ(map.held.at("q.spring"), 0.0);
  const auto value = [&](const char* name) { return map.at(4, map.find(name)); };
  ASSERT_EQ(map.points[4], MapPoint::reached);
  EXPECT_NEAR(value("condition"), 1.0, 1e-12);
  EXPECT_NEAR(value("dexterity"), 1.0, 1e-12);
  EXPECT_NEAR(value("manipulability"), 1.0, 1e-12);
  EXPECT_NEAR(value("stiffness-index"), 1.0, 1e-12);
  EXPECT_NEAR(value("torque.x"), 6 * 5.0, 1e-9);
  EXPECT_NEAR(value("torque.y"), 3 * 9.81 + 3 * 5.0, 1e-9);
  EXPECT_NEAR(value("compliance"), 1.0 / 500, 1e-12);
  EXPECT_NEAR(value("compliance.y.y"), 1.0 / 500, 1e-12);
  EXPECT_NEAR(value("compliance.x.x"), 0.0, 1e-15);
  EXPECT_NEAR(value("stiffness"), 500, 1e-6);
  EXPECT_NEAR(value("sag.y"), -9.81 / 500, 1e-12);
  EXPECT_NEAR(value("frequency.1"), std::sqrt(500.0) / full_turn, 1e-9);
  EXPECT_TRUE(std::isnan(value("frequency.2")));
  // 2 s^2 - (2400 + 3*500) s + 2400*500 = 0 for s = omega^2
  const double root = std::sqrt(3900.0 * 3900.0 - 8.0 * 2400 * 500);
  EXPECT_NEAR(value("frequency-held.1"), std::sqrt((3900 - root) / 4) / full_turn, 1e-6);
  EXPECT_NEAR(value("frequency-held.2"), std::sqrt(400.0) / full_turn, 1e-6);
  EXPECT_NEAR(value("frequency-held.3"), std::sqrt((3900 + root) / 4) / full_turn, 1e-6);
  // Free: two ways without stiffness, and the spring between 1 kg and 2 kg.
  EXPECT_NEAR(value("frequency-free.1"), 0.0, 1e-6);
  EXPECT_NEAR(value("frequency-free.2"), 0.0, 1e-6);
  EXPECT_NEAR(value("frequency-free.3"), std::sqrt(500.0 * 1.5) / full_turn, 1e-6);
  options.payload = 1.5;
  const WorkspaceMap loaded = make_map(load_model_text(gantry_text(), "gantry.yaml"), options);
  EXPECT_NEAR(loaded.at(4, loaded.find("sag")), 2.5 * 9.81 / 500, 1e-12);
  EXPECT_NEAR(loaded.at(4, loaded.find("frequency.1")), std::sqrt(500.0 / 2.5) / full_turn, 1e-9);
  EXPECT_NEAR(loaded.at(4, loaded.find("torque.y")), 4.5 * (9.81 + 5.0), 1e-9);
}

TEST(WorkspaceMap, StopsBoundTheMap) {
  MapOptions options;
  options.axes = {{"q.x", -0.5, 0.5, 11}, {"q.y", 0.0, 1.0, 5}};
  options.frame = "tool/origin";
  const WorkspaceMap map =
      make_map(load_model_text(gantry_text(", stops: {lower: -0.23, upper: 0.31}"), "gantry.yaml"), options);
  for (std::size_t point = 0; point < map.size(); ++point) {
    const double x = map.place(point)[0];
    // Nobody follows the branch beyond the first point behind a stop.
    EXPECT_EQ(map.points[point] == MapPoint::reached, x > -0.23 && x < 0.31) << x;
  }
  ASSERT_EQ(map.curves.size(), 2u);
  for (const MapCurve& curve : map.curves) {
    EXPECT_EQ(curve.kind, MapCurve::Kind::stop);
    EXPECT_EQ(curve.joint, "x");
    EXPECT_NEAR(curve.x[0], curve.x[0] < 0 ? -0.23 : 0.31, 1e-9);
    EXPECT_NEAR(std::abs(curve.y.back() - curve.y.front()), 1.0, 1e-9);
  }
}

// A rod of 0.4 m stands on a hinge with a spring of 20 N m/rad: rest is stable while m g l < k.
TEST(WorkspaceMap, LargestStablePayloadOfAnInvertedPendulum) {
  const Model model = load_model_text(
      "lithe: 1\ngravity: [0, -9.81, 0]\nlinks: {bridge: {rigid: {mass: 1}}, carriage: {rigid: {mass: 1}}, "
      "mast: {rigid: {mass: 0.5, centre: [0, 0.2, 0], inertia: [0.01, 0.01, 0.01]}, frames: {top: [0, 0.4, "
      "0]}}}\njoints:\n"
      "  x: {prismatic: x, from: ground, to: bridge, actuated: true}\n"
      "  y: {prismatic: y, from: bridge, to: carriage, actuated: true}\n"
      "  hinge: {revolute: z, from: carriage, to: mast, spring: {stiffness: 20}}\n",
      "mast.yaml");
  MapOptions options;
  options.axes = {{"q.x", -0.5, 0.5, 2}, {"q.y", 0.0, 1.0, 2}};
  options.frame = "mast/top";
  options.quantities = {"payload"};
  const WorkspaceMap map = make_map(model, options);
  const double expected = (20.0 / 9.81 - 0.5 * 0.2) / 0.4;
  for (std::size_t point = 0; point < 4; ++point) EXPECT_NEAR(map.at(point, 0) / expected, 1.0, 2e-6);
}

// Over the motors, with forearms of 0.24 m: the branch ends where they are in one line, that is where the elbows are 0.48 m apart,
// and the tool loses a freedom where a leg is stretched or folded: 0.44 m or 0.04 m from a motor.
TEST(WorkspaceMap, JointCoordinates) {
  MapOptions options;
  options.axes = {{"q.motor-left", 1.0, 3.4, 41}, {"q.motor-right", -0.3, 2.1, 41}};
  options.frame = "forearm-left/tip";
  const WorkspaceMap map =
      make_map(load_model_text(five_bar_text(rigid_rod(0.2, 0.06), rigid_rod(0.24, 0.08)), "short.yaml"), options);
  struct Elbows {
    double x[2], y[2];
    double apart() const { return std::hypot(x[1] - x[0], y[1] - y[0]); }
  };
  const auto elbows = [](double left, double right) {
    return Elbows{{-0.08 + 0.2 * std::cos(left), 0.08 + 0.2 * std::cos(right)},
                  {0.2 * std::sin(left), 0.2 * std::sin(right)}};
  };
  for (std::size_t point = 0; point < map.size(); ++point) {
    const std::vector<double> at = map.place(point);
    const double apart = elbows(at[0], at[1]).apart();
    if (std::abs(apart - 0.48) < 1e-4) continue;  // on the line itself
    EXPECT_EQ(map.points[point] == MapPoint::reached, apart < 0.48) << at[0] << ' ' << at[1];
  }
  int reach = 0, task = 0;
  for (const MapCurve& curve : map.curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      const Elbows e = elbows(curve.x[k], curve.y[k]);
      if (curve.kind == MapCurve::Kind::reach) {
        ++reach;
        EXPECT_NEAR(e.apart(), 0.48, 1e-9);
      } else if (curve.kind == MapCurve::Kind::task) {
        ++task;
        // The tool is above the middle of the elbows.
        const double half = 0.5 * e.apart(), height = std::sqrt(0.24 * 0.24 - half * half);
        const double x = 0.5 * (e.x[0] + e.x[1]) - height * (e.y[1] - e.y[0]) / e.apart();
        const double y = 0.5 * (e.y[0] + e.y[1]) + height * (e.x[1] - e.x[0]) / e.apart();
        double off = 1.0;
        for (const double base : {-0.08, 0.08})
          for (const double radius : {0.04, 0.44}) off = std::min(off, std::abs(std::hypot(x - base, y) - radius));
        EXPECT_LT(off, 1e-9) << curve.x[k] << ' ' << curve.y[k];
      }
    }
  EXPECT_GT(reach, 10);
  EXPECT_GT(task, 10);
}

// A third axis: layers of a Cartesian robot are all alike, and what is held stays where it is told to.
TEST(WorkspaceMap, ThreeAxes) {
  const Model model = load_model_text(
      "lithe: 1\nlinks: {a: {rigid: {mass: 1}}, b: {rigid: {mass: 1}}, c: {rigid: {mass: 1}}}\njoints:\n"
      "  x: {prismatic: x, from: ground, to: a, actuated: true, stops: {lower: -0.1, upper: 0.1}}\n"
      "  y: {prismatic: y, from: a, to: b, actuated: true}\n  z: {prismatic: z, from: b, to: c, actuated: true}\n",
      "cartesian.yaml");
  MapOptions options;
  options.axes = {{"pos.c.x", -0.3, 0.3, 7}, {"pos.c.y", -0.1, 0.1, 3}, {"pos.c.z", 0.0, 0.2, 4}};
  options.quantities = {"torque"};
  options.acceleration = 2.0;
  const WorkspaceMap map = make_map(model, options);
  EXPECT_EQ(std::count(map.points.begin(), map.points.end(), MapPoint::reached), 3 * 3 * 4);
  EXPECT_EQ(map.curves.size(), 8u);
  for (const MapCurve& curve : map.curves) EXPECT_NEAR(std::abs(curve.x[1]), 0.1, 1e-9);
  const std::size_t middle = 3 + 7 * (1 + 3 * 2);
  EXPECT_NEAR(map.at(middle, map.find("torque.x")), 6.0, 1e-9);
  EXPECT_NEAR(map.at(middle, map.find("torque.z")), 2.0, 1e-9);
}

// Without motors there is nothing to be dexterous with; two hinges with springs: the compliance of the tip is l^2/k of each.
TEST(WorkspaceMap, WithoutMotors) {
  const Model model = load_model_text(
      "lithe: 1\nlinks: {upper: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {end: [0.5, 0]}}, lower: {rigid: {mass: "
      "1, "
      "inertia: [1, 1, 1]}, frames: {end: [0.5, 0]}}}\njoints:\n"
      "  shoulder: {revolute: z, from: ground, to: upper, spring: {stiffness: 10}}\n"
      "  elbow: {revolute: z, from: upper/end, to: lower, spring: {stiffness: 20}}\n",
      "springs.yaml");
  MapOptions options;
  options.axes = {{"q.shoulder", -0.1, 0.1, 3}, {"q.elbow", -0.1, 0.1, 3}};
  options.frame = "lower/end";
  options.quantities = {"condition", "manipulability", "stiffness-index", "torque", "compliance"};
  const WorkspaceMap map = make_map(model, options);
  for (const char* name : {"condition", "dexterity", "manipulability", "stiffness-index"})
    EXPECT_TRUE(std::isnan(map.at(4, map.find(name)))) << name;
  EXPECT_NEAR(map.at(4, map.find("compliance.y.y")), 1.0 / 10 + 0.25 / 20, 1e-12);
}

std::string map_refusal(const Model& model, const MapOptions& options) {
  try {
    make_map(model, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(WorkspaceMap, MessagesNameWhatIsWrong) {
  const Model model = rigid_five_bar();
  MapOptions options = tool_map(5, 5);
  options.axes[0].coordinate = "motor-left";
  EXPECT_EQ(map_refusal(model, options),
            "'motor-left' is no coordinate of a pose; do you mean 'q.motor-left'?; there are q.JOINT, "
            "pos.LINK.FRAME.x|y|z and "
            "rot.LINK.FRAME.x|y|z");
  options.axes[0].coordinate = "pos.forearm-left.top.x";
  EXPECT_EQ(map_refusal(model, options),
            "'pos.forearm-left.top.x' is no coordinate of a pose: there is no frame 'forearm-left.top'; did you mean "
            "'forearm-left.tip'?; there are q.JOINT, pos.LINK.FRAME.x|y|z and rot.LINK.FRAME.x|y|z");
  options.axes[0].coordinate = "pos.forearm-left.tip.z";
  EXPECT_EQ(map_refusal(model, options),
            "'pos.forearm-left.tip.z' cannot be chosen freely: the mechanism, or the coordinates named before it, "
            "determine it");
  options = tool_map(5, 5, {"complience"});
  EXPECT_EQ(map_refusal(model, options), "a map has no quantity 'complience'; did you mean 'compliance'?");
  EXPECT_EQ(map_refusal(model, tool_map(10000, 10000)),
            "the grid has 100000000 points; at most 10000000 are possible, take fewer along an axis");
  options = tool_map(5, 5);
  options.branch = 9;
  EXPECT_EQ(map_refusal(model, options),
            "there is no assembly 9: 2 found with the motors of the start (lithe check --branches lists them)");
  options = tool_map(5, 5);
  options.axes[0] = {tool_x, 2.0, 3.0, 5};
  EXPECT_EQ(
      map_refusal(model, options),
      "the branch of the initial pose reaches no point of the grid; choose axes around the initial pose, other held "
      "values, or another branch");
}

// The other assembly has the tool below the elbows.
TEST(WorkspaceMap, AnotherBranch) {
  MapOptions options = tool_map(5, 5);
  options.axes = {{"q.motor-left", 2.2, 2.4, 3}, {"q.motor-right", 0.8, 0.9, 3}};
  options.frame = "forearm-left/tip";
  options.branch = 2;
  const Model model = rigid_five_bar();
  const WorkspaceMap map = make_map(model, options);
  Prepared prepared = prepare(model);
  for (std::size_t point = 0; point < map.size(); ++point) {
    ASSERT_EQ(map.points[point], MapPoint::reached);
    const VectorX q = Eigen::Map<const VectorX>(map.poses.data() + point * static_cast<std::size_t>(map.coordinates),
                                                map.coordinates);
    const FrameRef tool = frame_named(prepared.plan.mechanism(), "forearm-left/tip");
    EXPECT_LT(frame_pose(prepared.plan, prepared.work, q, tool).position.y(), 0.2 * std::sin(map.place(point)[1]));
  }
}

}  // namespace
}  // namespace lithe
