// Every model file in tests/io/malformed has its exact messages beside it, in the file of the same name with the ending
// .expected. The messages were written for the reader who made the mistake: what is wrong, where, and what to do.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/io/load_model.hpp"
#include "support/case_name.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

const std::string folder = source_folder() + "/tests/io/malformed/";

std::vector<std::string> malformed_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The messages as a user in that folder would see them.
std::string from_inside(std::string text) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

class MalformedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(MalformedModel, GivesExactlyTheseMessages) {
  try {
    load_model(folder + GetParam() + ".yaml");
    FAIL() << "the model was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(from_inside(error.what()) + "\n", read(folder + GetParam() + ".expected"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MalformedModel, ::testing::ValuesIn(malformed_files()),
                         [](const auto& info) { return testing::case_name(info.param); });

TEST(MalformedModels, AreMany) { EXPECT_GE(malformed_files().size(), 40U); }

}  // namespace
}  // namespace lithe
