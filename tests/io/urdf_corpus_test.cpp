// Dialects of URDF: every file in tests/io/urdf/corpus says in its first comment what becomes of it.
//
//   options: ignore-couplings | inertia repair | stops
//                                                  as on the command line of `lithe convert`
//   side: YAML                                     a line of the side file
//   note: TEXT                                     a warning of the conversion; all of them, in their order
//   refused: LINE:COLUMN: TEXT                     a complaint; all of them. Without: it converts
//   stops: TEXT                                    the model is good, but its equations have no solution
//
// (~~ stands for two hyphens, which no comment of XML may have.) Nothing else may be said: a conversion without notes
// has used all that matters for the motion. What converts is loaded, assembled and accelerated. Accelerations of some
// are those of tests/oracles/urdf_corpus.py.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/dynamics/forward.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/coordinates.hpp"
#include "support/oracle.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;
const std::string corpus_folder = source_folder() + "/tests/io/urdf/corpus/";

/// What the first comment of a file says.
struct CorpusCase {
  UrdfOptions options;
  std::string side;
  std::vector<std::string> notes, refusals, stops;
};

CorpusCase read_case(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  CorpusCase found;
  std::string line;
  const auto after = [&](const std::string& word) -> std::optional<std::string> {
    const std::size_t at = line.find(word);
    if (at == std::string::npos || line.find_first_not_of(' ') != at) return std::nullopt;
    std::string text = line.substr(at + word.size());
    if (text.ends_with(" -->")) text.resize(text.size() - 4);
    for (std::size_t tilde = 0; (tilde = text.find("~~")) != std::string::npos;) text.replace(tilde, 2, "--");
    return text;
  };
  bool inside = false;
  while (std::getline(stream, line)) {
    inside = inside || line.starts_with("<!--");
    if (const auto text = after("note: ")) found.notes.push_back(*text);
    if (const auto text = after("refused: ")) found.refusals.push_back(*text);
    if (const auto text = after("stops: ")) found.stops.push_back(*text);
    if (const auto text = after("side: ")) found.side += *text + "\n";
    if (const auto text = after("options: ")) {
      if (*text == "ignore-couplings") found.options.ignore_couplings = true;
      if (*text == "stops") found.options.stops = true;
      if (*text == "inertia repair") found.options.inertia = ImpossibleInertia::repair;
    }
    if (inside && line.ends_with("-->")) break;
  }
  return found;
}

/// Converts the file; what it complains about goes to `refusals`, without the name of the file.
std::optional<UrdfConversion> convert_case(const std::string& name, const CorpusCase& wanted,
                                           std::vector<std::string>& refusals) {
  const std::string urdf = corpus_folder + name + ".urdf";
  const fs::path side = fs::temp_directory_path() / ("lithe-corpus-" + std::to_string(getpid()) + "-" + name + ".yaml");
  if (!wanted.side.empty()) std::ofstream(side) << "lithe: 1\n" << wanted.side;
  std::optional<UrdfConversion> conversion;
  try {
    conversion = convert_urdf(urdf, wanted.side.empty() ? "" : side.string(), {}, wanted.options);
  } catch (const ModelError& error) {
    for (const Diagnostic& each : error.diagnostics()) {
      const std::string text = each.text();
      refusals.push_back(text.starts_with(urdf) ? text.substr(urdf.size() + 1) : text);
    }
  }
  fs::remove(side);
  return conversion;
}

std::vector<std::string> corpus() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(corpus_folder))
    if (entry.path().extension() == ".urdf") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class UrdfCorpus : public ::testing::TestWithParam<std::string> {};

TEST_P(UrdfCorpus, SaysWhatBecomesOfIt) {
  const CorpusCase wanted = read_case(corpus_folder + GetParam() + ".urdf");
  std::vector<std::string> refusals;
  const auto conversion = convert_case(GetParam(), wanted, refusals);
  EXPECT_EQ(refusals, wanted.refusals);
  if (!conversion) return;
  EXPECT_EQ(conversion->notes, wanted.notes);
  for (const std::string& note : wanted.notes)
    EXPECT_NE(conversion->text.find("# Note: " + note), std::string::npos) << conversion->text;

  const Model model = load_model_text(conversion->text, GetParam() + ".yaml");
  Prepared prepared = prepare(model);
  VectorX a;
  const Status status = forward_dynamics(prepared.plan, prepared.work, prepared.state, Actions(prepared.plan), a);
  if (status) {
    EXPECT_TRUE(wanted.stops.empty());
    EXPECT_TRUE(a.allFinite());
    EXPECT_EQ(a.size(), prepared.plan.nv());
  } else {
    EXPECT_EQ((std::vector<std::string>{describe(prepared.plan, status, 0.0)}), wanted.stops);
  }
}

INSTANTIATE_TEST_SUITE_P(All, UrdfCorpus, ::testing::ValuesIn(corpus()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

TEST(UrdfCorpora, AreMany) { EXPECT_GE(corpus().size(), 40U); }

// Positions, speeds and accelerations have 17 digits; the converted file rounds turned inertias to 15, and both
// programs sum a few dozen terms: 1e-12 of the largest acceleration.
TEST(UrdfCorpora, AccelerationsAreThoseOfTheOracle) {
  const testing::Json oracle = testing::read_oracle("urdf_corpus");
  EXPECT_GE(oracle["robots"].size(), 10U);
  for (const auto& [name, states] : oracle["robots"].items()) {
    const CorpusCase wanted = read_case(corpus_folder + name + ".urdf");
    std::vector<std::string> refusals;
    const auto conversion = convert_case(name, wanted, refusals);
    ASSERT_TRUE(conversion) << name;
    const Model model = load_model_text(conversion->text, name + ".yaml");
    Prepared prepared = prepare(model);
    const Plan& plan = prepared.plan;
    for (const testing::Json& recorded : states) {
      State state = prepared.state;
      VectorX expected = VectorX::Zero(plan.nv());
      double largest = 0.0;
      for (const auto& [joint, values] : recorded.items()) {
        largest = std::max(largest, std::abs(values[2].get<double>()));
        // Of a loop, Lithe may have cut another joint than the file; a cut joint is left out here.
        testing::set_coordinate(plan, joint, values[0], state.q);
        testing::set_speed(plan, joint, values[1], state.v);
        testing::set_speed(plan, joint, values[2], expected);
      }
      VectorX a;
      ASSERT_TRUE(forward_dynamics(plan, prepared.work, state, Actions(plan), a)) << name;
      EXPECT_LT((a - expected).lpNorm<Eigen::Infinity>(), 1e-12 * largest) << name << "\n" << a << "\n\n" << expected;
    }
  }
}

}  // namespace
}  // namespace lithe
