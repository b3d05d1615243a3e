// lithe bench: the tasks that a model has, each with a time; the run as in the file.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

std::vector<std::string> tasks_of(const nlohmann::json& answer) {
  std::vector<std::string> names;
  for (const auto& task : answer["tasks"]) {
    names.push_back(task["name"]);
    EXPECT_GT(task["microseconds"].get<double>(), 0.0) << names.back();
  }
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Bench, LoopsHaveTasksOfTheirOwn) {
  const Answer answer = lithe({"bench", example("four-bar"), "--states", "2", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const std::vector<std::string> names = tasks_of(answer.json());
  for (const char* name : {"close the loops", "complete the speeds", "inverse dynamics", "forward dynamics, noc",
                           "forward dynamics, multipliers", "forward derivatives", "linearization",
                           "forward dynamics, in a batch", "inverse dynamics, in a batch"})
    EXPECT_TRUE(has(names, name)) << name;
  for (const auto& task : answer.json()["tasks"])
    if (task["name"] == "forward dynamics, noc") EXPECT_GT(task["flops"].get<long>(), 100);
  EXPECT_EQ(answer.json()["run"]["model_time"], 2.0);  // `until` of the file
  EXPECT_GT(answer.json()["run"]["real_time_factor"].get<double>(), 0.0);
}

TEST(Bench, OpenChainsHaveNone) {
  const Answer answer = lithe({"bench", example("double-pendulum"), "--states", "2", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const std::vector<std::string> names = tasks_of(answer.json());
  EXPECT_FALSE(has(names, "close the loops"));
  EXPECT_FALSE(has(names, "forward dynamics, penalty"));  // there are no closures to relax
  EXPECT_TRUE(has(names, "forward dynamics, gibbs-appell"));
}

TEST(Bench, TableForPeople) {
  const Answer answer = lithe({"bench", example("double-pendulum"), "--states", "2"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"us per call", "times real time", "MB at most"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace lithe::testing
