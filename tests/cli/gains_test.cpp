// lithe gains: closed forms, loops that are stable, and messages.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

/// Largest size of a column of a CSV file between two times.
double peak_in(const std::string& file, const std::string& column, double from, double until) {
  std::ifstream text(file);
  std::string line, cell;
  int place = -1;
  double most = 0.0;
  while (std::getline(text, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    double t = 0.0;
    for (int i = 0; std::getline(cells, cell, ','); ++i) {
      if (place < 0 && cell == column) place = -2 - i;
      if (place >= 0 && i == 0) t = std::stod(cell);
      if (i == place && t >= from - 1e-9 && t <= until + 1e-9) most = std::max(most, std::abs(std::stod(cell)));
    }
    if (place < -1) place = -2 - place;
  }
  return most;
}

/// A slide of 2 kg on a motor: a double integrator.
std::string slide(const Folder& folder) {
  const std::string file = folder.file("slide.yaml");
  write_text(file,
             "lithe: 1\nname: slide\ngravity: [0, 0, 0]\nlinks:\n  table: {rigid: {mass: 2}}\n"
             "joints:\n  rail: {prismatic: x, from: ground, to: table, actuated: true}\nrecord: [coordinates]\n");
  return file;
}

// m x'' = u under the integral of x^2/a^2 + v^2/b^2 + u^2/c^2: k1 = c/a, k2 = sqrt(2 m k1 + c^2/b^2).
TEST(Gains, OfASlide) {
  const Folder folder;
  const Answer answer = lithe({"gains", slide(folder), "--allow", "q.rail=0.01,v.rail=0.5,tau.rail=3", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json()["points"][0];
  const double k1 = 3 / 0.01, k2 = std::sqrt(2 * 2 * k1 + 9 / 0.25);
  EXPECT_NEAR(found["K"][0][0].get<double>(), k1, 1e-9 * k1);
  EXPECT_NEAR(found["K"][0][1].get<double>(), k2, 1e-9 * k2);
  EXPECT_EQ(found["controllable"], 2);
  EXPECT_TRUE(found["stable"].get<bool>());
  // A regulator of least cost has 60 degrees of phase and any gain upwards.
  EXPECT_GT(found["margins"][0]["phase"].get<double>(), 1.047);
  EXPECT_TRUE(found["margins"][0]["gain_up"].is_null());
}

// m s^2 + k2 s + k1 with the poles -2 +- 3i.
TEST(Gains, Poles) {
  const Folder folder;
  const Answer answer = lithe({"gains", slide(folder), "--poles=-2+3i,-2-3i", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json K = answer.json()["points"][0]["K"][0];
  EXPECT_NEAR(K[0].get<double>(), 26.0, 1e-9);
  EXPECT_NEAR(K[1].get<double>(), 8.0, 1e-9);
}

// Everything at once on an elastic robot: sampled, late, integral action, observer, reduced, along its motion.
TEST(Gains, ControllerFromSensorsAlongAMotion) {
  const Folder folder;
  const std::string mat = folder.file("g.mat"), bode = folder.file("b.svg"), step = folder.file("s.svg");
  const Answer answer = lithe({"gains",
                               example("flexible-3rrr"),
                               "--at",
                               "0,0.25",
                               "--rest",
                               "--sample",
                               "1e-3",
                               "--delay",
                               "0.5e-3",
                               "--allow",
                               "q.motor-*=0.02,v.motor-*=0.2,tau.*=5,integral.*=0.02",
                               "--integral",
                               "q.motor-*",
                               "--sensors",
                               "q.motor-*",
                               "--noise",
                               "tau.*=0.1,q.*=1e-4",
                               "--json",
                               "-o",
                               mat,
                               "--bode",
                               bode,
                               "--step",
                               step});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json();
  ASSERT_EQ(found["points"].size(), 2u);
  for (const nlohmann::json& point : found["points"]) {
    const std::size_t n = point["plant"]["states"].size();
    EXPECT_TRUE(point["stable"].get<bool>());
    EXPECT_EQ(point["controller"]["A"].size(), n + 3 + 3);  // estimates, inputs on their way, integrals
    EXPECT_EQ(point["controller"]["inputs"].size(), 3u);
    EXPECT_EQ(point["controller"]["sample"], 1e-3);
    for (const auto& pole : point["closed_poles"])
      EXPECT_LT(std::hypot(pole[0].get<double>(), pole[1].get<double>()), 1.0);
    EXPECT_TRUE(point["time_scales"]["ratio"].is_null() || point["time_scales"]["ratio"].get<double>() > 1);
  }
  EXPECT_NE(found["points"][0]["K"], found["points"][1]["K"]);
  EXPECT_TRUE(read_text(mat).starts_with("MATLAB 5.0 MAT-file, controller by lithe"));
  EXPECT_NE(read_text(bode).find("frequency (Hz)"), std::string::npos);
  EXPECT_NE(read_text(step).find("after a unit step"), std::string::npos);
}

// With the links left to their quasi-static bending the gains see rigid states only; the whole model stays stable.
TEST(Gains, ReducedModels) {
  for (const char* reduction : {"slow", "modal=10", "balanced=12"}) {
    SCOPED_TRACE(reduction);
    const Answer answer = lithe({"gains", example("flexible-3rrr"), "--outputs", "q.motor-*,pos.platform.origin.*",
                                 "--allow", "q.motor-*=0.05,v.motor-*=0.5,tau.*=2", "--reduce", reduction, "--json"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const nlohmann::json point = answer.json()["points"][0];
    const std::size_t n = point["plant"]["states"].size();
    EXPECT_LT(point["left"].size(), n);
    EXPECT_EQ(point["K_whole"][0].size(), n);
    EXPECT_TRUE(point["stable"].get<bool>());
  }
}

// Boutin's fast gains, weights one on eta1 = K b and eta2 = K b' / sqrt(k1), recomputed in the reference (3.7): allowed deviations are 1/k and
// sqrt(k1)/k, and K_b = F_p k, K_v = F_d k / sqrt(k1). The second mode has the opposite sign here.
TEST(Gains, FastOnesAreBoutins) {
  const double k1 = 11.138785, k2 = 598.18153, root = std::sqrt(k1);
  const std::string allow = fmt::format("q.boom.e1={:.12g},q.boom.e2={:.12g},v.boom.e1={:.12g},v.boom.e2={:.12g}",
                                        1 / k1, 1 / k2, root / k1, root / k2);
  const Folder folder;
  const std::string calm = folder.file("calm.yaml");
  const Answer answer = lithe({"gains", example("boutin-crane-single"), "--at", "20", "--rest", "--open", "--reduce",
                               "fast", "--allow", allow, "--write", calm, "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json()["points"][0];
  const double expected[4] = {9.5983e-2 * k1, -3.68338e-1 * k2, 7.38494 * k1 / root, -1.39587e-1 * k2 / root};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found["K"][0][i].get<double>() / expected[i], 1.0, 1e-5) << i;
  // The reference's poles of the fast loop: -0.302 +- 16.71i and -4.85 +- 70.06i.
  for (const auto& pole : found["design_poles"]) {
    const bool slow = std::abs(pole[1].get<double>()) < 40;
    EXPECT_NEAR(pole[0].get<double>(), slow ? -0.302 : -4.85, slow ? 6e-4 : 6e-3);
    EXPECT_NEAR(std::abs(pole[1].get<double>()), slow ? 16.71 : 70.06, 6e-3);
  }
  // From the beginning, in continuous time, with the bending of the wanted motion: envelopes after 20 s as the reference has them.
  const Answer run = lithe({"simulate", calm, "--until", "24", "--every", "0.002", "--csv", folder.file("calm.csv")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const auto& [from, rate] : {std::pair{20.0, 0.747}, std::pair{21.0, 0.313}, std::pair{23.0, 0.177}})
    EXPECT_NEAR(peak_in(folder.file("calm.csv"), "v.boom.e1", from, from + 1), rate, 0.002) << from;
}

// A pendulum of m l^2 = 0.5 kg m^2 under gravity, whose stiffness is m g l cos q. With its poles at -5 and -6 everywhere K = [0.5 30 - 9.81 cos q,
// 0.5 11]. No drive wants a motion of it, so the controller holds it where it is, by the torque 9.81 sin q of the grid.
TEST(Gains, OverAGridOfPoses) {
  const Folder folder;
  const std::string file = folder.file("pendulum.yaml"), held = folder.file("held.yaml");
  write_text(file,
             "lithe: 1\nname: pendulum\ngravity: [0, -9.81, 0]\n"
             "links:\n  bob: {rigid: {mass: 2, inertia: [0, 0, 0], centre: [0, -0.5, 0]}}\n"
             "joints:\n  pin: {revolute: z, from: ground, to: bob, actuated: true}\ninitial: {pin: 0.1}\nrecord: "
             "[coordinates]\n");
  const Answer answer = lithe(
      {"gains", file, "--over", "pin=-0.5:0.5:5", "--poles=-5,-6", "--sample", "1e-3", "--write", held, "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json points = answer.json()["points"];
  ASSERT_EQ(points.size(), 5u);
  EXPECT_NEAR(points[1]["place"][0].get<double>(), -0.25, 1e-12);
  EXPECT_NEAR(points[0]["K"][0][0].get<double>(), points[4]["K"][0][0].get<double>(), 1e-8);
  // Poles of the sampled loop are e^(sT); the gain is that of continuous time up to a part of the order of 11 T.
  EXPECT_NEAR(points[0]["K"][0][0].get<double>(), 0.5 * (30 - 9.81 * std::cos(0.5) / 0.5), 0.1);
  EXPECT_NEAR(points[2]["K"][0][0].get<double>(), 0.5 * (30 - 9.81 / 0.5), 0.1);
  const Answer run = lithe({"simulate", held, "--until", "3", "--every", "0.1", "--csv", folder.file("held.csv")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  // The torque between poses a quarter radian apart is off by h^2/8 of its curvature, 0.0077 N m, against the damping of 5.5 N m s.
  EXPECT_NEAR(peak_in(folder.file("held.csv"), "q.pin", 3, 3), 0.1, 0.006);
  const Answer text = lithe({"gains", file, "--over", "pin=-0.5:0.5:5"});
  EXPECT_NE(text.out.find("gains at 5 poses at rest"), std::string::npos);
  EXPECT_NE(
      lithe({"gains", file, "--over", "pim=0:1:2"}).err.find("there is no joint coordinate 'pim'; did you mean 'pin'?"),
      std::string::npos);
  EXPECT_NE(lithe({"gains", file, "--over", "pin=1:0:2"}).err.find("expected JOINT=FROM:TO:COUNT"), std::string::npos);
  EXPECT_NE(lithe({"gains", file, "--over", "pin=0:1:2", "--at", "0"}).err.find("--over and --at are two ways"),
            std::string::npos);
}

TEST(Gains, Text) {
  const Answer answer = lithe({"gains", example("flexible-3rrr"), "--allow", "q.motor-*=0.02,v.motor-*=0.2,tau.*=5"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text :
       {"gains at t = 0 s, at rest", "30 states, 30 of them controllable", "rigid motion up to", "K: u = -K x",
        "q.motor-1", "tau.motor-3", "poles of the loop", "margins, one loop opened at a time"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
}

TEST(Gains, BadInput) {
  const Folder folder;
  const std::string model = slide(folder);
  const auto message = [&](std::vector<std::string> arguments, int code = 2) {
    arguments.insert(arguments.begin(), {"gains", model});
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, code) << answer.err;
    return answer.err;
  };
  EXPECT_EQ(message({"--allow", "q.rail"}),
            "lithe: error: --allow q.rail: expected NAME=NUMBER with a positive number, as in --allow 'q.*=0.01'\n");
  EXPECT_EQ(message({"--allow", "q.rial=1"}),
            "lithe: error: --allow: nothing is called 'q.rial'; did you mean 'q.rail'?\n");
  EXPECT_EQ(message({"--poles", "-1,x"}), "lithe: error: --poles x: expected a pole such as -3 or -3+2i\n");
  EXPECT_EQ(message({"--poles", "-1"}), "lithe: error: poles: 1 are given, 2 are needed\n");
  EXPECT_EQ(message({"--delay", "1e-3"}),
            "lithe: error: --delay belongs to --sample: a continuous controller has none\n");
  EXPECT_EQ(message({"--noise", "q.*=1"}), "lithe: error: --noise belongs to an observer; name its --sensors\n");
  EXPECT_EQ(message({"--reduce", "modal"}),
            "lithe: error: --reduce modal: expected modal=N, balanced=N (N states), slow, fast or composite\n");
  EXPECT_EQ(
      message({"--reduce", "slow"}),
      "lithe: error: fast states: the model has no elastic coordinates that could be fast; leave the reduction out\n");
  EXPECT_EQ(message({"--integral", "q.rail", "--sensors", "v.rail"}),
            "lithe: error: an output with integral action must be one of the sensors\n");
  EXPECT_EQ(message({"-o", "g.txt"}), "lithe: error: g.txt: the name of gains ends in .mat\n");
  EXPECT_NE(message({"--allow", "v.rail=1"}, 1).find("neither decays nor costs anything; give it a weight"),
            std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
