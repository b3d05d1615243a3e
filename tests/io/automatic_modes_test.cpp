// The default of elastic links and `modes: auto`. What it promises is checked on the finished mechanisms: their
// frequencies against those with many modes, their compliance against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <regex>

#include "lithe/analysis/linearize.hpp"
#include "lithe/analysis/reference_choice.hpp"
#include "lithe/analysis/statics.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// An example with every `modes: {...}` of its links replaced.
Model with_modes(const std::string& name, const std::string& modes) {
  std::ifstream file(source_folder() + "/examples/" + name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return load_model_text(std::regex_replace(text, std::regex("modes: \\{[^}]*\\}"), "modes: " + modes), name);
}

/// Frequencies (Hz) at rest in the initial pose that are no rigid motions.
std::vector<double> vibrations(const Model& model, bool locked) {
  Prepared at = prepare(model);
  at.state.v.setZero();
  const std::vector<int> motors = locked ? at.plan.actuated_speeds() : std::vector<int>{};
  const Linearization linear =
      linearize(at.plan, at.work, at.state, VectorX::Zero(at.plan.nv()), Actions(at.plan), motors);
  std::vector<double> hertz;
  for (const double f : natural_modes(at.plan, at.work, at.state.q, linear).frequencies)
    if (f > 0.1) hertz.push_back(f);
  return hertz;
}

/// All vibrations of `fine` below `top`, motors locked and free, are there within `bound`.
void expect_settled(const Model& model, const Model& fine, double top, double bound) {
  for (const bool locked : {true, false}) {
    const std::vector<double> ours = vibrations(model, locked), exact = vibrations(fine, locked);
    for (std::size_t i = 0; i < exact.size() && exact[i] < top; ++i) {
      ASSERT_LT(i, ours.size());
      EXPECT_NEAR(ours[i] / exact[i], 1.0, bound) << "frequency " << i + 1 << (locked ? ", locked" : ", free");
    }
  }
}

int coordinates(const Model& model, const std::string& link) {
  return model.mechanism.links[model.mechanism.find_link(link)].elastic.count();
}
const LinkOrigin& origin(const Model& model, const std::string& link) {
  return model.origins[model.mechanism.find_link(link)];
}

TEST(AutomaticModes, RobotGetsItsReferencesAndModes) {
  std::ifstream file(source_folder() + "/examples/flexible-3rrr.yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("modes: \\{[^}]*\\}|, elements: elements"), "");
  const Model model = load_model_text(std::regex_replace(text, std::regex("\n    \n"), "\n"), "robot.yaml");
  const Model fine = with_modes("flexible-3rrr.yaml", "{count: 14}");
  for (int leg = 1; leg <= 3; ++leg) {
    const std::string number = std::to_string(leg);
    EXPECT_EQ(origin(model, "crank-" + number).reference, "clamped");
    EXPECT_EQ(origin(model, "rod-" + number).reference, "chord");
    EXPECT_TRUE(
        origin(model, "crank-" + number).choice.starts_with("clamped, because motor-" + number + " drives its root; "));
    EXPECT_TRUE(origin(model, "rod-" + number)
                    .choice.starts_with("chord, because the pins knee-" + number + " and ankle-" + number +
                                        " hold its ends; "));
    // Links that are alike keep the same.
    EXPECT_EQ(coordinates(model, "crank-" + number), coordinates(model, "crank-1"));
    EXPECT_EQ(coordinates(model, "rod-" + number), coordinates(model, "rod-1"));
  }
  // Six such links: the first six frequencies. 14 modes of a clamped crank are 1e-5 from their limit
  // (docs/verification/flexible.md), so they stand for it; with one mode a crank they are more than one percent off.
  expect_settled(model, fine, vibrations(fine, true)[5] * 1.0001, 0.01 + 1e-4);
  EXPECT_GE(coordinates(model, "crank-1"), 2);
  EXPECT_LE(coordinates(model, "crank-1"), 5);
  EXPECT_LE(coordinates(model, "rod-1"), 3);
  EXPECT_TRUE(origin(model, "rod-1")
                  .band.starts_with("the first 6 frequencies of the mechanism (up to 61.01 Hz) are settled "
                                    "within "));
  EXPECT_NE(origin(model, "rod-1").band.find("with motors locked and free, deflections over 0.8 s within "),
            std::string::npos);
  // Damping goes onto what was chosen.
  EXPECT_EQ(model.mechanism.links[1].elastic.damping.rows(), coordinates(model, "crank-1"));
  EXPECT_GT(model.mechanism.links[1].elastic.damping(0, 0), 0.0);
}

TEST(AutomaticModes, BandAndExactnessMayBeGiven) {
  const Model fine = with_modes("flexible-3rrr.yaml", "{count: 14}");
  const Model wide = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 250}}");
  expect_settled(wide, fine, 250, 0.01 + 1e-4);
  EXPECT_GE(coordinates(wide, "rod-1"), 2) << "the second mode of the rods lies at 234 Hz";
  const Model exact = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 100, within: 1e-3}}");
  expect_settled(exact, fine, 100, 1e-3 + 1e-4);
  EXPECT_GE(coordinates(exact, "crank-1"),
            coordinates(with_modes("flexible-3rrr.yaml", "{auto: {up-to: 100}}"), "crank-1"));
  const Model low = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 1}}");
  EXPECT_TRUE(origin(low, "crank-1").band.starts_with("the mechanism has no frequency up to 1 Hz, deflections over "));
}

TEST(AutomaticModes, IsDeterministic) {
  const Model a = with_modes("flexible-four-bar.yaml", "auto"), b = with_modes("flexible-four-bar.yaml", "auto");
  for (std::size_t i = 0; i < a.mechanism.links.size(); ++i) {
    EXPECT_EQ(a.mechanism.links[i].elastic.names, b.mechanism.links[i].elastic.names);
    EXPECT_EQ(a.mechanism.links[i].elastic.stiffness, b.mechanism.links[i].elastic.stiffness);
    EXPECT_EQ(a.origins[i].choice, b.origins[i].choice);
  }
}

TEST(AutomaticModes, ReferenceOfTheModelFileStays) {
  const Model model = with_modes("flexible-four-bar.yaml", "{auto: true, root: clamped}");
  EXPECT_EQ(origin(model, "coupler").reference, "clamped");
  EXPECT_TRUE(origin(model, "coupler").choice.starts_with("clamped, because the model file says so; "));
  // Clamped shapes are a poor choice between pins, but enough of them do.
  expect_settled(model, with_modes("flexible-four-bar.yaml", "{count: 6, root: chord}"), 110, 0.011);
}

Model arm(const std::string& modes, const std::string& more = "") {
  return load_model_text(R"(
lithe: 1
gravity: [0, 0, -9.81]
materials: {steel: {young: 200e9, density: 7800}}
links:
  tower: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {top: [0, 0, 0.2]}}
  upper: {beam: {length: 1, material: steel, section: {tube: {radius: 0.02, thickness: 0.002}}, elements: 6}, modes: )" +
                             modes + R"(}
  lower: {beam: {length: 0.8, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, elements: 6}, modes: )" +
                             modes + R"(}
  tool: {rigid: {mass: 2, inertia: [0.01, 0.01, 0.01]}}
joints:
  base: {revolute: z, from: ground, to: tower, actuated: true}
  shoulder: {revolute: y, from: tower/top, to: upper/root, actuated: true}
  elbow: {revolute: y, from: upper/tip, to: lower/root, actuated: true}
  hand: {fixed: true, from: lower/tip, to: tool}
initial: {shoulder: -20 deg, elbow: 50 deg}
)" + more,
                         "arm.yaml");
}

// Two beams in space with a heavy tool at the end: bending both ways and torsion, a payload at the loaded frames.
TEST(AutomaticModes, ArmInSpace) {
  const Model model = arm("auto"), fine = arm("{all: true}");
  EXPECT_TRUE(origin(model, "upper").choice.starts_with("clamped, because shoulder drives its root; "));
  EXPECT_TRUE(origin(model, "lower").choice.starts_with("clamped, because elbow drives its root; "));
  expect_settled(model, fine, vibrations(fine, true)[2] * 1.0001, 0.012);
  const Model wide = arm("{auto: {up-to: 150}}");
  expect_settled(wide, fine, 150, 0.012);
  EXPECT_LT(coordinates(wide, "upper") + coordinates(wide, "lower"), 40);
}

// A planar four-bar with beams that bend both ways: revolute pins hold the slopes out of the plane, which chord shapes
// alone cannot follow.
TEST(AutomaticModes, LoopInSpace) {
  std::ifstream file(source_folder() + "/examples/flexible-four-bar.yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("bending: y, torsion: false, "), "");
  const auto with = [&](const std::string& modes) {
    return load_model_text(std::regex_replace(text, std::regex("modes: \\{[^}]*\\}"), "modes: " + modes),
                           "four-bar.yaml");
  };
  const Model model = with("{auto: {up-to: 200}}"), fine = with("{count: 20, root: chord, loaded: [root, tip]}");
  EXPECT_FALSE(prepare(model).plan.is_planar());
  expect_settled(model, fine, 200, 0.02);
}

/// A beam between two bodies, the joints given.
Mechanism between(Joint at_root, Joint at_tip) {
  const Model model = load_model_text(R"(
lithe: 1
links:
  beam: {beam: {length: 1, mass: 1, EI: 1}, modes: {count: 1}}
joints: {j: {revolute: z, from: ground, to: beam/root}}
)",
                                      "beam.yaml");
  Mechanism mechanism = model.mechanism;
  mechanism.joints.clear();
  at_root.name = "a", at_tip.name = "b";
  at_root.to = mechanism.find_frame("beam", "root");
  at_tip.from = mechanism.find_frame("beam", "tip");
  mechanism.add_joint(at_root);
  mechanism.add_joint(at_tip);
  return mechanism;
}

Joint of(JointType type, bool actuated = false) {
  Joint joint;
  joint.type = type;
  if (actuated) joint.actuated.assign(speed_count(type), true);
  return joint;
}

TEST(AutomaticReference, FollowsTheJoints) {
  const auto choose = [](const Joint& root, const Joint& tip) {
    const ReferenceChoice choice = choose_reference(between(root, tip), 1, Reference::clamped);
    EXPECT_EQ(choice.loaded, (std::vector<std::string>{"root", "tip"}));
    return std::string(name_of(choice.reference)) + ": " + choice.reason;
  };
  const Joint pin = of(JointType::revolute), ball = of(JointType::spherical), motor = of(JointType::revolute, true),
              weld = of(JointType::fixed), slide = of(JointType::prismatic), floating = of(JointType::free);
  EXPECT_EQ(choose(motor, pin), "clamped: a drives its root");
  EXPECT_EQ(choose(weld, pin), "clamped: a fixes its root");
  EXPECT_EQ(choose(slide, ball), "clamped: a guides its root");
  EXPECT_EQ(choose(pin, ball), "chord: the pins a and b hold its ends");
  EXPECT_EQ(choose(pin, motor), "chord: the pin a at its root takes no moment");
  EXPECT_EQ(choose(floating, weld), "free: it floats on a");
  EXPECT_EQ(choose_reference(between(pin, pin), 1, Reference::supported).reason, "the link has its own supports");
}

// Without `modes` the mechanism chooses, as with `modes: auto`.
TEST(AutomaticModes, IsTheDefault) {
  std::ifstream file(source_folder() + "/examples/flexible-four-bar.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Model model =
      load_model_text(std::regex_replace(text, std::regex("modes: \\{count[^}]*\\}\n"), "\n"), "a.yaml");
  const Model asked = with_modes("flexible-four-bar.yaml", "auto");
  for (const char* link : {"coupler", "rocker"}) {
    EXPECT_EQ(origin(model, link).reference, "chord");
    EXPECT_EQ(origin(model, link).choice, origin(asked, link).choice);
  }
  // Two sentences say what was chosen.
  ASSERT_EQ(model.remarks.notes.size(), 2U);
  EXPECT_TRUE(model.remarks.notes[0].starts_with("shapes chosen for coupler")) << model.remarks.notes[0];
  EXPECT_TRUE(model.remarks.notes[1].starts_with("with these shapes the first 3 frequencies of the mechanism (up to "))
      << model.remarks.notes[1];
  // What is said explicitly stays.
  EXPECT_TRUE(origin(with_modes("flexible-four-bar.yaml", "{count: 2}"), "coupler").choice.empty());
}

/// Two struts from the ground to one pin, 60 degrees steep, pushed down there.
Model struts(const std::string& beam, const std::string& more = "") {
  const std::string strut = "{beam: {length: 1, " + beam + "}" + more + "}";
  return load_model_text(
      "lithe: 1\nmaterials: {steel: {young: 200e9, density: 7800}}\nlinks:\n  a: " + strut + "\n  b: " + strut + R"(
ground: {left: [-0.5, 0], right: [0.5, 0]}
joints:
  left: {revolute: z, from: ground/left, to: a/root}
  right: {revolute: z, from: ground/right, to: b/root}
  top: {revolute: z, from: a/tip, to: b/tip}
loads: {push: {at: a/tip, force: [0, -t]}}
initial: {left: 60 deg, right: 120 deg}
)",
      "struts.yaml");
}

// Between pins a strut buckles at pi^2 EI/L^2 (Euler), whatever is kept of it for its motion; eight elements of cubic
// shapes are 3e-5 above. Clamped at its root it would be a quarter of that.
TEST(AutomaticModes, StrutBetweenPinsHasEulersLoad) {
  const double euler = std::numbers::pi * std::numbers::pi * 30.0;
  for (const char* modes : {"", ", modes: {count: 2}", ", modes: {all: true}", ", modes: {count: 1, root: chord}"})
    EXPECT_NEAR(origin(struts("mass: 0.5, EI: 30, EA: 1e6", modes), "a").buckling_load / euler, 1.0, 1e-4) << modes;
}

// The top of the struts goes down by P L/(2 EA sin^2 60) and by nothing else: they carry it by stretching alone. So
// stretching is kept where `EA` is given, and where a section knows its area.
TEST(AutomaticModes, StretchingIsKeptWhereItCarries) {
  const double area = std::numbers::pi * (0.01 * 0.01 - 0.008 * 0.008);
  for (const auto& [beam, axial] :
       {std::pair<std::string, double>{"mass: 0.5, EI: 30, EA: 1e6", 1e6},
        {"material: steel, section: {tube: {radius: 0.01, thickness: 0.002}}", 200e9 * area}}) {
    const Model model = struts(beam);
    Prepared at = prepare(model);
    const Equilibrium rest = find_equilibrium(at.plan, at.work, at.state, Actions(at.plan), {});
    const MatrixX compliance = frame_compliance(at.plan, at.work, rest, at.plan.mechanism().find_frame("a", "tip"));
    const double expected = 1.0 / (2 * axial * 0.75);
    EXPECT_NEAR(compliance(4, 4) / expected, 1.0, 3e-3) << beam;
    EXPECT_TRUE(at.plan.is_planar()) << "nothing acts out of the plane";
  }
}

/// A beam on a pin with a body at its tip.
Model payload(const std::string& run, const std::string& more = "", const std::string& modes = "") {
  return load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, mass: 0.5, EI: 50, elements: 16}, frames: {middle: 0.5})" +
                             more + modes + R"(}
  weight: {box: {mass: 1, size: [0.1, 0.1, 0.1]}}
joints:
  pivot: {revolute: z, from: ground, to: arm/root}
  weld: {fixed: true, from: arm/tip, to: weight}
run: {)" + run + R"(}
record: [frames: [arm/middle, weight]]
)",
                         "payload.yaml");
}

// The longer a run, the more exact its frequencies: after 200 s the first vibration is still in phase to a hundredth of
// a radian, as the deflection has to be to a percent. Damping forgets, so it asks for less.
TEST(AutomaticModes, PhaseLastsForTheWholeRun) {
  const double exact = vibrations(payload("until: 1", "", ", modes: {all: true}"), false)[0];
  const Model longer = payload("until: 200"), shorter = payload("until: 0.5"),
              damped = payload("until: 200", ", damping: {kelvin-voigt: 1e-3}");
  const double drift = 2 * std::numbers::pi * (vibrations(longer, false)[0] - exact) * 200;
  EXPECT_GE(drift, -1e-3);
  EXPECT_LT(drift, 0.01);
  EXPECT_GT(coordinates(longer, "arm"), coordinates(shorter, "arm"));
  EXPECT_GE(coordinates(longer, "arm"), coordinates(damped, "arm"));
}

// Few shapes, and slow ones: what only makes steps small is not kept.
TEST(AutomaticModes, KeepsFewAndSlowShapes) {
  const Model model = payload("until: 1");
  EXPECT_LE(coordinates(model, "arm"), 4);
  EXPECT_LT(vibrations(model, false).back(), 1000);
}

// Both bending directions of a tube are equal: they are kept together.
TEST(AutomaticModes, EqualDirectionsStayTogether) {
  const Model model = arm("auto");
  const LinkData& upper = model.mechanism.links[model.mechanism.find_link("upper")];
  int along_y = 0, along_z = 0;
  for (const std::string& name : upper.elastic.names)
    along_y += name.starts_with("bending y"), along_z += name.starts_with("bending z");
  EXPECT_EQ(along_y, along_z);
  const Frame& tip = upper.frames[upper.find_frame("tip")];
  const MatrixX compliance = tip.shape * upper.elastic.stiffness.inverse() * tip.shape.transpose();
  EXPECT_NEAR(compliance(1, 1) / compliance(2, 2), 1.0, 1e-6);
}

// A strip that is given by polynomials, held by its motor: its first frequency is that of a clamped cantilever,
// 1.8751^2 sqrt(E I/(rho A L^4)) with I/A = h^2/12.
TEST(AutomaticModes, ChoosesAmongPolynomialsToo) {
  const Model model = load_model_text(R"(
lithe: 1
materials: {steel: {young: 210e9, density: 7800}}
links:
  strip: {bezier: {length: 0.3, material: steel, section: {rectangle: {height: 0.5e-3, width: 0.01}}, bending: y}}
joints: {motor: {revolute: z, from: ground, to: strip/root, actuated: true}}
)",
                                      "strip.yaml");
  EXPECT_FALSE(model.origins[1].choice.empty());
  const double h = 0.5e-3, rate = 1.8751041 * 1.8751041 * std::sqrt(210e9 / 7800 * h * h / 12) / (0.3 * 0.3);
  EXPECT_NEAR(vibrations(model, true)[0] / (rate / (2 * std::numbers::pi)), 1.0, 1e-3);
}

TEST(AutomaticModes, FloatingBeamTakesMeanAxes) {
  const Model model = load_model_text(R"(
lithe: 1
links:
  beam: {beam: {length: 1, mass: 1, EI: 10, rotary-inertia: 1e-4, polar-inertia: 1e-3}, modes: auto}
joints: {float: {free: true, from: ground, to: beam}}
)",
                                      "beam.yaml");
  EXPECT_EQ(model.origins[1].reference, "free");
  EXPECT_EQ(coordinates(model, "beam"), 3) << "its free-free modes are those of the mechanism";
  EXPECT_TRUE(model.origins[1].choice.starts_with("free, because it floats on float; 3 modes"));
}

std::string refusal(const std::string& text) {
  try {
    load_model_text(text, "test.yaml");
  } catch (const PhysicsError& error) {
    return error.what();
  }
  return "";
}

TEST(AutomaticModes, MechanismWithoutAPoseIsRefused) {
  const std::string apart = R"(
lithe: 1
links:
  a: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {end: [1, 0]}}
  b: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {end: [1, 0]}}
  whip: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
ground: {far: [3, 0, 0]}
joints:
  left: {revolute: z, from: ground, to: a}
  middle: {revolute: z, from: a/end, to: b}
  right: {revolute: z, from: ground/far, to: b/end}
  wrist: {revolute: z, from: a/end, to: whip/root, actuated: true}
)";
  const std::string text = refusal(apart);
  EXPECT_TRUE(text.starts_with("'modes: auto' needs the mechanism in its initial pose, but loop '")) << text;
  EXPECT_NE(text.find("Give better guesses under 'initial'"), std::string::npos) << text;

  // The rigid twin needs no shapes, so nothing is chosen for it.
  const Model rigid = load_model_text(apart, "test.yaml", {}, {true, {}, {}});
  EXPECT_EQ(coordinates(rigid, "whip"), 0);
  EXPECT_TRUE(rigid.remarks.notes.empty());

  // By default such a model gets its lowest modes, and says so; what is wrong with it shows when it is assembled.
  const Model plain = load_model_text(std::regex_replace(apart, std::regex(", modes: auto"), ""), "test.yaml");
  EXPECT_EQ(coordinates(plain, "whip"), 2);
  ASSERT_EQ(plain.remarks.notes.size(), 2U);
  EXPECT_TRUE(plain.remarks.notes[1].starts_with(
      "with these shapes nothing is settled, because the mechanism has no initial pose: loop '"))
      << plain.remarks.notes[1];

  // Elastic links could be bent until they meet; that is not meant.
  EXPECT_TRUE(refusal(R"(
lithe: 1
links:
  a: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
  b: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
ground: {far: [3, 0, 0]}
joints:
  left: {revolute: z, from: ground, to: a/root}
  middle: {revolute: z, from: a/tip, to: b/root}
  right: {revolute: z, from: ground/far, to: b/tip}
)")
                  .starts_with("'modes: auto' needs the mechanism in its initial pose, but "));

  EXPECT_EQ(
      refusal(R"(
lithe: 1
links: {beam: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}}
joints: {float: {free: true, from: ground, to: beam}}
)"),
      "'modes: auto' needs the mechanism in its initial pose, but some motion of it has no inertia, as a beam without "
      "'polar-inertia' that turns about its own axis");
}

}  // namespace
}  // namespace lithe
