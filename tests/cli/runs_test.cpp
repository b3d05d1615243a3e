// kinematics, inverse and simulate: numbers, files, interruption, failure.

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.hpp"
#include "lithe/io/read_results.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::testing {
namespace {

/// The block of the reference data with this title.
nlohmann::json reference(const std::string& title) {
  const auto file = recorded_json("examples/reference/khan.json");
  for (const auto& block : file["blocks"]) {
    if (block["title"] == title) return block;
  }
  ADD_FAILURE() << "no block " << title;
  return {};
}

std::size_t row_at(const nlohmann::json& data, double t) {
  for (std::size_t k = 0; k < data["t"].size(); ++k) {
    if (std::abs(data["t"][k].get<double>() - t) < 1e-9) return k;
  }
  ADD_FAILURE() << "no row at " << t;
  return 0;
}

std::size_t lines_of(const std::string& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Torques at 13 instants, work and pin forces: Khan reference 6.4 and 6.6, recomputed there with an independent model.
TEST(Inverse, ReproducesTheTorquesOfKhan) {
  const Answer answer = lithe({"inverse", example("khan-3rrr"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto data = answer.json()["data"];
  const auto torques = reference("actuator torques");
  ASSERT_EQ(torques["instants"].size(), 13u);
  for (std::size_t k = 0; k < torques["instants"].size(); ++k) {
    const std::size_t row = row_at(data, torques["instants"][k]);
    for (const char* column : {"tau.motor-1", "tau.motor-2", "tau.motor-3"}) {
      EXPECT_NEAR(data[column][row].get<double>(), torques["columns"][column][k].get<double>(), 1e-7)
          << column << " at row " << row;
    }
  }
  EXPECT_NEAR(data["energy.work"].back().get<double>(), 54.8682889177, 1e-6);
  const std::size_t second = row_at(data, 1.0);
  for (const auto& [name, force] : reference("pin forces")["values"].items()) {
    EXPECT_NEAR(data[name][second].get<double>(), force.get<double>(), 2e-9) << name;
  }
}

TEST(Kinematics, SetReplacesAParameter) {
  const Answer answer = lithe({"kinematics", example("four-bar"), "--set", "speed=3", "--until", "0.5", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto data = answer.json()["data"];
  EXPECT_NEAR(data["q.motor"].back().get<double>(), 1.5, 1e-12);  // speed * t
  EXPECT_NEAR(data["v.motor"].back().get<double>(), 3.0, 1e-12);
}

TEST(Simulate, WritesBothFilesAndEndsWithTheAudit) {
  const Folder folder;
  const Answer answer = lithe({"simulate", example("double-pendulum"), "--until", "0.5", "-o", folder.file("r.h5"),
                               "--csv", folder.file("r.csv")});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(read_text(folder.file("r.h5")).substr(1, 3), "HDF");
  EXPECT_EQ(lines_of(folder.file("r.csv")), 52u);  // heading and 51 rows
  EXPECT_TRUE(read_text(folder.file("r.csv")).starts_with("t,q.shoulder,"))
      << read_text(folder.file("r.csv")).substr(0, 80);
  for (const char* text : {"audit", "energy balance", "worst closure", "rejected", "evaluations", "time"}) {
    EXPECT_NE(answer.out.find(text), std::string::npos) << text;
  }
}

// Damping of the wrist drives over the inertia of flange and forearm, joints 5 and 7 nearly in line: about
// 2 / 4e-4 + 7 / 3e-3 = 7300 1/s. Times 0.5 ms this is beyond 2.8, the stability limit of RK4: the motion explodes,
// then comes back to look innocent.
TEST(Simulate, EndsWithOneWhenTheEnergyBalanceIsLost) {
  const Folder folder;
  const Answer answer = lithe(
      {"simulate", example("7r-chain"), "--integrator", "rk4", "--step", "5e-4", "-o", folder.file("r.h5"), "--quiet"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_TRUE(answer.err.starts_with("lithe: error: the energy balance is off by ")) << answer.err;
  EXPECT_NE(answer.err.find("J exchanged: do not trust this motion; shorten run.step"), std::string::npos);
  // The rows are kept, and the file says what the program said.
  const Results kept = read_results(folder.file("r.h5"));
  EXPECT_EQ(kept.outcome, "complete");
  ASSERT_EQ(kept.audit.distrust.size(), 1u);
  EXPECT_EQ("lithe: error: " + kept.audit.distrust[0] + "\n", answer.err);
  EXPECT_FALSE(kept.audit.trusted());
  const Answer machine = lithe({"simulate", example("7r-chain"), "--integrator", "rk4", "--step", "5e-4", "--json"});
  EXPECT_EQ(machine.json()["audit"]["distrust"].size(), 1u);
  EXPECT_EQ(machine.json()["exit"], 1);
  EXPECT_EQ(machine.json()["ok"], false);
  const Answer stable = lithe({"simulate", example("7r-chain"), "--json"});
  EXPECT_EQ(stable.exit_code, 0);
  EXPECT_EQ(stable.json()["audit"]["trusted"], true);
}

// Accelerations of the 2R arm on which Simbody, MuJoCo, KDL and DART agree.
TEST(Simulate, DoublePendulumStartsLikeOtherCodesSay) {
  const Answer answer = lithe({"simulate", example("double-pendulum"), "--until", "0.01", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto data = answer.json()["data"];
  EXPECT_NEAR(data["a.shoulder"][0].get<double>(), -12.6198338440, 1e-9);
  EXPECT_NEAR(data["a.elbow"][0].get<double>(), 18.9514482569, 1e-9);
}

TEST(Simulate, RunOptionsReplaceThoseOfTheModel) {
  const Answer answer = lithe({"simulate", example("double-pendulum"), "--until", "0.2", "--every", "0.1",
                               "--integrator", "rk4", "--step", "0.01", "--formulation", "partitioning", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["audit"]["steps"], 20);
  EXPECT_EQ(answer.json()["data"]["t"].size(), 3u);
}

TEST(Simulate, SingularPoseStopsWithLoopTimeAndConditionAndKeepsResults) {
  const Folder folder;
  const Answer answer = lithe({"simulate", example("singular-pose"), "--csv", folder.file("flat.csv")});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_TRUE(answer.err.starts_with("lithe: error: ")) << answer.err;
  for (const char* text :
       {"motor", "crank-pin", "rocker-pin", "pivot", "singular", "t = ", "condition number", "results"}) {
    EXPECT_NE(answer.err.find(text), std::string::npos) << text << " in " << answer.err;
  }
  EXPECT_GT(lines_of(folder.file("flat.csv")), 50u);
  EXPECT_NE(answer.out.find("audit"), std::string::npos);
}

TEST(Simulate, OverConstrainedLoopRuns) {
  const Answer answer = lithe({"simulate", example("sarrus"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto data = answer.json()["data"];
  // A Sarrus table moves straight up and down: its centre line is x = y = 0.
  for (std::size_t k = 0; k < data["t"].size(); ++k) {
    EXPECT_NEAR(data["pos.table.top.x"][k].get<double>(), 0.0, 1e-10);
    EXPECT_NEAR(data["pos.table.top.y"][k].get<double>(), 0.0, 1e-10);
  }
  EXPECT_LE(answer.json()["audit"]["worst_closure"].get<double>(), 1e-10);
}

TEST(Simulate, EarlierResultsSurviveARunThatFailsAtOnce) {
  const Folder folder;
  write_text(folder.file("r.csv"), "precious\n");
  write_text(folder.file("r.h5"), "precious\n");
  // A coupler that is far too short cannot be assembled.
  std::string text = read_text(example("four-bar"));
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("tip: [0.5, 0, 0]", "tip: [0.01, 0, 0]");
  write_text(folder.file("open.yaml"), text);
  const Answer answer =
      lithe({"simulate", folder.file("open.yaml"), "-o", folder.file("r.h5"), "--csv", folder.file("r.csv")});
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_EQ(read_text(folder.file("r.csv")), "precious\n");
  EXPECT_EQ(read_text(folder.file("r.h5")), "precious\n");
}

TEST(Simulate, CtrlCStopsCleanlyAndKeepsResults) {
  const Folder folder;
  const std::string csv = folder.file("long.csv");
  bool sent = false;
  const Answer answer =
      lithe({"simulate", example("double-pendulum"), "--until", "1e5", "--csv", csv}, [&](pid_t process) {
        // Until its end a run writes beside the name that its result will have.
        if (std::filesystem::exists(csv + ".partial") && lines_of(csv + ".partial") > 5) {
          kill(process, SIGINT);
          sent = true;
        }
        return sent;
      });
  EXPECT_TRUE(sent);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.err.find("results up to there are kept"), std::string::npos) << answer.err;
  EXPECT_NE(answer.out.find("audit"), std::string::npos);
  EXPECT_GT(lines_of(csv), 5u);
  EXPECT_EQ(read_text(csv).back(), '\n');
}

// Laws that leave a joint free are a mistake in the model, not a failure of the physics.
TEST(Kinematics, LawsThatDoNotDetermineTheMotionAreBadInput) {
  const Folder folder;
  write_text(folder.file("arm.yaml"),
             "lithe: 1\n"
             "links:\n"
             "  upper: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {tip: [1, 0]}}\n"
             "  lower: {rod: {from: [0, 0], to: [1, 0], mass: 1}}\n"
             "joints:\n"
             "  shoulder: {revolute: z, from: ground, to: upper, actuated: true}\n"
             "  elbow: {revolute: z, from: upper/tip, to: lower, actuated: true}\n"
             "drives: {shoulder: {follow: 1, by: inverse-dynamics}}\n"
             "run: {until: 0.1}\n");
  const std::string message =
      "lithe: error: the motion laws do not determine the motion: the mechanism has 2 degrees of freedom and 1 of them "
      "follow a law; give laws ('follow') for 'elbow' as well\n";
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"kinematics"}, {"inverse"}, {"inverse", "--flexible"}, {"simulate"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back(folder.file("arm.yaml"));
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2) << verb[0];
    EXPECT_EQ(answer.err, message) << verb[0];
  }
}

TEST(Simulate, AMissingFolderIsFoundBeforeTheRun) {
  const Answer answer = lithe({"simulate", example("double-pendulum"), "-o", "/nowhere/at/all/r.h5"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: /nowhere/at/all/r.h5: the folder /nowhere/at/all does not exist\n");
}

}  // namespace
}  // namespace lithe::testing
