// The data blocks of the pages of maps and studies: bounds and thinning, and studies read back.

#include "lithe/io/data_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/unpacked.hpp"
#include "lithe/io/load_model.hpp"
#include "support/source_folder.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe {
namespace {

using testing::unpacked;

/// f = 100 i + 10 j + k at every point, without a model.
StoredMap numbered_map(int nx, int ny, int nz) {
  StoredMap stored;
  stored.request = "{}";
  WorkspaceMap& map = stored.map;
  map.axes = {{"q.a", 0.0, 1.0, nx}, {"q.b", -1.0, 1.0, ny}, {"q.c", 2.0, 3.0, nz}};
  map.axis_units = {"rad", "rad", "m"};
  map.columns = {{"f", "1"}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        map.points.push_back(MapPoint::reached);
        map.values.push_back(100.0 * i + 10.0 * j + k);
      }
  map.finished = true;
  return stored;
}

TEST(MapPage, AFineGridIsThinnedAlongItsLongestAxes) {
  const Report whole = make_map_page(numbered_map(9, 5, 2));
  EXPECT_EQ(detail::json_of(whole.json)["axes"][0]["count"], 9);
  ASSERT_EQ(whole.warnings.size(), 1u) << "there is no model to draw";

  MapPageOptions options;
  options.values_budget = 5 * 5 * 3 * 2;  // one byte for what the point is, four for its value
  const nlohmann::json data = detail::json_of(make_map_page(numbered_map(9, 5, 2), options).json);
  // 9 x 5 x 2 do not fit, every second one of the first axis makes 5 x 5 x 2, then 3 x 5 x 2.
  EXPECT_EQ(data["axes"][0]["whole"], 9);
  EXPECT_EQ(data["axes"][2]["count"], 2) << "layers are not given up first";
  const int nx = data["axes"][0]["count"], ny = data["axes"][1]["count"];
  EXPECT_LE(5 * nx * ny * 2, 150);
  const auto values = unpacked<float>(data["columns"][0]["values"]);
  ASSERT_EQ(values.size(), static_cast<std::size_t>(nx * ny * 2));
  // The values stand where the axes of the page say.
  const double to = data["axes"][0]["to"];
  EXPECT_FLOAT_EQ(values[static_cast<std::size_t>(nx) - 1], static_cast<float>(100.0 * std::round(to * 8.0)));
  EXPECT_FLOAT_EQ(values.back() - values[values.size() / 2 - 1], 1.0F) << "the next layer";
}

TEST(MapPage, ModesAreThoseOfTheFrequenciesInTheMap) {
  const Model model = load_model(source_folder() + "/examples/studies/models/elastic-five-bar.yaml", {});
  MapOptions options;
  options.axes = {{"pos.rod-1.tip.x", 0.08, 0.2, 4}, {"pos.rod-1.tip.y", 0.25, 0.4, 3}};
  options.quantities = {"frequency"};
  StoredMap stored;
  stored.map = make_map(model, options);
  stored.model_name = model.name;
  stored.model_path = model.path;
  stored.request = map_request(model, options);
  const Report report = make_map_page(stored);
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
  const nlohmann::json data = detail::json_of(report.json);
  const auto drawn = unpacked<double>(data["drawn"]);
  const auto twists = unpacked<float>(data["modes"]["twists"]);
  const auto poses = unpacked<float>(data["scene"]["poses"]);
  const std::size_t points = drawn.size() / 2, links = data["scene"]["links"].size() - 1;
  ASSERT_GT(points, 0u);
  EXPECT_EQ(poses.size(), points * links * 7);
  ASSERT_EQ(twists.size(), points * 3 * links * 6);
  for (const float value : twists) EXPECT_TRUE(std::isfinite(value));
  // A mode that does not have the frequency of the map is not drawn.
  for (double& value : stored.map.values) value *= 1.01;
  const Report wrong = make_map_page(stored);
  ASSERT_EQ(wrong.warnings.size(), 1u);
  EXPECT_NE(wrong.warnings[0].find("modes are not drawn"), std::string::npos);
}

StudyTable line_table(long rows) {
  StudyTable table;
  table.axes = {"x"};
  table.outputs = {"y"};
  table.rows = rows;
  for (long k = 0; k < rows; ++k) {
    table.values.push_back(0.5 * static_cast<double>(k));
    table.results.push_back(k == 3 ? std::nan("") : 2.0 * static_cast<double>(k));
    table.errors.emplace_back(k == 3 ? "it broke" : "");
    table.known.push_back(1);
  }
  return table;
}

TEST(StudyPage, ResultsAreReadBack) {
  const std::string path = (std::filesystem::temp_directory_path() / "lithe-study-page-test.h5").string();
  write_study_hdf5(path, {"name", "p.yaml", "study: 1\n", "grid", "", "", "{}", "complete"}, line_table(9), {});
  ASSERT_TRUE(is_study_results(path));
  const StoredStudy stored = read_study_results(path);
  std::filesystem::remove(path);
  EXPECT_EQ(stored.record.name, "name");
  EXPECT_EQ(stored.record.text, "study: 1\n");
  EXPECT_EQ(stored.table.rows, 9);
  EXPECT_EQ(stored.table.values, line_table(9).values);
  EXPECT_EQ(stored.table.errors, line_table(9).errors);
  EXPECT_THROW(read_study_results("/nowhere/at/all.h5"), ResultsError);
}

TEST(StudyPage, ManyVariantsAreThinnedButNotThoseWithAPage) {
  StoredStudy stored;
  stored.table = line_table(1000);
  stored.record.analysis = "{}";
  StudyPageOptions options;
  options.budget = 16 * 10;  // ten rows of two numbers
  options.pages[501] = "page-501.html";
  const nlohmann::json data = detail::json_of(make_study_page(stored, options).json);
  const auto numbers = unpacked<double>(data["numbers"]);
  EXPECT_EQ(numbers.size(), 11u);
  EXPECT_EQ(numbers.front(), 0.0);
  EXPECT_EQ(numbers.back(), 999.0);
  EXPECT_NE(std::find(numbers.begin(), numbers.end(), 501.0), numbers.end());
  EXPECT_EQ(data["rows"], 1000);
  EXPECT_EQ(data["failures"][0]["count"], 1);
  const auto x = unpacked<double>(data["axes"][0]["values"]);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(x[k], 0.5 * numbers[k]);
}

TEST(StudyPage, AVariantOfMapsIsComputedAgainByLitheMap) {
  StoredStudy stored;
  stored.table = line_table(3);
  stored.record.analysis = "{}";
  stored.record.path = "folder/s.yaml";
  stored.record.text =
      "study: 1\nmodel: m.yaml\naxes: {x: {values: [1]}}\n"
      "map: {over: {q.a: {from: 0, to: 1, count: 3}, q.b: {from: -0.5, to: 1, count: 4}}, hold: {q.c: 2}, payload: 3}\n"
      "outputs: {y: {map: dexterity, take: min}, z: {map: frequency.1, take: max}, r: {map: reached}}\n";
  const nlohmann::json command = nlohmann::json::parse(make_study_page(stored, {}).json)["command"];
  EXPECT_EQ(command["verb"], "map");
  EXPECT_EQ(command["model"], "folder/m.yaml");
  EXPECT_EQ(command["more"], nlohmann::json({"--over", "q.a=0:1:3", "--over", "q.b=-0.5:1:4", "--hold", "q.c=2",
                                             "--what", "condition,frequency", "--payload", "3"}));
}

}  // namespace
}  // namespace lithe
