// Values that look like another unit are pointed out; models in SI are not bothered.

#include <gtest/gtest.h>

#include <filesystem>

#include "io/model_text.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// A beam of steel on a motor, with one text replaced by another.
std::vector<std::string> hints_with(const std::string& from, const std::string& to) {
  std::string text = R"(gravity: [0, -9.81, 0]
materials:
  steel: {density: 7850, young: 210e9, poisson: 0.3}
links:
  arm: {beam: {length: 0.5, material: steel, section: {rectangle: {height: 0.003, width: 0.02}}}, modes: {count: 2}}
joints:
  motor: {revolute: z, from: ground, to: arm/root, actuated: true}
initial: {motor: 60 deg}
)";
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  return load(text).remarks.warnings;
}

using Hints = std::vector<std::string>;

TEST(UnitHints, ModelsInSiUnitsHaveNone) { EXPECT_EQ(hints_with("7850", "7850"), Hints{}); }

TEST(UnitHints, Density) {
  EXPECT_EQ(hints_with("7850", "7.85"),
            Hints{"model.yaml:4:20: materials.steel.density: 7.85 kg/m^3 looks like g/cm^3; write 7850"});
  EXPECT_EQ(hints_with("7850", "7.85e-6"),
            Hints{"model.yaml:4:20: materials.steel.density: 7.85e-06 kg/m^3 looks like kg/mm^3; write 7850"});
  EXPECT_EQ(hints_with("7850", "7.85e-9"),
            Hints{"model.yaml:4:20: materials.steel.density: 7.85e-09 kg/m^3 looks like t/mm^3; write 7850"});
  EXPECT_EQ(hints_with("7850", "7850e3"),
            Hints{"model.yaml:4:20: materials.steel.density: 7.85e+06 kg/m^3 is more than any material has; steel has "
                  "7850"});
}

TEST(UnitHints, YoungsModulus) {
  EXPECT_EQ(hints_with("210e9", "210"),
            Hints{"model.yaml:4:33: materials.steel.young: 210 Pa is softer than rubber and looks like GPa; write "
                  "2.1e+11"});
  EXPECT_EQ(hints_with("210e9", "210e3"),
            Hints{"model.yaml:4:33: materials.steel.young: 210000 Pa is softer than rubber and looks like MPa "
                  "(N/mm^2); write 2.1e+11"});
  EXPECT_EQ(hints_with("210e9", "210e12"),
            Hints{"model.yaml:4:33: materials.steel.young: 2.1e+14 Pa is stiffer than diamond; steel has 2.1e11"});
  EXPECT_EQ(hints_with("density: 7850, young: 210e9", "density: 1100, young: 0.5e6"), Hints{});  // a soft rubber
}

TEST(UnitHints, Lengths) {
  EXPECT_EQ(hints_with("{height: 0.003, width: 0.02}", "{height: 3, width: 20}"),
            Hints{"model.yaml:6:76: links.arm.beam.section.rectangle.height: a cross section of 3 m looks like mm; "
                  "write 0.003"});
  EXPECT_EQ(hints_with("length: 0.5, material: steel, section: {rectangle: {height: 0.003, width: 0.02}}",
                       "length: 500, EI: 0.3, mass: 0.2"),
            Hints{"model.yaml:6:8: links.arm: 500 m is large for a mechanism of 0.2 kg: lengths look like mm; write "
                  "them in m"});
}

TEST(UnitHints, Angles) {
  EXPECT_EQ(hints_with("60 deg", "60"),
            Hints{"model.yaml:9:18: initial.motor: 60 rad is more than a turn; degrees are written 60 deg"});
  EXPECT_EQ(hints_with("60 deg", "1.047"), Hints{});
  EXPECT_EQ(hints_with("60 deg", "20*pi"), Hints{});
}

TEST(UnitHints, Gravity) {
  EXPECT_EQ(hints_with("-9.81", "-9810"),
            Hints{"model.yaml:2:10: gravity: 9810 m/s^2 looks like mm/s^2; on earth it is 9.81"});
  EXPECT_EQ(hints_with("-9.81", "-1.62"), Hints{});  // the moon
}

TEST(UnitHints, TheGalleryIsSilent) {
  namespace fs = std::filesystem;
  int models = 0;
  for (const fs::path folder :
       {source_folder() + "/examples", source_folder() + "/examples/starters", source_folder() + "/tests/io/accepted"})
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
      if (file.path().extension() != ".yaml") continue;
      SCOPED_TRACE(file.path());
      Hints warnings = load_model(file.path().string()).remarks.warnings;
      // Every key stands in one file, stress of links among them whose sections nobody knows: no question of units.
      std::erase_if(warnings, [](const std::string& text) { return text.starts_with("no stress is recorded"); });
      EXPECT_EQ(warnings, Hints{});
      ++models;
    }
  EXPECT_GT(models, 25);
}

}  // namespace
}  // namespace lithe
