// lithe linearize and modes: robots under gravity, in the pose that is given; the files that Octave reads.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>

#include "cli/program.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

const std::vector<std::string> robots{"elastic-arm", "excavator", "elastic-five-bar"};

std::string robot(const std::string& name) { return source_folder() + "/tests/data/robots/" + name + ".yaml"; }

bool octave_is_installed() { return std::system("octave-cli --version > /dev/null 2>&1") == 0; }

/// What Octave prints for a script.
std::string octave(const std::string& script) {
  const Folder folder;
  const std::string file = folder.file("script.m");
  write_text(file, script);
  std::string printed;
  FILE* pipe = popen(("octave-cli --quiet --no-init-file " + file + " 2> /dev/null").c_str(), "r");
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) printed += part.data();
  pclose(pipe);
  return printed;
}

std::vector<std::complex<double>> poles_in(const nlohmann::json& answer) {
  std::vector<std::complex<double>> poles;
  for (const auto& pole : answer["poles"]) poles.emplace_back(pole[0].get<double>(), pole[1].get<double>());
  return poles;
}

/// Largest distance of a pole from the nearest one of `others` that is left, relative to its size.
double difference(const std::vector<std::complex<double>>& poles, std::vector<std::complex<double>> others) {
  double worst = 0.0;
  for (const auto& pole : poles) {
    const auto nearest = std::min_element(others.begin(), others.end(), [&](const auto& a, const auto& b) {
      return std::abs(a - pole) < std::abs(b - pole);
    });
    if (nearest == others.end()) return 1.0;
    worst = std::max(worst, std::abs(*nearest - pole) / std::abs(pole));
    others.erase(nearest);
  }
  return others.empty() ? worst : 1.0;
}

// Eigenvalues by LAPACK, of the matrix that Octave read.
TEST(Linearize, OctaveReadsTheFileAndFindsThePoles) {
  if (!octave_is_installed()) GTEST_SKIP() << "octave-cli is not installed (Debian: octave)";
  for (const std::string& name : robots)
    for (const bool moving : {false, true}) {
      if (moving && name != "elastic-five-bar") continue;
      SCOPED_TRACE(name + (moving ? " moving" : ""));
      const Folder folder;
      const std::string file = folder.file("model.mat");
      std::vector<std::string> arguments{"linearize", robot(name), "--json", "-o", file};
      if (moving) arguments.insert(arguments.end(), {"--at", "0.12"});
      const Answer answer = lithe(arguments);
      ASSERT_EQ(answer.exit_code, 0) << answer.err;
      const nlohmann::json ours = answer.json();
      const std::string printed =
          octave("load ('" + file +
                 "');\n"
                 "printf ('%.17g %.17g\\n', [real(eig (A)), imag(eig (A))]');\n"
                 "printf ('= %d %d %d %d\\n', size (B), size (C));\n"
                 "printf ('= %s %s %s %s\\n', class (states), states{1}, inputs{1}, outputs{end});\n"
                 "printf ('= %s %s\\n', state_units{1}, model);\n"
                 "printf ('= %.17g %.17g %.17g\\n', A(end, 1), D(end, 1), u0(1));\n"
                 "printf ('= %.3g\\n', max (abs (sort (poles) - sort (eig (A)))) / max (abs (poles)));\n");
      std::istringstream lines(printed);
      std::vector<std::complex<double>> theirs;
      std::vector<std::string> facts;
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("= ")) {
          facts.push_back(line.substr(2));
          continue;
        }
        double real = 0, imaginary = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%lf %lf", &real, &imaginary), 2) << printed;
        theirs.emplace_back(real, imaginary);
      }
      EXPECT_LT(difference(poles_in(ours), theirs), 1e-9);
      ASSERT_EQ(facts.size(), 5u) << printed;
      const std::size_t n = ours["states"].size(), inputs = ours["inputs"].size(), outputs = ours["outputs"].size();
      EXPECT_EQ(theirs.size(), n);
      EXPECT_EQ(facts[0], std::to_string(n) + " " + std::to_string(inputs) + " " + std::to_string(outputs) + " " +
                              std::to_string(n));
      EXPECT_EQ(facts[1], "cell " + ours["states"][0]["name"].get<std::string>() + " " +
                              ours["inputs"][0]["name"].get<std::string>() + " " +
                              ours["outputs"].back()["name"].get<std::string>());
      EXPECT_EQ(facts[2], ours["states"][0]["unit"].get<std::string>() + " " + ours["model"].get<std::string>());
      double entry = 0, feedthrough = 0, force = 0;
      ASSERT_EQ(std::sscanf(facts[3].c_str(), "%lf %lf %lf", &entry, &feedthrough, &force), 3);
      EXPECT_EQ(entry, ours["A"].back()[0].get<double>());
      EXPECT_EQ(feedthrough, ours["D"].back()[0].get<double>());
      EXPECT_EQ(force, ours["inputs"][0]["value"].get<double>());
    }
}

// The pose that is given stays, motors hold it, and every motor and every load component in the plane is an input.
TEST(Linearize, RobotsUnderGravityStayWhereTheyAre) {
  for (const std::string& name : robots) {
    SCOPED_TRACE(name);
    const Answer answer = lithe({"linearize", robot(name), "--json"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const nlohmann::json found = answer.json();
    EXPECT_TRUE(found["warnings"].empty());
    EXPECT_LT(found["moved"]["distance"].get<double>(), name == "excavator" ? 1e-12 : 0.03);  // elastic links bend
    for (const auto& [motor, force] : found["motors"].items()) {
      EXPECT_DOUBLE_EQ(found["pose"][motor].get<double>(), found["given"][motor].get<double>()) << motor;
      EXPECT_GT(std::abs(force.get<double>()), 0.1) << motor;
    }
    EXPECT_EQ(found["inputs"].size(), 2u + 3u);
    EXPECT_EQ(found["B"][0].size(), 5u);
  }
  // Moments about the boom foot: the boom cylinder carries everything.
  const nlohmann::json found = lithe({"linearize", robot("excavator"), "--json"}).json();
  EXPECT_GT(found["motors"]["boom-stroke"].get<double>(), 10000.0);
}

// A two-link arm of point masses at the tips: m1 = m2 = 1 kg, l1 = l2 = 1 m, stretched out horizontally. The torques
// are g (m1 l1 + m2 (l1 + l2)) = 3 g and g m2 l2 = g. With both links level nothing changes with the angles to first
// order.
TEST(Linearize, LoadedArm) {
  const Folder folder;
  const std::string file = folder.file("arm.yaml");
  write_text(file,
             "lithe: 1\nname: arm\ngravity: [0, -9.81, 0]\nlinks:\n"
             "  upper: {rigid: {mass: 1, centre: [1, 0, 0]}, frames: {tip: [1, 0, 0]}}\n"
             "  fore: {rigid: {mass: 1, centre: [1, 0, 0]}, frames: {tip: [1, 0, 0]}}\n"
             "joints:\n  shoulder: {revolute: z, from: ground, to: upper, actuated: true}\n"
             "  elbow: {revolute: z, from: upper/tip, to: fore, actuated: true}\n"
             "record: [coordinates, frames: [fore/tip]]\n");
  const nlohmann::json held = lithe({"linearize", file, "--json"}).json();
  EXPECT_NEAR(held["motors"]["shoulder"].get<double>(), 3 * 9.81, 1e-9);
  EXPECT_NEAR(held["motors"]["elbow"].get<double>(), 9.81, 1e-9);
  for (int i = 2; i < 4; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(held["A"][i][j].get<double>(), 0.0, 1e-8);
  // Free motors let it go; that is said, with the pose and how far it is.
  const Answer free = lithe({"linearize", file, "--free"});
  ASSERT_EQ(free.exit_code, 0) << free.err;
  EXPECT_NE(free.err.find("lithe: warning: the point is far from the given pose: '"), std::string::npos) << free.err;
  EXPECT_NE(free.out.find("motors free"), std::string::npos) << free.out;
  EXPECT_NE(free.out.find("\n  shoulder "), std::string::npos) << free.out;
  EXPECT_NE(free.out.find("mm from the given pose to this one"), std::string::npos) << free.out;
  const Answer modes = lithe({"modes", file, "--free"});
  EXPECT_NE(modes.err.find("lithe: warning: the point is far from the given pose: '"), std::string::npos) << modes.err;
  EXPECT_NE(modes.out.find("\n  shoulder "), std::string::npos) << modes.out;
}

// Free motors: either an equilibrium, with its pose and a warning, or the reason and the remedy.
TEST(Linearize, FreeMotorsOnLoops) {
  for (const std::string& name : {robots[1], robots[2]})
    for (const char* verb : {"linearize", "modes"}) {
      SCOPED_TRACE(name + std::string(" ") + verb);
      const Answer answer = lithe({verb, robot(name), "--free"});
      if (answer.exit_code == 0) {
        EXPECT_NE(answer.err.find("the point is far from the given pose"), std::string::npos) << answer.err;
        EXPECT_NE(answer.out.find("found (rad, m)"), std::string::npos) << answer.out;
        continue;
      }
      EXPECT_EQ(answer.exit_code, 1);
      EXPECT_NE(answer.err.find("with its motors free the mechanism has no rest that could be found from the given "
                                "pose: "),
                std::string::npos)
          << answer.err;
      EXPECT_NE(answer.err.find("Leave out --free"), std::string::npos) << answer.err;
    }
}

TEST(Linearize, TextHasEverything) {
  const Answer answer = lithe({"linearize", robot("excavator"), "--outputs", "pos.stick.tip.*"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"operating point at t = 0 s, at rest, motors apply what holds the pose", "boom-stroke",
                           "poles of 4 states", "A: rates of the states per state", "B: rates of the states per input",
                           "C: outputs per state", "D: outputs per input", "tau.boom-stroke", "load.bucket.force.x",
                           "pos.stick.tip.x", "4 states, 5 inputs, 3 outputs"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
}

TEST(Linearize, LockedMotorsLeaveTheLoads) {
  const nlohmann::json found = lithe({"linearize", robot("elastic-arm"), "--locked", "--json"}).json();
  EXPECT_EQ(found["states"].size(), 8u);
  ASSERT_EQ(found["inputs"].size(), 3u);
  EXPECT_EQ(found["inputs"][0]["name"], "load.tool.force.x");
  EXPECT_EQ(found["inputs"][0]["value"], 3.0);
  EXPECT_EQ(found["inputs"][2]["name"], "load.tool.moment.z");
}

TEST(Linearize, BadInput) {
  const auto message = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"linearize", robot("elastic-arm")});
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_NE(message({"--free", "--locked"}).find("--free and --locked contradict each other; give one of them"),
            std::string::npos);
  EXPECT_NE(message({"--rest"}).find("--rest belongs to --at; without a time the pose is at rest"), std::string::npos);
  EXPECT_NE(message({"-o", "arm.m"}).find("arm.m: the name of a linear model ends in .mat"), std::string::npos);
  EXPECT_NE(message({"--outputs", "q.elbw"}).find("the model records no such quantity; did you mean 'q.elbow'?"),
            std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
