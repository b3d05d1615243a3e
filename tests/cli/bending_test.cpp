// Links that bend too far for the theory: the program says so, with a number of segments that helps, and ends with 1.

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::testing {
namespace {

/// A level cantilever under its weight; the beams of tests/oracles/elastica.py.
std::string cantilever(const Folder& folder, double EI, const std::string& more = "") {
  const std::string path = folder.file("cantilever.yaml");
  write_text(path, "lithe: 1\ngravity: [0, -9.81, 0]\nlinks:\n  beam: {beam: {length: 1, EI: " + std::to_string(EI) +
                       ", mass: 1" + more +
                       "}, damping: {ratio: 0.02}}\njoints:\n  clamp: {revolute: z, from: ground, to: beam/root, "
                       "actuated: true}\ndrives: {clamp: {follow: 0, by: motion}}\n"
                       "run: {until: 0.5}\nrecord: [coordinates, deflections: [beam/tip]]\n");
  return path;
}

/// The number after "segments: " in a message.
int advised_segments(const std::string& text) {
  const std::size_t at = text.find("segments: ");
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + 10));
}

// A tip 9.5 m below a beam of 1 m was an answer with exit code 0.
TEST(Bending, StaticsOfABeamThatHangs) {
  const Folder folder;
  const Answer answer = lithe({"statics", cantilever(folder, 0.3), "--json"});
  EXPECT_EQ(answer.exit_code, 1);
  const auto found = answer.json();
  EXPECT_FALSE(found["ok"].get<bool>());
  EXPECT_FALSE(found["trusted"].get<bool>());
  EXPECT_GT(found["bending"]["beam"].get<double>(), 0.5);
  ASSERT_EQ(found["distrust"].size(), 1u);
  EXPECT_GT(advised_segments(found["distrust"][0]), 10);
  EXPECT_NE(answer.err.find("lithe: error: link 'beam' bends by "), std::string::npos) << answer.err;
}

// The advice for a moderate case, followed: no remark is left, and the tip is where the elastica has it.
TEST(Bending, TheAdvisedSegmentsHelp) {
  const auto oracle = recorded_json("tests/oracles/elastica.json")[1];
  const Folder folder;
  const Answer whole = lithe({"statics", cantilever(folder, 10), "--json"});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  const auto warned = whole.json();
  ASSERT_EQ(warned["warnings"].size(), 1u) << whole.out;
  const int segments = advised_segments(warned["warnings"][0]);
  ASSERT_GT(segments, 1);
  const Answer split = lithe({"statics", cantilever(folder, 10, ", segments: " + std::to_string(segments)), "--json"});
  EXPECT_EQ(split.exit_code, 0) << split.err;
  const auto found = split.json();
  EXPECT_EQ(found["warnings"].size(), 0u) << split.out;
  for (const auto& [link, measure] : found["bending"].items()) EXPECT_LT(measure.get<double>(), 0.1) << link;
  const auto tip = found["frames"]["beam." + std::to_string(segments) + "/tip"]["displacement"];
  EXPECT_NEAR(tip[0].get<double>(), oracle["tip"][0].get<double>() - 1.0, 1e-3 * 0.12);
  EXPECT_NEAR(tip[1].get<double>(), oracle["tip"][1].get<double>(), 1e-3 * 0.12);
}

TEST(Bending, ARunThatLeavesTheTheoryKeepsItsRowsAndEndsWithOne) {
  const Folder folder;
  const std::string results = folder.file("run.h5");
  const Answer answer = lithe({"simulate", cantilever(folder, 0.3), "-o", results, "--json"});
  EXPECT_EQ(answer.exit_code, 1);
  const auto found = answer.json();
  EXPECT_GT(found["audit"]["bending"]["beam"].get<double>(), 0.5);
  EXPECT_FALSE(found["audit"]["distrust"].empty());
  EXPECT_TRUE(std::filesystem::exists(results));
  EXPECT_NE(answer.err.find("segments: "), std::string::npos) << answer.err;
}

// A stiff one is nothing to talk about.
TEST(Bending, ALittleIsFine) {
  const Folder folder;
  const Answer answer = lithe({"simulate", cantilever(folder, 1e4)});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.err.find("bends"), std::string::npos) << answer.err;
  EXPECT_NE(answer.out.find("largest bending"), std::string::npos) << answer.out;
}

// 1e-9 m is not zero. The beam rings at 18 kHz: after 10 ms, 180 periods at 2 percent, it has come to rest at 1.2e-9 m.
TEST(Tables, SmallNumbersAreShown) {
  const Folder folder;
  const Answer answer = lithe({"simulate", cantilever(folder, 1e9), "--until", "0.01"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("deflection.beam.tip.norm"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("e-09"), std::string::npos) << answer.out;
}

}  // namespace
}  // namespace lithe::testing
