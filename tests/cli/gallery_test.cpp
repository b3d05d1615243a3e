// compare, reproduce and demo over the whole gallery.

#include <gtest/gtest.h>

#include <set>

#include "cli/program.hpp"
#include "support/case_name.hpp"

namespace lithe::testing {
namespace {

class Gallery : public ::testing::TestWithParam<const char*> {};

// Formulations are independent of each other; agreement to 1e-9, planar against spatial arithmetic to 1e-10.
TEST_P(Gallery, FormulationsAgree) {
  const Answer answer = lithe({"compare", example(GetParam()), "--states", "12", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err << answer.out;
  const auto found = answer.json();
  EXPECT_EQ(found["states"], 12);
  int exact = 0;
  for (const auto& line : found["formulations"]) {
    if (!line["applicable"].get<bool>()) {
      EXPECT_FALSE(line["reason"].get<std::string>().empty());
      continue;
    }
    if (!line["exact"].get<bool>()) continue;
    ++exact;
    EXPECT_LE(line["disagreement"].get<double>(), line["name"] == "noc, spatial arithmetic" ? 1e-10 : 1e-9) << line;
    EXPECT_LE(line["reactions"].get<double>(), 1e-9) << line;
  }
  EXPECT_GE(exact, found["planar"].get<bool>() ? 4 : 3);  // noc, multipliers, partitioning, and spatial arithmetic
}

INSTANTIATE_TEST_SUITE_P(Examples, Gallery,
                         ::testing::Values("khan-3rrr", "khan-3rrr-feedback", "khan-6ups", "four-bar", "slider-crank",
                                           "double-pendulum", "five-bar", "scissor-lift", "7r-chain", "sarrus",
                                           "two-arms", "satellite-arm", "singular-pose", "delta-robot",
                                           "flexible-pendulum", "spin-up-beam", "flexible-four-bar",
                                           "flexible-slider-crank", "flexible-3rrr", "fattah-two-arms",
                                           "fattah-3rrr-fast", "fattah-3rrr", "fattah-3rrs", "korayem-hanging",
                                           "korayem-falling", "brillarelli-five-bar", "brillarelli-2prr"),
                         [](const auto& info) { return testing::case_name(std::string("n_") + info.param); });

// Joint and Cartesian coordinates are two spanning trees of one mechanism; the platform is named in all of these.
TEST(Compare, CoordinatesDoNotMatter) {
  for (const char* name : {"khan-6ups", "flexible-3rrr", "fattah-two-arms", "fattah-3rrr-fast", "fattah-3rrs"}) {
    const auto found = lithe({"compare", example(name), "--states", "12", "--json"}).json();
    const auto& line = found["formulations"].back();
    EXPECT_NE(line["name"].get<std::string>().find(" coordinates"), std::string::npos) << name << line;
    EXPECT_TRUE(line["applicable"].get<bool>()) << name;
    EXPECT_LE(line["disagreement"].get<double>(), 1e-9) << name;
    EXPECT_LE(line["reactions"].get<double>(), 1e-9) << name;
  }
}

TEST(Compare, SameSeedSameStates) {
  const auto first = lithe({"compare", example("four-bar"), "--states", "3", "--json"}).json();
  const auto second = lithe({"compare", example("four-bar"), "--states", "3", "--json"}).json();
  for (std::size_t k = 0; k < first["formulations"].size(); ++k) {
    if (!first["formulations"][k].contains("disagreement")) continue;
    EXPECT_EQ(first["formulations"][k]["disagreement"], second["formulations"][k]["disagreement"]);
  }
}

TEST(Reproduce, ListsItsCases) {
  const Answer answer = lithe({"reproduce", "--json"});
  EXPECT_EQ(answer.exit_code, 0);
  std::set<std::string> names;
  const nlohmann::json found = answer.json();
  for (const auto& each : found["cases"]) names.insert(each["name"]);
  EXPECT_TRUE(names.contains("khan") && names.contains("boutin"));
}

TEST(Reproduce, UnknownCaseNamesTheOthers) {
  const Answer answer = lithe({"reproduce", "kahn"});
  EXPECT_EQ(answer.exit_code, 2);
  std::string names;
  const nlohmann::json cases = lithe({"reproduce", "--json"}).json()["cases"];
  for (const auto& each : cases) names += (names.empty() ? "" : ", ") + each["name"].get<std::string>();
  EXPECT_EQ(answer.err, "lithe: error: no case 'kahn'; there are: " + names + "\n");
}

/// Every number of a case agrees, and there are at least so many.
void expect_agreement(const std::string& name, int least) {
  const Answer answer = lithe({"reproduce", name, "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto found = answer.json();
  EXPECT_GE(found["total"].get<int>(), least);
  for (const auto& block : found["blocks"]) {
    EXPECT_FALSE(block.contains("failure")) << block;
    for (const auto& number : block["numbers"]) {
      EXPECT_TRUE(number["passed"].get<bool>()) << block["section"] << " " << block["title"] << ": " << number;
    }
  }
}

TEST(Reproduce, KhanAgreesInEveryNumber) { expect_agreement("khan", 950); }

// Eigenvalues, all 156 entries of the printed modes of Boutin's boom, and what was recomputed for the cranes of his thesis.
TEST(Reproduce, BoutinAgreesInEveryNumber) { expect_agreement("boutin", 866); }

// Every printed frequency of the strip, the missing one, and those of the physical clamp.
TEST(Reproduce, BrillarellisStripAgreesInEveryNumber) { expect_agreement("brillarelli-strip", 119); }

// Tables 6.2 and 6.3 of Fattah's thesis, and everything that was recomputed for its four mechanisms.
TEST(Reproduce, FattahAgreesInEveryNumber) { expect_agreement("fattah", 1060); }

// What the notes on Brillarelli's thesis recompute for its robots: poses, torques, frequencies, errors, amplitudes, stiffness, load cases.
TEST(Reproduce, BrillarellisRobotsAgreeInEveryNumber) { expect_agreement("brillarelli", 247); }

// Operation counts of Korayem and Shafei, and everything that was recomputed for their arm.
TEST(Reproduce, KorayemAgreesInEveryNumber) { expect_agreement("korayem", 242); }

TEST(Reproduce, ClaimsOfASourceComeWithAVerdict) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("reference"));
  std::filesystem::copy_file(example("four-bar"), folder.file("four-bar.yaml"));
  write_text(folder.file("reference/claims.json"),
             R"({"title": "claims", "headlines": [{"id": "A", "claim": "it turns", "verdict": "it does"}],
                 "blocks": [{"model": "four-bar.yaml", "do": "states", "at": 0, "headline": "A", "at-least": true,
                             "values": {"mobility": 1}}]})");
  EXPECT_EQ(lithe({"reproduce", folder.file("reference/claims.json")}).err,
            "lithe: error: 'mobility' is not a quantity of this model at an instant\n");
  write_text(folder.file("reference/claims.json"),
             R"({"title": "claims", "headlines": [{"id": "A", "claim": "it turns", "verdict": "it does"}],
                 "blocks": [{"model": "four-bar.yaml", "do": "states", "at": 0, "headline": "A", "at-least": true,
                             "values": {"branches": 1}}]})");
  const Answer answer = lithe({"reproduce", folder.file("reference/claims.json"), "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto claim = answer.json()["headlines"][0];
  EXPECT_EQ(claim["verdict"], "it does");
  EXPECT_EQ(claim["passed"], 1);
  EXPECT_EQ(claim["total"], 1);
}

TEST(Reproduce, DeflectionsNeedAnElasticLinkAndItsModes) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("reference"));
  std::filesystem::copy_file(example("flexible-3rrr"), folder.file("robot.yaml"));
  const auto complaint_about = [&](const std::string& bend) {
    write_text(folder.file("reference/bend.json"),
               R"({"title": "bend", "blocks": [{"model": "robot.yaml", "do": "states", "at": 0, "bend": {)" + bend +
                   R"(}, "values": {"bending.crank-1.tip.y": 0.01}}]})");
    return lithe({"reproduce", folder.file("reference/bend.json")}).err;
  };
  EXPECT_EQ(complaint_about(R"("crank-1.tip.y": [0.01, 0])"), "");
  EXPECT_EQ(complaint_about(R"("crank-9.tip.y": [0.01, 0])"), "lithe: error: the model has no link 'crank-9'\n");
  EXPECT_EQ(complaint_about(R"("crank-1.top.y": [0.01, 0])"), "lithe: error: link 'crank-1' has no frame 'top'\n");
  EXPECT_EQ(complaint_about(R"("platform.p1.y": [0.01, 0])"),
            "lithe: error: link 'platform' is rigid; it has no deflection\n");
  EXPECT_EQ(complaint_about(R"("crank-1.tip.z": [0.01, 0])"),
            "lithe: error: the modes of link 'crank-1' cannot take the wanted deflections; keep more of them\n");
}

TEST(Reproduce, QuantitiesThatDoNotFitAreRefused) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("reference"));
  std::filesystem::copy_file(example("flexible-3rrr"), folder.file("robot.yaml"));
  const auto complaint_about = [&](const std::string& block) {
    write_text(folder.file("reference/odd.json"),
               R"({"title": "odd", "blocks": [{"model": "robot.yaml", )" + block + "}]}");
    const Answer answer = lithe({"reproduce", folder.file("reference/odd.json")});
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_EQ(
      complaint_about(R"("do": "states", "values": {"printed.centre.x": 0})"),
      "lithe: error: the printed leg kinematics is for three legs motor - link - revolute - link - ball - platform: "
      "link 'rod-1' does not go on that way\n");
  EXPECT_EQ(complaint_about(R"("do": "states", "values": {"chain.exact.right.1": 0})"),
            "lithe: error: the printed recursion is for a serial chain with revolute joints about the z axes of its "
            "links: link 'ground' carries two joints\n");
  EXPECT_EQ(complaint_about(R"("do": "states", "values": {"operations.printed.products.3.4.1": 0})"),
            "lithe: error: operation counts are called operations.METHOD.products.LINKS.BENDING.SHAPES, or .sums\n");
  EXPECT_EQ(complaint_about(R"("do": "states", "values": {"natural.loose.1": 0})"),
            "lithe: error: 'natural.loose.1' is not a quantity of this model at an instant\n");
  EXPECT_EQ(
      complaint_about(R"("do": "simulate", "run": {"until": 0.01}, "coordinates": "polar", "values": {"steps": 0})"),
      "lithe: error: \"coordinates\": \"polar\" is none of joint, cartesian\n");
}

TEST(Reproduce, AWrongNumberFails) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("reference"));
  std::filesystem::copy_file(example("four-bar"), folder.file("four-bar.yaml"));
  write_text(folder.file("reference/wrong.json"),
             R"({"title": "wrong", "blocks": [{"model": "four-bar.yaml", "do": "states", "at": 0,
                 "values": {"q.motor": 0, "v.motor": 1}}]})");
  const Answer answer = lithe({"reproduce", folder.file("reference/wrong.json"), "--json"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.json()["passed"], 1);
  EXPECT_EQ(answer.err, "lithe: error: 1 of 2 numbers do not agree\n");
}

TEST(Reproduce, NumbersOfALink) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("reference"));
  std::filesystem::copy_file(example("four-bar"), folder.file("four-bar.yaml"));
  const auto reproduce = [&](const std::string& block) {
    write_text(folder.file("reference/link.json"),
               R"({"title": "link", "blocks": [{"model": "four-bar.yaml", "do": "link", )" + block + "}]}");
    return lithe({"reproduce", folder.file("reference/link.json"), "--json"});
  };
  // A rod of 0.2 kg and 0.2 m: m L/2, m L^2/12, m L^2/3.
  const Answer answer = reproduce(R"("link": "crank", "digits": 3, "units": 0.001, "for": ["inertia", "origin-inertia"],
      "columns": {"{}.zz": [0.000666666666666667, 0.00266666666666667], "{}.xx": [0, 0]},
      "values": {"mass": 0.2, "centre.x": 0.1, "first-moment.x": 0.02, "coordinates": 0})");
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_EQ(answer.json()["passed"], 8);
  EXPECT_EQ(reproduce(R"("link": "crank", "values": {"weight": 1})").err,
            "lithe: error: 'weight' is not a quantity of a link\n");
  EXPECT_EQ(reproduce(R"("link": "crank", "values": {"frequency.1": 1})").err,
            "lithe: error: 'frequency.1': link 'crank' has 0 elastic coordinates\n");
  EXPECT_EQ(reproduce(R"("link": "boom", "values": {"mass": 1})").err, "lithe: error: the model has no link 'boom'\n");
}

TEST(Demo, WritesOnePageAndAllResults) {
  const Folder folder;
  const Answer answer = lithe({"demo", "--folder", folder.file("out"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const std::string page = read_text(folder.file("out/index.html"));
  EXPECT_NE(page.find("</html>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "the page must need no network";
  EXPECT_GE(answer.json()["examples"].size(), 13u);
  for (const auto& each : answer.json()["examples"]) {
    // One example is made to run into a singular pose.
    EXPECT_EQ(each["ending"], each["key"] == "singular-pose" ? "physics failed" : "complete") << each;
    EXPECT_NE(page.find(each["key"].get<std::string>() + ".h5"), std::string::npos) << each["key"];
    EXPECT_GT(std::filesystem::file_size(folder.file("out/" + each["key"].get<std::string>() + ".csv")), 1000u);
    const std::string report = each["report"];
    if (report.empty()) continue;  // built with LITHE_VIEWER=OFF
    EXPECT_NE(page.find("href=\"" + report + "\""), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(folder.file("out/" + report)));
  }
}

}  // namespace
}  // namespace lithe::testing
