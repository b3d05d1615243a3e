// `couplings:` and `armature:`: the equations that the words stand for, in parts and repetitions, kept with results.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/model_text.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

const std::string machine = R"(links:
  a: {rigid: {mass: 1, inertia: [1, 1, 1]}}
  b: {rigid: {mass: 1, inertia: [1, 1, 1]}}
  c: {rigid: {mass: 1, inertia: [1, 1, 1]}}
joints:
  motor: {revolute: z, from: ground, to: a, actuated: true, armature: 0.25}
  wheel: {revolute: z, from: ground, to: b}
  quill: {cylindrical: z, from: ground, to: c, armature: [1, 2]}
)";

Coupling only(const std::string& coupling) {
  const Model model = load(machine + "couplings: {it: " + coupling + "}\n");
  EXPECT_EQ(model.mechanism.couplings.size(), 1u);
  return model.mechanism.couplings.at(0);
}

void expect_terms(const Coupling& coupling, const std::vector<Coupling::Term>& terms, double offset = 0.0) {
  ASSERT_EQ(coupling.terms.size(), terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(coupling.terms[i].coordinate, terms[i].coordinate);
    EXPECT_DOUBLE_EQ(coupling.terms[i].factor, terms[i].factor);
  }
  EXPECT_DOUBLE_EQ(coupling.offset, offset);
}

TEST(LoadCouplings, EveryKindIsItsEquation) {
  const CoordinateRef motor{0, 0}, wheel{1, 0}, turn{2, 0}, slide{2, 1};
  expect_terms(only("{gear: {joints: [motor, wheel], ratio: -3}}"), {{motor, 1}, {wheel, 3}});
  expect_terms(only("{gear: {joints: [motor, wheel], ratio: 2}, offset: 90 deg}"), {{motor, 1}, {wheel, -2}}, pi / 2);
  expect_terms(only("{screw: {turn: motor, slide: quill.1, pitch: 0.01}, offset: 0.2}"),
               {{slide, 1}, {motor, -0.01 / (2 * pi)}}, 0.2);
  expect_terms(only("{rack: {pinion: quill.0, slide: quill.1, radius: -0.1}}"), {{slide, 1}, {turn, 0.1}});
  expect_terms(only("{belt: {joints: [motor, wheel], radii: [0.02, 0.06]}}"), {{motor, 1}, {wheel, -3}});
  expect_terms(only("{mimic: {joint: wheel, of: motor}}"), {{wheel, 1}, {motor, -1}});
  expect_terms(only("{mimic: {joint: wheel, of: motor, factor: 2}, offset: 1}"), {{wheel, 1}, {motor, -2}}, 1);
  expect_terms(only("{equal: [motor, wheel]}"), {{wheel, 1}, {motor, -1}});
  expect_terms(only("{terms: {motor: 1, wheel: 2*3, quill.0: -1}, offset: 0.5}"), {{motor, 1}, {wheel, 6}, {turn, -1}},
               0.5);
}

TEST(LoadCouplings, EqualTiesEachToTheOneBefore) {
  const Model model = load(machine + "couplings: {all: {equal: [motor, wheel, quill.0]}}\n");
  ASSERT_EQ(model.mechanism.couplings.size(), 2u);
  EXPECT_EQ(model.mechanism.couplings[0].name, "all.1");
  EXPECT_EQ(model.mechanism.couplings[1].name, "all.2");
  expect_terms(model.mechanism.couplings[1], {{{2, 0}, 1}, {{1, 0}, -1}});
}

TEST(LoadCouplings, ArmatureIsOfEverySpeed) {
  const Model model = load(machine);
  EXPECT_EQ(model.mechanism.joints[0].armature, std::vector<double>{0.25});
  EXPECT_EQ(model.mechanism.joints[2].armature, (std::vector<double>{1, 2}));
}

TEST(LoadCouplings, AreKeptWithResults) {
  const Model model = load(machine + "couplings: {gear: {gear: {joints: [motor, wheel], ratio: -3}, offset: 0.1}}\n");
  const Model back = detail::model_of_stored(detail::stored_mechanism(model));
  ASSERT_EQ(back.mechanism.couplings.size(), 1u);
  EXPECT_EQ(back.mechanism.couplings[0].name, "gear");
  expect_terms(back.mechanism.couplings[0], {{{0, 0}, 1}, {{1, 0}, 3}}, 0.1);
  EXPECT_EQ(back.mechanism.joints[0].armature, std::vector<double>{0.25});
}

TEST(LoadCouplings, RepetitionsHaveTheirOwn) {
  const Model model = load(R"(repeat:
  for: {i: 1 to 2}
  links: {a-$i: {rigid: {mass: 1, inertia: [1, 1, 1]}}, b-$i: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
  joints: {m-$i: {revolute: z, from: ground, to: a-$i}, w-$i: {revolute: z, from: ground, to: b-$i}}
  couplings: {gear-$i: {gear: {joints: [m-$i, w-$i], ratio: $i}}}
)");
  ASSERT_EQ(model.mechanism.couplings.size(), 2u);
  EXPECT_EQ(model.mechanism.couplings[1].name, "gear-2");
  EXPECT_DOUBLE_EQ(model.mechanism.couplings[1].terms[1].factor, -2.0);
  EXPECT_EQ(model.mechanism.joints[model.mechanism.couplings[1].terms[1].coordinate.joint].name, "w-2");
}

class CoupledParts : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("lithe-coupled-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << "lithe: 1\n" << text;
    return (folder / name).string();
  }
  std::filesystem::path folder;
};

TEST_F(CoupledParts, NameTheirOwnJoints) {
  write("unit.yaml", machine + R"(couplings:
  g: {gear: {joints: [motor, wheel], ratio: 2}}
  e: {equal: [wheel, quill.0]}
  t: {terms: {motor: 1, quill.0: -1}}
  s: {screw: {turn: wheel, slide: quill.1, pitch: 0.1}}
)");
  const Model model =
      load_model(write("whole.yaml", "parts: {one: {model: unit.yaml}, two: {model: unit.yaml, at: [1, 0]}}\n"));
  ASSERT_EQ(model.mechanism.couplings.size(), 8u);
  for (const Coupling& coupling : model.mechanism.couplings)
    for (const Coupling::Term& term : coupling.terms)
      EXPECT_EQ(model.mechanism.joints[term.coordinate.joint].name.substr(0, 3), coupling.name.substr(0, 3));
}

TEST_F(CoupledParts, AreRefusedWhereACoordinateIsMirrored) {
  write("unit.yaml", machine + "couplings: {s: {screw: {turn: wheel, slide: quill.1, pitch: 0.1}}}\n");
  const std::string path = write("whole.yaml", "parts: {one: {model: unit.yaml, mirror: x}}\n");
  try {
    load_model(path);
    FAIL() << "the model was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.what(), (folder / "unit.yaml").string() +
                                ":10:13: couplings.s: 'quill.1' counts the other way in a mirrored part; put the "
                                "coupling into the model that uses the part");
  }
}

// J1 a1 = tau + F and J2 a2 = -n F with a1 = n a2, J1 the link and its rotor: the force in the record is F.
TEST(LoadCouplings, TheirForceIsRecorded) {
  const double J1 = 1.25, J2 = 1.0, n = -3.0, tau = 2.0;
  const Model model = load(machine + R"(couplings: {gear: {gear: {joints: [motor, wheel], ratio: -3}}}
drives: {motor: {torque: 2}}
run: {until: 0.1, every: 0.05}
record: [coordinates, forces, energy]
)");
  MemoryRecord record;
  ASSERT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  const auto column = [&](const std::string& name) { return record.at(record.rows() - 1, name); };
  const double wheel = n * tau / (J2 + n * n * J1);
  EXPECT_NEAR(column("a.wheel"), wheel, 1e-9);
  EXPECT_NEAR(column("coupling.gear.force"), J1 * n * wheel - tau, 1e-9);
  EXPECT_NEAR(column("energy.kinetic"), column("energy.work"), 1e-9);
}

// Virtual work: opening by an angle lifts a bar of stage i by (i - 1/2) of what lifts one stage, the platform by all three; the foot
// moves against the force of the screw. F = W cot(start) with W = 12 (1/2 + 3/2 + 5/2) + 3 (230 + 0.5) kg times g, torque F pitch / 2 pi.
TEST(LoadCouplings, ScrewHoldsTheScissorLift) {
  const Model model = load_model(source_folder() + "/examples/scissor-lift.yaml");
  Prepared prepared = prepare(model);
  const Mobility mobility = analyse_mobility(prepared.plan, prepared.work, prepared.state.q);
  EXPECT_EQ(mobility.mobility, 1);
  EXPECT_TRUE(mobility.redundant.empty());
  InverseResult result;
  inverse_dynamics(prepared.plan, prepared.work, prepared.state, VectorX::Zero(prepared.plan.nv()),
                   Actions(prepared.plan), prepared.plan.actuated_speeds(), result);
  const double weight = (12 * 4.5 + 3 * 230.5) * 9.81, start = pi / 12;
  const double torque = weight / std::tan(start) * 0.005 / (2 * pi);
  EXPECT_NEAR(result.tau[prepared.plan.actuated_speeds()[0]], torque, 1e-9 * torque);
}

// A gear of a hundred: a turn of the slow shaft by 1 rad is one of the fast one by 100 rad, which is many turns. Falling from there
// it is the pendulum with the inertia J + 100^2 I about its pin.
TEST(Couplings, OfLargeRatioStartAnywhere) {
  const Model model = load(R"(
gravity: [0, -9.81]
links:
  arm: {rigid: {mass: 1, centre: [0.3, 0], inertia: [0.01, 0.01, 0.02]}}
  wheel: {rigid: {mass: 1, inertia: [0.01, 0.01, 1e-5]}}
joints:
  crank: {revolute: z, from: ground, to: arm, actuated: true}
  shaft: {revolute: z, from: ground, to: wheel}
couplings: {reducer: {gear: {joints: [shaft, crank], ratio: 100}}}
initial: {crank: 1}
run: {until: 0.1, every: 0.1, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)");
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_EQ(record.at(0, "q.crank"), 1.0);
  EXPECT_NEAR(record.at(0, "q.shaft"), 100.0, 1e-11);
  EXPECT_NEAR(record.at(0, "a.crank"), -9.81 * 0.3 * std::cos(1.0) / (0.02 + 0.09 + 0.1), 1e-11);
}

}  // namespace
}  // namespace lithe
