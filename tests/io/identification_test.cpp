// Identification files: what is read from them. Their complaints are tested with the program (cli/identify_test.cpp).

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/identification_rules.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

std::string every_key() { return source_folder() + "/tests/io/identification/every-key.yaml"; }

TEST(IdentificationFile, EveryKeyIsRead) {
  const IdentificationStudy study = load_identification(every_key());
  EXPECT_EQ(study.name, "all keys");
  EXPECT_EQ(study.options.confidence, 0.9);
  EXPECT_EQ(study.options.widest, 0.5);
  ASSERT_EQ(study.sought.size(), 3u);
  EXPECT_EQ(study.sought[0].name, "EI");
  EXPECT_EQ(study.sought[0].start, 0.32);
  EXPECT_EQ(study.sought[0].lower, 0.1);
  EXPECT_EQ(study.sought[0].upper, 2.0);
  EXPECT_EQ(study.sought[0].scale, 0.3);
  EXPECT_EQ(study.sought[1].start, 0.02);  // of the model
  ASSERT_EQ(study.experiments.size(), 2u);
  const Experiment& light = study.experiments[0];
  // Samples every 5 ms from 0.5 to 1.5 s of the record, which are 0.25 s earlier for the model.
  ASSERT_EQ(light.times.size(), 201u);
  EXPECT_DOUBLE_EQ(light.times.front(), 0.25);
  EXPECT_DOUBLE_EQ(light.times.back(), 1.25);
  ASSERT_EQ(light.measurements.size(), 2u);
  EXPECT_EQ(light.measurements[0].quantity, "pos.strip.tip.y");
  EXPECT_FALSE(light.measurements[0].noise);
  EXPECT_EQ(light.measurements[1].factor, "1 + damping");
  EXPECT_EQ(light.measurements[1].offset, "payload");
  EXPECT_EQ(light.measurements[1].noise, 0.03);
  EXPECT_FALSE(light.held_back);
  EXPECT_TRUE(study.experiments[1].held_back);
  EXPECT_EQ(study.files.size(), 5u);  // the file, and twice a model and a record

  // Paths reach into the model; what `settings` fix stays.
  const Model model = light.model({{"EI", 0.7}, {"links.strip.beam.length", 0.6}, {"payload", 3.0}});
  EXPECT_EQ(model.parameters.at("EI"), 0.7);
  EXPECT_EQ(model.parameters.at("payload"), 0.0);
  EXPECT_EQ(model.run.every, 0.01);
  const LinkData& strip = model.mechanism.links.back();
  EXPECT_DOUBLE_EQ(strip.frames[strip.find_frame("tip")].pose.position.x(), 0.6);
}

TEST(IdentificationFile, EveryKeyIsTried) {
  std::ostringstream text;
  text << std::ifstream(every_key()).rdbuf();
  for (const io::MapRules& section : io::identification_rules())
    for (const io::KeyRule& key : section.keys)
      EXPECT_NE(text.str().find(key.name + ":"), std::string::npos) << section.name << "." << key.name;
}

}  // namespace
}  // namespace lithe::testing
