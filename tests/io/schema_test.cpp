#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/study_rules.hpp"
#include "lithe/io/urdf.hpp"
#include "support/source_folder.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe {
namespace {

TEST(Schema, IsJsonWithEveryTypeItRefersTo) {
  const auto schema = detail::json_of(model_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  std::istringstream lines(model_schema());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("#/$defs/");
    if (at == std::string::npos) continue;
    const std::string name = line.substr(at + 8, line.find('"', at) - at - 8);
    EXPECT_TRUE(schema["$defs"].contains(name)) << name;
  }
  EXPECT_TRUE(schema["$defs"]["link"]["properties"].contains("beam"));
  EXPECT_TRUE(schema["$defs"]["link"]["properties"].contains("rod"));
}

/// Files of some folders against an independent validator.
void expect_accepted(const std::string& schema, const std::vector<std::string>& folders) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import jsonschema, yaml' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "python3-jsonschema or python3-yaml is not installed";
  const auto file = std::filesystem::temp_directory_path() / ("lithe-schema-" + std::to_string(::getpid()) + ".json");
  std::ofstream(file) << schema;
  std::string command = python + " " + source_folder() + "/tests/io/validate_schema.py " + file.string();
  for (const std::string& folder : folders) command += " " + source_folder() + "/" + folder;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove(file);
}

/// The examples, and models that use every key.
TEST(Schema, AcceptsTheExamples) {
  expect_accepted(model_schema(), {"examples", "examples/starters", "tests/io/accepted"});
}

TEST(Schema, OfTheIdentificationFileAcceptsEveryKey) {
  expect_accepted(identification_schema(), {"tests/io/identification"});
}

TEST(Schema, OfTheSideFileAcceptsTheExample) { expect_accepted(urdf_side_schema(), {"examples/urdf"}); }

TEST(Schema, OfTheStudyFileAcceptsTheExamplesAndEveryKey) {
  expect_accepted(study_schema(), {"examples/studies", "tests/io/accepted-studies"});
  std::ostringstream text;
  for (const char* name : {"every-key.yaml", "every-key-of-a-move.yaml"})
    text << std::ifstream(source_folder() + "/tests/io/accepted-studies/" + name).rdbuf();
  for (const io::MapRules& section : io::study_rules())
    for (const io::KeyRule& key : section.keys)
      EXPECT_NE(text.str().find(key.name + ":"), std::string::npos) << section.name << "." << key.name;
}

/// The models that AcceptsEveryKey reads have indeed every key of the table that is not refused.
TEST(Schema, EveryKeyIsTried) {
  std::ostringstream text;
  for (const char* name : {"every-key.yaml", "automatic-modes.yaml"})
    text << std::ifstream(source_folder() + "/tests/io/accepted/" + name).rdbuf();
  for (const io::MapRules& section : io::model_rules())
    for (const io::KeyRule& key : section.keys)
      if (key.unavailable.empty())
        EXPECT_NE(text.str().find(key.name + ":"), std::string::npos) << section.name << "." << key.name;
}

/// The manual describes every key of the tables from which keys are checked.
void expect_described(const std::vector<io::MapRules>& sections, const std::string& page) {
  std::ifstream stream(source_folder() + "/docs/" + page);
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string manual = text.str();
  for (const io::MapRules& section : sections)
    for (const io::KeyRule& key : section.keys)
      EXPECT_NE(manual.find("`" + key.name + "`"), std::string::npos) << section.name << "." << key.name;
}

TEST(Schema, EveryKeyIsInTheManual) {
  expect_described(io::model_rules(), "model-file.md");
  expect_described({io::section("side-file")}, "urdf.md");
}

TEST(Rules, TypesAreTakenApart) {
  EXPECT_EQ(io::alternatives("number | list of number"), (std::vector<std::string>{"number", "list of number"}));
  EXPECT_EQ(io::words_of("flag | word(a,b-c)"), (std::vector<std::string>{"a", "b-c"}));
  EXPECT_EQ(io::element_type("number | list of flag"), "flag");
  EXPECT_EQ(io::element_type("map of joint", "map of "), "joint");
  EXPECT_EQ(io::element_type("number"), "");
  EXPECT_THROW(io::section("nonsense"), std::logic_error);
}

}  // namespace
}  // namespace lithe
