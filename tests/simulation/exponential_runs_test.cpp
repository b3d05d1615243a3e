// Elastic mechanisms with the exponential integrator: against Dormand-Prince at 1e-12, which is exact in comparison.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using testing::complete_run;

Model tight_reference(Model model) {
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-12;
  model.run.atol = 1e-14;
  return model;
}

bool is_elastic_coordinate(const std::string& column) {
  const std::size_t dot = column.rfind(".e");
  return column.starts_with("q.") && dot != std::string::npos && dot + 2 < column.size() &&
         std::isdigit(static_cast<unsigned char>(column[dot + 2])) != 0;
}

/// Largest difference of deflections and frame positions, in parts of the largest deflection.
double deviation(const MemoryRecord& run, const MemoryRecord& reference) {
  EXPECT_EQ(run.rows(), reference.rows());
  double largest = 0.0, worst = 0.0;
  for (const std::string& column : run.columns()) {
    const bool elastic = is_elastic_coordinate(column);
    if (!elastic && !column.starts_with("pos.")) continue;
    const std::vector<double> ours = run.column(column), theirs = reference.column(column);
    for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i) {
      worst = std::max(worst, std::abs(ours[i] - theirs[i]));
      if (elastic) largest = std::max(largest, std::abs(theirs[i]));
    }
  }
  EXPECT_GT(largest, 0.0);
  return worst / largest;
}

constexpr double promised = 1e-3;  ///< of the largest deflection, at the default tolerance

struct Shortened {
  const char* name;
  double until;
};

class ElasticExample : public ::testing::TestWithParam<Shortened> {};

TEST_P(ElasticExample, DefaultKeepsItsPromise) {
  Model model = load_model(source_folder() + "/examples/" + GetParam().name + ".yaml");
  model.run.until = GetParam().until;
  const MemoryRecord reference = complete_run(tight_reference(model));
  RunOptions defaults;
  model.run.integrator = Integrator::automatic;
  model.run.tolerance = defaults.tolerance;
  model.run.rtol = defaults.rtol;
  model.run.atol = defaults.atol;
  const MemoryRecord run = complete_run(model);
  EXPECT_TRUE(run.audit().integrator.starts_with("exponential")) << run.audit().integrator;
  EXPECT_LT(deviation(run, reference), promised);
  // Work is a quadrature of the powers at the nodes; the audit distrusts one percent.
  EXPECT_LT(run.audit().energy_error, 1e-3 * run.audit().energy_scale);
  EXPECT_LT(run.audit().evaluations, reference.audit().evaluations / 4);
}

INSTANTIATE_TEST_SUITE_P(Gallery, ElasticExample,
                         ::testing::Values(Shortened{"flexible-four-bar", 0.4},
                                           Shortened{"flexible-slider-crank", 0.03}, Shortened{"flexible-3rrr", 0.1},
                                           Shortened{"flexible-pendulum", 1.0}, Shortened{"fattah-3rrr", 0.3},
                                           Shortened{"fattah-two-arms", 0.1}, Shortened{"fattah-3rrs", 0.6},
                                           Shortened{"boutin-boom", 5.0}, Shortened{"spin-up-beam", 5.0},
                                           Shortened{"soft-pendulum", 0.1}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

/// An elastic arm on a hub that turns; `more` are further sections of the model.
Model arm(const std::string& more) {
  return load_model_text(R"(
lithe: 1
name: arm
gravity: [0, -9.81, 0]
materials:
  steel: {density: 7850, young: 206e9, poisson: 0.3}
links:
  hub: {cylinder: {mass: 1, radius: 0.08, length: 0.02, axis: z}}
  arm:
    beam: {length: 0.6, material: steel, section: {rectangle: {height: 2e-3, width: 0.02}}, bending: y, torsion: false,
           masses: [{at: tip, mass: 0.05}]}
    modes: {count: 3}
joints:
  pivot: {revolute: z, from: ground, to: hub/origin, actuated: true}
  weld: {fixed: true, from: hub/origin, to: arm/root}
record: [coordinates, frames: [arm/tip], energy]
)" + more,
                         "arm.yaml");
}

// A motor torque with a kink every 5 ms; steps end there and keep what they know.
TEST(ExponentialRuns, KinksOfALaw) {
  std::string times, torques;
  for (int i = 0; i <= 60; ++i) {
    times += (i == 0 ? "" : ", ") + std::to_string(0.005 * i);
    torques += (i == 0 ? "" : ", ") + std::to_string(0.05 * std::cos(1.7 * i));
  }
  const Model model = arm("drives: {pivot: {torque: {table: {t: [" + times + "], y: [" + torques +
                          "]}}}}\nrun: {until: 0.3, every: 0.001}\n");
  const MemoryRecord run = complete_run(model), reference = complete_run(tight_reference(model));
  EXPECT_LT(deviation(run, reference), promised);
  EXPECT_GE(run.audit().steps, 60);
  EXPECT_LT(run.audit().evaluations, 60 * 20);
}

TEST(ExponentialRuns, PrescribedMotorAndStressStiffening) {
  Model model =
      arm("drives: {pivot: {follow: {cycloid: {from: 0, to: 300 deg, in: 0.4}}, by: motion}}\n"
          "run: {until: 0.5, every: 0.002}\n");
  for (LinkData& link : model.mechanism.links)
    if (link.elastic.count() > 0) link.elastic.stiffening = Stiffening::stress;
  const MemoryRecord run = complete_run(model);
  EXPECT_LT(deviation(run, complete_run(tight_reference(model))), promised);
}

// PD gains belong to the stiffness that the method knows: 90 Hz here, well damped.
TEST(ExponentialRuns, StiffDrive) {
  const Model model =
      arm("drives: {pivot: {follow: {cycloid: {from: 0, to: 20 deg, in: 0.6}}, by: pd, kp: 2e3, kd: 2}}\n"
          "run: {until: 0.7, every: 0.002}\n");
  const MemoryRecord run = complete_run(model);
  EXPECT_LT(deviation(run, complete_run(tight_reference(model))), promised);
  EXPECT_LT(run.audit().evaluations, 3000);
}

TEST(ExponentialRuns, AgainTheSameBits) {
  const Model model = arm("initial: {pivot: 20 deg}\nrun: {until: 0.5, every: 0.01}\n");
  const MemoryRecord first = complete_run(model), second = complete_run(model);
  for (const std::string& column : first.columns()) EXPECT_EQ(first.column(column), second.column(column)) << column;
}

// A body that floats and tumbles in space with an elastic boom: its rotation has no scalar coordinates. Momentum stays,
// and so does the energy.
TEST(ExponentialRuns, FloatingBodyWithABoom) {
  const Model model = load_model_text(R"(
lithe: 1
name: floating body
materials:
  steel: {density: 7850, young: 206e9, poisson: 0.3}
links:
  body: {box: {mass: 2, size: [0.1, 0.2, 0.3]}, frames: {port: [0.05, 0, 0]}}
  boom:
    beam: {length: 0.8, material: steel, section: {rectangle: {height: 2e-3, width: 3e-3}}, torsion: false,
           masses: [{at: tip, mass: 0.05}]}
    modes: {count: 4}
joints:
  floating: {free: true, from: ground, to: body/origin}
  mount: {fixed: true, from: body/port, to: boom/root}
speeds: {floating: [0.1, 0.2, 0, 0.3, 0.5, 3]}
run: {until: 4, every: 0.05}
record: [coordinates, momentum, energy, frames: [boom/tip]]
)",
                                      "floating.yaml");
  const MemoryRecord run = complete_run(model), reference = complete_run(tight_reference(model));
  EXPECT_TRUE(run.audit().integrator.starts_with("exponential")) << run.audit().integrator;
  EXPECT_LT(deviation(run, reference), promised);
  const double spin = std::abs(run.at(0, "angular-momentum.z"));
  for (const char* axis : {"x", "y", "z"})
    for (std::size_t i = 0; i < run.rows(); ++i)
      EXPECT_NEAR(run.at(i, std::string("angular-momentum.") + axis),
                  run.at(0, std::string("angular-momentum.") + axis), 1e-4 * spin);
}

// An elastic coupler in a four-bar whose crank goes round: the independent speeds change on the way.
TEST(ExponentialRuns, OtherIndependentSpeedsOnTheWay) {
  Model model = load_model_text(R"(
lithe: 1
name: four-bar
gravity: [0, -9.81, 0]
materials:
  steel: {density: 7850, young: 206e9, poisson: 0.3}
links:
  crank: {rod: {from: [0, 0, 0], to: [0.4, 0, 0], mass: 0.3}, frames: {tip: [0.4, 0, 0]}}
  coupler:
    beam: {length: 0.5, material: steel, section: {rectangle: {height: 3e-3, width: 0.02}}, bending: y, torsion: false}
    modes: {count: 2, root: chord}
  rocker: {rod: {from: [0, 0, 0], to: [0.35, 0, 0], mass: 0.3}, frames: {tip: [0.35, 0, 0]}}
ground: {left: [0, 0, 0], right: [0.6, 0, 0]}
joints:
  left: {revolute: z, from: ground/left, to: crank/origin, damping: 0.05}
  crank-pin: {revolute: z, from: crank/tip, to: coupler/root}
  rocker-pin: {revolute: z, from: rocker/tip, to: coupler/tip}
  right: {revolute: z, from: ground/right, to: rocker/origin}
initial: {left: 80 deg, crank-pin: -60 deg, right: 110 deg}
run: {until: 1.5, every: 0.01}
record: [coordinates, frames: [coupler/tip], energy]
)",
                                "four-bar.yaml");
  model.run.tolerance = 1e-6;  // the free fall of the rigid motion amplifies errors
  const MemoryRecord run = complete_run(model), reference = complete_run(tight_reference(model));
  EXPECT_GE(run.audit().set_changes, 1);
  EXPECT_GT(run.at(run.rows() - 1, "energy.dissipated"), 0.1 * run.audit().energy_scale);
  EXPECT_LT(run.audit().energy_error, 1e-3 * run.audit().energy_scale);
  EXPECT_LT(deviation(run, reference), promised);
}

}  // namespace
}  // namespace lithe
