// show of maps and studies: what it says, how large the pages are, bad files. What the pages do in a browser is tested in viewer/test.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe::testing {
namespace {

class DataPages : public ::testing::Test {
 protected:
  void SetUp() override {
    const Answer probe = lithe({"show", example("four-bar"), "-o", file("probe.html")});
    if (probe.err.find("has no viewer") != std::string::npos) GTEST_SKIP() << "built with LITHE_VIEWER=OFF";
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  /// The data block of a page.
  static nlohmann::json data_of(const std::string& path) {
    const std::string page = read_text(path), begin = "id=\"report-data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return detail::json_of(page.substr(from, page.find("</script>", from) - from));
  }
  void make_map(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"map",    example("five-bar"),
                                       "--over", "pos.forearm-left.tip.x=-0.4:0.4:17",
                                       "--over", "pos.forearm-left.tip.y=0:0.5:11",
                                       "--what", "condition",
                                       "-o",     file("map.h5")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Answer answer = lithe(arguments);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
  }
  void make_study() const {
    write_text(file("study.yaml"),
               "study: 1\nname: a <b> study\naxes:\n  x: {uniform: [-1, 1]}\n  y: {uniform: [0, 2]}\n"
               "sample: {method: sobol, count: 32}\noutputs:\n  z: {expression: x^2 + 3*y}\n"
               "constraints: {z: {max: 5}}\nobjectives: {z: minimize}\n");
    const Answer answer = lithe({"sweep", file("study.yaml"), "-o", file("study.h5")});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
  }

 private:
  Folder folder_;
};

TEST_F(DataPages, AMapBecomesOnePage) {
  make_map();
  const Answer answer = lithe({"show", file("map.h5"), "-o", file("map.html"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["kind"], "map");
  EXPECT_EQ(answer.json()["page"], file("map.html"));
  EXPECT_LT(answer.json()["bytes"], 6'000'000);
  const nlohmann::json data = data_of(file("map.html"));
  EXPECT_EQ(data["axes"][0]["count"], 17);
  EXPECT_EQ(data["axes"][1]["whole"], 11);
  EXPECT_EQ(data["columns"][0]["name"], "condition");
  EXPECT_FALSE(data["curves"].empty());
  EXPECT_TRUE(data["modes"].is_null()) << "no frequencies were asked for";
  EXPECT_EQ(data["scene"]["links"].size(), 5u) << "ground and four bars";
  const Answer text = lithe({"show", file("map.h5"), "-o", file("map.html")});
  EXPECT_NE(text.out.find("17 x 11 points, 2 columns\nopen "), std::string::npos) << text.out;
}

TEST_F(DataPages, AStudyBecomesOnePage) {
  make_study();
  const Answer answer = lithe({"show", file("study.h5"), "-o", file("study.html"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["kind"], "study");
  const nlohmann::json data = data_of(file("study.html"));
  EXPECT_EQ(data["title"], "a <b> study");
  EXPECT_EQ(data["rows"], 32);
  EXPECT_EQ(data["limits"][0]["most"], 5.0);
  EXPECT_EQ(data["objectives"][0]["output"], "z");
  EXPECT_TRUE(data["command"].is_null()) << "there is no model";
  // x^2 + 3 y is a quadratic: the surface explains all of it.
  EXPECT_NEAR(data["surfaces"][0]["determination"].get<double>(), 1.0, 1e-9);
  const Answer text = lithe({"show", file("study.h5"), "-o", file("study.html")});
  EXPECT_EQ(text.out.find("study a <b> study: 32 variants (sobol), 2 axes, 1 outputs, 0 failed\nopen "), 0u)
      << text.out;
}

TEST_F(DataPages, BadFilesAreToldWithARemedy) {
  make_map();
  make_study();
  const auto says = [&](const std::vector<std::string>& files, const std::string& words) {
    std::vector<std::string> arguments{"show"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    arguments.insert(arguments.end(), {"-o", file("never.html")});
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_NE(answer.err.find(words), std::string::npos) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(file("never.html")));
  };
  says({file("study.yaml")}, "is a study, not its results; compute it first: lithe sweep");
  says({file("map.h5"), file("study.h5")}, "is a map and is shown alone");
  says({file("study.h5"), file("map.h5")}, "is a study and is shown alone");
  write_text(file("study.h5.journal"), "something");
  says({file("study.h5.journal")}, "--resume");
  for (const char* name : {"map.h5", "study.h5"}) {
    const std::string whole = read_text(file(name));
    write_text(file("damaged.h5"), whole.substr(0, whole.size() / 2));
    says({file("damaged.h5")}, "damaged.h5");
    std::string spoiled = whole;
    for (std::size_t k = whole.size() / 2; k < whole.size() / 2 + 400; ++k) spoiled[k] = 'x';
    write_text(file("spoiled.h5"), spoiled);
    const Answer answer = lithe({"show", file("spoiled.h5"), "-o", file("never.html")});
    EXPECT_TRUE(answer.exit_code == 2 || answer.exit_code == 0) << answer.err;
  }
}

TEST_F(DataPages, APageDoesNotReplaceWhatItIsMadeFrom) {
  make_map();
  const std::string before = read_text(file("map.h5"));
  EXPECT_EQ(lithe({"show", file("map.h5"), "-o", file("map.h5")}).exit_code, 2);
  EXPECT_EQ(read_text(file("map.h5")), before);
}

}  // namespace
}  // namespace lithe::testing
