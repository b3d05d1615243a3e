// Elastic mechanisms whose shapes are chosen by default, against records of the same with every finite-element
// coordinate and beams in segments (tests/oracles/shape_references.py): every recorded deflection, position minus that
// of the rigid twin, stays within half a percent of its peak over the whole run.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe {
namespace {

constexpr double bound = 5e-3;

class ShapeChoice : public ::testing::TestWithParam<const char*> {};

TEST_P(ShapeChoice, DeflectionsAreThoseOfAllCoordinates) {
  const std::string name = GetParam();
  const nlohmann::json reference = recorded_json("tests/data/shapes/" + name + ".json");
  const std::string text = reference["model"];

  const auto start = std::chrono::steady_clock::now();
  const Model model = load_model_text(text, name + ".yaml");
  const double load_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  MemoryRecord elastic, rigid;
  const RunOutcome outcome = run_simulation(model, elastic);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  run_simulation(load_model_text(text, name + ".yaml", {}, {true, {}, {}}), rigid);

  const std::vector<double> times = reference["times"];
  double worst = 0.0;
  for (std::size_t f = 0; f < reference["frames"].size(); ++f) {
    std::string frame = reference["frames"][f];
    if (const std::size_t slash = frame.find('/'); slash == std::string::npos)
      frame += ".origin";
    else
      frame[slash] = '.';
    const double peak = reference["peaks"][f];
    for (std::size_t k = 0; k < times.size(); ++k) {
      const auto row = static_cast<std::size_t>(std::lround((times[k] - model.run.from) / model.run.every));
      ASSERT_NEAR(elastic.at(row, "t"), times[k], 1e-9);
      double square = 0.0;
      for (int a = 0; a < 3; ++a) {
        const std::string column = "pos." + frame + "." + "xyz"[a];
        const double deflection = elastic.at(row, column) - rigid.at(row, column);
        square += std::pow(deflection - reference["deflections"][k][f][a].get<double>(), 2);
      }
      worst = std::max(worst, std::sqrt(square) / peak);
      ASSERT_LT(std::sqrt(square), bound * peak) << frame << " at " << times[k] << " s";
    }
  }
  int coordinates = 0;
  for (const LinkData& link : model.mechanism.links) coordinates += link.elastic.count();
  RecordProperty("worst", std::to_string(worst));
  std::printf("%-22s %2d coordinates, off by %.2g %% of the peak, %ld steps, loaded in %.1f ms\n", name.c_str(),
              coordinates, 100 * worst, outcome.audit.steps, 1e3 * load_time);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ShapeChoice,
                         ::testing::Values("flexible-four-bar", "flexible-pendulum", "starter-five-bar",
                                           "starter-serial-arm", "payload-pendulum", "tube-slider-crank",
                                           "offset-payload", "tube-five-bar", "truss-boom", "flexible-slider-crank",
                                           "spatial-four-bar", "flexible-3rrr"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace lithe
