#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lithe/io/load_model.hpp"
#include "lithe/io/model_rules.hpp"

namespace lithe {
namespace {

TEST(Schema, IsJsonWithEveryTypeItRefersTo) {
  const auto schema = nlohmann::json::parse(model_schema());
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

/// The examples, and models that use every key, against an independent validator.
TEST(Schema, AcceptsTheExamples) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import jsonschema, yaml' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "python3-jsonschema or python3-yaml is not installed";
  const auto file = std::filesystem::temp_directory_path() / ("lithe-schema-" + std::to_string(::getpid()) + ".json");
  std::ofstream(file) << model_schema();
  const std::string root = LITHE_SOURCE_DIR;
  const std::string command = python + " " + root + "/tests/io/validate_schema.py " + file.string() + " " + root +
                              "/examples " + root + "/tests/io/accepted";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::filesystem::remove(file);
}

/// The model that AcceptsEveryKey reads has indeed every key of the table that is not refused.
TEST(Schema, EveryKeyIsTried) {
  std::ifstream stream(LITHE_SOURCE_DIR "/tests/io/accepted/every-key.yaml");
  std::ostringstream text;
  text << stream.rdbuf();
  for (const io::Section& section : io::model_rules())
    for (const io::KeyRule& key : section.keys)
      if (key.unavailable.empty())
        EXPECT_NE(text.str().find(key.name + ":"), std::string::npos) << section.name << "." << key.name;
}

/// The manual describes every key of the table from which keys are checked.
TEST(Schema, EveryKeyIsInTheManual) {
  std::ifstream stream(LITHE_SOURCE_DIR "/docs/model-file.md");
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string manual = text.str();
  for (const io::Section& section : io::model_rules())
    for (const io::KeyRule& key : section.keys)
      EXPECT_NE(manual.find("`" + key.name + "`"), std::string::npos) << section.name << "." << key.name;
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
