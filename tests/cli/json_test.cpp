// Answers in JSON whatever bytes names have.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

// A model file must be UTF-8, but the command line can bring any bytes: they become the mark U+FFFD.
class AnyBytes : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(AnyBytes, OfTheModelNameBecomeMarks) {
  std::vector<std::string> arguments = GetParam();
  arguments.insert(arguments.end(), {example("five-bar"), "--json", "--set",
                                     "name=a\xff"
                                     "b"});
  const Answer answer = lithe(arguments);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["model"], "a\uFFFDb");
}

INSTANTIATE_TEST_SUITE_P(Verbs, AnyBytes,
                         ::testing::Values(std::vector<std::string>{"check"}, std::vector<std::string>{"kinematics"},
                                           std::vector<std::string>{"inverse"}, std::vector<std::string>{"simulate"},
                                           std::vector<std::string>{"statics"}, std::vector<std::string>{"modes"},
                                           std::vector<std::string>{"linearize"},
                                           std::vector<std::string>{"compare", "--states", "2"},
                                           std::vector<std::string>{"bench", "--states", "2"}),
                         [](const auto& info) { return info.param[0]; });

TEST(AnyBytes, OfAFileNameBecomeMarks) {
  const Folder folder;
  const std::string model = folder.file("m\xff.yaml");
  std::filesystem::copy_file(example("five-bar"), model);
  for (const char* verb : {"check", "statics", "modes", "linearize", "inverse"}) {
    const Answer answer = lithe({verb, model, "--json"});
    EXPECT_EQ(answer.exit_code, 0) << verb << answer.err;
    EXPECT_TRUE(answer.json()["ok"].get<bool>()) << verb;
  }
  EXPECT_EQ(lithe({"reproduce", folder.file("no\xff.json"), "--json"}).json()["exit"], 2);
}

// A result keeps what was replaced, and pages and pictures of it are made.
TEST(AnyBytes, StandInResults) {
  const Folder folder;
  const Answer run = lithe({"simulate", example("five-bar"), "--until", "0.1", "--set",
                            "name=a\xff"
                            "b",
                            "-o", folder.file("r.h5"), "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Answer page = lithe({"show", folder.file("r.h5"), "-o", folder.file("r.html"), "--json"});
  if (page.err.find("has no viewer") != std::string::npos) GTEST_SKIP() << "built with LITHE_VIEWER=OFF";
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_TRUE(page.json()["ok"].get<bool>());
}

// Everything that makes text of JSON does it in one way.
TEST(AnyBytes, OnePlaceWritesAndParsesJson) {
  for (const char* folder : {"/src", "/python/src"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(source_folder() + std::string(folder))) {
      if (file.is_directory() || file.path().stem() == "json_text") continue;
      const std::string text = read_text(file.path());
      EXPECT_EQ(text.find(".dump("), std::string::npos) << file.path() << ": use detail::json_text";
      EXPECT_EQ(text.find("json::parse("), std::string::npos) << file.path() << ": use detail::json_of";
    }
  }
}

}  // namespace
}  // namespace lithe::testing
