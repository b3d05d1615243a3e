// Stress in runs, against closed forms. Links keep few shapes; their static twins carry what those leave out.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analysis/rainflow.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

const std::string steel = "materials: {steel: {density: 7800, young: 200e9, poisson: 0.3, yield: 235e6}}\n";

MemoryRecord simulated(const std::string& text) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(load_model_text("lithe: 1\n" + text, "stress.yaml"), record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

/// At rest under a load on the tip; `beam` and `loads` as in the file.
MemoryRecord cantilever(const std::string& beam, const std::string& load, const std::string& modes = "{count: 1}") {
  return simulated(steel + fmt::format("links: {{arm: {{beam: {}, modes: {}}}}}\n"
                                       "joints: {{wall: {{fixed: true, from: ground, to: arm/root}}}}\n"
                                       "loads: {{pull: {{at: arm/tip, {}}}}}\n"
                                       "initial: equilibrium\n"
                                       "run: {{until: 1e-3, every: 1e-3}}\n"
                                       "record: [sections, stress, stress-parts]\n",
                                       beam, modes, load));
}

// sigma = 6 F L/(b h^2) at the root, falling linearly to the tip; one mode is kept, which alone would be some percent
// off. The moment is of the small deflection theory: no other tolerance than that of the equilibrium, 1e-9 of it.
TEST(StressRecord, CantileverOfARectangle) {
  const double F = 12, L = 0.5, h = 0.01, b = 0.02;
  const MemoryRecord record = cantilever(
      "{length: 0.5, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, elements: 4, bending: y}",
      "force: [0, -12]");
  const double root = 6 * F * L / (b * h * h), shear = 1.5 * F / (b * h);
  for (const auto& [place, share] : {std::pair{"0m+", 1.0}, {"0.125m-", 0.75}, {"0.3125m", 0.375}}) {
    EXPECT_NEAR(record.at(0, fmt::format("stress.arm.{}.bending", place)), root * share, 1e-6 * root) << place;
    EXPECT_NEAR(record.at(0, fmt::format("stress.arm.{}.shear", place)), shear, 1e-6 * shear) << place;
    EXPECT_NEAR(record.at(0, fmt::format("stress.arm.{}", place)), root * share, 1e-6 * root) << place;
  }
  // At the tip there is shear only: von Mises sqrt(3) tau.
  EXPECT_NEAR(record.at(0, "stress.arm.0.5m-"), std::sqrt(3.0) * shear, 1e-6 * root);

  const LinkStress& worst = record.audit().stress.at("arm");
  EXPECT_NEAR(worst.peak, root, 1e-6 * root);
  EXPECT_EQ(worst.place, "0 m+");
  EXPECT_NEAR(worst.safety.value(), 235e6 / root, 1e-5);
  EXPECT_FALSE(worst.damage.has_value());
}

// A shaft with a transverse force and a torque on its tip, and a pull along it: N/A, tau = 2 T/(pi r^3), and the moment of
// a beam in tension, F tanh(kL)/k with k^2 = N/EI (0.96 of F L here), over pi r^3/4. The shapes kept are the first bending
// each way; the pull straightens what these hold of the deflection, 97 percent, so 0.03 of those 0.04 may be missing.
TEST(StressRecord, ShaftUnderBendingTorsionAndPull) {
  const double F = 30, T = 8, N = 500, L = 0.4, r = 0.008;
  const MemoryRecord record =
      cantilever("{length: 0.4, material: steel, section: {circle: {radius: 0.008}}, elements: 4}",
                 "force: [500, 0, 30], moment: [8, 0, 0]", "{count: 2}");
  const double k = std::sqrt(N / (200e9 * std::numbers::pi * std::pow(r, 4) / 4));
  const double axial = N / (std::numbers::pi * r * r),
               sigma = 4 * F * std::tanh(k * L) / k / (std::numbers::pi * r * r * r),
               tau = 2 * T / (std::numbers::pi * r * r * r),
               mises = std::sqrt(std::pow(axial + sigma, 2) + 3 * tau * tau);
  EXPECT_NEAR(record.at(0, "stress.arm.0m+.axial"), axial, 1e-4 * axial);
  EXPECT_NEAR(record.at(0, "stress.arm.0m+.bending"), sigma, 2e-3 * sigma);
  EXPECT_NEAR(record.at(0, "stress.arm.0m+.torsion"), tau, 1e-4 * tau);
  EXPECT_NEAR(record.at(0, "stress.arm.0m+"), mises, 2e-3 * mises);
}

// Given by stiffness and moduli, without a shape.
TEST(StressRecord, CantileverOfModuli) {
  const MemoryRecord record =
      cantilever("{length: 0.5, mass: 1, EI: 400, W: 3e-7, strength: steel, bending: y}", "force: [0, 10]");
  EXPECT_NEAR(record.at(0, "stress.arm.0m+"), 10 * 0.5 / 3e-7, 1e-6 * 10 * 0.5 / 3e-7);
  EXPECT_NEAR(record.audit().stress.at("arm").safety.value(), 235e6 / (5 / 3e-7), 1e-4);
}

// A bar turns steadily about its end: N(x) = rho A w^2 (L^2 - x^2)/2. The beam keeps bending modes only; stretching
// belongs to its static twin, whose elements carry one axial force each. Nodes of such elements lie exactly, so that
// force is the mean of N over the element: rho A w^2 (L^2 - (a^2 + a b + b^2)/3)/2, here to the rounding of the motion.
// The mean of the first of eight elements is 0.5 percent below N(0).
TEST(StressRecord, RotatingBar) {
  const double L = 0.8, w = 120, h = L / 8;
  const MemoryRecord record =
      simulated(steel +
                "links: {bar: {beam: {length: 0.8, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, "
                "elements: 8}, modes: {count: 2}}}\n"
                "joints: {hub: {revolute: z, from: ground, to: bar/root, actuated: true}}\n"
                "drives: {hub: {follow: 120*t}}\n"
                "speeds: {hub: 120}\n"
                "run: {until: 1e-3, every: 1e-3}\n"
                "record: [stress, stress-parts]\n");
  for (int i = 0; i < 8; ++i) {
    const double a = i * h, b = a + h, mean = 7800 * w * w * (L * L - (a * a + a * b + b * b) / 3) / 2;
    const std::string place = fmt::format("stress.bar.{:.6g}m", a + h / 2);
    EXPECT_NEAR(record.at(1, place + ".axial") / mean, 1.0, 1e-6) << place;
    EXPECT_NEAR(record.at(1, place), record.at(1, place + ".axial"), 1e-3 * mean) << place;
  }
  const double root = 7800 * w * w * L * L / 2;
  EXPECT_NEAR(record.at(1, "stress.bar.0m+.axial") / root, 1.0, 0.006);
}

// Two bars in a V hold a weight: F/(2 cos 30 deg) = F/sqrt(3) in each.
TEST(StressRecord, BarsOfATruss) {
  const double F = 1000, area = 1e-4;
  const MemoryRecord record = simulated(
      "materials: {steel: {density: 1, young: 200e9, yield: 235e6}}\n"
      "links:\n"
      "  frame:\n"
      "    truss:\n"
      "      nodes: {a: [-0.5, 0], b: [0.5, 0], c: [0, -0.5*sqrt(3)]}\n"
      "      material: steel\n"
      "      area: 1e-4\n"
      "      bars: [[a, c, b]]\n"
      "      supports: {a: fixed, b: fixed}\n"
      "      planar: true\n"
      "joints: {wall: {fixed: true, from: ground, to: frame}}\n"
      "loads: {weight: {at: frame/c, force: [0, -1000]}}\n"
      "initial: equilibrium\n"
      "run: {until: 1e-4, every: 1e-4}\n"
      "record: [stress, stress-parts]\n");
  const double sigma = F / std::sqrt(3.0) / area;
  EXPECT_NEAR(record.at(0, "stress.frame.a-c.axial"), sigma, 1e-5 * sigma);
  EXPECT_NEAR(record.at(0, "stress.frame.c-b"), sigma, 1e-5 * sigma);
  EXPECT_NEAR(record.audit().stress.at("frame").safety.value(), 235e6 / sigma, 1e-3);
}

// A loop: the axial force in a light elastic coupler is what its pin carries along it. The coupler weighs 4e-5 of what
// it moves, and does not stretch: all of the force comes from the static twin, through the closures.
TEST(StressRecord, CouplerOfALoopCarriesItsPinForce) {
  const MemoryRecord record = simulated(
      "gravity: [0, -9.81, 0]\n"
      "materials: {light: {density: 1, young: 200e9, yield: 1e6}}\n"
      "links:\n"
      "  crank: {rod: {from: [0, 0], to: [0.2, 0], mass: 1}, frames: {end: [0.2, 0]}}\n"
      "  coupler: {beam: {length: 0.6, material: light, section: {circle: {radius: 0.01}}, elements: 4, bending: y},\n"
      "            modes: {count: 2, root: chord}}\n"
      "  rocker: {rod: {from: [0, 0], to: [0.4, 0], mass: 5}, frames: {end: [0.4, 0]}}\n"
      "ground: {far: [0.5, 0]}\n"
      "joints:\n"
      "  motor: {revolute: z, from: ground, to: crank, actuated: true}\n"
      "  pin: {revolute: z, from: crank/end, to: coupler/root}\n"
      "  knee: {revolute: z, from: coupler/tip, to: rocker/end}\n"
      "  pivot: {revolute: z, from: ground/far, to: rocker}\n"
      "initial: {motor: 60 deg, pin: -40 deg, pivot: 65 deg}\n"
      "drives: {motor: {follow: 60 deg + 2*t}}\n"
      "speeds: {motor: 2}\n"
      "run: {until: 0.2, every: 0.05}\n"
      "record: [coordinates, forces, sections, stress-parts, {frames: [coupler/root, coupler/tip]}]\n");
  for (std::size_t row = 0; row < record.rows(); ++row) {
    Vec3 along, force;
    for (int i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      along[i] = record.at(row, "pos.coupler.tip." + axis) - record.at(row, "pos.coupler.root." + axis);
      force[i] = record.at(row, "force.knee." + axis);  // of the coupler on the rocker
    }
    const double pull = -force.dot(along.normalized());  // of the rocker on the coupler, outwards
    ASSERT_GT(std::abs(pull), 1.0);
    EXPECT_NEAR(record.at(row, "section.coupler.0.225m.N"), pull, 1e-3 * std::abs(pull)) << row;
    EXPECT_NEAR(record.at(row, "stress.coupler.0.225m.axial"), pull / (std::numbers::pi * 1e-4),
                1e-3 * std::abs(pull) / (std::numbers::pi * 1e-4));
  }
}

// The damage in the audit is that of the history of the fibre, counted with rainflow() from recorded columns: bending in
// one plane, the extreme fibre sees plus or minus M/W, so the history of M_z / W has the same cycles.
TEST(StressRecord, DamageOfAShakenArm) {
  const MemoryRecord record = simulated(
      "materials: {steel: {density: 7800, young: 200e9, fatigue: {amplitude: 50e6, cycles: 1e6, slope: 3}}}\n"
      "links: {arm: {beam: {length: 0.5, material: steel, section: {rectangle: {height: 0.004, width: 0.02}},\n"
      "        elements: 4, bending: y, stretching: false}, modes: {count: 2}, stiffening: off}}\n"
      "joints: {hub: {revolute: z, from: ground, to: arm/root, actuated: true}}\n"
      "drives: {hub: {follow: 0.02*sin(60*t)}}\n"
      "run: {until: 1, every: 1e-3}\n"
      "record: [sections, stress]\n");
  const double modulus = 0.02 * 0.004 * 0.004 / 6;
  std::vector<double> history = record.column("section.arm.0m+.Mz");
  for (double& value : history) value /= modulus;
  const SnLine line{50e6, 1e6, 3};
  const double expected = miner_damage(rainflow(history), line);
  const LinkStress& arm = record.audit().stress.at("arm");
  ASSERT_GT(expected, 0.0);
  EXPECT_NEAR(arm.damage.value(), expected, 1e-9 * expected);
  EXPECT_EQ(arm.damaged, "0 m+");
  EXPECT_NEAR(arm.life.value(), 1.0 / arm.damage.value(), 1e-9 * arm.life.value());
  EXPECT_FALSE(arm.safety.has_value());
}

TEST(StressRecord, WarnsBeyondYield) {
  const MemoryRecord record =
      cantilever("{length: 0.5, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, bending: y}",
                 "force: [0, -200]");
  ASSERT_EQ(record.audit().warnings.size(), 1u);
  EXPECT_EQ(
      record.audit().warnings[0],
      fmt::format("link 'arm': its stress is 1.28 times the yield stress (largest 300 MPa at 0 m+, t = {:.6g} s). "
                  "The material yields there, which elastic links do not; enlarge the section, or take another "
                  "material",
                  record.audit().stress.at("arm").time));
}

// Runs of the rigid twin know no stress, and leave its columns out.
TEST(StressRecord, IsLeftOutWithoutElasticMotion) {
  const std::string text = "lithe: 1\n" + steel +
                           "links: {arm: {beam: {length: 0.5, material: steel, section: {circle: {radius: 0.01}}}}}\n"
                           "joints: {hub: {revolute: z, from: ground, to: arm/root, actuated: true}}\n"
                           "drives: {hub: {follow: t}}\n"
                           "run: {until: 0.1, every: 0.1}\n"
                           "record: [coordinates, stress]\n";
  MemoryRecord inverse, rigid;
  run_inverse(load_model_text(text, "stress.yaml"), inverse);
  run_simulation(load_model_text(text, "stress.yaml", {}, {.rigid = true}), rigid);
  for (const MemoryRecord* record : {&inverse, &rigid}) {
    for (const std::string& column : record->columns()) EXPECT_FALSE(column.starts_with("stress")) << column;
    EXPECT_TRUE(record->audit().stress.empty());
  }
}

}  // namespace
}  // namespace lithe
