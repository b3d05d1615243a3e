// lithe map: what it writes and says, going on after an interruption, bad input.

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

const std::vector<std::string>& five_bar_map() {
  static const std::vector<std::string> arguments{"map",    example("five-bar"),
                                                  "--over", "pos.forearm-left.tip.x=-0.4:0.4:17",
                                                  "--over", "pos.forearm-left.tip.y=0:0.5:11",
                                                  "--what", "condition,torque"};
  return arguments;
}

Answer map_with(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = five_bar_map();
  arguments.insert(arguments.end(), more.begin(), more.end());
  return lithe(arguments);
}

TEST(Map, JsonCsvAndTextTellTheSame) {
  const Folder folder;
  const std::string csv = folder.file("map.csv");
  const Answer answer = map_with({"--json", "--csv", csv});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json map = answer.json();
  EXPECT_EQ(map["axes"][0]["count"], 17);
  EXPECT_EQ(map["axes"][1]["unit"], "m");
  EXPECT_EQ(map["frame"], "forearm-left/tip");
  ASSERT_EQ(map["points"].size(), 17u * 11u);
  // In the middle, 0.25 m up: both motors as far from it; the corner is out of reach.
  const std::size_t middle = 8 + 17 * 5;
  EXPECT_EQ(map["points"][middle], "reached");
  EXPECT_EQ(map["points"][16 + 17 * 10], "unreachable");
  EXPECT_TRUE(map["values"]["dexterity"][16 + 17 * 10].is_null());
  const double dexterity = map["values"]["dexterity"][middle].get<double>();
  EXPECT_GT(dexterity, 0.5);
  EXPECT_LE(dexterity, 1.0);
  EXPECT_EQ(map["boundaries"][0]["kind"], "reach");
  const std::string text = read_text(csv);
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "pos.forearm-left.tip.x,pos.forearm-left.tip.y,point,condition,dexterity,torque.motor-left,torque.motor-right");
  EXPECT_NE(text.find("\n0,0.25,reached,"), std::string::npos);
  EXPECT_NE(text.find("\n0.4,0.5,unreachable,,,,\n"), std::string::npos);
  const Answer told = map_with({});
  EXPECT_NE(told.out.find("dexterity"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("of 187 points are reached"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("reach"), std::string::npos) << told.out;
}

TEST(Map, FigureHasContoursBoundaryAndUnits) {
  const Folder folder;
  const std::string figure = folder.file("map.svg");
  ASSERT_EQ(map_with({"--figure", figure, "--draw", "dexterity,torque.motor-left", "-q"}).exit_code, 0);
  const std::string svg = read_text(figure);
  for (const char* part : {">pos.forearm-left.tip.x (m)<", ">dexterity<", ">torque.motor-left (N m)<",
                           "<title>reach</title>", "url(#hatched)", ">planar five-bar<"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

/// Texts of a figure that stand in a row below an axis: their places and words.
std::vector<std::pair<double, std::string>> ticks_below(const std::string& svg) {
  std::vector<std::pair<double, std::string>> found;
  const std::regex tick("<text x=\"([0-9.]+)\" y=\"[0-9.]+\" text-anchor=\"middle\">([^<]*)</text>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), tick), end; it != end; ++it)
    found.emplace_back(std::stod((*it)[1]), (*it)[2]);
  return found;
}

// With motors locked the strips ring alike wherever the tool is, and they do not stretch: pictures of one colour, not of rounding.
TEST(Map, FiguresOfWhatIsTheSameEverywhereHaveOneColour) {
  const Folder folder;
  const std::string figure = folder.file("map.svg");
  const Answer answer = lithe({"map", example("brillarelli-five-bar"), "--over", "pos.strip-1.tip.x=-0.3:0.3:15",
                               "--over", "pos.strip-1.tip.y=0:0.42:11", "--what", "compliance,frequency", "--figure",
                               figure, "--draw", "compliance,frequency.1"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.err.find("these links bend but do not stretch"), std::string::npos) << answer.err;
  const std::string svg = read_text(figure);
  std::set<std::string> colours;
  const std::regex band("<path d=\"[^\"]*\" fill=\"(#[0-9a-f]{6})\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), band), end; it != end; ++it) colours.insert((*it)[1]);
  EXPECT_EQ(colours.size(), 1u);
  EXPECT_NE(svg.find(">0</text>"), std::string::npos);
  EXPECT_NE(svg.find(">12.782</text>"),
            std::string::npos);  // four clamped-free shapes, docs/verification/brillarelli.md
  // Numbers below an axis do not touch: of 3.2 mm height, signs and points included, they are 1.5 mm wide per sign; lengths are in tenths of a mm.
  const auto ticks = ticks_below(svg);
  ASSERT_GT(ticks.size(), 4u);
  for (std::size_t k = 1; k < ticks.size(); ++k)
    if (ticks[k].first > ticks[k - 1].first)
      EXPECT_GT(ticks[k].first - ticks[k - 1].first, 15.0 * static_cast<double>(ticks[k].second.size()));
}

// The map that was stopped leaves its points beside the output; the same command ends with the same numbers as one that was not.
TEST(Map, GoesOnAfterAnInterruption) {
  const Folder folder;
  const std::string whole = folder.file("whole.h5"), part = folder.file("part.h5");
  const std::vector<std::string> arguments{"map",    source_folder() + "/examples/starters/five-bar.yaml",
                                           "--over", "pos.forearm-right.tip.x=-0.4:0.4:24",
                                           "--over", "pos.forearm-right.tip.y=0:0.5:16",
                                           "--what", "compliance",
                                           "-q",     "-o"};
  const auto to = [&](const std::string& path) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {path, "--csv", path + ".csv"});
    return all;
  };
  ASSERT_EQ(lithe(to(whole)).exit_code, 0);
  // An unfinished map as a killed program leaves it: here simply the finished one, whose points are all known.
  std::filesystem::copy_file(whole, part + ".unfinished");
  const Answer answer = lithe(to(part));
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_FALSE(std::filesystem::exists(part + ".unfinished"));
  EXPECT_TRUE(read_text(part + ".csv") == read_text(whole + ".csv"));
  // One of another map is not taken.
  std::filesystem::copy_file(whole, part + ".unfinished");
  std::vector<std::string> other = to(part);
  other.insert(other.end(), {"--payload", "0.1"});
  ASSERT_EQ(lithe(other).exit_code, 0);
  EXPECT_FALSE(read_text(part + ".csv") == read_text(whole + ".csv"));
}

TEST(Map, CtrlCKeepsWhatIsThere) {
  const Folder folder;
  const std::string path = folder.file("map.h5");
  const std::vector<std::string> arguments{"map",    example("flexible-3rrr"),
                                           "--over", "pos.platform.x=0.2:0.8:400",
                                           "--over", "pos.platform.y=0:0.7:400",
                                           "--what", "payload,frequency",
                                           "-o",     path,
                                           "-q"};
  const auto begun = std::chrono::steady_clock::now();
  const Answer answer = lithe(arguments, [&](pid_t process) {
    if (std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(500)) return false;
    kill(process, SIGINT);
    return true;
  });
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.err,
            "lithe: error: interrupted; " + path + ".unfinished has what was found, and the same command goes on\n");
  EXPECT_TRUE(std::filesystem::exists(path + ".unfinished"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Map, BadInput) {
  const Folder folder;
  const std::string model = example("five-bar");
  const auto error = [](const std::vector<std::string>& arguments) {
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_EQ(error({"map", model, "--over", "q.motor-left=0:1"}),
            "lithe: error: a map needs two or three axes, e.g. --over pos.platform.x=-0.2:0.2 --over "
            "pos.platform.y=-0.2:0.2; 1 "
            "given\n");
  EXPECT_EQ(error({"map", model, "--over", "q.motor-left", "--over", "q.motor-right=0:1"}),
            "lithe: error: --over q.motor-left: expected COORDINATE=FROM:TO or COORDINATE=FROM:TO:COUNT\n");
  EXPECT_EQ(error({"map", model, "--over", "q.motor-left=0:1:1.5", "--over", "q.motor-right=0:1"}),
            "lithe: error: --over q.motor-left: 1.5 points are not possible; 2 to 10000 are\n");
  EXPECT_EQ(error({"map", model, "--over", "q.motor-left=1:0", "--over", "q.motor-right=0:1"}),
            "lithe: error: axis 'q.motor-left' goes from 1 to 0; the second must be larger\n");
  EXPECT_EQ(error({"map", model, "--over", "q.motor-lft=0:1", "--over", "q.motor-right=0:1"}),
            "lithe: error: there is no coordinate 'motor-lft'; did you mean 'motor-left'?\n");
  std::vector<std::string> drawn = five_bar_map();
  drawn.insert(drawn.end(), {"--figure", folder.file("map.svg"), "--draw", "torque", "-q"});
  EXPECT_EQ(
      error(drawn),
      "lithe: error: --draw torque: the map has no such column; there are: condition, dexterity, torque.motor-left, "
      "torque.motor-right\n");
  drawn = five_bar_map();
  drawn.insert(drawn.end(), {"-o", "map.csv"});
  EXPECT_EQ(error(drawn), "lithe: error: map.csv: the name of a map ends in .h5\n");
}

// A map in which nothing is reached is no map.
TEST(Map, NothingReached) {
  const Answer answer = lithe(
      {"map", example("five-bar"), "--over", "pos.forearm-left.tip.x=3:4:5", "--over", "pos.forearm-left.tip.y=3:4:5"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(
      answer.err,
      "lithe: error: the branch of the initial pose reaches no point of the grid; choose axes around the initial pose, "
      "other held values, or another branch\n");
}

}  // namespace
}  // namespace lithe::testing
